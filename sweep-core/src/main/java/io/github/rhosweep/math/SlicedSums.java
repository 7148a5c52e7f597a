package io.github.rhosweep.math;

import java.util.Arrays;

/** Sums of an amount by slices of time, such as bytes delivered or time busy, so that a warm-up can be left out afterwards. */
public final class SlicedSums {
    private final Slicing slicing;
    private final long[] sums = new long[Slicing.SLICES];
    private int doublings;

    public SlicedSums(Slicing slicing) {
        this.slicing = slicing;
    }

    /** Forgets everything; to be called after the slicing was reset. */
    public void reset() {
        doublings = slicing.doublings();
        Arrays.fill(sums, 0);
    }

    /** Adds an amount at a time, in ps. */
    public void add(long timePs, long amount) {
        int slice = slicing.sliceOf(timePs);
        catchUp();
        sums[slice] += amount;
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
        for (; doublings < slicing.doublings(); doublings++) {
            Slicing.mergePairs(sums);
        }
    }
}
