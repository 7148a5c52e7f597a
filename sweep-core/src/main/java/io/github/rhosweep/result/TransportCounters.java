package io.github.rhosweep.result;

/**
 * What senders, receivers and flow control counted in a whole run, warm-up included.
 *
 * @param acksSent ACKs
 * @param naksSent NAKs
 * @param cnpsSent congestion notifications sent by receivers
 * @param cnpsReceived those that arrived at senders
 * @param responsesDropped ACKs, NAKs and CNPs that a switch did not admit
 * @param hostsOfDrops hosts beyond the first that dropped frames were for: a multicast frame is dropped once for all behind a port
 * @param timeouts times that a sender waited in vain and went back
 * @param rateLimitedPs time in which a NIC was free and held a frame back for its flow's rate alone, all hosts together, in ps
 * @param pausesSent pauses (PFC) that switches sent
 * @param stoppedPs time in which senders, hosts and ports of switches, were stopped by flow control, all together, in ps
 */
public record TransportCounters(
        long acksSent,
        long naksSent,
        long cnpsSent,
        long cnpsReceived,
        long responsesDropped,
        long hostsOfDrops,
        long timeouts,
        long rateLimitedPs,
        long pausesSent,
        long stoppedPs) {
    /** Of a run in which nobody answers and nothing is held back. */
    public static final TransportCounters NONE = new TransportCounters(0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

    /** Of a run in which ACKs are all that is answered, and nothing is held back. */
    public static TransportCounters ofAcks(long sent) {
        return sent == 0 ? NONE : new TransportCounters(sent, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    }
}
