package io.github.rhosweep.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rhosweep.kernel.Points;
import io.github.rhosweep.kernel.Simulation;
import io.github.rhosweep.model.Models;
import io.github.rhosweep.result.Estimate;
import io.github.rhosweep.result.Row;
import io.github.rhosweep.run.LindleyWorkload;
import io.github.rhosweep.scenario.Scenario;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How far rr_messages is from the simulator over senders, message sizes and loads. */
@Tag("integration")
class RoundRobinMessagesTest {
    private static final int[] SENDERS = {2, 8, 64};
    private static final String[] MESSAGES = {"16 KiB", "64 KiB", "256 KiB", "1 MiB"};
    private static final long FRAMES_A_POINT = 4_000_000;

    /** Mean absolute error by regime, and the worst point, of the raw mean wherever a run of this length knows it to 3%. */
    @ParameterizedTest
    @CsvSource({"0.1 0.2, 0.01", "0.4 0.6, 0.02", "0.75 0.85, 0.04"})
    void meanLatency_isPredicted(String loads, double allowed) {
        Simulation simulation = new Simulation();
        List<Double> raw = new ArrayList<>();
        List<Double> controlled = new ArrayList<>();
        StringBuilder log = new StringBuilder();
        for (int senders : SENDERS) {
            for (String message : MESSAGES) {
                for (String load : loads.split(" ")) {
                    Scenario scenario = point(senders, message, load);
                    Estimate latency = simulation
                            .run(scenario, 7, LindleyWorkload.of(scenario), () -> false)
                            .messageLatency();
                    double predicted = predictedPs(scenario);
                    double mean = Objects.requireNonNull(latency.meanPs());
                    double halfWidth = Objects.requireNonNull(latency.halfWidthPs());
                    double controlledMean = Objects.requireNonNull(latency.controlledMeanPs());
                    controlled.add(Math.abs(predicted / controlledMean - 1));
                    if (halfWidth < 0.03 * mean) {
                        raw.add(Math.abs(predicted / mean - 1));
                    }
                    log.append(String.format(
                            Locale.ROOT,
                            "%n%2d senders, %7s, load %s: raw %+.4f (half-width %.4f), controlled %+.4f",
                            senders,
                            message,
                            load,
                            predicted / mean - 1,
                            halfWidth / mean,
                            predicted / controlledMean - 1));
                }
            }
        }
        assertThat(raw).as("points known to 3%%%s", log).hasSizeGreaterThan(4);
        assertThat(mean(raw)).as("raw%s", log).isLessThan(allowed);
        assertThat(mean(controlled)).as("controlled%s", log).isLessThan(allowed);
        assertThat(raw).as("raw%s", log).allSatisfy(error -> assertThat(error).isLessThan(0.08));
        assertThat(controlled)
                .as("controlled%s", log)
                .allSatisfy(error -> assertThat(error).isLessThan(0.08));
    }

    private static Scenario point(int senders, String message, String load) {
        long frames = Points.of("traffic.message=" + message).traffic().framesPerMessage();
        return Points.of(
                "traffic.flows=" + senders,
                "traffic.message=" + message,
                "traffic.load=" + load,
                "switch.buffer_capacity_bytes=1 GiB",
                "measure.messages=" + FRAMES_A_POINT / frames);
    }

    private static double predictedPs(Scenario scenario) {
        Object value = new Row(Models.columns(), Models.predict(scenario).values()).get("pred_rr_messages_message_ns");
        return 1e3 * (Double) Objects.requireNonNull(value);
    }

    private static double mean(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
    }
}
