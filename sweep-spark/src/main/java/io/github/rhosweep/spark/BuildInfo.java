package io.github.rhosweep.spark;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/**
 * What was built: recorded in every result folder, so that a row can be traced to its source.
 *
 * @param version the release, as in the pom
 * @param commit the full git commit, with {@code -dirty} when the tree had uncommitted changes, or {@code unknown} when
 *     built outside a repository
 */
public record BuildInfo(String version, String commit) {
    /** How the launcher was called, so that what a person reads can be pasted. */
    public static final String COMMAND = System.getProperty("rhosweep.command", "rhosweep");

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
