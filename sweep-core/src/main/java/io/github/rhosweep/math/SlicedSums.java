package io.github.rhosweep.math;

import java.util.Arrays;

/** Sums of an amount by slices of time, such as bytes delivered or time busy, so that a warm-up can be left out afterwards. */
public final class SlicedSums {
    private final Slicing slicing;
    private final long[] sums = new long[Slicing.SLICES];
    private int doublings;
    /** The slice last added to, times that are surely in it, and what was added since: most amounts fall where the last one did. */
    private int open;

    private long openFromPs;
    private long openToPs;
    private long openSum;

    public SlicedSums(Slicing slicing) {
        this.slicing = slicing;
    }

    /** Forgets everything; to be called after the slicing was reset. */
    public void reset() {
        doublings = slicing.doublings();
        Arrays.fill(sums, 0);
        open = 0;
        openFromPs = 0;
        openToPs = -1;
        openSum = 0;
    }

    /** Adds an amount at a time, in ps. */
    public void add(long timePs, long amount) {
        if (timePs < openFromPs || timePs > openToPs) {
            open(timePs);
        }
        openSum += amount;
    }

    private void open(long timePs) {
        int slice = slicing.sliceOf(timePs);
        catchUp();
        open = slice;
        openFromPs = slicing.surelyFrom(slice);
        openToPs = slicing.surelyTo(slice);
    }

    /** What was added in slices {@code from .. end-1}. */
    public long sum(int from, int end) {
        catchUp();
        long sum = 0;
        for (int i = from; i < end; i++) {
            sum += sums[i];
        }
        return sum;
    }

    private void catchUp() {
        // The open slice is one of the width before any doubling that is not yet followed.
        sums[open] += openSum;
        openSum = 0;
        if (doublings != slicing.doublings()) {
            openToPs = -1;
        }
        for (; doublings < slicing.doublings(); doublings++) {
            Slicing.mergePairs(sums);
        }
    }
}
