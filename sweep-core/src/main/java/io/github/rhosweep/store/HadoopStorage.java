package io.github.rhosweep.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FSDataOutputStreamBuilder;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.parquet.hadoop.util.HadoopInputFile;
import org.apache.parquet.hadoop.util.HadoopOutputFile;
import org.apache.parquet.io.InputFile;
import org.apache.parquet.io.OutputFile;
import org.jspecify.annotations.Nullable;

/**
 * What the whole cluster sees: HDFS and S3.
 *
 * <p>HDFS renames atomically and, asked so, never over what is there: commits are those of {@link LocalStorage} with renames in place of
 * links. S3 has no rename at all; there an attempt is declared by an object that holds its name, created under the condition that
 * none is there ({@code If-None-Match}), and files get their place by a copy under the same condition.
 */
final class HadoopStorage implements Storage {
    /** Bytes of a folder's name, and more. */
    private static final int MAX_NAME = 4096;

    /** A shard's name and an attempt's. */
    private static final Pattern ATTEMPT = Pattern.compile("[\\w-]+\\.[\\w-]+");

    private static final String CONDITIONAL = Options.CreateFileOptionKeys.FS_OPTION_CREATE_CONDITIONAL_OVERWRITE;

    private final Configuration conf;

    /** @param settings over those of {@code core-site.xml} and its like on the class path */
    HadoopStorage(Map<String, String> settings) {
        conf = new Configuration();
        // Else Hadoop closes the file system while the JVM goes down and the last manifest is still to be written.
        conf.setBoolean("fs.automatic.close", false);
        settings.forEach(conf::set);
    }

    @Override
    public boolean exists(Location location) throws IOException {
        return status(location) != null;
    }

    @Override
    public boolean isFile(Location location) throws IOException {
        FileStatus status = status(location);
        return status != null && status.isFile();
    }

    @Override
    public List<Location> list(Location folder) throws IOException {
        List<Location> entries = new ArrayList<>();
        try {
            for (FileStatus status : fileSystem(folder).listStatus(path(folder))) {
                entries.add(folder.resolve(status.getPath().getName()));
            }
        } catch (FileNotFoundException none) {
            return List.of();
        }
        entries.sort(null);
        return entries;
    }

    @Override
    public void makeFolder(Location folder) throws IOException {
        fileSystem(folder).mkdirs(path(folder));
    }

    @Override
    public byte[] read(Location file, int most) throws IOException {
        try (InputStream in = fileSystem(file).open(path(file))) {
            return in.readNBytes(most + 1);
        } catch (FileNotFoundException none) {
            throw (NoSuchFileException) new NoSuchFileException(file.toString()).initCause(none);
        }
    }

    @Override
    public void replace(Location file, byte[] content) throws IOException {
        FileSystem fs = fileSystem(file);
        Path target = path(file);
        boolean renames = fs instanceof DistributedFileSystem;
        // An object appears whole when its stream is closed; a file of HDFS grows before everybody's eyes.
        Path fresh = renames ? new Path(target.getParent(), "." + target.getName() + ".new") : target;
        try (FSDataOutputStream out = fs.create(fresh, true)) {
            out.write(content);
        }
        if (fs instanceof DistributedFileSystem hdfs) {
            hdfs.rename(fresh, target, Options.Rename.OVERWRITE);
        }
    }

    @Override
    public void delete(Location tree) throws IOException {
        fileSystem(tree).delete(path(tree), true);
    }

    @Override
    public InputFile input(Location file) throws IOException {
        try {
            return HadoopInputFile.fromStatus(fileSystem(file).getFileStatus(path(file)), conf);
        } catch (FileNotFoundException none) {
            throw (NoSuchFileException) new NoSuchFileException(file.toString()).initCause(none);
        }
    }

    @Override
    public OutputFile output(Location file) throws IOException {
        fileSystem(file); // for its message
        return HadoopOutputFile.fromPath(path(file), conf);
    }

    /** Both keep what is closed. */
    @Override
    public void force(Location file) {}

    @Override
    public @Nullable Held lock(Location file) throws IOException {
        return HeartbeatLock.take(this, file);
    }

    @Override
    public boolean decide(Location folder, Location name) throws IOException {
        FileSystem fs = fileSystem(name);
        if (fs instanceof DistributedFileSystem hdfs) {
            try {
                hdfs.rename(path(folder), path(name), Options.Rename.NONE);
                return true;
            } catch (org.apache.hadoop.fs.FileAlreadyExistsException another) {
                return false;
            }
        }
        return createNew(name, folder.name().getBytes(UTF_8));
    }

    @Override
    public @Nullable Location decided(Location name) throws IOException {
        FileStatus status = status(name);
        if (status == null) {
            return null;
        }
        if (status.isDirectory()) {
            return name;
        }
        try {
            String attempt = new String(read(name, MAX_NAME), UTF_8);
            if (!ATTEMPT.matcher(attempt).matches()) {
                // What is named here is deleted in the end: it must not lie elsewhere.
                throw new FolderRefusedException(
                        name + " names no attempt at a shard in this folder. Maybe move it elsewhere");
            }
            return name.sibling(attempt);
        } catch (NoSuchFileException finishedMeanwhile) {
            return null;
        }
    }

    @Override
    public void publish(Location from, Location to) throws IOException {
        FileSystem fs = fileSystem(to);
        if (exists(to)) {
            return;
        }
        try {
            if (fs instanceof DistributedFileSystem hdfs) {
                hdfs.rename(path(from), path(to), Options.Rename.NONE);
            } else {
                copyNew(fs, from, to);
            }
        } catch (IOException beaten) {
            // By another finisher, who may have removed the source too.
            if (!exists(to)) {
                throw beaten;
            }
        }
    }

    private void copyNew(FileSystem fs, Location from, Location to) throws IOException {
        FSDataOutputStream out = create(fs, to);
        boolean whole = false;
        try (InputStream in = fs.open(path(from))) {
            in.transferTo(out);
            whole = true;
        } finally {
            if (!whole) {
                out.abort(); // closing would make an object of the part
            }
        }
        out.close();
    }

    /** Creates a file with this content, false if one is there. */
    boolean createNew(Location file, byte[] content) throws IOException {
        FileSystem fs = fileSystem(file);
        try {
            if (fs instanceof DistributedFileSystem) {
                try (FSDataOutputStream out = fs.create(path(file), false)) {
                    out.write(content);
                }
            } else {
                try (FSDataOutputStream out = create(fs, file)) {
                    out.write(content);
                }
            }
            return true;
        } catch (IOException refused) {
            if (exists(file)) {
                return false;
            }
            throw refused;
        }
    }

    private static FSDataOutputStream create(FileSystem fs, Location file) throws IOException {
        if (!fs.hasPathCapability(path(file), CONDITIONAL)) {
            throw new IOException(file
                    + ": this store or its client cannot create an object only where none is, which committing takes"
                    + " (fs.s3a.create.conditional.enabled, hadoop-aws 3.4.2 or later)");
        }
        FSDataOutputStreamBuilder<?, ?> builder = fs.createFile(path(file));
        builder.overwrite(true);
        builder.must(CONDITIONAL, true);
        return (FSDataOutputStream) builder.build();
    }

    private @Nullable FileStatus status(Location location) throws IOException {
        try {
            return fileSystem(location).getFileStatus(path(location));
        } catch (FileNotFoundException none) {
            return null;
        }
    }

    /** Hadoop keeps one open for all who ask. */
    private FileSystem fileSystem(Location location) throws IOException {
        Path path = path(location);
        try {
            FileSystem fs = path.getFileSystem(conf);
            if (!Arrays.asList("hdfs", "s3a").contains(fs.getScheme())) {
                throw new IOException(
                        location + " is kept by " + fs.getClass().getName() + ", which is not known here");
            }
            return fs;
        } catch (RuntimeException broken) {
            if (broken.getCause() instanceof ClassNotFoundException missing) {
                throw new IOException(
                        location + ": " + missing.getMessage() + ". Maybe submit with"
                                + " --packages org.apache.hadoop:hadoop-aws:"
                                + org.apache.hadoop.util.VersionInfo.getVersion(),
                        broken);
            }
            throw new IOException(location + ": " + broken.getMessage(), broken);
        }
    }

    private static Path path(Location location) {
        return new Path(location.toString());
    }
}
