package io.github.rhosweep.model;

/**
 * {@link Segmented} with thresholds from flows, topology and capacity: contention, the sum of sharing and queueing, is rho (N-1)/N + rho/(2
 * (1-rho)) message times; low ends where it adds 5% to T_ab, saturation begins where it is as much as T_ab (where queueing becomes
 * "the dominant term", in the design's words). Long paths and short messages move both up.
 */
final class SegmentedAuto extends SegmentedModel {
    private static final double NEGLIGIBLE = 0.05;

    SegmentedAuto() {
        super(new Card(
                "segmented_auto",
                "as segmented; low: sharing and queueing add 5% to T_ab; sat: 100%",
                "rho, N, b, tau, eta, T_ab",
                "the design's automatic boundaries; the two fractions are this project's reading of them",
                "an approximation that jumps at its lower threshold; none without a load and from rho = 1"));
    }

    /**
     * The load at which a rho + rho/(2(1-rho)) = y.
     *
     * @param a weight of sharing, 0 .. 1
     * @param y contention in message times, above 0
     */
    static double loadAt(double a, double y) {
        double half = 2 * a + 1 + 2 * y;
        return 4 * y / (half + Math.sqrt(half * half - 16 * a * y));
    }

    private static double threshold(Point point, double fraction) {
        double n = point.senders();
        return loadAt((n - 1) / n, fraction * point.zeroLoadNs(Target.MESSAGE) / point.serviceNs(Target.MESSAGE));
    }

    @Override
    double lowThreshold(Point point) {
        return threshold(point, NEGLIGIBLE);
    }

    @Override
    double saturationThreshold(Point point) {
        return threshold(point, 1);
    }
}
