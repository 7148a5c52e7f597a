package io.github.rhosweep.run;

import java.util.HashMap;
import java.util.Map;
import org.apache.commons.math3.distribution.TDistribution;

/**
 * Two-sided quantiles of Student's t, each found once: a point's row asks for the same few for each of its columns, and each takes as
 * long as a short run. For one thread.
 */
final class StudentQuantiles {
    private final Map<Asked, Double> known = new HashMap<>();

    private record Asked(int degreesOfFreedom, double confidence) {}

    /** {@code t} such that a Student variable lies within {@code -t .. t} with this probability. */
    double of(int degreesOfFreedom, double confidence) {
        return known.computeIfAbsent(
                new Asked(degreesOfFreedom, confidence),
                asked -> new TDistribution(null, asked.degreesOfFreedom)
                        .inverseCumulativeProbability((1 + asked.confidence) / 2));
    }
}
