package io.github.rhosweep.fit;

import java.util.List;

/**
 * A formula with coefficients: T over T_ab, S, N, r = rho in slots, b.
 *
 * @param id the method's name
 * @param formula for people
 * @param python the same as a Python expression over T, S, N, r, b and the coefficients' names, with math imported
 * @param unknowns its coefficients
 * @param function the same in Java
 */
record Curve(String id, String formula, String python, List<Unknown> unknowns, Function function) {
    /** The value of a formula, in ns; {@code c} are the coefficients in order. */
    interface Function {
        double of(double[] c, double zeroLoad, double service, double n, double r, double b);
    }

    /**
     * One coefficient.
     *
     * @param name in the formula
     * @param low least value that is tried
     * @param high largest value that is tried
     * @param logarithmic whether it is searched, and its interval found, on a logarithmic scale; needs {@code low > 0}
     * @param needs the feature without variation of which it has no meaning, or null
     */
    record Unknown(
            String name,
            double low,
            double high,
            boolean logarithmic,
            @org.jspecify.annotations.Nullable Feature needs) {
        static Unknown factor(String name, double low, double high) {
            return new Unknown(name, low, high, true, null);
        }

        static Unknown exponent(String name, double low, double high, Feature of) {
            return new Unknown(name, low, high, false, of);
        }
    }
}
