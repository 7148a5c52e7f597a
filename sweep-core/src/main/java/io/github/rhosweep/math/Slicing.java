package io.github.rhosweep.math;

/**
 * Cuts the time of a run into at most {@link #SLICES} slices of equal width, shared by all that is measured in the run. The width
 * starts so that the planned end falls at seven eighths of them, since random arrivals end a run a few per cent late as often as
 * early; when a time lies beyond the last slice, the width doubles, and whoever keeps sums by slice merges neighbours in pairs.
 */
public final class Slicing {
    public static final int SLICES = 256;

    private static final int PLANNED_SLICES = SLICES / 8 * 7;

    private double slicesPerPs;
    private double psPerSlice;
    private int doublings;

    /** Starts anew for a run that is planned to end at {@code plannedEndPs}; 0 or less counts as 1 ps. */
    public void reset(long plannedEndPs) {
        slicesPerPs = (double) PLANNED_SLICES / Math.max(1, plannedEndPs);
        psPerSlice = 1 / slicesPerPs;
        doublings = 0;
    }

    /**
     * The slice of a time, after as many doublings as it takes. Halving a double is exact, so every time moves from its old slice
     * s to s/2: sums by slice stay true after merging pairs.
     */
    public int sliceOf(long timePs) {
        int slice = (int) (timePs * slicesPerPs);
        while (slice >= SLICES) {
            slicesPerPs /= 2;
            psPerSlice *= 2;
            doublings++;
            slice = (int) (timePs * slicesPerPs);
        }
        return slice;
    }

    /** A time such that it and all later ones, to {@link #surelyTo}, are in a slice; near a boundary it says less than is true. */
    long surelyFrom(int slice) {
        double start = slice * psPerSlice;
        return slice == 0 ? 0 : (long) (start + margin(start)) + 1;
    }

    /** A time such that it and all earlier ones, from {@link #surelyFrom} on, are in a slice. */
    long surelyTo(int slice) {
        double end = (slice + 1) * psPerSlice;
        return (long) (end - margin(end)) - 1;
    }

    /** More than what rounding in {@link #sliceOf} and in a product can amount to: each errs by 2^-53 of it a few times. */
    private static double margin(double timePs) {
        return timePs * 0x1p-49;
    }

    /** How often the width has doubled since {@link #reset}. */
    public int doublings() {
        return doublings;
    }

    /** Where a slice starts, in ps, rounded. */
    public long startPs(int slice) {
        return Math.round(slice / slicesPerPs);
    }

    /** Merges neighbours: element i becomes the sum of 2i and 2i+1. */
    static void mergePairs(long[] sums) {
        int half = sums.length / 2;
        for (int i = 0; i < half; i++) {
            sums[i] = sums[2 * i] + sums[2 * i + 1];
        }
        java.util.Arrays.fill(sums, half, sums.length, 0);
    }
}
