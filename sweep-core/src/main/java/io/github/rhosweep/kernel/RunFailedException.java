package io.github.rhosweep.kernel;

/** A run came to a point from which no result follows: what flow control promised did not hold, or nothing can move any more. */
public final class RunFailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Why a run failed. */
    public enum Reason {
        /** Buffers wait for each other in a circle. */
        DEADLOCK,
        /** A switch dropped a frame under flow control that is to prevent it. */
        DROP_UNDER_FLOW_CONTROL
    }

    private final Reason reason;

    RunFailedException(Reason reason, String message) {
        super(message);
        this.reason = reason;
    }

    public Reason reason() {
        return reason;
    }
}
