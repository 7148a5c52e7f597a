package io.github.rhosweep.design;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.rhosweep.kernel.ControlVariate;
import io.github.rhosweep.kernel.Simulation;
import io.github.rhosweep.result.Metric;
import io.github.rhosweep.result.RunResult;
import io.github.rhosweep.scenario.Params;
import io.github.rhosweep.scenario.Scenario;
import io.github.rhosweep.scenario.SwitchSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LintTest {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "overload | 2 of 3 | sweep: {traffic.load: [0.9, 1, 1.1]}",
                "nic-overload | 1 of 2 | sweep: {link.bandwidth: [400 GB/s, 50 GB/s]}\\nbase: {traffic: {pattern: uniform, load: 0.9}}",
                "few-messages | 1 of 3 | sweep: {traffic.flows: [2, 16, 17]}\\nbase: {measure.messages: 800}",
                "reserves-beyond-pool | 1 of 2 | sweep: {traffic.flows: [8, 9]}\\nbase: {switch: {admission: reserved, buffer_capacity_bytes: 1 MiB}}",
                "ecn-never-marks | 3 of 4 | sweep: {switch.ecn_kmin: [0.3, 0.5], traffic.load: [0.5, 0.9]}",
                "drops-before-marks | 3 of 6 | sweep: {switch.ecn_kmin: [0.3, 0.5], switch.alpha: [0.25, 1, 2]}\\nbase: {traffic: {flows: 1, load: 1.5}}",
                "dcqcn-hears-nothing | 1 of 3 | sweep: {switch.alpha: [0.1, 0.2, 2]}\\nbase: {transport.sender: dcqcn}",
                "buffer-not-felt | 2 of 4 | sweep: {switch.alpha: [1, 2], traffic.frame_payload_bytes: [1344, 9000]}",
                "short-frames | 1 of 2 | sweep: {traffic.message: [512 B, 64 KiB]}",
                "one-round-saturated | 2 of 6 | sweep: {switch.islip_iterations: [1, 2], traffic.load: [0.8, 0.9, 0.99]}\\nbase: {traffic: {pattern: uniform, self: false}}",
                "alpha-never-binds | 2 of 2 | sweep: {switch.alpha: [1, 2]}",
                "iterations-inert | 3 of 6 | sweep: {switch.islip_iterations: [1, 2, 4], traffic.pattern: [incast, uniform]}",
                "egress-gate-inert | 2 of 4 | sweep: {switch.egress_gate: [overlap, busy], switch.frame_size_bytes: [auto, 100]}",
                "priority-mode-inert | 2 of 2 | sweep: {switch.priority_mode: [flat, strict]}",
            })
    void suspicion_isFoundWhereItHolds(String id, String share, String yaml) throws IOException {
        assertThat(findings(yaml)).containsEntry(id, share);
    }

    @Test
    void ordinaryExperiment_isNotSuspected() throws IOException {
        assertThat(findings("sweep: {traffic.load: [0.1, 0.9], traffic.flows: [2, 64]}"))
                .isEmpty();
        assertThat(findings("sweep: {switch.alpha: [0.25, 8]}\\nbase: {switch.buffer_capacity_bytes: 64 KiB}"))
                .isEmpty();
    }

    @Test
    void decayRate_solvesItsEquation() {
        for (double rho : new double[] {0.001, 0.1, 0.5, 0.9, 0.99}) {
            double s = BufferBound.decayRate(rho);
            assertThat(rho * Math.expm1(s) / s).as("rho %s", rho).isCloseTo(1, within(1e-9));
        }
    }

    /** Bounds hold in simulation, and points said to draw nothing give the same run under any seed. */
    @Test
    void bounds_holdInSimulations() {
        int quiet = 0;
        int bounded = 0;
        for (int seed = 0; seed < 150; seed++) {
            Random random = new Random(seed * 0x9E3779B97F4A7C15L); // small seeds alone give alike first draws
            Map<String, String> point = new HashMap<>();
            point.put(
                    "traffic.arrivals",
                    List.of("once", "synchronized", "poisson", "periodic").get(random.nextInt(4)));
            point.put("traffic.flows", Integer.toString(1 + random.nextInt(12)));
            point.put("traffic.message", (1 + random.nextInt(40)) + " KiB");
            point.put("traffic.pattern", random.nextInt(4) == 0 ? "permutation" : "incast");
            point.put("switch.buffer_capacity_bytes", (16 << random.nextInt(6)) + " KiB");
            point.put("switch.alpha", List.of("0.25", "1", "8").get(random.nextInt(3)));
            point.put("switch.ecn_kmin", List.of("0.1", "0.5", "0.8").get(random.nextInt(3)));
            if (random.nextBoolean()) {
                point.put(
                        "link.bandwidth",
                        List.of("unlimited", "50 GB/s", "200 GB/s").get(random.nextInt(3)));
            }
            if (!point.get("traffic.arrivals").equals("once")) {
                point.put("traffic.load", List.of("0.5", "0.9", "1.5").get(random.nextInt(3)));
                point.put("measure.messages", "300");
            }
            Params params = Params.parse(point);
            RunResult one = Simulation.run(Scenario.of(params), 1, ControlVariate.NONE);
            double capacity = params.get(SwitchSpec.BUFFER_CAPACITY);
            Long peak = (Long) Metric.BUFFER_PEAK_BYTES.of(one);
            assertThat(peak / capacity)
                    .as("seed %s: %s", seed, point)
                    .isLessThanOrEqualTo(BufferBound.largestFill(params));
            bounded += BufferBound.largestFill(params) < 0.99 ? 1 : 0;
            if (!RandomDraws.drawnBy(params)) {
                quiet++;
                RunResult other = Simulation.run(Scenario.of(params), 2, ControlVariate.NONE);
                for (Metric metric : Metric.values()) {
                    assertThat(metric.of(other))
                            .as("seed %s: %s of %s", seed, metric, point)
                            .isEqualTo(metric.of(one));
                }
            }
        }
        assertThat(quiet).as("points that draw nothing").isGreaterThan(10);
        assertThat(bounded).as("points with a bound below the capacity").isGreaterThan(10);
    }

    private Map<String, String> findings(String yaml) throws IOException {
        ExperimentSpec experiment = ExperimentSpec.read(
                Files.writeString(folder.resolve("e.yaml"), yaml.replace("\\n", "\n")), Overrides.NONE, List.of());
        Map<String, String> found = new HashMap<>();
        Plan.of(experiment).lints().forEach(f -> found.put(f.lint().id(), f.points() + " of " + f.of()));
        return found;
    }
}
