package io.github.rhosweep.scenario;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of one point: what was given, and for all others the documented default, found when asked. Values are read
 * through {@link #get}, so that whoever wraps the source of given values can see which of them a rule depends on.
 */
public final class Params {
    /** Marks a parameter given as {@code auto}: the computed value is wanted even where a fixed default exists. */
    public static final Object AUTO = new Object();

    private final Function<String, @Nullable Object> given;

    /** @param given from a path to the parsed value, {@link #AUTO}, or null where nothing was given */
    public Params(Function<String, @Nullable Object> given) {
        this.given = given;
    }

    /**
     * Parses texts as an experiment file would hold them.
     *
     * @throws InvalidValueException naming the path, for an unknown path or a bad value
     */
    public static Params parse(Map<String, String> texts) {
        Map<String, Object> values = new HashMap<>();
        texts.forEach((path, text) -> {
            Parameter<?> parameter = Parameters.named(path);
            try {
                Object value = parameter.parse(text);
                values.put(path, value == null ? AUTO : value);
            } catch (InvalidValueException bad) {
                throw new InvalidValueException(path + ": " + bad.getMessage());
            }
        });
        return new Params(values::get);
    }

    /** The same with another value of one parameter. */
    public <T> Params with(Parameter<T> parameter, T value) {
        return new Params(path -> path.equals(parameter.path()) ? value : given.apply(path));
    }

    /** Whether the point gives this parameter itself. */
    public boolean isGiven(Parameter<?> parameter) {
        return given.apply(parameter.path()) != null;
    }

    /** Whether the parameter means anything at this point. */
    public boolean applies(Parameter<?> parameter) {
        return parameter.appliesTo(this);
    }

    /**
     * The value in force.
     *
     * @throws IllegalStateException if the parameter does not apply here or has no value: ask {@link #find} where that can be
     */
    public <T> T get(Parameter<T> parameter) {
        T value = find(parameter);
        if (value == null) {
            throw new IllegalStateException(parameter.path() + " has no value here");
        }
        return value;
    }

    /** The value in force, or null where the parameter does not apply or has none. */
    @SuppressWarnings("unchecked") // what `given` holds under a path was parsed by the parameter of that path
    public <T> @Nullable T find(Parameter<T> parameter) {
        if (!parameter.appliesTo(this)) {
            return null;
        }
        Object value = given.apply(parameter.path());
        return value == null || value == AUTO ? parameter.defaultFor(this) : (T) value;
    }

    /** Whether {@code auto} was asked for. */
    boolean isAuto(Parameter<?> parameter) {
        return given.apply(parameter.path()) == AUTO;
    }
}
