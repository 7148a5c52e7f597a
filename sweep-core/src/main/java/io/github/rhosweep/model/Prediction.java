package io.github.rhosweep.model;

import org.jspecify.annotations.Nullable;

/**
 * A model's answer at one point: a value, or why there is none.
 *
 * @param value in the target's unit; for a yes-or-no target 1 or 0; NaN if there is none
 * @param reason why there is no value; null if there is one
 */
public record Prediction(double value, @Nullable String reason) {
    /** @throws IllegalArgumentException if {@code value} is not finite: a model must say why it has none */
    public static Prediction of(double value) {
        if (!Double.isFinite(value)) {
            throw new IllegalArgumentException("a prediction of " + value);
        }
        return new Prediction(value, null);
    }

    /** No value. */
    public static Prediction none(String reason) {
        return new Prediction(Double.NaN, reason);
    }

    /** Whether there is a value. */
    public boolean exists() {
        return reason == null;
    }
}
