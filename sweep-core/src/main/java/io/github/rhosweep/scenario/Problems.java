package io.github.rhosweep.scenario;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Collects everything wrong with an input, so that it can be said at once: one line each, {@code FILE:LINE: key: ...}. */
public final class Problems {
    /** Lines beyond these would hide the first ones. */
    private static final int SHOWN = 50;

    private final Set<String> lines = new LinkedHashSet<>();

    /** Notes one problem; a repeated line is kept once. */
    public void add(Position at, String message) {
        lines.add(Text.visible(at + ": " + InvalidValueException.cut(message)));
    }

    /** Notes one problem of a key. */
    public void add(Position at, String key, String message) {
        add(at, key + ": " + message);
    }

    /** How many there are so far. */
    public int count() {
        return lines.size();
    }

    /** Notes what is wrong with another file, each line with its own place. */
    public void addAll(InvalidFileException other) {
        lines.addAll(other.problems());
    }

    public boolean isEmpty() {
        return lines.isEmpty();
    }

    /** @throws InvalidFileException with all problems, if there are any */
    public void throwIfAny() {
        if (!lines.isEmpty()) {
            throw exception();
        }
    }

    /** All problems so far as an exception. */
    public InvalidFileException exception() {
        List<String> shown = new ArrayList<>(lines);
        if (shown.size() > SHOWN) {
            int more = shown.size() - SHOWN;
            shown = new ArrayList<>(shown.subList(0, SHOWN));
            shown.add("... and " + more + " more problems");
        }
        return new InvalidFileException(shown);
    }
}
