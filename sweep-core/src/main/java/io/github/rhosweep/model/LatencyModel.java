package io.github.rhosweep.model;

import java.util.List;

/** A model of mean message latency as a whole. */
abstract class LatencyModel implements AnalyticModel {
    private final Card card;

    LatencyModel(Card card) {
        this.card = card;
    }

    @Override
    public final Card card() {
        return card;
    }

    @Override
    public final List<Target> targets() {
        return List.of(Target.MESSAGE);
    }

    @Override
    public final Prediction predict(Target target, Point point) {
        return latencyNs(point);
    }

    /** Mean message latency, in ns. */
    abstract Prediction latencyNs(Point point);
}
