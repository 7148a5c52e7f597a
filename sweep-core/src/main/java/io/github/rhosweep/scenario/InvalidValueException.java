package io.github.rhosweep.scenario;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A value that a parameter does not take; the message says what was found and what was expected, in one line. */
public class InvalidValueException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    /** What was found may be a whole file pasted in the wrong place: nobody reads more of it than this. */
    private static final Pattern LONG_QUOTE = Pattern.compile("`([^`\n]{80})[^`\n]{20,}`");

    public InvalidValueException(String message) {
        super(cut(message));
    }

    /** The message with long quotes cut. */
    static String cut(@Nullable String message) {
        return message == null ? "" : LONG_QUOTE.matcher(message).replaceAll("`$1...`");
    }
}
