package io.github.rhosweep.topology;

import io.github.rhosweep.scenario.TrafficSpec;
import java.util.List;

/**
 * The way from one host to another through an otherwise idle fabric.
 *
 * @param hops serialisers with their links, in order; the first is the sender's NIC
 */
public record Path(List<Hop> hops) {
    public Path {
        hops = List.copyOf(hops);
        if (hops.isEmpty()) {
            throw new IllegalArgumentException("a path has at least one hop");
        }
    }

    /** alpha: all propagation and forwarding delays, in ps; no serialisation. */
    public long alphaPs() {
        return hops.stream().mapToLong(Hop::delayPs).sum();
    }

    /** The serialiser that keeps a frame of so many wire bytes longest; of equally slow ones the last. */
    public Hop bottleneck(long wireBytes) {
        Hop slowest = hops.get(0);
        for (Hop hop : hops) {
            if (hop.servicePs(wireBytes) >= slowest.servicePs(wireBytes)) {
                slowest = hop;
            }
        }
        return slowest;
    }

    /** The last serialiser: the port where flows to one host meet (the sender's NIC where there is no switch). */
    public Hop last() {
        return hops.get(hops.size() - 1);
    }

    /** {@link #zeroLoadPs(long, long, long)} of a message as the traffic cuts it. */
    public long zeroLoadPs(TrafficSpec traffic) {
        return zeroLoadPs(traffic.framesPerMessage(), traffic.fullFrameWireBytes(), traffic.lastFrameWireBytes());
    }

    /**
     * T_ab of one frame, in ps: from the start of its transmission to its arrival.
     *
     * @param wireBytes of the frame
     */
    public long zeroLoadPs(long wireBytes) {
        return zeroLoadPs(1, wireBytes, wireBytes);
    }

    /**
     * T_ab: from the offer of a message to the arrival of its last frame when nothing else is on the way, in ps. Where frames fill
     * the slots this is Hockney's alpha + M/beta with stores and forwards: alpha, the first frame's serialisation before the
     * bottleneck, all of the message at the bottleneck, the last frame's serialisation after it. Each frame is rounded by itself
     * (D-1), so that a lone message in the simulator takes exactly this long; frames below a slot leave one a slot apart, and
     * the last frame, if shorter, waits for the one before it at every serialiser. Behind a gated port slower than the slot, where
     * another switch follows, it is an approximation.
     *
     * @param frames b, at least 1
     * @param fullWireBytes wire bytes of all frames but the last
     * @param lastWireBytes wire bytes of the last frame, at most {@code fullWireBytes}
     * @throws ArithmeticException if the time exceeds 2^63 ps
     */
    public long zeroLoadPs(long frames, long fullWireBytes, long lastWireBytes) {
        // Arrival at the serialiser: full frame i at first + i * gap, the last frame at `last`. At the NIC all are
        // there at 0.
        long first = 0;
        long gap = 0;
        long last = 0;
        for (Hop hop : hops) {
            long lastSerialisation = hop.serialisationPs(lastWireBytes);
            long lastStart = last;
            if (frames > 1) {
                long serialisation = hop.serialisationPs(fullWireBytes);
                long before = frames - 2;
                long leaves = Math.addExact(first, leavesAfterPs(hop, serialisation, gap, before));
                long spacing = Math.max(Math.max(gap, hop.slotPs()), serialisation);
                // Under overlap frames leave the queue each slot and wait at the port; gated, they wait in the queue.
                long idle = (hop.gated() ? leaves : Math.addExact(first, Math.multiplyExact(before, spacing)))
                        + serialisation;
                lastStart = Math.max(last, leaves + hop.slotPs());
                if (idle > lastStart) {
                    lastStart = hop.gated() ? lastStart + ticks(idle - lastStart, hop.slotPs()) : idle;
                }
                first += serialisation + hop.delayPs();
                // Gated, frames that come faster than they leave do so on a grid of slots, but for the first: their
                // mean.
                gap = hop.gated() && serialisation > Math.max(gap, hop.slotPs())
                        ? before == 0
                                ? ticks(serialisation, hop.slotPs())
                                : leavesAfterPs(hop, serialisation, gap, before) / before
                        : spacing;
            }
            last = Math.addExact(lastStart, lastSerialisation + hop.delayPs());
        }
        return last;
    }

    /** {@link #bottleneckPs(long, long, long)} of a message as the traffic cuts it. */
    public long bottleneckPs(TrafficSpec traffic) {
        return bottleneckPs(traffic.framesPerMessage(), traffic.fullFrameWireBytes(), traffic.lastFrameWireBytes());
    }

    /** The part of {@link #zeroLoadPs(long, long, long)} that grows with the message: M/beta at the bottleneck, in ps. */
    public long bottleneckPs(long frames, long fullWireBytes, long lastWireBytes) {
        Hop hop = bottleneck(fullWireBytes);
        return Math.addExact(
                Math.multiplyExact(frames - 1, hop.servicePs(fullWireBytes)), hop.serialisationPs(lastWireBytes));
    }

    /** When full frame {@code index} leaves the queue, after the first one did, if frames arrive {@code gap} apart, in ps. */
    private static long leavesAfterPs(Hop hop, long serialisation, long gap, long index) {
        long slot = hop.slotPs();
        if (!hop.gated() || serialisation <= slot || gap >= serialisation) {
            return Math.multiplyExact(index, Math.max(gap, slot));
        }
        // The port is busy at the next frame's first tick. Its ticks go on a slot apart from max(arrival, last tick +
        // slot) until
        // one finds the port idle. Each frame arrives earlier, relative to the departure before it, until it does so
        // within a
        // slot of it: from there on departures lie on the grid of the one before.
        long leaves = 0;
        for (long i = 1; i <= index; i++) {
            long tick = Math.max(i * gap, leaves + slot);
            if (tick == leaves + slot) {
                return Math.addExact(
                        leaves, Math.multiplyExact(index - i + 1, slot + ticks(serialisation - slot, slot)));
            }
            leaves = tick + ticks(leaves + serialisation - tick, slot);
        }
        return leaves;
    }

    /** The least whole number of slots that covers {@code time}, in ps. */
    private static long ticks(long time, long slot) {
        return (time + slot - 1) / slot * slot;
    }
}
