package io.github.rhosweep.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A model of the mean wait of a frame between joining its VOQ and leaving it. */
abstract class VoqWaitModel extends ListedModel {
    VoqWaitModel(Card card) {
        super(card, List.of(Target.VOQ_WAIT));
    }

    @Override
    public final Prediction predict(Target target, Point point) {
        String reason = noVoqWait(point);
        return reason != null ? Prediction.none(reason) : waitNs(point);
    }

    /** Why a VOQ's wait is not the wait for one server of constant service, or null if it is. */
    @Nullable
    static String noVoqWait(Point point) {
        if (point.switchSpec() == null) {
            return "no switch, so no VOQ";
        }
        return point.framesFitSlots() ? null : "frames longer than a slot wait at the port too";
    }

    /** Mean wait in the VOQ, in ns. */
    abstract Prediction waitNs(Point point);
}
