package io.github.rhosweep.topology;

/** Two hosts and a link. */
record Direct() implements Wiring {
    @Override
    public int hosts() {
        return 2;
    }

    @Override
    public int switches() {
        return 0;
    }

    @Override
    public int[] neighbours(int node) {
        return new int[] {1 - node};
    }

    @Override
    public int ways(int node, int destination, int[] ports) {
        throw new IllegalArgumentException("direct has no switch " + node);
    }

    @Override
    public int switchHops(int source, int destination) {
        return 0;
    }

    @Override
    public boolean hasRoute(int source, int destination) {
        return source != destination;
    }

    @Override
    public String noRoute(int source, int destination) {
        return "direct joins hosts 0 and 1, not " + source + " and " + destination;
    }
}
