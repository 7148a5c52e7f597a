package io.github.rhosweep.topology;

import io.github.rhosweep.scenario.TopologySpec;

/**
 * Kim, Dally, Scott, Abts 2008: groups of a routers joined all to all; one global link between each two of the a h + 1 groups. Group g's
 * global link m (router m / h, its global port m mod h) goes to group m, or m + 1 from m = g on. Routers are numbered by
 * group; ports: p hosts, the other routers of the group in order, h global links. Minimal routing: at most one local hop, a
 * global one, a local one. It needs two virtual channels to be free of deadlock; with backpressure and one, it is not.
 */
record Dragonfly(int hosts, TopologySpec.Dragonfly shape) implements Wiring {
    private int a() {
        return shape.routersPerGroup();
    }

    private int routerOf(int host) {
        return host / shape.hostsPerRouter();
    }

    private int hostsOn(int router) {
        long before = (long) router * shape.hostsPerRouter();
        return (int) Math.max(0, Math.min(shape.hostsPerRouter(), hosts - before));
    }

    /** The router of group {@code from} whose global link goes to group {@code to}. */
    private int gateway(int from, int to) {
        return from * a() + linkTo(from, to) / shape.globalLinksPerRouter();
    }

    /** The global link of group {@code from} to group {@code to}. */
    private static int linkTo(int from, int to) {
        return to < from ? to : to - 1;
    }

    @Override
    public int switches() {
        return a() * shape.groups();
    }

    @Override
    public int[] neighbours(int node) {
        if (node < hosts) {
            return new int[] {hosts + routerOf(node)};
        }
        int router = node - hosts;
        int group = router / a();
        int h = shape.globalLinksPerRouter();
        int down = hostsOn(router);
        int[] all = new int[down + a() - 1 + h];
        int port = 0;
        for (int i = 0; i < down; i++) {
            all[port++] = router * shape.hostsPerRouter() + i;
        }
        for (int r = group * a(); r < (group + 1) * a(); r++) {
            if (r != router) {
                all[port++] = hosts + r;
            }
        }
        for (int i = 0; i < h; i++) {
            int m = router % a() * h + i;
            int to = m < group ? m : m + 1;
            all[port++] = hosts + gateway(to, group);
        }
        return all;
    }

    @Override
    public int ways(int node, int destination, int[] ports) {
        int router = node - hosts;
        int home = routerOf(destination);
        if (router == home) {
            return Wiring.one(destination - home * shape.hostsPerRouter(), ports);
        }
        int group = router / a();
        int homeGroup = home / a();
        int next = group == homeGroup ? home : gateway(group, homeGroup);
        if (next != router) {
            int local = next % a();
            return Wiring.one(hostsOn(router) + (local < router % a() ? local : local - 1), ports);
        }
        return Wiring.one(hostsOn(router) + a() - 1 + linkTo(group, homeGroup) % shape.globalLinksPerRouter(), ports);
    }

    @Override
    public int switchHops(int source, int destination) {
        int from = routerOf(source);
        int to = routerOf(destination);
        if (from == to) {
            return 1;
        }
        int fromGroup = from / a();
        int toGroup = to / a();
        if (fromGroup == toGroup) {
            return 2;
        }
        return 2 + (gateway(fromGroup, toGroup) == from ? 0 : 1) + (gateway(toGroup, fromGroup) == to ? 0 : 1);
    }
}
