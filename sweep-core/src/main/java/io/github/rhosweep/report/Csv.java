package io.github.rhosweep.report;

import io.github.rhosweep.result.Column;
import io.github.rhosweep.result.Row;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Rows as CSV (RFC 4180): a line of names, null as nothing. A text that a spreadsheet would take for a formula gets an apostrophe in
 * front: names of experiments are anybody's.
 */
public final class Csv {
    private Csv() {}

    /** @param rows at least one, all of the same columns */
    public static String of(List<Row> rows) {
        StringBuilder csv = new StringBuilder();
        csv.append(rows.get(0).columns().stream().map(Column::name).collect(Collectors.joining(",")))
                .append('\n');
        for (Row row : rows) {
            csv.append(Arrays.stream(row.values()).map(Csv::cell).collect(Collectors.joining(",")))
                    .append('\n');
        }
        return csv.toString();
    }

    private static String cell(@Nullable Object value) {
        String text = value == null ? "" : value.toString();
        if (value instanceof String && text.matches("(?s)[=+\\-@\t\r].*")) {
            text = "'" + text;
        }
        return text.matches("(?s).*[\",\r\n].*") ? '"' + text.replace("\"", "\"\"") + '"' : text;
    }
}
