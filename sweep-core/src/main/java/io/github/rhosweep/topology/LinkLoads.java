package io.github.rhosweep.topology;

import io.github.rhosweep.scenario.Pattern;
import java.util.Arrays;

/**
 * What a traffic pattern puts on every link, if switches split evenly among their ways: messages that cross a link for every message that
 * one source offers. Exact for spraying, the mean over hashes for ECMP, whose collisions it does not see.
 */
public final class LinkLoads {
    private static final int MOST_TRANSITIONS = 1 << 17;

    private final Topology topology;
    private final double[] perLink;
    /** By switches on the way: messages of such pairs, per message of one source. */
    private final double[] byHops;
    /** By switches on the way: some pair, source x hosts + destination. */
    private final long[] pairOfHops;
    /** A switch's matrix, in port by out port, begins here. */
    private final int[] firstTransition;

    private final double[] transition;
    private final Spreader spreader;
    /** Links whose {@link #perLink} is not 0. */
    private final int[] touched;

    private int touchedCount;

    private LinkLoads(Topology topology, boolean withTransitions) {
        this.topology = topology;
        Graph graph = topology.graph();
        this.firstTransition = new int[graph.nodes() + 1];
        long size = 0;
        for (int node = graph.hosts(); node < graph.nodes(); node++) {
            size += (long) graph.ports(node) * graph.ports(node);
            firstTransition[node + 1] = (int) Math.min(Integer.MAX_VALUE, size);
        }
        this.transition = new double[withTransitions && size <= MOST_TRANSITIONS ? (int) size : 0];
        this.perLink = new double[topology.graph().links()];
        this.byHops = new double[Topology.MOST_SWITCHES + 1];
        this.pairOfHops = new long[Topology.MOST_SWITCHES + 1];
        this.touched = new int[perLink.length];
        this.spreader = new Spreader();
    }

    /** The loads of a pattern whose sources are hosts 0 .. flows-1; pairs without a route carry nothing. */
    public static LinkLoads of(Topology topology, Pattern pattern, int flows) {
        LinkLoads loads = new LinkLoads(topology, true);
        Graph graph = topology.graph();
        int hosts = graph.hosts();
        if (graph.switches() <= 1) {
            loads.throughOneSwitch(pattern, flows);
            return loads;
        }
        Spreader spreader = loads.spreader;
        for (int to = 0; to < pattern.hostsNeeded(flows); to++) {
            boolean any = false;
            for (int from = 0; from < flows; from++) {
                double share = pattern.share(from, to, flows);
                if (share > 0 && topology.hasRoute(from, to)) {
                    int hops = topology.switchHops(from, to);
                    loads.byHops[hops] += share;
                    loads.pairOfHops[hops] = (long) from * hosts + to;
                    spreader.add(graph.linkOf(from, 0), share);
                    any = true;
                }
            }
            if (any) {
                spreader.spread(to);
            }
        }
        return loads;
    }

    /** Without visiting pairs, of which there may be billions. */
    private void throughOneSwitch(Pattern pattern, int flows) {
        Graph graph = topology.graph();
        int hosts = graph.hosts();
        int switches = graph.switches();
        int sending = pattern.messagesPerGap(flows); // hosts 0 .. so many - 1, each one message
        byHops[switches] = sending;
        pairOfHops[switches] = pattern.busiestEgress(flows);
        for (int host = 0; host < sending; host++) {
            perLink[graph.linkOf(host, 0)] = 1;
        }
        for (int port = 0; switches > 0 && port < hosts; port++) {
            perLink[graph.linkOf(hosts, port)] = pattern.egressShare(port, flows);
            for (int from = 0; transition.length > 0 && from < flows; from++) {
                transition[from * hosts + port] = pattern.share(from, port, flows);
            }
        }
    }

    /** No traffic yet: {@link #add} brings it. */
    public static LinkLoads none(Topology topology) {
        return new LinkLoads(topology, false);
    }

    /** The same, with {@link #transition}s, unless the switches are too large for them. */
    public static LinkLoads noneWithTransitions(Topology topology) {
        return new LinkLoads(topology, true);
    }

    /** Adds traffic of one pair, in any unit: {@link #perLink} is in the same. */
    public void add(int source, int destination, double amount) {
        spreader.add(topology.graph().linkOf(source, 0), amount);
        spreader.spread(destination);
    }

    /** The links that carry any of what {@link #add} brought, in no order. */
    public int[] touched() {
        return Arrays.copyOf(touched, touchedCount);
    }

    /** Forgets what {@link #add} brought. */
    public void clear() {
        for (int i = 0; i < touchedCount; i++) {
            perLink[touched[i]] = 0;
        }
        touchedCount = 0;
        Arrays.fill(transition, 0);
    }

    /** Messages that cross a link, per message of one source. */
    public double perLink(int link) {
        return perLink[link];
    }

    /** Messages of pairs with so many switches between them, per message of one source; 0 .. {@link Topology#MOST_SWITCHES}. */
    public double withHops(int switches) {
        return byHops[switches];
    }

    /** A way with so many switches, if any pair has one. */
    public Path pathWithHops(int switches) {
        int hosts = topology.graph().hosts();
        return topology.path((int) (pairOfHops[switches] / hosts), (int) (pairOfHops[switches] % hosts));
    }

    /** Whether {@link #transition} can be asked: not in fabrics of very large switches. */
    public boolean hasTransitions() {
        return transition.length > 0;
    }

    /** Messages that go on from link {@code in} to link {@code out}, which leaves the switch at its end, per message of one source. */
    public double transition(int in, int out) {
        return transition[index(in, out)];
    }

    private int index(int in, int out) {
        Graph graph = topology.graph();
        int node = graph.to(in);
        return firstTransition[node] + graph.arrivalPort(in) * graph.ports(node) + graph.portOf(out);
    }

    /** The graph that the links are of. */
    public Graph graph() {
        return topology.graph();
    }

    /** Pushes traffic for one destination from link to link until it is there. */
    private final class Spreader {
        private double[] here = new double[perLink.length];
        private double[] next = new double[perLink.length];
        private int[] active = new int[perLink.length];
        private int[] nextActive = new int[perLink.length];
        private int count;
        private final int[] ports = new int[topology.mostWays()];

        void add(int link, double share) {
            if (here[link] == 0) {
                active[count++] = link;
            }
            here[link] += share;
        }

        void spread(int destination) {
            Graph graph = topology.graph();
            while (count > 0) {
                int nextCount = 0;
                // In the order of links, so that sums do not depend on how the frontier came about.
                Arrays.sort(active, 0, count);
                for (int i = 0; i < count; i++) {
                    int link = active[i];
                    double amount = here[link];
                    here[link] = 0;
                    if (perLink[link] == 0) {
                        touched[touchedCount++] = link;
                    }
                    perLink[link] += amount;
                    int node = graph.to(link);
                    if (node == destination) {
                        continue;
                    }
                    int ways = topology.ways(node, destination, ports);
                    for (int w = 0; w < ways; w++) {
                        int out = graph.linkOf(node, ports[w]);
                        if (next[out] == 0) {
                            nextActive[nextCount++] = out;
                        }
                        next[out] += amount / ways;
                        if (transition.length > 0) {
                            transition[index(link, out)] += amount / ways;
                        }
                    }
                }
                double[] swap = here;
                here = next;
                next = swap;
                int[] swapActive = active;
                active = nextActive;
                nextActive = swapActive;
                count = nextCount;
            }
        }
    }
}
