package io.github.rhosweep.fuzz;

import io.github.rhosweep.scenario.InvalidFileException;
import io.github.rhosweep.scenario.InvalidValueException;
import io.github.rhosweep.store.FolderRefusedException;
import java.io.IOException;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What a wrong input may come to: one of the program's own refusals, of lines that a person can act on. */
final class Oracle {
    /** More than this nobody reads. */
    private static final int LONGEST_LINE = 2000;

    private static final Pattern CLASS_NAME = Pattern.compile(
            "\\b(java|javax|com|org|io|net|sun)\\.[a-z0-9]+\\.[A-Za-z0-9.]*[A-Z]|\\bat [a-z]+\\.[a-z]+\\.|Exception\\b");
    private static final Pattern QUOTED = Pattern.compile("`[^`]*`");

    private Oracle() {}

    /** What is wrong with a refusal, null if nothing. */
    static @Nullable String faultOf(Throwable refusal) {
        boolean own = refusal instanceof InvalidValueException
                || refusal instanceof FolderRefusedException
                || refusal instanceof IOException;
        if (!own) {
            return "threw " + refusal;
        }
        List<String> lines = refusal instanceof InvalidFileException file
                ? file.problems()
                : String.valueOf(refusal.getMessage()).lines().toList();
        if (lines.isEmpty()) {
            return "says nothing: " + refusal;
        }
        for (String line : lines) {
            // What the inputs hold may be quoted.
            String said = QUOTED.matcher(line).replaceAll("``").replaceAll("javax\\.\\S*|java\\.net\\S*", "");
            if (line.isBlank() || line.equals("null")) {
                return "says nothing: " + refusal;
            }
            if (line.chars().anyMatch(c -> c < ' ' || c == 0x7F || c == 0x2028 || c == 0x202E)) {
                return "has control characters: " + line.replaceAll("\\p{Cntrl}", "?");
            }
            if (line.length() > LONGEST_LINE) {
                return "has " + line.length() + " characters: " + line.substring(0, 200);
            }
            if (CLASS_NAME.matcher(said).find()) {
                return "names a class: " + line;
            }
        }
        return null;
    }
}
