package io.github.rhosweep.math;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import org.HdrHistogram.Histogram;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class LogHistogramTest {
    private static final double[] LEVELS = {1e-9, 0.001, 0.25, 0.5, 0.9, 0.99, 0.999, 1};

    @Test
    void quantiles_areWithinThreeDigitsOfTheExactOrderStatistics() {
        for (long seed = 1; seed <= 30; seed++) {
            RandomStream random = new RandomStream(seed);
            int n = 1 + random.nextInt(5000);
            int shift = 1 + random.nextInt(62);
            long[] values = random.longs(n).map(v -> (v >>> 1) >>> shift).toArray();
            LogHistogram histogram = new LogHistogram(1);
            for (long value : values) {
                histogram.record(0, value);
            }
            Arrays.sort(values);
            for (double q : LEVELS) {
                long exact = values[(int) Math.max(1, Math.ceil(q * n)) - 1];
                assertThat(histogram.quantiles(0, n, q)[0])
                        .as("seed %d, q %s of %d values below 2^%d", seed, q, n, 63 - shift)
                        .isCloseTo(exact, Offset.offset(exact < 1024 ? 0 : exact / 1024.0));
            }
        }
    }

    @Test
    void quantiles_agreeWithHdrHistogram() {
        for (long seed = 1; seed <= 10; seed++) {
            RandomStream random = new RandomStream(seed);
            LogHistogram ours = new LogHistogram(1);
            Histogram theirs = new Histogram(1L << 40, 4);
            for (int i = 0; i < 20_000; i++) {
                long value = 230_000 + (long) (random.nextExponential() * 500_000);
                ours.record(0, value);
                theirs.recordValue(value);
            }
            for (double q : LEVELS) {
                double expected = theirs.getValueAtPercentile(100 * q);
                // Half a cell of ours and one of theirs (four digits).
                assertThat(ours.quantiles(0, 20_000, q)[0])
                        .as("seed %d, q %s", seed, q)
                        .isCloseTo(expected, Offset.offset(expected * (1 / 1024.0 + 1e-4)));
            }
        }
    }

    @Test
    void everyCellBoundary_isItsOwnQuantile() {
        LogHistogram histogram = new LogHistogram(1);
        for (int bit = 0; bit < 63; bit++) {
            for (long value : new long[] {(1L << bit) - 1, 1L << bit, (1L << bit) + 1}) {
                histogram.reset();
                histogram.record(0, value);
                assertThat(histogram.quantiles(0, 1, 0.5)[0])
                        .isCloseTo(value, Offset.offset(value < 1024 ? 0 : value / 1023.0));
            }
        }
        histogram.reset();
        histogram.record(0, Long.MAX_VALUE);
        assertThat(histogram.quantiles(0, 1, 0.5)[0]).isCloseTo(0x1p63, Offset.offset(0x1p53));
    }

    @Test
    void groupsMergingAndReuse_changeNothing() {
        LogHistogram histogram = new LogHistogram(8);
        for (long seed = 1; seed <= 20; seed++) {
            RandomStream random = new RandomStream(seed);
            histogram.reset();
            long[] values = new long[1000];
            int[] groups = new int[1000];
            for (int i = 0; i < 1000; i++) {
                values[i] = random.nextLong() >>> (1 + random.nextInt(63));
                groups[i] = random.nextInt(8);
                histogram.record(groups[i], values[i]);
            }
            for (int doublings = 0; doublings <= 3; doublings++) {
                for (int from = 0; from < 8 >> doublings; from++) {
                    long[] rest = new long[1000];
                    int n = 0;
                    for (int i = 0; i < 1000; i++) {
                        if (groups[i] >> doublings >= from) {
                            rest[n++] = values[i];
                        }
                    }
                    Arrays.sort(rest, 0, n);
                    double[] quantiles = histogram.quantiles(from, n, LEVELS);
                    for (int k = 0; k < LEVELS.length; k++) {
                        long exact = rest[(int) Math.max(1, Math.ceil(LEVELS[k] * n)) - 1];
                        assertThat(quantiles[k])
                                .as("seed %d, %d doublings, from group %d, q %s", seed, doublings, from, LEVELS[k])
                                .isCloseTo(exact, Offset.offset(exact < 1024 ? 0 : exact / 1023.0));
                    }
                }
                histogram.mergePairs();
            }
        }
        histogram.reset();
        assertThat(histogram.quantiles(0, 0, 0.5)).isNull();
        assertThatThrownBy(() -> histogram.quantiles(0, 1, 0.5)).hasMessage("0 values counted, not 1");
    }
}
