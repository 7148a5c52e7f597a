package io.github.rhosweep.model;

/**
 * ASTRA-sim's congestion-unaware backend: hops x latency + size/BW. Its latency of a hop has no switch delay of its own, so alpha
 * (propagation and forwarding) stands for hops x latency; BW is the slowest serialiser's.
 */
final class AstraUnaware extends LatencyModel {
    AstraUnaware() {
        super(new Card(
                "astra_unaware",
                "T = hops x latency + size/BW",
                "alpha, wire bytes, bandwidth",
                "ASTRA-sim 2.0 (Won et al. 2023), analytical network, congestion unaware",
                "exact for a message whose frames overlap on all links; blind to load; always a value"));
    }

    @Override
    Prediction latencyNs(Point point) {
        return Prediction.of(point.path().alphaPs() / 1e3 + point.wireNsAtSlowest());
    }
}
