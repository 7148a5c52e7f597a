package io.github.rhosweep.model;

/**
 * M/D/1/K, by the embedded chain that Brun and Garcia solve; K counts the customer in service.
 *
 * <p>Their closed form alternates and fails beyond a few dozen levels, so the weights of the levels come from {@link Md1Distribution},
 * and for rho below 1 the blocking from the infinite queue: P_K = (1-rho) Q/(1-rho Q), Q = P(N >= K) without limit, which keeps
 * its digits however small it is.
 */
final class Md1k extends FiniteQueue {
    /** From here a departure leaves K - 1 behind but for 1e-13 of the time. */
    private static final double ALWAYS_FULL = 30;

    Md1k() {
        super(
                new Card(
                        "md1k",
                        "P_K = 1 - 1/(pi_0+rho), W = L/(rho(1-P_K)) - 1",
                        "rho, K from the buffer and Dynamic Threshold, b, tau",
                        "Brun and Garcia 2000, J. Appl. Prob. 37, 1092-1098",
                        "exact for Poisson frames and K frames of room; here an approximation: a shared buffer has no fixed K; any rho > 0"));
    }

    @Override
    double blocking(double rho, long k) {
        if (k == 1) {
            return rho / (1 + rho);
        }
        return rho > ALWAYS_FULL ? 1 - 1 / rho : new Queue(new Md1Distribution(rho), rho, k).blocking();
    }

    @Override
    double meanWait(double rho, long k) {
        if (k == 1) {
            return 0;
        }
        // Above ALWAYS_FULL a place is free only until the next arrival, 1/rho of a service time.
        return rho > ALWAYS_FULL ? k - 1 - 1 / rho : new Queue(new Md1Distribution(rho), rho, k).meanWait();
    }

    /** Sums over the levels 0 .. K-1 that a departure can leave behind. */
    private static final class Queue {
        private final double rho;
        private final long k;
        private final Md1Distribution levels;
        private final int head;
        private final double decay;
        private final double total;
        private final double mean;

        Queue(Md1Distribution levels, double rho, long k) {
            this.rho = rho;
            this.k = k;
            this.levels = levels;
            this.head = (int) Math.min(Md1Distribution.levels(), k);
            this.decay = StrictMath.exp(-Math.abs(levels.eta()));
            long beyond = k - head; // levels head .. K-1, geometric
            double weights = 0;
            double moments = 0;
            // Weights are taken relative to the heavier end, so that none overflows: level 0 below rho = 1, else level
            // K-1.
            double scale = rho < 1 ? 1 : StrictMath.exp((head - k) * Math.abs(levels.eta()));
            for (int n = head - 1; n >= 0; n--) {
                double weight = levels.level(n) * scale;
                weights += weight;
                moments += n * weight;
                scale *= rho < 1 ? 1 : decay;
            }
            if (beyond > 0) {
                double last = levels.level(head - 1);
                double tail = last * Mm1k.geometricSum(decay, beyond - 1) * (rho < 1 ? decay : 1);
                double into = Mm1k.meanLevel(decay, beyond - 1);
                weights += tail;
                moments += tail * (rho < 1 ? head + into : k - 1 - into);
            }
            this.total = weights;
            this.mean = moments / weights;
        }

        double blocking() {
            if (rho < 1) {
                double q = (1 - rho) * beyond();
                return (1 - rho) * q / (1 - rho * q);
            }
            return 1 - 1 / (atZero() + rho);
        }

        double meanWait() {
            double full = rho < 1 ? blocking() / (1 - blocking()) : atZero() + rho - 1;
            return (mean + k * full) / rho - 1;
        }

        /** pi_0. */
        private double atZero() {
            return StrictMath.exp((1 - k) * Math.abs(levels.eta())) / total;
        }

        /** Weights of the levels from K on, without limit; rho < 1. */
        private double beyond() {
            int last = Md1Distribution.levels() - 1;
            double tail = levels.level(last) / StrictMath.expm1(levels.eta()); // decay / (1 - decay)
            if (k > last) {
                return tail * StrictMath.exp(-levels.eta() * (k - 1 - last));
            }
            for (int n = last; n >= k; n--) {
                tail += levels.level(n);
            }
            return tail;
        }
    }
}
