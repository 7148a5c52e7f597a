package io.github.rhosweep.check;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.rhosweep.design.ExperimentSpec;
import io.github.rhosweep.result.Column;
import io.github.rhosweep.result.Metric;
import io.github.rhosweep.run.Tables;
import io.github.rhosweep.scenario.InvalidFileException;
import io.github.rhosweep.scenario.InvalidValueException;
import io.github.rhosweep.scenario.NearestName;
import io.github.rhosweep.scenario.Parameter.ColumnType;
import io.github.rhosweep.scenario.Parameters;
import io.github.rhosweep.scenario.Position;
import io.github.rhosweep.scenario.Problems;
import io.github.rhosweep.scenario.Quantity;
import io.github.rhosweep.scenario.Yaml;
import io.github.rhosweep.scenario.YamlNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A file of claims.
 *
 * <pre>
 * claims:
 *   - id: ...                 # short name
 *     claim: ...              # the statement
 *     source: ...             # where it is made
 *     base: {...}             # settings that all points share, as in an experiment
 *     points:                 # named settings; left out: one point, of the base alone
 *       with: {...}
 *       without: {...}
 *     replicates: 10
 *     measure: with.drops / without.drops      # {@link Formula}
 *     claimed: 1              # a number, [low, high], {at_least: 1} or {at_most: 1}
 *     margin: 5%              # or a number; of the bound that is missed
 *     closed_form: ...        # a formula: what theory says of the measure
 *     theory: ...             # the same in words
 *     condition: ...          # when it holds
 *     verdict: holds          # as last measured: another one now is an error
 *     plot: {x: traffic.load, values: [...]}   # draw the measure along a parameter
 * not_testable:
 *   - claim: ...
 *     why: ...
 * </pre>
 *
 * @param list the claims in the order of the file
 * @param notTestable statements that no simulation of this kind can test, with the reason
 */
public record Claims(List<Claim> list, Map<String, String> notTestable) {
    /** The file that the program carries with it. */
    public static final String SHIPPED = "configs/claims.yaml";

    private static final List<String> KEYS = List.of(
            "id",
            "claim",
            "source",
            "presets",
            "base",
            "points",
            "replicates",
            "random_numbers",
            "measure",
            "claimed",
            "margin",
            "closed_form",
            "theory",
            "condition",
            "verdict",
            "plot");
    private static final int DEFAULT_REPLICATES = 10;
    private static final int FEWEST_REPLICATES = 3;
    private static final String ONLY_POINT = "point";
    private static final Map<String, ColumnType> COLUMNS =
            Tables.RUNS.stream().collect(Collectors.toMap(Column::name, Column::type));

    public Claims {
        list = List.copyOf(list);
        notTestable = new LinkedHashMap<>(notTestable);
    }

    /**
     * Reads a file.
     *
     * @throws InvalidFileException with every problem found, one a line
     */
    public static Claims read(Path file) {
        return new Reader().read(Yaml.text(file), file.toString());
    }

    /** The claims that the program carries with it. */
    public static Claims shipped() {
        try (InputStream in = Claims.class.getResourceAsStream("claims.yaml")) {
            String text = new String(Objects.requireNonNull(in, "claims.yaml").readAllBytes(), UTF_8);
            return new Reader().read(text, SHIPPED);
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    private static final class Reader {
        private final Problems problems = new Problems();
        private final List<String> metrics =
                Metric.columns().stream().map(Column::name).toList();

        Claims read(String text, String source) {
            YamlNode.Fields root = Yaml.parseMap(text, source, problems);
            List<Claim> claims = new ArrayList<>();
            Map<String, String> notTestable = new LinkedHashMap<>();
            Map<String, Position> ids = new HashMap<>();
            for (YamlNode.Field part : root.fields()) {
                switch (part.key()) {
                    case "claims" -> {
                        for (YamlNode.Fields item : items(part)) {
                            Claim claim = claim(item, ids);
                            if (claim != null) {
                                claims.add(claim);
                            }
                        }
                    }
                    case "not_testable" -> {
                        for (YamlNode.Fields item : items(part)) {
                            Map<String, YamlNode.Field> fields = item.known("", List.of("claim", "why"), problems);
                            notTestable.put(text(item, fields, "claim"), text(item, fields, "why"));
                        }
                    }
                    default ->
                        problems.add(
                                part.position(),
                                "unknown key `" + part.key() + "`, expected one of claims, not_testable");
                }
            }
            problems.throwIfAny();
            return new Claims(claims, notTestable);
        }

        private List<YamlNode.Fields> items(YamlNode.Field field) {
            List<YamlNode.Fields> found = new ArrayList<>();
            if (field.value() instanceof YamlNode.Items items) {
                for (YamlNode item : items.items()) {
                    if (item instanceof YamlNode.Fields fields) {
                        found.add(fields);
                    } else {
                        problems.add(item.position(), field.key(), "found " + item.describe() + ", expected a map");
                    }
                }
            } else {
                problems.add(
                        field.position(), field.key(), "found " + field.value().describe() + ", expected a list");
            }
            return found;
        }

        /** A text that must be there; a problem and an empty text if not. */
        private String text(YamlNode.Fields item, Map<String, YamlNode.Field> fields, String key) {
            String found = optional(fields, key);
            if (found == null) {
                problems.add(item.position(), key, "is missing");
                return "";
            }
            return found;
        }

        private static @Nullable String optional(Map<String, YamlNode.Field> fields, String key) {
            YamlNode.Field field = fields.get(key);
            return field != null && field.value() instanceof YamlNode.Scalar scalar && !scalar.isNull()
                    ? scalar.text().strip().replaceAll("\\s+", " ")
                    : null;
        }

        private @Nullable Claim claim(YamlNode.Fields item, Map<String, Position> ids) {
            Map<String, YamlNode.Field> fields = item.known("", KEYS, problems);
            String id = text(item, fields, "id");
            Position first = ids.putIfAbsent(id, item.position());
            if (first != null) {
                problems.add(item.position(), "id", "`" + id + "` is on line " + first.line() + " too");
            }
            Map<String, YamlNode.Fields> points = points(item, fields);
            Formula measure = formula(item, fields, "measure", points);
            Formula closedForm =
                    fields.containsKey("closed_form") ? formula(item, fields, "closed_form", points) : null;
            String theory = text(item, fields, "theory");
            String statement = text(item, fields, "claim");
            String source = text(item, fields, "source");
            String condition = text(item, fields, "condition");
            double[] range = range(item, fields.get("claimed"));
            Double margin = margin(fields, range);
            String plotX = null;
            List<YamlNode> plotValues = List.of();
            YamlNode.Field plot = fields.get("plot");
            if (plot != null) {
                Map<String, YamlNode.Field> own = plot.value() instanceof YamlNode.Fields map
                        ? map.known("", List.of("x", "values"), problems)
                        : Map.of();
                plotX = optional(own, "x");
                YamlNode.Field values = own.get("values");
                if (plotX == null || values == null || !(values.value() instanceof YamlNode.Items list)) {
                    problems.add(plot.position(), "plot", "expected {x: a parameter, values: [a list]}");
                } else if (!Parameters.isKnown(plotX)) {
                    problems.add(plot.position(), "plot", "unknown parameter `" + plotX + "`");
                } else {
                    plotValues = list.items();
                }
            }
            Verdict pinned = pinned(fields.get("verdict"));
            if (!problems.isEmpty() || measure == null || margin == null) {
                return null;
            }
            ExperimentSpec experiment = experiment(item, fields, id, points, plotX, plotValues);
            return experiment == null
                    ? null
                    : new Claim(
                            id,
                            statement,
                            source,
                            experiment,
                            List.copyOf(points.keySet()),
                            measure,
                            range[0],
                            range[1],
                            margin,
                            closedForm,
                            theory,
                            condition,
                            pinned,
                            plotX,
                            plotValues.size());
        }

        private Map<String, YamlNode.Fields> points(YamlNode.Fields item, Map<String, YamlNode.Field> fields) {
            Map<String, YamlNode.Fields> points = new LinkedHashMap<>();
            YamlNode.Field field = fields.get("points");
            if (field == null) {
                points.put(ONLY_POINT, new YamlNode.Fields(item.position(), List.of()));
            } else if (field.value() instanceof YamlNode.Fields named
                    && !named.fields().isEmpty()) {
                for (YamlNode.Field point : named.fields()) {
                    if (!point.key().matches("[a-z][a-z0-9_]*")) {
                        problems.add(
                                point.position(), point.key(), "expected a name of lower-case letters, digits and _");
                    } else if (point.value() instanceof YamlNode.Fields settings) {
                        points.put(point.key(), settings);
                    } else {
                        problems.add(
                                point.position(),
                                point.key(),
                                "found " + point.value().describe() + ", expected a map of parameters");
                    }
                }
            } else {
                problems.add(
                        field.position(), "points", "found " + field.value().describe() + ", expected a map");
            }
            return points;
        }

        /** An experiment file would hold these points as blocks; so problems are found and told as there. */
        private @Nullable ExperimentSpec experiment(
                YamlNode.Fields item,
                Map<String, YamlNode.Field> fields,
                String id,
                Map<String, YamlNode.Fields> points,
                @Nullable String plotX,
                List<YamlNode> plotValues) {
            List<YamlNode> blocks = new ArrayList<>();
            points.forEach((name, settings) -> blocks.add(block(item.position(), name, settings)));
            for (int v = 0; v < plotValues.size(); v++) {
                for (Map.Entry<String, YamlNode.Fields> point : points.entrySet()) {
                    List<YamlNode.Field> all = new ArrayList<>(point.getValue().fields());
                    all.removeIf(f -> f.key().equals(plotX));
                    YamlNode value = plotValues.get(v);
                    all.add(new YamlNode.Field(value.position(), String.valueOf(plotX), value));
                    blocks.add(block(
                            item.position(),
                            point.getKey() + " " + (v + 1),
                            new YamlNode.Fields(point.getValue().position(), all)));
                }
            }
            List<YamlNode.Field> root = new ArrayList<>();
            for (String key : List.of("presets", "base", "random_numbers")) {
                YamlNode.Field field = fields.get(key);
                if (field != null) {
                    root.add(field);
                }
            }
            root.add(new YamlNode.Field(item.position(), "designs", new YamlNode.Items(item.position(), blocks)));
            YamlNode.Field replicates = fields.get("replicates");
            root.add(
                    replicates != null
                            ? replicates
                            : new YamlNode.Field(
                                    item.position(),
                                    "replicates",
                                    new YamlNode.Scalar(item.position(), "" + DEFAULT_REPLICATES, true)));
            ExperimentSpec experiment;
            try {
                experiment = ExperimentSpec.of(new YamlNode.Fields(item.position(), root), id, metrics);
            } catch (InvalidFileException bad) {
                String.valueOf(bad.getMessage()).lines().forEach(line -> problems.add(item.position(), id, line));
                return null;
            }
            boolean random = false;
            for (int p = 0; p < points.size(); p++) {
                random |= experiment.point(p).drawsRandomNumbers();
            }
            if (random && experiment.replicates().min() < FEWEST_REPLICATES) {
                problems.add(
                        item.position(),
                        "replicates",
                        "a point draws random numbers, so that an interval needs " + FEWEST_REPLICATES + " or more");
            }
            return experiment;
        }

        private static YamlNode block(Position position, String name, YamlNode.Fields settings) {
            return new YamlNode.Fields(
                    position,
                    List.of(
                            new YamlNode.Field(position, "name", new YamlNode.Scalar(position, name, false)),
                            new YamlNode.Field(position, "base", settings)));
        }

        private @Nullable Formula formula(
                YamlNode.Fields item, Map<String, YamlNode.Field> fields, String key, Map<String, ?> points) {
            String text = text(item, fields, key);
            Position position = fields.containsKey(key)
                    ? Objects.requireNonNull(fields.get(key)).position()
                    : item.position();
            Formula formula;
            try {
                formula = Formula.parse(text);
            } catch (InvalidValueException bad) {
                problems.add(position, key, String.valueOf(bad.getMessage()));
                return null;
            }
            for (String name : formula.names()) {
                int dot = name.indexOf('.');
                String point = dot < 0 ? ONLY_POINT : name.substring(0, dot);
                String column = name.substring(dot + 1);
                if (!points.containsKey(point)) {
                    problems.add(
                            position,
                            key,
                            dot < 0
                                    ? "`" + name + "`: expected POINT.COLUMN, there being several points"
                                    : "unknown point `" + point + "`" + NearestName.advice(point, points.keySet()));
                } else if (COLUMNS.get(column) == null) {
                    problems.add(
                            position,
                            key,
                            "unknown column `" + column + "`" + NearestName.advice(column, COLUMNS.keySet()));
                } else if (COLUMNS.get(column) == ColumnType.STRING) {
                    problems.add(position, key, "`" + column + "` is text, expected a column of numbers or flags");
                }
            }
            return formula;
        }

        /** Least and largest value claimed. */
        private double[] range(YamlNode.Fields item, YamlNode.@Nullable Field field) {
            double[] range = {Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY};
            if (field == null) {
                problems.add(item.position(), "claimed", "is missing");
            } else if (field.value() instanceof YamlNode.Scalar scalar) {
                range[0] = number(field.position(), "claimed", scalar.text());
                range[1] = range[0];
            } else if (field.value() instanceof YamlNode.Items list
                    && list.items().size() == 2
                    && list.items().get(0) instanceof YamlNode.Scalar low
                    && list.items().get(1) instanceof YamlNode.Scalar high) {
                range[0] = number(field.position(), "claimed", low.text());
                range[1] = number(field.position(), "claimed", high.text());
                if (range[0] > range[1]) {
                    problems.add(field.position(), "claimed", "the lower end exceeds the upper one");
                }
            } else if (field.value() instanceof YamlNode.Fields map
                    && map.fields().size() == 1
                    && List.of("at_least", "at_most")
                            .contains(map.fields().get(0).key())
                    && map.fields().get(0).value() instanceof YamlNode.Scalar bound) {
                range[map.fields().get(0).key().equals("at_least") ? 0 : 1] =
                        number(field.position(), "claimed", bound.text());
            } else {
                problems.add(
                        field.position(),
                        "claimed",
                        "found " + field.value().describe()
                                + ", expected a number, [low, high], {at_least: a number} or {at_most: a number}");
            }
            return range;
        }

        private @Nullable Double margin(Map<String, YamlNode.Field> fields, double[] range) {
            YamlNode.Field field = fields.get("margin");
            if (field == null) {
                return 0.0;
            }
            String text = optional(fields, "margin");
            if (text == null) {
                problems.add(field.position(), "margin", "expected a number or a percentage");
                return null;
            }
            double margin = number(field.position(), "margin", text.replaceFirst("\\s*%$", ""));
            if (text.endsWith("%")) {
                double bound = Double.isInfinite(range[0]) ? range[1] : range[0];
                margin *= Math.abs(bound) / 100;
            }
            if (margin < 0) {
                problems.add(field.position(), "margin", "must not be negative");
            }
            return margin;
        }

        private double number(Position position, String key, String text) {
            try {
                return Quantity.plain(text.strip()).doubleValue();
            } catch (NumberFormatException bad) {
                problems.add(position, key, "found `" + text + "`, expected a number");
                return 0;
            }
        }

        private @Nullable Verdict pinned(YamlNode.@Nullable Field field) {
            if (field == null) {
                return null;
            }
            if (field.value() instanceof YamlNode.Scalar scalar) {
                for (Verdict verdict : Verdict.values()) {
                    if (verdict.text().equals(scalar.text().toLowerCase(Locale.ROOT))) {
                        return verdict;
                    }
                }
            }
            problems.add(
                    field.position(),
                    "verdict",
                    "found " + field.value().describe() + ", expected holds, refuted or undecided");
            return null;
        }
    }
}
