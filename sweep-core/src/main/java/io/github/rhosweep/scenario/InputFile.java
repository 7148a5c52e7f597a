package io.github.rhosweep.scenario;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A file that a parameter names, read once: what it holds, not where it lies, is the value. Two files of equal content are equal,
 * whatever their names.
 */
public final class InputFile {
    /** Where a results folder keeps copies, so that it can be gone on with anywhere. */
    public static final String FOLDER = "inputs";

    /** Bytes of one at most. A larger one would not travel well to where points are run: about a million flows. */
    public static final int MAX_BYTES = 64 << 20;

    private static final int HASH_DIGITS = 64;

    private final String name;
    private final String sha256;
    private final byte @Nullable [] content;
    /** What was read out of the content, by how: rules and runs ask again and again. */
    private final Map<Object, Object> parsed = new ConcurrentHashMap<>();

    private InputFile(String name, String sha256, byte @Nullable [] content) {
        this.name = name;
        this.sha256 = sha256;
        this.content = content;
    }

    /**
     * A file of known content.
     *
     * @param name as the user named it, for messages
     */
    public static InputFile of(String name, byte[] content) {
        return new InputFile(name, sha256(content), content.clone());
    }

    /** A file of which only the hash is known, as rows tell it: it has no content to read. */
    public static InputFile ofHash(String sha256) {
        return new InputFile(sha256, sha256, null);
    }

    /**
     * Reads a file.
     *
     * @throws InvalidValueException if it is not there, a folder, too large or unreadable
     */
    public static InputFile read(Path file) {
        String shown = Text.visible(file.toString());
        try {
            if (Files.isDirectory(file)) {
                throw new InvalidValueException("`" + shown + "` is a folder, expected a file");
            }
            if (!Files.exists(file)) {
                throw new InvalidValueException("there is no file `" + shown + "`");
            }
            byte[] content = bytes(file, MAX_BYTES);
            if (content.length > MAX_BYTES) {
                throw new InvalidValueException(
                        "`" + shown + "` has " + sizeOf(file) + ", expected at most " + (MAX_BYTES >> 20) + " MiB");
            }
            return of(file.toString(), content);
        } catch (IOException unreadable) {
            throw new InvalidValueException("`" + shown + "` cannot be read (" + unreadable + ")");
        }
    }

    /**
     * What a file holds, up to one byte more than allowed: some files (devices, pipes) never end, whatever size they claim.
     *
     * @param most bytes allowed
     */
    public static byte[] bytes(Path file, int most) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return in.readNBytes(most + 1);
        }
    }

    /** The size of a file that was found too large, in words; a file that never ends claims none. */
    public static String sizeOf(Path file) throws IOException {
        long size = Files.size(file);
        return size > 0 ? size + " bytes" : "no end";
    }

    /** As the user named it. */
    public String name() {
        return name;
    }

    /** SHA-256 of the content, in hex: the value of the parameter. */
    public String sha256() {
        return sha256;
    }

    /** The name of its copy within a results folder: by content, with the ending of the name that it had. */
    public String copyName() {
        String ending = name.replaceFirst("(?s).*\\.", "").toLowerCase(Locale.ROOT);
        return FOLDER + "/" + sha256 + (name.contains(".") && ending.matches("[a-z0-9]{1,8}") ? "." + ending : "");
    }

    /** The hash in the name of a copy, or null if that is none. */
    public static @Nullable String hashOfCopy(String copyName) {
        String hash = copyName.startsWith(FOLDER + "/")
                ? copyName.substring(FOLDER.length() + 1).replaceFirst("\\..*", "")
                : "";
        return hash.length() == HASH_DIGITS && hash.matches("[0-9a-f]+") ? hash : null;
    }

    /** Whether there is content, and not the hash alone. */
    public boolean hasContent() {
        return content != null;
    }

    /**
     * What it holds.
     *
     * @throws InvalidValueException if the hash alone is known
     */
    public byte[] content() {
        return bytes().clone();
    }

    private byte[] bytes() {
        if (content == null) {
            throw new InvalidValueException("the file of SHA-256 " + sha256 + " is not at hand");
        }
        return content;
    }

    /**
     * What it holds, as UTF-8, without a byte order mark.
     *
     * @throws InvalidFileException if it is not UTF-8, with the line
     */
    String text() {
        return Yaml.utf8(bytes(), name);
    }

    /** What {@code reader} makes of it, made once for each {@code key}. */
    @SuppressWarnings("unchecked") // a key is only ever used with readers of one type
    <T> T parsed(Object key, Function<InputFile, T> reader) {
        Object known = parsed.get(key);
        if (known == null) {
            known = reader.apply(this);
            parsed.put(key, known);
        }
        return (T) known;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof InputFile file && file.sha256.equals(sha256);
    }

    @Override
    public int hashCode() {
        return sha256.hashCode();
    }

    /** The name, for people. */
    @Override
    public String toString() {
        return name;
    }

    private static String sha256(byte[] content) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java platform has SHA-256", impossible);
        }
    }
}
