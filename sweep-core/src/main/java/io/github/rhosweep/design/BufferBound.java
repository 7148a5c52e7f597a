package io.github.rhosweep.design;

import io.github.rhosweep.scenario.FlowControlSpec;
import io.github.rhosweep.scenario.LinkSpec;
import io.github.rhosweep.scenario.MeasureSpec;
import io.github.rhosweep.scenario.Params;
import io.github.rhosweep.scenario.SwitchSpec;
import io.github.rhosweep.scenario.TrafficSpec;
import io.github.rhosweep.scenario.TrafficSpec.ArrivalKind;
import io.github.rhosweep.scenario.TrafficSpec.PatternKind;
import io.github.rhosweep.scenario.TransportSpec;
import java.math.BigDecimal;

/**
 * How full a switch's buffer can become, from the parameters alone. Bounds are sound but loose: whoever relies on one may at
 * worst warn too seldom or replicate what needs no replicates.
 */
final class BufferBound {
    /** A fill that fewer runs than this reach is as good as never reached. */
    private static final double NEGLIGIBLE = 1e-3;

    private BufferBound() {}

    /** The largest buffer fill (used / capacity) that any run of the point can show. */
    static double largestFill(Params p) {
        double capacity = p.get(SwitchSpec.BUFFER_CAPACITY);
        double frame = fullFrameBytes(p);
        // Admission lets at most one frame beyond the pool, but for reservations.
        double most = p.get(SwitchSpec.ADMISSION) == SwitchSpec.Admission.RESERVED
                ? Double.POSITIVE_INFINITY
                : capacity + frame;
        return Math.min(Math.min(most, offeredBytes(p)), thresholdBytes(p, capacity, frame)) / capacity;
    }

    /** Bytes that can ever be in the switch at once because of what is offered. */
    static double offeredBytes(Params p) {
        if (p.get(TransportSpec.RECOVERY) != TransportSpec.Recovery.NONE || answersQueue(p)) {
            return Double.POSITIVE_INFINITY; // Frames may be sent again, and answers come on top.
        }
        if (TrafficSpec.isClosed(p)) {
            if (p.get(TrafficSpec.PATTERN) == PatternKind.MIX) {
                return Double.POSITIVE_INFINITY; // The background goes on as long as the foreground does.
            }
            return TrafficSpec.frames(p) * fullFrameBytes(p);
        }
        if (TrafficSpec.drawsSizes(p)) {
            return Double.POSITIVE_INFINITY; // Any message may be of the largest.
        }
        ArrivalKind arrivals = p.get(TrafficSpec.ARRIVALS);
        if (arrivals == ArrivalKind.ONCE) {
            return p.get(MeasureSpec.MESSAGES) * messageWireBytes(p) * TrafficSpec.multicast(p);
        }
        boolean burstsApart = arrivals == ArrivalKind.SYNCHRONIZED
                && p.get(TrafficSpec.PATTERN) == PatternKind.INCAST
                && p.get(TrafficSpec.JITTER).signum() == 0
                && p.get(TrafficSpec.LOAD).compareTo(BigDecimal.ONE) < 0
                // A NIC slower than the port's share would spread bursts over each other.
                && p.get(LinkSpec.BANDWIDTH).signum() == 0;
        return burstsApart ? p.get(TrafficSpec.FLOWS) * messageWireBytes(p) : Double.POSITIVE_INFINITY;
    }

    /**
     * Dynamic Threshold, {@code n} VOQs filled one after the other: each may take its queue to alpha x free, which leaves
     * 1 / (1 + alpha) of what was free; together {@code capacity (1 - (1 + alpha)^-n)}, and less than a frame more.
     */
    private static double thresholdBytes(Params p, double capacity, double frame) {
        if (p.find(FlowControlSpec.KIND) != FlowControlSpec.Kind.LOSSY
                || answersQueue(p)
                || p.get(SwitchSpec.ADMISSION) != SwitchSpec.Admission.SIMPLIFIED
                || p.get(TrafficSpec.PATTERN) != PatternKind.INCAST) {
            return Double.POSITIVE_INFINITY;
        }
        double alpha = p.get(SwitchSpec.ALPHA).doubleValue();
        // One VOQ for each class of data.
        double flows = (double) p.get(TrafficSpec.FLOWS)
                * p.get(SwitchSpec.PRIORITY_CLASSES).ofData();
        return capacity * (1 - StrictMath.pow(1 + alpha, -flows)) + frame;
    }

    private static boolean answersQueue(Params p) {
        return p.find(TransportSpec.RESPONSE_CHANNEL) == TransportSpec.ResponseChannel.VOQ;
    }

    /**
     * Bytes that the switch hardly ever holds: with independent arrivals to one egress the queue is below that of an M/D/1 of whole
     * messages, of which {@code P(Q > x messages) < exp(-s x)} with {@code rho (e^s - 1) = s} (Kingman 1964, by the exponential
     * martingale). Returns the x that fewer than one run in a thousand exceeds, or infinity where this does not hold.
     */
    static double likelyBytes(Params p) {
        if (p.get(TrafficSpec.PATTERN) != PatternKind.INCAST
                || TrafficSpec.drawsSizes(p)
                || p.get(TransportSpec.RECOVERY) != TransportSpec.Recovery.NONE
                || answersQueue(p)) {
            return Double.POSITIVE_INFINITY;
        }
        double batch = switch (p.get(TrafficSpec.ARRIVALS)) {
            // Smoother than Poisson counts as Poisson.
            case POISSON, BERNOULLI, PERIODIC, ERLANG -> 1;
            case BATCH -> p.get(TrafficSpec.BATCH);
            case ONCE, SYNCHRONIZED, HYPEREXPONENTIAL, ON_OFF -> Double.NaN;
        };
        double rho = Double.isNaN(batch) ? 1 : p.get(TrafficSpec.LOAD).doubleValue();
        if (rho >= 1) {
            return Double.POSITIVE_INFINITY;
        }
        double messages = p.get(MeasureSpec.MESSAGES);
        double exceedance = NEGLIGIBLE / Math.max(1, messages);
        return (-StrictMath.log(exceedance) / decayRate(rho) + 1) * batch * messageWireBytes(p);
    }

    /** The positive root s of {@code rho (e^s - 1) = s}, by bisection. */
    static double decayRate(double rho) {
        double low = 0;
        double high = 2 * -StrictMath.log(rho) + 2;
        for (int i = 0; i < 60; i++) {
            double s = (low + high) / 2;
            if (rho * StrictMath.expm1(s) < s) {
                low = s;
            } else {
                high = s;
            }
        }
        return low;
    }

    static double fullFrameBytes(Params p) {
        return TrafficSpec.fullFrameWireBytes(p);
    }

    /** Mean frames of a message. */
    static double framesPerMessage(Params p) {
        return TrafficSpec.meanFrames(p);
    }

    /** Mean wire bytes of a message. */
    static double messageWireBytes(Params p) {
        return TrafficSpec.meanMessageBytes(p) + framesPerMessage(p) * TrafficSpec.headerBytes(p);
    }
}
