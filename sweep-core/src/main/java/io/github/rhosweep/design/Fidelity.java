package io.github.rhosweep.design;

/** What is computed at each point. */
public enum Fidelity {
    /** Analytic models only. */
    MODELS,
    /** Models and simulation. */
    SIMULATE,
    /** Models, and simulation where they ask for it. */
    AUTO
}
