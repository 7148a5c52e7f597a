package io.github.rhosweep.model;

import java.util.List;

/**
 * N aligned senders to one host, served round robin, a frame a slot: with access links at port speed and whole frames the mean wait is
 * b(N-1)/2, the longest b(N-1), and the last frame leaves in slot N b.
 *
 * <p>In general frame k of every message is there at k u slots (u: NIC's time for a frame, in slots; the last, shorter one earlier) and
 * leaves in round k, which begins at k max(N, u), each sender's in a slot of its own. Waits grow by (1 - s_last/slot)/b when the
 * last frame is short, since it arrives early; unlimited links (u = 0) give (N b - 1)/2.
 */
final class SyncIncast implements AnalyticModel {
    private static final Card CARD = new Card(
            "sync_incast",
            "W = b(N-1)/2, max b(N-1) slots; T = T_ab + (b-1/2)(N-1) slots, max T_ab + b(N-1)",
            "N, b, slot, NIC speed, last frame",
            "round robin of N equal queues, derived in the class",
            "exact for one volley at a time from aligned senders to one host that fits the buffer; none elsewhere");

    @Override
    public Card card() {
        return CARD;
    }

    @Override
    public List<Target> targets() {
        return List.of(Target.MESSAGE, Target.MESSAGE_MAX, Target.VOQ_WAIT, Target.VOQ_WAIT_MAX);
    }

    @Override
    public Prediction predict(Target target, Point point) {
        String reason = VoqWaitModel.noVoqWait(point);
        if (reason != null) {
            return Prediction.none(reason);
        }
        if (!point.exactlyAligned() || !point.incast()) {
            return Prediction.none("only for aligned senders, without jitter, to one host");
        }
        double n = point.senders();
        double slot = point.tauNs();
        double u = point.nicFrameNs() / slot;
        if (Math.max(n, u) * point.rho() > n) { // false without a load
            return Prediction.none("a volley begins before the one before it is over");
        }
        if (IncastOnset.overflows(point)) {
            return Prediction.none("the volley overflows the buffer");
        }
        double b = point.frames();
        double round = Math.max(n, u);
        double lastArrives = b == 1 ? 0 : (b - 2) * u + point.nicLastFrameNs() / slot;
        double lastRound = b == 1 ? 0 : Math.max(lastArrives, (b - 2) * round + n);
        double lastWait = lastRound - lastArrives;
        double beforeLast = (b - 1) * (b - 2) / 2 * (round - u); // summed over the frames before the last
        double fixed = point.path().alphaPs() / 1e3 + point.nicFrameNs() + point.portLastFrameNs();
        return Prediction.of(
                switch (target) {
                    case VOQ_WAIT -> ((beforeLast + lastWait) / b + (n - 1) / 2) * slot;
                    case VOQ_WAIT_MAX -> (Math.max(lastWait, Math.max(0, b - 2) * (round - u)) + n - 1) * slot;
                    case MESSAGE -> fixed + (lastRound + (n - 1) / 2) * slot;
                    case MESSAGE_MAX -> fixed + (lastRound + n - 1) * slot;
                    default -> throw new IllegalArgumentException(target.toString());
                });
    }
}
