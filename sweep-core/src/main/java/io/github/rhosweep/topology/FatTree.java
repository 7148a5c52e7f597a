package io.github.rhosweep.topology;

/**
 * Al-Fares, Loukissas, Vahdat 2008: k pods of k/2 edge and k/2 aggregation switches; (k/2)^2 cores, core c on aggregation switch c / (k/2)
 * of every pod. Switches: edges by pod, aggregation by pod, cores. Ports: an edge's hosts, then its pod's aggregation switches; an
 * aggregation switch's edges, then its cores; of a core, pod p on port p.
 */
record FatTree(int hosts, int k) implements Wiring {
    private int half() {
        return k / 2;
    }

    /** Edge switches, and as many aggregation switches. */
    private int edges() {
        return k * half();
    }

    private int edgeOf(int host) {
        return host / half();
    }

    private int hostsOn(int edge) {
        return Math.max(0, Math.min(half(), hosts - edge * half()));
    }

    @Override
    public int switches() {
        return 2 * edges() + half() * half();
    }

    @Override
    public int[] neighbours(int node) {
        if (node < hosts) {
            return new int[] {hosts + edgeOf(node)};
        }
        int half = half();
        int sw = node - hosts;
        if (sw < edges()) {
            int down = hostsOn(sw);
            int[] all = new int[down + half];
            for (int i = 0; i < all.length; i++) {
                all[i] = i < down ? sw * half + i : hosts + edges() + sw / half * half + i - down;
            }
            return all;
        }
        int[] all = new int[k];
        if (sw < 2 * edges()) {
            int agg = sw - edges();
            for (int i = 0; i < half; i++) {
                all[i] = hosts + agg / half * half + i;
                all[half + i] = hosts + 2 * edges() + agg % half * half + i;
            }
        } else {
            int core = sw - 2 * edges();
            for (int pod = 0; pod < k; pod++) {
                all[pod] = hosts + edges() + pod * half + core / half;
            }
        }
        return all;
    }

    @Override
    public int mostWays() {
        return half();
    }

    @Override
    public int ways(int node, int destination, int[] ports) {
        int half = half();
        int sw = node - hosts;
        int home = edgeOf(destination);
        if (sw < edges()) {
            return sw == home ? Wiring.one(destination - home * half, ports) : Wiring.range(hostsOn(sw), half, ports);
        }
        if (sw < 2 * edges()) {
            boolean samePod = (sw - edges()) / half == home / half;
            return samePod ? Wiring.one(home % half, ports) : Wiring.range(half, half, ports);
        }
        return Wiring.one(home / half, ports);
    }

    @Override
    public int switchHops(int source, int destination) {
        int from = edgeOf(source);
        int to = edgeOf(destination);
        return from == to ? 1 : from / half() == to / half() ? 3 : 5;
    }
}
