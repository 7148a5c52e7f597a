package io.github.rhosweep.result;

/**
 * What a run offered and what became of it, from its start to its end, warm-up included. Bytes are wire bytes of data frames.
 *
 * @param offeredMessages messages offered
 * @param deliveredMessages messages whose every frame arrived
 * @param lostMessages messages of which a frame was dropped
 * @param inFlightMessages messages neither delivered nor lost
 * @param offeredFrames frames of all messages offered
 * @param deliveredFrames frames that arrived at their destination and were taken, each once
 * @param droppedFrames frames that a switch did not admit
 * @param inFlightFrames frames in source queues, on links or in switches at the end
 * @param offeredBytes wire bytes of the frames offered
 * @param deliveredBytes wire bytes of the frames that arrived
 * @param droppedBytes wire bytes of the frames dropped
 * @param inFlightBytes wire bytes of the frames in flight
 * @param retransmittedFrames frames sent again, as many times as they were
 * @param retransmittedBytes their wire bytes
 * @param discardedFrames frames that arrived and were not taken: their receiver had them, or takes frames in order only
 * @param discardedBytes their wire bytes
 * @param measuredMessages messages that count as samples, delivered or lost
 * @param measuredLostMessages those of them that were lost
 * @param events events that the simulator handled
 * @param endPs when the run ended, in ps
 */
public record RunTotals(
        long offeredMessages,
        long deliveredMessages,
        long lostMessages,
        long inFlightMessages,
        long offeredFrames,
        long deliveredFrames,
        long droppedFrames,
        long inFlightFrames,
        long offeredBytes,
        long deliveredBytes,
        long droppedBytes,
        long inFlightBytes,
        long retransmittedFrames,
        long retransmittedBytes,
        long discardedFrames,
        long discardedBytes,
        long measuredMessages,
        long measuredLostMessages,
        long events,
        long endPs) {
    /** @throws IllegalStateException if messages, frames or bytes do not balance: a defect of the simulator */
    public RunTotals {
        requireBalance("messages", offeredMessages, deliveredMessages, lostMessages, inFlightMessages);
        requireBalance(
                "frames",
                offeredFrames + retransmittedFrames,
                deliveredFrames + discardedFrames,
                droppedFrames,
                inFlightFrames);
        requireBalance(
                "bytes",
                offeredBytes + retransmittedBytes,
                deliveredBytes + discardedBytes,
                droppedBytes,
                inFlightBytes);
        if (measuredLostMessages > measuredMessages || measuredMessages > offeredMessages) {
            throw new IllegalStateException("of " + offeredMessages + " messages " + measuredMessages
                    + " were measured and " + measuredLostMessages + " of those lost");
        }
    }

    private static void requireBalance(String what, long offered, long delivered, long dropped, long inFlight) {
        if (offered < 0 || delivered < 0 || dropped < 0 || inFlight < 0 || offered != delivered + dropped + inFlight) {
            throw new IllegalStateException(
                    "run does not balance: " + offered + " " + what + " offered, but " + delivered
                            + " delivered + " + dropped + " dropped + " + inFlight + " in flight = "
                            + (delivered + dropped + inFlight));
        }
    }
}
