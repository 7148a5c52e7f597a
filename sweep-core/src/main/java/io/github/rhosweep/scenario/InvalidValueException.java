package io.github.rhosweep.scenario;

/** A value that a parameter does not take; the message says what was found and what was expected, in one line. */
public class InvalidValueException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    public InvalidValueException(String message) {
        super(message);
    }
}
