package io.github.rhosweep.fit;

import io.github.rhosweep.scenario.ModelSpec;
import io.github.rhosweep.scenario.Parameter;

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

    /** As in files. */
    public String id() {
        return Parameter.label(this);
    }
}
