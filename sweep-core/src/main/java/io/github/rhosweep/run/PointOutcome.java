package io.github.rhosweep.run;

import io.github.rhosweep.result.Row;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What running a point added.
 *
 * @param runs rows of {@link Tables#RUNS}, the new replicates alone
 * @param point row of {@link Tables#POINTS} over all replicates, or null if it failed or nothing was added
 * @param failure row of {@link Tables#FAILURES}, or null
 * @param recorded what else was kept of the runs
 */
public record PointOutcome(
        List<Row> runs, @Nullable Row point, @Nullable Row failure, List<RecordedRows> recorded) {
    public PointOutcome {
        runs = List.copyOf(runs);
        recorded = List.copyOf(recorded);
    }
}
