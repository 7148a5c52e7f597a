package io.github.rhosweep.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.rhosweep.result.FlowLog;
import io.github.rhosweep.result.Metric;
import io.github.rhosweep.result.Recording;
import io.github.rhosweep.result.RunResult;
import io.github.rhosweep.result.SeriesLog;
import java.util.Arrays;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is kept of a run besides its row. */
class RecordingTest {
    private static final String KEPT = "record.flows=true record.series=true record.series_interval=100_ns";

    private static RunResult run(String fields) {
        String[] given = Arrays.stream(fields.split(" "))
                .map(f -> f.replace('_', f.startsWith("record.series_interval") ? ' ' : '_'))
                .map(f -> f.replace("record.series interval", "record.series_interval"))
                .toArray(String[]::new);
        return Simulation.run(Points.of(given), 5, ControlVariate.NONE);
    }

    private static Recording recording(RunResult result) {
        return Objects.requireNonNull(result.recording());
    }

    /** Of one switch and plain senders, of a fabric, with loss, recovery, rates, pauses. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "traffic.flows=4 measure.messages=300",
                "traffic.pattern=uniform traffic.load=0.9 measure.messages=300 switch.alpha=0.25 switch.buffer_capacity_bytes=64000",
                "transport.sender=dcqcn switch.ecn_kmin=0 switch.ecn_kmax=0.001 switch.ecn_pmax=1 traffic.load=0.9 measure.messages=300",
                "traffic.arrivals=once traffic.flows=16 transport.recovery=selective switch.buffer_capacity_bytes=100000",
                "traffic.arrivals=once traffic.flows=16 flow_control.kind=pfc traffic.message=1048576_B",
                "traffic.pattern=ring",
            })
    void row_isTheSameWithAndWithout(String fields) {
        String point = fields.replace("_B", "B");
        RunResult plain = run(point);
        RunResult kept = run(point + " " + KEPT);
        assertThat(kept).usingRecursiveComparison().ignoringFields("recording").isEqualTo(plain);

        FlowLog flows = Objects.requireNonNull(recording(kept).flows());
        assertThat(flows.size()).isEqualTo((int) plain.totals().measuredMessages());
        double sum = 0;
        long lost = 0;
        long again = 0;
        TreeSet<Long> ids = new TreeSet<>();
        for (int i = 0; i < flows.size(); i++) {
            ids.add(flows.id(i));
            lost += flows.isLost(i) ? 1 : 0;
            again += flows.retransmittedFrames(i);
            assertThat(flows.completionPs(i) < 0).isEqualTo(flows.isLost(i));
            sum += flows.isLost(i) ? 0 : flows.completionPs(i) - flows.startPs(i);
        }
        assertThat(ids).hasSize(flows.size());
        assertThat(lost).isEqualTo(plain.totals().measuredLostMessages());
        assertThat(again).isEqualTo(plain.totals().retransmittedFrames());
        if (plain.messageLatency().n() == flows.size() - lost
                && plain.messageLatency().meanPs() != null) {
            assertThat(sum / (flows.size() - lost))
                    .isEqualTo(plain.messageLatency().meanPs(), within(1e-6 * sum));
        }
        SeriesLog series = Objects.requireNonNull(recording(kept).series());
        assertThat(series.size()).isPositive();
        for (int i = 0; i < series.size(); i++) {
            assertThat(series.timePs(i) % 100_000).isZero();
            assertThat(series.value(i)).isNotNegative();
        }
    }

    /** What queues for all egresses is what the pool holds, at every sample; rates fall and do not exceed the line. */
    @Test
    void series_showQueuesAndRates() {
        RunResult result = run("transport.sender=dcqcn switch.ecn_kmin=0 switch.ecn_kmax=0.001 switch.ecn_pmax=1"
                + " traffic.arrivals=once traffic.message=1048576B " + KEPT);
        SeriesLog series = Objects.requireNonNull(recording(result).series());
        long at = -1;
        double balance = 0;
        double peak = 0;
        double slowest = 400;
        for (int i = 0; i < series.size(); i++) {
            if (series.timePs(i) != at) {
                assertThat(balance).isZero();
                at = series.timePs(i);
            }
            switch (series.metric(i)) {
                case "buffer_bytes" -> {
                    balance += series.value(i);
                    peak = Math.max(peak, series.value(i));
                }
                case "queue_bytes" -> balance -= series.value(i);
                case "rate_gb_per_s" -> {
                    assertThat(series.entity(i)).matches("flow \\d+->8");
                    assertThat(series.value(i)).isBetween(0.0, 400.0);
                    slowest = Math.min(slowest, series.value(i));
                }
                default -> throw new AssertionError(series.metric(i));
            }
        }
        assertThat(peak).isPositive().isLessThanOrEqualTo((double) (long) Metric.BUFFER_PEAK_BYTES.of(result));
        assertThat(slowest).isLessThan(200);
    }

    @Test
    void pauses_areCountedOverTime() {
        RunResult result =
                run("traffic.arrivals=once traffic.flows=16 flow_control.kind=pfc traffic.message=4194304B " + KEPT);
        SeriesLog series = Objects.requireNonNull(recording(result).series());
        double last = 0;
        for (int i = 0; i < series.size(); i++) {
            if (series.metric(i).equals("pauses_sent")) {
                assertThat(series.value(i)).isGreaterThanOrEqualTo(last);
                last = series.value(i);
            }
        }
        assertThat(last).isPositive().isLessThanOrEqualTo((double) (long) Metric.PAUSES_SENT.of(result));
    }

    /** Flows of a file keep their ids; one whose predecessor is lost never starts. */
    @Test
    void flowsOfAFile_areAllThere() {
        String file = FileWorkloadsTest.resource("permutation.cm");
        FlowLog flows =
                Objects.requireNonNull(recording(run("traffic.pattern=file record.flows=true traffic.file=" + file))
                        .flows());
        assertThat(Stream.of(0, 1, 2, 3).map(flows::id)).containsExactly(11L, 12L, 13L, 14L);
        assertThat(flows.startPs(3)).isEqualTo(2_500_000);

        FlowLog chain = Objects.requireNonNull(recording(run(
                        "traffic.pattern=file record.flows=true switch.buffer_capacity_bytes=1406 switch.alpha=0.001"
                                + " switch.frame_size_bytes=9000 traffic.file="
                                + FileWorkloadsTest.resource("chain.cm")))
                .flows());
        assertThat(chain.isLost(0)).isTrue();
        assertThat(Stream.of(0, 1, 2).map(chain::startPs)).containsExactly(0L, -1L, -1L);
        assertThat(Stream.of(0, 1, 2).map(chain::id)).containsExactly(1L, 2L, 3L);
    }
}
