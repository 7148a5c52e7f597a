package io.github.rhosweep.topology;

import java.math.BigDecimal;
import java.util.Arrays;

/**
 * Nodes, numbered ports and directed links. Hosts are nodes 0 .. hosts-1, switches follow. A node's ports are numbered from 0 in the
 * order in which its neighbours were given; port p of node n sends on link {@code linkOf(n, p)}, numbered 0 .. links-1 by node
 * and port. Memory grows with the links, not with pairs of hosts.
 */
public final class Graph {
    private final int hosts;
    /** Links of node n are first[n] .. first[n+1]-1. */
    private final int[] first;

    private final int[] from;
    private final int[] to;
    /** Link of the other direction. */
    private final int[] back;

    private final BigDecimal[] bandwidthGbPerS;
    private final long[] propagationPs;

    /**
     * What a topology says of its links.
     *
     * @see Graph#Graph(int, int[][], Links)
     */
    interface Links {
        /** Bandwidth of the serialiser at {@code from} that feeds the link to {@code to}, in GB/s; 0 if it takes no time. */
        BigDecimal bandwidthGbPerS(int from, int to);

        /** Propagation delay, in ps. */
        long propagationPs(int from, int to);
    }

    /**
     * A graph from lists of neighbours; between two nodes there is at most one link each way.
     *
     * @param hosts the first nodes are hosts
     * @param neighbours of each node, in the order of ports
     * @throws IllegalArgumentException if a neighbour does not list the node back, or is listed twice
     */
    Graph(int hosts, int[][] neighbours, Links links) {
        this.hosts = hosts;
        int nodes = neighbours.length;
        this.first = new int[nodes + 1];
        for (int n = 0; n < nodes; n++) {
            first[n + 1] = Math.addExact(first[n], neighbours[n].length);
        }
        int count = first[nodes];
        this.from = new int[count];
        this.to = new int[count];
        this.back = new int[count];
        this.bandwidthGbPerS = new BigDecimal[count];
        this.propagationPs = new long[count];
        for (int n = 0; n < nodes; n++) {
            for (int p = 0; p < neighbours[n].length; p++) {
                int link = first[n] + p;
                from[link] = n;
                to[link] = neighbours[n][p];
                bandwidthGbPerS[link] = links.bandwidthGbPerS(n, to[link]);
                propagationPs[link] = links.propagationPs(n, to[link]);
            }
        }
        pair();
    }

    /** Finds the other direction of each link, by search among the links of the node at its end, sorted by neighbour. */
    private void pair() {
        long[] sorted = new long[to.length]; // neighbour, then link
        for (int link = 0; link < to.length; link++) {
            sorted[link] = (long) to[link] << 32 | link;
        }
        for (int node = 0; node < nodes(); node++) {
            Arrays.sort(sorted, first[node], first[node + 1]);
            for (int i = first[node] + 1; i < first[node + 1]; i++) {
                if (sorted[i] >>> 32 == sorted[i - 1] >>> 32) {
                    throw new IllegalArgumentException(
                            "two links from node " + node + " to node " + (sorted[i] >>> 32));
                }
            }
        }
        for (int link = 0; link < to.length; link++) {
            int end = to[link];
            int at = ~Arrays.binarySearch(sorted, first[end], first[end + 1], (long) from[link] << 32 | -1L >>> 32);
            // The search is for a link number that no link has, so that it ends behind the right one.
            if (at == first[end] || sorted[at - 1] >>> 32 != from[link]) {
                throw new IllegalArgumentException("no link back from node " + end + " to node " + from[link]);
            }
            back[link] = (int) sorted[at - 1];
        }
    }

    /** Hosts: nodes 0 .. hosts-1. */
    public int hosts() {
        return hosts;
    }

    /** Switches: nodes hosts .. hosts+switches-1. */
    public int switches() {
        return first.length - 1 - hosts;
    }

    /** Hosts and switches. */
    public int nodes() {
        return first.length - 1;
    }

    /** Directed links, numbered by node and port. */
    public int links() {
        return to.length;
    }

    /** Ports of a node. */
    public int ports(int node) {
        return first[node + 1] - first[node];
    }

    /** The link on which a node's port sends. */
    public int linkOf(int node, int port) {
        return first[node] + port;
    }

    /** The node that sends on a link. */
    public int from(int link) {
        return from[link];
    }

    /** The node that receives from a link. */
    public int to(int link) {
        return to[link];
    }

    /** The port of {@link #from} that feeds a link. */
    public int portOf(int link) {
        return link - first[from[link]];
    }

    /** The link of the other direction. */
    public int back(int link) {
        return back[link];
    }

    /** The port of {@link #to} at which frames of a link arrive. */
    public int arrivalPort(int link) {
        return portOf(back[link]);
    }

    /** The node behind a port. */
    public int neighbour(int node, int port) {
        return to[first[node] + port];
    }

    /** The nodes behind a node's ports, in their order. */
    public int[] neighbours(int node) {
        return Arrays.copyOfRange(to, first[node], first[node + 1]);
    }

    /** Bandwidth of the serialiser that feeds a link, in GB/s; 0 if it takes no time. */
    public BigDecimal bandwidthGbPerS(int link) {
        return bandwidthGbPerS[link];
    }

    /** Propagation delay of a link, in ps. */
    public long propagationPs(int link) {
        return propagationPs[link];
    }
}
