package io.github.rhosweep.model;

/**
 * The design's recommendation: below low sharing alone, from low queueing added, from saturation no less than saturated throughput
 * allows.
 *
 * <p>Sharing plus queueing already exceeds M/beta_saturated wherever eta is 1 (both have the same F), so the last bound only acts for
 * patterns that a matching cannot saturate.
 */
final class Segmented extends SegmentedModel {
    Segmented() {
        super(new Card(
                "segmented",
                "rho<low: static; <sat: static + W_md1 b tau; else max(static + W_md1 b tau, M/beta_saturated)",
                "rho, N, b, tau, eta, thresholds, T_ab",
                "the design's recommended strategy",
                "an approximation that jumps at its lower threshold; none without a load and from rho = 1"));
    }
}
