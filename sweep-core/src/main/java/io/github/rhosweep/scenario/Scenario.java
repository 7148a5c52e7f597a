package io.github.rhosweep.scenario;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One point, bound and valid: all that a run or a model needs to know.
 *
 * @param topology what connects the hosts
 * @param switchSpec every switch; null with topology.kind direct
 * @param routing how a switch chooses among several ways
 * @param link links of hosts
 * @param traffic messages
 * @param transport what governs when hosts send, and how receivers answer
 * @param flowControl what keeps switches from dropping
 * @param measure how the run is measured and bounded
 * @param record what is kept of a run besides its row
 * @param model thresholds of models
 * @param params where all this came from
 */
public record Scenario(
        TopologySpec topology,
        @Nullable SwitchSpec switchSpec,
        RoutingSpec routing,
        LinkSpec link,
        TrafficSpec traffic,
        TransportSpec transport,
        FlowControlSpec flowControl,
        MeasureSpec measure,
        RecordSpec record,
        ModelSpec model,
        Params params) {
    /**
     * Binds a point.
     *
     * @throws InvalidValueException if a rule is violated or a given parameter does not apply; all violations, one a line
     */
    public static Scenario of(Params params) {
        List<String> violations = new ArrayList<>();
        for (Parameter<?> parameter : Parameters.all()) {
            if (params.isGiven(parameter) && !params.applies(parameter)) {
                violations.add(inapplicable(parameter));
            }
        }
        for (Rule rule : Parameters.rules()) {
            try {
                String violation = rule.violation(params);
                if (violation != null) {
                    violations.add(violation);
                }
            } catch (InvalidFileException file) {
                file.problems().stream()
                        .filter(line -> !violations.contains(line))
                        .forEach(violations::add);
            }
        }
        if (!violations.isEmpty()) {
            throw new InvalidValueException(violations);
        }
        return new Scenario(
                TopologySpec.bind(params),
                TopologySpec.hasSwitch(params) ? SwitchSpec.bind(params) : null,
                RoutingSpec.bind(params),
                LinkSpec.bind(params),
                TrafficSpec.bind(params),
                TransportSpec.bind(params),
                FlowControlSpec.bind(params),
                MeasureSpec.bind(params),
                RecordSpec.bind(params),
                ModelSpec.bind(params),
                params);
    }

    /** What to say of a parameter that is given where it means nothing. */
    public static String inapplicable(Parameter<?> parameter) {
        return parameter.path() + " does not apply here: it needs that " + parameter.appliesText();
    }

    /**
     * The canonical texts of all applicable parameters, defaults filled in, that make up a point's identity.
     *
     * @param wanted which parameters
     */
    public static SortedMap<String, String> canonical(
            Params params, java.util.function.Predicate<Parameter<?>> wanted) {
        SortedMap<String, String> texts = new TreeMap<>();
        for (Parameter<?> parameter : Parameters.all()) {
            if (wanted.test(parameter)) {
                String text = canonicalText(params, parameter);
                if (text != null) {
                    texts.put(parameter.path(), text);
                }
            }
        }
        return texts;
    }

    private static <T> @Nullable String canonicalText(Params params, Parameter<T> parameter) {
        T value = params.find(parameter);
        return value == null ? null : parameter.canonical(value);
    }
}
