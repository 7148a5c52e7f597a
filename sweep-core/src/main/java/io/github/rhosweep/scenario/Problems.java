package io.github.rhosweep.scenario;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Collects everything wrong with an input, so that it can be said at once: one line each, {@code FILE:LINE: key: ...}. */
public final class Problems {
    /** Lines beyond these would hide the first ones. */
    private static final int SHOWN = 50;

    /** More are counted, not kept: a file may be wrong in millions of lines. */
    private static final int KEPT = 1000;

    private final Set<String> lines = new LinkedHashSet<>();
    private int more;

    /** Notes one problem; a repeated line is kept once. */
    public void add(Position at, String message) {
        keep(Text.visible(at + ": " + InvalidValueException.cut(message)));
    }

    /** Notes one problem of a key. */
    public void add(Position at, String key, String message) {
        add(at, key + ": " + message);
    }

    /** How many there are so far. */
    public int count() {
        return lines.size() + more;
    }

    /** Notes what is wrong with another file, each line with its own place. */
    public void addAll(InvalidFileException other) {
        other.problems().forEach(this::keep);
    }

    private void keep(String line) {
        if (lines.size() < KEPT) {
            lines.add(line);
        } else if (!lines.contains(line)) {
            more++;
        }
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
            int hidden = shown.size() - SHOWN + more;
            shown = new ArrayList<>(shown.subList(0, SHOWN));
            shown.add("... and " + hidden + " more problems");
        }
        return new InvalidFileException(shown);
    }
}
