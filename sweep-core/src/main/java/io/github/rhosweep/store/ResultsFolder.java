package io.github.rhosweep.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.rhosweep.result.Column;
import io.github.rhosweep.result.Row;
import io.github.rhosweep.scenario.InputFile;
import io.github.rhosweep.scenario.InputFiles;
import io.github.rhosweep.scenario.InvalidValueException;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A results folder: {@code experiment.yaml}, {@code effective.yaml}, {@code manifest.json}, one folder of Parquet files a table,
 * copies of the files that the experiment names in {@code inputs}, and, hidden from readers, {@code .lock} and {@code _temporary}.
 *
 * <p>A shard's files, one a table, become visible together or not at all, although they are several:
 *
 * <ol>
 *   <li>an attempt writes them, under their final content, into a folder of its own below {@code _temporary};
 *   <li>it renames that folder to the shard's one name {@code <shard>.ready}: the rename fails if another attempt's is there, so
 *       exactly one attempt wins, and from here on the shard is decided;
 *   <li>whoever finds a ready folder (the winner, a later attempt, the next invocation after a crash) links its files into the
 *       tables, failures first and points last, skipping those already there, and removes it.
 * </ol>
 *
 * A link never overwrites, so a committed file is never touched again; a crash between two links is finished by
 * {@link #recover}, and a point that has its row in {@code points} has its rows in {@code runs}.
 */
public final class ResultsFolder {
    private static final String MANIFEST = "manifest.json";
    /** Bytes of a manifest: a thousand times what it takes. */
    private static final int MAX_MANIFEST = 1 << 20;
    /** An experiment of 1 MiB with its presets and what options added. */
    private static final int MAX_TEXT = 16 << 20;

    private static final String LOCK = ".lock";
    private static final String TEMPORARY = "_temporary";
    private static final String READY = ".ready";
    private static final String PARQUET = ".parquet";

    /** Names of rewritten files; those of shards begin with the invocation's number. */
    private static final Pattern REWRITTEN = Pattern.compile("g([0-9]{4,9})-[0-9]{6,}\\.parquet");

    /** Of the manifest, null where an earlier release wrote it. */
    private static final List<String> NEW_FIELDS = List.of("compacted", "budget");

    private static final ObjectMapper JSON = new ObjectMapper()
            .enable(SerializationFeature.INDENT_OUTPUT)
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES);

    private final Location dir;
    private final Storage storage;

    /** Names a folder; nothing is read or made yet. */
    public ResultsFolder(Location dir) {
        this.dir = dir;
        this.storage = dir.storage();
    }

    /** Names a folder of this machine. */
    public ResultsFolder(Path dir) {
        this(Location.of(dir));
    }

    /**
     * Opens a folder that holds results.
     *
     * @throws FolderRefusedException if it holds none, or its manifest cannot be read
     * @throws IOException if it cannot be read
     */
    public static ResultsFolder existing(Location dir) throws IOException {
        ResultsFolder folder = new ResultsFolder(dir);
        if (folder.storage.isFile(dir)) {
            throw new FolderRefusedException(folder.dir + " is a file, not a results folder");
        }
        if (folder.manifest() == null) {
            throw new FolderRefusedException(folder.dir
                    + " is no results folder: it holds no manifest.json. Maybe `rhosweep run FILE --out " + dir
                    + "` first");
        }
        return folder;
    }

    /** Where it is. */
    public Location dir() {
        return dir;
    }

    /**
     * Makes sure that the folder exists, is ours and is nobody else's at the moment.
     *
     * @return the lock; it is dropped if this process dies: at once on this machine, after half a minute where a cluster's file system
     *     holds the folder
     * @throws FolderRefusedException if the path is no folder, holds foreign files under our names, or another run holds it
     * @throws IOException if the folder cannot be made or written to
     */
    public Lock lock() throws IOException {
        if (dir.isLocal()) {
            for (Path p = dir.path(); p != null; p = p.getParent()) {
                refuseFile(Location.of(p));
            }
        } else {
            refuseFile(dir);
        }
        if (!storage.exists(dir.resolve(MANIFEST))) {
            for (String name : List.of("experiment.yaml", "effective.yaml", "runs", "points", "failures", TEMPORARY)) {
                if (storage.exists(dir.resolve(name))) {
                    throw new FolderRefusedException(
                            dir + " holds `" + name
                                    + "` but no manifest.json, so it is not known to be a results folder. Maybe choose another --out");
                }
            }
        }
        for (Table table : Table.values()) {
            refuseFile(dir.resolve(table.folder()));
        }
        refuseFile(dir.resolve(TEMPORARY));
        storage.makeFolder(dir);
        Storage.Held held = storage.lock(dir.resolve(LOCK));
        if (held == null) {
            throw new FolderRefusedException(
                    "another run is writing to " + dir + ". Wait for it to end or choose another --out");
        }
        return new Lock(held);
    }

    private void refuseFile(Location location) throws IOException {
        storage.refuseDeadLink(location);
        if (storage.isFile(location)) {
            throw new FolderRefusedException(location + " is a file, not a folder. Maybe choose another --out");
        }
    }

    /** Held while a run writes to the folder. */
    public static final class Lock implements AutoCloseable {
        private final Storage.Held held;

        private Lock(Storage.Held held) {
            this.held = held;
        }

        /** False once another run has taken the folder over, because this one gave no sign of life for too long. */
        public boolean isHeld() {
            return held.isHeld();
        }

        /** Lets the next run in. */
        @Override
        public void close() throws IOException {
            held.close();
        }
    }

    /**
     * The manifest, null if the folder has none.
     *
     * @throws FolderRefusedException if there is one that cannot be understood
     */
    public @Nullable Manifest manifest() throws IOException {
        Location file = dir.resolve(MANIFEST);
        try {
            byte[] json = small(file, MAX_MANIFEST);
            JsonNode tree = JSON.readTree(json);
            if (tree instanceof ObjectNode fields) {
                NEW_FIELDS.stream().filter(name -> !fields.has(name)).forEach(fields::putNull);
            }
            Manifest manifest = JSON.treeToValue(tree, Manifest.class);
            if (manifest == null || manifest.schemaVersion() < 1) {
                throw new FolderRefusedException(file + " holds no manifest; it was left as it is");
            }
            if (manifest.schemaVersion() > Manifest.SCHEMA_VERSION) {
                throw new FolderRefusedException(file + " is of layout " + manifest.schemaVersion()
                        + ", this release knows up to " + Manifest.SCHEMA_VERSION + ". Maybe use a newer release");
            }
            return manifest;
        } catch (NoSuchFileException none) {
            return null;
        } catch (JsonProcessingException unreadable) {
            throw new FolderRefusedException(file + " cannot be read (" + reason(unreadable)
                    + "); it was left as it is. Maybe restore it, or choose another --out");
        }
    }

    private byte[] small(Location file, int most) throws IOException {
        byte[] content = storage.read(file, most);
        if (content.length > most) {
            throw new FolderRefusedException(file + ": found more than " + most + " bytes, expected at most "
                    + (most >> 20) + " MiB; it was left as it is");
        }
        return content;
    }

    /** What Jackson says, without its settings and our classes. */
    private static String reason(JsonProcessingException unreadable) {
        String said = unreadable.getOriginalMessage();
        return unreadable instanceof JsonMappingException
                ? said.replaceAll("(?s)( \\(|;).*", "")
                        .replace("creator property", "field")
                        .replaceAll("`io\\.github[^`]*`", "manifest")
                : said;
    }

    /** Replaces the manifest in one step. */
    public void write(Manifest manifest) throws IOException {
        storage.replace(dir.resolve(MANIFEST), JSON.writeValueAsBytes(manifest));
    }

    /** Replaces a small text file of the folder in one step. */
    public void writeText(String name, String text) throws IOException {
        storage.replace(dir.resolve(name), text.getBytes(UTF_8));
    }

    /** A small text file of the folder. */
    public String readText(String name) throws IOException {
        return new String(small(dir.resolve(name), MAX_TEXT), UTF_8);
    }

    /** Keeps a copy of a file that the experiment names, so that the folder can be gone on with anywhere. */
    public void write(InputFile file) throws IOException {
        Location copy = dir.resolve(file.copyName());
        if (!storage.exists(copy)) {
            storage.makeFolder(dir.resolve(InputFile.FOLDER));
            storage.replace(copy, file.content());
        }
    }

    /**
     * Finds those copies by the names that {@code effective.yaml} has for them. A name that no copy can have is refused: a folder
     * from elsewhere shall not have files outside it read.
     */
    public InputFiles inputFiles() {
        return (name, position) -> {
            String hash = InputFile.hashOfCopy(name);
            if (hash == null || name.indexOf('/', InputFile.FOLDER.length() + 1) >= 0) {
                throw new InvalidValueException(
                        "`" + name + "` is no copy of a file, expected " + InputFile.FOLDER + "/ and a SHA-256 in hex");
            }
            try {
                InputFile file = InputFile.of(name, small(dir.resolve(name), InputFile.MAX_BYTES));
                if (!file.sha256().equals(hash)) {
                    throw new InvalidValueException("`" + name + "` holds what its name does not say (SHA-256 "
                            + file.sha256() + "). Maybe restore it");
                }
                return file;
            } catch (IOException unreadable) {
                throw new InvalidValueException("`" + name + "` cannot be read (" + unreadable + ")");
            }
        };
    }

    /** The copy of a file by the SHA-256 of its content, null if there is none. */
    public @Nullable InputFile inputOfHash(String sha256) {
        try {
            for (Location copy : storage.list(dir.resolve(InputFile.FOLDER))) {
                String name = InputFile.FOLDER + "/" + copy.name();
                if (sha256.equals(InputFile.hashOfCopy(name))) {
                    InputFile file = InputFile.of(name, small(copy, InputFile.MAX_BYTES));
                    return file.sha256().equals(sha256) ? file : null;
                }
            }
            return null;
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** The committed files of a table that count, by name; none if there are none. */
    public List<Location> files(Table table) throws IOException {
        while (true) {
            Manifest.Compacted compacted = compacted();
            List<Location> all = allFiles(table);
            // A rewriting that ended since would have us leave out what it rewrote and not see what it wrote.
            if (all.isEmpty() || Objects.equals(compacted, compacted())) {
                return all.stream()
                        .filter(file -> counts(file.name(), compacted))
                        .toList();
            }
        }
    }

    /**
     * The committed files of all tables at one moment: of each shard all or none, also while a run commits more or {@code compact}
     * rewrites them.
     *
     * @throws FolderRefusedException if a file of a shard was lost, as {@link #requirePairs} says
     */
    public Map<Table, List<Location>> wholeShards() throws IOException {
        while (true) {
            Manifest.Compacted compacted = compacted();
            Map<Table, List<Location>> files = new EnumMap<>(Table.class);
            // Points get their place last: whose points are there when the others are looked for is whole.
            List<Table> lastFirst = new ArrayList<>(List.of(Table.values()));
            Collections.reverse(lastFirst);
            for (Table table : lastFirst) {
                files.put(table, files(table));
            }
            Set<String> points = new TreeSet<>(names(files.getOrDefault(Table.POINTS, List.of())));
            if (!Objects.equals(compacted, compacted())) {
                continue;
            }
            Set<String> underWay = new TreeSet<>();
            for (String name : names(files.getOrDefault(Table.RUNS, List.of()))) {
                if (!points.contains(name) && isUnderWay(name)) {
                    underWay.add(name);
                }
            }
            files.replaceAll((table, all) ->
                    all.stream().filter(file -> !underWay.contains(file.name())).toList());
            requirePairs(new TreeSet<>(names(files.getOrDefault(Table.RUNS, List.of()))), points);
            return files;
        }
    }

    /** Whether a file without points is one whose points have come, or will: its shard is decided. */
    private boolean isUnderWay(String name) throws IOException {
        String shard = name.substring(0, name.length() - PARQUET.length());
        return storage.exists(dir.resolve(TEMPORARY).resolve(shard + READY))
                || storage.exists(file(Table.POINTS, shard));
    }

    private Manifest.@Nullable Compacted compacted() throws IOException {
        Manifest manifest = manifest();
        return manifest == null ? null : manifest.compacted();
    }

    private List<Location> allFiles(Table table) throws IOException {
        return storage.list(dir.resolve(table.folder())).stream()
                .filter(file -> file.name().endsWith(PARQUET) && !file.name().startsWith("."))
                .toList();
    }

    private static boolean counts(String name, Manifest.@Nullable Compacted compacted) {
        Matcher rewritten = REWRITTEN.matcher(name);
        if (rewritten.matches()) {
            return compacted != null && Integer.parseInt(rewritten.group(1)) == compacted.generation();
        }
        int invocation = invocation(name);
        return compacted == null || invocation == 0 || invocation > compacted.through();
    }

    /** Whether a file bears a name that this program gives; others may lie beside them and are left alone. */
    static boolean isOurs(String name) {
        return invocation(name) > 0 || REWRITTEN.matcher(name).matches();
    }

    /** The name of one of the files of a generation, to be {@link #attempt attempted} like a shard. */
    static String generationName(int generation, int part) {
        return String.format(Locale.ROOT, "g%04d-%06d", generation, part);
    }

    /**
     * Removes files that do not count: those that were rewritten, or those of a rewriting that did not come to its end. Only under the
     * {@link #lock}.
     */
    void removeSuperseded() throws IOException {
        Manifest.Compacted compacted = compacted();
        // Runs last: where a crash leaves a file of runs alone, nobody counts it.
        for (Table table : List.of(Table.FAILURES, Table.POINTS, Table.RUNS)) {
            for (Location file : allFiles(table)) {
                if (!counts(file.name(), compacted)) {
                    storage.delete(file);
                }
            }
        }
    }

    /** The columns of a table, over all its files in their order: new ones may have come with a later release. */
    public List<Column> columns(Table table) throws IOException {
        List<Column> all = new ArrayList<>();
        for (Location file : files(table)) {
            for (Column column : RowReader.columnsOf(file)) {
                Column known = all.stream()
                        .filter(c -> c.name().equals(column.name()))
                        .findFirst()
                        .orElse(null);
                if (known == null) {
                    all.add(column);
                } else if (known.type() != column.type()) {
                    throw new IOException("column " + column.name() + " is " + column.type() + " in " + file + " and "
                            + known.type() + " in another file of the table");
                }
            }
        }
        return all;
    }

    /**
     * Finishes what a killed run had decided and clears what it had not. Only under the {@link #lock}, while no task runs.
     *
     * @throws IOException if a committed file cannot be made or an unfinished one not be removed
     */
    public void recover() throws IOException {
        Location temporary = dir.resolve(TEMPORARY);
        Map<String, Location> decided = new TreeMap<>();
        for (Location ready : storage.list(temporary)) {
            if (ready.name().endsWith(READY)) {
                String shard = ready.name().substring(0, ready.name().length() - READY.length());
                requireOurs(shard, ready);
                decided.put(shard, ready);
            }
        }
        for (Map.Entry<String, Location> one : decided.entrySet()) {
            finish(one.getKey(), one.getValue());
        }
        storage.delete(temporary);
        removeSuperseded();
    }

    /**
     * Checks what is about to get its place in the tables: a shard that was decided has a name that this program gives, and its files
     * are whole, since they were closed before. What is not so was put there, and stays where it is.
     */
    private void requireOurs(String shard, Location ready) throws IOException {
        Location folder = storage.decided(ready);
        if (folder == null) {
            return;
        }
        if (!isOurs(shard + PARQUET)) {
            throw new FolderRefusedException(ready + ": a finished shard, but this program gives no such name, expected"
                    + " one such as 0001-000000000000-000000000009" + READY + ". Maybe move it elsewhere");
        }
        for (Table table : Table.values()) {
            Location file = folder.resolve(table.folder() + PARQUET);
            try {
                if (storage.exists(file)) {
                    RowReader.count(file);
                }
            } catch (IOException unreadable) {
                boolean content = unreadable.getCause() instanceof RuntimeException
                        || unreadable.getCause() instanceof EOFException;
                if (!content) {
                    throw unreadable;
                }
                throw new FolderRefusedException(file + " is no whole Parquet file, so that no run has left it"
                        + " there. Maybe move " + ready + " elsewhere; what is missing then runs again");
            }
        }
        // Where links are renames, what has its place is no longer here.
        Location points = folder.resolve(Table.POINTS.folder() + PARQUET);
        boolean runsOf = storage.exists(folder.resolve(Table.RUNS.folder() + PARQUET))
                || storage.exists(file(Table.RUNS, shard));
        boolean pointsOf = storage.exists(points) || storage.exists(file(Table.POINTS, shard));
        if (runsOf && !pointsOf || !runsOf && storage.exists(points) && tellsOfRuns(points)) {
            throw new FolderRefusedException(
                    ready + " holds " + (runsOf ? "runs without their points" : "points without their runs")
                            + ", which no run leaves. Maybe move it elsewhere; what is missing then runs again");
        }
    }

    /**
     * Checks that no file of a shard was lost since it was committed: where there are rows of runs there are rows of their points,
     * and the other way round. What is missing would else count as done, or be run and stored twice.
     *
     * @throws FolderRefusedException if one is missing
     * @throws IOException if a file cannot be read
     */
    public void requirePairs() throws IOException {
        requirePairs(new TreeSet<>(names(files(Table.RUNS))), new TreeSet<>(names(files(Table.POINTS))));
    }

    private void requirePairs(Set<String> runs, Set<String> points) throws IOException {
        for (String name : runs) {
            if (!points.contains(name)) {
                throw widowed(Table.RUNS, Table.POINTS, name);
            }
        }
        for (String name : points) {
            if (!runs.contains(name)
                    && tellsOfRuns(dir.resolve(Table.POINTS.folder()).resolve(name))) {
                throw widowed(Table.POINTS, Table.RUNS, name);
            }
        }
    }

    private FolderRefusedException widowed(Table there, Table missing, String name) {
        return new FolderRefusedException(dir.resolve(there.folder()).resolve(name) + " is there without "
                + missing.folder() + "/" + name
                + (isOurs(name)
                        ? ". Maybe restore that, or remove both to run their points again"
                        : ", and this program gives no such name. Maybe move it elsewhere"));
    }

    private static List<String> names(List<Location> files) {
        return files.stream().map(Location::name).toList();
    }

    /** Whether a file of points holds one that was simulated; rows of predictions alone have no runs. */
    private static boolean tellsOfRuns(Location points) throws IOException {
        List<Column> n = RowReader.columnsOf(points).stream()
                .filter(c -> c.name().equals("n"))
                .toList();
        try (RowReader reader = new RowReader(points, n)) {
            for (Row row = reader.read(); row != null; row = reader.read()) {
                if (!n.isEmpty() && row.values()[0] instanceof Long runs && runs > 0) {
                    return true;
                }
            }
        }
        return false;
    }

    /** The highest invocation that any file of the tables bears in its name, 0 if there is none. */
    public int lastInvocation() throws IOException {
        int last = 0;
        for (Table table : Table.values()) {
            for (Location file : allFiles(table)) {
                last = Math.max(last, invocation(file.name()));
            }
        }
        return last;
    }

    /** The invocation that a file bears in its name, 0 if none. */
    private static int invocation(String name) {
        int end = name.indexOf('-');
        return end > 0 && end < 10 && name.substring(0, end).chars().allMatch(c -> c >= '0' && c <= '9')
                ? Integer.parseInt(name.substring(0, end))
                : 0;
    }

    /** Whether a shard is committed; an attempt that was beaten between its decision and its links is finished first. */
    public boolean isCommitted(String shard) throws IOException {
        finish(shard, dir.resolve(TEMPORARY).resolve(shard + READY));
        return isThere(shard);
    }

    private boolean isThere(String shard) throws IOException {
        return storage.exists(file(Table.POINTS, shard)) || storage.exists(file(Table.FAILURES, shard));
    }

    /** Rows of a committed shard in a table. */
    public long rows(Table table, String shard) throws IOException {
        Location file = file(table, shard);
        return storage.exists(file) ? RowReader.count(file) : 0;
    }

    /** Begins an attempt at a shard. */
    public ShardWriter attempt(String shard, String attempt) throws IOException {
        Location work = dir.resolve(TEMPORARY).resolve(shard + "." + attempt);
        storage.makeFolder(work);
        return new ShardWriter(this, shard, work);
    }

    /** Notes on a shard's points by attempts that followed the death of another. */
    public Trials trials(String shard) throws IOException {
        return new Trials(dir.resolve(TEMPORARY).resolve(shard + ".trials"));
    }

    /** The decision: at most one attempt of a shard succeeds. The files of a beaten one are dropped. */
    void commit(String shard, Location work) throws IOException {
        Location ready = dir.resolve(TEMPORARY).resolve(shard + READY);
        if (!isCommitted(shard)) {
            try {
                if (storage.decide(work, ready) && isThere(shard)) {
                    // Another attempt had its files in place and its declaration removed since we looked.
                    storage.delete(ready);
                }
            } catch (IOException beaten) {
                if (!isCommitted(shard)) {
                    throw beaten;
                }
            }
            finish(shard, ready);
        }
        storage.delete(work);
    }

    /** Gives a ready folder's files their places in the tables; harmless when others do, or did, the same. */
    private void finish(String shard, Location ready) throws IOException {
        Location decided = storage.decided(ready);
        if (decided == null) {
            return;
        }
        for (Table table : Table.values()) {
            Location source = decided.resolve(table.folder() + PARQUET);
            if (!storage.exists(source)) {
                continue; // no rows for this table
            }
            Location target = file(table, shard);
            storage.makeFolder(dir.resolve(table.folder()));
            storage.publish(source, target);
        }
        // The name last: while it stands, what is to be done can be known.
        if (!decided.equals(ready)) {
            storage.delete(decided);
        }
        storage.delete(ready);
    }

    private Location file(Table table, String shard) {
        return dir.resolve(table.folder()).resolve(shard + PARQUET);
    }

    /** Drops an attempt. */
    void drop(Location work) throws IOException {
        storage.delete(work);
    }
}
