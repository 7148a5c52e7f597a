package io.github.rhosweep.model;

/**
 * Where DCQCN's N flows on one bottleneck settle (Zhu et al. 2016, CoNEXT, ECN or Delay, section 3). With R = C/N in packets/s, a = 1 -
 * (1-p)^(tau R), alpha* = 1 - (1-p)^(tau' R), b = p/((1-p)^(-B) - 1), c = b (1-p)^(F B), d = p/((1-p)^(-T R) - 1), e = d (1-p)^(F T R), the
 * marking probability p* solves a^2 alpha* / ((b+d)(c+e)) = tau^2 R_AI R, and q* = kmin + (kmax - kmin) p* / pmax.
 *
 * @param packetsPerS C, bottleneck capacity in packets/s
 * @param cnpIntervalS tau, in s
 * @param alphaTimerS tau', in s
 * @param rateTimerS T, in s
 * @param byteCounterPackets B; infinite where there is no byte counter
 * @param fastRecoverySteps F
 * @param increasePacketsPerS R_AI, in packets/s
 */
public record DcqcnFixedPoint(
        double packetsPerS,
        double cnpIntervalS,
        double alphaTimerS,
        double rateTimerS,
        double byteCounterPackets,
        double fastRecoverySteps,
        double increasePacketsPerS) {

    /** p* of N flows; NaN if even p = 1 does not hold them. */
    public double markingProbability(int flows) {
        double rate = packetsPerS / flows;
        double target = cnpIntervalS * cnpIntervalS * increasePacketsPerS * rate;
        // The left side grows with p from 0; bisection in log p.
        double low = StrictMath.log(1e-15);
        double high = 0;
        if (pressure(rate, 1 - 1e-12) < target) {
            return Double.NaN;
        }
        for (int i = 0; i < 200; i++) {
            double middle = (low + high) / 2;
            if (pressure(rate, StrictMath.exp(middle)) < target) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return StrictMath.exp((low + high) / 2);
    }

    /** q*, in the unit of kmin and kmax; NaN where p* exceeds pmax: the queue cycles around kmax. */
    public double queue(int flows, double kmin, double kmax, double pmax) {
        double p = markingProbability(flows);
        return p <= pmax ? kmin + p / pmax * (kmax - kmin) : Double.NaN;
    }

    private double pressure(double rate, double p) {
        double logKeep = StrictMath.log1p(-p);
        double a = -StrictMath.expm1(cnpIntervalS * rate * logKeep);
        double alpha = -StrictMath.expm1(alphaTimerS * rate * logKeep);
        double b = events(p, logKeep, byteCounterPackets);
        double c = b == 0 ? 0 : b * StrictMath.exp(fastRecoverySteps * byteCounterPackets * logKeep);
        double d = events(p, logKeep, rateTimerS * rate);
        double e = d * StrictMath.exp(fastRecoverySteps * rateTimerS * rate * logKeep);
        return a * a * alpha / ((b + d) * (c + e));
    }

    /** p/((1-p)^(-n) - 1); 0 for infinite n. */
    private static double events(double p, double logKeep, double n) {
        return Double.isInfinite(n) ? 0 : p / StrictMath.expm1(-n * logKeep);
    }
}
