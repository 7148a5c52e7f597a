package io.github.rhosweep.topology;

import io.github.rhosweep.scenario.LinkSpec;
import io.github.rhosweep.scenario.Scenario;
import io.github.rhosweep.scenario.SwitchSpec;
import java.util.List;
import java.util.Objects;

/** Which serialisers and links lie between two hosts. */
public sealed interface Topology {
    /**
     * The way of a frame.
     *
     * @param source sending host
     * @param destination receiving host; the same host is allowed where a switch can turn a frame back
     * @throws IllegalArgumentException if the fabric has no such pair
     */
    Path path(int source, int destination);

    /** The topology of a bound scenario. */
    static Topology of(Scenario scenario) {
        return switch (scenario.topology().kind()) {
            case DIRECT -> new Direct(scenario.link());
            case SINGLE_SWITCH ->
                new SingleSwitch(
                        scenario.topology().hosts(),
                        scenario.link(),
                        Objects.requireNonNull(scenario.switchSpec(), "a single-switch scenario has a switch"));
        };
    }

    /**
     * Two hosts and a link.
     *
     * @param link the link
     */
    record Direct(LinkSpec link) implements Topology {
        @Override
        public Path path(int source, int destination) {
            if (source < 0 || source > 1 || destination != 1 - source) {
                throw new IllegalArgumentException("direct joins hosts 0 and 1, not " + source + " and " + destination);
            }
            return new Path(
                    List.of(new Hop(source, destination, link.bandwidthGbPerS(), 0, 0, false, link.propagationPs())));
        }
    }

    /**
     * Every host on one switch, host i on port i.
     *
     * @param hosts hosts; the switch is node {@code hosts}
     * @param link links of hosts; the NIC has their bandwidth, the way down the port's (D-10)
     * @param switchSpec the switch
     */
    record SingleSwitch(int hosts, LinkSpec link, SwitchSpec switchSpec) implements Topology {
        @Override
        public Path path(int source, int destination) {
            if (source < 0 || source >= hosts || destination < 0 || destination >= hosts) {
                throw new IllegalArgumentException(
                        "hosts are 0 .. " + (hosts - 1) + ", not " + source + " and " + destination);
            }
            return new Path(List.of(
                    new Hop(source, hosts, link.bandwidthGbPerS(), 0, 0, false, link.propagationPs()),
                    new Hop(
                            hosts,
                            destination,
                            switchSpec.bandwidthGbPerS(),
                            switchSpec.forwardingPs(),
                            switchSpec.slotPs(),
                            switchSpec.egressGate() == SwitchSpec.EgressGate.BUSY,
                            link.propagationPs())));
        }
    }
}
