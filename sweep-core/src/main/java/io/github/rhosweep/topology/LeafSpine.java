package io.github.rhosweep.topology;

import io.github.rhosweep.scenario.TopologySpec;
import java.math.BigDecimal;

/** Leaves (their hosts on the first ports, then the spines in order), then spines (leaf l on port l). */
record LeafSpine(int hosts, TopologySpec.LeafSpine shape) implements Wiring {
    @Override
    public int switches() {
        return shape.leaves() + shape.spines();
    }

    @Override
    public BigDecimal trunkGbPerS(BigDecimal port) {
        return shape.spineGbPerS();
    }

    private int leafOf(int host) {
        return host / shape.hostsPerLeaf();
    }

    private int hostsOn(int leaf) {
        long before = (long) leaf * shape.hostsPerLeaf();
        return (int) Math.max(0, Math.min(shape.hostsPerLeaf(), hosts - before));
    }

    @Override
    public int[] neighbours(int node) {
        if (node < hosts) {
            return new int[] {hosts + leafOf(node)};
        }
        int leaf = node - hosts;
        if (leaf >= shape.leaves()) {
            int[] leaves = new int[shape.leaves()];
            Wiring.range(hosts, leaves.length, leaves);
            return leaves;
        }
        int down = hostsOn(leaf);
        int[] all = new int[down + shape.spines()];
        for (int i = 0; i < all.length; i++) {
            all[i] = i < down ? leaf * shape.hostsPerLeaf() + i : hosts + shape.leaves() + i - down;
        }
        return all;
    }

    @Override
    public int mostWays() {
        return shape.spines();
    }

    @Override
    public int ways(int node, int destination, int[] ports) {
        int leaf = node - hosts;
        int home = leafOf(destination);
        if (leaf >= shape.leaves()) {
            return Wiring.one(home, ports);
        }
        return leaf == home
                ? Wiring.one(destination - leaf * shape.hostsPerLeaf(), ports)
                : Wiring.range(hostsOn(leaf), shape.spines(), ports);
    }

    @Override
    public int switchHops(int source, int destination) {
        return leafOf(source) == leafOf(destination) ? 1 : 3;
    }
}
