package io.github.rhosweep.topology;

import io.github.rhosweep.scenario.TopologySpec;
import java.math.BigDecimal;

/**
 * Host i is NIC i mod rails of server i / rails. A rail's switch has the servers on its first ports, then the spines; a spine has rail r
 * on port r. Inside a server there is no link: NICs of one server on different rails meet in the spines.
 */
record RailOptimized(int hosts, TopologySpec.RailOptimized shape) implements Wiring {
    private int railOf(int host) {
        return host % shape.rails();
    }

    private int hostsOn(int rail) {
        return hosts / shape.rails() + (rail < hosts % shape.rails() ? 1 : 0);
    }

    @Override
    public int switches() {
        return shape.rails() + shape.spines();
    }

    @Override
    public BigDecimal trunkGbPerS(BigDecimal port) {
        return shape.spineGbPerS();
    }

    @Override
    public int[] neighbours(int node) {
        if (node < hosts) {
            return new int[] {hosts + railOf(node)};
        }
        int rail = node - hosts;
        if (rail >= shape.rails()) {
            int[] rails = new int[shape.rails()];
            Wiring.range(hosts, rails.length, rails);
            return rails;
        }
        int down = hostsOn(rail);
        int[] all = new int[down + shape.spines()];
        for (int i = 0; i < all.length; i++) {
            all[i] = i < down ? i * shape.rails() + rail : hosts + shape.rails() + i - down;
        }
        return all;
    }

    @Override
    public int mostWays() {
        return Math.max(1, shape.spines());
    }

    @Override
    public int ways(int node, int destination, int[] ports) {
        int rail = node - hosts;
        int home = railOf(destination);
        if (rail >= shape.rails()) {
            return Wiring.one(home, ports);
        }
        return rail == home
                ? Wiring.one(destination / shape.rails(), ports)
                : Wiring.range(hostsOn(rail), shape.spines(), ports);
    }

    @Override
    public int switchHops(int source, int destination) {
        return railOf(source) == railOf(destination) ? 1 : 3;
    }

    @Override
    public boolean hasRoute(int source, int destination) {
        return shape.spines() > 0 || railOf(source) == railOf(destination);
    }

    @Override
    public String noRoute(int source, int destination) {
        return "no route from host " + source + " (rail " + railOf(source) + ") to host " + destination + " (rail "
                + railOf(destination) + "): routing.cross_rail is false";
    }
}
