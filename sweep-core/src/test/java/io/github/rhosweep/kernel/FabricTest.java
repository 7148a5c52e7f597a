package io.github.rhosweep.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rhosweep.result.Metric;
import io.github.rhosweep.result.RunRecorder;
import io.github.rhosweep.result.RunResult;
import io.github.rhosweep.scenario.ClosedPattern;
import io.github.rhosweep.scenario.FlowControlSpec;
import io.github.rhosweep.scenario.InvalidValueException;
import io.github.rhosweep.scenario.Scenario;
import io.github.rhosweep.scenario.TransportSpec;
import io.github.rhosweep.topology.Topology;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The engine of fabrics against the one of a single switch, and over all that can be combined. */
class FabricTest {
    static RunResult run(Scenario scenario, long seed) {
        return new Fabric(scenario, seed, ControlVariate.NONE, Cabling.of(Topology.of(scenario)), new RunRecorder())
                .toEnd(() -> false);
    }

    static List<Long> seeds() {
        return new Random(21).longs(60).boxed().toList();
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void oneSwitchAndPlainSenders_giveTheSameRow(long seed) {
        Scenario scenario = SimulationTest.randomPoint(new Random(seed));
        RunResult one = run(scenario, seed);
        RunResult other = Simulation.run(scenario, seed, ControlVariate.NONE);
        for (Metric metric : Metric.values()) {
            if (metric != Metric.EVENTS) {
                assertThat(metric.of(one)).as("seed %d, %s", seed, metric).isEqualTo(metric.of(other));
            }
        }
    }

    static List<Long> manySeeds() {
        return new Random(22).longs(150).boxed().toList();
    }

    /** Each run checks its own balance and Little's law, and that it does not come to rest early; here over all settings. */
    @ParameterizedTest
    @MethodSource("manySeeds")
    void anyFabric_balancesAndRepeats(long seed) {
        Scenario scenario = randomFabric(new Random(seed));
        RunResult result = run(scenario, seed);
        long lost = result.totals().lostMessages();
        if (!(scenario.traffic().pattern() instanceof ClosedPattern)) {
            assertThat(result.totals().measuredMessages())
                    .as("seed %d", seed)
                    .isEqualTo(scenario.measure().messages());
        } else if (lost == 0) {
            assertThat(result.completionPs()).as("seed %d", seed).isPositive();
        }
        boolean lossless = scenario.flowControl().kind() != FlowControlSpec.Kind.LOSSY
                && scenario.flowControl().watchdogPs() == Long.MAX_VALUE;
        if (scenario.transport().recovery() != TransportSpec.Recovery.NONE || lossless) {
            assertThat(lost).as("seed %d", seed).isZero();
        }
        assertThat(run(scenario, seed)).as("seed %d, again", seed).isEqualTo(result);
    }

    /** Thousands of frames are under way, each with answers to come, and next to nothing is pending. */
    @Test
    void pendingEvents_areBoundedByServersAndFlows_howeverManyFramesThereAre() {
        Scenario scenario = Points.of(
                "traffic.flows=16",
                "traffic.arrivals=synchronized",
                "traffic.load=0.9",
                "traffic.message=1 MB",
                "transport.sender=dcqcn",
                "transport.recovery=selective",
                "link.latency=10 us",
                "measure.messages=64");
        int[] most = new int[2];
        Fabric[] fabric = new Fabric[1];
        ControlVariate watching = new ControlVariate() {
            @Override
            public long observePs(long offerTimePs, int destination, long frames) {
                most[0] = Math.max(most[0], fabric[0].pendingEvents());
                most[1] = Math.max(most[1], fabric[0].packetsInUse());
                return 0;
            }

            @Override
            public double meanPs() {
                return Double.NaN;
            }
        };
        fabric[0] = new Fabric(scenario, 1, watching, Cabling.of(Topology.of(scenario)), new RunRecorder());
        fabric[0].toEnd(() -> false);
        // Two links and a NIC, a source, timers and answers a host, the tick; a timer and an answer a flow.
        assertThat(most[0]).isPositive().isLessThan(6 * 17 + 2 + 2 * 16);
        assertThat(most[1]).isGreaterThan(1000);
        assertThatThrownBy(() -> Fabric.requireFewPending(11, 7, 3))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("11 events are pending, more than servers (7) + flows (3)");
    }

    /** Without a window go-back-n sends all of a burst again for each frame that a full switch drops (Guo et al. 2016, section 4.1). */
    @Test
    void repeatsThatKeepTheNetworkOverloaded_endAtTheLimit_andSaySo() {
        String[] fields = {
            "traffic.pattern=diagonal",
            "traffic.flows=4",
            "traffic.message=200 KB",
            "traffic.frame_payload_bytes=500",
            "traffic.load=0.9",
            "traffic.arrivals=batch",
            "measure.messages=357",
            "measure.kind=finite",
            "switch.port_bandwidth_gb_per_s=12.5",
            "switch.islip_iterations=1",
            "switch.priority_mode=strict",
            "switch.alpha=0.25",
            "switch.admission=active-queues",
            "transport.recovery=go-back-n",
            "transport.rto_min=5 ms",
            "limits.events=1000000"
        };
        assertThatThrownBy(() -> run(Points.of(fields), 7))
                .isInstanceOf(RunLimitException.class)
                .hasMessageContaining("more than limits.events (1000000) events; ")
                .hasMessageContaining(" frames were sent again, after ")
                .hasMessageContaining(". Maybe what is sent again keeps the network overloaded");
        String[] window = Arrays.copyOf(fields, fields.length + 1);
        window[fields.length] = "transport.credits=100 KB";
        RunResult ended = run(Points.of(window), 7);
        assertThat(ended.totals().measuredMessages()).isEqualTo(357);
        assertThat(ended.totals().lostMessages()).isZero();
    }

    /** Draws every setting that a run depends on; a draw that rules refuse is drawn anew. */
    private static Scenario randomFabric(Random random) {
        for (int attempt = 0; attempt < 1000; attempt++) {
            try {
                return Points.of(randomFields(random).toArray(new String[0]));
            } catch (InvalidValueException refused) {
                // Sizes that do not fit the topology, credits below a frame: there are many such rules.
            }
        }
        throw new AssertionError("rules refuse all draws");
    }

    static List<String> randomFields(Random random) {
        String pattern = pick(
                random,
                "incast",
                "incast",
                "uniform",
                "permutation",
                "diagonal",
                "hotspot",
                "all-to-all",
                "ring",
                "recursive-doubling",
                "pipeline",
                "mix");
        boolean collective =
                pattern.equals("all-to-all") || pattern.equals("ring") || pattern.equals("recursive-doubling");
        String arrivals = pick(
                random,
                "poisson",
                "periodic",
                "synchronized",
                "on-off",
                "once",
                "bernoulli",
                "hyperexponential",
                "erlang",
                "batch");
        String flowControl = pick(random, "lossy", "lossy", "pfc", "credit");
        boolean lossy = flowControl.equals("lossy");
        int flows = collective || pattern.equals("pipeline") || pattern.equals("mix")
                ? Integer.parseInt(pick(random, "2", "4", "8"))
                : 2 + random.nextInt(random.nextInt(10) == 0 ? 70 : 10);
        boolean pcp4 = random.nextInt(3) == 0;
        boolean dwrr = random.nextInt(4) == 0;
        String port = pick(random, "400", "12.5");
        List<String> fields = new ArrayList<>(List.of(
                "traffic.pattern=" + pattern,
                "traffic.flows=" + flows,
                "traffic.message=" + pick(random, "1 B", "1344 B", "5000 B", "64 KiB", "200 KB"),
                "traffic.frame_payload_bytes=" + pick(random, "1344", "1344", "1344", "500", "4096"),
                "switch.islip_iterations=" + pick(random, "1", "2"),
                "switch.priority_mode=" + (dwrr ? "flat" : pick(random, "flat", "strict")),
                "switch.pointer_init=" + pick(random, "zero", "random"),
                "switch.port_bandwidth_gb_per_s=" + port,
                "switch.ecn_scope=" + pick(random, "global", "egress"),
                "switch.ecn_kmin=" + pick(random, "0", "0.001", "0.5"),
                "switch.ecn_pmax=" + pick(random, "0.1", "1"),
                "switch.arbiter_ns_per_iteration=" + pick(random, "0", "2"),
                "switch.priority_classes=" + (pcp4 ? "pcp4" : "two"),
                "switch.egress_scheduler=" + (dwrr ? "dwrr" : "fifo"),
                "flow_control.kind=" + flowControl,
                "transport.qps_per_connection=" + pick(random, "1", "1", "3"),
                "link.latency=" + pick(random, "100 ns", "1 ns", "300 ns"),
                "limits.events=20000000"));
        if (pcp4) {
            fields.add("traffic.rsp_share=" + pick(random, "0", "0.3"));
            fields.add("traffic.rest_share=" + pick(random, "0", "0.3", "0.7"));
        }
        if (dwrr) {
            fields.add("switch.quantum_req=" + pick(random, "64 B", "1406 B", "9000 B"));
            fields.add("switch.quantum_control=" + pick(random, "64 B", "1406 B"));
            if (pcp4) {
                fields.add("switch.quantum_rsp=" + pick(random, "500 B", "1406 B"));
                fields.add("switch.quantum_rest=" + pick(random, "100 B", "3000 B"));
            }
        }
        boolean once = arrivals.equals("once");
        switch (pattern) {
            case "all-to-all" -> {
                fields.add("traffic.skew=" + pick(random, "none", "zipf"));
                fields.add("traffic.self=" + pick(random, "false", "true"));
            }
            case "ring" -> {
                fields.add("traffic.ring_operation=" + pick(random, "all-reduce", "all-gather", "reduce-scatter"));
                fields.add("traffic.chunks=" + pick(random, "1", "3"));
            }
            case "recursive-doubling" -> fields.add("traffic.chunks=" + pick(random, "1", "3"));
            case "pipeline" -> {
                fields.add("traffic.stages=" + pick(random, "2", "4"));
                if (once) {
                    fields.add("traffic.overlap=" + pick(random, "none", "ring", "all-to-all"));
                    fields.add("traffic.backward=" + pick(random, "false", "true"));
                    fields.add("traffic.micro_batches=" + pick(random, "1", "3"));
                }
            }
            case "mix" -> {
                fields.add("traffic.foreground=" + pick(random, "ring", "all-to-all", "recursive-doubling"));
                fields.add("traffic.background_permutation=" + pick(random, "0", "1"));
                fields.add("traffic.background_message=" + pick(random, "1344 B", "20000 B"));
            }
            case "uniform" -> fields.add("traffic.self=" + pick(random, "false", "true"));
            default -> {}
        }
        if (!collective) {
            fields.add("traffic.arrivals=" + arrivals);
        }
        if (!collective && !once) {
            fields.add("traffic.load=" + pick(random, "0.1", "0.5", "0.9"));
            if (!pattern.equals("mix")) {
                fields.add("measure.messages=" + (1 + random.nextInt(400)));
            }
        }
        if (lossy) {
            fields.add("switch.alpha=" + pick(random, "0.25", "2", "8"));
            fields.add("switch.buffer_capacity_bytes=" + pick(random, "5000", "64 KiB", "16 MiB"));
            fields.add("switch.buffer_scope=" + pick(random, "shared", "per-ingress", "per-egress"));
            fields.add("switch.egress_gate=" + pick(random, "overlap", "busy"));
            fields.add("switch.admission=" + pick(random, "simplified", "simplified", "active-queues", "reserved"));
        } else {
            fields.add("switch.buffer_capacity_bytes=" + pick(random, "12 MiB", "16 MiB", "64 MiB"));
            fields.add("switch.frame_size_bytes=" + pick(random, "1406", "auto"));
            if (flowControl.equals("pfc")) {
                fields.add("pfc.threshold=" + pick(random, "static", "dynamic"));
                fields.add("pfc.xoff_fraction=" + pick(random, "0.5", "1"));
                fields.add("pfc.xon_fraction=" + pick(random, "0", "0.4", "0.5"));
                fields.add("pfc.watchdog=" + pick(random, "none", "none", "5 us"));
                if (pcp4) {
                    fields.add("pfc.pause=" + pick(random, "per-priority", "per-port"));
                }
            } else {
                fields.add("flow_control.credit_bytes=" + pick(random, "1406", "5000", "100000"));
            }
        }
        String kind =
                pick(random, "single-switch", "single-switch", "leaf-spine", "fat-tree", "rail-optimized", "dragonfly");
        // A fat-tree of 4 has 16 hosts.
        if (flows <= 10) {
            fields.add("topology.kind=" + kind);
            if (!kind.equals("single-switch") && !kind.equals("dragonfly")) {
                fields.add("routing.kind=" + pick(random, "ecmp", "spray", "adaptive"));
            }
            if (kind.equals("leaf-spine")) {
                fields.add("topology.leaves=" + pick(random, "2", "4"));
                fields.add("topology.spines=" + pick(random, "1", "2"));
                fields.add("topology.spine_bandwidth=" + pick(random, "400 GB/s", "10 GB/s"));
            }
        }
        boolean dcqcn = random.nextBoolean();
        if (dcqcn) {
            fields.add("transport.sender=dcqcn");
            fields.add("dcqcn.preset=" + pick(random, "scaled", "hpcc", "vendor", "paper-40g"));
            fields.add("dcqcn.alpha_update=" + pick(random, "after", "before"));
        } else {
            fields.add("switch.frame_format=" + pick(random, "standard", "standard", "afh-gen1", "afh-gen2-16b"));
        }
        // Nothing recovers a message larger than what a VOQ may hold at once if its frames only ever come together.
        String link = dcqcn || !lossy ? pick(random, "400 GB/s", "50 GB/s") : pick(random, "unlimited", "50 GB/s");
        fields.add("link.bandwidth=" + link);
        boolean multicast =
                lossy && !dcqcn && (pattern.equals("uniform") || pattern.equals("permutation")) && random.nextBoolean();
        if (multicast) {
            fields.add("traffic.multicast=" + (1 + random.nextInt(flows)));
            return fields;
        }
        // Receivers that take frames in order only make storms of NAKs where ways overtake each other.
        String inOrder = fields.contains("routing.kind=spray") || fields.contains("routing.kind=adaptive")
                ? "selective"
                : "go-back-n";
        String recovery = link.equals("unlimited") || lossy && fields.contains("switch.buffer_capacity_bytes=5000")
                ? "none"
                : pick(random, "none", inOrder, "selective", "rto");
        fields.add("transport.recovery=" + recovery);
        if (!recovery.equals("none")) {
            // A sender that gives up while its frames still wait in a buffer sends them all again, and so do all
            // others: with
            // NICs faster than ports such a collapse is for good.
            boolean slow = port.equals("12.5");
            fields.add("transport.rto_min=" + (slow ? "5 ms" : pick(random, "50 us", "200 us")));
            if (slow) {
                fields.remove("link.bandwidth=" + link);
            }
            // Steady sources would go on for as long as the last measured messages are held up.
            fields.add("measure.kind=finite");
        }
        boolean credits = random.nextInt(3) == 0;
        // Answers go before data: where credits let a NIC send no more than it receives, it would only ever answer.
        String every = flowControl.equals("credit") ? "4" : pick(random, "1", "1", "4");
        if (credits) {
            fields.add("transport.credits=" + pick(random, "6000 B", "100 KB"));
        } else if (recovery.equals("none") && random.nextBoolean()) {
            fields.add("transport.acks=true");
        }
        boolean acks = credits || !recovery.equals("none") || fields.contains("transport.acks=true");
        if (acks) {
            fields.add("transport.ack_every=" + every);
        }
        if (acks || dcqcn) {
            fields.add("transport.response_channel=" + pick(random, "separate", "voq"));
        }
        return fields;
    }

    private static String pick(Random random, String... values) {
        return values[random.nextInt(values.length)];
    }
}
