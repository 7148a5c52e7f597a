package io.github.rhosweep.kernel;

import io.github.rhosweep.topology.Graph;
import io.github.rhosweep.topology.Topology;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;

/**
 * What is plugged into what, as the simulator numbers it, and the ways that lead from each switch to each host.
 *
 * <p>Every place where a cable ends has a number: host h is end h, port p of switch s is end {@code hosts + firstPort[s] + p}. A link
 * is one direction of a cable and has the number of the end at which it arrives, so that arrivals at one node are in the order of
 * its ports.
 */
final class Cabling {
    /** The peer of an end that nothing is plugged into. */
    static final int NONE = -1;

    /** The ports by which a frame may leave a switch. */
    @FunctionalInterface
    interface Ways {
        /**
         * Ports towards a host, ascending.
         *
         * @param sw switch, numbered from 0
         * @param ports receives them
         * @return how many; 0 if there is no route
         */
        int find(int sw, int destination, int[] ports);
    }

    final int hosts;
    final int switches;
    /** Per switch: its first port among all ports; one more at the end. */
    final int[] firstPort;
    /** Per end: the end at the other side of its cable. */
    final int[] peer;
    /** Per end: propagation of its cable, in ps. */
    final long[] propagationPs;
    /** Per end of a switch: the switch, and the port. */
    final int[] switchOf;

    final int[] portOf;
    /** Per end: bandwidth of its serialiser, in GB/s. */
    final BigDecimal[] bandwidth;

    final Ways ways;
    /** Room that {@link Ways#find} needs. */
    final int mostPorts;

    /**
     * Nodes without cables.
     *
     * @param ports of each switch
     * @param nic bandwidth of hosts, in GB/s
     * @param port bandwidth of switch ports, in GB/s
     */
    Cabling(int hosts, int[] ports, BigDecimal nic, BigDecimal port, Ways ways) {
        this.hosts = hosts;
        this.switches = ports.length;
        this.firstPort = new int[switches + 1];
        int most = 1;
        for (int s = 0; s < switches; s++) {
            firstPort[s + 1] = Math.addExact(firstPort[s], ports[s]);
            most = Math.max(most, ports[s]);
        }
        this.mostPorts = most;
        int ends = Math.addExact(hosts, firstPort[switches]);
        this.peer = new int[ends];
        Arrays.fill(peer, NONE);
        this.propagationPs = new long[ends];
        this.switchOf = new int[ends];
        this.portOf = new int[ends];
        for (int s = 0; s < switches; s++) {
            for (int p = 0; p < ports[s]; p++) {
                switchOf[end(s, p)] = s;
                portOf[end(s, p)] = p;
            }
        }
        this.bandwidth = new BigDecimal[ends];
        Arrays.fill(bandwidth, 0, hosts, nic);
        Arrays.fill(bandwidth, hosts, ends, port);
        this.ways = ways;
    }

    /** The end of a switch's port. */
    int end(int sw, int port) {
        return hosts + firstPort[sw] + port;
    }

    /** Plugs a cable in. */
    Cabling cable(int oneEnd, int otherEnd, long propagation) {
        peer[oneEnd] = otherEnd;
        peer[otherEnd] = oneEnd;
        propagationPs[oneEnd] = propagation;
        propagationPs[otherEnd] = propagation;
        return this;
    }

    /** Whether there is a switch at the other end of every host's cable. */
    boolean joinsHostsToSwitches() {
        for (int host = 0; host < hosts; host++) {
            if (peer[host] != NONE && peer[host] < hosts) {
                return false;
            }
        }
        return true;
    }

    int ends() {
        return peer.length;
    }

    int ports(int sw) {
        return firstPort[sw + 1] - firstPort[sw];
    }

    /** Bandwidths of a switch's ports; those that it has beyond the cabling count as the first. */
    List<BigDecimal> bandwidths(int sw, int ports) {
        BigDecimal[] all = new BigDecimal[ports];
        Arrays.fill(all, bandwidth[end(sw, 0)]);
        System.arraycopy(bandwidth, end(sw, 0), all, 0, ports(sw));
        return List.of(all);
    }

    /** The cabling of a topology. */
    static Cabling of(Topology topology) {
        Graph graph = topology.graph();
        int hosts = graph.hosts();
        int[] ports = new int[graph.switches()];
        Arrays.setAll(ports, s -> graph.ports(hosts + s));
        Cabling cabling = new Cabling(
                hosts,
                ports,
                BigDecimal.ZERO,
                BigDecimal.ZERO,
                (sw, destination, found) -> topology.ways(hosts + sw, destination, found));
        for (int link = 0; link < graph.links(); link++) {
            int from = graph.from(link);
            int to = graph.to(link);
            int end = from < hosts ? from : cabling.end(from - hosts, graph.portOf(link));
            int other = to < hosts ? to : cabling.end(to - hosts, graph.arrivalPort(link));
            cabling.cable(end, other, graph.propagationPs(link));
            cabling.bandwidth[end] = graph.bandwidthGbPerS(link);
        }
        return cabling;
    }
}
