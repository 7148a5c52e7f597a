package io.github.rhosweep.topology;

import io.github.rhosweep.scenario.LinkSpec;
import io.github.rhosweep.scenario.Scenario;
import io.github.rhosweep.scenario.SwitchSpec;
import io.github.rhosweep.scenario.TopologySpec;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A fabric: its graph, and by arithmetic on node numbers the ways through it. All ways that a pair of hosts may take have equally many
 * hops of equal kinds, so that one {@link Path} stands for all of them.
 */
public final class Topology {
    private final Wiring wiring;
    private final Graph graph;
    private final @Nullable SwitchSpec switchSpec;
    private final int mostWays;

    private Topology(Wiring wiring, LinkSpec link, @Nullable SwitchSpec switchSpec) {
        this.wiring = wiring;
        this.switchSpec = switchSpec;
        BigDecimal port = switchSpec == null ? link.bandwidthGbPerS() : switchSpec.bandwidthGbPerS();
        int hosts = wiring.hosts();
        int[][] neighbours = new int[hosts + wiring.switches()][];
        int most = 1;
        for (int node = 0; node < neighbours.length; node++) {
            neighbours[node] = wiring.neighbours(node);
            most = Math.max(most, neighbours[node].length);
        }
        this.mostWays = most;
        this.graph = new Graph(hosts, neighbours, new Graph.Links() {
            @Override
            public BigDecimal bandwidthGbPerS(int from, int to) {
                return from < hosts ? link.bandwidthGbPerS() : to < hosts ? port : wiring.trunkGbPerS(port);
            }

            @Override
            public long propagationPs(int from, int to) {
                return link.propagationPs();
            }
        });
    }

    /** The topology of a bound scenario. */
    public static Topology of(Scenario scenario) {
        int hosts = scenario.topology().hosts();
        TopologySpec.Shape shape = scenario.topology().shape();
        Wiring wiring;
        if (shape instanceof TopologySpec.LeafSpine s) {
            wiring = new LeafSpine(hosts, s);
        } else if (shape instanceof TopologySpec.FatTree s) {
            wiring = new FatTree(hosts, s.k());
        } else if (shape instanceof TopologySpec.RailOptimized s) {
            wiring = new RailOptimized(hosts, s);
        } else if (shape instanceof TopologySpec.Dragonfly s) {
            wiring = new Dragonfly(hosts, s);
        } else if (shape instanceof TopologySpec.SingleSwitch) {
            wiring = new SingleSwitch(hosts);
        } else {
            wiring = new Direct();
        }
        return new Topology(wiring, scenario.link(), scenario.switchSpec());
    }

    /** Nodes, ports and links. */
    public Graph graph() {
        return graph;
    }

    /** Room that {@link #ways} needs. */
    public int mostWays() {
        return mostWays;
    }

    /**
     * The ports by which a frame may leave a switch, in ascending order.
     *
     * @param node a switch
     * @param destination a host
     * @param ports receives them; {@link #mostWays} is room enough
     * @return how many; 0 if there is no route
     */
    public int ways(int node, int destination, int[] ports) {
        return wiring.ways(node, destination, ports);
    }

    /** Whether a frame can get from one host to another; to itself where a switch can turn it back. */
    public boolean hasRoute(int source, int destination) {
        return isHost(source) && isHost(destination) && wiring.hasRoute(source, destination);
    }

    /** Switches on the way from one host to another. */
    public int switchHops(int source, int destination) {
        requireRoute(source, destination);
        return wiring.switchHops(source, destination);
    }

    /**
     * A way of a frame: at each switch the first of {@link #ways}; the others take as long.
     *
     * @param source sending host
     * @param destination receiving host; the same host is allowed where a switch can turn a frame back
     * @throws IllegalArgumentException if there is no route
     */
    public Path path(int source, int destination) {
        requireRoute(source, destination);
        int[] ports = new int[mostWays];
        List<Hop> hops = new ArrayList<>();
        int link = graph.linkOf(source, 0);
        hops.add(hop(link));
        while (graph.to(link) != destination) {
            int node = graph.to(link);
            wiring.ways(node, destination, ports);
            link = graph.linkOf(node, ports[0]);
            hops.add(hop(link));
        }
        return new Path(hops);
    }

    private Hop hop(int link) {
        int from = graph.from(link);
        SwitchSpec sw = from < graph.hosts() ? null : switchSpec;
        return new Hop(
                from,
                graph.to(link),
                graph.bandwidthGbPerS(link),
                sw == null ? 0 : sw.forwardingPs(),
                sw == null ? 0 : sw.slotPs(),
                sw != null && sw.egressGate() == SwitchSpec.EgressGate.BUSY,
                graph.propagationPs(link));
    }

    private boolean isHost(int node) {
        return node >= 0 && node < graph.hosts();
    }

    private void requireRoute(int source, int destination) {
        if (!isHost(source) || !isHost(destination)) {
            throw new IllegalArgumentException(
                    "hosts are 0 .. " + (graph.hosts() - 1) + ", not " + source + " and " + destination);
        }
        if (!wiring.hasRoute(source, destination)) {
            throw new IllegalArgumentException(wiring.noRoute(source, destination));
        }
    }
}
