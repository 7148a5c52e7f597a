package io.github.rhosweep.model;

import io.github.rhosweep.scenario.SwitchSpec;
import java.util.List;

/**
 * A queue that holds K customers, the one in service included: K from what Dynamic Threshold lets the VOQs of the busiest egress hold
 * together. Those who find it full are lost; the others wait W. Has values beyond rho = 1 too.
 */
abstract class FiniteQueue extends QueueingModel {
    FiniteQueue(Card card) {
        super(card, List.of(Target.LOST_MESSAGES));
    }

    /** P_K, the fraction of customers lost; rho > 0, K >= 1. */
    abstract double blocking(double rho, long k);

    /** Mean wait of a customer let in, in service times. */
    abstract double meanWait(double rho, long k);

    @Override
    public final Prediction predict(Target target, Point point) {
        return target == Target.LOST_MESSAGES ? blocking(point) : super.predict(target, point);
    }

    private Prediction blocking(Point point) {
        SwitchSpec sw = point.switchSpec();
        return sw == null || Double.isNaN(point.rho())
                ? none(point)
                : Prediction.of(blocking(point.rho(), point.customersHeld(Target.MESSAGE, sw)));
    }

    @Override
    final Prediction wait(Target target, Point point) {
        SwitchSpec sw = point.switchSpec();
        return sw == null || Double.isNaN(point.rho())
                ? none(point)
                : Prediction.of(meanWait(point.rho(), point.customersHeld(target, sw)));
    }

    private static Prediction none(Point point) {
        return Prediction.none(point.switchSpec() == null ? "no switch, so no buffer" : Point.NO_LOAD);
    }
}
