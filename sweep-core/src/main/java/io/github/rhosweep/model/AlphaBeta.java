package io.github.rhosweep.model;

import java.util.List;

/**
 * Hockney: T_ab = alpha + M/beta, with the first frame's serialisation before the bottleneck and the last frame's after it
 * ({@link io.github.rhosweep.topology.Path#zeroLoadPs(long, long, long)}).
 */
final class AlphaBeta implements AnalyticModel {
    private static final Card CARD = new Card(
            "alpha_beta",
            "T_ab = alpha + M/beta + first frame's serialisation before the bottleneck + last frame's after it",
            "latencies, bandwidths, slot, wire bytes of each frame",
            "Hockney 1994, Parallel Computing 20, 389-398",
            "exact for a lone message, to the ps; else a lower bound; always a value");

    @Override
    public Card card() {
        return CARD;
    }

    @Override
    public List<Target> targets() {
        return List.of(Target.MESSAGE, Target.FRAME);
    }

    @Override
    public Prediction predict(Target target, Point point) {
        return Prediction.of(point.zeroLoadNs(target));
    }
}
