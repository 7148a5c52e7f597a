package io.github.rhosweep.fit;

import io.github.rhosweep.math.RandomStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Relative errors, (predicted - measured)/measured, over some held-out points. Never over points that were fitted to.
 *
 * @param heldOut how they were held out, as {@link HeldOut#id}; or why they were never fitted to: {@code lossy}, {@code unstable}
 * @param regime as {@link Regime#id}, or {@code all}
 * @param n points with a prediction
 * @param without points without one
 * @param mape mean of absolute errors; null if n is 0, like all that follow
 * @param mapeLow lower end of its 95% interval: bootstrap over streams of random numbers
 * @param mapeHigh upper end
 * @param median of absolute errors
 * @param p95 0.95-quantile of absolute errors
 * @param max largest absolute error
 * @param bias mean of errors
 */
public record ErrorSummary(
        String heldOut,
        String regime,
        long n,
        long without,
        @Nullable Double mape,
        @Nullable Double mapeLow,
        @Nullable Double mapeHigh,
        @Nullable Double median,
        @Nullable Double p95,
        @Nullable Double max,
        @Nullable Double bias) {
    private static final int RESAMPLES = 400;

    static ErrorSummary of(String heldOut, String regime, List<HeldOutPoint> points, long seed) {
        List<HeldOutPoint> predicted =
                points.stream().filter(p -> !Double.isNaN(p.predicted())).toList();
        int n = predicted.size();
        int without = points.size() - n;
        if (n == 0) {
            return new ErrorSummary(heldOut, regime, 0, without, null, null, null, null, null, null, null);
        }
        double[] sizes = predicted.stream()
                .mapToDouble(p -> Math.abs(p.error()))
                .sorted()
                .toArray();
        double[] interval = bootstrap(predicted, RandomStream.named(seed, heldOut + regime, 0));
        return new ErrorSummary(
                heldOut,
                regime,
                n,
                without,
                Arrays.stream(sizes).average().orElseThrow(),
                interval[0],
                interval[1],
                quantile(sizes, 0.5),
                quantile(sizes, 0.95),
                sizes[n - 1],
                predicted.stream().mapToDouble(HeldOutPoint::error).average().orElseThrow());
    }

    /** The ceil(q n)-th smallest. */
    static double quantile(double[] sorted, double q) {
        return sorted[Math.max(0, (int) Math.ceil(q * sorted.length - 1e-9) - 1)];
    }

    private static double[] bootstrap(List<HeldOutPoint> points, RandomStream random) {
        Map<String, double[]> byStream = new TreeMap<>(); // sum of sizes, count
        for (HeldOutPoint p : points) {
            double[] sum = byStream.computeIfAbsent(p.observation().stream(), s -> new double[2]);
            sum[0] += Math.abs(p.error());
            sum[1]++;
        }
        List<double[]> streams = new ArrayList<>(byStream.values());
        double[] means = new double[RESAMPLES];
        for (int i = 0; i < RESAMPLES; i++) {
            double sum = 0;
            double count = 0;
            for (int k = 0; k < streams.size(); k++) {
                double[] drawn = streams.get(random.nextInt(streams.size()));
                sum += drawn[0];
                count += drawn[1];
            }
            means[i] = sum / count;
        }
        Arrays.sort(means);
        return new double[] {quantile(means, 0.025), quantile(means, 0.975)};
    }
}
