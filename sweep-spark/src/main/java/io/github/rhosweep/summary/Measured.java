package io.github.rhosweep.summary;

import io.github.rhosweep.fit.Dataset;
import io.github.rhosweep.model.AnalyticModel;
import io.github.rhosweep.model.Models;
import io.github.rhosweep.model.Target;
import io.github.rhosweep.result.Row;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a report keeps of a simulated point.
 *
 * @param key of the point
 * @param n replicates
 * @param shown what was measured
 * @param p99HalfWidth of the interval around the 0.99-quantile, ns; null if it is not known
 * @param regime of load; null if load is no input
 * @param comparable whether models may be held against it: a mean of survivors, or without a steady state, is about something else
 * @param predicted mean message latency in ns by each of {@link #MODELS}; NaN where a model gives none
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Measured(
        String key,
        long n,
        Shown shown,
        @Nullable Double p99HalfWidth,
        @Nullable String regime,
        boolean comparable,
        double[] predicted) {
    /** Those that predict mean message latency, in the order of columns. */
    static final List<AnalyticModel> MODELS = Models.all().stream()
            .filter(m -> m.targets().contains(Target.MESSAGE))
            .toList();

    private static final List<String> PREDICTIONS =
            MODELS.stream().map(m -> Models.column(m, Target.MESSAGE)).toList();

    private static final String P99_HALF_WIDTH = "message_latency_p99_half_width_ns";

    /** The columns that {@link #of} reads, by name. */
    static Set<String> columns() {
        Set<String> columns = new HashSet<>(Shown.columns());
        columns.addAll(PREDICTIONS);
        columns.addAll(Set.of("point_key", "n", "regime", "stable", P99_HALF_WIDTH));
        return columns;
    }

    /** Of a row of {@code points}; null if it was not simulated. */
    static @Nullable Measured of(Row row) {
        if (!(row.get("n") instanceof Long n) || n == 0) {
            return null;
        }
        double[] predicted = new double[MODELS.size()];
        for (int m = 0; m < predicted.length; m++) {
            predicted[m] = row.get(PREDICTIONS.get(m)) instanceof Double d ? d : Double.NaN;
        }
        Shown shown = Shown.of(row);
        Double lost = shown.lost();
        return new Measured(
                PointRows.key(row),
                n,
                shown,
                Shown.number(row, P99_HALF_WIDTH),
                row.get("regime") instanceof String regime ? regime : null,
                shown.latency() != null
                        && !Boolean.FALSE.equals(row.get("stable"))
                        && (lost == null || lost <= Dataset.LOSSY),
                predicted);
    }

    /** (predicted - measured)/measured; NaN if there is none. */
    double error(int model) {
        Double latency = shown.latency();
        return comparable && latency != null ? predicted[model] / latency - 1 : Double.NaN;
    }

    /** Mean latency over what a model predicts; null if there is none. */
    @Nullable
    Double over(int model) {
        Double latency = shown.latency();
        return latency == null || Double.isNaN(predicted[model]) ? null : Double.valueOf(latency / predicted[model]);
    }
}
