package io.github.rhosweep.spark;

/** A job that was ended since one of its tasks threw the cause again and again. */
public final class JobEndedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    JobEndedException(Throwable cause) {
        super(cause);
    }
}
