package io.github.rhosweep.store;

import java.io.IOException;
import java.io.InputStream;
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
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.apache.parquet.io.InputFile;
import org.apache.parquet.io.LocalInputFile;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.io.OutputFile;
import org.jspecify.annotations.Nullable;

/**
 * Disks of this machine and what is mounted there. The folder that counts is declared by renaming it, which fails where another is;
 * files get their place by a hard link, which never overwrites; the lock is the operating system's, which drops it when we die.
 */
final class LocalStorage implements Storage {
    @Override
    public boolean exists(Location location) {
        return Files.exists(location.path());
    }

    @Override
    public boolean isFile(Location location) {
        return Files.exists(location.path()) && !Files.isDirectory(location.path());
    }

    @Override
    public void refuseDeadLink(Location location) throws IOException {
        Path path = location.path();
        if (Files.isSymbolicLink(path) && !Files.exists(path)) {
            throw new FolderRefusedException(path + " is a link to " + Files.readSymbolicLink(path)
                    + ", which does not exist. Maybe make or mount that, or remove the link");
        }
    }

    @Override
    public List<Location> list(Location folder) throws IOException {
        if (!Files.isDirectory(folder.path())) {
            refuseDeadLink(folder);
            return List.of();
        }
        try (Stream<Path> entries = Files.list(folder.path())) {
            return entries.sorted()
                    .map(p -> folder.resolve(p.getFileName().toString()))
                    .toList();
        } catch (NoSuchFileException gone) {
            return List.of();
        }
    }

    @Override
    public void makeFolder(Location folder) throws IOException {
        Files.createDirectories(folder.path());
    }

    @Override
    public byte[] read(Location file, int most) throws IOException {
        try (InputStream in = Files.newInputStream(file.path())) {
            return in.readNBytes(most + 1);
        }
    }

    @Override
    public void replace(Location file, byte[] content) throws IOException {
        Path path = file.path();
        Path fresh = path.resolveSibling("." + path.getFileName() + ".new");
        Files.write(fresh, content);
        Files.move(fresh, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    @Override
    public void delete(Location tree) throws IOException {
        Path root = tree.path();
        if (!Files.exists(root)) {
            return;
        }
        try (Stream<Path> all = Files.walk(root)) {
            for (Path p : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(p);
            }
        } catch (NoSuchFileException | UncheckedIOException removedByAnother) {
            if (Files.exists(root) && removedByAnother instanceof UncheckedIOException e) {
                throw e.getCause();
            }
        }
    }

    @Override
    public InputFile input(Location file) {
        return new LocalInputFile(file.path());
    }

    @Override
    public OutputFile output(Location file) {
        return new LocalOutputFile(file.path());
    }

    @Override
    public void force(Location file) throws IOException {
        try (FileChannel channel = FileChannel.open(file.path(), StandardOpenOption.WRITE)) {
            channel.force(true);
        }
    }

    @Override
    public @Nullable Held lock(Location file) throws IOException {
        FileChannel channel = FileChannel.open(file.path(), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
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
            return null;
        }
        return new Held() {
            @Override
            public boolean isHeld() {
                return channel.isOpen();
            }

            /** The lock file stays: removing it would race with a run that has just opened it. */
            @Override
            public void close() throws IOException {
                channel.close();
            }
        };
    }

    @Override
    public boolean decide(Location folder, Location name) throws IOException {
        try {
            // Fails where a folder that is not empty has the name: rename(2), and its like on Windows.
            Files.move(folder.path(), name.path(), StandardCopyOption.ATOMIC_MOVE);
            return true;
        } catch (NoSuchFileException gone) {
            throw gone;
        } catch (IOException refused) {
            if (Files.isDirectory(name.path())) {
                return false;
            }
            throw refused;
        }
    }

    @Override
    public @Nullable Location decided(Location name) {
        return Files.isDirectory(name.path()) ? name : null;
    }

    @Override
    public void publish(Location from, Location to) throws IOException {
        try {
            link(from.path(), to.path());
        } catch (FileAlreadyExistsException | NoSuchFileException done) {
            // By an earlier attempt or another finisher.
            if (!Files.exists(to.path()) && Files.exists(from.path())) {
                throw done;
            }
        }
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
}
