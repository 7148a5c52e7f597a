package io.github.rhosweep.store;

import java.io.Serializable;
import java.net.URI;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where something lies: a local path, or a URI of a file system that the whole cluster sees ({@code hdfs:}, {@code s3a:}). It travels
 * to executors with the settings that are needed to get there.
 */
public final class Location implements Comparable<Location>, Serializable {
    private static final long serialVersionUID = 1L;

    /** Two letters at least: {@code C:} is a drive. */
    private static final Pattern SCHEME = Pattern.compile("([A-Za-z][A-Za-z0-9+.-]+):/.*");

    /** What would be taken for a path, though a URI must have been meant. */
    private static final Pattern NO_PLACE = Pattern.compile("(?i)(file|hdfs|s3a?|s3n):(?!/).*");

    /** A local path, absolute, or a URI without a slash at its end. */
    private final String text;

    private final boolean local;
    private final Map<String, String> settings;

    /** Made where it is used: connections do not travel. */
    private transient @Nullable Storage storage;

    private Location(String text, boolean local, Map<String, String> settings, @Nullable Storage storage) {
        this.text = text;
        this.local = local;
        this.settings = settings;
        this.storage = storage;
    }

    /** A place on this machine, or mounted there. */
    public static Location of(Path path) {
        return new Location(path.toAbsolutePath().normalize().toString(), true, new TreeMap<>(), null);
    }

    /**
     * What a person wrote.
     *
     * @param text a path of this machine or a URI: {@code file:///data/out}, {@code hdfs://namenode/out}, {@code s3a://bucket/out}
     * @param settings of Hadoop's file systems ({@code fs.s3a.endpoint}, ...), over what {@code core-site.xml} says
     * @throws IllegalArgumentException if it is neither; the message says what was expected
     */
    public static Location parse(String text, Map<String, String> settings) {
        if (text.isBlank()) {
            // Path.of would make it the working directory, where a script had an unset variable.
            throw new IllegalArgumentException("found nothing, expected a path or a URI. Maybe `.` for this folder");
        }
        if (NO_PLACE.matcher(text).matches()) {
            throw new IllegalArgumentException("`" + text + "`: a URI has a slash after its first colon, as in `"
                    + text.replaceFirst(":", ":///") + "`. Maybe give a path, `./" + text + "`");
        }
        Matcher uri = SCHEME.matcher(text);
        if (!uri.matches()) {
            return of(Path.of(text)); // InvalidPathException is an IllegalArgumentException
        }
        String scheme = uri.group(1).toLowerCase(Locale.ROOT);
        switch (scheme) {
            case "file" -> {
                try {
                    return of(Path.of(URI.create(text)));
                } catch (IllegalArgumentException | FileSystemNotFoundException e) {
                    throw new IllegalArgumentException(
                            "`" + text + "` is no URI of a local file (" + e.getMessage()
                                    + "). Maybe give the path alone",
                            e);
                }
            }
            case "hdfs", "s3a" -> {
                return new Location(text.replaceAll("(?<=[^:/])/+$", ""), false, new TreeMap<>(settings), null);
            }
            default ->
                throw new IllegalArgumentException(
                        "`" + text + "`: results can be kept at a path or under file:, hdfs: or" + " s3a:, not under "
                                + scheme + ":" + (scheme.startsWith("s3") ? ". Maybe s3a:" : ""));
        }
    }

    /** A file or folder inside this folder. */
    public Location resolve(String child) {
        String below = local ? Path.of(text).resolve(child).toString() : text + "/" + child;
        return new Location(below, local, settings, storage());
    }

    /** Another file or folder in the folder that holds this one. */
    Location sibling(String name) {
        String folder = text.substring(0, text.length() - name().length());
        return new Location(folder + name, local, settings, storage());
    }

    /** The last part of the path. */
    public String name() {
        return text.substring(Math.max(text.lastIndexOf('/'), text.lastIndexOf('\\')) + 1);
    }

    /** Whether it is a path of this machine, which other machines may not see. */
    public boolean isLocal() {
        return local;
    }

    /**
     * The path on this machine.
     *
     * @throws IllegalStateException unless {@link #isLocal}
     */
    public Path path() {
        if (!local) {
            throw new IllegalStateException(text + " is no path of this machine");
        }
        return Path.of(text);
    }

    /** What gives access to it. */
    synchronized Storage storage() {
        if (storage == null) {
            storage = local ? new LocalStorage() : new HadoopStorage(settings);
        }
        return storage;
    }

    @Override
    public int compareTo(Location other) {
        return text.compareTo(other.text);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Location l && text.equals(l.text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    /** The path or URI; settings, which may hold secrets, are not told. */
    @Override
    public String toString() {
        return text;
    }
}
