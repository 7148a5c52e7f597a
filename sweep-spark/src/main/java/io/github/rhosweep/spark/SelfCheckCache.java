package io.github.rhosweep.spark;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.rhosweep.check.SelfCheck;
import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.CodeSource;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Where the outcome of {@code selfcheck} is remembered: a file a program and a JDK, below the user's own cache folder. What cannot be
 * read, or tells of another program, counts as not run; a cache that cannot be kept never stops anything.
 */
public final class SelfCheckCache {
    /** What a manifest says where no self-check of this program on this JDK is known. */
    static final String NOT_RUN = "not_run";

    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final Path folder;
    private final String program;
    private final String jdk;

    /**
     * A cache of the outcomes of one program.
     *
     * @param folder that holds the files; need not exist
     * @param program hash of what was checked
     * @param jdk that checked it
     */
    SelfCheckCache(Path folder, String program, String jdk) {
        this.folder = folder;
        this.program = program;
        this.jdk = jdk;
    }

    /** That of this program on this JDK; null where it cannot be told what is running. */
    public static @Nullable SelfCheckCache ofThisProgram() {
        String base = System.getenv("XDG_CACHE_HOME");
        Path folder = base == null || !Path.of(base).isAbsolute()
                ? Path.of(System.getProperty("user.home", "."), ".cache")
                : Path.of(base);
        try {
            TreeSet<Path> parts = new TreeSet<>();
            for (Class<?> each : List.of(SelfCheck.class, SelfCheckCache.class)) {
                CodeSource source = each.getProtectionDomain().getCodeSource();
                if (source == null) {
                    return null;
                }
                parts.add(Path.of(source.getLocation().toURI()));
            }
            return new SelfCheckCache(
                    folder.resolve("rhosweep").resolve("selfcheck"),
                    hash(parts),
                    Runtime.version() + " " + System.getProperty("java.vm.name"));
        } catch (IOException | URISyntaxException | IllegalArgumentException unknown) {
            return null; // classes that come from nowhere in the file system
        }
    }

    /** Hash of jars, or of the classes in folders. */
    static String hash(Iterable<Path> parts) throws IOException {
        MessageDigest hash = sha256();
        for (Path part : parts) {
            List<Path> files = List.of(part);
            if (Files.isDirectory(part)) {
                try (Stream<Path> within = Files.walk(part)) {
                    files = within.filter(Files::isRegularFile).sorted().toList();
                }
            }
            for (Path file : files) {
                hash.update(part.relativize(file).toString().getBytes(java.nio.charset.StandardCharsets.UTF_8));
                try (InputStream in = Files.newInputStream(file);
                        DigestOutputStream out =
                                new DigestOutputStream(java.io.OutputStream.nullOutputStream(), hash)) {
                    in.transferTo(out);
                }
            }
        }
        return HexFormat.of().formatHex(hash.digest());
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java platform has SHA-256", impossible);
        }
    }

    private Path file() {
        byte[] key = sha256().digest((program + "\n" + jdk).getBytes(java.nio.charset.StandardCharsets.UTF_8));
        return folder.resolve(HexFormat.of().formatHex(key, 0, 16) + ".json");
    }

    /** {@code passed} or {@code failed} with the digest, or {@link #NOT_RUN}. */
    String state() {
        try {
            JsonNode known = MAPPER.readTree(file().toFile());
            String digest = known.path("digest").asText();
            if (known.path("program").asText().equals(program)
                    && known.path("jdk").asText().equals(jdk)
                    && known.path("passed").isBoolean()
                    && digest.matches("[0-9a-f]{16}")) {
                return (known.path("passed").booleanValue() ? "passed " : "failed ") + digest;
            }
        } catch (IOException unreadable) {
            // As good as none: the file is no result but a memory of one.
        }
        return NOT_RUN;
    }

    /** Whether this program is known to fail on this JDK. */
    public boolean isFailed() {
        return state().startsWith("failed");
    }

    /**
     * Remembers an outcome; a reader sees the old one or this one, never half of it.
     *
     * @throws IOException if it cannot be written
     */
    public void remember(boolean passed, String digest) throws IOException {
        Map<String, Object> outcome = new LinkedHashMap<>();
        outcome.put("passed", passed);
        outcome.put("digest", digest);
        outcome.put("program", program);
        outcome.put("jdk", jdk);
        Files.createDirectories(folder);
        Path fresh = Files.createTempFile(folder, "outcome", ".tmp");
        try {
            Files.write(fresh, MAPPER.writeValueAsBytes(outcome));
            Files.move(fresh, file(), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(fresh);
        }
    }
}
