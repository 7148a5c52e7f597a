package io.github.rhosweep.fit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.rhosweep.math.RandomStream;
import io.github.rhosweep.model.Target;
import io.github.rhosweep.scenario.Params;
import io.github.rhosweep.scenario.Scenario;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Corrections of how long a collective takes, where T_ab is what it takes alone. */
class CompletionTest {
    private static Conditions at(String pattern, int flows, String message, String... more) {
        Map<String, String> texts = new TreeMap<>(
                Map.of("traffic.pattern", pattern, "traffic.flows", "" + flows, "traffic.message", message));
        for (int i = 0; i < more.length; i += 2) {
            texts.put(more[i], more[i + 1]);
        }
        return Conditions.of(Scenario.of(Params.parse(texts)), Target.COMPLETION);
    }

    /** 14 steps of 560.585 ns each: the textbook's ring among eight. */
    @Test
    void zeroLoad_isTheCostModelOfThePatternAlone() {
        Conditions ring = at("ring", 8, "1000000 B");
        assertThat(ring.zeroLoadNs()).isCloseTo(7848.19, within(1e-6));
        assertThat(ring.get(Feature.FLOWS)).isEqualTo(8);
        assertThat(ring.get(Feature.LOAD)).isNaN();
        assertThat(ring.regime()).isEqualTo(Regime.NO_LOAD);
        Conditions mix = at("mix", 8, "1000000 B", "traffic.foreground", "ring", "traffic.load", "0.4");
        assertThat(mix.zeroLoadNs()).isCloseTo(7848.19, within(1e-6));
        assertThat(mix.pattern()).isEqualTo("mix-ring");
        assertThat(mix.get(Feature.LOAD)).isEqualTo(0.4);
        // Nothing of an open pattern completes.
        assertThat(at("incast", 8, "64 KiB").zeroLoadNs()).isNaN();
    }

    /** Twice as long alone, and 1/(1-r)^2 under others: both are found, each in its group. */
    @Test
    void plantedSlowdowns_areFound() {
        RandomStream random = new RandomStream(11);
        List<Observation> observations = new ArrayList<>();
        for (int flows : new int[] {4, 8, 16, 32}) {
            for (String message : List.of("16 KiB", "64 KiB", "256 KiB")) {
                for (int tenth = 1; tenth <= 8; tenth++) {
                    Conditions mix =
                            at("mix", flows, message, "traffic.foreground", "ring", "traffic.load", "0." + tenth);
                    String key = "m" + observations.size();
                    double slower = 1 / (1 - tenth / 10.0) / (1 - tenth / 10.0);
                    observations.add(new Observation(
                            key, "", key, mix, mix.zeroLoadNs() * slower * (1 + 0.001 * random.nextDouble()), 0.001));
                }
            }
        }
        Comparison comparison = Comparison.of(
                Dataset.of(Target.COMPLETION, observations),
                EnumSet.of(Grouping.PATTERN),
                List.of(Methods.named(Target.COMPLETION, "alpha_beta"), Methods.named(Target.COMPLETION, "one_pole")),
                1,
                () -> 0);
        assertThat(comparison.groups()).containsExactly("pattern=mix-ring");
        Comparison.Scored best = Objects.requireNonNull(comparison.best().get("pattern=mix-ring"));
        assertThat(best.id()).isEqualTo("one_pole");
        assertThat(Objects.requireNonNull(best.fitted().get("pattern=mix-ring"))
                        .coefficients()
                        .get(0)
                        .value())
                .isCloseTo(2, within(0.01));
    }
}
