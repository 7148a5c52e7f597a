package io.github.rhosweep.store;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** What went wrong with a file, in one line that a person can read. */
public final class IoProblem {
    private IoProblem() {}

    /** The messages of some of Java's I/O exceptions are a bare path. */
    public static String describe(IOException e) {
        if (e instanceof NoSuchFileException missing) {
            return missing.getFile() + ": no such file or folder";
        }
        if (e instanceof AccessDeniedException denied) {
            return denied.getFile() + ": permission denied";
        }
        if (e instanceof FileSystemException system && system.getReason() == null) {
            return system.getFile() + ": " + system.getClass().getSimpleName();
        }
        // What a server of Hadoop's threw comes with its stack trace as further lines of the message.
        return e.getMessage() == null
                ? e.toString()
                : e.getMessage().replaceAll("(?s)\\R\\s*at .*|; For more details see: .*", "");
    }
}
