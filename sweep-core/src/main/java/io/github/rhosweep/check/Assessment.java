package io.github.rhosweep.check;

import io.github.rhosweep.result.Row;
import java.util.ArrayList;
import java.util.List;
import org.apache.commons.math3.distribution.TDistribution;
import org.jspecify.annotations.Nullable;

/**
 * A claim measured. The test is one of equivalence (Schuirmann 1987, two one-sided tests) at 5% for all claims of the file together
 * (Bonferroni): the interval of confidence 1 - 2 x 0.05 / m must lie within what is claimed, margin included, to hold, and outside to
 * refute. A verdict does not depend on which other claims are measured.
 *
 * @param claim that was measured
 * @param mean of the measure over replicates; NaN if it does not exist
 * @param halfWidth of its 95% interval; 0 where nothing is random
 * @param n replicates behind both; 1 where nothing is random
 * @param closedForm what theory says, NaN if nothing
 * @param verdict of the test
 * @param note why the value does not exist; empty if it does
 */
public record Assessment(
        Claim claim, double mean, double halfWidth, int n, double closedForm, Verdict verdict, String note) {
    private static final double ERROR = 0.05;

    /**
     * Tests a claim.
     *
     * @param rows for each point the rows of its replicates, in order; a point that draws no random number has one
     * @param claims how many claims the file has
     */
    public static Assessment of(Claim claim, List<List<Row>> rows, int claims) {
        int n = rows.stream().mapToInt(List::size).max().orElse(0);
        double closedForm = value(claim.closedForm(), claim, rows, 0);
        List<Double> values = new ArrayList<>();
        for (int replicate = 0; replicate < n; replicate++) {
            double value = value(claim.measure(), claim, rows, replicate);
            if (!Double.isFinite(value)) {
                return missing(claim, closedForm, missingNames(claim, rows, replicate));
            }
            values.add(value);
        }
        if (n == 0) {
            return missing(claim, closedForm, "no run");
        }
        double first = values.get(0);
        // Of differences, so that the mean of equal values is that value.
        double mean = first + values.stream().mapToDouble(v -> v - first).sum() / n;
        double squares =
                values.stream().mapToDouble(v -> (v - mean) * (v - mean)).sum();
        double error = n < 2 ? 0 : Math.sqrt(squares / (n - 1) / n);
        double wide = error * quantile(n, 1 - ERROR / claims);
        double least = claim.low() - claim.margin();
        double most = claim.high() + claim.margin();
        Verdict verdict = mean - wide >= least && mean + wide <= most
                ? Verdict.HOLDS
                : mean + wide < least || mean - wide > most ? Verdict.REFUTED : Verdict.UNDECIDED;
        return new Assessment(claim, mean, error * quantile(n, 0.975), n, closedForm, verdict, "");
    }

    private static double quantile(int n, double probability) {
        return n < 2 ? 0 : new TDistribution(null, n - 1).inverseCumulativeProbability(probability);
    }

    /** A claim whose points did not run. */
    public static Assessment missing(Claim claim, double closedForm, String why) {
        return new Assessment(claim, Double.NaN, Double.NaN, 0, closedForm, Verdict.UNDECIDED, why);
    }

    /** Whether the verdict is another one than the file has it. */
    public boolean surprises() {
        return claim.pinned() != null && claim.pinned() != verdict;
    }

    private static double value(@Nullable Formula formula, Claim claim, List<List<Row>> rows, int replicate) {
        return formula == null ? Double.NaN : formula.value(name -> column(name, claim, rows, replicate));
    }

    private static double column(String name, Claim claim, List<List<Row>> rows, int replicate) {
        int dot = name.indexOf('.');
        int point = dot < 0 ? 0 : claim.points().indexOf(name.substring(0, dot));
        List<Row> replicates = rows.get(point);
        if (replicates.isEmpty()) {
            return Double.NaN;
        }
        Object value = replicates.get(replicates.size() == 1 ? 0 : replicate).get(name.substring(dot + 1));
        return value instanceof Number number
                ? number.doubleValue()
                : value instanceof Boolean flag ? (flag ? 1 : 0) : Double.NaN;
    }

    private static String missingNames(Claim claim, List<List<Row>> rows, int replicate) {
        List<String> missing = claim.measure().names().stream()
                .filter(name -> Double.isNaN(column(name, claim, rows, replicate)))
                .toList();
        return missing.isEmpty() ? "the measure is not finite" : String.join(", ", missing) + " has no value";
    }
}
