package io.github.rhosweep.run;

import io.github.rhosweep.result.Column;
import io.github.rhosweep.scenario.Parameter.ColumnType;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Means and confidence intervals over the replicates of one point, column by column; a null counts for nothing. */
final class ReplicateStatistics {
    /** Of half-widths for which nothing else was asked. */
    static final double CONFIDENCE = 0.95;

    private final List<Column> columns;
    private final StudentQuantiles quantiles;
    private final List<@Nullable Object[]> runs = new ArrayList<>();

    ReplicateStatistics(List<Column> columns, StudentQuantiles quantiles) {
        this.columns = columns;
        this.quantiles = quantiles;
    }

    /** Adds a replicate: a value a column. Order matters to the last bit of a mean, so add in the order of replicates. */
    void add(@Nullable Object[] values) {
        if (values.length != columns.size()) {
            throw new IllegalArgumentException(values.length + " values for " + columns.size() + " columns");
        }
        runs.add(values);
    }

    /** Replicates so far. */
    int n() {
        return runs.size();
    }

    /** Replicates in which a column has a value. */
    int n(int column) {
        int n = 0;
        for (Object[] run : runs) {
            if (run[column] != null) {
                n++;
            }
        }
        return n;
    }

    /** The mean of a numeric column over the replicates that have it; null if none has. */
    @Nullable
    Double mean(int column) {
        int n = 0;
        double first = 0;
        double sum = 0; // of differences to the first, so that the mean of equal values is that value
        for (Object[] run : runs) {
            if (run[column] instanceof Number value) {
                if (n++ == 0) {
                    first = value.doubleValue();
                }
                sum += value.doubleValue() - first;
            }
        }
        return n == 0 ? null : Double.valueOf(first + sum / n);
    }

    /**
     * Half-width of the confidence interval of a numeric column's mean, {@code t(n-1) s / sqrt(n)}; null with fewer than two
     * values.
     */
    @Nullable
    Double halfWidth(int column, double confidence) {
        int n = n(column);
        Double mean = mean(column);
        if (n < 2 || mean == null) {
            return null;
        }
        double squares = 0;
        for (Object[] run : runs) {
            if (run[column] instanceof Number value) {
                double deviation = value.doubleValue() - mean;
                squares += deviation * deviation;
            }
        }
        return quantiles.of(n - 1, confidence) * Math.sqrt(squares / (n - 1) / n);
    }

    /** What a point's row says of a column: the mean of numbers, "in all" of flags, the text that all share. */
    @Nullable
    Object summary(int column) {
        ColumnType type = columns.get(column).type();
        if (type == ColumnType.INT64 || type == ColumnType.DOUBLE) {
            return mean(column);
        }
        Object shared = null;
        for (Object[] run : runs) {
            Object value = run[column];
            if (value == null) {
                continue;
            }
            if (shared == null) {
                shared = value;
            } else if (type == ColumnType.BOOLEAN) {
                shared = (Boolean) shared && (Boolean) value;
            } else if (!Objects.equals(shared, value)) {
                return "mixed";
            }
        }
        return shared;
    }
}
