package io.github.rhosweep.summary;

import io.github.rhosweep.result.Column;
import io.github.rhosweep.result.Row;
import io.github.rhosweep.run.Tables;
import io.github.rhosweep.store.Location;
import io.github.rhosweep.store.ResultsFolder;
import io.github.rhosweep.store.RowReader;
import io.github.rhosweep.store.Table;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** The rows of a folder's points, each point once: one that got more replicates has a row for each number of them. */
public final class PointRows {
    private static final List<Column> IDENTITY = columns(Set.of("point_key", "n"));

    private PointRows() {}

    /** The columns of {@code points} that bear these names, in the table's order. */
    static List<Column> columns(Set<String> names) {
        return Tables.POINTS.stream().filter(c -> names.contains(c.name())).toList();
    }

    /**
     * Reads them one by one, in the order of files.
     *
     * @param columns what is wanted; {@code point_key} and {@code n} are among them
     * @throws IOException if a file cannot be read
     */
    public static void read(ResultsFolder folder, List<Column> columns, Consumer<Row> reader) throws IOException {
        Map<String, Long> most = new HashMap<>();
        each(folder, IDENTITY, row -> {
            if (row.get("n") instanceof Long n) {
                most.merge(key(row), n, Math::max);
            }
        });
        each(folder, columns, row -> {
            // Removed when taken, so that of equal rows the first counts.
            if (most.remove(key(row), row.get("n"))) {
                reader.accept(row);
            }
        });
    }

    static String key(Row row) {
        return String.valueOf(row.get("point_key"));
    }

    private static void each(ResultsFolder folder, List<Column> columns, Consumer<Row> reader) throws IOException {
        for (Location file : folder.files(Table.POINTS)) {
            try (RowReader rows = new RowReader(file, columns)) {
                for (Row row = rows.read(); row != null; row = rows.read()) {
                    reader.accept(row);
                }
            }
        }
    }
}
