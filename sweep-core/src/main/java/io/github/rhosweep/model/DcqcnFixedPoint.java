package io.github.rhosweep.model;

import io.github.rhosweep.scenario.DcqcnSpec;
import io.github.rhosweep.scenario.SwitchSpec;
import java.util.List;

/**
 * Where N DCQCN senders to one port settle: every rate C/N, and the queue where RED marks just as often as that takes.
 *
 * <p>With R = C/N in frames a second, tau the notification interval, tau' the alpha timer, T the rate timer, B the byte counter in frames:
 * a = 1-(1-p)^(tau R), alpha* = 1-(1-p)^(tau' R), b = p/((1-p)^-B - 1), c = b (1-p)^(F B), d = p/((1-p)^(-T R) - 1), e = d (1-p)^(F T R); p
 * solves a^2 alpha* / ((b+d)(c+e)) = tau^2 R_AI R; q = kmin + p/pmax (kmax - kmin).
 */
final class DcqcnFixedPoint implements AnalyticModel {
    private static final Card CARD = new Card(
            "dcqcn_fixed_point",
            "a^2 alpha*/((b+d)(c+e)) = tau^2 R_AI R; q = kmin + p/pmax (kmax - kmin)",
            "N, C, DCQCN's constants, kmin, kmax, pmax",
            "Zhu, Ghobadi, Misra, Padhye 2016, CoNEXT (ECN or Delay), theorem 1 and equation 11",
            "long flows that never stop; the fluid limit, within 25% of mean queues measured; none where no p up to pmax solves it, where a"
                    + " buffer loses frames first, or without DCQCN");

    @Override
    public Card card() {
        return CARD;
    }

    @Override
    public List<Target> targets() {
        return List.of(Target.MARKING, Target.QUEUE);
    }

    @Override
    public Prediction predict(Target target, Point point) {
        DcqcnSpec rates = point.scenario().transport().dcqcn();
        SwitchSpec sw = point.switchSpec();
        if (rates == null || sw == null || !point.incast()) {
            return Prediction.none("only for DCQCN senders to one host through a switch");
        }
        double frameBytes = point.traffic().fullFrameWireBytes();
        // In seconds and frames: what follows has squares of times.
        double rate = 1e9 / point.tauNs() / point.senders();
        double pmax = sw.ecnPmax();
        if (!(excess(pmax, rates, rate, frameBytes) >= 0)) {
            return Prediction.none(
                    "no marking probability up to switch.ecn_pmax settles: the queue goes round about kmax");
        }
        double low = 0;
        double high = pmax;
        for (int i = 0; i < 200 && low < high; i++) {
            double middle = (low + high) / 2;
            if (middle == low || middle == high) {
                break;
            }
            if (excess(middle, rates, rate, frameBytes) < 0) {
                low = middle;
            } else {
                high = middle;
            }
        }
        if (target == Target.MARKING) {
            return Prediction.of(high);
        }
        double capacity = sw.bufferCapacityBytes();
        return Prediction.of(capacity * (sw.ecnKmin() + high / pmax * (sw.ecnKmax() - sw.ecnKmin())));
    }

    /** Left side over right side, less 1: grows with p. */
    private static double excess(double p, DcqcnSpec rates, double rate, double frameBytes) {
        double log = StrictMath.log1p(-p);
        double tau = rates.cnpIntervalPs() / 1e12;
        double timer = rates.rateTimerPs() / 1e12;
        double f = rates.fastRecovery();
        double a = -StrictMath.expm1(tau * rate * log);
        double alpha = -StrictMath.expm1(rates.alphaTimerPs() / 1e12 * rate * log);
        double d = p / StrictMath.expm1(-timer * rate * log);
        double e = d * StrictMath.exp(f * timer * rate * log);
        double b = 0;
        double c = 0;
        if (rates.byteCounter() != Long.MAX_VALUE) {
            double counter = rates.byteCounter() / frameBytes;
            b = p / StrictMath.expm1(-counter * log);
            c = b * StrictMath.exp(f * counter * log);
        }
        double increase = rates.rateAi() * 1e9 / frameBytes;
        return a * a * alpha / ((b + d) * (c + e)) / (tau * tau * increase * rate) - 1;
    }
}
