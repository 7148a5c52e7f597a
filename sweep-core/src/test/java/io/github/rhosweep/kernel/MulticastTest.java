package io.github.rhosweep.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.github.rhosweep.result.RunRecorder;
import io.github.rhosweep.result.RunResult;
import io.github.rhosweep.scenario.Scenario;
import io.github.rhosweep.topology.Topology;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages to several hosts: who gets them, where copies are made, and that all of it balances. */
class MulticastTest {
    private static RunResult run(String... fields) {
        return Simulation.run(Points.of(fields), 1, ControlVariate.NONE);
    }

    @ParameterizedTest
    @CsvSource({
        "permutation, true, 8, 2, 3, '3,4,5,6,7,0,1'",
        "uniform, false, 4, 1, 3, '3,0,2'",
        "uniform, true, 4, 1, 3, '3,0,1,2'"
    })
    void members_followThePatternsHostAndPassOverTheSource(
            String pattern, String self, int flows, int source, int first, String expected) {
        String hosts = "traffic.flows=" + flows;
        Scenario scenario = pattern.equals("uniform")
                ? Points.of("traffic.pattern=uniform", hosts, "traffic.self=" + self)
                : Points.of("traffic.pattern=permutation", hosts);
        int[] members = IntStream.of(new int[expected.split(",").length]).toArray();
        for (int k = 0; k < members.length; k++) {
            members[k] = scenario.traffic().member(source, first, k);
        }
        assertThat(members)
                .containsExactly(java.util.Arrays.stream(expected.split(","))
                        .mapToInt(Integer::parseInt)
                        .toArray());
    }

    @Test
    void oneSwitch_copiesEachFrameToEachHost_andItsNicSendsItOnce() {
        RunResult result = run(
                "traffic.pattern=permutation",
                "traffic.flows=8",
                "traffic.multicast=3",
                "traffic.arrivals=once",
                "switch.buffer_capacity_bytes=1 GiB");
        assertThat(result.totals().offeredFrames()).isEqualTo(8 * 49 * 3);
        assertThat(result.totals().deliveredFrames()).isEqualTo(8 * 49 * 3);
        assertThat(result.totals().deliveredBytes()).isEqualTo(8 * 3 * (65536 + 49 * 62));
        assertThat(result.switchCounters().packetsForwarded()).isEqualTo(8 * 49 * 3);
        assertThat(result.totals().deliveredMessages()).isEqualTo(8);
        // Egress and ingress alike carry three times what a NIC sends: iSLIP needs three ticks a frame, not more.
        assertThat(result.messageLatency().maxPs())
                .isBetween(230_000 + 3 * 49 * 3515.0, 230_000 + 3 * 49 * 3515.0 + 12 * 3515);
    }

    /** Hosts of the other leaf get theirs over one link: the copies are made behind it. */
    @ParameterizedTest
    @ValueSource(strings = {"ecmp", "spray", "adaptive"})
    void fabric_copiesWhereWaysPart(String routing) {
        Scenario scenario = Points.of(
                "topology.kind=leaf-spine",
                "topology.leaves=2",
                "topology.spines=2",
                "routing.kind=" + routing,
                "traffic.pattern=permutation",
                "traffic.flows=8",
                "traffic.multicast=4",
                "traffic.arrivals=once",
                "switch.buffer_capacity_bytes=1 GiB");
        Fabric fabric =
                new Fabric(scenario, 1, ControlVariate.NONE, Cabling.of(Topology.of(scenario)), new RunRecorder());
        RunResult result = fabric.toEnd(() -> false);
        assertThat(result.totals().deliveredFrames()).isEqualTo(8 * 49 * 4);
        long perFrame = 0;
        for (int source = 0; source < 8; source++) {
            int leaf = source / 4;
            long near = 0;
            for (int k = 1; k <= 4; k++) {
                near += (source + k) % 8 / 4 == leaf ? 1 : 0;
            }
            long far = 4 - near;
            perFrame += near + (far > 0 ? 2 : 0) + far;
        }
        if (!routing.equals("adaptive")) { // which looks at the queues for each host by itself
            assertThat(result.switchCounters().packetsForwarded()).isEqualTo(49 * perFrame);
        }
    }

    @Test
    void load_countsCopies() {
        RunResult result = run(
                "traffic.pattern=uniform",
                "traffic.flows=8",
                "traffic.multicast=4",
                "traffic.message=1344 B",
                "traffic.load=0.6",
                "measure.messages=40000",
                "switch.buffer_capacity_bytes=1 GiB");
        double utilisation = (double) result.bottleneckBusyPs() / result.measuredPs();
        // Frames for one egress within the run: 40000 x 4 / 8 = 20000, Poisson.
        assertThat(utilisation).isEqualTo(0.6, within(3 * 1.96 * 0.6 / Math.sqrt(20000)));
        assertThat(result.stable()).isTrue();
    }

    /** Copies of one frame have separate fates; each run checks that frames and bytes balance. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void lostCopies_loseTheirMessage_andBalance(long seed) {
        Scenario scenario = Points.of(
                "topology.kind=" + (seed % 2 == 0 ? "fat-tree" : "single-switch"),
                "traffic.pattern=uniform",
                "traffic.flows=16",
                "traffic.multicast=" + (1 + seed),
                "traffic.arrivals=on-off",
                "traffic.message=5000 B",
                "traffic.load=0.9",
                "measure.messages=1000",
                "switch.buffer_capacity_bytes=30000 B");
        RunResult result = Simulation.run(scenario, seed, ControlVariate.NONE);
        assertThat(result.totals().droppedFrames()).isPositive();
        assertThat(result.totals().lostMessages()).isPositive();
        assertThat(result.totals().measuredMessages()).isEqualTo(1000);
        assertThat(Simulation.run(scenario, seed, ControlVariate.NONE)).isEqualTo(result);
    }

    @Test
    void whatIsNotModelled_isRefused() {
        assertThatThrownBy(() -> Points.of("traffic.pattern=permutation", "traffic.flows=4", "traffic.multicast=4"))
                .hasMessageContaining("traffic.multicast (4) must not exceed the 3 hosts");
        assertThatThrownBy(() ->
                        Points.of("traffic.pattern=uniform", "traffic.multicast=2", "transport.recovery=selective"))
                .hasMessageContaining("traffic.multicast needs");
        assertThatThrownBy(() -> Points.of("traffic.multicast=2")).hasMessageContaining("does not apply");
    }
}
