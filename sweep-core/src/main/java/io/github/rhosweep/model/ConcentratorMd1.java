package io.github.rhosweep.model;

/**
 * N access links into one port, each no slower than it: W = W_md1(rho) - W_md1(rho/N) for Poisson frames and links of the port's speed.
 *
 * <p>In general the wait at NIC and VOQ together is that of a queue which all arrivals join directly: a NIC that is no slower than the
 * port hands frames over no later than the port could take them, so that the port, a frame's time later, is busy exactly when that queue
 * is. Taking the NIC's share away leaves the VOQ's: W = tau W_batch(rho, kb) - S_n W_batch(rho_n, k) - (b-1)/2 s + (s - s_last)/b for
 * epochs of k messages of b frames; s and s_last are a NIC's times for a full and for the last frame, S_n for a message, rho_n its load.
 */
final class ConcentratorMd1 extends VoqWaitModel {
    ConcentratorMd1() {
        super(new Card(
                "concentrator_md1",
                "W = W_md1(rho) - W_md1(rho/N); messages of b frames: M^[b]/D/1 less the wait at the NIC",
                "N, rho, b, tau, NIC speed",
                "tandem of equal constant servers (Friedman 1965, Operations Research 13, 121-131), derived in the class",
                "exact for Poisson messages or batches to one host over links no slower than the port; none elsewhere and from "
                        + "rho = 1"));
    }

    @Override
    Prediction waitNs(Point point) {
        if (!point.poissonEpochs() || !point.incast()) {
            return Prediction.none("only for Poisson arrivals of messages or batches to one host");
        }
        String reason = point.noSteadyState();
        if (reason != null) {
            return Prediction.none(reason);
        }
        double frame = point.nicFrameNs();
        double last = point.nicLastFrameNs();
        if (frame > point.tauNs()) {
            return Prediction.none("NICs slower than the port");
        }
        double b = point.frames();
        double k = point.messagesPerEpoch();
        double message = (b - 1) * frame + last;
        double nicLoad = point.rho() / point.senders() * message / point.serviceNs(Target.MESSAGE);
        double together = BatchMd1.meanWait(point.rho(), k * b) * point.tauNs();
        double atNic = BatchMd1.meanWait(nicLoad, k) * message + (b - 1) / 2 * frame;
        return Prediction.of(together - atNic + (frame - last) / b);
    }
}
