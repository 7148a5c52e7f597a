package io.github.rhosweep.design;

import org.jspecify.annotations.Nullable;

/**
 * How often a point is run. Without {@code until} every point has {@code min} replicates.
 *
 * @param min least
 * @param max most
 * @param until when to stop in between; null: at {@code min}
 */
public record Replicates(int min, int max, @Nullable Until until) {
    /**
     * The precision that ends replication.
     *
     * @param metric column whose mean is wanted
     * @param relativeCi half-width of its confidence interval over the mean, at most
     * @param confidence of the interval, such as 0.95
     */
    public record Until(String metric, double relativeCi, double confidence) {}

    /** One run a point. */
    public static final Replicates ONE = new Replicates(1, 1, null);
}
