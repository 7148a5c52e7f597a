package io.github.rhosweep.scenario;

import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A value that a parameter does not take; the message says what was found and what was expected, in one line. */
public class InvalidValueException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    /** What was found may be a whole file pasted in the wrong place: nobody reads more of it than this. */
    private static final int MOST_QUOTED = 80;

    /** Characters of a message; the longest that means to be read lists some dozens of names. */
    private static final int MOST_SAID = 1500;

    /** @param message one line; what would break it or move a cursor is shown as its code */
    public InvalidValueException(String message) {
        super(Text.visible(cut(message)));
    }

    /** Several problems, one line each. */
    public InvalidValueException(List<String> lines) {
        super(lines.stream().map(line -> Text.visible(cut(line))).collect(Collectors.joining("\n")));
    }

    /** The message with quotes cut that are much longer than what is shown of them. */
    static String cut(@Nullable String message) {
        if (message == null || message.length() <= MOST_QUOTED) {
            return message == null ? "" : message;
        }
        StringBuilder cut = new StringBuilder();
        String[] parts = message.split("`", -1);
        for (int i = 0; i < parts.length; i++) {
            // Every second part stands between two backquotes.
            boolean quoted = i % 2 == 1 && i < parts.length - 1;
            cut.append(i == 0 ? "" : "`")
                    .append(
                            quoted && parts[i].length() > MOST_QUOTED + 20
                                    ? parts[i].substring(0, MOST_QUOTED) + "..."
                                    : parts[i]);
        }
        // What was found may hold backquotes itself.
        if (cut.length() > MOST_SAID) {
            cut.replace(MOST_SAID / 2, cut.length() - MOST_SAID / 2, " ... ");
        }
        return cut.toString();
    }
}
