package io.github.rhosweep.kernel;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Told of every decision that a switch takes, at the moment it takes it. For a person who asks why: it changes nothing of the run,
 * and a run without one pays a comparison with null.
 */
@FunctionalInterface
public interface SwitchTrace {
    /** What was decided. */
    enum Kind {
        /** An arriving frame joins its VOQ. */
        ADMIT,
        /** An arriving frame is refused. */
        DROP,
        /** An egress grants an ingress, which accepts. */
        GRANT,
        /** A frame leaves its VOQ as it came. */
        FORWARD,
        /** A frame leaves its VOQ with the congestion mark. */
        MARK;

        /** In lower case. */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * One decision.
     *
     * @param timePs when, in ps
     * @param switchNumber which switch, from 0
     * @param kind what was decided
     * @param frame number of the frame by its arrival at this switch, from 1
     * @param ingress port that it came in by
     * @param egress port that it leaves by
     * @param priority 2 (data) or 3 (control); of four classes 3 (control), 2 (REQ), 1 (RSP) or 0
     * @param wireBytes its size
     * @param queueBytes wire bytes in its VOQ before it joins or leaves
     * @param usedBytes wire bytes that count for the decision, before it: those of its pool, or, for marks with
     *     {@code switch.ecn_scope} egress, those queued for its egress
     * @param allowedBytes wire bytes that its VOQ may hold; null where no such rule is asked
     * @param round of iSLIP in which the pair was matched, from 1; null for arrivals
     * @param markProbability null but for data frames that leave
     * @param finishPs when its last bit is on the outgoing link; null until it leaves
     * @param reason the rule with its numbers, for people
     */
    record Event(
            long timePs,
            int switchNumber,
            Kind kind,
            long frame,
            int ingress,
            int egress,
            int priority,
            int wireBytes,
            long queueBytes,
            long usedBytes,
            @Nullable Double allowedBytes,
            @Nullable Integer round,
            @Nullable Double markProbability,
            @Nullable Long finishPs,
            String reason) {}

    void decided(Event event);
}
