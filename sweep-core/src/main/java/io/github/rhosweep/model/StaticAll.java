package io.github.rhosweep.model;

/** {@link StaticSharing} with every sender active: F = N. */
final class StaticAll extends LatencyModel {
    StaticAll() {
        super(new Card(
                "static_all",
                "T = alpha + M/beta_eff, beta_eff = beta/max(1, N/C)",
                "N, C, alpha, M, beta",
                "fair sharing",
                "meant for backlogged or aligned senders; far too high under open arrivals; always a value"));
    }

    @Override
    Prediction latencyNs(Point point) {
        return Prediction.of(StaticSharing.latencyNs(point, point.senders()));
    }
}
