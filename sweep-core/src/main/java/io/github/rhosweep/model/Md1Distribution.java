package io.github.rhosweep.model;

/**
 * The M/D/1 queue at one load: weights of the number of customers that a departure leaves behind, and the distribution of the wait.
 * Times in service times.
 *
 * <p>Crommelin's series for the wait alternates and loses all digits from about t = 15 at rho = .8. Both recursions below add positive
 * terms only (cuts between levels of the embedded chain; Franx 2001, "A simple solution for the M/D/c waiting time distribution",
 * Operations Research Letters 29, 221-229). Far out both distributions are geometric to more digits than a double has.
 */
final class Md1Distribution {
    /** Levels found one by one; the next root of z = exp(rho (z-1)) lies beyond |z| = 8, so the rest is geometric to 1e-16. */
    private static final int LEVELS = 64;

    /** Waits up to here are found from the levels, longer ones from the exponential tail. */
    private static final int EXACT_WAIT = 20;

    private final double rho;
    private final double eta;

    /** Weight of level n, times exp(eta n) where rho >= 1: growing weights would overflow. weight(0) = 1. */
    private final double[] levels = new double[LEVELS];

    /** exp(-rho) rho^j / j!: so many arrivals in a service time. */
    private final double[] arrivals = new double[LEVELS + 1];

    /** P(N <= n + 1), N the number in an infinite system: what the wait is made of. */
    private final double[] atMost = new double[EXACT_WAIT + 1];

    /** P(W <= k) for whole k. */
    private final double[] waitAtMost = new double[EXACT_WAIT + 1];

    /** @param rho offered load, above 0 and at most 30; the wait exists below 1 */
    Md1Distribution(double rho) {
        if (!(rho > 0 && rho <= 30)) {
            throw new IllegalArgumentException("rho " + rho + " is not in 0 .. 30");
        }
        this.rho = rho;
        this.eta = decayRate(rho);
        findLevels();
        if (rho < 1) {
            findWaits();
        }
    }

    /**
     * eta, the root other than 0 of rho (exp(eta) - 1) = eta: P(W > t) falls like exp(-eta t). Negative above rho = 1.
     */
    static double decayRate(double rho) {
        double delta = -StrictMath.log(rho);
        if (Math.abs(delta) < 1e-5) {
            return 2 * delta - delta * delta / 3; // Newton would divide nothing by nothing
        }
        // The function is convex and 2 delta lies beside the root, on the side of 0 above rho = 1 (one step then
        // crosses), else on the
        // other: from there Newton's steps are monotone.
        double eta = 2 * delta;
        for (int i = 0; i < 100; i++) {
            double growth = StrictMath.expm1(eta);
            double step = (rho * growth - eta) / (rho * growth + rho - 1);
            eta -= step;
            if (Math.abs(step) <= 1e-15 * Math.abs(eta)) {
                break;
            }
        }
        return eta;
    }

    double eta() {
        return eta;
    }

    /** C of the tail C exp(-eta t) of P(W > t); rho < 1. */
    double tailConstant() {
        return (1 - rho) / (eta - (1 - rho)); // rho (exp(eta) - 1) = eta
    }

    /** Weight of level n, n < {@link #levels()}, times exp(eta n) where rho >= 1. */
    double level(int n) {
        return levels[n];
    }

    /** Levels that {@link #level} gives. The weights that follow shrink by exp(-eta) each (rho >= 1: stay as the last one). */
    static int levels() {
        return LEVELS;
    }

    private void findLevels() {
        double probability = StrictMath.exp(-rho);
        for (int j = 0; j <= LEVELS; j++) {
            arrivals[j] = probability;
            probability *= rho / (j + 1);
        }
        double tilt = rho < 1 ? 1 : StrictMath.exp(eta);
        // more[m] = P(more than m arrivals in a service), from the small end.
        double[] more = new double[LEVELS + 1];
        double sum =
                probability * (1 + rho / (LEVELS + 2) * (1 + rho / (LEVELS + 3))); // and less than 1e-17 of the first
        for (int m = LEVELS; m >= 0; m--) {
            more[m] = sum;
            sum += arrivals[m];
        }
        double power = 1;
        for (int m = 0; m <= LEVELS; m++) {
            more[m] *= power;
            power *= tilt;
        }
        // Up across the cut above n: from level 0 (the next service starts with 1) or from i <= n. Down: from n+1 with
        // no arrival.
        levels[0] = 1;
        for (int n = 0; n + 1 < LEVELS; n++) {
            double up = levels[0] * more[n] * tilt;
            for (int i = 1; i <= n; i++) {
                up += levels[i] * more[n + 1 - i];
            }
            levels[n + 1] = up / arrivals[0];
        }
    }

    private void findWaits() {
        double sum = 1;
        for (int m = 0; m <= EXACT_WAIT; m++) {
            sum += levels[m + 1];
            atMost[m] = (1 - rho) * sum;
        }
        for (int k = 0; k <= EXACT_WAIT; k++) {
            double p = 0;
            for (int j = 0; j <= k; j++) {
                p += atMost[k - j] * arrivals[j];
            }
            waitAtMost[k] = p;
        }
    }

    /** P(W <= t); t >= 0, rho < 1. */
    double waitAtMost(double t) {
        if (t >= EXACT_WAIT) {
            return 1 - tailConstant() * StrictMath.exp(-eta * t);
        }
        int k = (int) t;
        return waitWithin(k, rho * (k + 1 - t));
    }

    /** Franx: P(W <= k + 1 - y/rho) = exp(-y) sum_{j<=k} P(N <= k-j+1) y^j/j!, 0 < y <= rho. */
    private double waitWithin(int k, double y) {
        double sum = 0;
        for (int j = k; j >= 0; j--) {
            sum = atMost[k - j] + sum * y / (j + 1);
        }
        return StrictMath.exp(-y) * sum;
    }

    /** The derivative of {@link #waitWithin} by y: never positive. */
    private double waitSlope(int k, double y) {
        double sum = 0;
        for (int j = k; j >= 0; j--) {
            sum = (k == j ? atMost[0] : atMost[k - j] - atMost[k - j - 1]) + sum * y / (j + 1);
        }
        return -StrictMath.exp(-y) * sum;
    }

    /** The q-quantile of the wait, 0 <= q < 1; rho < 1. */
    double waitQuantile(double q) {
        if (q <= 1 - rho) {
            return 0;
        }
        if (q >= waitAtMost[EXACT_WAIT]) {
            return StrictMath.log(tailConstant() / (1 - q)) / eta;
        }
        int k = 0;
        while (waitAtMost[k + 1] <= q) {
            k++;
        }
        // P falls in y, from P(W <= k+1) at 0 to P(W <= k) at rho. Newton, and a bisection where it leaves the bracket.
        double low = 0;
        double high = rho;
        double y = rho * (waitAtMost[k + 1] - q) / (waitAtMost[k + 1] - waitAtMost[k]);
        for (int i = 0; i < 60; i++) {
            double excess = waitWithin(k, y) - q;
            if (excess > 0) {
                low = y;
            } else {
                high = y;
            }
            double next = y - excess / waitSlope(k, y);
            if (!(next >= low && next <= high)) {
                next = (low + high) / 2;
            }
            if (Math.abs(next - y) <= 1e-15 * rho) {
                y = next;
                break;
            }
            y = next;
        }
        return k + 1 - y / rho;
    }
}
