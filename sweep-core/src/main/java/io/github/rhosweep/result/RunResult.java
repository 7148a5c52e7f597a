package io.github.rhosweep.result;

import io.github.rhosweep.scenario.MeasureSpec;
import org.jspecify.annotations.Nullable;

/**
 * Everything that one run yields. A value that does not exist is null.
 *
 * @param kind steady or finite
 * @param totals offers and what became of them; they balance
 * @param transport what senders, receivers and flow control counted
 * @param switchCounters of the switch, or of all together; null without one
 * @param messageLatency from the offer of a message to the arrival of its last frame
 * @param frameLatency from the start of a frame's transmission by the NIC to its arrival
 * @param voqWait of a frame, from enqueue to dequeue in the switch
 * @param sourceWait of a frame, from the offer of its message to the start of its transmission by the NIC
 * @param measuredFromPs end of the warm-up removed, in ps; 0 where none was
 * @param measuredToPs end of the measured time: last measured offer of a steady run; of a finite one when the last frame was
 *     delivered or dropped, in ps
 * @param deliveredPayloadBytes payload of the messages completed within the measured time
 * @param bottleneckBusyPs time within the measured time in which the bottleneck egress was sending, in ps
 * @param bottleneckFrames frames that arrived for the bottleneck egress within the measured time
 * @param slotPs time slot of the switch, in ps; 0 without a switch
 * @param arrivalScv SCV of the gaps between frames that arrive for the bottleneck egress, warm-up included unless it was given
 * @param serviceScv SCV of the service times max(serialisation, slot) of the frames that the bottleneck egress sent; as long
 * @param jainFlows Jain index over flows of the payload delivered
 * @param jainIngresses Jain index over the ingresses that received anything of the frames forwarded
 * @param linkUse how the links that leave switches were used
 * @param closed what a closed pattern has beside; null for an open one
 * @param zeroLoadMessagePs latency of a message in an idle network, in ps; 0 where messages differ in size
 * @param stable whether a steady state was reached; null for a finite run
 * @param linkUnlimited whether NICs take no time
 * @param nullReason why values that one would expect are null; null if none is
 * @param recording what is kept of the run besides its row; null if nothing is
 */
public record RunResult(
        MeasureSpec.Kind kind,
        RunTotals totals,
        TransportCounters transport,
        @Nullable SwitchCounters switchCounters,
        Estimate messageLatency,
        Estimate frameLatency,
        Estimate voqWait,
        Estimate sourceWait,
        long measuredFromPs,
        long measuredToPs,
        long deliveredPayloadBytes,
        long bottleneckBusyPs,
        long bottleneckFrames,
        long slotPs,
        @Nullable Double arrivalScv,
        @Nullable Double serviceScv,
        @Nullable Double jainFlows,
        @Nullable Double jainIngresses,
        LinkUse linkUse,
        @Nullable Closed closed,
        long zeroLoadMessagePs,
        @Nullable Boolean stable,
        boolean linkUnlimited,
        @Nullable String nullReason,
        @Nullable Recording recording) {

    /**
     * What a closed pattern has beside.
     *
     * @param stragglerSpreadPs between the first and the last host to have received all that the pattern has for it, in ps; null if it was
     *     not completed
     * @param busBytes bytes that over the time of completion give the bus bandwidth; null where there is none
     * @param pipelineFloorPs time for which the busiest NIC of a pipeline sends; null for other patterns
     */
    public record Closed(
            @Nullable Long stragglerSpreadPs,
            @Nullable Double busBytes,
            @Nullable Long pipelineFloorPs) {}

    /** @throws IllegalStateException if the switch and the hosts counted different drops: a defect of the simulator */
    public RunResult {
        long dropped = totals.droppedFrames() - transport.hostsOfDrops() + transport.responsesDropped();
        if (switchCounters != null && switchCounters.drops() != dropped) {
            throw new IllegalStateException("run does not balance: the switch dropped " + switchCounters.drops()
                    + " frames, the run counts " + dropped + " as dropped");
        }
    }

    /** When the last delivery of a finite run was, in ps from the start of what is measured; null of a steady one, and if a measured message was lost. */
    public @Nullable Long completionPs() {
        return kind == MeasureSpec.Kind.FINITE && totals.measuredLostMessages() == 0 ? measuredPs() : null;
    }

    /** Length of the measured time, in ps. */
    public long measuredPs() {
        return measuredToPs - measuredFromPs;
    }
}
