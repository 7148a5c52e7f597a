package io.github.rhosweep.scenario;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** Where the files that parameters name are found. */
@FunctionalInterface
public interface InputFiles {
    /**
     * On this machine: relative to the file that names them or, named by an option, to the working directory.
     */
    InputFiles ON_DISK = (text, position) -> {
        Path path = path(text);
        boolean option = position.line() == 0 || position.source().startsWith("--");
        return InputFile.read(option ? path : path(position.source()).resolveSibling(path));
    };

    /**
     * The file of a name.
     *
     * @param text as written
     * @param position where it is written
     * @throws InvalidValueException if it cannot be read; the message says why
     */
    InputFile find(String text, Position position);

    private static Path path(String text) {
        try {
            return Path.of(text);
        } catch (InvalidPathException no) {
            throw new InvalidValueException("`" + Text.visible(text) + "` is no path: " + no.getReason());
        }
    }
}
