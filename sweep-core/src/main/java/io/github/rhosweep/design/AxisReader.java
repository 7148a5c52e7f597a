package io.github.rhosweep.design;

import io.github.rhosweep.scenario.InputFiles;
import io.github.rhosweep.scenario.InvalidValueException;
import io.github.rhosweep.scenario.NearestName;
import io.github.rhosweep.scenario.Parameter;
import io.github.rhosweep.scenario.Parameter.ColumnType;
import io.github.rhosweep.scenario.Parameters;
import io.github.rhosweep.scenario.Params;
import io.github.rhosweep.scenario.Position;
import io.github.rhosweep.scenario.Problems;
import io.github.rhosweep.scenario.Quantity;
import io.github.rhosweep.scenario.ScenarioTree;
import io.github.rhosweep.scenario.ScenarioTree.Setting;
import io.github.rhosweep.scenario.YamlNode;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads one entry of {@code sweep}: a list; {@code {from, to, step}}; {@code {from, to, count, scale}};
 * {@code {powers_of, from, to}}; or a list of linked maps. Ranges are exact decimals, ends included.
 */
final class AxisReader {
    private static final int MAX_VALUES = 1_000_000;
    /** Values between the ends of a `count` range that no short decimal hits are rounded to so many digits. */
    private static final MathContext LINEAR_DIGITS = new MathContext(12);

    private static final MathContext LOG_DIGITS = new MathContext(6);
    private static final List<String> ENDS = List.of("from", "to", "scale");
    private static final List<String> RANGE_KEYS = List.of("from", "to", "step", "count", "scale", "powers_of");

    private final InputFiles files;
    private final Problems problems;

    AxisReader(InputFiles files, Problems problems) {
        this.files = files;
        this.problems = problems;
    }

    /**
     * The axis of a sampled block: a range given by its ends alone, or any other form, of whose values some are chosen.
     *
     * @param dimension number of the axis in the block, from 0
     */
    @Nullable
    Axis read(YamlNode.Field entry, Sampling sampling, int dimension) {
        try {
            if (entry.value() instanceof YamlNode.Fields range
                    && range.fields().stream().allMatch(f -> ENDS.contains(f.key()))) {
                return between(entry, range, sampling, dimension);
            }
            Axis axis = read(entry);
            if (axis == null) {
                return null;
            }
            if (axis.values().stream().flatMap(List::stream).anyMatch(s -> s.value() == Params.AUTO)) {
                throw new InvalidValueException("found `auto`, expected values on an axis of a sampled design");
            }
            return new Axis(
                    axis.name(),
                    axis.parameters(),
                    new SampledValues.Chosen(axis, sampling.points(), sampling.coordinates(axis.name(), dimension)),
                    axis.position());
        } catch (InvalidValueException bad) {
            problems.add(entry.position(), entry.key(), String.valueOf(bad.getMessage()));
            return null;
        }
    }

    private @Nullable Axis between(YamlNode.Field entry, YamlNode.Fields range, Sampling sampling, int dimension) {
        Parameter<?> parameter = parameter(entry);
        Map<String, YamlNode.Scalar> given = scalars(entry, range);
        if (parameter == null || given == null) {
            return null;
        }
        if (!parameter.isNumeric() || !parameter.inKey()) {
            throw new InvalidValueException(
                    parameter.isNumeric()
                            ? "cannot be an axis: it changes no measured value"
                            : "found a range, expected a list: it takes " + parameter.expected());
        }
        Range ends = ends(parameter, given);
        if (ends.from().compareTo(ends.to()) == 0) {
            throw new InvalidValueException("found from and to both " + parameter.text(ends.from())
                    + ", expected a range. Maybe put it under `base`");
        }
        for (BigDecimal end : List.of(ends.from(), ends.to())) {
            setting(parameter, end, entry.position()); // within the parameter's bounds, and so is all between
        }
        boolean log = isLog(parameter, ends, given.get("scale"));
        return new Axis(
                entry.key(),
                List.of(parameter),
                new SampledValues.Range(
                        parameter,
                        ends.from(),
                        ends.to(),
                        log,
                        sampling,
                        sampling.coordinates(entry.key(), dimension),
                        entry.position()),
                entry.position());
    }

    /** The axis, or null with what is wrong noted. */
    @Nullable
    Axis read(YamlNode.Field entry) {
        String name = entry.key();
        List<List<Setting>> values = null;
        if (entry.value() instanceof YamlNode.Items list) {
            boolean maps = !list.items().isEmpty() && list.items().stream().allMatch(YamlNode.Fields.class::isInstance);
            values = maps ? linked(entry, list) : listed(entry, list);
        } else if (entry.value() instanceof YamlNode.Fields range) {
            values = range(entry, range);
        } else {
            problems.add(
                    entry.position(),
                    name,
                    "found " + entry.value().describe()
                            + ", expected a list, {from, to, step}, {from, to, count, scale} or {powers_of, from, to}");
        }
        if (values == null || values.isEmpty()) {
            return null;
        }
        List<Parameter<?>> parameters = new ArrayList<>();
        values.get(0).forEach(setting -> parameters.add(setting.parameter()));
        boolean fine = distinct(name, values);
        for (Parameter<?> parameter : parameters) {
            if (!parameter.inKey()) {
                problems.add(
                        entry.position(),
                        parameter.path(),
                        "cannot be an axis: it changes no measured value, so that all its points would be one");
                fine = false;
            }
        }
        return fine ? new Axis(name, parameters, values, entry.position()) : null;
    }

    private @Nullable List<List<Setting>> listed(YamlNode.Field entry, YamlNode.Items list) {
        if (parameter(entry) == null) {
            return null;
        }
        if (list.items().isEmpty()) {
            problems.add(entry.position(), entry.key(), "found an empty list, expected at least one value");
        }
        if (list.items().size() > MAX_VALUES) {
            problems.add(
                    entry.position(),
                    entry.key(),
                    tooMany(BigDecimal.valueOf(list.items().size())));
            return null;
        }
        List<List<Setting>> values = new ArrayList<>();
        for (YamlNode item : list.items()) {
            Setting setting = ScenarioTree.setting(entry.key(), item, item.position(), files, problems);
            if (setting != null) {
                values.add(List.of(setting));
            }
        }
        return values;
    }

    private @Nullable List<List<Setting>> linked(YamlNode.Field entry, YamlNode.Items list) {
        if (Parameters.isKnown(entry.key())) {
            problems.add(
                    entry.position(),
                    entry.key(),
                    "found a list of maps, expected values; give linked parameters a name of their own");
            return null;
        }
        List<List<Setting>> values = new ArrayList<>();
        List<String> keys = List.of();
        for (YamlNode item : list.items()) {
            Problems before = problems;
            Map<String, Setting> settings =
                    ScenarioTree.of((YamlNode.Fields) item, files, before).settings();
            List<String> own = List.copyOf(new TreeSet<>(settings.keySet()));
            if (values.isEmpty()) {
                keys = List.copyOf(settings.keySet());
            } else if (!own.equals(List.copyOf(new TreeSet<>(keys)))) {
                problems.add(
                        item.position(),
                        entry.key(),
                        "found the keys " + own + ", expected those of the first entry, " + keys);
                continue;
            }
            if (!settings.isEmpty()) {
                values.add(keys.stream().map(key -> lookUp(settings, key)).toList());
            }
        }
        if (values.isEmpty()) {
            problems.add(entry.position(), entry.key(), "found no parameters to link");
        }
        return values;
    }

    private static Setting lookUp(Map<String, Setting> settings, String key) {
        Setting setting = settings.get(key);
        if (setting == null) {
            throw new IllegalStateException(key);
        }
        return setting;
    }

    private @Nullable List<List<Setting>> range(YamlNode.Field entry, YamlNode.Fields range) {
        Parameter<?> parameter = parameter(entry);
        if (parameter == null) {
            return null;
        }
        if (!parameter.isNumeric()) {
            problems.add(
                    entry.position(), entry.key(), "found a range, expected a list: it takes " + parameter.expected());
            return null;
        }
        Map<String, YamlNode.Scalar> given = scalars(entry, range);
        if (given == null) {
            return null;
        }
        try {
            Range ends = ends(parameter, given);
            List<BigDecimal> numbers = given.containsKey("step") && form(given, "from", "to", "step")
                    ? steps(parameter, ends, text(given, "step"))
                    : given.containsKey("count") && form(given, "from", "to", "count", "scale")
                            ? counted(parameter, ends, text(given, "count"), given.get("scale"))
                            : given.containsKey("powers_of") && form(given, "powers_of", "from", "to")
                                    ? powers(parameter, ends, text(given, "powers_of"))
                                    : null;
            if (numbers == null) {
                throw new InvalidValueException("found a range of " + given.keySet()
                        + ", expected {from, to, step}, {from, to, count, scale} or {powers_of, from, to}"
                        + (given.keySet().stream().allMatch(ENDS::contains)
                                ? "; ends alone need a `design`, such as {kind: latin-hypercube, points: 100}"
                                : ""));
            }
            List<List<Setting>> values = new ArrayList<>();
            for (BigDecimal number : numbers) {
                values.add(List.of(setting(parameter, number, entry.position())));
            }
            return values;
        } catch (InvalidValueException bad) {
            problems.add(entry.position(), entry.key(), String.valueOf(bad.getMessage()));
            return null;
        }
    }

    /** The keys of a range, null if one is wrong. */
    private @Nullable Map<String, YamlNode.Scalar> scalars(YamlNode.Field entry, YamlNode.Fields range) {
        Map<String, YamlNode.Scalar> given = new LinkedHashMap<>();
        boolean known = true;
        for (YamlNode.Field field : range.fields()) {
            if (!RANGE_KEYS.contains(field.key())) {
                problems.add(
                        field.position(),
                        entry.key(),
                        "unknown key `" + field.key() + "` of a range" + NearestName.advice(field.key(), RANGE_KEYS));
                known = false;
            } else if (field.value() instanceof YamlNode.Scalar scalar && !scalar.isNull()) {
                given.put(field.key(), scalar);
            } else {
                problems.add(
                        field.position(),
                        entry.key(),
                        field.key() + ": found " + field.value().describe() + ", expected one value");
                known = false;
            }
        }
        return known ? given : null;
    }

    private record Range(BigDecimal from, BigDecimal to) {}

    private static Range ends(Parameter<?> parameter, Map<String, YamlNode.Scalar> given) {
        BigDecimal from = parameter.magnitude(text(given, "from"));
        BigDecimal to = parameter.magnitude(text(given, "to"));
        if (from.compareTo(to) > 0) {
            throw new InvalidValueException(
                    "found from `" + text(given, "from") + "` above to `" + text(given, "to") + "`. Maybe swap them");
        }
        return new Range(from, to);
    }

    private static String text(Map<String, YamlNode.Scalar> given, String key) {
        YamlNode.Scalar scalar = given.get(key);
        if (scalar == null) {
            throw new InvalidValueException("found a range of " + given.keySet() + ", expected `" + key + "` too");
        }
        return scalar.text();
    }

    private static boolean form(Map<String, YamlNode.Scalar> given, String... allowed) {
        return List.of(allowed).containsAll(given.keySet());
    }

    private static List<BigDecimal> steps(Parameter<?> parameter, Range ends, String stepText) {
        BigDecimal step = parameter.magnitude(stepText);
        if (step.signum() <= 0) {
            throw new InvalidValueException("found step `" + stepText + "`, expected more than 0");
        }
        BigDecimal[] steps = ends.to().subtract(ends.from()).divideAndRemainder(step);
        if (steps[0].compareTo(BigDecimal.valueOf(MAX_VALUES)) >= 0) {
            throw new InvalidValueException(tooMany(steps[0].add(BigDecimal.ONE)));
        }
        BigDecimal last = ends.from().add(steps[0].multiply(step));
        if (steps[1].signum() != 0) {
            throw new InvalidValueException("the end " + parameter.text(ends.to()) + " is off the grid: from "
                    + parameter.text(ends.from()) + " in steps of " + parameter.text(step) + " the nearest fits are "
                    + parameter.text(last) + " and " + parameter.text(last.add(step)));
        }
        return numbers(steps[0].intValueExact() + 1, i -> ends.from().add(step.multiply(BigDecimal.valueOf(i))));
    }

    private static List<BigDecimal> counted(
            Parameter<?> parameter, Range ends, String countText, YamlNode.@Nullable Scalar scale) {
        int count = whole("count", countText);
        if (count == 1 ? ends.from().compareTo(ends.to()) != 0 : count < 2 || count > MAX_VALUES) {
            throw new InvalidValueException(
                    "found count `" + countText + "`, expected 2 .. " + MAX_VALUES + " (1 if from and to are equal)");
        }
        boolean log = isLog(parameter, ends, scale);
        boolean wholeNumbers = parameter.columnType() == ColumnType.INT64;
        BigDecimal span = ends.to().subtract(ends.from());
        double logRatio = log
                ? StrictMath.log(
                        ends.to().divide(ends.from(), MathContext.DECIMAL64).doubleValue())
                : 0;
        return numbers(count, i -> {
            if (i == 0) {
                return ends.from();
            }
            if (i == count - 1) {
                return ends.to();
            }
            if (!log) {
                return ends.from()
                        .add(span.multiply(BigDecimal.valueOf(i))
                                .divide(BigDecimal.valueOf(count - 1L), MathContext.DECIMAL128))
                        .round(LINEAR_DIGITS);
            }
            BigDecimal value = ends.from()
                    .multiply(new BigDecimal(StrictMath.exp(logRatio * i / (count - 1))))
                    .round(LOG_DIGITS);
            return wholeNumbers ? value.setScale(0, RoundingMode.HALF_UP) : value;
        });
    }

    private static boolean isLog(Parameter<?> parameter, Range ends, YamlNode.@Nullable Scalar scale) {
        String kind = scale == null ? "linear" : scale.text();
        boolean log = kind.equals("log");
        if (!log && !kind.equals("linear")) {
            throw new InvalidValueException("found scale `" + kind + "`, expected linear or log"
                    + NearestName.advice(kind, List.of("linear", "log")));
        }
        if (log && ends.from().signum() <= 0) {
            throw new InvalidValueException(
                    "found from `" + parameter.text(ends.from()) + "` with scale log, expected more than 0");
        }
        return log;
    }

    private static List<BigDecimal> powers(Parameter<?> parameter, Range ends, String baseText) {
        int base = whole("powers_of", baseText);
        if (base < 2) {
            throw new InvalidValueException("found powers_of `" + baseText + "`, expected 2 or more");
        }
        if (ends.from().signum() <= 0) {
            throw new InvalidValueException(
                    "found from `" + parameter.text(ends.from()) + "`, expected more than 0 for powers of " + base);
        }
        int exponent = powerAtMost(base, ends.from());
        requirePower(parameter, base, exponent, "from", ends.from());
        requirePower(parameter, base, powerAtMost(base, ends.to()), "to", ends.to());
        List<BigDecimal> values = new ArrayList<>();
        BigDecimal factor = BigDecimal.valueOf(base);
        for (BigDecimal value = ends.from(); value.compareTo(ends.to()) <= 0; value = value.multiply(factor)) {
            values.add(value);
        }
        return values;
    }

    private static void requirePower(Parameter<?> parameter, int base, int exponent, String end, BigDecimal value) {
        BigDecimal below = power(base, exponent);
        if (below.compareTo(value) != 0) {
            throw new InvalidValueException(end + " " + parameter.text(value) + " is no power of " + base
                    + ": the nearest fits are " + parameter.text(below) + " and "
                    + parameter.text(power(base, exponent + 1)));
        }
    }

    /** The largest k with base^k at most value. Values of parameters lie within 10^-60 .. 10^40, so that the loops end soon. */
    private static int powerAtMost(int base, BigDecimal value) {
        int exponent = 0;
        while (power(base, exponent + 1).compareTo(value) <= 0) {
            exponent++;
        }
        while (power(base, exponent).compareTo(value) > 0) {
            exponent--;
        }
        return exponent;
    }

    private static BigDecimal power(int base, int exponent) {
        BigDecimal magnitude = BigDecimal.valueOf(base).pow(Math.abs(exponent));
        return exponent >= 0
                ? magnitude
                : BigDecimal.ONE.divide(magnitude, new MathContext(60)).stripTrailingZeros();
    }

    private static int whole(String key, String text) {
        try {
            return Quantity.plain(text).intValueExact();
        } catch (NumberFormatException | ArithmeticException notWhole) {
            throw new InvalidValueException("found " + key + " `" + text + "`, expected a whole number");
        }
    }

    private static List<BigDecimal> numbers(int count, Function<Integer, BigDecimal> number) {
        List<BigDecimal> numbers = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            numbers.add(number.apply(i));
        }
        return numbers;
    }

    private static Setting setting(Parameter<?> parameter, BigDecimal number, Position position) {
        String text = parameter.text(number);
        return new Setting(parameter, text, ScenarioTree.parse(parameter, text), position);
    }

    private @Nullable Parameter<?> parameter(YamlNode.Field entry) {
        try {
            return Parameters.named(entry.key());
        } catch (InvalidValueException unknown) {
            problems.add(entry.position(), String.valueOf(unknown.getMessage()));
            return null;
        }
    }

    private static String tooMany(BigDecimal found) {
        return "found " + Quantity.canonical(found) + " values, expected at most " + MAX_VALUES + " on an axis";
    }

    private boolean distinct(String name, List<List<Setting>> values) {
        Map<List<String>, List<Setting>> seen = new HashMap<>();
        boolean distinct = true;
        for (List<Setting> value : values) {
            List<String> canonical = value.stream().map(Setting::canonical).toList();
            List<Setting> first = seen.putIfAbsent(canonical, value);
            if (first != null) {
                Setting again = value.get(0);
                problems.add(
                        again.position(),
                        name,
                        "found `" + again.text() + "` twice"
                                + (first.get(0).text().equals(again.text())
                                        ? ""
                                        : " (first as `" + first.get(0).text() + "`)")
                                + ", expected distinct values");
                distinct = false;
            }
        }
        return distinct;
    }
}
