package io.github.rhosweep.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.data.Percentage.withPercentage;

import io.github.rhosweep.kernel.ControlVariate;
import io.github.rhosweep.kernel.Points;
import io.github.rhosweep.kernel.Simulation;
import io.github.rhosweep.math.RandomStream;
import io.github.rhosweep.model.Models;
import io.github.rhosweep.result.Estimate;
import io.github.rhosweep.result.Row;
import io.github.rhosweep.result.RunResult;
import io.github.rhosweep.scenario.Scenario;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where a model is exact, the simulator agrees: to the ps where nothing is random, within three half-widths where it is. */
class PredictionsAgainstSimulationTest {
    private static double predictedPs(Scenario scenario, String column) {
        Object value = new Row(Models.columns(), Models.predict(scenario).values()).get(column);
        return 1e3 * (Double) Objects.requireNonNull(value, column);
    }

    private static RunResult run(Scenario scenario) {
        return Simulation.run(scenario, 20_260_801, ControlVariate.NONE);
    }

    /** Frames below, at and above the slot; gates; slow, equal, fast and unlimited NICs. */
    @Test
    void loneMessage_takesAlphaBeta() {
        RandomStream random = new RandomStream(1);
        for (int trial = 0; trial < 300; trial++) {
            Scenario scenario = Points.of(
                    "traffic.flows=1",
                    "traffic.arrivals=once",
                    "traffic.message=" + (1 + random.nextInt(60_000)) + " B",
                    "traffic.frame_payload_bytes=" + (500 + random.nextInt(3000)),
                    "switch.frame_size_bytes=" + (200 + random.nextInt(3000)),
                    "switch.egress_gate=" + (random.nextBoolean() ? "busy" : "overlap"),
                    "link.bandwidth=" + (random.nextInt(5) == 0 ? "unlimited" : 1 + random.nextInt(900) + " GB/s"));
            assertThat(run(scenario).messageLatency().maxPs())
                    .as("trial %d: %s", trial, scenario)
                    .isEqualTo(predictedPs(scenario, "pred_alpha_beta_message_ns"), within(1e-3));
        }
    }

    @Test
    void alignedSenders_waitAsSyncIncastSays() {
        RandomStream random = new RandomStream(2);
        for (int trial = 0; trial < 100; trial++) {
            Scenario scenario = Points.of(
                    "traffic.flows=" + (1 + random.nextInt(20)),
                    "traffic.arrivals=once",
                    "traffic.message=" + (1 + random.nextInt(60_000)) + " B",
                    "switch.frame_size_bytes=" + (1406 + random.nextInt(500)),
                    "link.bandwidth=" + (random.nextInt(5) == 0 ? "unlimited" : 1 + random.nextInt(900) + " GB/s"));
            RunResult result = run(scenario);
            assertThat(result.voqWait().meanPs())
                    .as("trial %d: %s", trial, scenario)
                    .isEqualTo(predictedPs(scenario, "pred_sync_incast_voq_wait_ns"), within(0.01));
            assertThat(result.voqWait().maxPs())
                    .isEqualTo(predictedPs(scenario, "pred_sync_incast_voq_wait_max_ns"), within(0.01));
            assertThat(result.messageLatency().meanPs())
                    .as("trial %d: %s", trial, scenario)
                    .isEqualTo(predictedPs(scenario, "pred_sync_incast_message_ns"), within(0.01));
            assertThat(result.messageLatency().maxPs())
                    .isEqualTo(predictedPs(scenario, "pred_sync_incast_message_max_ns"), within(0.01));
        }
    }

    /** Fluid and frame by frame, a burst first overflows at the same message size, within a frame or two a sender. */
    @ParameterizedTest
    @CsvSource({"4, simplified, 2", "8, simplified, 0.5", "8, active-queues, 2", "16, reserved, 1"})
    void alignedSenders_firstDropFramesWhereIncastOnsetSays(int flows, String admission, String alpha) {
        long lossless = 1;
        long lossy = 10_000;
        while (lossy - lossless > 1) {
            long frames = (lossless + lossy) / 2;
            Scenario scenario = burst(flows, admission, alpha, frames);
            if (run(scenario).totals().droppedFrames() == 0) {
                lossless = frames;
            } else {
                lossy = frames;
            }
        }
        assertThat(collapses(burst(flows, admission, alpha, lossless - 3))).isFalse();
        assertThat(collapses(burst(flows, admission, alpha, lossy + 3))).isTrue();
    }

    private static Scenario burst(int flows, String admission, String alpha, long frames) {
        return Points.of(
                "traffic.flows=" + flows,
                "traffic.arrivals=once",
                "traffic.message=" + frames * 1344 + " B",
                "switch.admission=" + admission,
                "switch.alpha=" + alpha,
                "switch.buffer_capacity_bytes=4 MiB");
    }

    private static boolean collapses(Scenario scenario) {
        return (Boolean) Objects.requireNonNull(
                new Row(Models.columns(), Models.predict(scenario).values()).get("pred_incast_onset_collapse"));
    }

    /** VOQs that fill side by side stop at Dynamic Threshold's fixed point, within a frame each. */
    @ParameterizedTest
    @CsvSource({"4, 1", "8, 2", "3, 0.5"})
    void longBurst_fillsTheBufferToDynamicThreshold(int flows, String alpha) {
        Scenario scenario = Points.of(
                "traffic.flows=" + flows,
                "traffic.arrivals=once",
                "traffic.message=4 MiB",
                "switch.alpha=" + alpha,
                "switch.buffer_capacity_bytes=1 MiB");
        double peak = Objects.requireNonNull(run(scenario).switchCounters()).bufferPeakBytes();
        assertThat(peak).isEqualTo(predictedPs(scenario, "pred_dt_steady_buffer_bytes") / 1e3, within(flows * 1406.0));
    }

    @ParameterizedTest
    @CsvSource({
        "pred_concentrator_md1_voq_wait_ns, traffic.arrivals=poisson, traffic.message=1344 B, link.bandwidth=400 GB/s",
        "pred_concentrator_md1_voq_wait_ns, traffic.arrivals=poisson, traffic.message=64 KiB, link.bandwidth=400 GB/s",
        "pred_concentrator_md1_voq_wait_ns, traffic.arrivals=batch, traffic.message=3000 B, link.bandwidth=900 GB/s",
        "pred_batch_md1_voq_wait_ns, traffic.arrivals=poisson, traffic.message=5376 B, link.bandwidth=unlimited",
        "pred_output_queued_voq_wait_ns, traffic.arrivals=bernoulli, traffic.message=1344 B, link.bandwidth=400 GB/s",
    })
    void voqWait_asTheory(String column, String arrivals, String message, String bandwidth) {
        Scenario scenario = Points.of(arrivals, message, bandwidth, "traffic.load=0.8", "measure.messages=100000");
        assertThatEstimate(run(scenario).voqWait(), predictedPs(scenario, column));
    }

    /** One sender without limit to its link is first come first served, so that the quantiles are those of M/D/1. */
    @Test
    void singleFramesOfOneSender_overUnlimitedLinks_areMd1() {
        Scenario scenario = Points.of(
                "traffic.flows=1",
                "traffic.message=1344 B",
                "link.bandwidth=unlimited",
                "traffic.load=0.7",
                "measure.messages=1000000");
        Estimate wait = run(scenario).voqWait();
        double alone = predictedPs(scenario, "pred_alpha_beta_message_ns");
        assertThatEstimate(wait, predictedPs(scenario, "pred_md1_message_ns") - alone);
        // Standard error of a quantile of 10^6 waits that forget each other in about 37 services: 1% at p90, 2% at p99.
        assertThat(wait.p50Ps()).isCloseTo(predictedPs(scenario, "pred_md1_message_p50_ns") - alone, withPercentage(3));
        assertThat(wait.p90Ps()).isCloseTo(predictedPs(scenario, "pred_md1_message_p90_ns") - alone, withPercentage(3));
        assertThat(wait.p99Ps()).isCloseTo(predictedPs(scenario, "pred_md1_message_p99_ns") - alone, withPercentage(6));
    }

    /** Round robin across senders leaves the mean wait of frames of one size as it is and stretches the tail. */
    @Test
    void roundRobin_keepsTheMeanOfMd1_andStretchesTheTail() {
        Scenario scenario = Points.of(
                "traffic.message=1344 B", "link.bandwidth=unlimited", "traffic.load=0.7", "measure.messages=200000");
        Estimate wait = run(scenario).voqWait();
        double alone = predictedPs(scenario, "pred_alpha_beta_message_ns");
        assertThatEstimate(wait, predictedPs(scenario, "pred_md1_message_ns") - alone);
        assertThat(wait.p99Ps()).isGreaterThan(1.2 * (predictedPs(scenario, "pred_md1_message_p99_ns") - alone));
    }

    private static void assertThatEstimate(Estimate estimate, double predictedPs) {
        double halfWidth = Objects.requireNonNull(estimate.halfWidthPs());
        assertThat(halfWidth).as("half-width").isLessThan(0.1 * predictedPs);
        assertThat(estimate.meanPs()).isEqualTo(predictedPs, within(3 * halfWidth));
    }
}
