package io.github.rhosweep.fit;

import java.util.List;

/** A correction with its numbers filled in. Immutable; predictions depend on nothing else. */
public interface Fitted {
    /** The target at some conditions, in ns; NaN where there is no value. */
    double predict(Conditions conditions);

    /** The numbers with their intervals; empty where there are none to speak of (a table, trees, a closed form). */
    default List<Coefficient> coefficients() {
        return List.of();
    }

    /** All that {@link Method#restore} needs, as it stands in a model file. */
    default State state() {
        return State.of(coefficients());
    }

    /** How the search went, for people: starts, residual, what to watch out for. */
    default String remarks() {
        return "";
    }
}
