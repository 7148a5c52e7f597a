package io.github.rhosweep.model;

import java.util.List;

/** A model that is the same at every point: it holds its card and its targets. */
abstract class ListedModel implements AnalyticModel {
    private final Card card;
    private final List<Target> targets;

    ListedModel(Card card, List<Target> targets) {
        this.card = card;
        this.targets = List.copyOf(targets);
    }

    @Override
    public final Card card() {
        return card;
    }

    @Override
    public final List<Target> targets() {
        return targets;
    }
}
