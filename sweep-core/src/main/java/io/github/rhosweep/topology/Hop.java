package io.github.rhosweep.topology;

import io.github.rhosweep.scenario.LinkSpec;
import io.github.rhosweep.scenario.SwitchSpec;
import java.math.BigDecimal;

/**
 * One serialiser, a NIC or a switch port, and the link behind it.
 *
 * @param from node that serialises; hosts are numbered from 0, switches after them
 * @param to node at the other end of the link
 * @param bandwidthGbPerS of the serialiser, in GB/s; {@link LinkSpec#UNLIMITED} if it takes no time
 * @param forwardingPs fixed delay inside {@code from}, in ps; 0 in a host
 * @param slotPs least time between two frames that leave for this link, in ps; 0 in a host
 * @param gated whether a frame leaves its queue only at a tick that finds the port idle (egress_gate busy, D-7)
 * @param propagationPs of the link, in ps
 */
public record Hop(
        int from,
        int to,
        BigDecimal bandwidthGbPerS,
        long forwardingPs,
        long slotPs,
        boolean gated,
        long propagationPs) {

    /** Time that a frame of so many wire bytes takes to serialise, in ps, rounded by itself (D-1). */
    public long serialisationPs(long wireBytes) {
        return bandwidthGbPerS.signum() == 0 ? 0 : SwitchSpec.serialisationPs(wireBytes, bandwidthGbPerS);
    }

    /** Time that a frame of so many wire bytes keeps the serialiser from the next one: a frame below a slot takes a slot. */
    public long servicePs(long wireBytes) {
        return Math.max(serialisationPs(wireBytes), slotPs);
    }

    /** What every frame waits whatever its size, in ps. */
    public long delayPs() {
        return forwardingPs + propagationPs;
    }
}
