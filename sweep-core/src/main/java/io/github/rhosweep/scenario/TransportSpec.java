package io.github.rhosweep.scenario;

import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What governs when a host sends, how it learns of losses, and how receivers answer.
 *
 * @param dcqcn the rate control; null with an open sender
 * @param creditBytes wire bytes that a flow may have unacknowledged; 0 if there is no such window
 * @param recovery what becomes of lost frames
 * @param rtoPs least time without progress after which a sender goes back to the first unacknowledged frame, in ps
 * @param acks whether receivers acknowledge
 * @param ackEvery data frames that one ACK answers
 * @param responseChannel how responses travel (D-13)
 * @param responseBytes wire bytes of an ACK, NAK or CNP
 * @param qpsPerConnection flows between two hosts, which take their messages in turn
 */
public record TransportSpec(
        @Nullable DcqcnSpec dcqcn,
        long creditBytes,
        Recovery recovery,
        long rtoPs,
        boolean acks,
        int ackEvery,
        ResponseChannel responseChannel,
        int responseBytes,
        int qpsPerConnection) {

    /** What sends. */
    public enum Sender {
        /** No control loop: a frame goes when the NIC is free. */
        OPEN,
        /** Rates follow congestion notifications ({@link DcqcnSpec}). */
        DCQCN
    }

    /** What becomes of lost frames. */
    public enum Recovery {
        /** A message that lost a frame is lost. */
        NONE,
        /** A receiver takes frames in order only and answers the first one out of order with a NAK; the sender goes back there. */
        GO_BACK_N,
        /** A receiver keeps what arrives and reports gaps; the sender repeats what is missing. */
        SELECTIVE,
        /** A receiver keeps what arrives; the sender learns of a loss by its timer alone. */
        RTO
    }

    /** How ACKs, NAKs and CNPs travel (D-13). */
    public enum ResponseChannel {
        /** They pay forwarding, serialisation and propagation on each hop, and never queue. */
        SEPARATE,
        /** They enter VOQs as frames of the control priority. */
        VOQ
    }

    /** Stands for no end-to-end window. */
    public static final Long NO_CREDITS = 0L;

    private static final String ANSWERED = "receivers answer (transport.acks, or transport.sender dcqcn)";

    public static final Parameter<Sender> SENDER = Parameter.choice("transport.sender", Sender.class)
            .byDefault("open")
            .doc("What governs when a host sends; open: nothing but its NIC");
    public static final Parameter<Long> CREDITS = Parameter.bytes("transport.credits")
            .between("1", null)
            .word("none", NO_CREDITS)
            .byDefault("none")
            .doc("End-to-end window: wire bytes that a flow may have unacknowledged");
    public static final Parameter<Recovery> RECOVERY = Parameter.choice("transport.recovery", Recovery.class)
            .byDefault("none")
            .doc("What becomes of lost frames; none: the message is lost and counted");
    public static final Parameter<BigDecimal> RTO_MIN = Parameter.time("transport.rto_min")
            .between("0.001", "1e12")
            .derived(
                    "200 ms; go-back-n and selective, where it only catches losses that nothing follows: 500 us",
                    p -> new BigDecimal(p.find(TransportSpec.RECOVERY) == Recovery.RTO ? "200000000" : "500000"))
            .onlyWhen("transport.recovery is not none", p -> p.get(TransportSpec.RECOVERY) != Recovery.NONE)
            .doc("Time without progress after which a sender goes back; doubles with each timeout in a row");
    public static final Parameter<Boolean> ACKS = Parameter.flag("transport.acks")
            .derived("true iff transport.recovery or transport.credits is not none", TransportSpec::needsAcks)
            .doc("Whether receivers acknowledge data frames");
    public static final Parameter<Long> ACK_EVERY = Parameter.count("transport.ack_every")
            .between("1", "1000000")
            .byDefault("1")
            .onlyWhen("transport.acks is true", p -> p.get(TransportSpec.ACKS))
            .doc("Data frames that one ACK answers; the last frame of a message is answered at once");
    public static final Parameter<ResponseChannel> RESPONSE_CHANNEL = Parameter.choice(
                    "transport.response_channel", ResponseChannel.class)
            .byDefault("separate")
            .onlyWhen(ANSWERED, TransportSpec::answers)
            .doc(
                    "separate: ACKs, NAKs and CNPs pay each hop but never queue; voq: they enter VOQs as control frames (D-13)");
    public static final Parameter<Long> RESPONSE_BYTES = Parameter.bytes("transport.response_bytes")
            .between("1", "1000000")
            .derived("54; AFH: its header, 26 (afh-lite has none: give one)", p -> {
                FrameFormat format = p.find(SwitchSpec.FRAME_FORMAT);
                return (format == null ? FrameFormat.STANDARD : format).ackBytes();
            })
            .onlyWhen(ANSWERED, TransportSpec::answers)
            .doc("Wire bytes of an ACK, NAK or CNP");
    public static final Parameter<Long> QPS = Parameter.count("transport.qps_per_connection")
            .between("1", "1024")
            .byDefault("1")
            .doc("Flows between two hosts, which take messages in turn: each is routed, paced and recovered by itself");

    static final List<Parameter<?>> PARAMETERS =
            List.of(SENDER, CREDITS, RECOVERY, RTO_MIN, ACKS, ACK_EVERY, RESPONSE_CHANNEL, RESPONSE_BYTES, QPS);

    static final List<Rule> RULES = List.of(
            Rule.when(
                    p -> needsAcks(p),
                    p -> p.get(ACKS)
                            ? null
                            : "transport.acks false with transport.recovery " + Parameter.label(p.get(RECOVERY))
                                    + " and transport.credits "
                                    + CREDITS.canonical(p.get(CREDITS))
                                    + ": both need acknowledgements"),
            Rule.when(p -> !p.get(CREDITS).equals(NO_CREDITS), p -> {
                long frame = TrafficSpec.fullFrameWireBytes(p);
                Long every = p.find(ACK_EVERY);
                long least = Math.multiplyExact(frame, every == null ? 1 : every);
                return p.get(CREDITS) >= least
                        ? null
                        : "transport.credits (" + p.get(CREDITS) + " B) must hold the frames that one ACK answers: "
                                + "transport.ack_every x " + frame + " B = " + least;
            }),
            Rule.when(
                    p -> answers(p) && p.find(SwitchSpec.FRAME_FORMAT) == FrameFormat.AFH_LITE,
                    p -> p.find(RESPONSE_BYTES) != null
                            ? null
                            : "switch.frame_format afh-lite has no known size of ACKs: give transport.response_bytes"),
            Rule.when(p -> p.get(SENDER) == Sender.DCQCN, p -> {
                FrameFormat format = p.find(SwitchSpec.FRAME_FORMAT);
                return format == null || format.carriesEcn()
                        ? null
                        : "transport.sender dcqcn with switch.frame_format " + Parameter.label(format)
                                + ": frames without an IP header cannot be marked. Maybe use transport.credits, or"
                                + " flow_control.kind pfc";
            }),
            Rule.when(
                    p -> p.get(SENDER) == Sender.DCQCN,
                    p -> p.get(LinkSpec.BANDWIDTH).signum() != 0
                            ? null
                            : "transport.sender dcqcn with link.bandwidth unlimited: there is no line rate to start from"));

    private static boolean needsAcks(Params p) {
        return p.get(RECOVERY) != Recovery.NONE || !p.get(CREDITS).equals(NO_CREDITS);
    }

    private static boolean answers(Params p) {
        return p.get(ACKS) || p.get(SENDER) == Sender.DCQCN;
    }

    static TransportSpec bind(Params p) {
        BigDecimal rto = p.find(RTO_MIN);
        Long every = p.find(ACK_EVERY);
        ResponseChannel channel = p.find(RESPONSE_CHANNEL);
        Long bytes = p.find(RESPONSE_BYTES);
        return new TransportSpec(
                p.get(SENDER) == Sender.DCQCN ? DcqcnSpec.bind(p) : null,
                p.get(CREDITS),
                p.get(RECOVERY),
                rto == null ? Long.MAX_VALUE : SwitchSpec.picoseconds(rto),
                p.get(ACKS),
                every == null ? 1 : Math.toIntExact(every),
                channel == null ? ResponseChannel.SEPARATE : channel,
                bytes == null ? 0 : Math.toIntExact(bytes),
                Math.toIntExact(p.get(QPS)));
    }

    /** Whether a host sends whatever it is offered as fast as its NIC can, once, and nobody answers. */
    public boolean isPlain() {
        return dcqcn == null && !acks && qpsPerConnection == 1;
    }

    /** Whether a host sends as if nobody answered: ACKs, if there are any, meet no queue and change nothing when they arrive. */
    public boolean isHeedless() {
        return dcqcn == null
                && qpsPerConnection == 1
                && recovery == Recovery.NONE
                && creditBytes == 0
                && responseChannel == ResponseChannel.SEPARATE;
    }
}
