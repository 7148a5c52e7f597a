package io.github.rhosweep.model;

/**
 * M/D/1: W = rho/(2(1-rho)), and quantiles of the wait ({@link Md1Distribution}).
 *
 * <p>Exact for Poisson frames from links without limit. Given for every open load below 1 all the same, whatever the arrivals and
 * frames per message: it is what the design recommends, and the comparison of models is about how far off it is.
 * The quantiles are those of first come, first served: round robin across senders has the same mean and a longer tail.
 */
final class Md1 extends QueueingModel {
    Md1() {
        super(
                new Card(
                        "md1",
                        "W = rho/(2(1-rho))",
                        "rho, b, tau",
                        "Pollaczek-Khinchine with Var S = 0; quantiles: Crommelin 1932, Franx 2001",
                        "mean exact for Poisson messages of one frame to one host over unlimited links, quantiles if from "
                                + "one sender; elsewhere an approximation; none from rho = 1"),
                quantiles());
    }

    /** Mean wait, in service times; 0 <= rho < 1. */
    static double meanWait(double rho) {
        return rho / (2 * (1 - rho));
    }

    @Override
    Prediction wait(Target target, Point point) {
        String reason = point.noSteadyState();
        if (reason != null) {
            return Prediction.none(reason);
        }
        double q = target.quantile();
        return Prediction.of(
                Double.isNaN(q) ? meanWait(point.rho()) : point.md1().waitQuantile(q));
    }
}
