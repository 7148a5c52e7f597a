package io.github.rhosweep.model;

import io.github.rhosweep.topology.Graph;

/**
 * Whitt 1983, The Queueing Network Analyzer (Bell System Technical Journal 62, 2779-2815): every link a GI/G/1 queue known by two moments.
 * Departures c_d^2 = rho^2 c_s^2 + (1-rho^2) c_a^2; a part p of a stream has p c_d^2 + 1 - p; streams merge to w sum_u (part u) c_u^2 + 1 -
 * w, w = 1/(1 + 4 (1-rho)^2 (v-1)), v = 1/sum_u part_u^2. The wait is {@link Klb}'s.
 */
final class Qna extends NetworkModel {
    private static final int MOST_ROUNDS = 200;
    private static final double SETTLED = 1e-12;
    private static final Klb KLB = new Klb();

    Qna() {
        super(
                new Card(
                        "qna",
                        "T = T_ab + sum over hops of S_l W_klb(rho_l, c_a,l^2, c_s^2); c_d^2 = rho^2 c_s^2 + (1-rho^2) c_a^2",
                        "load of every link, streams between links, c_a^2 of sources, c_s^2, b, tau, T_ab",
                        "Whitt 1983, Bell System Technical Journal 62, 2779-2815",
                        "an approximation, at its worst for a tandem of equal servers, whose second wait is 0; none without a load, where c_a^2 is "
                                + "unknown, from a link's load of 1, where ways are chosen by hash or by queue, under PFC or credits, and for very large switches"));
    }

    /** Variability of what merges: parts sum to 1. */
    static double merged(double rho, double sumOfSquares, double weightedScv) {
        double idle = 1 - rho;
        double w = 1 / (1 + 4 * idle * idle * (1 / sumOfSquares - 1));
        return w * weightedScv + 1 - w;
    }

    static double departure(double rho, double arrivalScv, double serviceScv) {
        return rho * rho * serviceScv + (1 - rho * rho) * arrivalScv;
    }

    @Override
    Prediction waitNs(Target target, Point point, Network network) {
        double source = point.sourceDispersion(target);
        if (Double.isNaN(source)) {
            return Prediction.none("c_a^2 of these arrivals is not known before the run");
        }
        if (!network.loads().hasTransitions()) {
            return Prediction.none("the switches are too large for a matrix of their streams");
        }
        double serviceScv = point.serviceScv(target);
        double[] arrivalScv = arrivalScv(network, source, serviceScv);
        double[] waits = new double[network.links()];
        for (int link = 0; link < waits.length; link++) {
            double rho = network.rho(link);
            waits[link] = rho == 0 ? 0 : KLB.meanWait(rho, arrivalScv[link], serviceScv);
        }
        return sum(target, point, network, waits);
    }

    /** c_a^2 at every link: round by round until nothing changes, since links may feed each other in a circle. */
    static double[] arrivalScv(Network network, double sourceScv, double serviceScv) {
        Graph graph = network.loads().graph();
        double[] scv = new double[network.links()];
        java.util.Arrays.fill(scv, sourceScv);
        double change = 1;
        for (int round = 0; round < MOST_ROUNDS && change > SETTLED; round++) {
            change = 0;
            for (int link = 0; link < scv.length; link++) {
                int node = graph.from(link);
                if (node < graph.hosts() || network.rho(link) == 0) {
                    continue;
                }
                double weighted = 0;
                double squares = 0;
                for (int port = 0; port < graph.ports(node); port++) {
                    int in = graph.back(graph.linkOf(node, port));
                    double amount = network.loads().transition(in, link);
                    if (amount > 0) {
                        double part = amount / network.loads().perLink(link);
                        double split = amount / network.loads().perLink(in);
                        double leaves = departure(network.rho(in), scv[in], serviceScv);
                        weighted += part * (split * leaves + 1 - split);
                        squares += part * part;
                    }
                }
                double merged = merged(network.rho(link), squares, weighted);
                change = Math.max(change, Math.abs(merged - scv[link]));
                scv[link] = merged;
            }
        }
        return scv;
    }
}
