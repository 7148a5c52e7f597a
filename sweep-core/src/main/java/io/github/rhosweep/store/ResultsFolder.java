package io.github.rhosweep.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.github.rhosweep.result.Column;
import io.github.rhosweep.result.Row;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A results folder: {@code experiment.yaml}, {@code effective.yaml}, {@code manifest.json}, one folder of Parquet files a table,
 * and, hidden from readers, {@code .lock} and {@code _temporary}.
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
    private static final String LOCK = ".lock";
    private static final String TEMPORARY = "_temporary";
    private static final String READY = ".ready";
    private static final String PARQUET = ".parquet";

    private static final ObjectMapper JSON = new ObjectMapper()
            .enable(SerializationFeature.INDENT_OUTPUT)
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES);

    private final Path dir;

    /** Names a folder; nothing is read or made yet. */
    public ResultsFolder(Path dir) {
        this.dir = dir.toAbsolutePath().normalize();
    }

    /**
     * Opens a folder that holds results.
     *
     * @throws FolderRefusedException if it holds none, or its manifest cannot be read
     * @throws IOException if it cannot be read
     */
    public static ResultsFolder existing(Path dir) throws IOException {
        ResultsFolder folder = new ResultsFolder(dir);
        if (Files.exists(folder.dir) && !Files.isDirectory(folder.dir)) {
            throw new FolderRefusedException(folder.dir + " is a file, not a results folder");
        }
        if (folder.manifest() == null) {
            throw new FolderRefusedException(folder.dir
                    + " is no results folder: it holds no manifest.json. Maybe `rhosweep run FILE --out " + dir
                    + "` first");
        }
        return folder;
    }

    /** Its path, absolute. */
    public Path dir() {
        return dir;
    }

    /**
     * Makes sure that the folder exists, is ours and is nobody else's at the moment.
     *
     * @return the lock; the operating system drops it if this process dies
     * @throws FolderRefusedException if the path is no folder, holds foreign files under our names, or another run holds it
     * @throws IOException if the folder cannot be made or written to
     */
    public Lock lock() throws IOException {
        for (Path p = dir; p != null; p = p.getParent()) {
            if (Files.exists(p) && !Files.isDirectory(p)) {
                throw new FolderRefusedException(p + " is a file, not a folder. Maybe choose another --out");
            }
        }
        if (!Files.exists(dir.resolve(MANIFEST))) {
            for (String name : List.of("experiment.yaml", "effective.yaml", "runs", "points", "failures", TEMPORARY)) {
                if (Files.exists(dir.resolve(name))) {
                    throw new FolderRefusedException(
                            dir + " holds `" + name
                                    + "` but no manifest.json, so it is not known to be a results folder. Maybe choose another --out");
                }
            }
        }
        Files.createDirectories(dir);
        FileChannel channel = FileChannel.open(dir.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock lock;
        try {
            lock = channel.tryLock();
        } catch (OverlappingFileLockException heldByThisProcess) {
            lock = null;
        } catch (IOException e) {
            channel.close();
            throw e;
        }
        if (lock == null) {
            channel.close();
            throw new FolderRefusedException(
                    "another run is writing to " + dir + ". Wait for it to end or choose another --out");
        }
        return new Lock(channel);
    }

    /** Held while a run writes to the folder. */
    public static final class Lock implements AutoCloseable {
        private final FileChannel channel;

        private Lock(FileChannel channel) {
            this.channel = channel;
        }

        /** Lets the next run in. The lock file stays: removing it would race with a run that has just opened it. */
        @Override
        public void close() throws IOException {
            channel.close();
        }
    }

    /**
     * The manifest, null if the folder has none.
     *
     * @throws FolderRefusedException if there is one that cannot be understood
     */
    public @Nullable Manifest manifest() throws IOException {
        Path file = dir.resolve(MANIFEST);
        try {
            Manifest manifest = JSON.readValue(Files.readAllBytes(file), Manifest.class);
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
            throw new FolderRefusedException(file + " cannot be read (" + unreadable.getOriginalMessage()
                    + "); it was left as it is. Maybe restore it, or choose another --out");
        }
    }

    /** Replaces the manifest in one step. */
    public void write(Manifest manifest) throws IOException {
        replace(MANIFEST, JSON.writeValueAsBytes(manifest));
    }

    /** Replaces a small text file of the folder in one step. */
    public void writeText(String name, String text) throws IOException {
        replace(name, text.getBytes(UTF_8));
    }

    private void replace(String name, byte[] content) throws IOException {
        Path fresh = dir.resolve("." + name + ".new");
        Files.write(fresh, content);
        Files.move(fresh, dir.resolve(name), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /** The committed files of a table, by name; none if there are none. */
    public List<Path> files(Table table) throws IOException {
        Path folder = dir.resolve(table.folder());
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.filter(p -> p.getFileName().toString().endsWith(PARQUET)
                            && !p.getFileName().toString().startsWith("."))
                    .sorted()
                    .toList();
        }
    }

    /** The columns of a table, over all its files in their order: new ones may have come with a later release. */
    public List<Column> columns(Table table) throws IOException {
        List<Column> all = new ArrayList<>();
        for (Path file : files(table)) {
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
        Path temporary = dir.resolve(TEMPORARY);
        if (!Files.isDirectory(temporary)) {
            return;
        }
        for (Path ready : children(temporary)) {
            String name = ready.getFileName().toString();
            if (name.endsWith(READY)) {
                finish(name.substring(0, name.length() - READY.length()), ready);
            }
        }
        deleteRecursively(temporary);
    }

    /**
     * Checks that no file of a shard was lost since it was committed: where there are rows of runs there are rows of their points,
     * and the other way round. What is missing would else count as done, or be run and stored twice.
     *
     * @throws FolderRefusedException if one is missing
     * @throws IOException if a file cannot be read
     */
    public void requirePairs() throws IOException {
        Set<String> runs = new TreeSet<>(names(Table.RUNS));
        Set<String> points = new TreeSet<>(names(Table.POINTS));
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
                + missing.folder() + "/" + name + ". Maybe restore that, or remove both to run their points again");
    }

    private List<String> names(Table table) throws IOException {
        return files(table).stream().map(p -> p.getFileName().toString()).toList();
    }

    /** Whether a file of points holds one that was simulated; rows of predictions alone have no runs. */
    private static boolean tellsOfRuns(Path points) throws IOException {
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
            for (String name : names(table)) {
                int end = name.indexOf('-');
                if (end > 0 && end < 10 && name.substring(0, end).chars().allMatch(c -> c >= '0' && c <= '9')) {
                    last = Math.max(last, Integer.parseInt(name.substring(0, end)));
                }
            }
        }
        return last;
    }

    /** Whether a shard is committed; an attempt that was beaten between its decision and its links is finished first. */
    public boolean isCommitted(String shard) throws IOException {
        Path ready = dir.resolve(TEMPORARY).resolve(shard + READY);
        if (Files.isDirectory(ready)) {
            finish(shard, ready);
        }
        return Files.exists(file(Table.POINTS, shard)) || Files.exists(file(Table.FAILURES, shard));
    }

    /** Rows of a committed shard in a table. */
    public long rows(Table table, String shard) throws IOException {
        Path file = file(table, shard);
        return Files.exists(file) ? RowReader.count(file) : 0;
    }

    /** Begins an attempt at a shard. */
    public ShardWriter attempt(String shard, String attempt) throws IOException {
        Path work = dir.resolve(TEMPORARY).resolve(shard + "." + attempt);
        Files.createDirectories(work);
        return new ShardWriter(this, shard, work);
    }

    /** The decision: at most one attempt of a shard succeeds. The files of a beaten one are dropped. */
    void commit(String shard, Path work) throws IOException {
        Path ready = dir.resolve(TEMPORARY).resolve(shard + READY);
        if (!isCommitted(shard)) {
            try {
                // Fails where a folder that is not empty has the name: rename(2), and its like on Windows.
                Files.move(work, ready, StandardCopyOption.ATOMIC_MOVE);
            } catch (IOException beaten) {
                if (!Files.isDirectory(ready) && !isCommitted(shard)) {
                    throw beaten;
                }
            }
            finish(shard, ready);
        }
        deleteRecursively(work);
    }

    /** Links a ready folder's files into the tables; harmless when others do, or did, the same. */
    private void finish(String shard, Path ready) throws IOException {
        for (Table table : Table.values()) {
            Path source = ready.resolve(table.folder() + PARQUET);
            if (!Files.exists(source)) {
                continue; // no rows for this table
            }
            Path target = file(table, shard);
            Files.createDirectories(target.getParent());
            try {
                link(source, target);
            } catch (FileAlreadyExistsException | NoSuchFileException done) {
                // By an earlier attempt or another finisher.
            }
        }
        deleteRecursively(ready);
    }

    private static void link(Path source, Path target) throws IOException {
        try {
            Files.createLink(target, source);
        } catch (UnsupportedOperationException | java.nio.file.FileSystemException noLinks) {
            if (noLinks instanceof FileAlreadyExistsException || noLinks instanceof NoSuchFileException) {
                throw (IOException) noLinks;
            }
            // File systems without hard links: a move that checks first. Two attempts that race here carry equal rows.
            Files.move(source, target);
        }
    }

    private Path file(Table table, String shard) {
        return dir.resolve(table.folder()).resolve(shard + PARQUET);
    }

    private static List<Path> children(Path folder) throws IOException {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.sorted().toList();
        } catch (NoSuchFileException gone) {
            return List.of();
        }
    }

    static void deleteRecursively(Path root) throws IOException {
        if (!Files.exists(root)) {
            return;
        }
        try (Stream<Path> tree = Files.walk(root)) {
            for (Path p : tree.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(p);
            }
        } catch (NoSuchFileException | UncheckedIOException removedByAnother) {
            if (Files.exists(root) && removedByAnother instanceof UncheckedIOException e) {
                throw e.getCause();
            }
        }
    }
}
