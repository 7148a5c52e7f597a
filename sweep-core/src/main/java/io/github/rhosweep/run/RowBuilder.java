package io.github.rhosweep.run;

import io.github.rhosweep.result.Column;
import io.github.rhosweep.result.Row;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Fills a row from left to right. */
final class RowBuilder {
    private final List<Column> columns;
    private final @Nullable Object[] values;
    private int next;

    RowBuilder(List<Column> columns) {
        this.columns = columns;
        this.values = new Object[columns.size()];
    }

    void add(@Nullable Object value) {
        values[next++] = value;
    }

    void addAll(@Nullable Object[] several) {
        for (Object value : several) {
            add(value);
        }
    }

    /** @throws IllegalStateException if a column was left out */
    Row build() {
        if (next != values.length) {
            throw new IllegalStateException(next + " values for " + values.length + " columns");
        }
        return new Row(columns, values);
    }
}
