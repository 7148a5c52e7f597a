package io.github.rhosweep.topology;

import io.github.rhosweep.scenario.LinkSpec;
import io.github.rhosweep.scenario.Scenario;
import io.github.rhosweep.scenario.SwitchSpec;
import io.github.rhosweep.scenario.TopologySpec;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A fabric: its graph, and by arithmetic on node numbers the ways through it. All ways that a pair of hosts may take have equally many
 * hops of equal kinds, so that one {@link Path} stands for all of them.
 */
public final class Topology {
    /** The most switches that any way has: across a fat-tree. */
    public static final int MOST_SWITCHES = 5;

    private final Wiring wiring;
    private final LinkSpec link;
    private final @Nullable SwitchSpec switchSpec;
    private final BigDecimal portGbPerS;
    /** Made when first asked for: a path through one switch of thousands of ports needs none. */
    private @Nullable Graph graph;

    private Topology(Wiring wiring, LinkSpec link, @Nullable SwitchSpec switchSpec) {
        this.wiring = wiring;
        this.link = link;
        this.switchSpec = switchSpec;
        this.portGbPerS = switchSpec == null ? link.bandwidthGbPerS() : switchSpec.bandwidthGbPerS();
    }

    private Graph newGraph() {
        int[][] neighbours = new int[wiring.hosts() + wiring.switches()][];
        Arrays.setAll(neighbours, wiring::neighbours);
        return new Graph(wiring.hosts(), neighbours, new Graph.Links() {
            @Override
            public BigDecimal bandwidthGbPerS(int from, int to) {
                return Topology.this.bandwidthGbPerS(from, to);
            }

            @Override
            public long propagationPs(int from, int to) {
                return link.propagationPs();
            }
        });
    }

    private BigDecimal bandwidthGbPerS(int from, int to) {
        return isHost(from) ? link.bandwidthGbPerS() : isHost(to) ? portGbPerS : wiring.trunkGbPerS(portGbPerS);
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
        Graph made = graph;
        if (made == null) {
            made = newGraph();
            graph = made;
        }
        return made;
    }

    /** Room that {@link #ways} needs. */
    public int mostWays() {
        return wiring.mostWays();
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
        int[] ports = new int[mostWays()];
        List<Hop> hops = new ArrayList<>();
        int node = source;
        int next = wiring.neighbour(source, 0);
        hops.add(hop(node, next));
        while (next != destination) {
            node = next;
            wiring.ways(node, destination, ports);
            next = wiring.neighbour(node, ports[0]);
            hops.add(hop(node, next));
        }
        return new Path(hops);
    }

    private Hop hop(int from, int to) {
        SwitchSpec sw = isHost(from) ? null : switchSpec;
        return new Hop(
                from,
                to,
                bandwidthGbPerS(from, to),
                sw == null ? 0 : sw.forwardingPs(),
                sw == null ? 0 : sw.slotPs(),
                sw != null && sw.egressGate() == SwitchSpec.EgressGate.BUSY,
                link.propagationPs());
    }

    private boolean isHost(int node) {
        return node >= 0 && node < wiring.hosts();
    }

    private void requireRoute(int source, int destination) {
        if (!isHost(source) || !isHost(destination)) {
            throw new IllegalArgumentException(
                    "hosts are 0 .. " + (wiring.hosts() - 1) + ", not " + source + " and " + destination);
        }
        if (!wiring.hasRoute(source, destination)) {
            throw new IllegalArgumentException(wiring.noRoute(source, destination));
        }
    }
}
