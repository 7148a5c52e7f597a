package io.github.rhosweep.model;

import io.github.rhosweep.topology.Graph;
import io.github.rhosweep.topology.LinkLoads;
import java.util.function.IntToDoubleFunction;

/**
 * Topology and traffic matrix to link utilisations, utilisations to waits, waits to latency. A link waits as M/D/1 at its utilisation, less
 * what each stream waited for itself before: a stream that comes from one link no faster than this one meets only the others.
 *
 * <p>W_l = W(rho_l) - sum over u of (rho_ul/rho_l) min(1, S_u/S_l) W(rho_ul), W of M/D/1, rho_ul the load that comes from link u. N access
 * links to one egress give W(rho) - W(rho/N) and a tandem gives 0: both exact for Poisson messages of one frame.
 */
final class Alma extends NetworkModel {
    Alma() {
        super(
                new Card(
                        "alma",
                        "T = T_ab + sum over links of S_l [W(rho_l) - sum_u (rho_ul/rho_l) min(1, S_u/S_l) W(rho_ul)], W of M/D/1",
                        "traffic matrix, ways (evenly split), b, tau, T_ab",
                        "the design's path of topology and load to estimate; the correction for streams already serialised is this project's",
                        "exact for Poisson messages of one frame through one stage of equal links; else an approximation; none without a load, "
                                + "from a link's load of 1, where ways are chosen by hash or by queue, under PFC or credits, and for very large switches"));
    }

    @Override
    Prediction waitNs(Target target, Point point, Network network) {
        if (!network.loads().hasTransitions()) {
            return Prediction.none("the switches are too large for a matrix of their streams");
        }
        double[] waits = new double[network.links()];
        for (int link = 0; link < waits.length; link++) {
            waits[link] = wait(network.loads(), link, network.rho(link), l -> network.serviceNs(Target.FRAME, l));
        }
        return sum(target, point, network, waits);
    }

    /**
     * W_l, in service times.
     *
     * @param loads how the traffic at a link splits by the links it comes from
     * @param rho load of the link, 0 <= rho < 1
     * @param serviceNs a frame's service time at a link
     */
    static double wait(LinkLoads loads, int link, double rho, IntToDoubleFunction serviceNs) {
        if (rho == 0) {
            return 0;
        }
        Graph graph = loads.graph();
        double wait = Md1.meanWait(rho);
        int node = graph.from(link);
        double service = serviceNs.applyAsDouble(link);
        for (int port = 0; node >= graph.hosts() && port < graph.ports(node); port++) {
            int in = graph.back(graph.linkOf(node, port));
            double part = part(loads, in, link);
            double serialised = Math.min(1, serviceNs.applyAsDouble(in) / service);
            wait -= part * serialised * Md1.meanWait(rho * part);
        }
        return Math.max(0, wait);
    }

    /** rho_ul/rho_l: the share of a link's traffic that comes from another link. */
    static double part(LinkLoads loads, int in, int link) {
        return loads.transition(in, link) / loads.perLink(link);
    }
}
