package io.github.rhosweep.fit;

import io.github.rhosweep.scenario.InvalidValueException;

/** The data do not determine the coefficients, or the search for them did not converge: there is no model. */
public final class NotIdentifiableException extends InvalidValueException {
    private static final long serialVersionUID = 1L;

    NotIdentifiableException(String message) {
        super(message);
    }
}
