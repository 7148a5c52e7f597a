package io.github.rhosweep.model;

/**
 * M/M/1/K: blocking P_K = (1-rho) rho^K / (1-rho^(K+1)), wait of those let in W = L/(rho (1-P_K)) - 1, in service times. K counts the
 * customer in service.
 */
final class Mm1k extends FiniteQueue {
    Mm1k() {
        super(new Card(
                "mm1k",
                "P_K = (1-rho) rho^K/(1-rho^(K+1)), W = L/(rho(1-P_K)) - 1",
                "rho, K from the buffer and Dynamic Threshold, b, tau",
                "Kleinrock 1975, Queueing Systems I, section 3.6",
                "an approximation: service times here are constant, and a shared buffer has no fixed K; any rho > 0"));
    }

    @Override
    double blocking(double rho, long k) {
        // rho^K / (1 + rho + ... + rho^K), from whichever end the powers fall
        double r = Math.min(rho, 1 / rho);
        double top = rho <= 1 ? power(r, k) : 1;
        return top / geometricSum(r, k);
    }

    @Override
    double meanWait(double rho, long k) {
        return meanLevel(rho, k) / (rho * (1 - blocking(rho, k))) - 1;
    }

    private static double power(double r, long exponent) {
        return StrictMath.exp((double) exponent * StrictMath.log(r));
    }

    /** 1 + r + ... + r^j; 0 < r <= 1. */
    static double geometricSum(double r, long j) {
        double log = StrictMath.log(r);
        return log == 0 ? (double) (j + 1) : StrictMath.expm1((j + 1) * log) / StrictMath.expm1(log);
    }

    /** Mean of 0 .. j under weights r^i; r > 0. */
    static double meanLevel(double r, long j) {
        double log = StrictMath.log(r);
        if (Math.abs(log) * (j + 1) < 1e-3) {
            // The two terms below would cancel: mean and variance of the uniform distribution instead.
            return j / 2.0 + log * j * (j + 2.0) / 12;
        }
        if (log > 0) {
            return j - meanLevel(1 / r, j);
        }
        // r/(1-r) - (j+1) r^(j+1)/(1-r^(j+1))
        return -r / StrictMath.expm1(log) + (j + 1) * power(r, j + 1) / StrictMath.expm1((j + 1) * log);
    }
}
