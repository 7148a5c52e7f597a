package io.github.rhosweep.summary;

import io.github.rhosweep.result.Column;
import io.github.rhosweep.result.Row;
import io.github.rhosweep.run.Tables;
import io.github.rhosweep.store.Location;
import io.github.rhosweep.store.ResultsFolder;
import io.github.rhosweep.store.RowReader;
import io.github.rhosweep.store.Table;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Why points failed, grouped: the same trouble with other numbers is one reason. */
public final class FailureReasons {
    private static final int SHOWN = 5;
    private static final List<Column> COLUMNS = Tables.FAILURES.stream()
            .filter(c -> c.name().equals("kind") || c.name().equals("reason"))
            .toList();

    private FailureReasons() {}

    /** From a reason to how many rows of {@code failures} have it, the most frequent first, five at most. */
    public static Map<String, Long> of(ResultsFolder folder) throws IOException {
        Map<String, Long> times = new TreeMap<>();
        Map<String, String> examples = new TreeMap<>();
        for (Location file : folder.files(Table.FAILURES)) {
            try (RowReader reader = new RowReader(file, COLUMNS)) {
                for (Row row = reader.read(); row != null; row = reader.read()) {
                    String reason = row.values()[0] + ": " + row.values()[1];
                    String group = reason.replaceAll("\\d+", "#");
                    times.merge(group, 1L, Long::sum);
                    examples.putIfAbsent(group, reason);
                }
            }
        }
        Map<String, Long> shown = new LinkedHashMap<>();
        times.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                .limit(SHOWN)
                .forEach(entry -> shown.put(examples.getOrDefault(entry.getKey(), entry.getKey()), entry.getValue()));
        return shown;
    }
}
