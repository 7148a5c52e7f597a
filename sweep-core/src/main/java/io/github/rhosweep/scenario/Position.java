package io.github.rhosweep.scenario;

/**
 * Where something was written.
 *
 * @param source the file as the user named it, or an option such as {@code --set}
 * @param line from 1; 0 where lines mean nothing
 * @param column from 1; 0 where unknown
 */
public record Position(String source, int line, int column) {
    /** The whole of a file or option. */
    public static Position of(String source) {
        return new Position(source, 0, 0);
    }

    /** {@code FILE:LINE}, as editors and compilers write it. */
    @Override
    public String toString() {
        return line == 0 ? source : source + ":" + line;
    }
}
