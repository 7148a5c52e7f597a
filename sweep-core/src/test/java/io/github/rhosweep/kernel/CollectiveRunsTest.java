package io.github.rhosweep.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.rhosweep.result.Metric;
import io.github.rhosweep.result.RunResult;
import io.github.rhosweep.scenario.ClosedPattern;
import io.github.rhosweep.scenario.Scenario;
import io.github.rhosweep.scenario.Schedule;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Closed patterns as a file would ask for them, by the columns that they fill. */
class CollectiveRunsTest {
    private static RunResult run(String... fields) {
        return run(1, fields);
    }

    private static RunResult run(long seed, String... fields) {
        Scenario scenario = Points.of(fields);
        return Simulation.run(scenario, seed, ControlVariate.NONE);
    }

    private static double completionNs(RunResult result) {
        return (double) Metric.COMPLETION_NS.of(result);
    }

    /** 94 frames a step, 560.585 ns each: to the picosecond what one message alone takes, 14 times. */
    @Test
    void ringAllReduce_ofAMegabyteAmongEight_takesFourteenSteps() {
        RunResult result = run("traffic.pattern=ring", "traffic.message=1000000 B");
        assertThat(result.totals().offeredMessages()).isEqualTo(14 * 8);
        assertThat(result.totals().offeredFrames()).isEqualTo(14 * 8 * 94);
        assertThat(completionNs(result)).isEqualTo(7848.19, within(1e-6));
    }

    /** Every egress receives one frame a slot from the first on: alpha and the slots of p - 1 pieces. */
    @ParameterizedTest
    @CsvSource({"2", "8", "32"})
    void allToAll_onAnIdleCrossbar_isBoundByItsPorts(int p) {
        RunResult result = run(
                "traffic.pattern=all-to-all",
                "traffic.flows=" + p,
                "traffic.message=" + p * 49 * 1344L + " B",
                "switch.buffer_capacity_bytes=1 GiB");
        double slots = (p - 1) * 49;
        assertThat(completionNs(result)).isGreaterThanOrEqualTo(230 + 3.515 * (slots + 1));
        assertThat(completionNs(result)).isEqualTo(230 + 3.515 * (slots + 1), within(0.03 * 3.515 * slots));
    }

    /** What nccl-tests reports: n/t x 2(p-1)/p; the ring's own closed form within 3% once alpha is small beside a step. */
    @ParameterizedTest
    @CsvSource({"all-reduce, 14, 1.75", "all-gather, 7, 0.875", "reduce-scatter, 7, 0.875"})
    void ring_takesItsClosedForm_andReportsItsBusBandwidth(String operation, int steps, double factor) {
        RunResult result =
                run("traffic.pattern=ring", "traffic.ring_operation=" + operation, "traffic.message=8000000 B");
        double wire = 1_000_000 + 745 * 62;
        double theory = steps * (230 + 3.515 + wire / 400);
        assertThat(completionNs(result)).isEqualTo(theory, within(0.03 * theory));
        assertThat((double) Metric.BUS_BANDWIDTH_GB_PER_S.of(result))
                .isEqualTo(8_000_000 / completionNs(result) * factor, within(1e-9));
        assertThat((double) Metric.STRAGGLER_SPREAD_NS.of(result)).isZero();
        assertThat((double) Metric.HOTSPOT_RATIO.of(result)).isEqualTo(1);
        // The frame behind a short last one waits for the slot's end.
        assertThat((double) Metric.HOP_INFLATION_MEAN.of(result)).isEqualTo(1, within(1e-3));
        assertThat(Metric.PIPELINE_BUBBLE_NS.of(result)).isNull();
    }

    /** An answer for every frame, through VOQs: one frame per ingress and tick, so that data gets every other one (D-13). */
    @ParameterizedTest
    @CsvSource({"1, 0.50", "4, 0.80", "16, 0.94"})
    void answersThroughVoqs_takeTheirShareOfARing(int ackEvery, double share) {
        double[] bandwidth = new double[2];
        for (int k = 0; k < 2; k++) {
            bandwidth[k] = (double) Metric.BUS_BANDWIDTH_GB_PER_S.of(run(
                    "traffic.pattern=ring",
                    "traffic.message=8000000 B",
                    "transport.credits=256 KiB",
                    "transport.ack_every=" + ackEvery,
                    "transport.response_channel=" + (k == 0 ? "separate" : "voq")));
        }
        assertThat(bandwidth[1] / bandwidth[0]).isEqualTo(share, within(0.06));
    }

    /** Steps log2 p, the whole buffer each. */
    @Test
    void recursiveDoubling_takesLog2Steps() {
        RunResult result = run("traffic.pattern=recursive-doubling", "traffic.flows=16", "traffic.message=1000000 B");
        double step = 230 + 3.515 + (1_000_000 + 745 * 62) / 400.0;
        assertThat(completionNs(result)).isEqualTo(4 * step, within(0.03 * 4 * step));
    }

    /** Chunks go on as they arrive: what is left of alpha is that of one chunk at a time. */
    @Test
    void chunks_hideTheLatencyOfSteps() {
        double whole = completionNs(run("traffic.pattern=ring", "traffic.message=1 MiB"));
        double cut = completionNs(run("traffic.pattern=ring", "traffic.message=1 MiB", "traffic.chunks=4"));
        double wires = 14 * (131_072 + 98 * 62) / 400.0;
        assertThat(whole).isGreaterThan(14 * 230 + wires);
        assertThat(cut).isBetween(wires, 0.8 * whole);
    }

    /** Zipf: the most popular expert's port carries its share of every other rank's tokens; it alone sets the completion. */
    @Test
    void zipf_makesTheFirstExpertsPortTheHotSpot() {
        double h = 0;
        for (int d = 1; d <= 16; d++) {
            h += Math.pow(d, -1.2);
        }
        String[] even = {
            "traffic.pattern=all-to-all",
            "traffic.flows=16",
            "traffic.message=4 MiB",
            "switch.buffer_capacity_bytes=1 GiB"
        };
        RunResult uniform = run(even);
        RunResult skewed = run(even[0], even[1], even[2], even[3], "traffic.skew=zipf");
        double bytes = 15 * 4_194_304.0 * 1406 / 1344;
        assertThat(completionNs(uniform)).isEqualTo(bytes / 16 / 400, within(0.05 * bytes / 16 / 400));
        assertThat(completionNs(skewed)).isEqualTo(bytes / h / 400, within(0.05 * bytes / h / 400));
        // Of sixteen egresses together every one sends its share to the others.
        double all = 0;
        for (int d = 1; d <= 16; d++) {
            all += 15 * Math.pow(d, -1.2) / h;
        }
        assertThat((double) Metric.HOTSPOT_RATIO.of(skewed)).isEqualTo(15 / h / (all / 16), within(0.05));
        assertThat((double) Metric.HOTSPOT_RATIO.of(uniform)).isEqualTo(1, within(1e-6));
        assertThat((double) Metric.HOP_INFLATION_MAX.of(skewed))
                .isGreaterThan((double) Metric.HOP_INFLATION_MEAN.of(skewed));
    }

    /** All micro-batches start at 0: the first stage sends them back to back, and the last is there stages - 1 transfers later. */
    @Test
    void pipeline_fillsAndDrains() {
        String[] fields = {
            "traffic.pattern=pipeline", "traffic.arrivals=once", "traffic.message=65856 B", "traffic.micro_batches=8"
        };
        RunResult result = run(fields);
        double send = 49 * 3.515;
        double transfer = 230 + 3.515 + send;
        // Stages meet at one switch: a frame may wait for the tick of another's, less than a slot a transfer.
        assertThat(completionNs(result)).isBetween(7 * send + 3 * transfer, 7 * send + 3 * (transfer + 3.515));
        assertThat((double) Metric.PIPELINE_BUBBLE_NS.of(result))
                .isEqualTo(completionNs(result) - 8 * send, within(1e-6));
        assertThat(Metric.BUS_BANDWIDTH_GB_PER_S.of(result)).isNull();
    }

    /** Neither the rest of the slot of a short last frame nor the bytes that smaller chunks lack are anything to send. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "traffic.message=1 B; traffic.micro_batches=1; traffic.chunks=1",
                "traffic.message=1 B; traffic.micro_batches=3; traffic.chunks=1",
                "traffic.message=4033 B; traffic.micro_batches=40; traffic.chunks=3"
            })
    void pipelineOfShortMessages_takesNoShorterThanItsNicSends(String fields) {
        RunResult result =
                run((fields + "; traffic.pattern=pipeline; traffic.arrivals=once; traffic.flows=2; traffic.stages=2"
                                + "; traffic.frame_payload_bytes=1344; switch.port_bandwidth_gb_per_s=12.5; link.latency=1 ns"
                                + "; switch.arbiter_ns_per_iteration=0; switch.frame_size_bytes=1406")
                        .split("; "));
        assertThat((double) Metric.PIPELINE_BUBBLE_NS.of(result)).isNotNegative();
    }

    /** Each ns that a transfer takes longer is paid once a stage on the way there and once on the way back. */
    @Test
    void pipeline_paysAddedLatencyOnceATransfer() {
        for (int stages : new int[] {2, 4, 8}) {
            double[] completion = new double[2];
            for (int k = 0; k < 2; k++) {
                completion[k] = completionNs(run(
                        "traffic.pattern=pipeline",
                        "traffic.arrivals=once",
                        "traffic.stages=" + stages,
                        "traffic.backward=true",
                        "link.latency=" + (k == 0 ? "1 us" : "11 us")));
            }
            assertThat((completion[1] - completion[0]) / (2 * 10_000))
                    .as("%d stages", stages)
                    .isEqualTo(2 * (stages - 1), within(0.05 * 2 * (stages - 1)));
        }
    }

    /** An all-reduce beside it costs a pipeline something, and never less than a larger one does. */
    @Test
    void overlap_slowsAPipelineDown() {
        double before = 0;
        for (String bytes : new String[] {"1 B", "1 MiB", "4 MiB"}) {
            double now = completionNs(run(
                    "traffic.pattern=pipeline",
                    "traffic.arrivals=once",
                    "traffic.message=256 KiB",
                    "traffic.overlap=ring",
                    "traffic.overlap_message=" + bytes));
            assertThat(now).as(bytes).isGreaterThan(before);
            before = now;
        }
    }

    /** Open: rho is what every egress carries, and what comes from an egress as fast waits no more at the next (tandem). */
    @Test
    void openPipeline_carriesItsLoad() {
        RunResult result = run(
                "traffic.pattern=pipeline",
                "traffic.load=0.6",
                "traffic.message=1344 B",
                "measure.messages=60000",
                "traffic.stages=2",
                "traffic.flows=2");
        assertThat((double) Metric.UTILISATION.of(result)).isEqualTo(0.6, within(0.02));
        double longer = (double) Metric.MESSAGE_LATENCY_MEAN_NS.of(run(
                "traffic.pattern=pipeline",
                "traffic.load=0.6",
                "traffic.message=1344 B",
                "measure.messages=60000",
                "traffic.stages=4",
                "traffic.flows=4"));
        // The first hop waits as M/D/1 at the NIC; the two others do not wait.
        double idle = 230 + 2 * 3.515;
        double wait = 0.6 / (2 * 0.4) * 3.515;
        assertThat((double) Metric.MESSAGE_LATENCY_MEAN_NS.of(result)).isEqualTo(idle + wait, within(0.1 * wait));
        // But for the tick of another port's frame, less than half a slot on average.
        assertThat(longer).isBetween(idle + wait / 3, idle + wait / 3 + 3.515 / 2);
    }

    /** rho of a mix is what its other tenants alone bring to a port. */
    @Test
    void mix_bringsTheBackgroundThatIsAskedFor() {
        for (double load : new double[] {0.2, 0.6}) {
            RunResult result = run(
                    "traffic.pattern=mix",
                    "traffic.foreground=ring",
                    "traffic.message=1 KiB",
                    "traffic.chunks=1",
                    "link.latency=5 us",
                    "traffic.background_message=5376 B",
                    "traffic.load=" + load);
            assertThat(result.totals().measuredMessages()).isEqualTo(14 * 8);
            // Of the foreground there is next to nothing: 14 steps of 128 B in 140 us.
            double background = result.totals().offeredBytes() / 8.0 / (completionNs(result) + 20_000) / 400;
            assertThat(background).isEqualTo(load, within(0.03 * load));
        }
    }

    /** The foreground's completion is its own, and grows with what others bring. */
    @ParameterizedTest
    @CsvSource({"ring", "all-to-all", "recursive-doubling", "pipeline"})
    void mix_slowsItsForegroundDown(String foreground) {
        double before = 0;
        for (double load : new double[] {0.001, 0.4, 0.8}) {
            double now = completionNs(run(
                    "traffic.pattern=mix",
                    "traffic.foreground=" + foreground,
                    "traffic.message=1 MiB",
                    "switch.buffer_capacity_bytes=1 GiB",
                    "traffic.background_message=16 KiB",
                    "traffic.load=" + load));
            assertThat(now).as("%s under %s", foreground, load).isGreaterThan(before);
            before = now;
        }
    }

    /** Where the foreground loses what others wait for, the run ends, and says that it did not complete. */
    @Test
    void lostForeground_endsTheRunWithoutCompletion() {
        for (String pattern : new String[] {"ring", "mix"}) {
            RunResult result = run(
                    "traffic.pattern=" + pattern,
                    "traffic.message=4 MiB",
                    "topology.kind=leaf-spine",
                    "topology.leaves=2",
                    "topology.spines=1",
                    "topology.oversubscription=8",
                    "traffic.flows=16",
                    "switch.buffer_capacity_bytes=8 KiB");
            assertThat(result.totals().measuredLostMessages()).isPositive();
            assertThat(Metric.COMPLETION_NS.of(result)).isNull();
            assertThat(Metric.BUS_BANDWIDTH_GB_PER_S.of(result)).isNull();
            assertThat((String) Metric.NULL_REASON.of(result)).contains("lost messages never complete");
        }
    }

    @Test
    void equalSeeds_giveEqualRuns_andOthersOtherBackgrounds() {
        String[] fields = {
            "traffic.pattern=mix",
            "traffic.foreground=all-to-all",
            "traffic.skew=zipf",
            "traffic.background_hotspot=1",
            "traffic.background_permutation=1"
        };
        assertThat(run(1, fields)).isEqualTo(run(1, fields));
        assertThat(completionNs(run(1, fields))).isNotEqualTo(completionNs(run(2, fields)));
    }

    static List<Long> seeds() {
        return new Random(23).longs(60).boxed().toList();
    }

    /** Every run checks its own balance; all that is not lost completes, whoever else shares the fabric, and again alike. */
    @ParameterizedTest
    @MethodSource("seeds")
    void anyClosedPattern_balancesAndRepeats(long seed) {
        Random random = new Random(seed);
        String workload = pick(random, "all-to-all", "ring", "recursive-doubling", "pipeline");
        String pattern = pick(random, workload, workload, "mix");
        String flowControl = pick(random, "lossy", "lossy", "pfc", "credit");
        List<String> fields = new ArrayList<>(List.of(
                "traffic.pattern=" + pattern,
                "traffic.flows=" + pick(random, "4", "8", "16"),
                "traffic.message=" + pick(random, "1 B", "5000 B", "64 KiB", "300 KB"),
                "flow_control.kind=" + flowControl,
                "switch.buffer_capacity_bytes=" + pick(random, "16 MiB", "64 MiB"),
                "switch.frame_size_bytes=" + pick(random, "1406", "auto"),
                "transport.qps_per_connection=" + pick(random, "1", "3"),
                "link.bandwidth=" + pick(random, "400 GB/s", "50 GB/s"),
                "topology.kind="
                        + pick(random, "single-switch", "leaf-spine", "fat-tree", "rail-optimized", "dragonfly"),
                "limits.events=20000000"));
        if (pattern.equals("mix")) {
            fields.add("traffic.foreground=" + workload);
            fields.add("traffic.load=" + pick(random, "0.1", "0.7", "1.2"));
            fields.add("traffic.arrivals=" + pick(random, "poisson", "periodic", "on-off", "synchronized"));
            fields.add("traffic.background_hotspot=" + pick(random, "0", "1"));
            fields.add("traffic.background_message=" + pick(random, "1 B", "20 KB"));
            fields.add("traffic.foreground_start=" + pick(random, "0 ns", "5 us"));
        } else if (pattern.equals("pipeline")) {
            fields.add("traffic.arrivals=once");
        }
        switch (workload) {
            case "all-to-all" -> {
                fields.add("traffic.skew=" + pick(random, "none", "zipf"));
                fields.add("traffic.self=" + pick(random, "false", "true"));
            }
            case "pipeline" -> {
                fields.add("traffic.stages=" + pick(random, "2", "4"));
                fields.add("traffic.micro_batches=" + pick(random, "1", "5"));
                fields.add("traffic.backward=" + pick(random, "false", "true"));
                fields.add("traffic.overlap=" + pick(random, "none", "ring", "all-to-all"));
                fields.add("traffic.chunks=" + pick(random, "1", "3"));
            }
            default -> fields.add("traffic.chunks=" + pick(random, "1", "3"));
        }
        if (flowControl.equals("lossy")) {
            fields.set(4, "switch.buffer_capacity_bytes=" + pick(random, "16 KiB", "1 MiB", "64 MiB"));
            fields.add("transport.recovery=" + pick(random, "none", "selective"));
        }
        if (random.nextBoolean()) {
            fields.add("transport.sender=dcqcn");
        }
        String[] point = fields.toArray(new String[0]);
        RunResult result = run(seed, point);
        boolean lost = result.totals().measuredLostMessages() > 0;
        assertThat(Metric.COMPLETION_NS.of(result) == null).as("%s", fields).isEqualTo(lost);
        assertThat(Metric.STRAGGLER_SPREAD_NS.of(result) == null)
                .as("%s", fields)
                .isEqualTo(lost);
        if (!lost) {
            ClosedPattern closed = (ClosedPattern) Points.of(point).traffic().pattern();
            Schedule schedule = closed.schedule(Points.of(point).traffic().flows());
            assertThat(result.totals().measuredMessages()).as("%s", fields).isEqualTo(schedule.foreground());
            assertThat((double) schedule.size())
                    .as("%s", fields)
                    .isEqualTo(closed.messages(Points.of(point).traffic().flows()));
        }
        assertThat(run(seed, point)).as("%s, again", fields).isEqualTo(result);
    }

    private static String pick(Random random, String... values) {
        return values[random.nextInt(values.length)];
    }
}
