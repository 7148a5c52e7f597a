package io.github.rhosweep.fit;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Which method to trust where: mean absolute errors by cell of N and rho, at points held out at random.
 *
 * @param cells by group, N and rho
 * @param breaks where each method begins to be off by more than {@link #BROKEN}
 */
public record TrustMap(List<Cell> cells, List<Break> breaks) {
    /** An error from which a method counts as broken. */
    public static final double BROKEN = 0.1;

    /**
     * One cell. Methods without a prediction for one of its points do not take part.
     *
     * @param group as {@link Grouping} names it
     * @param flows N
     * @param load rho; NaN where it is no input
     * @param n points
     * @param best the method that is off least
     * @param bestError mean of its absolute errors
     * @param second the next; null if there is none
     * @param secondError of it; NaN if there is none
     * @param closedForm the best of those with nothing fitted; null if none answers
     * @param closedFormError of it; NaN if there is none
     * @param alphaBetaError of alpha_beta; NaN if it does not answer
     * @param noise standard error of what was measured, relative, averaged
     */
    public record Cell(
            String group,
            double flows,
            double load,
            int n,
            String best,
            double bestError,
            @Nullable String second,
            double secondError,
            @Nullable String closedForm,
            double closedFormError,
            double alphaBetaError,
            double noise) {}

    /**
     * Where a method breaks.
     *
     * @param group as {@link Grouping} names it
     * @param method its id
     * @param flows N
     * @param load the least rho from which on its error stays above {@link #BROKEN}; null if at the highest it is not
     */
    public record Break(
            String group,
            String method,
            double flows,
            @Nullable Double load) {}

    private record Place(String group, double flows, double load) implements Comparable<Place> {
        @Override
        public int compareTo(Place other) {
            return Comparator.comparing(Place::group)
                    .thenComparingDouble(Place::flows)
                    .thenComparingDouble(Place::load)
                    .compare(this, other);
        }
    }

    private static final class Errors {
        private double sum;
        private int n;
        private double noise;

        double mean() {
            return sum / n;
        }
    }

    static TrustMap of(Comparison comparison) {
        Map<Place, Map<Comparison.Scored, Errors>> places = new TreeMap<>();
        for (Comparison.Scored s : comparison.methods()) {
            for (HeldOutPoint p : s.evaluation().points()) {
                if (p.kind() != HeldOut.RANDOM) {
                    continue;
                }
                Conditions at = p.observation().conditions();
                Errors errors = places.computeIfAbsent(
                                new Place(comparison.group(p.observation()), at.flows(), at.load()),
                                k -> new LinkedHashMap<>())
                        .computeIfAbsent(s, k -> new Errors());
                errors.sum += Math.abs(p.error()); // NaN without prediction, and stays so
                errors.n++;
                errors.noise += p.observation().relativeError();
            }
        }
        List<Cell> cells = new ArrayList<>();
        places.forEach((place, byMethod) -> {
            Cell cell = cell(place, byMethod);
            if (cell != null) {
                cells.add(cell);
            }
        });
        return new TrustMap(cells, breaks(places));
    }

    private static @Nullable Cell cell(Place place, Map<Comparison.Scored, Errors> byMethod) {
        List<Map.Entry<Comparison.Scored, Errors>> ranked = new ArrayList<>(byMethod.entrySet());
        ranked.removeIf(e -> Double.isNaN(e.getValue().mean()));
        if (ranked.isEmpty()) {
            return null;
        }
        // The sort is stable: of equals the one that is better over all comes first.
        ranked.sort(Comparator.comparingDouble(e -> e.getValue().mean()));
        Map.Entry<Comparison.Scored, Errors> best = ranked.get(0);
        Map.Entry<Comparison.Scored, Errors> second = ranked.size() > 1 ? ranked.get(1) : null;
        Map.Entry<Comparison.Scored, Errors> closed = ranked.stream()
                .filter(e -> !e.getKey().method().fits())
                .findFirst()
                .orElse(null);
        double alphaBeta = ranked.stream()
                .filter(e -> e.getKey().id().equals("alpha_beta"))
                .mapToDouble(e -> e.getValue().mean())
                .findFirst()
                .orElse(Double.NaN);
        Errors errors = best.getValue();
        return new Cell(
                place.group,
                place.flows,
                place.load,
                errors.n,
                best.getKey().id(),
                errors.mean(),
                second == null ? null : second.getKey().id(),
                second == null ? Double.NaN : second.getValue().mean(),
                closed == null ? null : closed.getKey().id(),
                closed == null ? Double.NaN : closed.getValue().mean(),
                alphaBeta,
                errors.noise / errors.n);
    }

    private static List<Break> breaks(Map<Place, Map<Comparison.Scored, Errors>> places) {
        Map<String, Break> breaks = new LinkedHashMap<>();
        // By ascending load: a later cell that is fine again takes the break back.
        places.forEach((place, byMethod) -> byMethod.forEach((s, errors) -> {
            if (Double.isNaN(errors.mean()) || Double.isNaN(place.load)) {
                return;
            }
            String key = place.group + "\n" + s.id() + "\n" + place.flows;
            Break before = breaks.get(key);
            boolean broken = errors.mean() > BROKEN;
            Double since = before == null ? null : before.load();
            breaks.put(
                    key,
                    new Break(place.group, s.id(), place.flows, broken ? since == null ? place.load : since : null));
        }));
        return List.copyOf(breaks.values());
    }
}
