package io.github.rhosweep.topology;

import java.math.BigDecimal;

/** Who is joined to whom, and the ways, by arithmetic on node numbers. */
interface Wiring {
    int hosts();

    int switches();

    /** Neighbours of a node, in the order of its ports. */
    int[] neighbours(int node);

    /** The neighbour on one port. */
    default int neighbour(int node, int port) {
        return neighbours(node)[port];
    }

    /** Bandwidth of links between switches, in GB/s; {@code port} is that of a switch's port. */
    default BigDecimal trunkGbPerS(BigDecimal port) {
        return port;
    }

    /** The most that {@link #ways} gives. */
    default int mostWays() {
        return 1;
    }

    /** See {@link Topology#ways}. */
    int ways(int node, int destination, int[] ports);

    /** Switches between two hosts. */
    int switchHops(int source, int destination);

    default boolean hasRoute(int source, int destination) {
        return true;
    }

    /** What to say of a pair without a route. */
    default String noRoute(int source, int destination) {
        return "no route from host " + source + " to host " + destination;
    }

    /** Puts {@code count} ports from {@code first} on into an array. */
    static int range(int first, int count, int[] ports) {
        for (int i = 0; i < count; i++) {
            ports[i] = first + i;
        }
        return count;
    }

    static int one(int port, int[] ports) {
        ports[0] = port;
        return 1;
    }
}
