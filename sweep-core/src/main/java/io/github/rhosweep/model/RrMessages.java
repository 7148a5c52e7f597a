package io.github.rhosweep.model;

/**
 * Open Poisson messages of b frames from N senders, first come first served within a sender, round robin across them: W = S
 * rho/(2(1-rho)) [1 + (1-1/b) x/(1+x)], x = (N-1)(1-rho), S = b tau. One sender is M/D/1 on messages; many are processor sharing
 * but for the half frame that cannot be shared. No fitted parameter.
 */
final class RrMessages extends LatencyModel {
    RrMessages() {
        super(new Card(
                "rr_messages",
                "T = T_ab + S rho/(2(1-rho)) [1 + (1-1/b) x/(1+x)], x = (N-1)(1-rho), S = b tau",
                "N, rho, b, tau, T_ab",
                "this project: interpolates between M/D/1 on messages and processor sharing",
                "exact for N = 1 or b = 1 and Poisson messages to one host, near else; with several egresses an approximation; "
                        + "none for other arrivals and from rho = 1"));
    }

    /** Mean wait, in service times S of a message; 0 <= rho < 1. */
    static double meanWait(double rho, int senders, long frames) {
        double x = (senders - 1) * (1 - rho);
        return Md1.meanWait(rho) * (1 + (1 - 1.0 / frames) * x / (1 + x));
    }

    @Override
    Prediction latencyNs(Point point) {
        String reason = point.noSteadyState();
        if (reason != null) {
            return Prediction.none(reason);
        }
        return point.poisson()
                ? Prediction.of(point.zeroLoadNs(Target.MESSAGE)
                        + meanWait(point.rho(), point.senders(), point.frames()) * point.serviceNs(Target.MESSAGE))
                : Prediction.none("only for Poisson arrivals");
    }
}
