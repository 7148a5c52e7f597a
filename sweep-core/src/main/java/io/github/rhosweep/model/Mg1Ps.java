package io.github.rhosweep.model;

/**
 * M/G/1 with processor sharing: T = alpha + (M/beta)/(1-rho), which is what round robin over many senders does to messages of many
 * frames. alpha is T_ab without M/beta; only what is shared is slowed.
 */
final class Mg1Ps extends LatencyModel {
    Mg1Ps() {
        super(
                new Card(
                        "mg1_ps",
                        "T = alpha + (M/beta)/(1-rho)",
                        "rho, alpha, M, beta",
                        "Kleinrock 1976, Queueing Systems II, section 4.4",
                        "the limit of many senders and frames under Poisson arrivals; elsewhere an approximation; none from rho = 1"));
    }

    @Override
    Prediction latencyNs(Point point) {
        String reason = point.noSteadyState();
        return reason != null
                ? Prediction.none(reason)
                : Prediction.of(point.zeroLoadNs(Target.MESSAGE) + point.egressNs() * point.rho() / (1 - point.rho()));
    }
}
