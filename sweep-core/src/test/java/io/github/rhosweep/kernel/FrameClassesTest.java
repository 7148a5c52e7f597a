package io.github.rhosweep.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.github.rhosweep.result.Estimate;
import io.github.rhosweep.result.RunRecorder;
import io.github.rhosweep.result.RunResult;
import io.github.rhosweep.scenario.Scenario;
import io.github.rhosweep.scenario.Schedule;
import io.github.rhosweep.scenario.SwitchSpec;
import io.github.rhosweep.topology.Topology;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Classes of frames: their order, their shares of an egress, and pauses of one of them. */
class FrameClassesTest {
    private static final int CONTROL = 3;
    private static final int REQ = 2;
    private static final int RSP = 1;
    private static final int REST = 0;

    private final PacketPool pool = new PacketPool(64);

    private static SwitchSpec spec(String... fields) {
        List<String> all = new ArrayList<>(
                List.of("switch.priority_classes=pcp4", "switch.port_count=8", "switch.buffer_capacity_bytes=1 GiB"));
        all.addAll(List.of(fields));
        return Points.of(all.toArray(new String[0])).switchSpec();
    }

    private void offer(Switch sw, int ingress, int classOfFrames, int wire, long now) {
        int packet = pool.take(wire, classOfFrames == CONTROL ? 0 : wire - 62);
        pool.priority[packet] = (byte) classOfFrames;
        assertThat(sw.forward(ingress, 7, wire, packet, now)).isTrue();
    }

    private List<Integer> serve(Switch sw, int ticks) {
        List<Integer> classes = new ArrayList<>();
        for (int k = 0; k < ticks; k++) {
            for (int served = sw.tick(sw.nextTickPs()), n = 0; n < served; n++) {
                classes.add((int) pool.priority[sw.servedPacket(n)]);
            }
        }
        return classes;
    }

    @Test
    void strict_servesAcksThenRequestsThenResponsesThenTheRest_whereverTheyCameIn() {
        Switch sw = new Switch(spec("switch.priority_mode=strict", "traffic.flows=7"), 1, pool);
        int ingress = 0;
        for (int c : new int[] {REST, RSP, CONTROL, REQ, REST, REQ, RSP}) {
            offer(sw, ingress++, c, 1406, 0);
        }
        assertThat(serve(sw, 7)).containsExactly(CONTROL, REQ, REQ, RSP, RSP, REST, REST);
    }

    @Test
    void flat_servesAPairInTheOrderOfArrival_onATieTheHigherClassFirst() {
        Switch sw = new Switch(spec("traffic.flows=7"), 1, pool);
        offer(sw, 0, REST, 1406, 0);
        offer(sw, 0, RSP, 1406, 1);
        offer(sw, 0, REQ, 1406, 1);
        offer(sw, 0, CONTROL, 54, 2);
        assertThat(serve(sw, 4)).containsExactly(REST, REQ, RSP, CONTROL);
    }

    /** Every class backlogged, each in one ingress alone or all in each: bytes leave in the ratio of the quanta. */
    @ParameterizedTest
    @CsvSource({"true, 1406", "false, 1406", "true, 500", "false, 500"})
    void dwrr_sharesAnEgressByQuanta(boolean apart, int wire) {
        long[] quanta = {1406, 2 * 1406, 3 * 1406, 1406};
        Switch sw = new Switch(
                spec(
                        "traffic.flows=7",
                        "switch.egress_scheduler=dwrr",
                        "switch.quantum_rest=" + quanta[REST] + " B",
                        "switch.quantum_rsp=" + quanta[RSP] + " B",
                        "switch.quantum_req=" + quanta[REQ] + " B",
                        "switch.quantum_control=" + quanta[CONTROL] + " B"),
                1,
                pool);
        int rounds = 200;
        for (int n = 0; n < rounds * 12; n++) {
            for (int c = 0; c < 4; c++) {
                offer(sw, apart ? c : n % 7, c, wire, 0);
            }
        }
        long total = Arrays.stream(quanta).sum();
        int ticks = (int) (rounds * total / wire);
        long[] sent = new long[4];
        serve(sw, ticks).forEach(c -> sent[c] += wire);
        for (int c = 0; c < 4; c++) {
            // Off by the part of a turn that is under way, and by what a last frame may take beyond its turn.
            assertThat((double) sent[c])
                    .as("class %d", c)
                    .isEqualTo((double) ticks * wire * quanta[c] / total, within((double) quanta[c] + 2 * wire));
        }
        sw.checkBalance(sw.nextTickPs());
    }

    @Test
    void dwrr_leavesNoTickIdleAndLetsOneClassHaveItAll() {
        Switch sw = new Switch(spec("traffic.flows=7", "switch.egress_scheduler=dwrr"), 1, pool);
        for (int n = 0; n < 50; n++) {
            offer(sw, 2, RSP, 1406, 0);
        }
        assertThat(serve(sw, 50)).hasSize(50).containsOnly(RSP);
        assertThat(sw.hasPending()).isFalse();
    }

    @Test
    void dwrr_withTwoClasses_sharesBetweenDataAndControl() {
        SwitchSpec two = Points.of(
                        "switch.egress_scheduler=dwrr",
                        "switch.quantum_req=4218 B",
                        "switch.quantum_control=1406 B",
                        "switch.buffer_capacity_bytes=1 GiB")
                .switchSpec();
        assertThat(two.quanta()).containsExactly(4218L, 1406L);
        Switch sw = new Switch(two, 1, pool);
        for (int n = 0; n < 400; n++) {
            sw.forward(n % 2, 8, 1406, pool.take(1406, 1344), 0);
            sw.forward(n % 2, 8, 1406, pool.take(1406, 0), 0);
        }
        int control = 0;
        for (int k = 0; k < 400; k++) {
            sw.tick(sw.nextTickPs());
            control += pool.payloadBytes[sw.servedPacket(0)] == 0 ? 1 : 0;
        }
        assertThat(control).isBetween(99, 101);
    }

    /** Whichever class goes first, an egress that never idles works off the same frames: Kleinrock 1965. */
    @Test
    void classesOfEqualFrames_leaveTheMeanWaitAsItIs_andSpreadIt() {
        String[] fields = {
            "traffic.load=0.8",
            "traffic.message=1344 B",
            "measure.messages=300000",
            "switch.priority_classes=pcp4",
            "traffic.rsp_share=0.3",
            "traffic.rest_share=0.4",
            ""
        };
        fields[6] = "switch.priority_mode=flat";
        Estimate flat =
                Simulation.run(Points.of(fields), 1, ControlVariate.NONE).voqWait();
        fields[6] = "switch.priority_mode=strict";
        Estimate strict =
                Simulation.run(Points.of(fields), 1, ControlVariate.NONE).voqWait();
        fields[6] = "switch.egress_scheduler=dwrr";
        Estimate dwrr =
                Simulation.run(Points.of(fields), 1, ControlVariate.NONE).voqWait();
        // The same arrivals, so that the means differ by rounding at the ends of the run alone.
        assertThat(strict.meanPs()).isEqualTo(flat.meanPs(), within(0.01 * flat.meanPs()));
        assertThat(dwrr.meanPs()).isEqualTo(flat.meanPs(), within(0.01 * flat.meanPs()));
        assertThat(strict.stdPs()).isGreaterThan(1.3 * flat.stdPs());
        assertThat(strict.p50Ps()).isLessThan(flat.p50Ps());
    }

    /** Host 0 sends to a quiet port what shares its NIC with background for a port that four hosts crowd. */
    @ParameterizedTest
    @CsvSource({"per-priority, 0.75", "per-port, 0.25"})
    void pauseOfOneClass_doesNotStopAnother_butThatOfAPortDoes(String pause, double share) {
        Scenario scenario = Points.of(
                "traffic.pattern=permutation",
                "traffic.flows=6",
                "traffic.arrivals=once",
                "switch.priority_classes=pcp4",
                "flow_control.kind=pfc",
                "pfc.pause=" + pause,
                "switch.buffer_capacity_bytes=8 MiB");
        Schedule.Builder crowd = new Schedule.Builder();
        crowd.add(0, 5, 8_000_000, 0, 0);
        for (int host = 0; host < 4; host++) {
            crowd.add(host, 4, 32_000_000, 0, 0, 1);
        }
        Fabric fabric = new Fabric(
                scenario, 1, ControlVariate.NONE, Cabling.of(Topology.of(scenario)), new RunRecorder(), crowd.build());
        RunResult result = fabric.toEnd(() -> false);
        double alone = 8_000_000.0 * 1406 / 1344 / 0.4;
        assertThat(alone / fabric.progress().foregroundDonePs()).isEqualTo(share, within(0.12 * share));
        assertThat(result.totals().droppedFrames()).isZero();
        assertThat(result.transport().pausesSent()).isPositive();
    }

    @Test
    void headrooms_areCountedForEachPausedClass() {
        assertThatThrownBy(() -> Points.of(
                        "switch.priority_classes=pcp4",
                        "flow_control.kind=pfc",
                        "traffic.flows=63",
                        "switch.buffer_capacity_bytes=16 MiB"))
                .hasMessageContaining("switch.port_count (64) x 3 classes x pfc.headroom");
    }

    @Test
    void whatContradictsItself_isRefused() {
        assertThatThrownBy(() -> Points.of("switch.egress_scheduler=dwrr", "switch.priority_mode=strict"))
                .hasMessageContaining("both say which class goes");
        assertThatThrownBy(() ->
                        Points.of("switch.priority_classes=pcp4", "traffic.rsp_share=0.7", "traffic.rest_share=0.4"))
                .hasMessageContaining("must not add up to more than 1");
        assertThatThrownBy(() -> Points.of("traffic.rsp_share=0.7")).hasMessageContaining("does not apply");
        assertThatThrownBy(() -> SwitchTest.spec("priority_classes=pcp4")).hasMessageContaining("a trace");
    }
}
