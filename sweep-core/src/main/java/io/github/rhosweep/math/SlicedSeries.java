package io.github.rhosweep.math;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * All samples of one quantity over a run, in constant memory however many: count, sum and sum of a control variate in each of 256
 * slices of time; sum of squares, maximum and a histogram in each of 16 groups of 16 slices.
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
    /** Sum of squares by group, 128 bits. */
    private final long[] squaresHigh = new long[GROUPS];

    private final long[] squaresLow = new long[GROUPS];
    private final long[] maxima = new long[GROUPS];
    private final LogHistogram histogram = new LogHistogram(GROUPS);
    private int doublings;

    // The slice last recorded in, times that are surely in it, and all samples since: most fall where the last one did.
    private int open;
    private long openFromPs;
    private long openToPs;
    private long openCount;
    private long openSum;
    private long openControl;
    private long openSquaresHigh;
    private long openSquaresLow;
    private long openMax;

    public SlicedSeries(Slicing slicing) {
        this.slicing = slicing;
    }

    /** Forgets everything; to be called after the slicing was reset. */
    public void reset() {
        doublings = slicing.doublings();
        Arrays.fill(counts, 0);
        Arrays.fill(sums, 0);
        Arrays.fill(controls, 0);
        Arrays.fill(squaresHigh, 0);
        Arrays.fill(squaresLow, 0);
        Arrays.fill(maxima, 0);
        histogram.reset();
        open = 0;
        openFromPs = 0;
        openToPs = -1;
        clearOpen();
    }

    private void clearOpen() {
        openCount = 0;
        openSum = 0;
        openControl = 0;
        openSquaresHigh = 0;
        openSquaresLow = 0;
        openMax = 0;
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
        if (offerPs < openFromPs || offerPs > openToPs) {
            open(offerPs);
        }
        openCount++;
        openSum = Math.addExact(openSum, value);
        openControl = Math.addExact(openControl, control);
        long low = openSquaresLow + value * value;
        openSquaresHigh += Math.multiplyHigh(value, value) + (Long.compareUnsigned(low, openSquaresLow) < 0 ? 1 : 0);
        openSquaresLow = low;
        openMax = Math.max(openMax, value);
        histogram.record(open / GROUP, value);
    }

    /**
     * Records {@code count} samples of one message without a control variate: {@code first}, {@code first + step}, and so on.
     *
     * @param offerPs when the message was offered, in ps
     * @param first 0 or more
     * @param step 0 or more
     * @throws ArithmeticException if a sum leaves 64 bits
     */
    public void recordEvenly(long offerPs, long first, long step, int count) {
        if (offerPs < openFromPs || offerPs > openToPs) {
            open(offerPs);
        }
        int group = open / GROUP;
        long sum = openSum;
        long high = openSquaresHigh;
        long low = openSquaresLow;
        long value = first;
        for (int i = 0; i < count; i++, value += step) {
            sum = Math.addExact(sum, value);
            long before = low;
            low += value * value;
            high += Math.multiplyHigh(value, value) + (Long.compareUnsigned(low, before) < 0 ? 1 : 0);
            histogram.record(group, value);
        }
        openCount += count;
        openSum = sum;
        openSquaresHigh = high;
        openSquaresLow = low;
        openMax = Math.max(openMax, count == 0 ? 0 : value - step);
    }

    private void open(long offerPs) {
        int slice = slicing.sliceOf(offerPs);
        catchUp();
        open = slice;
        openFromPs = slicing.surelyFrom(slice);
        openToPs = slicing.surelyTo(slice);
    }

    private void addSquares(int group, long high, long low) {
        long sum = squaresLow[group] + low;
        squaresHigh[group] += high + (Long.compareUnsigned(sum, low) < 0 ? 1 : 0);
        squaresLow[group] = sum;
    }

    /** Books what the open slice gathered, then follows the slicing. */
    private void catchUp() {
        // In this order: the open slice is one of the width before any doubling that is not yet followed.
        if (openCount > 0) {
            counts[open] += openCount;
            sums[open] = Math.addExact(sums[open], openSum);
            controls[open] = Math.addExact(controls[open], openControl);
            int group = open / GROUP;
            addSquares(group, openSquaresHigh, openSquaresLow);
            maxima[group] = Math.max(maxima[group], openMax);
            clearOpen();
        }
        if (doublings != slicing.doublings()) {
            openToPs = -1;
        }
        for (; doublings < slicing.doublings(); doublings++) {
            Slicing.mergePairs(counts);
            Slicing.mergePairs(sums);
            Slicing.mergePairs(controls);
            histogram.mergePairs();
            for (int g = 0; g < GROUPS; g++) {
                long high = squaresHigh[g];
                long low = squaresLow[g];
                long max = maxima[g];
                squaresHigh[g] = 0;
                squaresLow[g] = 0;
                maxima[g] = 0;
                addSquares(g / 2, high, low);
                maxima[g / 2] = Math.max(maxima[g / 2], max);
            }
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
        for (int group = slice / GROUP; group < GROUPS; group++) {
            for (int i = group * GROUP; i < (group + 1) * GROUP; i++) {
                all.add(counts[i], sums[i]);
            }
            all.add(squaresHigh[group], squaresLow[group], maxima[group]);
        }
        return all;
    }

    /**
     * Quantiles of all samples from a slice on, within 1/1024 of the exact order statistics and never above the maximum.
     *
     * @param slice a multiple of {@link #GROUP}
     * @param qs ascending levels above 0, at most 1
     * @return one value a level, or null if there is no sample
     */
    public double @Nullable [] quantilesFrom(int slice, double... qs) {
        catchUp();
        long n = 0;
        for (int i = slice; i < Slicing.SLICES; i++) {
            n += counts[i];
        }
        double[] values = histogram.quantiles(slice / GROUP, n, qs);
        if (values != null) {
            long max = 0;
            for (int group = slice / GROUP; group < GROUPS; group++) {
                max = Math.max(max, maxima[group]);
            }
            for (int i = 0; i < values.length; i++) {
                values[i] = Math.min((double) max, values[i]);
            }
        }
        return values;
    }
}
