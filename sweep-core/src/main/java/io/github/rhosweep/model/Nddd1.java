package io.github.rhosweep.model;

/**
 * N*D/D/1: N periodic frames of one period D (in service times), phases independent and uniform. P(V > x) = sum over x &lt; n &lt;= N' of
 * C(N',n) ((n-x)/D)^n (1-(n-x)/D)^(N'-n) (D-N'+x)/(D-n+x), where a frame sees N' = N-1 others.
 *
 * <p>Its mean, the integral over x, is W = 1/2 sum over k = 1 .. N-1 of (N-1)(N-2)...(N-k) / D^k: positive terms that fall
 * geometrically. As N grows at fixed rho = N/D they become rho^k, and W that of M/D/1.
 */
final class Nddd1 extends VoqWaitModel {
    Nddd1() {
        super(new Card(
                "nddd1",
                "W = 1/2 sum_{k<N} (N-1)...(N-k)/D^k, D = N/rho",
                "N, rho, tau",
                "Eckberg 1979, IEEE Trans. Comm. 27, 556-562; Roberts and Virtamo 1991, IEEE Trans. Comm. 39, 298-303",
                "exact for periodic messages of one frame to one host; none elsewhere and above rho = 1"));
    }

    /**
     * Mean wait, in service times.
     *
     * @param sources N, at least 1
     * @param period D, in service times, at least N
     */
    static double meanWait(int sources, double period) {
        double term = 1;
        double sum = 0;
        for (int k = 1; k < sources && term > 1e-18 * sum; k++) {
            term *= (sources - k) / period;
            sum += term;
        }
        return sum / 2;
    }

    @Override
    Prediction waitNs(Point point) {
        if (!point.periodic() || !point.incast() || point.frames() > 1) {
            return Prediction.none("only for periodic messages of one frame to one host");
        }
        return point.rho() > 1
                ? Prediction.none(Point.SATURATED)
                : Prediction.of(meanWait(point.senders(), point.senders() / point.rho()) * point.tauNs());
    }
}
