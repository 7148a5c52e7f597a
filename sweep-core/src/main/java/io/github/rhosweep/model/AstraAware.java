package io.github.rhosweep.model;

/**
 * ASTRA-sim's congestion-aware backend: a message is one chunk, stored and forwarded, and has each link for itself, first come first
 * served. T = alpha + sum of size/BW + W. That backend is itself a simulator; here is its mean where that is known: W of N aligned chunks
 * is (N-1)/2 of the last link's size/BW, of Poisson chunks M/D/1, of periodic ones N*D/D/1. (Chunks that meet wait as long in
 * all, at their own NIC and at the egress together, as they would at the egress alone, if NICs are no slower.)
 */
final class AstraAware extends LatencyModel {
    AstraAware() {
        super(new Card(
                "astra_aware",
                "T = alpha + sum over links of size/BW + wait of whole messages, first come first served",
                "N, rho, arrivals, alpha, wire bytes, bandwidths",
                "ASTRA-sim 2.0 (Won et al. 2023), analytical network, congestion aware",
                "what that backend gives for one egress, NICs no slower than its port, and aligned, Poisson or periodic messages; "
                        + "none elsewhere"));
    }

    @Override
    Prediction latencyNs(Point point) {
        if (point.senders() > 1 && !point.incast()) {
            return Prediction.none("only known for one egress: elsewhere the backend would have to be run");
        }
        double nic = point.wireNsAt(point.path().hops().get(0));
        double port = point.wireNsAt(point.path().last());
        if (nic > port && point.senders() > 1) {
            return Prediction.none("NICs slower than the port pace the messages: the backend would have to be run");
        }
        double alone = point.path().alphaPs() / 1e3 + (point.path().hops().size() == 1 ? port : nic + port);
        if (point.aligned()) {
            return point.rho() > 1 // false without a load
                    ? Prediction.none(Point.SATURATED)
                    : point.exactlyAligned()
                            ? Prediction.of(alone + (point.senders() - 1) / 2.0 * port)
                            : Prediction.none("jitter: the backend would have to be run");
        }
        // Its links have no slots: load there is wire time alone.
        double slowest = Math.max(nic, port);
        double rho = point.rho() * slowest / point.serviceNs(Target.MESSAGE);
        if (rho >= 1) {
            return Prediction.none(Point.SATURATED);
        }
        if (point.poisson()) {
            return Prediction.of(alone + Md1.meanWait(rho) * slowest);
        }
        return point.periodic()
                ? Prediction.of(alone + Nddd1.meanWait(point.senders(), point.senders() / rho) * slowest)
                : Prediction.none("only known for aligned, Poisson or periodic messages");
    }
}
