package io.github.rhosweep.model;

import io.github.rhosweep.scenario.Pattern;
import io.github.rhosweep.scenario.SwitchSpec;

/** A formula for each regime of load, with the design's thresholds unless a model has its own. */
abstract class SegmentedModel extends LatencyModel {
    SegmentedModel(Card card) {
        super(card);
    }

    @Override
    final Prediction latencyNs(Point point) {
        double rho = point.rho();
        if (Double.isNaN(rho)) {
            return Prediction.none(Point.NO_LOAD);
        }
        return rho < lowThreshold(point)
                ? Prediction.of(low(point))
                : rho < saturationThreshold(point) ? Prediction.of(transition(point)) : congested(point);
    }

    double lowThreshold(Point point) {
        return point.scenario().model().lowThresholdRho();
    }

    double saturationThreshold(Point point) {
        return point.scenario().model().saturationThresholdRho();
    }

    /** Mean latency below the low threshold, in ns: sharing alone. */
    double low(Point point) {
        return StaticSharing.latencyNs(point, StaticSharing.activeFlows(point));
    }

    /** Mean latency between the thresholds, in ns; rho < 1. */
    double transition(Point point) {
        return low(point) + wait(point) * point.serviceNs(Target.MESSAGE);
    }

    /** W of a message, in service times; rho < 1. */
    double wait(Point point) {
        return Md1.meanWait(point.rho());
    }

    /** Mean latency from the saturation threshold. */
    Prediction congested(Point point) {
        String reason = point.noSteadyState();
        return reason != null
                ? Prediction.none(reason)
                : Prediction.of(Math.max(transition(point), saturatedNs(point)));
    }

    /** M/beta_saturated, beta_saturated = beta eta/F, in ns; F as in {@link StaticSharing}. */
    static double saturatedNs(Point point) {
        return point.egressNs() * StaticSharing.activeFlows(point) / saturationThroughput(point);
    }

    /**
     * eta: throughput that the matching leaves of the busiest egress when every VOQ is backlogged. 1 where only one egress is asked for and
     * for uniform traffic (McKeown 1999); (N-1)/N for one iteration without the own port; about .82 for diagonal traffic (measured, .81 to
     * .83, not derived).
     */
    static double saturationThroughput(Point point) {
        SwitchSpec sw = point.switchSpec();
        Pattern pattern = point.traffic().pattern();
        if (sw == null) {
            return 1;
        }
        if (pattern instanceof Pattern.Uniform uniform && !uniform.self() && sw.islipIterations() == 1) {
            double n = point.traffic().flows();
            return n > 2 ? (n - 1) / n : 1;
        }
        return pattern instanceof Pattern.Diagonal && point.senders() > 1 ? 0.82 : 1;
    }
}
