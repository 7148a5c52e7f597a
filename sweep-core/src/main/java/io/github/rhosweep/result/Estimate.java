package io.github.rhosweep.result;

import org.jspecify.annotations.Nullable;

/**
 * What the samples of one quantity say. Every field but {@code n} is null where it does not exist.
 *
 * @param n samples; those of a removed warm-up do not count
 * @param meanPs mean, in ps
 * @param stdPs sample standard deviation (divisor n-1), in ps
 * @param p50Ps median: the ceil(q n)-th smallest sample, to 1/1024 of its value, in ps; so are all quantiles
 * @param p90Ps 0.9-quantile, in ps
 * @param p99Ps 0.99-quantile, in ps
 * @param p999Ps 0.999-quantile, in ps
 * @param maxPs largest sample, in ps
 * @param halfWidthPs half-width of the 95% confidence interval of the steady-state mean, from this run alone, in ps
 * @param controlledMeanPs the mean with a control variate, in ps
 * @param controlledHalfWidthPs its half-width, in ps
 */
public record Estimate(
        long n,
        @Nullable Double meanPs,
        @Nullable Double stdPs,
        @Nullable Double p50Ps,
        @Nullable Double p90Ps,
        @Nullable Double p99Ps,
        @Nullable Double p999Ps,
        @Nullable Double maxPs,
        @Nullable Double halfWidthPs,
        @Nullable Double controlledMeanPs,
        @Nullable Double controlledHalfWidthPs) {
    /** No sample. */
    public static final Estimate NONE = new Estimate(0, null, null, null, null, null, null, null, null, null, null);
}
