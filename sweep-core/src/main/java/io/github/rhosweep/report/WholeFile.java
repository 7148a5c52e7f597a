package io.github.rhosweep.report;

import java.io.IOException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Files that are complete or not there. */
final class WholeFile {
    private WholeFile() {}

    /** Writes into a given file. */
    @FunctionalInterface
    interface Content {
        void writeTo(Path temporary) throws IOException;
    }

    /**
     * Makes or replaces a file in one step.
     *
     * @param ending that the temporary file's name needs, for encoders that append their own where it is missing
     * @throws IOException if the file cannot be written
     */
    static void write(Path file, String ending, Content content) throws IOException {
        Path target = file.toAbsolutePath();
        // A temporary folder, because a temporary file would stay readable by its owner alone.
        Path folder = Files.createTempDirectory(target.getParent(), ".report");
        Path temporary = folder.resolve("new" + ending);
        try {
            content.writeTo(temporary);
            move(temporary, target);
        } finally {
            Files.deleteIfExists(temporary);
            Files.deleteIfExists(folder);
        }
    }

    private static void move(Path from, Path to) throws IOException {
        try {
            Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
        } catch (AtomicMoveNotSupportedException otherFileSystem) {
            Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
        }
    }
}
