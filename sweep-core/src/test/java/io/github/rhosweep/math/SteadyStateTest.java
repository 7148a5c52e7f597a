package io.github.rhosweep.math;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SteadyStateTest {
    private static final int REPETITIONS = 500;

    private final Lindley queue = new Lindley();

    @ParameterizedTest
    @CsvSource({"0.5, 5000", "0.9, 50000"})
    void interval_coversTheMd1Wait_inAtLeast92Percent(double rho, int n) {
        double truth = Lindley.mg1Wait(rho, 0);
        int covered = 0;
        for (int seed = 0; seed < REPETITIONS; seed++) {
            queue.md1(seed, rho, n);
            int cut = SteadyState.truncation(queue.series, queue.end);
            SteadyState.Interval interval = Objects.requireNonNull(SteadyState.mean(queue.series, cut, queue.end));
            covered += Math.abs(interval.mean() - truth) <= interval.halfWidth() ? 1 : 0;
        }
        assertThat(covered).as("of %d, seeds 0 ..", REPETITIONS).isGreaterThanOrEqualTo(REPETITIONS * 92 / 100);
        // An interval that covers because it is far too wide would be no interval.
        assertThat(covered).isLessThan(REPETITIONS * 99 / 100);
    }

    @Test
    void controlledInterval_coversTheMg1Wait_andIsNarrower() {
        double rho = 0.8;
        double truth = Lindley.mg1Wait(rho, 0.25);
        int covered = 0;
        double raw = 0;
        double controlled = 0;
        for (int seed = 0; seed < REPETITIONS; seed++) {
            RandomStream services = RandomStream.named(seed, "services", 0);
            queue.mg1(seed, rho, 20_000, () -> services.nextInt(2) == 0 ? 0.5 : 1.5);
            int cut = SteadyState.truncation(queue.series, queue.end);
            SteadyState.Interval plain = Objects.requireNonNull(SteadyState.mean(queue.series, cut, queue.end));
            SteadyState.Interval interval = Objects.requireNonNull(
                    SteadyState.controlledMean(queue.series, cut, queue.end, Lindley.mg1Wait(rho, 0)));
            covered += Math.abs(interval.mean() - truth) <= interval.halfWidth() ? 1 : 0;
            raw += Math.pow(plain.mean() - truth, 2);
            controlled += Math.pow(interval.mean() - truth, 2);
        }
        assertThat(covered).as("of %d, seeds 0 ..", REPETITIONS).isGreaterThanOrEqualTo(REPETITIONS * 92 / 100);
        assertThat(raw / controlled).as("variance reduction").isGreaterThan(2);
    }

    /** Abramowitz and Stegun 1964, table 26.10. */
    @ParameterizedTest
    @CsvSource({"1, 12.706", "2, 4.303", "5, 2.571", "10, 2.228", "15, 2.131"})
    void tQuantile_isThatOfTheTables(int degreesOfFreedom, double quantile) {
        assertThat(SteadyState.tQuantile(degreesOfFreedom)).isCloseTo(quantile, Offset.offset(0.0005));
    }

    @Test
    void controlThatIsTheQuantityItself_givesItsExpectationExactly() {
        queue.md1(1, 0.7, 10_000);
        SteadyState.Interval interval =
                Objects.requireNonNull(SteadyState.controlledMean(queue.series, 0, queue.end, 1_166_666));
        assertThat(interval.mean()).isCloseTo(1_166_666, Offset.offset(1e-3));
        assertThat(interval.halfWidth()).isLessThan(1e-3);
    }

    @Test
    void truncation_removesARisingStart_andNothingOfAConstant() {
        Slicing slicing = new Slicing();
        SlicedSeries series = new SlicedSeries(slicing);
        for (long seed = 1; seed <= 50; seed++) {
            RandomStream random = new RandomStream(seed);
            slicing.reset(22_400);
            series.reset();
            for (int t = 0; t < 22_400; t++) {
                // Rises to 1000 within the first 4480, with noise of 5%.
                series.record(t, Math.round(Math.min(1, t / 4480.0) * 1000 + 100 * (random.nextDouble() - 0.5) + 50));
            }
            // The last rise of 5% drowns in the noise: MSER may leave it.
            assertThat(SteadyState.truncation(series, 224)).as("seed %d", seed).isBetween(32, 64);
        }
        slicing.reset(22_400);
        series.reset();
        for (int t = 0; t < 22_400; t++) {
            series.record(t, 404_950);
        }
        assertThat(SteadyState.truncation(series, 224)).isZero();
        SteadyState.Interval interval = Objects.requireNonNull(SteadyState.mean(series, 0, 224));
        assertThat(interval.mean()).isEqualTo(404_950);
        assertThat(interval.halfWidth()).isZero();
    }

    /** MSER alone would be 7% low here: more than its standard error over the repetitions, sqrt(.2^2 / 1000) = .6%. */
    @Test
    void truncation_doesNotBiasTheMeanOfAShortRun() {
        double truth = Lindley.mg1Wait(0.9, 0);
        double bias = 0;
        for (int seed = 0; seed < 1000; seed++) {
            queue.md1(seed, 0.9, 5000);
            int cut = SteadyState.truncation(queue.series, queue.end);
            bias += (queue.series.momentsFrom(cut).mean() / truth - 1) / 1000;
        }
        // Starting empty costs 1.4% itself.
        assertThat(bias).isBetween(-0.014 - 3 * 0.0063, 3 * 0.0063);
    }

    @ParameterizedTest
    @CsvSource({"0.8, 0, 0", "0.95, 0, 5", "1.05, 95, 100", "1.2, 100, 100"})
    void growth_isSeenWhereLoadExceedsOne(double rho, int least, int most) {
        int grew = 0;
        for (int seed = 0; seed < 100; seed++) {
            queue.md1(seed, rho, 5000);
            grew += SteadyState.grew(queue.series, queue.end) ? 1 : 0;
        }
        assertThat(grew).as("of 100 runs at load %s, seeds 0 .. 99", rho).isBetween(least, most);
    }

    @Test
    void interval_needsSamplesInEveryBatch() {
        Slicing slicing = new Slicing();
        SlicedSeries series = new SlicedSeries(slicing);
        slicing.reset(100);
        series.reset();
        for (int t = 0; t < 15; t++) {
            series.record(t * 6L, t);
        }
        assertThat(SteadyState.mean(series, 0, 224)).isNull();
        assertThat(SteadyState.grew(series, 0)).isFalse();
        assertThat(SteadyState.truncation(series, 0)).isZero();
    }
}
