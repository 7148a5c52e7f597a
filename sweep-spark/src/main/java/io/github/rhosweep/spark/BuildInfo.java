package io.github.rhosweep.spark;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * What was built: recorded in every result folder, so that a row can be traced to its source.
 *
 * @param version the release, as in the pom
 * @param commit the full git commit, with {@code -dirty} when the tree had uncommitted changes, or {@code unknown} when
 *     built outside a repository
 */
public record BuildInfo(String version, String commit) {
    /** How this program was called, as a shell takes it, so that what a person reads can be pasted. */
    public static final String COMMAND = command(
            System.getProperty("rhosweep.command"),
            Boolean.getBoolean("SPARK_SUBMIT"),
            System.getenv().getOrDefault("RHOSWEEP_SUBMIT", "spark-submit"),
            jar());

    /**
     * What calls this program again.
     *
     * @param launcher how the launcher was called; null if it was not
     * @param submitted whether Spark's submitter has started this JVM
     * @param submit how that is called
     * @param jar that this program comes from; null if from none
     */
    static String command(@Nullable String launcher, boolean submitted, String submit, @Nullable Path jar) {
        if (launcher != null) {
            return quoted(launcher);
        }
        if (jar == null) {
            return "rhosweep";
        }
        Path here = Path.of("").toAbsolutePath();
        return (submitted ? submit : "java -jar") + " "
                + quoted((jar.startsWith(here) ? here.relativize(jar) : jar).toString());
    }

    /** A word as a shell takes it. */
    public static String quoted(String word) {
        return word.matches("[\\w./+:@=-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
    }

    /** The jar that this program was loaded from, null if from none. */
    static @Nullable Path jar() {
        CodeSource source = BuildInfo.class.getProtectionDomain().getCodeSource();
        String location = source == null ? "" : source.getLocation().toString();
        return location.startsWith("file:") && location.endsWith(".jar") ? Path.of(URI.create(location)) : null;
    }

    /**
     * Reads what the build wrote.
     *
     * @throws UncheckedIOException if the resource is missing or unreadable, that is, if the build is broken
     */
    public static BuildInfo load() {
        Properties values = new Properties();
        try (InputStream in = BuildInfo.class.getResourceAsStream("build.properties")) {
            if (in == null) {
                throw new IOException("build.properties is missing beside " + BuildInfo.class.getName());
            }
            values.load(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        String commit = values.getProperty("commit", "");
        boolean known = commit.matches("[0-9a-f]{40}(-dirty)?");
        return new BuildInfo(values.getProperty("version", "unknown"), known ? commit : "unknown");
    }
}
