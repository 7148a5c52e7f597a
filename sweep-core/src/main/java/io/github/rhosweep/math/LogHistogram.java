package io.github.rhosweep.math;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Counts of non-negative whole numbers, kept apart in groups, in log-linear cells: every octave has 512 cells of equal width,
 * values below 1024 have a cell each. A quantile is the middle of its cell, hence within 1/1024 (three significant digits) of
 * the exact order statistic, and exact below 1024. The layout is fixed, so equal samples give equal answers in whatever order.
 *
 * <p>The layout is HdrHistogram's (Tene); the class is not, because HdrHistogram clears, adds and searches whole arrays: a run
 * keeps 16 groups for each quantity it measures, and a sweep makes runs of a thousand frames, in which that alone would cost more
 * than the simulation. Here only octaves that hold something cost anything; their cells come from a pool that outlives the run.
 */
public final class LogHistogram {
    private static final int CELL_BITS = 9;
    private static final int CELLS = 1 << CELL_BITS;
    /** Octave 0 holds 0 .. 511 and octave 1 holds 512 .. 1023, in cells of width 1; octave o > 1 in cells of width 2^(o-1). */
    private static final int OCTAVES = Long.SIZE - CELL_BITS;

    private static final int[] NONE = {};

    private final int groups;
    /** Cells by group x OCTAVES + octave; {@link #NONE} until something falls there. */
    private final int[][] cells;
    /** All places ever needed at a time: the first {@code used} of {@code owned} hold counts and are listed in {@code places}. */
    private int[][] owned = new int[64][];

    private int[] places = new int[64];
    private int used;
    private final int[] merged = new int[CELLS];

    public LogHistogram(int groups) {
        this.groups = groups;
        this.cells = new int[groups * OCTAVES][];
        Arrays.fill(cells, NONE);
    }

    /** Forgets everything; keeps the memory. */
    public void reset() {
        for (int i = 0; i < used; i++) {
            Arrays.fill(owned[i], 0);
            cells[places[i]] = NONE;
        }
        used = 0;
    }

    /**
     * Counts one value.
     *
     * @param value 0 or more
     * @throws ArithmeticException if a cell exceeds 2^31 - 1
     */
    public void record(int group, long value) {
        int octave = Long.SIZE - CELL_BITS - Long.numberOfLeadingZeros(value | (CELLS - 1));
        int[] there = cells[group * OCTAVES + octave];
        if (there.length == 0) {
            there = claim(group * OCTAVES + octave);
        }
        int cell = (int) (value >>> Math.max(0, octave - 1)) & (CELLS - 1);
        there[cell] = Math.incrementExact(there[cell]);
    }

    private int[] claim(int place) {
        if (used == owned.length) {
            owned = Arrays.copyOf(owned, 2 * used);
            places = Arrays.copyOf(places, 2 * used);
        }
        if (owned[used] == null) {
            owned[used] = new int[CELLS];
        }
        places[used] = place;
        cells[place] = owned[used];
        return owned[used++];
    }

    /** Merges neighbours: group g becomes the sum of 2g and 2g+1, the upper half of the groups becomes empty. */
    public void mergePairs() {
        int[][] old = new int[used][];
        int[] oldPlaces = Arrays.copyOf(places, used);
        for (int i = 0; i < used; i++) {
            old[i] = owned[i].clone();
        }
        reset();
        for (int i = 0; i < old.length; i++) {
            int place = oldPlaces[i] / OCTAVES / 2 * OCTAVES + oldPlaces[i] % OCTAVES;
            addTo(cells[place].length == 0 ? claim(place) : cells[place], old[i]);
        }
    }

    /**
     * The ceil(q n)-th smallest of the n values in a group and those after it, to the width of a cell.
     *
     * @param qs ascending levels above 0, at most 1
     * @return a value for each level; null if there is nothing
     */
    public double @Nullable [] quantiles(int fromGroup, long n, double... qs) {
        if (n == 0) {
            return null;
        }
        double[] values = new double[qs.length];
        int next = 0;
        long rank = rank(qs[0], n);
        long below = 0;
        for (int octave = 0; octave < OCTAVES; octave++) {
            if (!merge(octave, fromGroup)) {
                continue;
            }
            for (int i = 0; i < CELLS; i++) {
                below += merged[i];
                while (below >= rank) {
                    values[next++] = middle(octave, i);
                    if (next == qs.length) {
                        return values;
                    }
                    rank = rank(qs[next], n);
                }
            }
        }
        throw new IllegalStateException(below + " values counted, not " + n);
    }

    private static long rank(double q, long n) {
        return Math.max(1, (long) Math.ceil(q * n));
    }

    /** Sums an octave over a group and those after it; false if it is empty. */
    private boolean merge(int octave, int fromGroup) {
        boolean any = false;
        for (int group = fromGroup; group < groups; group++) {
            int[] there = cells[group * OCTAVES + octave];
            if (there.length > 0) {
                if (!any) {
                    Arrays.fill(merged, 0);
                    any = true;
                }
                addTo(merged, there);
            }
        }
        return any;
    }

    private static void addTo(int[] to, int[] from) {
        int all = 0;
        for (int i = 0; i < CELLS; i++) {
            to[i] += from[i];
            all |= to[i];
        }
        if (all < 0) {
            throw new ArithmeticException("a cell of a histogram exceeds 2^31 - 1");
        }
    }

    private static double middle(int octave, int cell) {
        if (octave == 0) {
            return cell;
        }
        int shift = octave - 1;
        long low = (long) (cell | CELLS) << shift;
        return low + ((1L << shift) - 1) / 2.0;
    }
}
