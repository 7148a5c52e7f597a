package io.github.rhosweep.spark;

import io.github.rhosweep.design.Axis;
import io.github.rhosweep.design.Block;
import io.github.rhosweep.design.DesignPoint;
import io.github.rhosweep.design.ExperimentSpec;
import io.github.rhosweep.design.Where;
import io.github.rhosweep.result.Column;
import io.github.rhosweep.result.Metric;
import io.github.rhosweep.result.Row;
import io.github.rhosweep.run.Tables;
import io.github.rhosweep.scenario.InvalidValueException;
import io.github.rhosweep.scenario.Parameter;
import io.github.rhosweep.scenario.Parameter.ColumnType;
import io.github.rhosweep.scenario.Params;
import io.github.rhosweep.scenario.Scenario;
import io.github.rhosweep.scenario.ScenarioTree;
import io.github.rhosweep.scenario.ScenarioTree.Setting;
import io.github.rhosweep.store.Location;
import io.github.rhosweep.store.ResultsFolder;
import io.github.rhosweep.store.RowReader;
import io.github.rhosweep.store.Table;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Chooses where a sweep deserves more points: halfway between neighbours on an axis, all else equal, that differ most, and first of
 * all where the error of a model changes its sign between them. What lies within the intervals of the two is no difference.
 */
public final class RefineJob {
    /** The driver holds a few numbers a point. */
    public static final long MOST_POINTS = 500_000;

    private static final String NAME = "refined %d of %s";

    /** Neighbours nearer than this share of their axis are left alone. */
    private static final double NEAREST = 1e-3;

    /** Above any difference of two logarithms. */
    private static final double SIGN_FIRST = 1e6;

    private final Column metric;
    private final Column halfWidth;
    private final @Nullable Column prediction;

    /**
     * @param metric column of points that is compared
     * @param model id whose error may change sign; null: none
     * @throws InvalidValueException if either does not exist
     */
    public RefineJob(String metric, @Nullable String model) {
        this.metric = column("--metric", metric, Metric.columns());
        this.halfWidth = column("--metric", Tables.halfWidthName(this.metric), Tables.POINTS);
        this.prediction = model == null ? null : column("--model", "pred_" + model + "_message_ns", Tables.POINTS);
    }

    private static Column column(String option, String name, List<Column> among) {
        List<String> names = among.stream().map(Column::name).toList();
        int at = names.indexOf(name);
        if (at < 0) {
            throw new InvalidValueException(option + ": there is no column `" + name + "`"
                    + io.github.rhosweep.scenario.NearestName.advice(name, names));
        }
        // Means over replicates are doubles whatever the runs hold.
        return Tables.POINTS.stream()
                .filter(c -> c.name().equals(name) && c.type() == ColumnType.DOUBLE)
                .findFirst()
                .orElseThrow(() -> new InvalidValueException(option + ": `" + name + "` is no number"));
    }

    /** What is known of a point. */
    private record Measured(
            long n,
            double value,
            double halfWidth,
            @Nullable Double predicted) {}

    /** A point of a block: its values, axis by axis. */
    private record Place(
            List<List<Setting>> values, @Nullable Measured measured) {
        List<String> without(int axis) {
            List<String> texts = new ArrayList<>();
            for (int a = 0; a < values.size(); a++) {
                if (a != axis) {
                    values.get(a).forEach(s -> texts.add(s.canonical()));
                }
            }
            return texts;
        }
    }

    /** A point that might be added. */
    private record Candidate(Block block, List<List<Setting>> values, double score, String key) {}

    /**
     * The experiment with the most deserving points added.
     *
     * @param most points to add
     * @return the same if there is nowhere to add any
     */
    public ExperimentSpec refined(ExperimentSpec experiment, ResultsFolder folder, int most) throws IOException {
        Map<String, Measured> measured = read(folder);
        List<Candidate> candidates = new ArrayList<>();
        Map<Block, Integer> rounds = new HashMap<>();
        Set<String> known = new HashSet<>();
        Map<Block, List<Place>> places = places(experiment, measured, rounds, known);
        places.forEach((block, all) -> {
            for (int axis = 0; axis < block.axes().size(); axis++) {
                candidates(experiment, block, axis, all, candidates);
            }
        });
        // Ties by key, so that the same folder is refined alike everywhere.
        candidates.sort(Comparator.comparingDouble((Candidate c) -> -c.score).thenComparing(Candidate::key));
        Map<Block, List<List<Setting>>> chosen = new LinkedHashMap<>();
        int left = most;
        for (Candidate candidate : candidates) {
            if (left > 0 && known.add(candidate.key)) {
                List<Setting> flat = new ArrayList<>();
                candidate.values.forEach(flat::addAll);
                chosen.computeIfAbsent(candidate.block, b -> new ArrayList<>()).add(flat);
                left--;
            }
        }
        ExperimentSpec grown = experiment;
        for (Map.Entry<Block, List<List<Setting>>> more : chosen.entrySet()) {
            int round = rounds.getOrDefault(more.getKey(), 0) + 1;
            grown = grown.withPoints(
                    more.getKey(), String.format(NAME, round, more.getKey().name()), more.getValue());
        }
        return grown;
    }

    private Map<String, Measured> read(ResultsFolder folder) throws IOException {
        List<Column> columns = new ArrayList<>(Tables.POINTS.stream()
                .filter(c -> c.name().equals("point_key") || c.name().equals("n"))
                .toList());
        columns.add(metric);
        columns.add(halfWidth);
        if (prediction != null) {
            columns.add(prediction);
        }
        Map<String, Measured> measured = new HashMap<>();
        for (Location file : folder.files(Table.POINTS)) {
            try (RowReader reader = new RowReader(file, columns)) {
                for (Row row = reader.read(); row != null; row = reader.read()) {
                    if (row.get("n") instanceof Long n && n > 0 && row.get(metric.name()) instanceof Double value) {
                        Measured one = new Measured(
                                n,
                                value,
                                row.get(halfWidth.name()) instanceof Double h ? h : 0,
                                prediction != null && row.get(prediction.name()) instanceof Double p ? p : null);
                        measured.merge(String.valueOf(row.get("point_key")), one, (a, b) -> b.n > a.n ? b : a);
                    }
                }
            }
        }
        return measured;
    }

    /** The points of each product, those added by earlier rounds among them. */
    private static Map<Block, List<Place>> places(
            ExperimentSpec experiment, Map<String, Measured> measured, Map<Block, Integer> rounds, Set<String> known) {
        Map<String, Block> origins = new HashMap<>();
        for (Block block : experiment.blocks()) {
            Block origin = null;
            for (Block candidate : experiment.blocks()) {
                int round = rounds.getOrDefault(candidate, 0) + 1;
                if (block.name().equals(String.format(NAME, round, candidate.name()))) {
                    origin = candidate;
                    rounds.put(candidate, round);
                }
            }
            if (origin != null) {
                origins.put(block.name(), origin);
            }
        }
        Map<Block, List<Place>> places = new LinkedHashMap<>();
        for (long index = 0; index < experiment.size(); index++) {
            DesignPoint point = experiment.point(index);
            known.add(point.key());
            Block origin = origins.getOrDefault(point.block().name(), point.block());
            if (origin.sampling() != null) {
                continue; // no neighbours on one axis
            }
            List<Setting> flat = point.settings();
            List<List<Setting>> values = new ArrayList<>();
            int next = 0;
            for (Axis axis : origin.axes()) {
                values.add(flat.subList(next, next + axis.parameters().size()));
                next += axis.parameters().size();
            }
            places.computeIfAbsent(origin, o -> new ArrayList<>()).add(new Place(values, measured.get(point.key())));
        }
        return places;
    }

    private void candidates(
            ExperimentSpec experiment, Block block, int axis, List<Place> places, List<Candidate> candidates) {
        Axis along = block.axes().get(axis);
        Parameter<?> parameter = along.parameters().get(0);
        if (along.linked() || !parameter.isNumeric() || along.size() < 2) {
            return;
        }
        Map<List<String>, TreeMap<BigDecimal, Place>> lines = new LinkedHashMap<>();
        TreeMap<BigDecimal, Boolean> grid = new TreeMap<>();
        for (Place place : places) {
            BigDecimal value = number(place.values.get(axis).get(0));
            if (value == null) {
                return; // a word such as unlimited, or auto, has no middle
            }
            grid.put(value, true);
            lines.computeIfAbsent(place.without(axis), line -> new TreeMap<>()).put(value, place);
        }
        boolean log = isGeometric(block, axis);
        double range = distance(grid.firstKey(), grid.lastKey(), log);
        for (TreeMap<BigDecimal, Place> line : lines.values()) {
            Map.Entry<BigDecimal, Place> before = null;
            for (Map.Entry<BigDecimal, Place> here : line.entrySet()) {
                if (before != null && distance(before.getKey(), here.getKey(), log) > NEAREST * range) {
                    double score = score(before.getValue().measured, here.getValue().measured);
                    BigDecimal middle = score > 0 ? middle(before.getKey(), here.getKey(), log, parameter) : null;
                    if (middle != null) {
                        add(experiment, block, axis, here.getValue(), middle, score, candidates);
                    }
                }
                before = here;
            }
        }
    }

    private static void add(
            ExperimentSpec experiment,
            Block block,
            int axis,
            Place neighbour,
            BigDecimal middle,
            double score,
            List<Candidate> candidates) {
        Parameter<?> parameter = block.axes().get(axis).parameters().get(0);
        Map<String, Object> given = new HashMap<>();
        block.base().settings().forEach((path, setting) -> given.put(path, setting.value()));
        List<List<Setting>> values = new ArrayList<>(neighbour.values);
        try {
            String text = parameter.text(middle);
            values.set(
                    axis,
                    List.of(new Setting(
                            parameter,
                            text,
                            ScenarioTree.parse(parameter, text),
                            block.axes().get(axis).position())));
            values.forEach(
                    setting -> setting.forEach(s -> given.put(s.parameter().path(), s.value())));
            Params params = new Params(given::get);
            Scenario.of(params);
            String where = block.where();
            if (where == null || Where.condition(where).test(params)) {
                candidates.add(new Candidate(block, values, score, experiment.key(params)));
            }
        } catch (InvalidValueException impossible) {
            // Between two points that can be there may be one that cannot.
        }
    }

    /** How much two neighbours differ; 0 if not beyond their intervals. */
    private double score(@Nullable Measured a, @Nullable Measured b) {
        if (a == null || b == null) {
            return 0;
        }
        double score = 0;
        if (Math.abs(a.value - b.value) > a.halfWidth + b.halfWidth) {
            score = a.value > 0 && b.value > 0
                    ? Math.abs(StrictMath.log(a.value / b.value))
                    : Math.abs(a.value - b.value) / Math.max(Math.abs(a.value), Math.abs(b.value));
        }
        if (a.predicted != null && b.predicted != null && a.value != 0 && b.value != 0) {
            double errorA = (a.predicted - a.value) / a.value;
            double errorB = (b.predicted - b.value) / b.value;
            boolean beyondNoise =
                    Math.abs(a.predicted - a.value) > a.halfWidth || Math.abs(b.predicted - b.value) > b.halfWidth;
            if (errorA * errorB < 0 && beyondNoise) {
                score = SIGN_FIRST + Math.abs(errorA - errorB);
            }
        }
        return score;
    }

    private static @Nullable BigDecimal number(Setting setting) {
        return setting.value() instanceof BigDecimal decimal
                ? decimal
                : setting.value() instanceof Long whole ? BigDecimal.valueOf(whole) : null;
    }

    /** Whether an axis as written goes by a factor: then so does its middle. */
    private static boolean isGeometric(Block block, int axis) {
        List<List<Setting>> values = block.axes().get(axis).values();
        if (values.size() < 3) {
            return false;
        }
        double first = 0;
        for (int v = 0; v < values.size(); v++) {
            BigDecimal here = number(values.get(v).get(0));
            if (here == null || here.signum() <= 0) {
                return false;
            }
            if (v > 0) {
                double ratio = here.doubleValue()
                        / java.util.Objects.requireNonNull(
                                        number(values.get(v - 1).get(0)))
                                .doubleValue();
                first = v == 1 ? ratio : first;
                if (Math.abs(ratio / first - 1) > 0.02) {
                    return false;
                }
            }
        }
        return true;
    }

    private static double distance(BigDecimal low, BigDecimal high, boolean log) {
        return log
                ? StrictMath.log(high.doubleValue() / low.doubleValue())
                : high.subtract(low).doubleValue();
    }

    /** With no more digits than it takes to be near the middle; null if there is nothing between. */
    private static @Nullable BigDecimal middle(BigDecimal low, BigDecimal high, boolean log, Parameter<?> parameter) {
        BigDecimal exact = log
                ? new BigDecimal(StrictMath.sqrt(low.doubleValue() * high.doubleValue()))
                : low.add(high).divide(BigDecimal.valueOf(2));
        BigDecimal gap = high.subtract(low).divide(BigDecimal.TEN);
        BigDecimal middle = exact;
        for (int digits = 1; digits <= 12; digits++) {
            middle = exact.round(new MathContext(digits));
            if (middle.subtract(exact).abs().compareTo(gap) < 0) {
                break;
            }
        }
        if (parameter.columnType() == ColumnType.INT64) {
            middle = middle.setScale(0, RoundingMode.HALF_UP);
        }
        return middle.compareTo(low) > 0 && middle.compareTo(high) < 0 ? middle : null;
    }
}
