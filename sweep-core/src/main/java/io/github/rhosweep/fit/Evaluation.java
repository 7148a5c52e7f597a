package io.github.rhosweep.fit;

import io.github.rhosweep.math.RandomStream;
import io.github.rhosweep.model.Target;
import io.github.rhosweep.scenario.Params;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * How far a method is off at points that it was not fitted to, held out in four ways, or five ({@link HeldOut}). Points that share random numbers
 * with a held-out one are not fitted to either. A closed form is asked about the same points.
 */
public final class Evaluation {
    private static final int RANDOM_FOLDS = 5;
    private static final int LOAD_FOLDS = 4;
    private static final int COVERAGE_SPLITS = 40;

    /** Of prediction intervals. */
    public static final double LEVEL = 0.95;

    private final Method method;
    private final Target target;
    private final long seed;
    private final List<HeldOutPoint> points = new ArrayList<>();
    private final List<String> refusals = new ArrayList<>();

    private Evaluation(Method method, Target target, long seed) {
        this.method = method;
        this.target = target;
        this.seed = seed;
    }

    /**
     * Evaluates a method.
     *
     * @param by what groups have coefficients of their own; with an unseen setting of the switch, those by settings are one group
     */
    public static Evaluation of(
            Method method, Target target, List<Observation> observations, Set<Grouping> by, long seed) {
        return of(method, target, observations, by, null, seed);
    }

    /**
     * Evaluates a method.
     *
     * @param asked points to hold out together as well, or null
     */
    static Evaluation of(
            Method method,
            Target target,
            List<Observation> observations,
            Set<Grouping> by,
            @Nullable Predicate<Params> asked,
            long seed) {
        Evaluation evaluation = new Evaluation(method, target, seed);
        groups(observations, by).values().forEach(evaluation::holdOutWithin);
        Set<Grouping> across = EnumSet.noneOf(Grouping.class);
        across.addAll(by);
        across.removeAll(EnumSet.of(Grouping.ITERATIONS, Grouping.TOPOLOGY));
        groups(observations, across).values().forEach(evaluation::holdOutSettings);
        if (asked != null) {
            groups(observations, by)
                    .values()
                    .forEach(group -> evaluation.holdOut(
                            HeldOut.ASKED,
                            group,
                            i -> asked.test(
                                    group.get(i).conditions().point().scenario().params())));
        }
        return evaluation;
    }

    /** Observations by group, in the order of their names. */
    static Map<String, List<Observation>> groups(List<Observation> observations, Set<Grouping> by) {
        Map<String, List<Observation>> groups = new TreeMap<>();
        for (Observation o : observations) {
            groups.computeIfAbsent(Grouping.group(by, o.conditions()), g -> new ArrayList<>())
                    .add(o);
        }
        return groups;
    }

    private void holdOutWithin(List<Observation> group) {
        List<String> streams = group.stream().map(Observation::stream).toList();
        int[] fold = Folds.random(streams, RANDOM_FOLDS, RandomStream.named(seed, "folds", 0));
        for (int k = 0; k < RANDOM_FOLDS; k++) {
            int out = k;
            holdOut(HeldOut.RANDOM, group, i -> fold[i] == out);
        }
        double[] loads = distinct(group, Feature.LOAD);
        for (int k = 0; k < LOAD_FOLDS && loads.length >= 4; k++) {
            int out = k;
            holdOut(HeldOut.UNSEEN_LOADS, group, i -> {
                int at = Arrays.binarySearch(loads, group.get(i).conditions().load());
                return at > 0 && at < loads.length - 1 && at % LOAD_FOLDS == out;
            });
        }
        double[] flows = distinct(group, Feature.FLOWS);
        if (flows.length >= 3) {
            double most = flows[flows.length - 1];
            holdOut(HeldOut.LARGER_FLOWS, group, i -> group.get(i).conditions().flows() > most / 2);
        }
    }

    private void holdOutSettings(List<Observation> group) {
        List<Function<Conditions, Object>> settings = List.of(
                Conditions::topology,
                c -> c.get(Feature.ISLIP_ITERATIONS),
                c -> c.get(Feature.DT_ALPHA),
                c -> Math.rint(c.get(Feature.ARRIVAL_SCV) * 1e9));
        for (Function<Conditions, Object> setting : settings) {
            Set<Object> values = new TreeSet<>();
            group.forEach(o -> values.add(setting.apply(o.conditions())));
            if (values.size() > 1) {
                for (Object value : values) {
                    holdOut(
                            HeldOut.UNSEEN_SETTING,
                            group,
                            i -> setting.apply(group.get(i).conditions()).equals(value));
                }
            }
        }
    }

    private static double[] distinct(List<Observation> group, Feature feature) {
        return group.stream()
                .mapToDouble(o -> o.conditions().get(feature))
                .filter(x -> !Double.isNaN(x))
                .sorted()
                .distinct()
                .toArray();
    }

    private void holdOut(HeldOut kind, List<Observation> group, java.util.function.IntPredicate out) {
        List<Observation> tested = IntStream.range(0, group.size())
                .filter(out)
                .mapToObj(group::get)
                .toList();
        if (tested.isEmpty()) {
            return;
        }
        Set<String> streams = tested.stream().map(Observation::stream).collect(Collectors.toSet());
        List<Observation> training =
                group.stream().filter(o -> !streams.contains(o.stream())).toList();
        Fitted fitted = fit(kind, training);
        for (Observation o : tested) {
            double predicted = fitted == null || method.learntFrom(o) ? Double.NaN : fitted.predict(o.conditions());
            points.add(new HeldOutPoint(kind, o, predicted));
        }
    }

    private @Nullable Fitted fit(HeldOut kind, List<Observation> training) {
        if (training.isEmpty() && method.fits()) {
            refusals.add(kind.id() + ": nothing left to fit to");
            return null;
        }
        try {
            return method.fit(target, training, seed);
        } catch (NotIdentifiableException refused) {
            refusals.add(kind.id() + ": " + refused.getMessage());
            return null; // its points count as without prediction
        }
    }

    /** Every held-out point; one that was held out in several ways several times. */
    public List<HeldOutPoint> points() {
        return List.copyOf(points);
    }

    /** Why some held-out points have no prediction. */
    public List<String> refusals() {
        return refusals.stream().distinct().toList();
    }

    /** Errors by way of holding out and regime, {@code all} regimes last; of those points alone that pass. */
    public List<ErrorSummary> errors(Predicate<Observation> which) {
        return errors(points.stream().filter(p -> which.test(p.observation())).toList(), seed);
    }

    static List<ErrorSummary> errors(List<HeldOutPoint> points, long seed) {
        List<ErrorSummary> summaries = new ArrayList<>();
        for (HeldOut kind : HeldOut.values()) {
            List<HeldOutPoint> held =
                    points.stream().filter(p -> p.kind() == kind).toList();
            if (held.isEmpty()) {
                continue;
            }
            for (Regime regime : Regime.values()) {
                List<HeldOutPoint> within = held.stream()
                        .filter(p -> p.observation().conditions().regime() == regime)
                        .toList();
                if (!within.isEmpty()) {
                    summaries.add(ErrorSummary.of(kind.id(), regime.id(), within, seed));
                }
            }
            summaries.add(ErrorSummary.of(kind.id(), "all", held, seed));
        }
        return summaries;
    }

    /**
     * A prediction interval: value / (1 + relative) .. value (1 + relative).
     *
     * @param regime as {@link Regime#id}
     * @param level its nominal coverage
     * @param relative null if there are too few points to tell
     * @param n held-out points behind it
     * @param coverage measured: intervals from one half of the held-out points, asked about the other half; null with relative
     */
    public record Interval(
            String regime,
            double level,
            @Nullable Double relative,
            long n,
            @Nullable Double coverage) {}

    /** Conformal intervals by regime, from points held out at random (Lei et al. 2018, split conformal, on log errors). */
    public List<Interval> intervals(Predicate<Observation> which) {
        List<Interval> intervals = new ArrayList<>();
        for (Regime regime : Regime.values()) {
            List<HeldOutPoint> held = points.stream()
                    .filter(p -> p.kind() == HeldOut.RANDOM
                            && p.predicted() > 0
                            && p.observation().conditions().regime() == regime
                            && which.test(p.observation()))
                    .toList();
            if (!held.isEmpty()) {
                Double bound = conformal(held);
                intervals.add(new Interval(
                        regime.id(),
                        LEVEL,
                        bound == null ? null : Double.valueOf(StrictMath.expm1(bound)),
                        held.size(),
                        bound == null ? null : coverage(held)));
            }
        }
        return intervals;
    }

    private static double size(HeldOutPoint p) {
        return Math.abs(StrictMath.log(p.predicted() / p.observation().value()));
    }

    /** The ceil((n+1) level)-th smallest error; null if there are fewer. */
    private static @Nullable Double conformal(List<HeldOutPoint> held) {
        int rank = (int) Math.ceil((held.size() + 1) * LEVEL);
        double[] sizes = held.stream().mapToDouble(Evaluation::size).sorted().toArray();
        return rank > sizes.length ? null : Double.valueOf(sizes[rank - 1]);
    }

    private @Nullable Double coverage(List<HeldOutPoint> held) {
        List<String> streams = held.stream().map(p -> p.observation().stream()).toList();
        RandomStream random = RandomStream.named(seed, "coverage", 0);
        long covered = 0;
        long asked = 0;
        for (int split = 0; split < COVERAGE_SPLITS; split++) {
            int[] half = Folds.random(streams, 2, random);
            Double bound = conformal(IntStream.range(0, held.size())
                    .filter(i -> half[i] == 0)
                    .mapToObj(held::get)
                    .toList());
            if (bound == null) {
                return null;
            }
            for (int i = 0; i < half.length; i++) {
                if (half[i] == 1) {
                    asked++;
                    covered += size(Objects.requireNonNull(held.get(i))) <= bound ? 1 : 0;
                }
            }
        }
        return (double) covered / asked;
    }
}
