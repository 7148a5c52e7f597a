package io.github.rhosweep.scenario;

import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Parameters as given in a file or by options, each with its place: what {@code base}, presets and {@code switch.yaml} hold.
 * Keys may be nested ({@code switch: {alpha: 1}}) or dotted ({@code switch.alpha: 1}).
 */
public final class ScenarioTree {
    /**
     * One given value.
     *
     * @param text as written
     * @param value parsed, or {@link Params#AUTO}
     */
    public record Setting(Parameter<?> parameter, String text, Object value, Position position) {
        /** The text that equal values share. */
        public String canonical() {
            return ScenarioTree.canonical(parameter, value);
        }
    }

    private final Map<String, Setting> settings;

    private ScenarioTree(Map<String, Setting> settings) {
        this.settings = Collections.unmodifiableMap(settings);
    }

    /** Nothing given. */
    public static ScenarioTree empty() {
        return new ScenarioTree(new LinkedHashMap<>());
    }

    /**
     * Reads a file that holds parameters and nothing else, as presets do.
     *
     * @throws InvalidFileException with all problems
     */
    public static ScenarioTree read(Path file) {
        Problems problems = new Problems();
        ScenarioTree tree = of(Yaml.readMap(file, problems), problems);
        problems.throwIfAny();
        return tree;
    }

    /**
     * Parameters with values that were parsed before.
     *
     * @param values in the order in which they shall be listed
     */
    public static ScenarioTree ofValues(Map<Parameter<?>, Object> values, Position position) {
        Map<String, Setting> settings = new LinkedHashMap<>();
        values.forEach((parameter, value) -> {
            String canonical = canonical(parameter, value);
            String text = parameter.isNumeric() && !canonical.isEmpty() && !Character.isLetter(canonical.charAt(0))
                    ? parameter.text(new java.math.BigDecimal(canonical))
                    : canonical;
            settings.put(parameter.path(), new Setting(parameter, text, value, position));
        });
        return new ScenarioTree(settings);
    }

    /** Binds a map of parameters; what is wrong goes to {@code problems} and is left out. */
    public static ScenarioTree of(YamlNode.Fields fields, Problems problems) {
        return of(fields, InputFiles.ON_DISK, problems);
    }

    /** The same, with files from elsewhere. */
    public static ScenarioTree of(YamlNode.Fields fields, InputFiles files, Problems problems) {
        Map<String, Setting> settings = new LinkedHashMap<>();
        collect("", fields, files, settings, problems);
        return new ScenarioTree(settings);
    }

    private static void collect(
            String prefix, YamlNode.Fields fields, InputFiles files, Map<String, Setting> settings, Problems problems) {
        for (YamlNode.Field field : fields.fields()) {
            String path = prefix + field.key();
            if (field.value() instanceof YamlNode.Fields nested && !Parameters.isKnown(path)) {
                collect(path + ".", nested, files, settings, problems);
                continue;
            }
            Setting setting = setting(path, field.value(), field.position(), files, problems);
            if (setting != null) {
                Setting first = settings.putIfAbsent(path, setting);
                if (first != null) {
                    problems.add(
                            field.position(),
                            path,
                            "given twice, first on line " + first.position().line());
                }
            }
        }
    }

    /** Reads one parameter; null, with the problem noted, if path or value is wrong. */
    public static @Nullable Setting setting(
            String path, YamlNode value, Position position, InputFiles files, Problems problems) {
        try {
            Parameter<?> parameter = Parameters.named(path);
            if (!(value instanceof YamlNode.Scalar scalar) || scalar.isNull()) {
                problems.add(position, path, "found " + value.describe() + ", expected " + parameter.expected());
                return null;
            }
            String text = scalar.text().trim();
            Object parsed = parameter.isFile() ? files.find(text, position) : parse(parameter, text);
            return new Setting(parameter, text, parsed, position);
        } catch (InvalidValueException bad) {
            problems.add(position, (Parameters.isKnown(path) ? path + ": " : "") + bad.getMessage());
            return null;
        }
    }

    /** A parsed value, {@link Params#AUTO} for the word that asks for the computed one. */
    public static Object parse(Parameter<?> parameter, String text) {
        Object value = parameter.parse(text);
        return value == null ? Params.AUTO : value;
    }

    /** The text that equal values of a parameter share. */
    @SuppressWarnings("unchecked") // a value is only ever paired with the parameter that parsed it
    public static <T> String canonical(Parameter<T> parameter, Object value) {
        return value == Params.AUTO ? "auto" : parameter.canonical((T) value);
    }

    /** This, with {@code over}'s settings in place of or beside its own. */
    public ScenarioTree with(ScenarioTree over) {
        Map<String, Setting> merged = new LinkedHashMap<>(settings);
        merged.putAll(over.settings);
        return new ScenarioTree(merged);
    }

    /** This, without some paths. */
    public ScenarioTree without(java.util.Collection<String> paths) {
        Map<String, Setting> left = new LinkedHashMap<>(settings);
        left.keySet().removeAll(paths);
        return new ScenarioTree(left);
    }

    /** From path to setting, in the order given. */
    public Map<String, Setting> settings() {
        return settings;
    }

    /** The point that these settings and the defaults make. */
    public Params params() {
        Map<String, Object> values = settings.entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, e -> e.getValue().value()));
        return new Params(values::get);
    }
}
