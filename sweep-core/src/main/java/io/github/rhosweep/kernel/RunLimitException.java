package io.github.rhosweep.kernel;

/** A run exceeded one of its limits and was given up. */
public final class RunLimitException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final boolean deterministic;

    RunLimitException(String message, boolean deterministic) {
        super(message);
        this.deterministic = deterministic;
    }

    /** Whether the run would exceed it anywhere: true for {@code limits.events}, false for {@code limits.wall}. */
    public boolean isDeterministic() {
        return deterministic;
    }
}
