package io.github.rhosweep.model;

import io.github.rhosweep.scenario.SwitchSpec;
import java.util.List;

/**
 * When N aligned senders fill the buffer: t_fill = B_eff/((N-1) C), C the port's bandwidth and each sender's; frames are dropped iff the
 * burst lasts longer. B_eff is what Dynamic Threshold lets N VOQs hold together. Links of another speed C_n fill at N C_n - C.
 */
final class IncastOnset implements AnalyticModel {
    private static final Card CARD = new Card(
            "incast_onset",
            "t_fill = B_eff/((N-1) C); collapse iff the burst lasts longer",
            "N, M, C, NIC speed, B_eff from Dynamic Threshold",
            "fluid balance of a burst; B_eff: Choudhury and Hahne 1998",
            "within a frame a sender for aligned senders to one host; none elsewhere; no t_fill where a burst never fills it");

    @Override
    public Card card() {
        return CARD;
    }

    @Override
    public List<Target> targets() {
        return List.of(Target.FILL_TIME, Target.COLLAPSE);
    }

    /** Whether one message of every sender at once exceeds what the VOQs may hold. */
    static boolean overflows(Point point) {
        SwitchSpec sw = point.switchSpec();
        if (sw == null) {
            return false;
        }
        double message = point.traffic().messageWireBytes();
        double burstNs = point.nicMessageNs();
        double left = point.senders() * message - burstNs * drainBytesPerNs(point);
        return left > room(point, sw);
    }

    private static double room(Point point, SwitchSpec sw) {
        return point.senders() * DynamicThreshold.queueLimitBytes(sw, point.senders());
    }

    /** C, or less where frames are below a slot. */
    private static double drainBytesPerNs(Point point) {
        return point.traffic().fullFrameWireBytes() / point.tauNs();
    }

    @Override
    public Prediction predict(Target target, Point point) {
        SwitchSpec sw = point.switchSpec();
        if (sw == null || !point.incast() || !point.aligned()) {
            return Prediction.none("only for aligned senders to one host through a switch");
        }
        if (target == Target.COLLAPSE) {
            return Prediction.of(overflows(point) ? 1 : 0);
        }
        if (point.nicFrameNs() == 0) {
            return overflows(point) ? Prediction.of(0) : Prediction.none("all of the burst is there at once, and fits");
        }
        double arrival = point.senders() * point.traffic().fullFrameWireBytes() / point.nicFrameNs();
        double filling = arrival - drainBytesPerNs(point);
        return filling > 0
                ? Prediction.of(room(point, sw) / filling)
                : Prediction.none("the port drains as fast as the senders fill");
    }
}
