package io.github.rhosweep.spark;

import io.github.rhosweep.result.Column;
import io.github.rhosweep.result.Row;
import io.github.rhosweep.run.Tables;
import io.github.rhosweep.scenario.InvalidValueException;
import io.github.rhosweep.scenario.SemanticsVersion;
import io.github.rhosweep.store.FolderRefusedException;
import io.github.rhosweep.store.Location;
import io.github.rhosweep.store.Manifest;
import io.github.rhosweep.store.ResultsFolder;
import io.github.rhosweep.store.RowReader;
import io.github.rhosweep.store.Table;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/** Rows of a folder that are to be run again. */
public final class StoredRows {
    static final Column RUN_KEY = column("run_key");
    static final Column POINT_KEY = column("point_key");

    private static final Set<String> KEYS = Set.of("point_key", "run_key");

    /** Of keys that fit. */
    private static final int MOST_TOLD = 3;

    private StoredRows() {}

    /**
     * Refuses a folder whose rows this program cannot reproduce, by another version of the simulator.
     *
     * @throws FolderRefusedException saying both versions
     */
    public static void requireThisSimulator(ResultsFolder folder) throws IOException {
        Manifest manifest = Objects.requireNonNull(folder.manifest());
        if (manifest.semanticsVersion() != SemanticsVersion.CURRENT) {
            throw new FolderRefusedException(folder.dir() + " holds results of version " + manifest.semanticsVersion()
                    + " of the simulator, this is version " + SemanticsVersion.CURRENT
                    + ": it cannot run their rows again. Maybe use release " + manifest.toolVersion());
        }
    }

    /**
     * The wanted columns that a file holds, in the order of this release.
     *
     * @throws FolderRefusedException if its rows have no keys
     */
    public static List<Column> columnsIn(Location file, List<Column> wanted) throws IOException {
        Set<String> there = new HashSet<>();
        for (Column column : RowReader.columnsOf(file)) {
            there.add(column.name());
        }
        for (Column column : wanted) {
            if (KEYS.contains(column.name()) && !there.contains(column.name())) {
                throw new FolderRefusedException(file + " has no column `" + column.name()
                        + "`: it is no file of results. Maybe move it elsewhere");
            }
        }
        return wanted.stream().filter(c -> there.contains(c.name())).toList();
    }

    /** A row and the table that it was found in. */
    public record Found(Table table, Row row) {}

    /**
     * Finds a run's row, among the failed ones too.
     *
     * @param key a run key; a point key means its first run; the first digits of either will do if they fit one run
     * @throws InvalidValueException if it fits none, or several
     */
    public static Found find(ResultsFolder folder, String key) throws IOException {
        String exact = key.matches("[0-9a-f]{32}") ? key + "-1" : key;
        Set<String> fitting = new TreeSet<>();
        String any = null;
        for (Table table : List.of(Table.RUNS, Table.FAILURES)) {
            for (Location file : folder.files(table)) {
                try (RowReader keys = new RowReader(file, List.of(RUN_KEY))) {
                    long number = 0;
                    for (Row row = keys.read(); row != null; row = keys.read(), number++) {
                        String here = String.valueOf(row.values()[0]);
                        if (here.equals(exact)) {
                            return new Found(table, read(file, table, number));
                        }
                        any = any == null ? here : any;
                        if (fitting.size() < MOST_TOLD && here.startsWith(key)) {
                            fitting.add(here);
                        }
                    }
                }
            }
        }
        if (fitting.isEmpty()) {
            throw new InvalidValueException("--run: no run in " + folder.dir() + " has the key `" + cut(key)
                    + "`. Expected one of the column run_key" + (any == null ? "" : ", such as " + any));
        }
        if (fitting.size() > 1) {
            throw new InvalidValueException("--run: several runs have keys that begin with `" + cut(key)
                    + "`. Expected more digits, or -1, -2, ... for the replicate: " + String.join(", ", fitting)
                    + (fitting.size() == MOST_TOLD ? ", ..." : ""));
        }
        return find(folder, fitting.iterator().next());
    }

    private static String cut(String key) {
        return key.length() > 50 ? key.substring(0, 50) + "..." : key;
    }

    private static Row read(Location file, Table table, long number) throws IOException {
        List<Column> columns = columnsIn(file, table == Table.RUNS ? Tables.RUNS : Tables.FAILURES);
        try (RowReader rows = new RowReader(file, columns)) {
            Row row = rows.read();
            for (long n = 0; n < number; n++) {
                row = rows.read();
            }
            return Objects.requireNonNull(row);
        }
    }

    private static Column column(String name) {
        return Tables.RUNS.stream()
                .filter(c -> c.name().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
