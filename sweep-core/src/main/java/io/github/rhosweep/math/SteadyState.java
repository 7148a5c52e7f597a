package io.github.rhosweep.math;

import org.apache.commons.math3.distribution.TDistribution;
import org.jspecify.annotations.Nullable;

/** What one run says of its steady state: where the warm-up ends, whether there is one at all, the mean and its interval. */
public final class SteadyState {
    private static final double CONFIDENCE = 0.95;
    private static final int BATCHES = 32;

    /** Fewer batches give no interval. */
    private static final int LEAST_BATCHES = 10;

    private SteadyState() {}

    /**
     * A mean with its confidence interval.
     *
     * @param mean in the unit of the samples
     * @param halfWidth of the 95% interval
     */
    public record Interval(double mean, double halfWidth) {}

    /**
     * Where the warm-up of a series ends: MSER (White 1997, "An effective truncation heuristic for bias reduction in simulation
     * output"; on batches White, Cobb, Spratt 2000), over time slices in place of batches of five. At most half is cut; the
     * result is rounded up to a multiple of {@link SlicedSeries#GROUP}.
     *
     * <p>With K slices left that hold n_i samples of sum s_i, N in all and mean m, the point minimises sum n_i (s_i/n_i - m)^2 /
     * (N K), the estimated variance of the mean of what is left. Slices hold different numbers of samples, hence the weights;
     * equal numbers give MSER as published. The first of equal minima counts, so that a constant series loses nothing.
     *
     * @param end slices in use
     */
    public static int truncation(SlicedSeries series, int end) {
        long[] counts = series.counts();
        long[] sums = series.sums();
        long n = 0;
        long s = 0;
        for (int i = 0; i < end; i++) {
            n += counts[i];
            s += sums[i];
        }
        if (n == 0) {
            return 0;
        }
        long centre = s / n; // deviations from a whole number near the mean are exact and do not cancel below
        int best = 0;
        double least = Double.POSITIVE_INFINITY;
        long left = 0;
        int slices = 0;
        double sum = 0;
        double squares = 0;
        for (int i = end - 1; i >= 0; i--) {
            if (counts[i] > 0) {
                double deviation = sums[i] - centre * counts[i];
                left += counts[i];
                slices++;
                sum += deviation;
                squares += deviation * deviation / counts[i];
            }
            if (i <= end / 2 && left > 0) {
                double z = Math.max(0, squares - sum * sum / left) / ((double) left * slices);
                if (z <= least) {
                    least = z;
                    best = i;
                }
            }
        }
        int rounded = groupAtOrAfter(best, false);
        // A run far shorter than planned fills few groups: rounding up must not leave it without samples.
        return rounded <= end / 2 + SlicedSeries.GROUP / 2 ? rounded : best / SlicedSeries.GROUP * SlicedSeries.GROUP;
    }

    /** The first group that starts at or after a slice; {@code inside}: the wanted time lies inside the slice, not at its start. */
    public static int groupAtOrAfter(int slice, boolean inside) {
        int first = slice + (inside ? 1 : 0);
        return (first + SlicedSeries.GROUP - 1) / SlicedSeries.GROUP * SlicedSeries.GROUP;
    }

    /** Whether a queue grew throughout the run, so that there is no steady state. */
    public static boolean grew(SlicedSeries series, int end) {
        return growth(series.counts(), series.sums(), end) > 0.75;
    }

    /** Share of the variance between slices that a rising straight line explains, 0 if it falls. */
    static double growth(long[] counts, long[] sums, int end) {
        double n = 0;
        double x1 = 0;
        double y1 = 0;
        for (int i = 0; i < end; i++) {
            n += counts[i];
            x1 += (double) counts[i] * i;
            y1 += sums[i];
        }
        double xx = 0;
        double xy = 0;
        double yy = 0;
        for (int i = 0; i < end; i++) {
            if (counts[i] > 0) {
                double x = i - x1 / n;
                double y = (double) sums[i] / counts[i] - y1 / n;
                xx += counts[i] * x * x;
                xy += counts[i] * x * y;
                yy += counts[i] * y * y;
            }
        }
        return xy > 0 ? xy * xy / (xx * yy) : 0;
    }

    /** Mean and interval of the samples of slices {@code from .. end-1}; null if they are too few. */
    public static @Nullable Interval mean(SlicedSeries series, int from, int end) {
        Batches batches = Batches.of(series, from, end);
        return batches == null ? null : batches.interval(0, 0);
    }

    /**
     * Mean and interval with the control variate (Lavenberg and Welch 1981): mean - c (control mean - its expectation), with c
     * from the regression of the batches.
     *
     * @param expectation of the control variate
     */
    public static @Nullable Interval controlledMean(SlicedSeries series, int from, int end, double expectation) {
        Batches batches = Batches.of(series, from, end);
        return batches == null ? null : batches.interval(batches.coefficient(), expectation);
    }

    /** Contiguous groups of slices. */
    private static final class Batches {
        private final double[] counts;
        private final double[] sums;
        private final double[] controls;

        private Batches(double[] counts, double[] sums, double[] controls) {
            this.counts = counts;
            this.sums = sums;
            this.controls = controls;
        }

        static @Nullable Batches of(SlicedSeries series, int from, int end) {
            int batches = Math.min(BATCHES, end - from);
            if (batches < LEAST_BATCHES) {
                return null;
            }
            double[] n = new double[batches];
            double[] y = new double[batches];
            double[] v = new double[batches];
            long samples = 0;
            for (int i = from; i < end; i++) {
                int b = (i - from) * batches / (end - from);
                samples += series.counts()[i];
                n[b] += series.counts()[i];
                y[b] += series.sums()[i];
                v[b] += series.controls()[i];
            }
            return samples < 2 * LEAST_BATCHES ? null : new Batches(n, y, v);
        }

        double coefficient() {
            double n = sum(counts);
            double my = sum(sums) / n;
            double mv = sum(controls) / n;
            double yv = 0;
            double vv = 0;
            for (int b = 0; b < counts.length; b++) {
                double v = controls[b] - mv * counts[b];
                yv += (sums[b] - my * counts[b]) * v;
                vv += v * v;
            }
            return vv == 0 ? 0 : yv / vv;
        }

        Interval interval(double c, double expectation) {
            int batches = counts.length;
            double n = sum(counts);
            double mean = (sum(sums) - c * sum(controls)) / n;
            double gamma0 = 0;
            double gamma1 = 0;
            double before = 0;
            for (int b = 0; b < batches; b++) {
                double e = sums[b] - c * controls[b] - mean * counts[b];
                gamma0 += e * e;
                gamma1 += b == 0 ? 0 : e * before;
                before = e;
            }
            double phi = gamma0 == 0 ? 0 : Math.max(0, Math.min(0.9, gamma1 / gamma0));
            double variance = gamma0 * batches / (batches - 1.0) * (1 + phi) / (1 - phi) / (n * n);
            double t = new TDistribution(null, batches - 1.0).inverseCumulativeProbability(0.5 + CONFIDENCE / 2);
            return new Interval(mean + c * expectation, t * Math.sqrt(variance));
        }

        private static double sum(double[] values) {
            double sum = 0;
            for (double value : values) {
                sum += value;
            }
            return sum;
        }
    }
}
