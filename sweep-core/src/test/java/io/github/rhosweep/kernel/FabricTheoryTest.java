package io.github.rhosweep.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.github.rhosweep.math.JainIndex;
import io.github.rhosweep.math.Moments;
import io.github.rhosweep.result.RunRecorder;
import io.github.rhosweep.result.RunResult;
import io.github.rhosweep.scenario.Collectives;
import io.github.rhosweep.scenario.Scenario;
import io.github.rhosweep.scenario.Schedule;
import io.github.rhosweep.topology.Topology;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Flow control, recovery, responses and DCQCN against closed forms. */
class FabricTheoryTest {
    private static RunResult run(String... fields) {
        return Simulation.run(Points.of(fields), 1, ControlVariate.NONE);
    }

    /** 1 MB in frames of 1344 B: its wire bytes. */
    private static final double MEGABYTE_ON_THE_WIRE = 1_000_000 + 745 * 62;

    @ParameterizedTest
    @CsvSource({"8, pfc", "32, pfc", "128, pfc", "8, credit", "32, credit", "128, credit"})
    void losslessIncast_takesAlphaPlusNMOverBeta(int flows, String flowControl) {
        RunResult result = run(
                "traffic.flows=" + flows,
                "traffic.arrivals=once",
                "traffic.message=1 MB",
                "flow_control.kind=" + flowControl,
                "switch.buffer_capacity_bytes=64 MiB");
        double expected = 230_000 + flows * MEGABYTE_ON_THE_WIRE / 0.4;
        assertThat(result.messageLatency().maxPs()).isEqualTo(expected, within(0.02 * expected));
        assertThat(result.totals().droppedFrames()).isZero();
        if (flows == 128) {
            assertThat(result.transport().stoppedPs())
                    .as("the buffer alone does not hold it")
                    .isPositive();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"static", "dynamic"})
    void pfc_dropsNothing256To1(String threshold) {
        RunResult result = run(
                "traffic.flows=256",
                "traffic.arrivals=once",
                "traffic.message=256 KiB",
                "flow_control.kind=pfc",
                "pfc.threshold=" + threshold,
                "switch.port_bandwidth_gb_per_s=50",
                // 10 m of cable.
                "link.latency=50 ns");
        assertThat(result.totals().droppedFrames()).isZero();
        assertThat(result.totals().deliveredMessages()).isEqualTo(256);
        assertThat(result.transport().pausesSent()).isPositive();
    }

    @Test
    void headroomTooSmall_failsTheRun() {
        assertThatThrownBy(() -> run(
                        "traffic.flows=8",
                        "traffic.arrivals=once",
                        "traffic.message=1 MB",
                        "flow_control.kind=pfc",
                        "pfc.headroom=0 B",
                        "pfc.xoff_fraction=1",
                        "switch.buffer_capacity_bytes=256 KiB"))
                .isInstanceOfSatisfying(
                        RunFailedException.class,
                        e -> assertThat(e.reason()).isEqualTo(RunFailedException.Reason.DROP_UNDER_FLOW_CONTROL));
    }

    @Test
    void headroomBeyondThePool_isRefusedWithTheArithmetic() {
        assertThatThrownBy(() -> Points.of(
                        "traffic.flows=999",
                        "flow_control.kind=pfc",
                        "switch.port_bandwidth_gb_per_s=50",
                        "switch.forwarding_latency_ns=0",
                        "link.latency=1 us"))
                .hasMessageContaining("switch.port_count (1000) x pfc.headroom (102876 B) = 102876000 B");
    }

    /**
     * Three switches in a ring with two hosts each, all two switches away from their destination, the same way round. Transit gets a
     * third of each link and is two thirds of what arrives on the one before: its buffers fill, and wait for each other.
     */
    @ParameterizedTest
    @ValueSource(strings = {"pfc", "credit"})
    void circularRoutes_deadlock(String flowControl) {
        Fabric fabric = circularRoutes("flow_control.kind=" + flowControl);
        assertThatThrownBy(() -> fabric.toEnd(() -> false))
                .isInstanceOfSatisfying(
                        RunFailedException.class,
                        e -> assertThat(e.reason()).isEqualTo(RunFailedException.Reason.DEADLOCK));
    }

    @Test
    void watchdog_breaksTheCircle_andDrops() {
        RunResult result =
                circularRoutes("flow_control.kind=pfc", "pfc.watchdog=20 us").toEnd(() -> false);
        assertThat(result.totals().droppedFrames()).isPositive();
        assertThat(result.totals().measuredMessages()).isEqualTo(2000);
    }

    private static Fabric circularRoutes(String... more) {
        List<String> fields = new ArrayList<>(List.of(
                "traffic.pattern=permutation",
                "traffic.flows=6",
                "traffic.load=0.9",
                "switch.buffer_capacity_bytes=1 MiB",
                "measure.messages=2000",
                "limits.events=10000000"));
        fields.addAll(List.of(more));
        Scenario scenario = Points.of(fields.toArray(new String[0]));
        BigDecimal bandwidth = BigDecimal.valueOf(400);
        // Ports 0 and 1: hosts s and s + 3, port 2: the next switch, port 3: the one before, which all routes take.
        Cabling ring = new Cabling(6, new int[] {4, 4, 4}, bandwidth, bandwidth, (sw, destination, ports) -> {
            ports[0] = destination % 3 == sw ? destination / 3 : 3;
            return 1;
        });
        for (int s = 0; s < 3; s++) {
            ring.cable(s, ring.end(s, 0), 100_000)
                    .cable(s + 3, ring.end(s, 1), 100_000)
                    .cable(ring.end(s, 2), ring.end((s + 1) % 3, 3), 100_000);
        }
        return new Fabric(scenario, 1, ControlVariate.NONE, ring, new RunRecorder());
    }

    @ParameterizedTest
    @CsvSource({"separate, 1, 1", "voq, 1, 0.5", "voq, 4, 0.8", "voq, 16, 0.941"})
    void responsesThroughVoqs_takeTicksFromARing(String channel, int ackEvery, double share) {
        RunResult result = run(
                "traffic.pattern=permutation",
                "traffic.arrivals=once",
                "traffic.message=8 MiB",
                "transport.credits=256 KiB",
                "transport.ack_every=" + ackEvery,
                "transport.response_channel=" + channel);
        double alone = 6242 * 3515.0;
        assertThat(alone / result.messageLatency().maxPs()).isEqualTo(share, within(0.03));
        assertThat(result.totals().droppedFrames()).isZero();
    }

    /** 2(p-1) steps, each the time of a lone piece; in VOQs answers take every other tick. */
    @ParameterizedTest
    @CsvSource({"none, separate, 1", "256 KiB, separate, 1", "256 KiB, voq, 2"})
    void ringAllReduce_takesItsSteps(String window, String channel, double factor) {
        List<String> fields = new ArrayList<>(
                List.of("traffic.pattern=permutation", "traffic.arrivals=once", "transport.credits=" + window));
        if (!window.equals("none")) {
            fields.add("transport.response_channel=" + channel);
        }
        Scenario scenario = Points.of(fields.toArray(new String[0]));
        Schedule.Builder ring = new Schedule.Builder();
        Collectives.ring(ring, Collectives.Ring.ALL_REDUCE, 8, 8_000_000, 1, Schedule.FOREGROUND);
        Fabric fabric = new Fabric(
                scenario, 1, ControlVariate.NONE, Cabling.of(Topology.of(scenario)), new RunRecorder(), ring.build());
        RunResult result = fabric.toEnd(() -> false);
        double step = 230_000 + factor * MEGABYTE_ON_THE_WIRE / 0.4;
        assertThat(result.totals().deliveredMessages()).isEqualTo(8 * 14);
        assertThat((double) fabric.progress().foregroundDonePs()).isEqualTo(14 * step, within(0.05 * 14 * step));
        if (factor == 1) {
            assertThat((double) fabric.progress().foregroundDonePs()).isEqualTo(14 * step, within(0.03 * 14 * step));
        }
    }

    /** Balls into bins, exact: the mean of the fullest of n links that n flows are hashed onto. */
    @ParameterizedTest
    @CsvSource({"8, 2.5972", "16, 3.0782", "32, 3.5329"})
    void ecmp_loadsTheFullestLinkAsBallsDoBins_andSprayingDoesNot(int flows, double expected) {
        List<Double> fullest = new ArrayList<>();
        for (int seed = 0; seed < 300; seed++) {
            fullest.add(fullestLink(across(flows, "ecmp", seed, flows), flows, flows));
        }
        double mean = fullest.stream().mapToDouble(x -> x).average().orElseThrow();
        double variance =
                fullest.stream().mapToDouble(x -> (x - mean) * (x - mean)).sum() / (fullest.size() - 1);
        assertThat(mean).isEqualTo(expected, within(3 * 1.96 * Math.sqrt(variance / fullest.size())));
        // As many frames a flow as there are links: each link carries one of each flow.
        assertThat(fullestLink(across(flows, "spray", 1, flows), flows, flows)).isEqualTo(1);
    }

    @Test
    void fullestLink_setsTheTimeOfTheSlowestFlow() {
        for (int seed = 0; seed < 8; seed++) {
            Fabric fabric = across(16, "ecmp", seed, 200);
            double alpha = 4 * 100_000 + 3 * 30_000 + 3 * 3515;
            double slowest = (fabric.progress().foregroundDonePs() - alpha) / (200 * 3515.0);
            assertThat(slowest).as("seed %d", seed).isEqualTo(fullestLink(fabric, 16, 200), within(0.02));
        }
    }

    /** n flows of so many frames from one leaf to another over n spines. */
    private static Fabric across(int flows, String routing, long seed, int frames) {
        Scenario scenario = Points.of(
                "topology.kind=leaf-spine",
                "topology.leaves=2",
                "topology.hosts=" + 2 * flows,
                "topology.spines=" + flows,
                "routing.kind=" + routing,
                "switch.buffer_capacity_bytes=1 GiB",
                "traffic.flows=" + 2 * flows,
                "traffic.pattern=permutation",
                "traffic.arrivals=once");
        Schedule.Builder across = new Schedule.Builder();
        for (int host = 0; host < flows; host++) {
            across.add(host, flows + host, frames * 1344L, 0, 0);
        }
        Fabric fabric = new Fabric(
                scenario,
                seed,
                ControlVariate.NONE,
                Cabling.of(Topology.of(scenario)),
                new RunRecorder(),
                across.build());
        fabric.toEnd(() -> false);
        return fabric;
    }

    /** What the fullest link from the first leaf to a spine has carried, in flows. */
    private static double fullestLink(Fabric fabric, int flows, int frames) {
        long[] busy = fabric.switches[0].busyPsOfEgress();
        return Arrays.stream(busy, flows, 2 * flows).max().orElseThrow() / (frames * 3515.0);
    }

    @Test
    void window_limitsTheRateToWindowOverRoundTrip() {
        RunResult result =
                run("traffic.flows=1", "traffic.arrivals=once", "traffic.message=8 MiB", "transport.credits=14060 B");
        // Frame: NIC, link, forwarding, port, link; answer of 54 B the same way back.
        double roundTripNs = 2 * 3.515 + 230 + 2 * 0.135 + 230;
        assertThat(result.totals().offeredBytes() / (result.messageLatency().maxPs() / 1000))
                .isEqualTo(14060 / roundTripNs, within(0.01 * 14060 / roundTripNs));
    }

    @ParameterizedTest
    @ValueSource(strings = {"go-back-n", "selective", "rto"})
    void recovery_deliversEverything_andTimeoutsCollapseIncast(String recovery) {
        RunResult result = run(
                "traffic.flows=64",
                "traffic.arrivals=once",
                "traffic.message=256 KiB",
                "transport.recovery=" + recovery,
                "switch.buffer_capacity_bytes=2 MiB");
        assertThat(result.totals().droppedFrames()).isPositive();
        assertThat(result.totals().deliveredMessages()).isEqualTo(64);
        double ideal = 64 * (262_144 + 196 * 62) / 0.4;
        double share = ideal / result.messageLatency().maxPs();
        if (recovery.equals("rto")) {
            assertThat(share).as("200 ms for what takes 44 us").isLessThan(0.01);
        } else {
            assertThat(share).isGreaterThan(0.005);
        }
        assertThat(result.totals().retransmittedFrames())
                .isGreaterThanOrEqualTo(result.totals().droppedFrames());
    }

    /** 40 Gb/s, the paper's constants, frames of 1000 B, 4 us of feedback: what domain texts compute fixed points for. */
    private static Scenario dcqcn(String... more) {
        List<String> fields = new ArrayList<>(List.of(
                "transport.sender=dcqcn",
                "dcqcn.preset=paper-40g",
                "switch.port_bandwidth_gb_per_s=5",
                "link.latency=1 us",
                "traffic.frame_payload_bytes=938",
                "switch.frame_size_bytes=1000",
                "switch.buffer_capacity_bytes=1 GiB",
                "switch.alpha=8",
                // 5 KB and 200 KB.
                "switch.ecn_kmin=0.0000046566",
                "switch.ecn_kmax=0.000186265",
                "switch.ecn_pmax=0.01"));
        fields.addAll(List.of(more));
        return Points.of(fields.toArray(new String[0]));
    }

    /** What the long-lived flows of one run do once it has settled: what was sampled at offers, and what left in between. */
    private static final class Settled implements ControlVariate {
        private static final long FROM_PS = 120_000_000_000L;

        Fabric fabric;
        private double queued;
        private long samples;
        private long fromPs;
        private long untilPs;
        private long[] framesBefore = {};
        private long[] frames = {};
        private long busyBefore;
        private long busy;

        @Override
        public long observePs(long offerTimePs, int destination, long count) {
            if (offerTimePs < FROM_PS) {
                return 0;
            }
            Switch here = fabric.switches[0];
            if (samples++ == 0) {
                fromPs = offerTimePs;
                framesBefore = here.forwardedFramesOfIngress();
                busyBefore = here.busyPsOfEgress()[destination];
            }
            queued += here.queuedBytes();
            untilPs = offerTimePs;
            frames = here.forwardedFramesOfIngress();
            busy = here.busyPsOfEgress()[destination];
            return 0;
        }

        @Override
        public double meanPs() {
            return Double.NaN;
        }

        double meanQueue() {
            return queued / samples;
        }

        double utilisation() {
            return (double) (busy - busyBefore) / (untilPs - fromPs);
        }

        double jain(int flows) {
            long[] sent = new long[flows];
            Arrays.setAll(sent, flow -> frames[flow] - framesBefore[flow]);
            return JainIndex.of(sent);
        }
    }

    /**
     * Zhu et al., CoNEXT 2016, fixed point of the fluid model. Sources offer more than the port carries, so that flows never pause. The
     * queue swings about its fixed point; the mean over runs is held to it, the spread of that mean being a few hundredths.
     */
    @ParameterizedTest
    @CsvSource({"2, 20151", "8, 93766"})
    @Tag("integration")
    void dcqcn_settlesAtTheFluidFixedPoint(int flows, double queue) {
        Moments queues = new Moments();
        for (int seed = 1; seed <= 4; seed++) {
            Scenario scenario = dcqcn(
                    "traffic.flows=" + flows,
                    "traffic.arrivals=periodic",
                    "traffic.load=1.2",
                    "traffic.message=93800 B",
                    "measure.kind=finite",
                    "measure.messages=20000");
            Settled settled = new Settled();
            settled.fabric = new Fabric(scenario, seed, settled, Cabling.of(Topology.of(scenario)), new RunRecorder());
            RunResult result = settled.fabric.toEnd(() -> false);
            queues.record(Math.round(settled.meanQueue()));
            assertThat(settled.utilisation()).as("seed %d", seed).isGreaterThanOrEqualTo(0.98);
            assertThat(settled.jain(flows)).as("seed %d", seed).isGreaterThanOrEqualTo(0.99);
            assertThat(result.totals().droppedFrames()).isZero();
        }
        // Student's t for 3 degrees of freedom.
        double halfWidth = 3.18 * queues.std() / Math.sqrt(queues.count());
        assertThat(halfWidth).as("decides").isLessThan(0.1 * queue);
        assertThat(queues.mean()).isEqualTo(queue, within(0.25 * queue));
    }

    /** C [(N-1) t0 + (N-1-log2 N) cnp_interval] with t0 the time of the first cut. */
    @ParameterizedTest
    @ValueSource(ints = {4, 8, 16, 32})
    void dcqcn_onsetOvershoot(int flows) {
        Scenario scenario = dcqcn("traffic.flows=" + flows, "traffic.arrivals=once", "traffic.message=1 MB");
        Fabric fabric =
                new Fabric(scenario, 1, ControlVariate.NONE, Cabling.of(Topology.of(scenario)), new RunRecorder());
        RunResult result = fabric.toEnd(() -> false);
        double t0 = fabric.firstCutPs() / 1000.0;
        double expected = 5 * ((flows - 1) * t0 + (flows - 1 - Math.log(flows) / Math.log(2)) * 50_000);
        assertThat((double) result.switchCounters().bufferPeakBytes()).isEqualTo(expected, within(0.2 * expected));
    }

    @Test
    void dcqcn_cutsByTheFormula() {
        Dcqcn rates = new Dcqcn(dcqcn().transport().dcqcn(), 5);
        rates.add(0);
        assertThat(rates.rate(0)).isEqualTo(5);
        rates.notified(0, 1_000_000_000);
        assertThat(rates.rate(0)).as("alpha 1 halves").isEqualTo(2.5);
        // Ten alpha timers of 55 us.
        assertThat(rates.alpha(0, 1_000_000_000L + 550_000_000L)).isEqualTo(0.961617, within(1e-6));
        rates.catchUp(0, 1_000_000_000L + 5 * 55_000_000L);
        assertThat(rates.rate(0)).as("five halvings of the distance").isEqualTo(5 - 2.5 / 32);
    }

    @Test
    void dcqcn_recoversAfterAnIncast_andIsNeverLimitedWithoutOne() {
        RunResult alone = Simulation.run(
                dcqcn("traffic.flows=1", "traffic.load=0.8", "measure.messages=500"), 1, ControlVariate.NONE);
        assertThat(alone.transport().cnpsSent()).isZero();
        assertThat(alone.transport().rateLimitedPs()).isZero();

        // Bursts 100 ms apart: each begins at the line rate that the one before lost.
        Scenario bursts = dcqcn(
                "traffic.flows=8",
                "traffic.arrivals=synchronized",
                "traffic.message=1 MB",
                "traffic.load=0.0163",
                "measure.messages=16");
        Fabric fabric = new Fabric(bursts, 1, ControlVariate.NONE, Cabling.of(Topology.of(bursts)), new RunRecorder());
        RunResult result = fabric.toEnd(() -> false);
        assertThat(result.transport().cnpsReceived()).isPositive();
        assertThat(result.transport().rateLimitedPs()).isPositive();
        for (int flow = 0; flow < 8; flow++) {
            fabric.dcqcn().catchUp(flow, result.totals().endPs() + 200_000_000_000L);
            assertThat(fabric.dcqcn().rate(flow)).isEqualTo(5);
        }
    }
}
