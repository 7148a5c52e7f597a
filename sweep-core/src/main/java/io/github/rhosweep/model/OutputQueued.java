package io.github.rhosweep.model;

import io.github.rhosweep.scenario.ArrivalProcess;
import io.github.rhosweep.scenario.Pattern;

/** Output queueing under Bernoulli arrivals: W = (N-1)/N rho/(2(1-rho)) slots. */
final class OutputQueued extends VoqWaitModel {
    OutputQueued() {
        super(new Card(
                "output_queued",
                "W = (N-1)/N rho/(2(1-rho)) slots",
                "N, rho, slot",
                "Karol, Hluchyj, Morgan 1987, IEEE Trans. Comm. 35, 1347-1356",
                "Bernoulli messages of one frame: exact to one host, a lower bound for uniform destinations; none elsewhere and from "
                        + "rho = 1"));
    }

    /** Mean wait, in slots; N inputs that send to an output with probability rho/N each slot. */
    static double meanWait(double rho, int inputs) {
        return (inputs - 1.0) / inputs * rho / (2 * (1 - rho));
    }

    @Override
    Prediction waitNs(Point point) {
        Pattern pattern = point.traffic().pattern();
        if (!(point.traffic().arrivals() instanceof ArrivalProcess.Bernoulli)
                || !(pattern instanceof Pattern.Incast || pattern instanceof Pattern.Uniform)
                || point.frames() > 1) {
            return Prediction.none("only for Bernoulli messages of one frame to one host or to uniform destinations");
        }
        if (point.nicFrameNs() > point.tauNs()) {
            return Prediction.none("NICs slower than the port");
        }
        String reason = point.noSteadyState();
        return reason != null
                ? Prediction.none(reason)
                : Prediction.of(meanWait(point.rho(), point.senders()) * point.tauNs());
    }
}
