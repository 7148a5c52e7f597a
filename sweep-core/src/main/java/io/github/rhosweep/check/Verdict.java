package io.github.rhosweep.check;

import java.util.Locale;

/** What an equivalence test says of a claim. */
public enum Verdict {
    /** The interval lies within what is claimed, margin included. */
    HOLDS,
    /** The interval lies outside of it. */
    REFUTED,
    /** Neither: the interval is too wide, or the value does not exist. */
    UNDECIDED;

    /** In lower case. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
