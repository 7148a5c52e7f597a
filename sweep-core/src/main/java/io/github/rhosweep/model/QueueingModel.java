package io.github.rhosweep.model;

import java.util.List;
import java.util.stream.Stream;

/**
 * A model of a queue at the busiest egress: T = T_ab + W x service, at two granularities, customers being messages (service b tau) or
 * frames (service tau).
 */
abstract class QueueingModel extends ListedModel {
    private static final List<Target> MEANS = List.of(Target.MESSAGE, Target.FRAME);

    /** A model of means. */
    QueueingModel(Card card) {
        this(card, List.of());
    }

    /** A model of means and of {@code more}. */
    QueueingModel(Card card, List<Target> more) {
        super(card, Stream.concat(MEANS.stream(), more.stream()).toList());
    }

    /** Quantiles of latency, for models that know the distribution of the wait. */
    static List<Target> quantiles() {
        return List.of(
                Target.MESSAGE_P50,
                Target.MESSAGE_P90,
                Target.MESSAGE_P99,
                Target.MESSAGE_P999,
                Target.FRAME_P50,
                Target.FRAME_P90,
                Target.FRAME_P99,
                Target.FRAME_P999);
    }

    @Override
    public Prediction predict(Target target, Point point) {
        Prediction wait = wait(target, point);
        return wait.exists() ? Prediction.of(point.zeroLoadNs(target) + wait.value() * point.serviceNs(target)) : wait;
    }

    /** W of the target's customers, mean or quantile, in service times. */
    abstract Prediction wait(Target target, Point point);
}
