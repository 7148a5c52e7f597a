package io.github.rhosweep.math;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.math.MathContext;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MomentsTest {
    private static final MathContext DIGITS = new MathContext(60);

    @Test
    void meanAndVariance_matchDecimalArithmeticWithSixtyDigits() {
        for (long seed = 1; seed <= 20; seed++) {
            RandomStream random = new RandomStream(seed);
            // Small spread about a large mean: floating sums of squares would lose all digits of the variance.
            long base = 1L << (20 + random.nextInt(38));
            long[] values = random.longs(200).map(v -> base + (v >>> 54)).toArray();
            Moments moments = new Moments();
            BigDecimal sum = BigDecimal.ZERO;
            for (long value : values) {
                moments.record(value - base / 2);
                sum = sum.add(BigDecimal.valueOf(value - base / 2));
            }
            BigDecimal mean = sum.divide(BigDecimal.valueOf(values.length), DIGITS);
            BigDecimal squares = BigDecimal.ZERO;
            for (long value : values) {
                squares = squares.add(
                        BigDecimal.valueOf(value - base / 2).subtract(mean).pow(2), DIGITS);
            }
            double variance = squares.divide(BigDecimal.valueOf(values.length - 1), DIGITS)
                    .doubleValue();
            assertThat(moments.mean()).as("seed %d", seed).isCloseTo(mean.doubleValue(), within(mean.doubleValue()));
            assertThat(moments.variance()).as("seed %d", seed).isCloseTo(variance, within(variance));
            assertThat(moments.max())
                    .as("seed %d", seed)
                    .isEqualTo(java.util.Arrays.stream(values).max().orElseThrow() - base / 2);
        }
    }

    @Test
    void constantSamples_haveNoVariance_andTooFewHaveNone() {
        Moments moments = new Moments();
        assertThat(moments.mean()).isNaN();
        moments.record(1_000_000_000_003L);
        assertThat(moments.variance()).isNaN();
        moments.record(1_000_000_000_003L);
        assertThat(moments.variance()).isZero();
        assertThat(moments.scv()).isZero();
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 30_000, 3_037_000_500L, 4_000_000_007L, 1L << 50})
    void aValueManyTimes_isThatManyValues(long value) {
        Moments one = new Moments();
        Moments all = new Moments();
        one.record(5);
        all.record(5);
        for (int i = 0; i < 1000; i++) {
            one.record(value);
        }
        all.record(value, 1000);
        all.record(7, 0);
        assertThat(all.count()).isEqualTo(one.count());
        assertThat(all.sum()).isEqualTo(one.sum());
        assertThat(all.variance()).isEqualTo(one.variance());
        assertThat(all.max()).isEqualTo(one.max());
    }

    @Test
    void sumBeyond64Bits_isRefused() {
        Moments moments = new Moments();
        moments.record(Long.MAX_VALUE);
        assertThatThrownBy(() -> moments.record(1)).isInstanceOf(ArithmeticException.class);
    }

    private static Offset<Double> within(double value) {
        return Offset.offset(Math.abs(value) * 1e-15);
    }
}
