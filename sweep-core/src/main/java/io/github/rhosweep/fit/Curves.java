package io.github.rhosweep.fit;

import io.github.rhosweep.fit.Curve.Unknown;
import java.util.ArrayList;
import java.util.List;

/** The formulas. Each is finite and above 0 for 0 < r < 1, N >= 1, b >= 1; none has a value from r = 1. */
final class Curves {
    private static final String LOADED = "r**c/(1 - r)**d";

    private Curves() {}

    static List<Curve> all() {
        return List.of(
                power(),
                onePole(),
                rationalTotal(),
                rational(),
                rationalFrames(),
                additivePower(),
                rrFitted(),
                segmentedCorrected());
    }

    /** The crudest: the design's "f ~ flows^k". */
    private static Curve power() {
        return new Curve(
                "power",
                "T = T_ab N^k",
                "T*N**k",
                List.of(Unknown.exponent("k", -3, 5, Feature.FLOWS)),
                (c, t, s, n, r, b) -> t * pow(n, c[0]));
    }

    private static Curve onePole() {
        return new Curve(
                "one_pole",
                "T = T_ab / (1-r)^k",
                "T/(1 - r)**k",
                List.of(Unknown.exponent("k", -3, 5, Feature.LOAD)),
                (c, t, s, n, r, b) -> t * pow(1 - r, -c[0]));
    }

    private static List<Unknown> rationalUnknowns() {
        return List.of(
                Unknown.factor("a", 1e-4, 1e3),
                Unknown.exponent("e", -2, 3, Feature.FLOWS),
                Unknown.exponent("c", 0, 6, Feature.LOAD),
                Unknown.exponent("d", 0, 4, Feature.LOAD));
    }

    private static double rationalPart(double[] c, double n, double r) {
        return c[0] * exp(c[1] * log(n) + c[2] * log(r) - c[3] * log(1 - r));
    }

    private static Curve rationalTotal() {
        return new Curve(
                "rational_total",
                "T = T_ab (1 + a N^e r^c/(1-r)^d)",
                "T*(1 + a*N**e*" + LOADED + ")",
                rationalUnknowns(),
                (c, t, s, n, r, b) -> t * (1 + rationalPart(c, n, r)));
    }

    private static Curve rational() {
        return new Curve(
                "rational",
                "T = T_ab + S a N^e r^c/(1-r)^d",
                "T + S*a*N**e*" + LOADED,
                rationalUnknowns(),
                (c, t, s, n, r, b) -> t + s * rationalPart(c, n, r));
    }

    /** A message of one frame waits for half of another on average, one of many frames shares the port with whole ones. */
    private static Curve rationalFrames() {
        List<Unknown> unknowns = new ArrayList<>(rationalUnknowns());
        unknowns.add(Unknown.exponent("h", -50, 0.999, Feature.FRAMES));
        return new Curve(
                "rational_frames",
                "T = T_ab + S a N^e r^c/(1-r)^d (1 - h/b)",
                "T + S*a*N**e*" + LOADED + "*(1 - h/b)",
                List.copyOf(unknowns),
                (c, t, s, n, r, b) -> t + s * rationalPart(c, n, r) * (1 - c[4] / b));
    }

    /** For patterns without a load: what N alone adds. */
    private static Curve additivePower() {
        return new Curve(
                "additive_power",
                "T = T_ab + S a N^k",
                "T + S*a*N**k",
                List.of(Unknown.factor("a", 1e-4, 1e3), Unknown.exponent("k", -3, 5, Feature.FLOWS)),
                (c, t, s, n, r, b) -> t + s * c[0] * pow(n, c[1]));
    }

    /** rr_messages with three numbers: how fast round robin among N senders comes near to processor sharing. */
    private static Curve rrFitted() {
        return new Curve(
                "rr_fitted",
                "T = T_ab + S r/(2(1-r)) [1 + (1-1/b) x/(1+x)], x = k1 (N-1)^k2 (1-r)^k3",
                "T + S*r/(2*(1 - r))*(1 + (1 - 1/b)*(lambda x: x/(1 + x))(k1*(N - 1)**k2*(1 - r)**k3))",
                List.of(
                        Unknown.factor("k1", 1e-3, 1e3),
                        Unknown.exponent("k2", 0, 3, Feature.FLOWS),
                        Unknown.exponent("k3", 0, 5, Feature.LOAD)),
                (c, t, s, n, r, b) -> {
                    double x = n <= 1 ? 0 : c[0] * exp(c[1] * log(n - 1) + c[2] * log(1 - r));
                    return t + s * r / (2 * (1 - r)) * (1 + (1 - 1 / b) * (x / (1 + x)));
                });
    }

    /**
     * The design's regimes without their jumps: the wait of M/D/1 is cut at the thresholds into what it gains in each regime, and each gain
     * has a factor of its own, u + v (1 - h/b) q, q = (N-1)/(N-1+w), w one number up to .7 and another above (low loads alone tell little of it). As u, v >= 0 and h <= 1 the sum is continuous and does not fall
     * with r or N, whatever the numbers. The thresholds are the design's, .3 and .7, and part of the formula.
     */
    private static Curve segmentedCorrected() {
        List<Unknown> unknowns = new ArrayList<>();
        for (int i = 1; i <= 3; i++) {
            unknowns.add(Unknown.factor("u" + i, 1e-6, 1e3));
            unknowns.add(Unknown.factor("v" + i, 1e-6, 1e4));
        }
        unknowns.add(Unknown.factor("w", 1e-2, 1e4));
        unknowns.add(Unknown.factor("w3", 1e-2, 1e4));
        unknowns.add(Unknown.exponent("h", -50, 0.999, Feature.FRAMES));
        return new Curve(
                "segmented_corrected",
                "T = T_ab + S sum_i [u_i + v_i (1-h/b) (N-1)/(N-1+w_i)] (gain of r/(2(1-r)) in regime i: below .3, .3-.7, above)",
                "T + S*sum((u + v*(1 - h/b)*(N - 1)/(N - 1 + w))*max(0.0, min(r, hi)/(2*(1 - min(r, hi))) - lo/(2*(1 - lo)))"
                        + " for u, v, w, lo, hi in ((u1, v1, w, 0.0, 0.3), (u2, v2, w, 0.3, 0.7), (u3, v3, w3, 0.7, r)))",
                List.copyOf(unknowns),
                (c, t, s, n, r, b) -> {
                    double frames = 1 - c[8] / b;
                    double sum = 0;
                    for (int i = 0; i < 3; i++) {
                        double end = i == 2 ? r : Math.min(r, i == 0 ? 0.3 : 0.7);
                        double begin = i == 0 ? 0 : i == 1 ? 0.3 : 0.7;
                        double gain = Math.max(0, end / (2 * (1 - end)) - begin / (2 * (1 - begin)));
                        sum += (c[2 * i] + c[2 * i + 1] * frames * (n - 1) / (n - 1 + c[i == 2 ? 7 : 6])) * gain;
                    }
                    return t + s * sum;
                });
    }

    private static double pow(double base, double exponent) {
        return StrictMath.exp(exponent * StrictMath.log(base));
    }

    private static double exp(double x) {
        return StrictMath.exp(x);
    }

    private static double log(double x) {
        return StrictMath.log(x);
    }
}
