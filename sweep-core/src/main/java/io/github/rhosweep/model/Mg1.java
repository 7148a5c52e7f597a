package io.github.rhosweep.model;

/** M/G/1: W = rho(1+c_s^2)/(2(1-rho)); c_s^2 from the sizes of the scenario, so that it is M/D/1 where all are equal. */
final class Mg1 extends QueueingModel {
    Mg1() {
        super(new Card(
                "mg1",
                "W = rho(1+c_s^2)/(2(1-rho))",
                "rho, c_s^2, b, tau",
                "Pollaczek 1930, Khinchine 1932",
                "exact for Poisson arrivals; elsewhere an approximation; none from rho = 1"));
    }

    /** Mean wait, in mean service times; 0 <= rho < 1. */
    static double meanWait(double rho, double serviceScv) {
        return rho * (1 + serviceScv) / (2 * (1 - rho));
    }

    @Override
    Prediction wait(Target target, Point point) {
        String reason = point.noSteadyState();
        return reason != null
                ? Prediction.none(reason)
                : Prediction.of(meanWait(point.rho(), point.serviceScv(target)));
    }
}
