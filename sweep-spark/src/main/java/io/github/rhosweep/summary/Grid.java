package io.github.rhosweep.summary;

import io.github.rhosweep.design.Axis;
import io.github.rhosweep.design.Block;
import io.github.rhosweep.report.Cube;
import io.github.rhosweep.scenario.ScenarioTree.Setting;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The points of a block over two of its axes, load and number of flows where it has them; the other axes stand still in each slice,
 * so that every number is one point's own and has that point's interval. What is drawn stays small however large the block: evenly
 * spaced values and slices stand for the rest.
 */
final class Grid {
    private static final int MOST_X = 120;
    private static final int MOST_CURVES = 12;
    private static final int MOST_SLICES = 12;
    private static final int MOST_MODELS = 6;
    private static final String LOAD = "traffic.load";
    private static final String FLOWS = "traffic.flows";
    private static final String NUMBER = "-?\\d+(\\.\\d+)?([eE][-+]?\\d+)?";

    private final Block block;
    private final int x;
    private final int by;
    private final TreeMap<Long, Map<Long, Measured>> slices = new TreeMap<>();
    private final Map<Long, int[]> digits = new HashMap<>();
    private long points;

    Grid(Block block) {
        this.block = block;
        List<Integer> open = IntStream.range(0, block.axes().size())
                .filter(a -> block.axes().get(a).size() > 1)
                .boxed()
                .toList();
        Comparator<Integer> large =
                Comparator.comparingInt(a -> block.axes().get(a).size());
        x = open.stream()
                .filter(a -> axis(a).name().equals(LOAD))
                .findFirst()
                .or(() -> open.stream().filter(a -> numbers(axis(a)) != null).max(large))
                .or(() -> open.stream().max(large))
                .orElse(-1);
        by = open.stream()
                .filter(a -> a != x && axis(a).name().equals(FLOWS))
                .findFirst()
                .or(() -> open.stream()
                        .filter(a -> a != x && axis(a).size() <= MOST_CURVES)
                        .findFirst())
                .or(() -> open.stream().filter(a -> a != x).findFirst())
                .orElse(-1);
    }

    private Axis axis(int a) {
        return block.axes().get(a);
    }

    void add(int[] point, Measured measured) {
        if (x < 0) {
            return;
        }
        long slice = 0;
        for (int a = 0; a < point.length; a++) {
            slice = slice * axis(a).size() + (a == x || a == by ? 0 : point[a]);
        }
        digits.computeIfAbsent(slice, s -> point);
        slices.computeIfAbsent(slice, s -> new HashMap<>()).put(cell(by < 0 ? 0 : point[by], point[x]), measured);
        points++;
    }

    private static long cell(int by, int x) {
        return (long) by << 32 | x;
    }

    /** The block's name. */
    String name() {
        return block.name();
    }

    boolean isEmpty() {
        return points == 0;
    }

    /** Whether there are two axes to lay cells out on. */
    boolean isPlane() {
        return by >= 0 && !isEmpty();
    }

    /** Whether models can be told apart by load and number of flows. */
    boolean isOfFlowsAndLoad() {
        return isPlane() && axis(x).name().equals(LOAD) && axis(by).name().equals(FLOWS);
    }

    /** What was left out, or nothing. */
    String left() {
        List<String> parts = new ArrayList<>();
        if (axis(x).size() > MOST_X) {
            parts.add(MOST_X + " of " + axis(x).size() + " values of " + axis(x).name());
        }
        if (by >= 0 && axis(by).size() > MOST_CURVES) {
            parts.add(MOST_CURVES + " of " + axis(by).size() + " values of " + axis(by).name());
        }
        if (slices.size() > MOST_SLICES) {
            parts.add(MOST_SLICES + " of " + slices.size() + " combinations of the other axes");
        }
        return String.join(", ", parts);
    }

    /** x, and by if there is such an axis. */
    String axes() {
        return axis(x).name() + (by < 0 ? "" : " and " + axis(by).name());
    }

    private record Measure(
            String label,
            boolean percent,
            Function<Measured, @Nullable Double> value,
            @Nullable Function<Measured, @Nullable Double> halfWidth) {}

    private static List<Measure> measures() {
        int idle = ModelErrors.model("alpha_beta");
        return List.of(
                new Measure(
                        "mean message latency [ns]",
                        false,
                        p -> p.shown().latency(),
                        p -> p.shown().halfWidth()),
                new Measure("mean message latency / alpha_beta", false, p -> p.over(idle), null),
                new Measure("p99 of message latency [ns]", false, p -> p.shown().p99(), Measured::p99HalfWidth),
                new Measure("lost messages", true, p -> p.shown().lost(), null),
                new Measure("dropped frames", true, p -> p.shown().dropped(), null),
                new Measure("marked frames", true, p -> p.shown().marked(), null),
                new Measure("goodput [GB/s]", false, p -> p.shown().goodput(), null));
    }

    /** All that was measured; what is zero or absent everywhere is left out. */
    Cube measured() {
        List<Measure> measures = measures().stream()
                .filter(m -> slices.values().stream()
                        .flatMap(s -> s.values().stream())
                        .anyMatch(p -> {
                            Double value = m.value().apply(p);
                            return value != null && value != 0;
                        }))
                .toList();
        int[] xs = xs();
        int[] bys = spread(by < 0 ? 1 : axis(by).size(), MOST_CURVES);
        List<Cube.Slice> drawn = new ArrayList<>();
        for (long slice : drawnSlices()) {
            Map<Long, Measured> cells = Objects.requireNonNull(slices.get(slice));
            List<List<List<@Nullable Double>>> values = new ArrayList<>();
            List<@Nullable List<List<@Nullable Double>>> halfWidths = new ArrayList<>();
            for (Measure measure : measures) {
                values.add(plane(cells, bys, xs, measure.value()));
                halfWidths.add(measure.halfWidth() == null ? null : plane(cells, bys, xs, measure.halfWidth()));
            }
            drawn.add(new Cube.Slice(name(slice), values, halfWidths, null));
        }
        return new Cube(
                scale(x, xs),
                by < 0 ? Cube.Scale.ofNames("", List.of("all points")) : scale(by, bys),
                measures.stream()
                        .map(m -> new Cube.Quantity(m.label(), m.percent()))
                        .toList(),
                "At",
                drawn);
    }

    private static List<List<@Nullable Double>> plane(
            Map<Long, Measured> cells, int[] bys, int[] xs, Function<Measured, @Nullable Double> value) {
        return Arrays.stream(bys).mapToObj(b -> row(cells, b, xs, value)).toList();
    }

    private static List<@Nullable Double> row(
            Map<Long, Measured> cells, int b, int[] xs, Function<Measured, @Nullable Double> value) {
        List<@Nullable Double> row = new ArrayList<>();
        for (int at : xs) {
            Measured point = cells.get(cell(b, at));
            row.add(point == null ? null : value.apply(point));
        }
        return row;
    }

    /** What models predict beside what was measured: one slice for each value of the second axis; null if no model says anything. */
    @Nullable
    Cube besideModels(List<Integer> ranked) {
        List<Integer> saying = ranked.stream()
                .filter(m -> slices.values().stream()
                        .flatMap(s -> s.values().stream())
                        .anyMatch(p -> !Double.isNaN(p.error(m))))
                .toList();
        int idle = ModelErrors.model("alpha_beta");
        List<Integer> models =
                new ArrayList<>(saying.stream().limit(MOST_MODELS).toList());
        if (saying.contains(idle) && !models.contains(idle)) {
            models.set(models.size() - 1, idle);
        }
        if (models.isEmpty()) {
            return null;
        }
        int[] xs = xs();
        List<Cube.Slice> drawn = new ArrayList<>();
        List<long[]> places = new ArrayList<>();
        for (long slice : drawnSlices()) {
            for (int b = 0; b < (by < 0 ? 1 : axis(by).size()); b++) {
                places.add(new long[] {slice, b});
            }
        }
        for (int i : spread(places.size(), MOST_SLICES)) {
            long slice = places.get(i)[0];
            int b = (int) places.get(i)[1];
            Map<Long, Measured> cells = Objects.requireNonNull(slices.get(slice));
            List<List<@Nullable Double>> values = new ArrayList<>();
            List<List<@Nullable Double>> halfWidths = new ArrayList<>();
            values.add(row(cells, b, xs, p -> p.shown().latency()));
            halfWidths.add(row(cells, b, xs, p -> p.shown().halfWidth()));
            for (int model : models) {
                values.add(row(cells, b, xs, p -> {
                    double predicted = p.predicted()[model];
                    return Double.isNaN(predicted) ? null : Double.valueOf(predicted);
                }));
                halfWidths.add(Collections.nCopies(xs.length, null));
            }
            String where = by < 0 ? "" : text(by, b);
            drawn.add(new Cube.Slice(
                    where + (where.isEmpty() || name(slice).isEmpty() ? "" : ", ") + name(slice),
                    List.of(values),
                    List.of(halfWidths),
                    null));
        }
        List<String> names = new ArrayList<>(List.of("measured"));
        models.forEach(m -> names.add(ModelErrors.id(m)));
        return new Cube(
                scale(x, xs),
                Cube.Scale.ofNames("", names),
                List.of(new Cube.Quantity("mean message latency [ns]", false)),
                "At",
                drawn);
    }

    /**
     * For each number of flows and load the model that is least off there on average, then, in slices of their own, how far the others
     * are off; null if no model predicts anything. Only of models that predict all points of a cell.
     */
    @Nullable
    Cube trust(List<Integer> ranked) {
        int[] xs = xs();
        int[] bys = spread(axis(by).size(), MOST_CURVES);
        Map<Long, List<Measured>> cells = new HashMap<>();
        slices.values()
                .forEach(slice -> slice.forEach((cell, point) -> {
                    if (point.comparable()) {
                        cells.computeIfAbsent(cell, c -> new ArrayList<>()).add(point);
                    }
                }));
        Map<Integer, List<List<@Nullable Double>>> errors = new TreeMap<>();
        for (int model : ranked) {
            List<List<@Nullable Double>> plane = new ArrayList<>();
            for (int b : bys) {
                List<@Nullable Double> row = new ArrayList<>();
                for (int at : xs) {
                    double mean = cells.getOrDefault(cell(b, at), List.of()).stream()
                            .mapToDouble(p -> Math.abs(p.error(model)))
                            .average()
                            .orElse(Double.NaN);
                    row.add(Double.isNaN(mean) ? null : Double.valueOf(mean));
                }
                plane.add(row);
            }
            if (plane.stream().anyMatch(row -> row.stream().anyMatch(Objects::nonNull))) {
                errors.put(model, plane);
            }
        }
        if (errors.isEmpty()) {
            return null;
        }
        List<Cube.Slice> drawn = new ArrayList<>();
        drawn.add(best(errors, bys.length, xs.length));
        ranked.stream()
                .filter(errors::containsKey)
                .forEach(m ->
                        drawn.add(Cube.Slice.of(ModelErrors.id(m), List.of(Objects.requireNonNull(errors.get(m))))));
        return new Cube(
                scale(x, xs), scale(by, bys), List.of(new Cube.Quantity("mean absolute error", true)), "Model", drawn);
    }

    private static Cube.Slice best(Map<Integer, List<List<@Nullable Double>>> errors, int curves, int width) {
        List<List<@Nullable Double>> least = new ArrayList<>();
        List<List<String>> names = new ArrayList<>();
        for (int b = 0; b < curves; b++) {
            List<@Nullable Double> row = new ArrayList<>();
            List<String> named = new ArrayList<>();
            for (int at = 0; at < width; at++) {
                Double lowest = null;
                String name = "";
                for (Map.Entry<Integer, List<List<@Nullable Double>>> model : errors.entrySet()) {
                    Double error = model.getValue().get(b).get(at);
                    if (error != null && (lowest == null || error < lowest)) {
                        lowest = error;
                        name = ModelErrors.id(model.getKey());
                    }
                }
                row.add(lowest);
                named.add(name);
            }
            least.add(row);
            names.add(named);
        }
        return new Cube.Slice("the best of each cell", List.of(least), Collections.nCopies(1, null), names);
    }

    private long[] drawnSlices() {
        List<Long> all = List.copyOf(slices.keySet());
        return Arrays.stream(spread(all.size(), MOST_SLICES))
                .mapToLong(all::get)
                .toArray();
    }

    /** Where a slice's other axes stand. */
    private String name(long slice) {
        int[] point = Objects.requireNonNull(digits.get(slice));
        return IntStream.range(0, point.length)
                .filter(a -> a != x && a != by && axis(a).size() > 1)
                .mapToObj(a -> text(a, point[a]))
                .collect(Collectors.joining(", "));
    }

    private String text(int a, int value) {
        return axis(a).linked() ? axis(a).text(value) : axis(a).name() + " " + axis(a).text(value);
    }

    /** Values of x, ascending where they are numbers. */
    private int[] xs() {
        List<Double> numbers = numbers(axis(x));
        int[] drawn = spread(axis(x).size(), MOST_X);
        return numbers == null
                ? drawn
                : Arrays.stream(drawn)
                        .boxed()
                        .sorted(Comparator.comparing(numbers::get))
                        .mapToInt(i -> i)
                        .toArray();
    }

    private Cube.Scale scale(int a, int[] values) {
        Axis axis = axis(a);
        List<String> texts = Arrays.stream(values).mapToObj(axis::text).toList();
        List<Double> numbers = numbers(axis);
        if (numbers == null) {
            return Cube.Scale.ofNames(axis.name(), texts);
        }
        List<Double> drawn = Arrays.stream(values).mapToObj(numbers::get).toList();
        return new Cube.Scale(axis.name(), axis.parameters().get(0).unit(), texts, drawn, isGeometric(drawn));
    }

    /** The values in base units, or null if they are no plain numbers. */
    private static @Nullable List<Double> numbers(Axis axis) {
        if (axis.linked() || !axis.parameters().get(0).isNumeric()) {
            return null;
        }
        List<String> texts = axis.values().stream()
                .map(v -> v.get(0))
                .map(Setting::canonical)
                .toList();
        return texts.stream().allMatch(t -> t.matches(NUMBER))
                ? texts.stream().map(Double::valueOf).toList()
                : null;
    }

    /** Whether steps are nearer to equal ratios than to equal differences. */
    private static boolean isGeometric(List<Double> values) {
        double[] sorted = values.stream().mapToDouble(v -> v).sorted().toArray();
        if (sorted.length < 3 || sorted[0] <= 0) {
            return false;
        }
        double[] differences = IntStream.range(1, sorted.length)
                .mapToDouble(i -> sorted[i] - sorted[i - 1])
                .toArray();
        double[] ratios = IntStream.range(1, sorted.length)
                .mapToDouble(i -> Math.log(sorted[i] / sorted[i - 1]))
                .toArray();
        return unevenness(ratios) < unevenness(differences);
    }

    private static double unevenness(double[] steps) {
        return Arrays.stream(steps).max().orElse(1) / Arrays.stream(steps).min().orElse(1);
    }

    /** Numbers from 0, all of them or evenly spaced ones, the first and the last among them. */
    private static int[] spread(int size, int most) {
        return size <= most
                ? IntStream.range(0, size).toArray()
                : IntStream.range(0, most)
                        .map(i -> (int) ((long) i * (size - 1) / (most - 1)))
                        .toArray();
    }
}
