package io.github.rhosweep.scenario;

import java.util.List;

/**
 * What connects the hosts.
 *
 * @param kind the family of fabrics
 * @param hosts hosts, numbered from 0; host i is on port i of a single switch
 */
public record TopologySpec(Kind kind, int hosts) {
    /** The families of fabrics. */
    public enum Kind {
        /** Host to host over one link: measures the zero-load latency without a switch. */
        DIRECT,
        /** Every host on one switch. */
        SINGLE_SWITCH
    }

    public static final Parameter<Kind> KIND = Parameter.choice("topology.kind", Kind.class)
            .byDefault("single-switch")
            .doc("What connects the hosts");
    public static final Parameter<Long> HOSTS = Parameter.count("topology.hosts")
            .between("1", "65536")
            .derived("what the pattern needs (incast: flows + 1, others: flows)", p ->
                    (long) p.get(TrafficSpec.PATTERN).hostsNeeded(Math.toIntExact(p.get(TrafficSpec.FLOWS))))
            .doc("Hosts of the fabric");

    static final List<Parameter<?>> PARAMETERS = List.of(KIND, HOSTS);

    static final List<Rule> RULES = List.of(
            p -> {
                long needed = p.get(TrafficSpec.PATTERN).hostsNeeded(Math.toIntExact(p.get(TrafficSpec.FLOWS)));
                long hosts = p.get(HOSTS);
                return hosts >= needed
                        ? null
                        : "traffic.flows (" + p.get(TrafficSpec.FLOWS) + ") with traffic.pattern "
                                + Parameter.label(p.get(TrafficSpec.PATTERN)) + " needs " + needed
                                + " hosts, topology.hosts is " + hosts;
            },
            Rule.when(TopologySpec::hasSwitch, p -> {
                long hosts = p.get(HOSTS);
                long ports = p.get(SwitchSpec.PORT_COUNT);
                return hosts <= ports
                        ? null
                        : "topology.hosts (" + hosts + ", for traffic.flows " + p.get(TrafficSpec.FLOWS)
                                + ") exceeds switch.port_count (" + ports + ")";
            }),
            Rule.when(
                    p -> p.get(KIND) == Kind.DIRECT,
                    p -> p.get(HOSTS) == 2
                                    && p.get(TrafficSpec.PATTERN) == TrafficSpec.PatternKind.INCAST
                                    && p.get(TrafficSpec.FLOWS) == 1
                            ? null
                            : "topology.kind direct joins two hosts: it takes traffic.pattern incast with traffic.flows 1, found "
                                    + Parameter.label(p.get(TrafficSpec.PATTERN)) + " with "
                                    + p.get(TrafficSpec.FLOWS)));

    static boolean hasSwitch(Params p) {
        return p.get(KIND) != Kind.DIRECT;
    }

    static TopologySpec bind(Params p) {
        return new TopologySpec(p.get(KIND), Math.toIntExact(p.get(HOSTS)));
    }
}
