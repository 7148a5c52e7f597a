package io.github.rhosweep.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.data.Percentage.withPercentage;

import io.github.rhosweep.math.RandomStream;
import org.apache.commons.math3.linear.Array2DRowRealMatrix;
import org.apache.commons.math3.linear.LUDecomposition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Waits of single queues, in service times: published values, brute-force chains, limits. */
class QueueingFormulasTest {
    private static final Klb KLB = new Klb();
    private static final Kingman KINGMAN = new Kingman();
    private static final Marchal MARCHAL = new Marchal();
    private static final Mm1k MM1K = new Mm1k();
    private static final Md1k MD1K = new Md1k();

    @Test
    void mm1_meanAndQuantile() {
        assertThat(Mm1.meanWait(0.8)).isEqualTo(4, within(1e-14));
        assertThat(Mm1.waitQuantile(0.8, 0.99))
                .isEqualTo(Math.log(80) / 0.2, within(1e-13))
                .isEqualTo(21.910133173, within(5e-10));
        assertThat(Mm1.waitQuantile(0.3, 0.5)).isZero(); // P(W = 0) = .7
    }

    @ParameterizedTest
    @CsvSource({"0.5, 0.5", "0.7, 1.1666666667", "0.8, 2", "0.9, 4.5"})
    void md1_meanWait_matchesPollaczekKhinchine(double rho, double wait) {
        assertThat(Md1.meanWait(rho)).isEqualTo(wait, within(5e-11));
    }

    @ParameterizedTest
    @CsvSource({"0.5, 1.2759398734", "0.95, 6.6203249968", "0.99, 10.355886792", "0.999, 15.700268194"})
    void md1_quantilesAtLoad08(double q, double wait) {
        assertThat(new Md1Distribution(0.8).waitQuantile(q)).isEqualTo(wait, within(5e-9));
    }

    @Test
    void md1_tailAtLoad08() {
        Md1Distribution md1 = new Md1Distribution(0.8);
        assertThat(md1.eta()).isEqualTo(0.430842209784, within(5e-13));
        assertThat(md1.tailConstant()).isEqualTo(0.866392676569, within(5e-13));
    }

    /** Crommelin 1932: P(W <= t) = (1-rho) sum_{k<=t} (rho (k-t))^k / k! exp(rho (t-k)); alternating, good to 1e-10 up to t = 6. */
    @ParameterizedTest
    @ValueSource(doubles = {0.01, 0.3, 0.8, 0.95, 0.999})
    void md1_distribution_matchesCrommelin(double rho) {
        Md1Distribution md1 = new Md1Distribution(rho);
        for (double t = 0; t < 6; t += 0.0625) {
            double sum = 0;
            for (int k = 0; k <= t; k++) {
                double term = Math.exp(rho * (t - k));
                for (int j = 1; j <= k; j++) {
                    term *= rho * (k - t) / j;
                }
                sum += term;
            }
            assertThat(md1.waitAtMost(t)).as("rho %s, t %s", rho, t).isEqualTo((1 - rho) * sum, within(1e-10));
        }
    }

    /** The mean is the integral of P(W > t): Simpson's rule within each service time, where P is smooth, then the tail. */
    @ParameterizedTest
    @ValueSource(doubles = {0.05, 0.3, 0.5, 0.8, 0.9, 0.99})
    void md1_distribution_hasPollaczekKhinchineMean(double rho) {
        Md1Distribution md1 = new Md1Distribution(rho);
        double integral = 0;
        int pieces = 64;
        for (int k = 0; k < 20; k++) {
            for (int i = 0; i <= pieces; i++) {
                double t = k + (double) i / pieces;
                double p = i == pieces ? md1.waitAtMost(Math.nextDown(t)) : md1.waitAtMost(t);
                integral += (1 - p) * (i == 0 || i == pieces ? 1 : i % 2 == 1 ? 4 : 2) / (3.0 * pieces);
            }
        }
        integral += md1.tailConstant() * Math.exp(-20 * md1.eta()) / md1.eta();
        assertThat(integral).isCloseTo(Md1.meanWait(rho), withPercentage(1e-6));
    }

    /** Where levels hand over to the exponential tail nothing jumps, and quantiles invert the distribution at any load. */
    @ParameterizedTest
    @ValueSource(doubles = {1e-6, 0.01, 0.3, 0.7, 0.86, 0.9, 0.99, 0.999, 0.999999, 0.9999999})
    void md1_quantiles_invertTheDistribution(double rho) {
        Md1Distribution md1 = new Md1Distribution(rho);
        assertThat(md1.waitAtMost(20)).isCloseTo(md1.waitAtMost(Math.nextDown(20.0)), within(1e-11));
        double before = 0;
        for (double q = 0.02; q < 1; q += 0.02) {
            double t = md1.waitQuantile(q);
            assertThat(t).isGreaterThanOrEqualTo(before);
            before = t;
            if (t == 0) {
                assertThat(q).isLessThanOrEqualTo(1 - rho);
            } else {
                assertThat(md1.waitAtMost(t)).as("rho %s, q %s", rho, q).isEqualTo(q, within(1e-12));
            }
        }
        assertThat(md1.waitQuantile(0.9999)).isGreaterThanOrEqualTo(md1.waitQuantile(0.999));
    }

    /** As rho goes to 1, (1-rho) W becomes exponential with mean 1/2. */
    @Test
    void md1_quantile_heavyTrafficLimit() {
        double rho = 1 - 1e-7;
        assertThat((1 - rho) * new Md1Distribution(rho).waitQuantile(0.99))
                .isCloseTo(Math.log(100) / 2, withPercentage(1e-4));
    }

    @Test
    void mg1_checkValues() {
        assertThat(Mg1.meanWait(0.7, 0.5)).isEqualTo(1.75, within(1e-14));
        assertThat(Mg1.meanWait(0.8, 2)).isEqualTo(6, within(1e-14));
        assertThat(Mg1.meanWait(0.6, 0)).isEqualTo(Md1.meanWait(0.6));
        assertThat(Mg1.meanWait(0.6, 1)).isEqualTo(Mm1.meanWait(0.6), within(1e-15));
    }

    @Test
    void mm1k_checkValues() {
        assertThat(MM1K.blocking(0.8, 10)).isEqualTo(0.0234928575799, within(5e-14));
        assertThat(MM1K.meanWait(0.8, 10)).isEqualTo(2.79709750398, within(5e-12));
    }

    @Test
    void md1k_checkValues() {
        assertThat(MD1K.blocking(0.8, 10)).isEqualTo(0.00363923114025, within(5e-15));
        assertThat(MD1K.meanWait(0.8, 10)).isEqualTo(1.82977349593, within(5e-12));
    }

    /** Birth and death: p_n proportional to rho^n. */
    @ParameterizedTest
    @ValueSource(doubles = {0.001, 0.3, 0.8, 0.999, 0.9999999, 1, 1.0000001, 1.001, 2, 100})
    void mm1k_matchesBirthAndDeathChain(double rho) {
        for (int k = 1; k <= 60; k++) {
            double sum = 0;
            double level = 0;
            double weight = 1;
            for (int n = 0; n <= k; n++) {
                sum += weight;
                level += n * weight;
                weight *= rho;
            }
            double blocked = weight / rho / sum;
            assertThat(MM1K.blocking(rho, k)).isCloseTo(blocked, withPercentage(1e-9));
            double wait = level / sum / (rho * (1 - blocked)) - 1;
            assertThat(MM1K.meanWait(rho, k))
                    .as("rho %s, K %s", rho, k)
                    .isEqualTo(wait, within(2e-12 + 1e-11 * k + 1e-12 / rho));
        }
    }

    /** The embedded chain at departures, solved as linear equations, then Little's law over accepted customers. */
    @ParameterizedTest
    @ValueSource(doubles = {0.05, 0.3, 0.8, 0.99, 1, 1.01, 1.5, 4, 20})
    void md1k_matchesEmbeddedChain(double rho) {
        for (int k = 1; k <= 14; k++) {
            double[] pi = departures(rho, k);
            double blocked = 1 - 1 / (pi[0] + rho);
            double level = k * blocked;
            for (int n = 0; n < k; n++) {
                level += n * pi[n] / (pi[0] + rho);
            }
            double wait = level / (rho * (1 - blocked)) - 1;
            assertThat(MD1K.blocking(rho, k)).as("rho %s, K %s", rho, k).isEqualTo(blocked, within(1e-12));
            assertThat(MD1K.meanWait(rho, k)).as("rho %s, K %s", rho, k).isEqualTo(wait, within(1e-10));
        }
    }

    private static double[] departures(double rho, int k) {
        Array2DRowRealMatrix a = new Array2DRowRealMatrix(k, k);
        for (int from = 0; from < k; from++) {
            int start = Math.max(1, from);
            double left = 1;
            double poisson = Math.exp(-rho);
            for (int more = 0; start - 1 + more < k; more++) {
                int to = start - 1 + more;
                double p = to == k - 1 ? left : poisson;
                a.addToEntry(to, from, p);
                left -= poisson;
                poisson *= rho / (more + 1);
            }
            a.addToEntry(from, from, -1);
        }
        double[] right = new double[k];
        for (int n = 0; n < k; n++) {
            a.setEntry(k - 1, n, 1);
        }
        right[k - 1] = 1;
        return new LUDecomposition(a, 1e-300)
                .getSolver()
                .solve(new org.apache.commons.math3.linear.ArrayRealVector(right))
                .toArray();
    }

    @Test
    void finiteQueues_withMuchRoom_areInfiniteOnesOrPassTheExcess() {
        for (FiniteQueue queue : new FiniteQueue[] {MM1K, MD1K}) {
            double infinite = queue == MM1K ? Mm1.meanWait(0.9) : Md1.meanWait(0.9);
            assertThat(queue.meanWait(0.9, 100_000)).isCloseTo(infinite, withPercentage(1e-9));
            assertThat(queue.blocking(0.9, 2000)).isPositive().isLessThan(1e-80);
            assertThat(queue.blocking(1.25, 100_000)).isEqualTo(0.2, within(1e-12));
            assertThat(queue.meanWait(1.25, 100_000)).isBetween(99_900.0, 100_000.0);
            assertThat(queue.blocking(1000, 12_000)).isEqualTo(0.999, within(1e-12));
            // near 1 from both sides, and across the hand-over between methods
            for (long k : new long[] {2, 63, 64, 65, 66, 12_000}) {
                assertThat(queue.meanWait(1 - 1e-9, k)).isCloseTo(queue.meanWait(1, k), withPercentage(1e-2));
                assertThat(queue.meanWait(1 + 1e-9, k)).isCloseTo(queue.meanWait(1, k), withPercentage(1e-2));
                assertThat(queue.blocking(1 - 1e-9, k)).isCloseTo(queue.blocking(1, k), withPercentage(1e-2));
                assertThat(queue.blocking(1 + 1e-9, k)).isCloseTo(queue.blocking(1, k), withPercentage(1e-2));
            }
        }
        assertThat(MD1K.blocking(29.9999, 50)).isEqualTo(MD1K.blocking(30.0001, 50), within(1e-6));
        assertThat(MD1K.meanWait(29.9999, 50)).isEqualTo(MD1K.meanWait(30.0001, 50), within(1e-6));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 10, 63, 64, 65, 300, 12_000})
    void finiteQueues_loseMoreAndWaitLongerAsLoadGrows(long k) {
        for (FiniteQueue queue : new FiniteQueue[] {MM1K, MD1K}) {
            double lost = 0;
            double wait = 0;
            for (double rho = 0.05; rho < 3; rho += 0.05) {
                double nowLost = queue.blocking(rho, k);
                double nowWait = queue.meanWait(rho, k);
                assertThat(nowLost).as("rho %s", rho).isBetween(lost, 1.0);
                assertThat(nowWait).as("rho %s", rho).isBetween(wait - 1e-12, (double) k);
                lost = nowLost;
                wait = nowWait;
            }
        }
    }

    /** D/M/1: sigma = exp(-(1-sigma)/rho), W = sigma/(1-sigma). */
    @Test
    void dm1_kingmanAndKlb_againstTheTrueWait() {
        double sigma = 0.5;
        for (int i = 0; i < 500; i++) {
            sigma = Math.exp(-(1 - sigma) / 0.8);
        }
        assertThat(sigma / (1 - sigma)).isEqualTo(1.69273083992, within(5e-11));
        assertThat(KINGMAN.meanWait(0.8, 0, 1)).isEqualTo(2, within(1e-14));
        assertThat(KLB.meanWait(0.8, 0, 1)).isEqualTo(1.69296344978, within(5e-12));
    }

    @ParameterizedTest
    @CsvSource({"0.3, 0", "0.8, 0", "0.8, 0.5", "0.95, 3"})
    void twoMomentFormulas_areExactForPoisson(double rho, double serviceScv) {
        double exact = Mg1.meanWait(rho, serviceScv);
        assertThat(KINGMAN.meanWait(rho, 1, serviceScv)).isCloseTo(exact, withPercentage(1e-11));
        assertThat(KLB.meanWait(rho, 1, serviceScv)).isCloseTo(exact, withPercentage(1e-11));
        assertThat(MARCHAL.meanWait(rho, 1, serviceScv)).isCloseTo(exact, withPercentage(1e-11));
    }

    @Test
    void twoMomentFormulas_agreeInHeavyTraffic_andVanishWithoutVariation() {
        for (double arrivalScv : new double[] {0.25, 4}) {
            double limit = KINGMAN.meanWait(1 - 1e-7, arrivalScv, 0.5);
            assertThat(KLB.meanWait(1 - 1e-7, arrivalScv, 0.5)).isCloseTo(limit, withPercentage(1e-4));
            assertThat(MARCHAL.meanWait(1 - 1e-7, arrivalScv, 0.5)).isCloseTo(limit, withPercentage(1e-4));
        }
        assertThat(KINGMAN.meanWait(0.5, 0, 0)).isZero();
        assertThat(KLB.meanWait(0.5, 0, 0)).isZero();
        assertThat(MARCHAL.meanWait(0.5, 0, 0)).isZero();
    }

    /** Lindley's recursion for H2/D/1, c_a^2 = 4: Kingman is 51% too high at rho = .5 and 1% at .9 (three half-widths of the run: 2%). */
    @ParameterizedTest
    @CsvSource({"0.5, 1.51, 0.03", "0.9, 1.01, 0.04"})
    void kingman_againstHyperexponentialArrivals(double rho, double ratio, double tolerance) {
        RandomStream random = RandomStream.named(4711, "h2", 0);
        double first = (1 + Math.sqrt(3.0 / 5.0)) / 2;
        double wait = 0;
        double sum = 0;
        int customers = 3_000_000;
        for (int i = 0; i < customers; i++) {
            double p = random.nextDouble() < first ? first : 1 - first;
            wait = Math.max(0, wait + 1 - random.nextExponential() / (2 * p) / rho);
            sum += wait;
        }
        assertThat(KINGMAN.meanWait(rho, 4, 0) / (sum / customers)).isEqualTo(ratio, within(tolerance));
    }

    @Test
    void rrMessages_limits() {
        for (double rho : new double[] {0.01, 0.5, 0.9, 0.999}) {
            assertThat(RrMessages.meanWait(rho, 1, 49)).isEqualTo(Md1.meanWait(rho));
            assertThat(RrMessages.meanWait(rho, 64, 1)).isEqualTo(Md1.meanWait(rho));
            // many senders, many frames: processor sharing, W = rho/(1-rho)
            assertThat(RrMessages.meanWait(rho, Integer.MAX_VALUE, 1_000_000_000))
                    .isCloseTo(rho / (1 - rho), withPercentage(1e-3));
            assertThat(RrMessages.meanWait(rho, 9, 49)).isBetween(RrMessages.meanWait(rho, 8, 49), rho / (1 - rho));
        }
    }

    /** Measured T/T_ab - 1 without alpha, b = 49, N = 64, of an independent simulator: .40 .94 2.16 3.70 at rho .3 .5 .7 .8. */
    @ParameterizedTest
    @CsvSource({"0.3, 0.40", "0.5, 0.94", "0.7, 2.16", "0.8, 3.70"})
    void rrMessages_isCloseToRoundRobinMeasurements(double rho, double measured) {
        assertThat(1 + RrMessages.meanWait(rho, 64, 49)).isCloseTo(1 + measured, withPercentage(3));
    }

    @Test
    void batchMd1_checkValue() {
        assertThat(BatchMd1.meanWait(0.8, 4)).isEqualTo(9.5, within(1e-13));
        assertThat(BatchMd1.meanWait(0.8, 1)).isEqualTo(Md1.meanWait(0.8));
        assertThat(BatchMd1.meanWait(0.7, 2) / Md1.meanWait(0.7)).isEqualTo(1.7 / 0.7, within(1e-12));
    }

    @ParameterizedTest
    @CsvSource({"4, 5, 0.444", "8, 10, 0.722372", "16, 20, 1.01516562264"})
    void nddd1_checkValues(int sources, double period, double wait) {
        assertThat(Nddd1.meanWait(sources, period)).isEqualTo(wait, within(5e-12));
    }

    /** The mean as the integral of the distribution over the others' virtual wait, Simpson's rule between whole x. */
    @ParameterizedTest
    @CsvSource({"2, 2.5", "4, 5", "8, 8.5", "16, 40"})
    void nddd1_mean_isTheIntegralOfItsDistribution(int sources, double period) {
        int others = sources - 1;
        double integral = 0;
        int pieces = 200;
        for (int k = 0; k < others; k++) {
            for (int i = 0; i <= pieces; i++) {
                double x = k + (double) i / pieces;
                double p = 0;
                // x < n <= N: at the end of a piece the limit from the left still has n = k + 1
                for (int n = k + 1; n <= others; n++) {
                    double u = (n - x) / period;
                    p += binomial(others, n)
                            * Math.pow(u, n)
                            * Math.pow(1 - u, others - n)
                            * (period - others + x)
                            / (period - n + x);
                }
                integral += p * (i == 0 || i == pieces ? 1 : i % 2 == 1 ? 4 : 2) / (3.0 * pieces);
            }
        }
        assertThat(Nddd1.meanWait(sources, period)).isCloseTo(integral, withPercentage(1e-6));
    }

    private static double binomial(int n, int k) {
        double c = 1;
        for (int i = 1; i <= k; i++) {
            c = c * (n - k + i) / i;
        }
        return c;
    }

    /** Random phases, one period after another by Lindley's recursion, until the pattern repeats; standard error from the trials. */
    @ParameterizedTest
    @CsvSource({"5, 6", "8, 10", "12, 12.5"})
    void nddd1_matchesRandomPhases(int sources, double period) {
        RandomStream random = RandomStream.named(99, "phases", sources);
        int trials = 40_000;
        double sum = 0;
        double squares = 0;
        for (int trial = 0; trial < trials; trial++) {
            double[] phases = new double[sources];
            for (int i = 0; i < sources; i++) {
                phases[i] = random.nextDouble() * period;
            }
            java.util.Arrays.sort(phases);
            double free = 0;
            double waits = 0;
            for (int round = 0; round < 2; round++) {
                waits = 0;
                for (double phase : phases) {
                    double now = round * period + phase;
                    double start = Math.max(now, free);
                    waits += start - now;
                    free = start + 1;
                }
            }
            double mean = waits / sources;
            sum += mean;
            squares += mean * mean;
        }
        double mean = sum / trials;
        double standardError = Math.sqrt((squares / trials - mean * mean) / trials);
        assertThat(Nddd1.meanWait(sources, period)).isEqualTo(mean, within(4 * standardError));
    }

    @Test
    void nddd1_limits() {
        assertThat(Nddd1.meanWait(1, 1)).isZero();
        assertThat(Nddd1.meanWait(2, 4))
                .isEqualTo(0.125); // the other is in front with probability 1/4, by 1/2 on average
        assertThat(Nddd1.meanWait(60_000, 60_000 / 0.8)).isCloseTo(Md1.meanWait(0.8), withPercentage(0.1));
        // A full period is a Brownian bridge: W = sqrt(pi N/8) as N grows.
        assertThat(Nddd1.meanWait(60_000, 60_000)).isCloseTo(Math.sqrt(Math.PI * 60_000 / 8), withPercentage(0.5));
        double before = 0;
        for (int n = 1; n <= 64; n++) {
            double wait = Nddd1.meanWait(n, n / 0.9);
            assertThat(wait).isBetween(before, Md1.meanWait(0.9));
            before = wait;
        }
    }

    /** One slot after another: binomial(N, rho/N) arrivals, one departure; the chain iterated to its fixed point, then Little's law. */
    @ParameterizedTest
    @CsvSource({"1, 0.8", "2, 0.5", "8, 0.8", "16, 0.9"})
    void outputQueued_matchesTheSlottedChain(int inputs, double rho) {
        int levels = 600;
        double[] arrivals = new double[inputs + 1];
        for (int a = 0; a <= inputs; a++) {
            arrivals[a] = binomial(inputs, a) * Math.pow(rho / inputs, a) * Math.pow(1 - rho / inputs, inputs - a);
        }
        double[] waiting = new double[levels]; // at the start of a slot, before arrivals
        waiting[0] = 1;
        double mean = 0;
        for (int slot = 0; slot < 6000; slot++) {
            double[] next = new double[levels];
            for (int q = 0; q < levels - inputs; q++) {
                if (waiting[q] > 1e-300) {
                    for (int a = 0; a <= inputs; a++) {
                        next[Math.max(0, q + a - 1)] += waiting[q] * arrivals[a];
                    }
                }
            }
            waiting = next;
        }
        for (int q = 0; q < levels; q++) {
            mean += q * waiting[q];
        }
        assertThat(OutputQueued.meanWait(rho, inputs)).isEqualTo(mean / rho, within(1e-6));
    }
}
