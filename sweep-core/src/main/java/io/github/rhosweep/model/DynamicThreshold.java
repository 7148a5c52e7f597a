package io.github.rhosweep.model;

import io.github.rhosweep.scenario.SwitchSpec;
import java.util.List;

/**
 * Dynamic Threshold in steady state: each of Q saturated VOQs settles at alpha B/(1 + alpha Q), where queue = alpha (B - Q queue). Other
 * admission rules have their own fixed points: alpha B/(Q(1+alpha)) with the number of active queues in the rule, (R + alpha B)/(1 + alpha
 * Q) with a reservation R, the limit itself if static.
 */
final class DynamicThreshold implements AnalyticModel {
    private static final Card CARD = new Card(
            "dt_steady",
            "q = alpha B/(1 + alpha Q)",
            "alpha, B, admission, Q = VOQs that carry traffic",
            "Choudhury and Hahne 1998, IEEE/ACM Trans. Networking 6, 130-140",
            "the level at which VOQs that fill side by side stop, within a frame; one that is early holds more for a while; "
                    + "none without a switch");

    @Override
    public Card card() {
        return CARD;
    }

    @Override
    public List<Target> targets() {
        return List.of(Target.QUEUE_LIMIT, Target.BUFFER_LIMIT);
    }

    /**
     * Bytes that each of {@code queues} saturated VOQs holds.
     *
     * @param queues Q, at least 1
     */
    static double queueLimitBytes(SwitchSpec sw, double queues) {
        double capacity = sw.bufferCapacityBytes();
        double alpha = sw.alpha();
        return switch (sw.admission()) {
            case SIMPLIFIED -> alpha * capacity / (1 + alpha * queues);
            case ACTIVE_QUEUES -> alpha * capacity / (queues * (1 + alpha));
            // Beyond the pool only the reservations are left.
            case RESERVED ->
                queues * sw.reservedBytes() >= capacity
                        ? sw.reservedBytes()
                        : (sw.reservedBytes() + alpha * capacity) / (1 + alpha * queues);
            case STATIC -> Math.min((double) sw.staticLimitBytes(), capacity / queues);
        };
    }

    @Override
    public Prediction predict(Target target, Point point) {
        SwitchSpec sw = point.switchSpec();
        if (sw == null) {
            return Prediction.none("no switch, so no buffer");
        }
        double queues = point.activeVoqs();
        double bytes = queueLimitBytes(sw, queues);
        return Prediction.of(target == Target.QUEUE_LIMIT ? bytes : bytes * queues);
    }
}
