package io.github.rhosweep.store;

import java.util.Locale;

/** The tables of a results folder; each is a folder of Parquet files. */
public enum Table {
    /** One row a failed attempt. */
    FAILURES,
    /** One row a flow, where asked for. */
    FLOWS,
    /** One row for each two hosts of which one sends to the other, where asked for. */
    PAIRS,
    /** One row a sampled value, where asked for. */
    SERIES,
    /** One row a run. */
    RUNS,
    /** One row a point. */
    POINTS;

    /** The name of its folder. */
    public String folder() {
        return name().toLowerCase(Locale.ROOT);
    }
}
