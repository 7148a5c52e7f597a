package io.github.rhosweep.math;

import java.util.Arrays;

/**
 * Counts of non-negative whole numbers in log-linear cells: every octave has 512 cells of equal width, values below 1024 have a
 * cell each. A quantile is the middle of its cell, hence within 1/1024 (three significant digits) of the exact order statistic,
 * and exact below 1024. The layout is fixed, so equal samples give equal answers in whatever order and however merged.
 *
 * <p>The layout is HdrHistogram's (Tene); the class is not, because HdrHistogram clears and adds whole arrays: a run keeps 16
 * histograms for each quantity it measures, and a sweep makes runs of a thousand frames, in which clearing and merging would
 * cost more than the simulation. Here both touch only the octaves that hold something.
 */
public final class LogHistogram {
    private static final int CELL_BITS = 9;
    private static final int CELLS = 1 << CELL_BITS;
    /** Octave 0 holds 0 .. 511 and octave 1 holds 512 .. 1023, in cells of width 1; octave o > 1 in cells of width 2^(o-1). */
    private static final int OCTAVES = Long.SIZE - CELL_BITS;

    /** Cells by octave, made when first needed. */
    private final int[][] counts = new int[OCTAVES][];

    private long touched;
    private long total;

    public LogHistogram() {
        Arrays.fill(counts, new int[0]);
    }

    /** Forgets everything; keeps the memory. */
    public void reset() {
        for (long rest = touched; rest != 0; rest &= rest - 1) {
            Arrays.fill(counts[Long.numberOfTrailingZeros(rest)], 0);
        }
        touched = 0;
        total = 0;
    }

    /**
     * Counts one value.
     *
     * @param value 0 or more
     * @throws ArithmeticException if a cell exceeds 2^31 - 1
     */
    public void record(long value) {
        int octave = octave(value);
        int[] cells = cells(octave);
        int cell = (int) (value >>> Math.max(0, octave - 1)) & (CELLS - 1);
        cells[cell] = Math.incrementExact(cells[cell]);
        total++;
    }

    /** Takes over all counts of {@code other}. */
    public void add(LogHistogram other) {
        for (long rest = other.touched; rest != 0; rest &= rest - 1) {
            int octave = Long.numberOfTrailingZeros(rest);
            int[] from = other.cells(octave);
            int[] to = cells(octave);
            int overflow = 0;
            for (int i = 0; i < CELLS; i++) {
                to[i] += from[i];
                overflow |= to[i];
            }
            if (overflow < 0) {
                throw new ArithmeticException("a histogram cell exceeds 2^31 - 1");
            }
        }
        total += other.total;
    }

    public long total() {
        return total;
    }

    /**
     * The ceil(q n)-th smallest value, to the width of a cell.
     *
     * @param q above 0, at most 1
     * @throws IllegalStateException if nothing was recorded
     */
    public double quantile(double q) {
        if (total == 0) {
            throw new IllegalStateException("no quantile of no values");
        }
        long left = Math.max(1, (long) Math.ceil(q * total));
        for (long rest = touched; rest != 0; rest &= rest - 1) {
            int octave = Long.numberOfTrailingZeros(rest);
            int[] cells = cells(octave);
            for (int i = 0; i < CELLS; i++) {
                left -= cells[i];
                if (left <= 0) {
                    return middle(octave, i);
                }
            }
        }
        throw new IllegalStateException("q " + q + " is beyond 1");
    }

    private int[] cells(int octave) {
        if (counts[octave].length == 0) {
            counts[octave] = new int[CELLS];
        }
        touched |= 1L << octave;
        return counts[octave];
    }

    private static int octave(long value) {
        return Long.SIZE - CELL_BITS - Long.numberOfLeadingZeros(value | (CELLS - 1));
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
