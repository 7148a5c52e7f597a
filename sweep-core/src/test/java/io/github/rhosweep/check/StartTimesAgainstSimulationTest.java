package io.github.rhosweep.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.rhosweep.kernel.ControlVariate;
import io.github.rhosweep.kernel.Points;
import io.github.rhosweep.kernel.Simulation;
import io.github.rhosweep.math.Moments;
import io.github.rhosweep.math.RandomStream;
import io.github.rhosweep.model.StartTimes;
import io.github.rhosweep.model.StartTimes.Transfer;
import io.github.rhosweep.model.StartTimes.Window;
import io.github.rhosweep.result.FlowLog;
import io.github.rhosweep.scenario.Scenario;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Transfers among Poisson frames of eight senders whose load changes at 12 us, run many times, beside what was foretold. */
class StartTimesAgainstSimulationTest {
    private static final double TAU_NS = 3.515;
    private static final double CHANGE_NS = 12_000;
    private static final double END_NS = 20_000;
    private static final int RUNS = 40;

    @TempDir
    private Path folder;

    private Moments simulate(double before, double after, long bytes, double startNs) throws IOException {
        Moments ps = new Moments();
        RandomStream random = new RandomStream(20_261_201);
        for (int run = 0; run < RUNS; run++) {
            List<String> lines = new ArrayList<>(List.of("start,src,dst,bytes"));
            boolean offered = false;
            double now = 0;
            while (now < END_NS) {
                double load = now < CHANGE_NS ? before : after;
                now += random.nextExponential() * TAU_NS / load;
                if (!offered && now >= startNs) {
                    lines.add((long) startNs + ",9,8," + bytes);
                    offered = true;
                }
                lines.add((long) now + "," + random.nextInt(8) + ",8,1344");
            }
            Path file = Files.write(folder.resolve("flows.csv"), lines);
            FlowLog flows = Objects.requireNonNull(Simulation.run(
                                    Points.of(
                                            "traffic.pattern=file",
                                            "record.flows=true",
                                            "switch.buffer_capacity_bytes=64 MiB",
                                            "traffic.file=" + file),
                                    1,
                                    ControlVariate.NONE)
                            .recording())
                    .flows();
            for (int flow = 0; flow < flows.size(); flow++) {
                if (flows.source(flow) == 9) {
                    ps.record(flows.completionPs(flow) - flows.startPs(flow));
                }
            }
        }
        return ps;
    }

    @Test
    void transfers_takeAsLongAsForetold_whereverTheyStart() throws IOException {
        // One frame, and 600 of them: 5.3 us at a load of 0.6, so that the one from 9 us on meets both loads.
        for (long bytes : new long[] {1344, 600 * 1344}) {
            Transfer transfer = new Transfer(9, 8, bytes);
            StartTimes times = StartTimes.of(
                    List.of(new Window(0, load("0.6")), new Window((long) (CHANGE_NS * 1e3), load("0.2"))),
                    List.of(transfer));
            double last = Double.POSITIVE_INFINITY;
            for (double startNs : new double[] {5_000, 9_000, 13_000}) {
                double foretold = times.at(transfer, (long) (startNs * 1e3)).durationNs();
                Moments ps = simulate(0.6, 0.2, bytes, startNs);
                double simulated = ps.mean() / 1e3;
                double error = 3 * ps.std() / 1e3 / Math.sqrt(RUNS);
                assertThat(foretold).isEqualTo(simulated, within(error));
                assertThat(simulated).isLessThan(last + error);
                last = simulated;
            }
        }
    }

    private static Scenario load(String load) {
        return Points.of("topology.hosts=10", "traffic.message=1344 B", "traffic.load=" + load);
    }
}
