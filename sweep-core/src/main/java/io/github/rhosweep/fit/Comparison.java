package io.github.rhosweep.fit;

import io.github.rhosweep.scenario.Params;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * All methods on one dataset, side by side: how far each is off at points that it was not fitted to, which is best where, and what it
 * costs. All but {@link Scored#fitNs} and {@link Scored#predictNs} is the same for equal datasets, methods and seeds.
 */
public final class Comparison {
    /** The id under which each group's best method counts as one method. */
    public static final String BEST = "best";

    /** What was never fitted to. */
    public static final String LOSSY = "lossy";

    /** What was never fitted to either. */
    public static final String UNSTABLE = "unstable";

    /** An error from which a row is listed. */
    public static final double FAR_OFF = 0.3;

    private static final int WARM_UP = 20_000;
    private static final int TIMED = 20_000;
    private static final int TIMINGS = 5;

    /** A timing ends about here, in ns, however few predictions that are. */
    private static final double MOST_TIMED_NS = 5e8;

    private final Dataset dataset;
    private final Set<Grouping> by;
    private final long seed;
    private final List<Scored> scored;
    private final Map<String, Scored> best;
    private final List<String> patterns;

    /**
     * One method.
     *
     * @param method which
     * @param evaluation at held-out points
     * @param fitted to all usable points, by group
     * @param refusals why it was not fitted, by group
     * @param fitNs what fitting all groups cost once, here or before; 0 if nothing is fitted
     * @param predictNs what one prediction from kept conditions costs in a simple loop; NaN if there is none
     */
    public record Scored(
            Method method,
            Evaluation evaluation,
            Map<String, Fitted> fitted,
            Map<String, String> refusals,
            double fitNs,
            double predictNs) {
        /** The method's name. */
        public String id() {
            return method.id();
        }
    }

    /**
     * Errors of a method.
     *
     * @param pattern of traffic, or {@code all}
     * @param method its id, or {@link #BEST}
     * @param summary over which points, and how far off
     */
    public record ErrorRow(String pattern, String method, ErrorSummary summary) {}

    /**
     * A point at which its group's best method is far off.
     *
     * @param method the best of its group
     * @param heldOut how the point was held out, or why it was never fitted to
     * @param observation what was measured
     * @param predicted in ns
     */
    public record OffRow(String method, String heldOut, Observation observation, double predicted) {
        /** (predicted - measured)/measured. */
        public double error() {
            return predicted / observation.value() - 1;
        }
    }

    private Comparison(Dataset dataset, Set<Grouping> by, long seed, List<Scored> scored) {
        this.dataset = dataset;
        this.by = by;
        this.seed = seed;
        this.scored = scored;
        this.best = new LinkedHashMap<>();
        for (String group : Evaluation.groups(dataset.usable(), by).keySet()) {
            scored.stream()
                    .min(Comparator.comparingDouble(
                            s -> CorrectionFit.score(s.evaluation, o -> group(o).equals(group))))
                    .ifPresent(s -> best.put(group, s));
        }
        TreeSet<String> names = new TreeSet<>();
        dataset.usable().forEach(o -> names.add(o.conditions().pattern()));
        this.patterns = List.copyOf(names);
    }

    /**
     * Compares.
     *
     * @param by what gets coefficients of its own
     * @param seed of starts, folds and bootstraps
     * @param nanos a clock, in ns, for what methods cost
     * @throws NotIdentifiableException if the dataset has no usable point
     */
    public static Comparison of(
            Dataset dataset, Set<Grouping> by, List<Method> methods, long seed, LongSupplier nanos) {
        return of(dataset, by, methods, null, seed, nanos);
    }

    /**
     * Compares.
     *
     * @param asked points to hold out together, as a further way of holding out; or null
     * @throws NotIdentifiableException if the dataset has no usable point
     */
    public static Comparison of(
            Dataset dataset,
            Set<Grouping> by,
            List<Method> methods,
            @Nullable Predicate<Params> asked,
            long seed,
            LongSupplier nanos) {
        CorrectionFit fit = new CorrectionFit(dataset, by, seed); // refuses an empty dataset
        List<Evaluation> evaluations =
                methods.parallelStream().map(m -> fit.evaluate(m, asked)).toList();
        // What methods cost is measured one after the other.
        List<Scored> scored = new ArrayList<>();
        for (int i = 0; i < methods.size(); i++) {
            Method method = methods.get(i);
            Map<String, Fitted> fitted = new LinkedHashMap<>();
            Map<String, String> refusals = new LinkedHashMap<>();
            long began = nanos.getAsLong();
            Evaluation.groups(dataset.usable(), by).forEach((group, observations) -> {
                try {
                    fitted.put(group, method.fit(dataset.target(), observations, seed));
                } catch (NotIdentifiableException refused) {
                    refusals.put(group, refused.getMessage());
                }
            });
            double fitNs = method.fits() ? nanos.getAsLong() - began : method.fittedBeforeNs();
            scored.add(new Scored(
                    method,
                    evaluations.get(i),
                    fitted,
                    refusals,
                    fitNs,
                    predictionNs(dataset.usable(), by, fitted, nanos)));
        }
        Map<String, Double> scores = new LinkedHashMap<>();
        scored.forEach(s -> scores.put(s.id(), CorrectionFit.score(s.evaluation)));
        scored.sort(Comparator.comparingDouble(s -> scores.getOrDefault(s.id(), Double.POSITIVE_INFINITY)));
        return new Comparison(dataset, by, seed, List.copyOf(scored));
    }

    private static double predictionNs(
            List<Observation> observations, Set<Grouping> by, Map<String, Fitted> fitted, LongSupplier nanos) {
        List<Conditions> asked = observations.stream()
                .map(Observation::conditions)
                .filter(c -> fitted.containsKey(Grouping.group(by, c)))
                .toList();
        if (asked.isEmpty()) {
            return Double.NaN;
        }
        Conditions[] conditions = asked.toArray(Conditions[]::new);
        Fitted[] of = asked.stream().map(c -> fitted.get(Grouping.group(by, c))).toArray(Fitted[]::new);
        double least = Double.POSITIVE_INFINITY;
        double sum = 0;
        // A network takes thousands of times as long as a formula: what a first round of all points took says how often
        // to ask.
        long first = nanos.getAsLong();
        for (int i = 0; i < of.length; i++) {
            sum += of[i].predict(conditions[i]);
        }
        double about = Math.max(1, (double) (nanos.getAsLong() - first) / of.length);
        int most = (int) Math.min(TIMED, Math.max(1, MOST_TIMED_NS / about));
        for (int timing = -1; timing < TIMINGS; timing++) {
            int calls = timing < 0 ? Math.min(WARM_UP, most) : most;
            long began = nanos.getAsLong();
            for (int i = 0; i < calls; i++) {
                sum += of[i % of.length].predict(conditions[i % of.length]);
            }
            double each = (double) (nanos.getAsLong() - began) / calls;
            least = timing < 0 ? least : Math.min(least, each);
        }
        // The sum is asked for so that no call can be left out.
        return Double.isInfinite(sum) ? Double.NaN : least;
    }

    /** What was compared on. */
    public Dataset dataset() {
        return dataset;
    }

    /** What groups are told apart by. */
    public Set<Grouping> by() {
        return by;
    }

    /** All methods, the one that is off least over all groups first; those that cannot answer everywhere last. */
    public List<Scored> methods() {
        return scored;
    }

    /**
     * The best method of each group by {@link CorrectionFit#ranked}'s measure: errors averaged over regimes and three ways of holding
     * out.
     */
    public Map<String, Scored> best() {
        return Map.copyOf(best);
    }

    /** Names of groups, sorted. */
    public List<String> groups() {
        return List.copyOf(best.keySet());
    }

    /** Traffic patterns, sorted. */
    public List<String> patterns() {
        return patterns;
    }

    /** The group of a point. */
    public String group(Observation o) {
        return Grouping.group(by, o.conditions());
    }

    /**
     * Errors of every method and of {@link #BEST}, by pattern and over all patterns, by way of holding out and regime; then those of
     * models fitted to all usable points at points that never enter a fit.
     */
    public List<ErrorRow> errors() {
        List<ErrorRow> rows = new ArrayList<>();
        List<String> within = new ArrayList<>(patterns);
        if (patterns.size() > 1) {
            within.add("all");
        }
        for (String pattern : within) {
            Predicate<Observation> in =
                    o -> pattern.equals("all") || o.conditions().pattern().equals(pattern);
            bestErrors(in).forEach(s -> rows.add(new ErrorRow(pattern, BEST, s)));
            for (Scored s : scored) {
                s.evaluation.errors(in).forEach(e -> rows.add(new ErrorRow(pattern, s.id(), e)));
                apart(s, in).forEach(e -> rows.add(new ErrorRow(pattern, s.id(), e)));
            }
        }
        return rows;
    }

    private List<ErrorSummary> bestErrors(Predicate<Observation> in) {
        List<HeldOutPoint> points = new ArrayList<>();
        best.forEach((group, s) -> s.evaluation.points().stream()
                .filter(p -> group(p.observation()).equals(group) && in.test(p.observation()))
                .forEach(points::add));
        return Evaluation.errors(points, seed);
    }

    private List<ErrorSummary> apart(Scored s, Predicate<Observation> in) {
        List<ErrorSummary> summaries = new ArrayList<>();
        Map<String, List<Observation>> sets =
                new TreeMap<>(Map.of(LOSSY, dataset.lossy(), UNSTABLE, dataset.unsteady()));
        sets.forEach((set, observations) -> {
            List<HeldOutPoint> points = observations.stream()
                    .filter(in)
                    .map(o -> new HeldOutPoint(HeldOut.RANDOM, o, predict(s, o)))
                    .toList();
            for (Regime regime : Regime.values()) {
                List<HeldOutPoint> inRegime = points.stream()
                        .filter(p -> p.observation().conditions().regime() == regime)
                        .toList();
                if (!inRegime.isEmpty()) {
                    summaries.add(ErrorSummary.of(set, regime.id(), inRegime, seed));
                }
            }
            if (!points.isEmpty()) {
                summaries.add(ErrorSummary.of(set, "all", points, seed));
            }
        });
        return summaries;
    }

    private double predict(Scored s, Observation o) {
        Fitted fitted = s.fitted.get(group(o));
        return fitted == null ? Double.NaN : fitted.predict(o.conditions());
    }

    /** Points at which the best method of their group is off by more than {@link #FAR_OFF}, the worst first. */
    public List<OffRow> farOff() {
        List<OffRow> rows = new ArrayList<>();
        best.forEach((group, s) -> {
            s.evaluation.points().stream()
                    .filter(p -> group(p.observation()).equals(group))
                    .forEach(p -> rows.add(new OffRow(s.id(), p.kind().id(), p.observation(), p.predicted())));
            dataset.lossy().stream()
                    .filter(o -> group(o).equals(group))
                    .forEach(o -> rows.add(new OffRow(s.id(), LOSSY, o, predict(s, o))));
        });
        rows.removeIf(r -> !(Math.abs(r.error()) > FAR_OFF));
        rows.sort(Comparator.comparingDouble((OffRow r) -> -Math.abs(r.error()))
                .thenComparing(r -> r.observation().key())
                .thenComparing(OffRow::heldOut));
        return rows;
    }

    /** Which method is best where. */
    public TrustMap trustMap() {
        return TrustMap.of(this);
    }

    /** What T = alpha_eff + M/beta_eff makes of each load. */
    public List<EffectiveAlphaBeta> effectiveAlphaBeta() {
        return EffectiveAlphaBeta.of(dataset.usable(), this::group);
    }

    /** Where methods jump or fall. */
    public List<Continuity> continuity() {
        return Continuity.of(this);
    }

    /** What this project set itself, beside what was measured. */
    public List<Goal.Verdict> goals() {
        return Goal.verdicts(errors());
    }

    /** Standard errors of what was measured, relative, averaged by regime: no method can be told to be better than that. */
    public Map<Regime, Double> noise(String pattern) {
        Map<Regime, Double> noise = new TreeMap<>();
        for (Regime regime : Regime.values()) {
            dataset.usable().stream()
                    .filter(o -> o.conditions().pattern().equals(pattern)
                            && o.conditions().regime() == regime)
                    .mapToDouble(Observation::relativeError)
                    .average()
                    .ifPresent(mean -> noise.put(regime, mean));
        }
        return noise;
    }
}
