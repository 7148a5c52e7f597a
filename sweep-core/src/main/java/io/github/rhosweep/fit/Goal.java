package io.github.rhosweep.fit;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How far the best method may be off by what this project set itself.
 *
 * @param pattern of traffic
 * @param heldOut as {@link HeldOut#id}
 * @param regime as {@link Regime#id}, or {@code all}
 * @param most MAPE
 */
public record Goal(String pattern, String heldOut, String regime, double most) {
    private static final List<Goal> ALL = all();

    /**
     * A goal beside what was measured.
     *
     * @param goal which
     * @param measured errors of {@link Comparison#BEST}; null if there were no such points
     */
    public record Verdict(Goal goal, @Nullable ErrorSummary measured) {
        /** Whether it was met at every point that counts. */
        public boolean met() {
            if (measured == null) {
                return false;
            }
            Double mape = measured.mape();
            return mape != null && measured.without() == 0 && mape <= goal.most;
        }
    }

    private static List<Goal> all() {
        List<Goal> goals = new ArrayList<>();
        Map<String, double[]> random = new java.util.TreeMap<>(
                Map.of("incast", new double[] {0.01, 0.02, 0.05}, "uniform", new double[] {0.05, 0.08, 0.15}));
        Map<String, double[]> larger = Map.of("incast", new double[] {0.05, 0.05}, "uniform", new double[] {0.15, 0.2});
        random.forEach((pattern, most) -> {
            Regime[] regimes = {Regime.LOW, Regime.TRANSITION, Regime.CONGESTED};
            for (int i = 0; i < regimes.length; i++) {
                goals.add(new Goal(pattern, HeldOut.RANDOM.id(), regimes[i].id(), most[i]));
            }
            double[] beyond = larger.getOrDefault(pattern, new double[0]);
            goals.add(new Goal(pattern, HeldOut.LARGER_FLOWS.id(), "all", beyond[0]));
            goals.add(new Goal(pattern, HeldOut.LARGER_FLOWS.id(), Regime.CONGESTED.id(), beyond[1]));
        });
        return List.copyOf(goals);
    }

    /** Goals of the patterns that were measured. */
    static List<Verdict> verdicts(List<Comparison.ErrorRow> errors) {
        List<Verdict> verdicts = new ArrayList<>();
        for (Goal goal : ALL) {
            List<ErrorSummary> of = errors.stream()
                    .filter(e -> e.pattern().equals(goal.pattern) && e.method().equals(Comparison.BEST))
                    .map(Comparison.ErrorRow::summary)
                    .toList();
            if (!of.isEmpty()) {
                verdicts.add(new Verdict(
                        goal,
                        of.stream()
                                .filter(s -> s.heldOut().equals(goal.heldOut)
                                        && s.regime().equals(goal.regime))
                                .findFirst()
                                .orElse(null)));
            }
        }
        return verdicts;
    }
}
