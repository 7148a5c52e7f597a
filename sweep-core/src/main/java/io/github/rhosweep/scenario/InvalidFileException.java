package io.github.rhosweep.scenario;

import java.util.List;

/** An input that cannot be used; the message has one line for each problem, each with file and line. */
public final class InvalidFileException extends InvalidValueException {
    private static final long serialVersionUID = 1L;

    @SuppressWarnings("serial") // the JDK's immutable lists are serializable
    private final List<String> problems;

    InvalidFileException(List<String> problems) {
        super(problems);
        this.problems = List.copyOf(problems);
    }

    /** One line each. */
    public List<String> problems() {
        return problems;
    }
}
