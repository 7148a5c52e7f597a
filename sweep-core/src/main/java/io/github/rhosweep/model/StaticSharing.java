package io.github.rhosweep.model;

/**
 * Fair sharing of the busiest egress: T = alpha + M/beta_eff, beta_eff = beta / max(1, F/C). F is the number of flows expected to be
 * active, C how many the egress carries at their full speed (1 unless NICs are slower than the port).
 */
final class StaticSharing extends LatencyModel {
    StaticSharing() {
        super(new Card(
                "static",
                "T = alpha + M/beta_eff, beta_eff = beta/max(1, F/C), F = 1 + (N-1) rho/N open, N aligned or saturated",
                "N, rho, C, alpha, M, beta",
                "fair sharing; the design calls it LoGPC, whose contention term is another",
                "an approximation; always a value"));
    }

    /** F: a message and whoever of the other N - 1 sends to its egress meanwhile. */
    static double activeFlows(Point point) {
        double others = point.senders() - 1;
        if (point.rho() >= 1) { // false without a load
            return point.senders();
        }
        // One of N senders of an open system is busy rho/N of the time; of a volley, all that go to this egress are.
        double busy = point.aligned() ? point.share() : point.rho() / point.senders();
        return 1 + others * busy;
    }

    /** alpha + M F/(beta C), alpha the whole of T_ab but M/beta; in ns. */
    static double latencyNs(Point point, double flows) {
        double slower = Math.max(1, flows / point.egressCapacityInFlows());
        return point.zeroLoadNs(Target.MESSAGE) + point.bottleneckNs() * (slower - 1);
    }

    @Override
    Prediction latencyNs(Point point) {
        return Prediction.of(latencyNs(point, activeFlows(point)));
    }
}
