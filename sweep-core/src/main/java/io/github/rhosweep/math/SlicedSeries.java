package io.github.rhosweep.math;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * All samples of one quantity over a run, in constant memory however many: count, sum and sum of a control variate in each of 256
 * slices of time, and in each of 16 groups of 16 slices the exact {@link Moments} and a {@link LogHistogram}.
 *
 * <p>A sample is booked in the slice in which its message was offered, not in the one in which it is known: otherwise the
 * slices near the end of a run would hold the lucky messages only.
 *
 * <p>Slices serve the search for the truncation point and the batches of the confidence interval; they need no histogram. A
 * truncation point is rounded up to the start of a group, so that mean and quantiles cover the same samples; 256 histograms
 * instead of 16 would gain at most 6% of the run and cost sixteen times the memory and the clearing.
 */
public final class SlicedSeries {
    /** Slices of a group: truncation points are multiples of this. */
    public static final int GROUP = 16;

    private static final int GROUPS = Slicing.SLICES / GROUP;

    private final Slicing slicing;
    private final long[] counts = new long[Slicing.SLICES];
    private final long[] sums = new long[Slicing.SLICES];
    private final long[] controls = new long[Slicing.SLICES];
    private final Moments[] moments = new Moments[GROUPS];
    private final LogHistogram[] histograms = new LogHistogram[GROUPS];
    private int doublings;

    public SlicedSeries(Slicing slicing) {
        this.slicing = slicing;
        Arrays.setAll(moments, i -> new Moments());
        Arrays.setAll(histograms, i -> new LogHistogram());
    }

    /** Forgets everything; to be called after the slicing was reset. */
    public void reset() {
        doublings = slicing.doublings();
        Arrays.fill(counts, 0);
        Arrays.fill(sums, 0);
        Arrays.fill(controls, 0);
        for (int i = 0; i < GROUPS; i++) {
            moments[i].reset();
            histograms[i].reset();
        }
    }

    /** Records a sample without a control variate. */
    public void record(long offerPs, long value) {
        record(offerPs, value, 0);
    }

    /**
     * Records a sample.
     *
     * @param offerPs when its message was offered, in ps
     * @param value 0 or more
     * @param control value of the control variate, 0 where there is none
     * @throws ArithmeticException if a sum leaves 64 bits
     */
    public void record(long offerPs, long value, long control) {
        int slice = slicing.sliceOf(offerPs);
        if (doublings != slicing.doublings()) {
            catchUp();
        }
        counts[slice]++;
        sums[slice] = Math.addExact(sums[slice], value);
        controls[slice] = Math.addExact(controls[slice], control);
        int group = slice / GROUP;
        moments[group].record(value);
        histograms[group].record(value);
    }

    private void catchUp() {
        for (; doublings < slicing.doublings(); doublings++) {
            Slicing.mergePairs(counts);
            Slicing.mergePairs(sums);
            Slicing.mergePairs(controls);
            for (int i = 0; i < GROUPS / 2; i++) {
                mergeGroup(2 * i, i);
                mergeGroup(2 * i + 1, i);
            }
        }
    }

    private void mergeGroup(int from, int to) {
        if (from != to) {
            moments[to].add(moments[from]);
            moments[from].reset();
            histograms[to].add(histograms[from]);
            histograms[from].reset();
        }
    }

    /** Samples by slice; not to be changed. */
    long[] counts() {
        catchUp();
        return counts;
    }

    /** Sums of the samples by slice; not to be changed. */
    long[] sums() {
        catchUp();
        return sums;
    }

    /** Sums of the control variate by slice; not to be changed. */
    long[] controls() {
        catchUp();
        return controls;
    }

    /** Exact moments of all samples from a slice on, which must be a multiple of {@link #GROUP}. */
    public Moments momentsFrom(int slice) {
        catchUp();
        Moments all = new Moments();
        for (int i = slice / GROUP; i < GROUPS; i++) {
            all.add(moments[i]);
        }
        return all;
    }

    /**
     * Quantiles of all samples from a slice on, within 1/1024 of the exact order statistics and never above the maximum.
     *
     * @param slice a multiple of {@link #GROUP}
     * @param qs levels in 0..1
     * @return one value a level, or null if there is no sample
     */
    public double @Nullable [] quantilesFrom(int slice, double... qs) {
        catchUp();
        LogHistogram all = new LogHistogram();
        long max = 0;
        for (int i = slice / GROUP; i < GROUPS; i++) {
            all.add(histograms[i]);
            max = Math.max(max, moments[i].max());
        }
        if (all.total() == 0) {
            return null;
        }
        double[] values = new double[qs.length];
        for (int i = 0; i < qs.length; i++) {
            values[i] = Math.min((double) max, all.quantile(qs[i]));
        }
        return values;
    }
}
