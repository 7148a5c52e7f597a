package io.github.rhosweep.scenario;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The catalogue of all parameters and rules, in the order of columns; each is declared in its own record. */
public final class Parameters {
    private static final List<Parameter<?>> ALL = Stream.of(
                    TopologySpec.PARAMETERS,
                    RoutingSpec.PARAMETERS,
                    SwitchSpec.PARAMETERS,
                    LinkSpec.PARAMETERS,
                    TrafficSpec.PARAMETERS,
                    WorkloadSpec.PARAMETERS,
                    WorkloadFiles.PARAMETERS,
                    TransportSpec.PARAMETERS,
                    DcqcnSpec.PARAMETERS,
                    FlowControlSpec.PARAMETERS,
                    MeasureSpec.PARAMETERS,
                    RecordSpec.PARAMETERS,
                    ModelSpec.PARAMETERS)
            .<Parameter<?>>flatMap(List::stream)
            .toList();

    private static final List<Rule> RULES = Stream.of(
                    TopologySpec.RULES,
                    RoutingSpec.RULES,
                    SwitchSpec.RULES,
                    LinkSpec.RULES,
                    TrafficSpec.RULES,
                    WorkloadSpec.RULES,
                    WorkloadFiles.RULES,
                    TransportSpec.RULES,
                    FlowControlSpec.RULES,
                    MeasureSpec.RULES,
                    RecordSpec.RULES,
                    ModelSpec.RULES)
            .flatMap(List::stream)
            .toList();

    private static final Map<String, Parameter<?>> BY_PATH =
            ALL.stream().collect(Collectors.toMap(Parameter::path, p -> p, (a, b) -> a, LinkedHashMap::new));

    private Parameters() {}

    /** All parameters. */
    public static List<Parameter<?>> all() {
        return ALL;
    }

    /** All rules over several parameters. */
    public static List<Rule> rules() {
        return RULES;
    }

    /** Whether a path names a parameter. */
    public static boolean isKnown(String path) {
        return BY_PATH.containsKey(path);
    }

    /**
     * The parameter of a path.
     *
     * @throws InvalidValueException if there is none; the message names the nearest
     */
    public static Parameter<?> named(String path) {
        Parameter<?> parameter = BY_PATH.get(path);
        if (parameter == null) {
            throw new InvalidValueException(
                    "unknown parameter `" + path + "`" + NearestName.advice(path, BY_PATH.keySet()));
        }
        return parameter;
    }
}
