package io.github.rhosweep.kernel;

/** A run exceeded one of its limits and was given up. */
public final class RunLimitException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** What a run may exceed. */
    public enum Limit {
        /** {@code limits.events}. */
        EVENTS,
        /** {@code limits.in_flight_messages}. */
        MESSAGES,
        /** {@code limits.wall}. */
        WALL,
        /** The heap of the JVM, by messages in flight. */
        HEAP
    }

    private final Limit limit;

    RunLimitException(Limit limit, String message) {
        super(message);
        this.limit = limit;
    }

    /** Which one. */
    public Limit limit() {
        return limit;
    }

    /** Whether the run would exceed it on any machine. */
    public boolean isDeterministic() {
        return limit == Limit.EVENTS || limit == Limit.MESSAGES;
    }
}
