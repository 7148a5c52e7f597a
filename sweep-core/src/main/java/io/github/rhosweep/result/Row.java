package io.github.rhosweep.result;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One row: a value for each column in order, Boolean, Long, Double or String by the column's type, null where it does not exist.
 *
 * @param columns shared by all rows of a table
 * @param values as many as columns
 */
@SuppressWarnings("ArrayRecordComponent") // never compared; copied nowhere on the way to the file
public record Row(List<Column> columns, @Nullable Object[] values) {
    /** @throws IllegalArgumentException if a value is not of its column's type, or is NaN or infinite */
    public Row {
        if (columns.size() != values.length) {
            throw new IllegalArgumentException(values.length + " values for " + columns.size() + " columns");
        }
        for (int i = 0; i < values.length; i++) {
            Column column = columns.get(i);
            Object value = values[i];
            boolean fits = value == null
                    || switch (column.type()) {
                        case BOOLEAN -> value instanceof Boolean;
                        case INT64 -> value instanceof Long;
                        case DOUBLE -> value instanceof Double d && Double.isFinite(d);
                        case STRING -> value instanceof String;
                    };
            if (!fits) {
                throw new IllegalArgumentException(
                        "column " + column.name() + " (" + column.type() + ") cannot hold " + value);
            }
        }
    }

    /**
     * The value of a column, null if it does not exist here.
     *
     * @throws IllegalArgumentException if there is no such column
     */
    public @Nullable Object get(String name) {
        for (int i = 0; i < values.length; i++) {
            if (columns.get(i).name().equals(name)) {
                return values[i];
            }
        }
        throw new IllegalArgumentException("no column " + name);
    }
}
