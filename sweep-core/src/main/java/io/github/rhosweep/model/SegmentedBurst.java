package io.github.rhosweep.model;

/** {@link Segmented} for bursts: W by Kraemer and Langenbach-Belz with an assumed c_a^2, 4 by default. */
final class SegmentedBurst extends SegmentedModel {
    private static final Klb KLB = new Klb();

    SegmentedBurst() {
        super(new Card(
                "segmented_burst",
                "as segmented with W_klb(c_a^2 assumed) in place of W_md1",
                "rho, N, b, tau, eta, thresholds, model.arrival_cv_sq, T_ab",
                "the design's arrival_cv_sq; Kraemer and Langenbach-Belz 1976",
                "an approximation that jumps at its lower threshold; none without a load and from rho = 1"));
    }

    @Override
    double wait(Point point) {
        return KLB.meanWait(point.rho(), point.scenario().model().burstArrivalScv(), 0);
    }
}
