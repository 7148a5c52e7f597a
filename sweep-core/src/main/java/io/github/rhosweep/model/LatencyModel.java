package io.github.rhosweep.model;

import java.util.List;

/** A model of mean message latency as a whole. */
abstract class LatencyModel extends ListedModel {
    LatencyModel(Card card) {
        super(card, List.of(Target.MESSAGE));
    }

    @Override
    public final Prediction predict(Target target, Point point) {
        return latencyNs(point);
    }

    /** Mean message latency, in ns. */
    abstract Prediction latencyNs(Point point);
}
