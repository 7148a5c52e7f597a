package io.github.rhosweep.fit;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.apache.commons.math3.distribution.TDistribution;

/**
 * T = alpha_eff + M/beta_eff at one N and rho: latency regressed on wire bytes M over messages of at least three sizes, weighted by
 * 1/T^2, with 95% intervals from what the line leaves. The same line through T_ab stands beside it: what of alpha and 1/beta congestion
 * adds is the ratio of the two.
 *
 * @param group as {@link Grouping} names it
 * @param flows N
 * @param load rho
 * @param n points
 * @param alphaNs intercept, in ns; may be negative where T bends
 * @param alphaHalfNs half-width of its interval
 * @param nsPerByte slope 1/beta_eff
 * @param nsPerByteHalf half-width of its interval
 * @param idleAlphaNs intercept through T_ab
 * @param idleNsPerByte slope through T_ab
 */
public record EffectiveAlphaBeta(
        String group,
        double flows,
        double load,
        int n,
        double alphaNs,
        double alphaHalfNs,
        double nsPerByte,
        double nsPerByteHalf,
        double idleAlphaNs,
        double idleNsPerByte) {
    private static final int LEAST_SIZES = 3;

    /** beta_eff in GB/s. */
    public double betaGbPerS() {
        return 1 / nsPerByte;
    }

    /** How many times the idle slope the slope is. */
    public double slopeRatio() {
        return nsPerByte / idleNsPerByte;
    }

    private record Place(String group, double flows, double load) {}

    static List<EffectiveAlphaBeta> of(List<Observation> observations, Function<Observation, String> group) {
        Map<Place, List<Observation>> places = new TreeMap<>(Comparator.comparing(Place::group)
                .thenComparingDouble(Place::flows)
                .thenComparingDouble(Place::load));
        for (Observation o : observations) {
            places.computeIfAbsent(
                            new Place(
                                    group.apply(o),
                                    o.conditions().flows(),
                                    o.conditions().load()),
                            k -> new ArrayList<>())
                    .add(o);
        }
        List<EffectiveAlphaBeta> found = new ArrayList<>();
        places.forEach((place, at) -> {
            long sizes = at.stream().mapToDouble(o -> bytes(o)).distinct().count();
            if (sizes >= LEAST_SIZES) {
                Line loaded = Line.through(at, Observation::value);
                Line idle = Line.through(at, o -> o.conditions().zeroLoadNs());
                found.add(new EffectiveAlphaBeta(
                        place.group,
                        place.flows,
                        place.load,
                        at.size(),
                        loaded.intercept,
                        loaded.interceptHalf,
                        loaded.slope,
                        loaded.slopeHalf,
                        idle.intercept,
                        idle.slope));
            }
        });
        return found;
    }

    private static double bytes(Observation o) {
        return o.conditions().wireBytes();
    }

    private record Line(double intercept, double interceptHalf, double slope, double slopeHalf) {
        static Line through(List<Observation> at, java.util.function.ToDoubleFunction<Observation> value) {
            double w = 0;
            double wx = 0;
            double wy = 0;
            for (Observation o : at) {
                double weight = weight(value.applyAsDouble(o));
                w += weight;
                wx += weight * bytes(o);
                wy += weight * value.applyAsDouble(o);
            }
            double meanX = wx / w;
            double meanY = wy / w;
            double xx = 0;
            double xy = 0;
            for (Observation o : at) {
                double weight = weight(value.applyAsDouble(o));
                xx += weight * (bytes(o) - meanX) * (bytes(o) - meanX);
                xy += weight * (bytes(o) - meanX) * (value.applyAsDouble(o) - meanY);
            }
            double slope = xy / xx;
            double squares = 0;
            for (Observation o : at) {
                double residual = value.applyAsDouble(o) - meanY - slope * (bytes(o) - meanX);
                squares += weight(value.applyAsDouble(o)) * residual * residual;
            }
            int degrees = at.size() - 2;
            double deviation =
                    Math.sqrt(squares / degrees) * new TDistribution(null, degrees).inverseCumulativeProbability(0.975);
            return new Line(
                    meanY - slope * meanX,
                    deviation * Math.sqrt(1 / w + meanX * meanX / xx),
                    slope,
                    deviation / Math.sqrt(xx));
        }

        private static double weight(double value) {
            return 1 / (value * value);
        }
    }
}
