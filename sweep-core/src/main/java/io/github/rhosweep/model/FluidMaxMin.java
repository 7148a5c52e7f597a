package io.github.rhosweep.model;

import io.github.rhosweep.scenario.Pattern;
import io.github.rhosweep.topology.Graph;
import io.github.rhosweep.topology.LinkLoads;
import io.github.rhosweep.topology.Path;
import io.github.rhosweep.topology.Topology;
import java.util.Arrays;
import java.util.List;

/**
 * Aligned messages as fluid: max-min fair rates over all links, anew whenever one is done. T = T_ab - S + fluid time, S the message's
 * service at its path's bottleneck.
 */
final class FluidMaxMin implements AnalyticModel {
    private static final Card CARD = new Card(
            "fluid_maxmin",
            "T = T_ab - S + time at max-min fair rates",
            "pairs, ways (evenly split), bandwidths, slots, b, T_ab",
            "Bertsekas and Gallager, Data Networks, section 6.5.2",
            "within a round of frames for aligned messages of known pairs that fit the buffers; none for other arrivals and random destinations, where "
                    + "ways are chosen by hash or by queue, and under PFC or credits");

    @Override
    public Card card() {
        return CARD;
    }

    @Override
    public List<Target> targets() {
        return List.of(Target.MESSAGE, Target.MESSAGE_MAX);
    }

    @Override
    public Prediction predict(Target target, Point point) {
        Pattern pattern = point.traffic().pattern();
        boolean known = pattern instanceof Pattern.Incast || pattern instanceof Pattern.Permutation;
        if (!point.exactlyAligned() || !known) {
            return Prediction.none("only for aligned messages, without jitter, of pairs that are known");
        }
        if (point.rho() > 1) { // false without a load
            return Prediction.none("a volley begins before the one before it is over");
        }
        String unknown = point.noLinkLoads();
        if (unknown != null) {
            return Prediction.none(unknown);
        }
        int flows = point.traffic().flows();
        double[] fluid = fluidNs(point, pattern, flows);
        double sum = 0;
        double most = 0;
        for (int f = 0; f < flows; f++) {
            Path path = point.topology().path(f, destination(pattern, f, flows));
            double service =
                    (double) point.frames() * path.bottleneck(wire(point)).servicePs(wire(point)) / 1e3;
            double latency = path.zeroLoadPs(point.traffic()) / 1e3 - service + fluid[f];
            sum += latency;
            most = Math.max(most, latency);
        }
        return Prediction.of(target == Target.MESSAGE ? sum / flows : most);
    }

    private static int wire(Point point) {
        return point.traffic().fullFrameWireBytes();
    }

    private static int destination(Pattern pattern, int source, int flows) {
        return pattern instanceof Pattern.Incast ? flows : (source + 1) % flows;
    }

    private static double[] fluidNs(Point point, Pattern pattern, int flows) {
        Topology topology = point.topology();
        Graph graph = topology.graph();
        double[] capacity = new double[graph.links()]; // frames per ns
        for (int link = 0; link < capacity.length; link++) {
            double service = point.network().serviceNs(Target.FRAME, link);
            capacity[link] = service == 0 ? 1e30 : 1 / service;
        }
        int[][] links = new int[flows][];
        double[][] fractions = new double[flows][];
        LinkLoads spread = LinkLoads.none(topology);
        for (int f = 0; f < flows; f++) {
            spread.clear();
            spread.add(f, destination(pattern, f, flows), 1);
            links[f] = spread.touched();
            fractions[f] = Arrays.stream(links[f]).mapToDouble(spread::perLink).toArray();
        }
        double[] work = new double[flows];
        Arrays.fill(work, (double) point.frames());
        return MaxMinFair.completions(capacity, links, fractions, work);
    }
}
