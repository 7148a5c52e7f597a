package io.github.rhosweep.model;

/**
 * M/M/1: W = rho/(1-rho); P(W > t) = rho exp(-(1-rho) t), t in service times.
 *
 * <p>Exact for Poisson arrivals and exponential service, which no fabric has: frames of one size wait half as long (M/D/1).
 */
final class Mm1 extends QueueingModel {
    Mm1() {
        super(
                new Card(
                        "mm1",
                        "W = rho/(1-rho)",
                        "rho, b, tau",
                        "Kleinrock 1975, Queueing Systems I, section 3.2",
                        "an approximation: service times here are constant; none from rho = 1"),
                quantiles());
    }

    /** Mean wait, in service times; 0 <= rho < 1. */
    static double meanWait(double rho) {
        return rho / (1 - rho);
    }

    /** The q-quantile of the wait, in service times; 0 <= q < 1. */
    static double waitQuantile(double rho, double q) {
        return q <= 1 - rho ? 0 : StrictMath.log(rho / (1 - q)) / (1 - rho);
    }

    @Override
    Prediction wait(Target target, Point point) {
        String reason = point.noSteadyState();
        if (reason != null) {
            return Prediction.none(reason);
        }
        double q = target.quantile();
        return Prediction.of(Double.isNaN(q) ? meanWait(point.rho()) : waitQuantile(point.rho(), q));
    }
}
