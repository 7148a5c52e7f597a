package io.github.rhosweep.model;

/**
 * The design's other form: T_ab, T_ab + W_md1, M/beta_saturated alone. The last has neither alpha nor queueing, so it falls below T_ab at the
 * upper threshold; that is the form as given, and what comes of it is measured.
 */
final class SegmentedPlain extends SegmentedModel {
    SegmentedPlain() {
        super(new Card(
                "segmented_plain",
                "rho<low: T_ab; <sat: T_ab + W_md1 b tau; else M/beta_saturated, beta_saturated = beta eta/F",
                "rho, N, b, tau, eta, thresholds, T_ab",
                "the design's method 2",
                "an approximation that jumps at both thresholds; none without a load"));
    }

    @Override
    double low(Point point) {
        return point.zeroLoadNs(Target.MESSAGE);
    }

    @Override
    Prediction congested(Point point) {
        return Prediction.of(saturatedNs(point));
    }
}
