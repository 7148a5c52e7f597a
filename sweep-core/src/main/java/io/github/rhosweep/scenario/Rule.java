package io.github.rhosweep.scenario;

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
}
