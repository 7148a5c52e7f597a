package io.github.rhosweep.check;

import io.github.rhosweep.kernel.ControlVariate;
import io.github.rhosweep.kernel.Simulation;
import io.github.rhosweep.math.Moments;
import io.github.rhosweep.result.Estimate;
import io.github.rhosweep.result.RunResult;
import io.github.rhosweep.scenario.Params;
import io.github.rhosweep.scenario.Scenario;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Whole runs, hosts and links included, against closed forms: the ones that users see where there is one. */
final class NetworkChecks {
    private static final double SLOT = 3515;
    private static final long SEED = 20_260_801;

    private NetworkChecks() {}

    private static Scenario scenario(String... settings) {
        return scenario(List.of(settings));
    }

    private static Scenario scenario(List<String> settings) {
        Map<String, String> texts = new TreeMap<>();
        for (String setting : settings) {
            String[] pathAndValue = setting.split("=", 2);
            texts.put(pathAndValue[0], pathAndValue[1]);
        }
        return Scenario.of(Params.parse(texts));
    }

    private static RunResult run(Scenario scenario) {
        return Simulation.run(scenario, SEED, ControlVariate.NONE);
    }

    private static double ns(@Nullable Double ps) {
        return ps == null ? Double.NaN : ps / 1000;
    }

    /** One message in an idle network. The constants are worked out by hand, not by the model. */
    static void idleLatency(Findings to) {
        Map<String, Double> single = new TreeMap<>(Map.of("1344 B", 237.030, "1 KiB", 235.430, "64 KiB", 404.950));
        single.forEach((message, expected) -> to.exactly(
                "one message of " + message + " through a switch",
                latency("traffic.message=" + message),
                expected,
                "ns"));
        to.exactly("one of 1 MiB", latency("traffic.message=1 MiB"), 2976.010, "ns");
        to.exactly("64 KiB over a cable", latency("topology.kind=direct"), 271.435, "ns");
        to.exactly("64 KiB from an unlimited NIC", latency("link.bandwidth=unlimited"), 401.435, "ns");
        // Four links, three switches, and the first frame three times before the bottleneck.
        to.exactly(
                "64 KiB over leaf, spine and leaf",
                latency("topology.kind=leaf-spine", "topology.leaves=2", "topology.hosts=2"),
                671.980,
                "ns");
    }

    private static double latency(String... settings) {
        List<String> all = new ArrayList<>(List.of("traffic.flows=1", "traffic.arrivals=once"));
        all.addAll(List.of(settings));
        return ns(run(scenario(all)).messageLatency().maxPs());
    }

    /** N aligned messages of b frames: mean wait b(N-1)/2 slots, the longest b(N-1). */
    static void alignedSenders(Findings to) {
        RunResult result = run(scenario("traffic.arrivals=once", "traffic.message=65856 B"));
        to.exactly(
                "mean wait of 8 aligned messages of 49 frames",
                ns(result.voqWait().meanPs()),
                49 * 3.5 * SLOT / 1000,
                "ns");
        to.exactly("their longest", ns(result.voqWait().maxPs()), 49 * 7 * SLOT / 1000, "ns");
    }

    private static double md1(double rho) {
        return rho / (2 * (1 - rho));
    }

    static void md1(Findings to) {
        for (double rho : new double[] {0.5, 0.8}) {
            to.mean(
                    "M/D/1, load " + rho,
                    wait(
                            "traffic.load=" + rho,
                            "traffic.message=1344 B",
                            "link.bandwidth=unlimited",
                            "measure.messages=600000"),
                    md1(rho) * SLOT);
        }
    }

    private static Estimate wait(String... settings) {
        return run(scenario(settings)).voqWait();
    }

    static void concentrator(Findings to) {
        for (int flows : new int[] {2, 8}) {
            to.mean(
                    "M/D/1 behind " + flows + " links of port speed, load 0.8",
                    wait(
                            "traffic.load=0.8",
                            "traffic.flows=" + flows,
                            "traffic.message=1344 B",
                            "measure.messages=600000"),
                    (md1(0.8) - md1(0.8 / flows)) * SLOT);
        }
    }

    static void batch(Findings to) {
        to.mean(
                "M[4]/D/1, load 0.8",
                wait(
                        "traffic.load=0.8",
                        "traffic.message=" + 4 * 1344 + " B",
                        "link.bandwidth=unlimited",
                        "measure.messages=300000"),
                9.5 * SLOT);
    }

    /** Periodic sources: each replicate has one set of phases, so that the interval is one across replicates. */
    static void nddd1(Findings to) {
        for (Map.Entry<Integer, Double> flowsAndWait :
                new TreeMap<>(Map.of(4, 0.444, 8, 0.722372, 16, 1.01516562264)).entrySet()) {
            int flows = flowsAndWait.getKey();
            Scenario scenario = scenario(
                    "traffic.load=0.8",
                    "traffic.flows=" + flows,
                    "traffic.message=1344 B",
                    "traffic.arrivals=periodic",
                    "link.bandwidth=unlimited",
                    "measure.warmup=1 us",
                    "measure.messages=" + 60 * flows);
            Simulation simulation = new Simulation();
            Moments waits = new Moments();
            for (int replicate = 0; replicate < 600; replicate++) {
                Estimate wait = simulation
                        .run(scenario, replicate, ControlVariate.NONE, () -> false)
                        .voqWait();
                waits.record(Math.round(Objects.requireNonNull(wait.meanPs())));
            }
            to.mean(
                    flows + "*D/D/1, load 0.8",
                    waits.mean(),
                    1.96 * waits.std() / Math.sqrt((double) waits.count()),
                    flowsAndWait.getValue() * SLOT);
        }
    }

    /** 2(p-1) steps, each a lone piece of 94 frames: 230 ns, a frame on the NIC, 125000 B and 94 headers on the port. */
    static void ringAllReduce(Findings to) {
        RunResult result = run(scenario("traffic.pattern=ring", "traffic.flows=8", "traffic.message=1000000 B"));
        to.exactly("ring all-reduce of 1 MB among 8", ns((double) result.measuredToPs()), 7848.19, "ns");
        to.exactly("its messages", result.totals().deliveredMessages(), 14 * 8, "");
    }

    private static final double OUTPUT_QUEUED_AT_08 = 7.0 / 8 * md1(0.8) * SLOT;

    private static final List<String> BERNOULLI =
            List.of("traffic.load=0.8", "traffic.arrivals=bernoulli", "traffic.message=1344 B");

    /** Frames of Bernoulli senders come at ticks, before them (D-12), and to one egress wait exactly as in an output queue. */
    static void bernoulliIncast(Findings to) {
        List<String> settings = new ArrayList<>(BERNOULLI);
        settings.add("measure.messages=200000");
        Estimate one = run(scenario(settings)).voqWait();
        to.mean("8 Bernoulli senders to one egress, load 0.8", one, OUTPUT_QUEUED_AT_08);
        // An end-to-end window that never closes changes nothing but the engine.
        settings.add("transport.credits=1 GiB");
        to.exactly(
                "the same by the engine of fabrics",
                ns(run(scenario(settings)).voqWait().meanPs()),
                ns(one.meanPs()),
                "ns");
    }

    /** Karol, Hluchyj and Morgan 1987: no switch serves uniform Bernoulli frames sooner than output queues do. */
    static void outputQueued(Findings to) {
        List<String> settings = new ArrayList<>(BERNOULLI);
        settings.addAll(List.of(
                "traffic.pattern=uniform",
                "switch.buffer_capacity_bytes=1 GiB",
                "switch.islip_iterations=2",
                "measure.messages=600000"));
        Estimate all = run(scenario(settings)).voqWait();
        to.atLeast(
                "8 to 8, two iSLIP rounds, load 0.8, against output queueing",
                ns(all.meanPs()),
                OUTPUT_QUEUED_AT_08 / 1000,
                "ns");
        to.within(
                "the same against an independent simulator",
                ns(all.meanPs()),
                3.876 * SLOT / 1000,
                (0.009 * 3.876 * SLOT + 3 * Objects.requireNonNullElse(all.halfWidthPs(), Double.NaN)) / 1000,
                "ns",
                "3 standard errors of either");
    }

    /** What both DCQCN checks share: 40 Gb/s, frames of 1000 B, the constants of the paper. */
    private static final List<String> DCQCN = List.of(
            "transport.sender=dcqcn",
            "dcqcn.preset=paper-40g",
            "switch.port_bandwidth_gb_per_s=5",
            "link.latency=1 us",
            "traffic.frame_payload_bytes=938",
            "switch.frame_size_bytes=1000",
            "traffic.message=93800 B");

    /**
     * Every frame is marked. The first notification is back 4.48 us after the start and halves the rate: frames 0 to 22 start 200 ns
     * apart, the others 400 ns, and the last of 100 arrives 2.43 us after its start. The next cut would come after 50 us.
     */
    static void dcqcnCut(Findings to) {
        List<String> settings = new ArrayList<>(DCQCN);
        settings.addAll(List.of("traffic.flows=1", "traffic.arrivals=once", "switch.ecn_kmin=0", "switch.ecn_kmax=0"));
        RunResult result = run(scenario(settings));
        to.exactly(
                "100 frames at 40 Gb/s, all marked",
                ns(result.messageLatency().maxPs()),
                22 * 200 + 77 * 400 + 2430,
                "ns");
        to.exactly("notifications sent", result.transport().cnpsSent(), 1, "");
    }

    /**
     * Two senders at 40 Gb/s with the constants of the paper (Zhu et al., CoNEXT 2016): the mean queue, by Little's law from the mean
     * wait. The fluid model knows neither frames nor the 4 us after which a mark is heard: packets give 15.8 to 17.7 KB.
     */
    static void dcqcn(Findings to) {
        List<String> settings = new ArrayList<>(DCQCN);
        settings.addAll(List.of(
                "switch.buffer_capacity_bytes=1 GiB",
                "switch.alpha=8",
                // 5 KB and 200 KB.
                "switch.ecn_kmin=0.0000046566",
                "switch.ecn_kmax=0.000186265",
                "switch.ecn_pmax=0.01",
                "traffic.flows=2",
                "traffic.arrivals=periodic",
                "traffic.load=1.2",
                "measure.kind=finite",
                "measure.messages=16000"));
        RunResult result = run(scenario(settings));
        double utilisation = (double) result.bottleneckBusyPs() / result.measuredPs();
        to.within(
                "mean queue of two DCQCN senders at 40 Gb/s",
                ns(result.voqWait().meanPs()) * utilisation * 5,
                20151,
                0.25 * 20151,
                "bytes",
                "25%: the fluid model knows neither frames nor feedback delay");
        to.atLeast("their use of the port", utilisation, 0.98, "");
        to.atLeast("their fairness (Jain)", Objects.requireNonNullElse(result.jainFlows(), Double.NaN), 0.99, "");
    }
}
