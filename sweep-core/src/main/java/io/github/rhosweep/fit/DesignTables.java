package io.github.rhosweep.fit;

import java.util.List;

/**
 * What the design that this project answers expected: its three tables of accuracy, as relative errors, and of speed. Beside each row
 * stands which of our methods it is measured by.
 */
public final class DesignTables {
    private DesignTables() {}

    /**
     * One row of the comparison of methods.
     *
     * @param method as the design calls it
     * @param low error expected at low load
     * @param high error expected at high load
     * @param cost of a prediction
     * @param measuredBy ids of methods here
     */
    public record MethodRow(String method, String low, String high, String cost, List<String> measuredBy) {}

    /**
     * One branch of the decision tree.
     *
     * @param regime of load
     * @param model the formula recommended there
     * @param expected error
     * @param measuredBy ids of methods here
     */
    public record BranchRow(Regime regime, String model, String expected, List<String> measuredBy) {}

    /**
     * One row of the table of limits.
     *
     * @param method as the design calls it
     * @param expected error
     * @param speed of an answer
     * @param measuredBy ids of methods here; empty: the simulator itself, the reference of all errors here
     */
    public record LimitRow(String method, String expected, String speed, List<String> measuredBy) {}

    /** Methods by accuracy at low and high load. */
    public static List<MethodRow> methods() {
        return List.of(
                new MethodRow("alpha-beta alone", "< 5%", "off by > 50%", "ms", List.of("alpha_beta")),
                new MethodRow(
                        "empirical correction factor",
                        "< 5%",
                        "30-50%",
                        "ms",
                        List.of("power", "one_pole", "rational_total", "rational", "rr_fitted")),
                new MethodRow("lookup table", "5-10%", "20-40%", "ms", List.of("lookup", "lookup_cubic")),
                new MethodRow("surrogate (graph network)", "5-15%", "15-25%", "ms", List.of("surrogate")),
                new MethodRow(
                        "segmented (recommended)",
                        "5-15%",
                        "15-30%",
                        "s",
                        List.of("segmented_plain", "segmented", "segmented_auto", "segmented_corrected")),
                new MethodRow("regression", "10-25%", "20-40%", "ms", List.of("regression", "regression_increment")));
    }

    /** The decision tree by load. */
    public static List<BranchRow> branches() {
        return List.of(
                new BranchRow(Regime.LOW, "alpha-beta with static sharing", "< 10%", List.of("segmented")),
                new BranchRow(Regime.TRANSITION, "with M/D/1 queueing added", "10-25%", List.of("segmented")),
                new BranchRow(
                        Regime.CONGESTED,
                        "no less than saturated throughput allows; to be verified by simulation",
                        "20-40%",
                        List.of("segmented")));
    }

    /** Accuracy against speed. */
    public static List<LimitRow> limits() {
        return List.of(
                new LimitRow("alpha-beta with static sharing", "5-20%", "us", List.of("static")),
                new LimitRow("alpha-beta with segmented congestion", "10-30%", "s", List.of("segmented")),
                new LimitRow("switch simulation", "5-15%", "min", List.of()));
    }
}
