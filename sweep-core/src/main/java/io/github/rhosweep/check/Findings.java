package io.github.rhosweep.check;

import io.github.rhosweep.result.Estimate;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Collects what one check found. */
final class Findings {
    /** In half-widths of 95% intervals: beyond it lies less than one correct simulator in 10^6. */
    private static final double HALF_WIDTHS = 3;

    private final String check;
    private final List<Finding> found = new ArrayList<>();

    Findings(String check) {
        this.check = check;
    }

    /** Theory knows the value to the last digit. */
    void exactly(String what, double value, double expected, String unit) {
        found.add(new Finding(check, what, value, expected, expected, expected, unit, "exact"));
    }

    void exactly(String what, long value, long expected, String unit) {
        exactly(what, (double) value, (double) expected, unit);
    }

    void within(String what, double value, double expected, double tolerance, String unit, String why) {
        found.add(new Finding(check, what, value, expected - tolerance, expected + tolerance, expected, unit, why));
    }

    /** Theory gives a lower bound. */
    void atLeast(String what, double value, double bound, String unit) {
        found.add(new Finding(check, what, value, bound, Double.POSITIVE_INFINITY, bound, unit, "a lower bound"));
    }

    /** A measured mean with its interval, both in ps and told in ns. */
    void mean(String what, Estimate measured, double expectedPs) {
        mean(
                what,
                Objects.requireNonNullElse(measured.meanPs(), Double.NaN),
                Objects.requireNonNullElse(measured.halfWidthPs(), Double.NaN),
                expectedPs);
    }

    /** As {@link #mean(String, Estimate, double)}. An interval too wide to tell anything fails: its mean is not a value then. */
    void mean(String what, double meanPs, double halfWidthPs, double expectedPs) {
        boolean tells = halfWidthPs < 0.1 * Math.abs(expectedPs);
        within(
                what,
                tells ? meanPs / 1000 : Double.NaN,
                expectedPs / 1000,
                HALF_WIDTHS * halfWidthPs / 1000,
                "ns",
                "3 half-widths of the 95% interval");
    }

    List<Finding> list() {
        return List.copyOf(found);
    }
}
