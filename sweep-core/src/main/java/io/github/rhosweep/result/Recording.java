package io.github.rhosweep.result;

import org.jspecify.annotations.Nullable;

/**
 * What was kept of a run besides its row.
 *
 * @param flows null if not asked for
 * @param series null if not asked for
 */
public record Recording(@Nullable FlowLog flows, @Nullable SeriesLog series) {
    /** Null if neither was kept. */
    public static @Nullable Recording of(@Nullable FlowLog flows, @Nullable SeriesLog series) {
        return flows == null && series == null ? null : new Recording(flows, series);
    }
}
