package io.github.rhosweep.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.rhosweep.result.Metric;
import io.github.rhosweep.result.RunResult;
import io.github.rhosweep.run.LindleyWorkload;
import io.github.rhosweep.scenario.InvalidValueException;
import io.github.rhosweep.scenario.Load;
import io.github.rhosweep.scenario.Scenario;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Workloads from files, run. */
class FileWorkloadsTest {
    static String resource(String name) {
        try {
            return Path.of(FileWorkloadsTest.class
                            .getResource("/workloads/" + name)
                            .toURI())
                    .toString();
        } catch (URISyntaxException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static Scenario scenario(String file, String... more) {
        List<String> fields = new ArrayList<>(List.of("traffic.pattern=file", "traffic.file=" + file));
        fields.addAll(List.of(more));
        return Points.of(fields.toArray(new String[0]));
    }

    private static RunResult run(Scenario scenario) {
        return Simulation.run(scenario, 1, LindleyWorkload.of(scenario));
    }

    private static double completionNs(RunResult result) {
        return (double) Metric.COMPLETION_NS.of(result);
    }

    /** 149 frames a flow, the last of 1150 bytes: all behind each other on one port, but for the time to get there. */
    @Test
    void incast_takesItsWireBytesOverTheBottleneck() {
        RunResult result = run(scenario(resource("incast.cm")));
        assertThat(result.totals().deliveredMessages()).isEqualTo(8);
        assertThat(result.totals().offeredBytes()).isEqualTo(8 * (200_000 + 149 * 62));
        double wireNs = 8 * (200_000 + 149 * 62) / 400.0;
        assertThat(completionNs(result)).isEqualTo(wireNs, within(0.1 * wireNs)).isGreaterThan(wireNs);
    }

    /** Flows that share nothing take what each takes alone; the last to start ends last, if it is no shorter. */
    @Test
    void permutation_endsWithTheFlowThatIsLast() {
        RunResult result = run(scenario(resource("permutation.cm")));
        double alone = completionNs(run(scenario(resource("bidirectional.cm"))));
        // 75 frames and a slot more than the short flow's 38: it starts 1500 ns before that.
        double half = alone - 37 * 3.515;
        assertThat(completionNs(result)).isEqualTo(2500 + half, within(4.0));
        assertThat(Metric.SLOWDOWN_VS_IDLE.of(result)).isNull();
        assertThat((String) Metric.NULL_REASON.of(result)).contains("messages differ in size");
    }

    @Test
    void chain_startsEachFlowWhenTheOneBeforeHasArrived() {
        double alone = completionNs(run(scenario(resource("bidirectional.cm"))));
        assertThat(completionNs(run(scenario(resource("chain.cm"))))).isEqualTo(3 * alone, within(1e-6));
    }

    @Test
    void hpccFile_runsWhatItDeclares() {
        RunResult result = run(scenario(resource("flows.txt")));
        assertThat(result.totals().deliveredMessages()).isEqualTo(2);
        assertThat(completionNs(result)).isBetween(2e9 + 1000, 2e9 + 3000);
    }

    @Test
    void csv_startsInTheUnitAskedFor() {
        assertThat(completionNs(run(scenario(resource("flows.csv"))))).isBetween(1500.5, 2000.0);
        assertThat(completionNs(run(scenario(resource("flows.csv"), "traffic.file_time_unit=1 us"))))
                .isBetween(1_500_500.0, 1_501_000.0);
    }

    /** On more hosts than the file has, over several switches, with rates and recovery: all arrive, and once. */
    @ParameterizedTest
    @ValueSource(strings = {"incast.cm", "permutation.cm", "chain.cm"})
    void anyFabric_deliversAll(String name) {
        RunResult result = run(scenario(
                resource(name),
                "topology.kind=fat-tree",
                "topology.hosts=16",
                "transport.sender=dcqcn",
                "transport.recovery=selective",
                "switch.buffer_capacity_bytes=100000"));
        assertThat(result.totals().deliveredMessages())
                .isEqualTo(result.totals().offeredMessages())
                .isPositive();
        assertThat(result.totals().inFlightMessages()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"bidir.cm, 2, 5500", "incast.cm, 15, 78462", "one.cm, 1, 5500", "perm_16n_16c_2MB.cm, 16, 5500"})
    void publishedMatrices_run(String name, int flows, double aboutNs) {
        Path folder = Path.of("").toAbsolutePath();
        while (folder != null
                && !Files.exists(folder.resolve("../shared/data/htsim-cm").resolve(name))) {
            folder = folder.getParent();
        }
        assumeTrue(folder != null, "no folder of samples here");
        RunResult result = run(scenario(
                folder.resolve("../shared/data/htsim-cm").resolve(name).toString(),
                "switch.buffer_capacity_bytes=64 MiB"));
        assertThat(result.totals().deliveredMessages()).isEqualTo(flows);
        assertThat(result.totals().deliveredBytes()).isEqualTo(flows * 2_092_318L);
        assertThat(completionNs(result)).isEqualTo(aboutNs, within(0.01 * aboutNs));
    }

    @Test
    void badFiles_areToldWithTheirLines() {
        assertThatThrownBy(() -> scenario(resource("flows.txt"), "traffic.file_format=htsim"))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContaining("flows.txt:1: found `2`, expected Nodes N");
        assertThatThrownBy(() -> Points.of("traffic.pattern=file"))
                .hasMessage("traffic.pattern file needs traffic.file, the path of one");
        assertThatThrownBy(() -> scenario("no/such.cm")).hasMessage("traffic.file: there is no file `no/such.cm`");
        assertThatThrownBy(() -> scenario(resource("incast.cm"), "topology.hosts=8"))
                .hasMessage("traffic.flows (9) with traffic.pattern file needs 9 hosts, topology.hosts is 8");
        assertThatThrownBy(() -> scenario(resource("incast.cm"), "traffic.flows=8"))
                .hasMessage(
                        "traffic.flows (8) with traffic.pattern file: the file has 9 hosts. Maybe leave traffic.flows out");
        assertThatThrownBy(() -> scenario(resource("incast.cm"), "traffic.load=0.5"))
                .hasMessage(
                        "traffic.load does not apply here: it needs that traffic.pattern is open or mix and traffic.arrivals is not once");
        assertThatThrownBy(() -> scenario(resource("incast.cm"), "traffic.message=1 KiB"))
                .hasMessageStartingWith(
                        "traffic.message does not apply here: it needs that traffic.pattern is not file");
    }

    /** Load counts the mean number of frames, so that the bottleneck is as busy as asked for. */
    @Test
    void messageSizes_keepTheLoad() {
        Scenario scenario = Points.of(
                "traffic.message_cdf=" + resource("sizes.txt"),
                "traffic.load=0.6",
                "measure.messages=40000",
                "switch.buffer_capacity_bytes=1 GiB");
        // Half of them one frame, two fifths about 5500 / 1344 + 1/2, a tenth about 55000 / 1344 + 1/2.
        assertThat(Load.of(scenario).meanFrames()).isEqualTo(6.6, within(0.5));
        RunResult result = run(scenario);
        double frames =
                result.totals().offeredFrames() / (double) result.totals().offeredMessages();
        assertThat(frames).isEqualTo(Load.of(scenario).meanFrames(), within(0.03 * frames));
        assertThat((double) Metric.LOAD_SLOTS.of(result)).isEqualTo(0.6, within(0.03));
        assertThat(result.totals().lostMessages()).isZero();
        // Pollaczek and Khinchine: what a message finds before it is an M/G/1's workload.
        assertThat((double) Metric.MESSAGE_LATENCY_MEAN_CV_NS.of(result))
                .isEqualTo(
                        (double) Metric.MESSAGE_LATENCY_MEAN_NS.of(result),
                        within(4 * (double) Metric.MESSAGE_LATENCY_HALF_WIDTH_NS.of(result)));
    }

    @Test
    void badSizes_areToldWithTheirLines() {
        assertThatThrownBy(() -> Points.of("traffic.message_cdf=" + resource("flows.csv")))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContaining("flows.csv:1: found `start,src,dst,bytes`, expected `bytes percent`");
        assertThatThrownBy(() -> Points.of("traffic.message_cdf=" + resource("sizes.txt"), "traffic.message=5 B"))
                .hasMessageContaining("traffic.message does not apply here");
    }
}
