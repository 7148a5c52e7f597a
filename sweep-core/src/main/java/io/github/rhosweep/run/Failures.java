package io.github.rhosweep.run;

import io.github.rhosweep.kernel.RunFailedException;
import io.github.rhosweep.kernel.RunLimitException;
import java.util.Locale;

/** What a failure's row says of an exception. */
public final class Failures {
    private Failures() {}

    static String kind(Throwable failure) {
        if (failure instanceof RunFailedException failed) {
            return failed.reason().name().toLowerCase(Locale.ROOT);
        }
        if (failure instanceof ExecutorLostException) {
            return "executor_lost";
        }
        return failure instanceof RunLimitException exceeded
                ? exceeded.limit().name().toLowerCase(Locale.ROOT) + "_limit"
                : "error";
    }

    /** Class and message, and those of its causes; of a run that was given up or failed by its own rules the message alone. */
    public static String reason(Throwable failure) {
        if (failure.getMessage() != null
                && (failure instanceof RunLimitException
                        || failure instanceof RunFailedException
                        || failure instanceof ExecutorLostException)) {
            return failure.getMessage();
        }
        StringBuilder reason = new StringBuilder();
        for (Throwable t = failure; t != null; t = t.getCause()) {
            if (reason.length() > 0) {
                reason.append(", caused by ");
            }
            reason.append(t.getClass().getName());
            if (t.getMessage() != null) {
                reason.append(": ").append(t.getMessage());
            }
        }
        return reason.toString();
    }

    /** The innermost frame of the root cause: {@code class.method(File.java:12)}; empty where the JVM kept none. */
    static String where(Throwable failure) {
        if (failure instanceof ExecutorLostException) {
            return ""; // where it was noticed says nothing
        }
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        StackTraceElement[] frames = root.getStackTrace();
        return frames.length == 0 ? "" : frames[0].toString();
    }
}
