package io.github.rhosweep.model;

/** T = T_ab max(1, N): bandwidth, and latency with it, divided by the number of flows. */
final class FlowsDivisor extends LatencyModel {
    FlowsDivisor() {
        super(new Card(
                "flows_divisor",
                "T = T_ab max(1, N)",
                "N, T_ab",
                "the design's reading of ASTRA-sim's analytical backend (astra_unaware and astra_aware are what it does)",
                "a rule of thumb; always a value"));
    }

    @Override
    Prediction latencyNs(Point point) {
        return Prediction.of(point.zeroLoadNs(Target.MESSAGE) * Math.max(1, point.senders()));
    }
}
