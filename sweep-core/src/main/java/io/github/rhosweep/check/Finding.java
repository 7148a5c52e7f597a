package io.github.rhosweep.check;

import java.io.Serializable;

/**
 * One value that a check found, and where theory puts it.
 *
 * @param check id of the check
 * @param what is found, with its setting
 * @param value found
 * @param low least value that passes
 * @param high largest value that passes; infinite where theory gives a lower bound alone
 * @param expected what theory says
 * @param unit of all four; empty for counts and ratios
 * @param tolerance where low and high come from
 */
public record Finding(
        String check,
        String what,
        double value,
        double low,
        double high,
        double expected,
        String unit,
        String tolerance)
        implements Serializable {
    /** Whether the value lies where it must; one that does not exist (NaN) does not. */
    public boolean passed() {
        return value >= low && value <= high;
    }
}
