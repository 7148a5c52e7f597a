package io.github.rhosweep.fit;

import io.github.rhosweep.scenario.ModelSpec;
import io.github.rhosweep.scenario.Parameter;
import org.jspecify.annotations.Nullable;

/** Regimes of load by the thresholds of {@link ModelSpec}; errors are told apart by them. */
public enum Regime {
    LOW,
    TRANSITION,
    CONGESTED,
    /** Load is no input here. */
    NO_LOAD;

    static Regime of(double rho, ModelSpec thresholds) {
        if (Double.isNaN(rho)) {
            return NO_LOAD;
        }
        return rho < thresholds.lowThresholdRho()
                ? LOW
                : rho < thresholds.saturationThresholdRho() ? TRANSITION : CONGESTED;
    }

    /**
     * The one whose {@link #id} it is.
     *
     * @throws IllegalArgumentException if it is none's
     */
    static Regime named(@Nullable String id) {
        for (Regime regime : values()) {
            if (regime.id().equals(id)) {
                return regime;
            }
        }
        throw new IllegalArgumentException("unknown regime `" + id + "`");
    }

    /** As in files. */
    public String id() {
        return Parameter.label(this);
    }
}
