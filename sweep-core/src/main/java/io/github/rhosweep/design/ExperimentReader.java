package io.github.rhosweep.design;

import io.github.rhosweep.scenario.InputFiles;
import io.github.rhosweep.scenario.NearestName;
import io.github.rhosweep.scenario.Parameter;
import io.github.rhosweep.scenario.Position;
import io.github.rhosweep.scenario.Problems;
import io.github.rhosweep.scenario.Quantity;
import io.github.rhosweep.scenario.ScenarioTree;
import io.github.rhosweep.scenario.Yaml;
import io.github.rhosweep.scenario.YamlNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Reads experiment files strictly: all problems are found and said at once. */
final class ExperimentReader {
    private static final List<String> ROOT_KEYS = List.of(
            "name",
            "presets",
            "base",
            "sweep",
            "where",
            "designs",
            "design",
            "replicates",
            "random_numbers",
            "fidelity",
            "screen",
            "record",
            "limits");
    private static final List<String> BLOCK_KEYS = List.of("name", "presets", "base", "sweep", "where", "design");
    private static final int MAX_BLOCKS = 1000;
    /** Of all blocks: no more could ever be run, and far less than where a whole number overflows. */
    private static final double MAX_POINTS = 1e15;

    private static final int MAX_NAME = 200;
    private static final double DEFAULT_FAILURE_FRACTION = 0.1;

    private final Overrides overrides;
    private final @Nullable Collection<String> metrics;
    private final InputFiles files;
    private final Problems problems = new Problems();
    private @Nullable Path file;

    /** @param metrics known metrics; null if neither these nor rules are to be checked, the text being one that was */
    ExperimentReader(Overrides overrides, @Nullable Collection<String> metrics, InputFiles files) {
        this.overrides = overrides;
        this.metrics = metrics;
        this.files = files;
    }

    ExperimentSpec read(Path path) {
        this.file = path;
        String text = Yaml.text(path);
        String fileName = String.valueOf(path.getFileName());
        String stem = fileName.replaceFirst("\\.[^.]*$", "");
        return build(text, path.toString(), stem.isEmpty() ? "experiment" : stem);
    }

    ExperimentSpec readEffective(String text) {
        return build(text, "effective.yaml", "experiment");
    }

    /** Of an experiment that stands within another file. */
    ExperimentSpec read(YamlNode.Fields root, String name) {
        return build(root, "", name);
    }

    private ExperimentSpec build(String text, String source, String defaultName) {
        return build(Yaml.parseMap(text, source, problems), text, defaultName);
    }

    private ExperimentSpec build(YamlNode.Fields root, String text, String defaultName) {
        Map<String, YamlNode.Field> fields = root.known("", ROOT_KEYS, problems);
        ScenarioTree common = presets(fields.get("presets"))
                .with(parameters(fields.get("base")))
                .with(limits(fields.get("limits")))
                .with(record(fields.get("record")));
        List<Draft> drafts = drafts(fields, common, root.position());
        override(drafts);
        List<Block> blocks = new ArrayList<>();
        for (Draft draft : drafts) {
            Block block = block(draft);
            if (block != null) {
                blocks.add(block);
            }
        }
        String name = name(fields.get("name"), defaultName);
        Replicates replicates = replicates(fields.get("replicates"));
        RandomNumbers randomNumbers = choice(fields.get("random_numbers"), RandomNumbers.class, RandomNumbers.COMMON);
        Fidelity fidelity = choice(fields.get("fidelity"), Fidelity.class, Fidelity.SIMULATE);
        Screen screen = screen(fields.get("screen"), fidelity);
        double failureFraction = failureFraction(fields.get("limits"));
        boolean whole = blocks.size() == drafts.size();
        double points = blocks.stream().mapToDouble(Block::size).sum();
        if (points > MAX_POINTS) {
            problems.add(
                    root.position(),
                    "sweep",
                    String.format(Locale.ROOT, "found %.0f points, expected at most %.0f", points, MAX_POINTS));
        }
        if (metrics != null && whole && points <= MAX_POINTS) {
            new PointRules(problems).check(blocks);
        }
        problems.throwIfAny();
        ExperimentSpec experiment =
                new ExperimentSpec(name, blocks, replicates, randomNumbers, fidelity, screen, failureFraction, text);
        if (metrics != null) {
            checkSize(experiment, root.position());
        }
        return experiment;
    }

    private void checkSize(ExperimentSpec experiment, Position position) {
        try {
            experiment.points();
        } catch (Block.TooManyCombinations tooMany) {
            problems.add(
                    position,
                    "designs",
                    "the block " + tooMany.getMessage() + " may share more than " + Block.MAX_COMBINATIONS
                            + " points with another, too many to compare: give the blocks values that differ");
            throw problems.exception();
        }
    }

    /** A product before its axes are checked against its base. */
    private static final class Draft {
        private final String name;
        private final Position position;
        private final ScenarioTree own;
        private final @Nullable Where where;
        private final List<Axis> axes;
        private final @Nullable Sampling sampling;
        private ScenarioTree base;
        private boolean complete = true;

        Draft(
                String name,
                Position position,
                ScenarioTree base,
                ScenarioTree own,
                List<Axis> axes,
                @Nullable Where where,
                @Nullable Sampling sampling) {
            this.sampling = sampling;
            this.name = name;
            this.position = position;
            this.base = base;
            this.own = own;
            this.axes = new ArrayList<>(axes);
            this.where = where;
        }
    }

    private List<Draft> drafts(Map<String, YamlNode.Field> fields, ScenarioTree common, Position rootPosition) {
        YamlNode.Field designs = fields.get("designs");
        if (designs == null) {
            return List.of(draft("all", rootPosition, fields, common, common));
        }
        for (String key : List.of("sweep", "where", "design")) {
            YamlNode.Field field = fields.get(key);
            if (field != null) {
                problems.add(field.position(), key, "found beside `designs`, expected within each of its blocks");
            }
        }
        if (!(designs.value() instanceof YamlNode.Items items) || items.items().isEmpty()) {
            problems.add(
                    designs.position(),
                    "designs",
                    "found " + designs.value().describe() + ", expected a list of blocks");
            return List.of();
        }
        if (items.items().size() > MAX_BLOCKS) {
            problems.add(
                    designs.position(),
                    "designs",
                    "found " + items.items().size() + " blocks, expected at most " + MAX_BLOCKS);
            return List.of();
        }
        List<Draft> drafts = new ArrayList<>();
        Map<String, Position> names = new HashMap<>();
        for (int i = 0; i < items.items().size(); i++) {
            YamlNode item = items.items().get(i);
            if (!(item instanceof YamlNode.Fields block)) {
                problems.add(
                        item.position(), "designs", "found " + item.describe() + ", expected a block: " + BLOCK_KEYS);
                continue;
            }
            Map<String, YamlNode.Field> own = block.known("designs: ", BLOCK_KEYS, problems);
            String name = name(own.get("name"), Integer.toString(i + 1));
            Position first = names.putIfAbsent(name, item.position());
            if (first != null) {
                problems.add(
                        item.position(),
                        "designs",
                        "two blocks are named `" + name + "`, first on line " + first.line());
            }
            ScenarioTree given = presets(own.get("presets")).with(parameters(own.get("base")));
            drafts.add(draft(name, item.position(), own, given, common.with(given)));
        }
        return drafts;
    }

    /**
     * @param own what stands beside the axes in the same block, so that an axis on the same parameter is a mistake
     */
    private Draft draft(
            String name, Position position, Map<String, YamlNode.Field> fields, ScenarioTree own, ScenarioTree base) {
        List<Axis> axes = new ArrayList<>();
        boolean complete = true;
        YamlNode.Field design = fields.get("design");
        Sampling sampling = design == null ? null : sampling(design);
        complete &= design == null || sampling != null;
        YamlNode.Field sweep = fields.get("sweep");
        if (design != null
                && (sweep == null
                        || sweep.value() instanceof YamlNode.Fields none
                                && none.fields().isEmpty())) {
            problems.add(design.position(), "design", "found no axes under `sweep`, expected at least one");
            complete = false;
        }
        if (sweep != null) {
            if (sweep.value() instanceof YamlNode.Fields entries) {
                for (YamlNode.Field entry : entries.fields()) {
                    if (design != null && sampling == null) {
                        continue; // what is wrong with the design is told already
                    }
                    Axis axis = axis(entry, sampling, axes.size());
                    if (axis != null) {
                        axes.add(axis);
                    } else {
                        complete = false;
                    }
                }
            } else {
                problems.add(
                        sweep.position(), "sweep", "found " + sweep.value().describe() + ", expected a map of axes");
            }
        }
        Where where = null;
        YamlNode.Field condition = fields.get("where");
        if (condition != null) {
            String text = scalar(condition);
            if (text == null) {
                problems.add(
                        condition.position(),
                        "where",
                        "found " + condition.value().describe()
                                + ", expected a condition such as `switch.ecn_kmin < switch.ecn_kmax`");
            } else {
                where = Where.parse(text, condition.position(), problems);
            }
        }
        Draft draft = new Draft(name, position, base, own, axes, where, sampling);
        draft.complete = complete;
        return draft;
    }

    private static Position optionPosition(String name, String option) {
        return Position.of(name + (option.length() > MAX_NAME ? option.substring(0, MAX_NAME) + "..." : option));
    }

    /** Applies the command line's options to every block. */
    private void override(List<Draft> drafts) {
        for (String option : overrides.set()) {
            Position position = optionPosition("--set ", option);
            int equals = option.indexOf('=');
            if (equals < 1) {
                problems.add(position, "expected path=value");
                continue;
            }
            String path = option.substring(0, equals).trim();
            YamlNode value =
                    new YamlNode.Scalar(position, option.substring(equals + 1).trim(), true);
            ScenarioTree.Setting setting = ScenarioTree.setting(path, value, position, files, problems);
            if (setting == null) {
                continue;
            }
            YamlNode.Fields one = new YamlNode.Fields(position, List.of(new YamlNode.Field(position, path, value)));
            for (Draft draft : drafts) {
                for (Axis axis : draft.axes) {
                    if (axis.parameters().contains(setting.parameter())) {
                        problems.add(
                                position,
                                path,
                                "is on an axis (" + axis.position() + "). Maybe `--sweep " + option + "`?");
                    }
                }
                draft.base = draft.base.with(ScenarioTree.of(one, files, problems));
            }
        }
        for (String option : overrides.sweep()) {
            Position position = optionPosition("--sweep ", option);
            int equals = option.indexOf('=');
            if (equals < 1) {
                problems.add(position, "expected path=value,value,...");
                continue;
            }
            String path = option.substring(0, equals).trim();
            YamlNode.Field entry =
                    new YamlNode.Field(position, path, sweepValue(option.substring(equals + 1), position));
            for (Draft draft : drafts) {
                Axis axis = axis(entry, draft.sampling, place(draft, path));
                if (axis == null) {
                    break; // it is as wrong in all of them
                }
                replaceAxis(draft, axis);
            }
        }
    }

    private @Nullable Axis axis(YamlNode.Field entry, @Nullable Sampling sampling, int dimension) {
        AxisReader reader = new AxisReader(files, problems);
        return sampling == null ? reader.read(entry) : reader.read(entry, sampling, dimension);
    }

    /** Which axis of a draft an option replaces; behind the last: none. */
    private static int place(Draft draft, String name) {
        int place = 0;
        while (place < draft.axes.size() && !draft.axes.get(place).name().equals(name)) {
            place++;
        }
        return place;
    }

    private @Nullable Sampling sampling(YamlNode.Field field) {
        int before = problems.count();
        Map<String, YamlNode.Field> own = map(field, List.of("kind", "points", "seed"));
        YamlNode.Field kind = own.get("kind");
        YamlNode.Field points = own.get("points");
        if (problems.count() == before && (kind == null || points == null)) {
            problems.add(field.position(), "design", "found " + own.keySet() + ", expected kind and points");
        }
        if (problems.count() > before || kind == null || points == null) {
            return null;
        }
        Sampling.Kind chosen = choice(kind, Sampling.Kind.class, Sampling.Kind.LATIN_HYPERCUBE);
        int n = count(points, "design.points", 1, Sampling.MOST_POINTS);
        YamlNode.Field seed = own.get("seed");
        long s = seed == null ? 0 : count(seed, "design.seed", 0, Integer.MAX_VALUE);
        return problems.count() > before ? null : new Sampling(chosen, n, s);
    }

    private YamlNode sweepValue(String text, Position position) {
        String trimmed = text.trim();
        if (trimmed.startsWith("{") || trimmed.startsWith("[")) {
            return Yaml.parseValue(trimmed, position.source(), problems);
        }
        return new YamlNode.Items(
                position,
                Arrays.stream(trimmed.split(",", -1))
                        .<YamlNode>map(value -> new YamlNode.Scalar(position, value.trim(), true))
                        .toList());
    }

    private void replaceAxis(Draft draft, Axis axis) {
        Set<String> paths = new HashSet<>();
        axis.parameters().forEach(p -> paths.add(p.path()));
        for (int a = 0; a < draft.axes.size(); a++) {
            Axis old = draft.axes.get(a);
            if (old.linked() && old.parameters().stream().anyMatch(axis.parameters()::contains)) {
                problems.add(
                        axis.position(),
                        axis.name(),
                        "is linked with others on the axis `" + old.name() + "` (" + old.position() + ")");
                return;
            }
            if (old.name().equals(axis.name())) {
                draft.axes.set(a, axis);
                return;
            }
        }
        draft.axes.add(axis);
        draft.base = draft.base.without(paths);
    }

    private @Nullable Block block(Draft draft) {
        Map<String, Axis> seen = new LinkedHashMap<>();
        boolean fine = draft.complete;
        ScenarioTree base = draft.base;
        for (Axis axis : draft.axes) {
            for (Parameter<?> parameter : axis.parameters()) {
                String path = parameter.path();
                Axis first = seen.putIfAbsent(path, axis);
                if (first != null) {
                    problems.add(
                            axis.position(),
                            path,
                            "found on the axes `" + first.name() + "` (line "
                                    + first.position().line() + ") and `" + axis.name() + "`, expected on one");
                    fine = false;
                }
                ScenarioTree.Setting inBase = draft.own.settings().get(path);
                if (inBase != null && base.settings().containsKey(path)) {
                    problems.add(
                            axis.position(),
                            path,
                            "found on an axis and in base (" + inBase.position() + "), expected one of them");
                    fine = false;
                }
            }
        }
        if (!fine) {
            return null;
        }
        return Block.of(
                draft.name,
                base.without(seen.keySet()),
                draft.axes,
                draft.where,
                draft.sampling,
                draft.position,
                problems);
    }

    private ScenarioTree parameters(YamlNode.@Nullable Field field) {
        if (field == null) {
            return ScenarioTree.empty();
        }
        if (field.value() instanceof YamlNode.Fields fields) {
            return ScenarioTree.of(fields, files, problems);
        }
        problems.add(
                field.position(), field.key(), "found " + field.value().describe() + ", expected a map of parameters");
        return ScenarioTree.empty();
    }

    private ScenarioTree presets(YamlNode.@Nullable Field field) {
        ScenarioTree merged = ScenarioTree.empty();
        if (field == null) {
            return merged;
        }
        List<YamlNode> names = field.value() instanceof YamlNode.Items items ? items.items() : List.of(field.value());
        for (YamlNode name : names) {
            if (!(name instanceof YamlNode.Scalar scalar) || scalar.isNull()) {
                problems.add(name.position(), "presets", "found " + name.describe() + ", expected names of presets");
                continue;
            }
            merged = merged.with(Presets.read(scalar.text(), file, name.position(), problems));
        }
        return merged;
    }

    private ScenarioTree record(YamlNode.@Nullable Field field) {
        if (field == null || !(field.value() instanceof YamlNode.Fields)) {
            return parameters(field);
        }
        return ScenarioTree.of(new YamlNode.Fields(field.position(), List.of(field)), files, problems);
    }

    private ScenarioTree limits(YamlNode.@Nullable Field field) {
        if (field == null || !(field.value() instanceof YamlNode.Fields fields)) {
            return parameters(field);
        }
        List<YamlNode.Field> own = new ArrayList<>();
        for (YamlNode.Field limit : fields.fields()) {
            if (!limit.key().equals("failure_fraction")) {
                own.add(limit);
            }
        }
        YamlNode.Fields limits = new YamlNode.Fields(
                fields.position(),
                List.of(new YamlNode.Field(field.position(), "limits", new YamlNode.Fields(fields.position(), own))));
        return ScenarioTree.of(limits, files, problems);
    }

    private double failureFraction(YamlNode.@Nullable Field limits) {
        if (limits != null && limits.value() instanceof YamlNode.Fields fields) {
            for (YamlNode.Field limit : fields.fields()) {
                if (limit.key().equals("failure_fraction")) {
                    return fraction(limit, "limits.failure_fraction", f -> f >= 0 && f <= 1, "0 .. 1");
                }
            }
        }
        return DEFAULT_FAILURE_FRACTION;
    }

    private @Nullable Screen screen(YamlNode.@Nullable Field field, Fidelity fidelity) {
        if (field == null) {
            return null;
        }
        if (fidelity != Fidelity.AUTO) {
            problems.add(
                    field.position(),
                    "screen",
                    "found beside fidelity " + Parameter.label(fidelity) + ", expected `fidelity: auto`");
        }
        Map<String, YamlNode.Field> own = map(field, List.of("models", "disagree"));
        YamlNode.Field disagree = own.get("disagree");
        YamlNode.Field models = own.get("models");
        List<String> ids = new ArrayList<>();
        if (models == null) {
            ids.addAll(Screen.USUAL.models());
        } else if (models.value() instanceof YamlNode.Items items
                && items.items().size() >= 2) {
            for (YamlNode item : items.items()) {
                if (item instanceof YamlNode.Scalar scalar && scalar.text().matches("[a-z0-9_]{1,60}")) {
                    ids.add(scalar.text());
                } else {
                    problems.add(
                            item.position(), "screen.models", "found " + item.describe() + ", expected a model's id");
                }
            }
        } else {
            problems.add(
                    models.position(),
                    "screen.models",
                    "found " + models.value().describe()
                            + ", expected a list of two models or more, such as [mg1, kingman]");
        }
        return new Screen(
                ids,
                disagree == null
                        ? Screen.USUAL.disagree()
                        : fraction(disagree, "screen.disagree", f -> f > 0, "more than 0"));
    }

    private Replicates replicates(YamlNode.@Nullable Field field) {
        if (field == null) {
            return Replicates.ONE;
        }
        if (field.value() instanceof YamlNode.Scalar) {
            int n = count(field, "replicates", 1);
            return new Replicates(n, n, null);
        }
        Map<String, YamlNode.Field> own = map(field, List.of("min", "max", "until"));
        YamlNode.Field untilField = own.get("until");
        YamlNode.Field minField = own.get("min");
        YamlNode.Field maxField = own.get("max");
        int min = minField == null ? 5 : count(minField, "replicates.min", untilField == null ? 1 : 2);
        int max = maxField == null ? min : count(maxField, "replicates.max", 1);
        if (min > max) {
            problems.add(field.position(), "replicates", "min (" + min + ") must not exceed max (" + max + ")");
        }
        Replicates.Until until = untilField == null ? null : until(untilField);
        if (until == null && min < max && untilField == null) {
            problems.add(
                    field.position(),
                    "replicates",
                    "found max (" + max + ") above min (" + min + ") without `until`, expected what ends replication");
        }
        return new Replicates(min, max, until);
    }

    private Replicates.@Nullable Until until(YamlNode.Field field) {
        Map<String, YamlNode.Field> own = map(field, List.of("metric", "relative_ci", "confidence"));
        YamlNode.Field metricField = own.get("metric");
        YamlNode.Field precision = own.get("relative_ci");
        if (metricField == null || precision == null) {
            problems.add(
                    field.position(),
                    "replicates.until",
                    "found " + own.keySet() + ", expected metric and relative_ci");
            return null;
        }
        String metric = scalar(metricField);
        if (metric == null || metrics != null && !metrics.contains(metric)) {
            problems.add(
                    metricField.position(),
                    "replicates.until.metric",
                    "found " + metricField.value().describe()
                            + ", expected a measured mean, such as message_latency_mean_ns"
                            + (metric == null || metrics == null ? "" : NearestName.advice(metric, metrics)));
            return null;
        }
        YamlNode.Field confidence = own.get("confidence");
        return new Replicates.Until(
                metric,
                fraction(precision, "replicates.until.relative_ci", f -> f > 0, "more than 0"),
                confidence == null
                        ? 0.95
                        : fraction(confidence, "replicates.until.confidence", f -> f > 0 && f < 1, "between 0 and 1"));
    }

    private int count(YamlNode.Field field, String key, int least) {
        return count(field, key, least, 1_000_000);
    }

    private int count(YamlNode.Field field, String key, int least, int most) {
        String text = scalar(field);
        try {
            int value = Quantity.plain(text == null ? "" : text).intValueExact();
            if (value >= least && value <= most) {
                return value;
            }
        } catch (NumberFormatException | ArithmeticException notWhole) {
            // falls through to the one message below
        }
        problems.add(
                field.position(),
                key,
                "found " + field.value().describe() + ", expected a whole number, " + least + " .. " + most);
        return least;
    }

    private double fraction(YamlNode.Field field, String key, Predicate<Double> condition, String range) {
        String text = scalar(field);
        try {
            double value = Quantity.plain(text == null ? "" : text).doubleValue();
            if (Double.isFinite(value) && condition.test(value)) {
                return value;
            }
        } catch (NumberFormatException notANumber) {
            // falls through to the one message below
        }
        problems.add(field.position(), key, "found " + field.value().describe() + ", expected a number, " + range);
        return 0.5;
    }

    private <E extends Enum<E>> E choice(YamlNode.@Nullable Field field, Class<E> type, E byDefault) {
        if (field == null) {
            return byDefault;
        }
        String text = scalar(field);
        List<String> labels = new ArrayList<>();
        for (E constant : type.getEnumConstants()) {
            labels.add(Parameter.label(constant));
            if (Parameter.label(constant).equals(text)) {
                return constant;
            }
        }
        problems.add(
                field.position(),
                field.key(),
                "found " + field.value().describe() + ", expected one of " + String.join(", ", labels)
                        + (text == null ? "" : NearestName.advice(text, labels)));
        return byDefault;
    }

    private String name(YamlNode.@Nullable Field field, String byDefault) {
        if (field == null) {
            return byDefault;
        }
        String text = scalar(field);
        if (text == null
                || text.isBlank()
                || text.length() > MAX_NAME
                || text.chars().anyMatch(c -> c < ' ')) {
            problems.add(
                    field.position(),
                    "name",
                    "found " + field.value().describe() + ", expected a name on one line, at most " + MAX_NAME
                            + " characters");
            return byDefault;
        }
        return text.trim();
    }

    private static @Nullable String scalar(YamlNode.Field field) {
        return field.value() instanceof YamlNode.Scalar scalar && !scalar.isNull() ? scalar.text() : null;
    }

    private Map<String, YamlNode.Field> map(YamlNode.Field field, List<String> keys) {
        if (field.value() instanceof YamlNode.Fields fields) {
            return fields.known(field.key() + ": ", keys, problems);
        }
        problems.add(
                field.position(), field.key(), "found " + field.value().describe() + ", expected a map with " + keys);
        return Map.of();
    }
}
