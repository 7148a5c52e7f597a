package io.github.rhosweep.scenario;

/**
 * The version of what a simulated point means. It enters every point's key, so that results of different semantics never mix;
 * raise it with any change to the simulator, the arrival processes or the measuring that changes a row.
 */
public final class SemanticsVersion {
    public static final int CURRENT = 2;

    private SemanticsVersion() {}
}
