package io.github.rhosweep.model;

/** Two-moment approximations of GI/G/1: arrivals enter by c_a^2 alone. */
abstract class GeneralArrivals extends QueueingModel {
    GeneralArrivals(Card card) {
        super(card);
    }

    /** Mean wait, in service times; 0 < rho < 1. */
    abstract double meanWait(double rho, double arrivalScv, double serviceScv);

    @Override
    final Prediction wait(Target target, Point point) {
        String reason = point.noSteadyState();
        if (reason != null) {
            return Prediction.none(reason);
        }
        double arrivalScv = point.arrivalScv(target);
        return Double.isNaN(arrivalScv)
                ? Prediction.none("c_a^2 of these arrivals is not known before the run")
                : Prediction.of(meanWait(point.rho(), arrivalScv, point.serviceScv(target)));
    }
}
