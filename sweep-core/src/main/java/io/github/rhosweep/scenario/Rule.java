package io.github.rhosweep.scenario;

import java.math.BigDecimal;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A condition over several parameters that every point must meet. */
@FunctionalInterface
public interface Rule {
    /** Null if the point meets it; else one line: which parameters, their values, the bound, advice. */
    @Nullable
    String violation(Params params);

    /** A rule that binds only where {@code condition} holds. */
    static Rule when(Predicate<Params> condition, Function<Params, @Nullable String> violation) {
        return p -> condition.test(p) ? violation.apply(p) : null;
    }

    /** One parameter must not exceed another, both of which have a value wherever the rule binds. */
    static Rule ordered(Parameter<BigDecimal> low, Parameter<BigDecimal> high) {
        return p -> {
            BigDecimal least = p.get(low);
            BigDecimal most = p.get(high);
            return least.compareTo(most) <= 0
                    ? null
                    : low.path() + " (" + Quantity.canonical(least) + ") must not exceed " + high.path() + " ("
                            + Quantity.canonical(most) + "). Maybe swap them";
        };
    }
}
