package io.github.rhosweep.fit;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rhosweep.model.Target;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Data made from each form, with 2% noise, give its coefficients back. */
class PlantedTruthTest {
    private static final List<Conditions> GRID = Planted.grid();

    static Stream<Arguments> families() {
        return Stream.of(
                Arguments.of("power", values("k", 0.4)),
                Arguments.of("one_pole", values("k", 0.7)),
                Arguments.of("rational_total", values("a", 0.6, "e", 0.2, "c", 1.1, "d", 0.9)),
                Arguments.of("rational", values("a", 0.8, "e", 0.15, "c", 1.0, "d", 0.95)),
                Arguments.of("rational_frames", values("a", 0.8, "e", 0.15, "c", 1.0, "d", 0.95, "h", 0.4)),
                Arguments.of("additive_power", values("a", 0.5, "k", 1.1)),
                Arguments.of("rr_fitted", values("k1", 0.84, "k2", 0.917, "k3", 0.985)),
                Arguments.of(
                        "segmented_corrected",
                        values(
                                "u1", 1.0, "v1", 0.8, "u2", 1.1, "v2", 0.9, "u3", 0.9, "v3", 1.0, "w", 2.5, "w3", 8.0,
                                "h", 0.6)),
                Arguments.of(
                        "regression",
                        values("constant", 0.05, "load", 0.4, "log_pole", 0.7, "log_frames*log_pole", 0.05)),
                Arguments.of("regression_increment", values("constant", -0.4, "load", 0.3, "pole", 0.45)));
    }

    private static Map<String, Double> values(Object... pairs) {
        Map<String, Double> values = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            values.put((String) pairs[i], (Double) pairs[i + 1]);
        }
        return values;
    }

    private static void recovers(String id, Map<String, Double> truth, int repetitions, int leastInside) {
        Method method = Methods.named(Target.MESSAGE, id);
        Fitted planted = method.restore(Target.MESSAGE, Planted.state(truth, List.copyOf(truth.keySet())));
        Map<String, Integer> inside = new LinkedHashMap<>();
        for (int seed = 0; seed < repetitions; seed++) {
            Fitted fitted = method.fit(Target.MESSAGE, Planted.observe(GRID, planted, 0.02, seed), seed);
            for (Coefficient c : fitted.coefficients()) {
                double value = truth.getOrDefault(c.name(), 0.0);
                inside.merge(c.name(), value >= c.low() && value <= c.high() ? 1 : 0, Integer::sum);
            }
        }
        assertThat(inside)
                .as("intervals that hold the truth, of %d; seeds 0 .. %d", repetitions, repetitions - 1)
                .allSatisfy((name, n) -> assertThat(n).as(name).isGreaterThanOrEqualTo(leastInside));
    }

    /** Of 100 intervals at 95% at least 88 hold the truth but once in 500 times, each coefficient by itself. */
    @ParameterizedTest
    @MethodSource("families")
    @Tag("integration")
    void coefficients_lieInTheirIntervals(String id, Map<String, Double> truth) {
        recovers(id, truth, 100, 88);
    }

    /** Five intervals, at most one of which misses: but once in 44 times, for fixed seeds that were seen to hold. */
    @Test
    void rrFitted_isRecovered() {
        recovers("rr_fitted", values("k1", 0.84, "k2", 0.917, "k3", 0.985), 5, 4);
    }
}
