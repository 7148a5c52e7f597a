package io.github.rhosweep.math;

/** Fairness of shares (Jain, Chiu, Hawe 1984, DEC-TR-301): (sum x)^2 / (n sum x^2), from 1/n (one has all) to 1 (all equal). */
public final class JainIndex {
    private JainIndex() {}

    /** The index of non-negative shares; NaN if there are none or all are 0. */
    public static double of(long... shares) {
        double sum = 0;
        double squares = 0;
        for (long share : shares) {
            sum += share;
            squares += (double) share * share;
        }
        return sum * sum / (shares.length * squares);
    }
}
