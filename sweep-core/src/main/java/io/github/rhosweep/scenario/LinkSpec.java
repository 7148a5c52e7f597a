package io.github.rhosweep.scenario;

import java.math.BigDecimal;
import java.util.List;

/**
 * Links of hosts.
 *
 * @param bandwidthGbPerS of the NIC (host to switch), in GB/s; {@link #UNLIMITED} if all frames of a message arrive together
 * @param propagationPs propagation each way, in ps
 */
public record LinkSpec(BigDecimal bandwidthGbPerS, long propagationPs) {
    /** Stands for no NIC term and no NIC queue. */
    public static final BigDecimal UNLIMITED = BigDecimal.ZERO;

    public static final Parameter<BigDecimal> BANDWIDTH = Parameter.bandwidth("link.bandwidth")
            .between("0.000001", "1000000")
            .word("unlimited", UNLIMITED)
            .derived("the switch's port bandwidth (direct: 400 GB/s)", p -> {
                BigDecimal port = p.find(SwitchSpec.PORT_BANDWIDTH);
                return port == null ? BigDecimal.valueOf(400) : port;
            })
            .doc("Bandwidth of host NICs, host to switch; the way down has the switch port's (D-10)");
    public static final Parameter<BigDecimal> LATENCY = Parameter.time("link.latency")
            .between("0.001", "1e9")
            .byDefault("100 ns")
            .doc("Propagation delay of a link, each way (about 20 m of fibre)");

    static final List<Parameter<?>> PARAMETERS = List.of(BANDWIDTH, LATENCY);

    static final List<Rule> RULES = List.of(Rule.when(
            p -> p.get(TopologySpec.KIND) == TopologySpec.Kind.DIRECT,
            p -> p.get(BANDWIDTH).signum() != 0
                    ? null
                    : "link.bandwidth unlimited with topology.kind direct leaves nothing that takes time"));

    static LinkSpec bind(Params p) {
        return new LinkSpec(p.get(BANDWIDTH), SwitchSpec.picoseconds(p.get(LATENCY)));
    }

    /** Whether NICs take no time. */
    public boolean unlimited() {
        return bandwidthGbPerS.signum() == 0;
    }
}
