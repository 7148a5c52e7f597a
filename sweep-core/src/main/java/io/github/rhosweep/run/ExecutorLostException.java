package io.github.rhosweep.run;

/** The processes that ran a point died, one after the other. */
final class ExecutorLostException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ExecutorLostException(String message) {
        super(message);
    }
}
