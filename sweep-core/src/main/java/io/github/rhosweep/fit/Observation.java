package io.github.rhosweep.fit;

/**
 * One point: what was known before it ran, and what was measured, averaged over its replicates.
 *
 * @param key of the point
 * @param source folder that it was read from, as it was named; empty if none
 * @param stream which random numbers it drew: points that share them are held out together
 * @param conditions what was known
 * @param value measured, in ns, above 0
 * @param relativeError standard error of {@code value} over {@code value}; 0 where unknown or deterministic
 */
public record Observation(
        String key, String source, String stream, Conditions conditions, double value, double relativeError) {
    /** @throws IllegalArgumentException if the value is not above 0 and finite, or the error negative */
    public Observation {
        if (!(value > 0) || !Double.isFinite(value) || !(relativeError >= 0)) {
            throw new IllegalArgumentException(key + ": measured " + value + " with relative error " + relativeError);
        }
    }
}
