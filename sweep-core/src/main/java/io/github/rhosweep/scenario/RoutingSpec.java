package io.github.rhosweep.scenario;

import java.util.List;

/**
 * How a switch chooses among several shortest ways.
 *
 * @param kind the rule; ECMP where there is nothing to choose
 * @param adaptiveMinBytes messages of a smaller payload keep to ECMP under {@link Kind#ADAPTIVE}
 */
public record RoutingSpec(Kind kind, long adaptiveMinBytes) {
    /** The rules of choice. */
    public enum Kind {
        /** One way for all frames of a (source, destination, queue pair), by a hash at each switch. */
        ECMP,
        /** Each frame of a flow on the next way, in turn. */
        SPRAY,
        /** Each frame on the way with fewest bytes queued at this switch. */
        ADAPTIVE
    }

    public static final Parameter<Kind> KIND = Parameter.choice("routing.kind", Kind.class)
            .byDefault("ecmp")
            .onlyWhen("the topology has several shortest ways", TopologySpec::hasChoice)
            .doc("How a switch chooses among several shortest ways");
    public static final Parameter<Long> ADAPTIVE_MIN_BYTES = Parameter.bytes("routing.adaptive_min_bytes")
            .between("0", null)
            .byDefault("8192")
            .onlyWhen("routing.kind is adaptive", p -> p.find(RoutingSpec.KIND) == Kind.ADAPTIVE)
            .doc("Messages of a smaller payload keep to the way that ECMP gives them");
    public static final Parameter<Boolean> CROSS_RAIL = Parameter.flag("routing.cross_rail")
            .byDefault("true")
            .onlyWhen(
                    "topology.kind is rail-optimized",
                    p -> p.get(TopologySpec.KIND) == TopologySpec.Kind.RAIL_OPTIMIZED)
            .doc("Whether spines join the rails; without them hosts of different rails have no route");

    static final List<Parameter<?>> PARAMETERS = List.of(CROSS_RAIL, KIND, ADAPTIVE_MIN_BYTES);

    static final List<Rule> RULES = List.of(Rule.when(
            p -> Boolean.FALSE.equals(p.find(CROSS_RAIL)) && p.get(TopologySpec.RAILS) > 1,
            p -> p.get(TrafficSpec.PATTERN).staysOnRail(p.get(TrafficSpec.FLOWS))
                    ? null
                    : "routing.cross_rail false leaves no route between rails, and traffic.pattern "
                            + Parameter.label(p.get(TrafficSpec.PATTERN)) + " sends across the "
                            + p.get(TopologySpec.RAILS) + " of topology.rails"));

    static RoutingSpec bind(Params p) {
        Kind kind = p.find(KIND);
        Long least = p.find(ADAPTIVE_MIN_BYTES);
        return new RoutingSpec(kind == null ? Kind.ECMP : kind, least == null ? 0 : least);
    }
}
