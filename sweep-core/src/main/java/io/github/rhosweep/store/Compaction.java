package io.github.rhosweep.store;

import io.github.rhosweep.result.Column;
import io.github.rhosweep.result.Row;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * Rewrites a folder's many small files into few large ones. No row is changed, dropped or put elsewhere in the order of files.
 *
 * <p>The new files, a generation, are written and get their places beside the old ones; then the manifest, replaced in one step, says
 * that they count and the old ones do not; then the old ones are removed. Whatever a crash leaves, the manifest tells which files
 * count, and {@link ResultsFolder#recover} removes the others.
 */
public final class Compaction {
    private final ResultsFolder folder;
    private final long rowsPerFile;
    private final Observer observer;

    /** Told of each step before it is taken; a test throws there. */
    @FunctionalInterface
    interface Observer {
        void before(String step);
    }

    /**
     * What it did.
     *
     * @param before files that counted
     * @param after files that count now
     * @param rows of all tables
     */
    public record Result(int before, int after, long rows) {}

    /** @param rowsPerFile rows of runs or points from which on a file is full */
    public Compaction(ResultsFolder folder, long rowsPerFile) {
        this(folder, rowsPerFile, step -> {});
    }

    Compaction(ResultsFolder folder, long rowsPerFile, Observer observer) {
        this.folder = folder;
        this.rowsPerFile = rowsPerFile;
        this.observer = observer;
    }

    /**
     * Rewrites.
     *
     * @throws FolderRefusedException if somebody else writes to the folder, or it has lost files
     * @throws IOException if a file cannot be read or written; the folder holds what it held
     */
    public Result run() throws IOException {
        try (ResultsFolder.Lock lock = folder.lock()) {
            folder.recover();
            folder.requirePairs();
            Manifest manifest = folder.manifest();
            if (manifest == null) {
                throw new FolderRefusedException(folder.dir() + " is no results folder: it holds no manifest.json");
            }
            Map<Table, List<Location>> old = new LinkedHashMap<>();
            int before = 0;
            for (Table table : Table.values()) {
                List<Location> files = folder.files(table).stream()
                        .filter(file -> ResultsFolder.isOurs(file.name()))
                        .toList();
                old.put(table, files);
                before += files.size();
            }
            int generation =
                    manifest.compacted() == null ? 1 : manifest.compacted().generation() + 1;
            long rows = rewrite(old, generation);
            observer.before("manifest");
            if (!lock.isHeld()) {
                throw new FolderRefusedException(folder.dir() + " has been taken over by another run");
            }
            folder.write(manifest.compacted(
                    new Manifest.Compacted(generation, Math.max(manifest.invocation(), folder.lastInvocation()))));
            observer.before("removal");
            folder.recover();
            int after = 0;
            for (Table table : Table.values()) {
                after += (int) folder.files(table).stream()
                        .filter(file -> ResultsFolder.isOurs(file.name()))
                        .count();
            }
            return new Result(before, after, rows);
        }
    }

    /** All files of a shard go into one new file a table, so that what belongs together stays so. */
    private long rewrite(Map<Table, List<Location>> old, int generation) throws IOException {
        Map<Table, Map<String, Location>> byName = new LinkedHashMap<>();
        TreeSet<String> shards = new TreeSet<>(Comparator.naturalOrder());
        old.forEach((table, files) -> {
            Map<String, Location> names = new LinkedHashMap<>();
            files.forEach(file -> names.put(file.name(), file));
            byName.put(table, names);
            shards.addAll(names.keySet());
        });
        Map<Table, List<Column>> columns = new LinkedHashMap<>();
        for (Table table : Table.values()) {
            columns.put(table, folder.columns(table));
        }
        long rows = 0;
        int part = 0;
        List<String> group = new ArrayList<>();
        long collected = 0;
        for (String shard : shards) {
            group.add(shard);
            long most = 0;
            for (Table table : Table.values()) {
                Location file = byName.getOrDefault(table, Map.of()).get(shard);
                most = Math.max(most, file == null ? 0 : RowReader.count(file));
            }
            collected += most;
            if (collected >= rowsPerFile || shard.equals(shards.last())) {
                observer.before("part " + part);
                rows += write(group, byName, columns, ResultsFolder.generationName(generation, part++));
                group.clear();
                collected = 0;
            }
        }
        return rows;
    }

    private long write(
            List<String> shards,
            Map<Table, Map<String, Location>> byName,
            Map<Table, List<Column>> columns,
            String name)
            throws IOException {
        long rows = 0;
        try (ShardWriter writer = folder.attempt(name, "compact")) {
            for (Table table : Table.values()) {
                for (String shard : shards) {
                    Location file = byName.getOrDefault(table, Map.of()).get(shard);
                    if (file == null) {
                        continue;
                    }
                    try (RowReader reader = new RowReader(file, columns.getOrDefault(table, List.of()))) {
                        for (Row row = reader.read(); row != null; row = reader.read()) {
                            writer.write(table, row);
                            rows++;
                        }
                    }
                }
            }
            writer.commit();
        }
        return rows;
    }
}
