package io.github.rhosweep.fit;

import io.github.rhosweep.scenario.Parameter;
import io.github.rhosweep.scenario.Params;
import io.github.rhosweep.scenario.Scenario;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** From a dataset to a model with its evidence. Equal datasets, methods and seeds give equal models. */
public final class CorrectionFit {
    private final Dataset dataset;
    private final Set<Grouping> by;
    private final long seed;

    /**
     * A fit to come.
     *
     * @param by what gets coefficients of its own
     * @param seed of starts, folds and bootstraps
     * @throws NotIdentifiableException if the dataset has no usable point
     */
    public CorrectionFit(Dataset dataset, Set<Grouping> by, long seed) {
        if (dataset.usable().isEmpty()) {
            throw new NotIdentifiableException(
                    "no point to fit to: " + dataset.lossy().size()
                            + " lost messages, " + dataset.unstable() + " had no steady state, " + dataset.without()
                            + " have no " + dataset.target().measuredColumn());
        }
        this.dataset = dataset;
        this.by = by;
        this.seed = seed;
    }

    /** Held-out errors of a method on this dataset. */
    public Evaluation evaluate(Method method) {
        return evaluate(method, null);
    }

    /** The same, with points that meet a condition held out together as well. */
    Evaluation evaluate(Method method, @Nullable Predicate<Params> asked) {
        return Evaluation.of(method, dataset.target(), dataset.usable(), by, asked, seed);
    }

    /**
     * Fits to all usable points.
     *
     * @param evaluation of the same method, from {@link #evaluate}
     * @throws NotIdentifiableException if a group does not determine its coefficients; names the group
     */
    public CorrectionModel fit(Method method, Evaluation evaluation) {
        List<CorrectionModel.Group> groups = new ArrayList<>();
        Evaluation.groups(dataset.usable(), by).forEach((name, observations) -> {
            Fitted fitted;
            try {
                fitted = method.fit(dataset.target(), observations, seed);
            } catch (NotIdentifiableException refused) {
                throw new NotIdentifiableException(name + ": " + refused.getMessage());
            }
            groups.add(new CorrectionModel.Group(
                    name,
                    observations.size(),
                    fixed(observations),
                    observations.stream()
                            .map(o -> o.conditions().mechanisms())
                            .distinct()
                            .sorted()
                            .toList(),
                    domain(observations),
                    fitted.state(),
                    fitted.remarks(),
                    evaluation.errors(o -> Grouping.group(by, o.conditions()).equals(name)),
                    evaluation.intervals(o -> Grouping.group(by, o.conditions()).equals(name))));
        });
        return new CorrectionModel(
                CorrectionModel.FORMAT,
                method.id(),
                method.describe(),
                dataset.target().measuredColumn(),
                dataset.semanticsVersion(),
                dataset.experiments(),
                new CorrectionModel.Evidence(
                        dataset.hash(), dataset.usable().size(), dataset.lossy().size(), dataset.unstable()),
                by.stream().map(Grouping::id).toList(),
                groups);
    }

    /**
     * The method that is off least: by the mean over regimes of its held-out MAPE, itself averaged over points held out at random, at
     * unseen loads and at larger flows, so that a table, which cannot extrapolate, is no winner by interpolating best.
     *
     * @return evaluations of all methods that gave one, the best first; of those without a prediction for some held-out points last
     */
    public static List<Map.Entry<Method, Evaluation>> ranked(Map<Method, Evaluation> evaluations) {
        Map<Method, Double> scores = new LinkedHashMap<>();
        evaluations.forEach((method, evaluation) -> scores.put(method, score(evaluation)));
        List<Map.Entry<Method, Evaluation>> ranked = new ArrayList<>(evaluations.entrySet());
        ranked.sort(Comparator.comparingDouble(e -> scores.getOrDefault(e.getKey(), Double.POSITIVE_INFINITY)));
        return ranked;
    }

    static double score(Evaluation evaluation) {
        return score(evaluation, o -> true);
    }

    static double score(Evaluation evaluation, Predicate<Observation> which) {
        Map<HeldOut, Map<Regime, List<Double>>> sizes = new TreeMap<>();
        for (HeldOutPoint p : evaluation.points()) {
            if (p.kind().compareTo(HeldOut.UNSEEN_SETTING) < 0 && which.test(p.observation())) {
                sizes.computeIfAbsent(p.kind(), k -> new TreeMap<>())
                        .computeIfAbsent(p.observation().conditions().regime(), k -> new ArrayList<>())
                        .add(Double.isNaN(p.predicted()) ? Double.POSITIVE_INFINITY : Math.abs(p.error()));
            }
        }
        return sizes.values().stream()
                .mapToDouble(regimes -> regimes.values().stream()
                        .mapToDouble(CorrectionFit::mean)
                        .average()
                        .orElseThrow())
                .average()
                .orElse(Double.POSITIVE_INFINITY);
    }

    private static double mean(List<Double> values) {
        return values.stream().mapToDouble(x -> x).average().orElseThrow();
    }

    private static Map<String, CorrectionModel.Range> domain(List<Observation> observations) {
        Map<String, CorrectionModel.Range> domain = new LinkedHashMap<>();
        for (Feature feature : Feature.values()) {
            double[] values = observations.stream()
                    .mapToDouble(o -> o.conditions().get(feature))
                    .filter(x -> !Double.isNaN(x))
                    .sorted()
                    .toArray();
            if (values.length > 0) {
                domain.put(feature.id(), new CorrectionModel.Range(values[0], values[values.length - 1]));
            }
        }
        return domain;
    }

    /** Parameters that all have and agree on. */
    private static Map<String, String> fixed(List<Observation> observations) {
        SortedMap<String, String> fixed = null;
        for (Observation o : observations) {
            Scenario scenario = o.conditions().point().scenario();
            SortedMap<String, String> texts = Scenario.canonical(
                    scenario.params(), p -> p.inKey() && !p.path().startsWith("measure."));
            if (fixed == null) {
                fixed = new TreeMap<>(texts);
            } else {
                fixed.entrySet().removeIf(e -> !e.getValue().equals(texts.get(e.getKey())));
            }
        }
        Map<String, String> readable = new LinkedHashMap<>();
        if (fixed != null) {
            fixed.forEach((path, text) -> readable.put(path, withUnit(path, text)));
        }
        return readable;
    }

    /** Canonical texts are in base units, which parameters whose name carries none require. */
    private static String withUnit(String path, String text) {
        Parameter<?> parameter = io.github.rhosweep.scenario.Parameters.named(path);
        return parameter.isNumeric() && Character.isDigit(text.charAt(0))
                ? parameter.text(new java.math.BigDecimal(text))
                : text;
    }
}
