package io.github.rhosweep.fit;

import io.github.rhosweep.model.Target;
import java.util.List;

/** A way to correct alpha-beta: fitted to observations, then asked for predictions. Stateless. */
public interface Method {
    /** Its name on the command line and in files. */
    String id();

    /** Formula and how it is fitted, for people. */
    String describe();

    /**
     * Fits.
     *
     * @param observations at least one; all of one group
     * @param seed of starts and folds
     * @throws NotIdentifiableException if they do not determine the coefficients or the search did not converge
     */
    Fitted fit(Target target, List<Observation> observations, long seed);

    /**
     * The fitted method of a model file.
     *
     * @throws IllegalArgumentException if a number is missing or not this method's
     */
    Fitted restore(Target target, State state);

    /** The prediction as a Python expression over {@code T, S, N, r, b} and coefficients, or null if it is none. */
    default @org.jspecify.annotations.Nullable String python() {
        return null;
    }

    /** Whether anything is fitted. */
    default boolean fits() {
        return true;
    }

    /** What fitting cost before, elsewhere, in ns; 0 if nothing did. */
    default double fittedBeforeNs() {
        return 0;
    }

    /** Whether it was fitted before to this very point, so that it cannot be held out any more. */
    default boolean learntFrom(Observation observation) {
        return false;
    }
}
