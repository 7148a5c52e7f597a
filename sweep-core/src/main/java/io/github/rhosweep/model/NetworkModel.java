package io.github.rhosweep.model;

import io.github.rhosweep.topology.LinkLoads;
import java.util.List;

/**
 * A model of queues in series: the mean T_ab of all pairs, and the wait at every serialiser, as often as a message visits it. The NIC is
 * one of them for messages; a frame's latency begins after it.
 */
abstract class NetworkModel extends ListedModel {
    static final int MOST_FLOWS = 4096;

    NetworkModel(Card card) {
        super(card, List.of(Target.MESSAGE, Target.FRAME));
    }

    @Override
    public final Prediction predict(Target target, Point point) {
        String unsteady = point.noSteadyState();
        String unknown = unsteady == null ? point.noLinkLoads() : unsteady;
        if (unknown != null) {
            return Prediction.none(unknown);
        }
        Network network = point.network();
        if (network.highestLoad() >= 1) {
            return Prediction.none("a link has a load of 1 or more: no steady state");
        }
        return waitNs(target, point, network);
    }

    /** Mean latency, in ns; every load is below 1. */
    abstract Prediction waitNs(Target target, Point point, Network network);

    /** T_ab + sum over links of visits x wait x service; {@code waits} in service times of the target's customers. */
    static Prediction sum(Target target, Point point, Network network, double[] waits) {
        LinkLoads loads = network.loads();
        double total = 0;
        for (int link = 0; link < waits.length; link++) {
            if (!target.ofFrames() || loads.graph().from(link) >= loads.graph().hosts()) {
                total += network.visits(link) * waits[link] * network.serviceNs(target, link);
            }
        }
        return Prediction.of(point.zeroLoadNs(target) + total);
    }
}
