package io.github.rhosweep.fit;

import io.github.rhosweep.scenario.Parameter;

/** What a held-out point has that those fitted to had not; from {@link #UNSEEN_SETTING} on no method is ranked by it. */
public enum HeldOut {
    /** Nothing: a fifth of the points, drawn at random, five times. */
    RANDOM,
    /** Its load: every fourth load between the ends, four times. */
    UNSEEN_LOADS,
    /** More flows than any: all of more than half of the most flows. */
    LARGER_FLOWS,
    /** Its topology or setting of the switch: each value in turn. */
    UNSEEN_SETTING,
    /** It meets a condition that was asked for. */
    ASKED;

    /** As in files. */
    public String id() {
        return Parameter.label(this);
    }
}
