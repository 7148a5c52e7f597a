package io.github.rhosweep.topology;

/** Every host on one switch, host i on port i. */
record SingleSwitch(int hosts) implements Wiring {
    @Override
    public int switches() {
        return 1;
    }

    @Override
    public int[] neighbours(int node) {
        if (node < hosts) {
            return new int[] {hosts};
        }
        int[] all = new int[hosts];
        Wiring.range(0, hosts, all);
        return all;
    }

    @Override
    public int neighbour(int node, int port) {
        return node < hosts ? hosts : port;
    }

    @Override
    public int ways(int node, int destination, int[] ports) {
        return Wiring.one(destination, ports);
    }

    @Override
    public int switchHops(int source, int destination) {
        return 1;
    }
}
