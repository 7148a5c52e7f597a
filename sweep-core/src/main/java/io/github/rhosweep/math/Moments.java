package io.github.rhosweep.math;

import java.math.BigInteger;

/**
 * Count, sum, sum of squares and maximum of whole numbers, all exact: the sum of squares has 128 bits. The order of recording
 * changes nothing, and the variance suffers no cancellation however small it is against the mean.
 */
public final class Moments {
    private long count;
    private long sum;
    private long squaresHigh;
    private long squaresLow;
    private long max;

    /** Forgets everything. */
    public void reset() {
        count = 0;
        sum = 0;
        squaresHigh = 0;
        squaresLow = 0;
        max = Long.MIN_VALUE;
    }

    public Moments() {
        reset();
    }

    /**
     * Records one value.
     *
     * @throws ArithmeticException if the sum leaves 64 bits
     */
    public void record(long value) {
        count++;
        sum = Math.addExact(sum, value);
        addSquares(Math.multiplyHigh(value, value), value * value);
        max = Math.max(max, value);
    }

    /**
     * Records one value many times.
     *
     * @throws ArithmeticException if a sum leaves 64 bits
     */
    public void record(long value, long times) {
        if (times > 0) {
            count += times;
            sum = Math.addExact(sum, Math.multiplyExact(value, times));
            long low = value * value;
            long carry = Math.multiplyHigh(low, times) + (low >> 63 & times); // low is unsigned
            addSquares(Math.multiplyHigh(value, value) * times + carry, low * times);
            max = Math.max(max, value);
        }
    }

    /** Adds the count and sum of further values, whose squares and maximum come apart. */
    void add(long moreCount, long moreSum) {
        count += moreCount;
        sum = Math.addExact(sum, moreSum);
    }

    /** Adds the 128-bit sum of squares and the maximum of further values. */
    void add(long moreSquaresHigh, long moreSquaresLow, long otherMax) {
        addSquares(moreSquaresHigh, moreSquaresLow);
        max = Math.max(max, otherMax);
    }

    private void addSquares(long high, long low) {
        long before = squaresLow;
        squaresLow = before + low;
        squaresHigh += high + (Long.compareUnsigned(squaresLow, before) < 0 ? 1 : 0);
    }

    public long count() {
        return count;
    }

    public long sum() {
        return sum;
    }

    /** The largest value; {@link Long#MIN_VALUE} if there is none. */
    public long max() {
        return max;
    }

    /** The mean; NaN if there is no value. */
    public double mean() {
        return count == 0 ? Double.NaN : (double) sum / count;
    }

    /** The sample variance, divisor n-1; NaN below two values. */
    public double variance() {
        return count < 2 ? Double.NaN : centredSquares() / (count - 1.0);
    }

    /** The sample standard deviation; NaN below two values. */
    public double std() {
        return Math.sqrt(variance());
    }

    /** The squared coefficient of variation, variance / mean^2; NaN below two values or if the mean is 0. */
    public double scv() {
        double mean = mean();
        return mean == 0 ? Double.NaN : variance() / (mean * mean);
    }

    /** The sum of (x - mean)^2, as (n sum x^2 - (sum x)^2) / n in whole numbers until the last division. */
    private double centredSquares() {
        BigInteger n = BigInteger.valueOf(count);
        BigInteger s = BigInteger.valueOf(sum);
        BigInteger low = BigInteger.valueOf(squaresLow >>> 1).shiftLeft(1).or(BigInteger.valueOf(squaresLow & 1));
        BigInteger squares = BigInteger.valueOf(squaresHigh).shiftLeft(64).add(low);
        return squares.multiply(n).subtract(s.multiply(s)).doubleValue() / count;
    }
}
