package io.github.rhosweep.scenario;

import io.github.rhosweep.math.RandomStream;
import java.util.random.RandomGenerator;

/**
 * A traffic matrix drawn from a seed: each host sends to so many others, drawn without replacement, with weights that are exponential and
 * sum to 1. All hosts offer equally much; what each receives differs, and {@code traffic.load} is that of the one that receives most.
 * Balanced, hosts also receive equally much: they stand in a circle, in an order drawn, and each sends to those at the same distances
 * with the same weights, so that the matrix is a weighted sum of permutations.
 */
public final class RandomMatrix implements Pattern {
    private final int[][] destinations;
    /** Sums of the weights so far; the last is 1. */
    private final double[][] cumulative;

    private final double[] received;
    private final int[] senders;
    private final int busiest;
    private final int active;

    /**
     * Draws a matrix.
     *
     * @param flows hosts, at least 2
     * @param fanOut hosts that each sends to, 1 .. flows - 1
     * @param seed of the draw; equal seeds give equal matrices
     * @param balanced whether all receive equally much
     */
    RandomMatrix(int flows, int fanOut, long seed, boolean balanced) {
        this.destinations = new int[flows][fanOut];
        this.cumulative = new double[flows][fanOut];
        this.received = new double[flows];
        this.senders = new int[flows];
        int[] circle = balanced ? circle(flows, seed) : new int[0];
        int[] others = new int[flows - 1];
        for (int source = 0; source < flows; source++) {
            // Of a balanced matrix all draw the same: distances and weights.
            RandomStream random = RandomStream.named(seed, "matrix", balanced ? 0 : source);
            for (int i = 0; i < others.length; i++) {
                others[i] = balanced || i >= source ? i + 1 : i;
            }
            double sum = 0;
            for (int i = 0; i < fanOut; i++) {
                int drawn = i + random.nextInt(others.length - i);
                destinations[source][i] = others[drawn];
                others[drawn] = others[i];
                sum += random.nextExponential();
                cumulative[source][i] = sum;
            }
            for (int i = 0; i < fanOut; i++) {
                cumulative[source][i] = i == fanOut - 1 ? 1 : cumulative[source][i] / sum;
            }
        }
        if (balanced) {
            int[][] distances = destinations.clone();
            for (int place = 0; place < flows; place++) {
                int[] of = new int[fanOut];
                for (int i = 0; i < fanOut; i++) {
                    of[i] = circle[(place + distances[0][i]) % flows];
                }
                destinations[circle[place]] = of;
            }
        }
        for (int source = 0; source < flows; source++) {
            for (int i = 0; i < fanOut; i++) {
                received[destinations[source][i]] += weight(source, i);
                senders[destinations[source][i]]++;
            }
        }
        int most = 0;
        int any = 0;
        for (int host = 0; host < flows; host++) {
            most = received[host] > received[most] ? host : most;
            any += senders[host] > 0 ? 1 : 0;
        }
        this.busiest = most;
        this.active = any;
    }

    private static int[] circle(int flows, long seed) {
        RandomStream random = RandomStream.named(seed, "matrix circle", 0);
        int[] circle = new int[flows];
        for (int i = 0; i < flows; i++) {
            int before = random.nextInt(i + 1);
            circle[i] = circle[before];
            circle[before] = i;
        }
        return circle;
    }

    private double weight(int source, int i) {
        return cumulative[source][i] - (i == 0 ? 0 : cumulative[source][i - 1]);
    }

    @Override
    public int destination(int source, int flows, RandomGenerator random) {
        double u = random.nextDouble();
        int i = 0;
        while (cumulative[source][i] <= u) { // ends: the last is 1
            i++;
        }
        return destinations[source][i];
    }

    @Override
    public double share(int source, int destination, int flows) {
        for (int i = 0; i < destinations[source].length; i++) {
            if (destinations[source][i] == destination) {
                return weight(source, i);
            }
        }
        return 0;
    }

    @Override
    public double egressShare(int destination, int flows) {
        return destination < received.length ? received[destination] : 0;
    }

    @Override
    public double busiestEgressShare(int flows) {
        return received[busiest];
    }

    @Override
    public int busiestEgress(int flows) {
        return busiest;
    }

    @Override
    public int contenders(int flows) {
        return senders[busiest];
    }

    @Override
    public int activeEgresses(int flows) {
        return active;
    }
}
