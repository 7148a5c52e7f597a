package io.github.rhosweep.scenario;

import java.math.BigDecimal;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Who offers which messages when.
 *
 * @param pattern who sends to whom
 * @param flows N: senders of an incast, hosts of every other pattern
 * @param load rho, frames per second at the busiest egress times the service time of a frame; null where it is no input
 * @param messageBytes payload of a message; of a closed pattern that of its largest
 * @param sizes what messages draw their payload from; null where an open pattern's are all alike
 * @param framePayloadBytes most payload that a frame carries
 * @param multicast hosts that a message goes to: that of the pattern and those behind it
 * @param rspShare messages of class RSP, 0..1; all but these and the next are of class REQ
 * @param restShare messages of the lowest class, 0..1
 * @param headerBytes wire bytes of a frame that are no payload
 * @param arrivals when messages are offered
 */
public record TrafficSpec(
        Pattern pattern,
        int flows,
        @Nullable Double load,
        long messageBytes,
        @Nullable MessageSizes sizes,
        int framePayloadBytes,
        int headerBytes,
        int multicast,
        double rspShare,
        double restShare,
        ArrivalProcess arrivals) {
    /** The patterns by name. */
    public enum PatternKind {
        INCAST(p -> new Pattern.Incast()),
        UNIFORM(p -> new Pattern.Uniform(p.get(TrafficSpec.SELF))),
        PERMUTATION(p -> new Pattern.Permutation()),
        DIAGONAL(p -> new Pattern.Diagonal()),
        HOTSPOT(p -> new Pattern.Hotspot(p.get(TrafficSpec.HOTSPOT_FRACTION).doubleValue())),
        RANDOM_MATRIX(p -> new RandomMatrix(
                Math.toIntExact(p.get(TrafficSpec.FLOWS)),
                Math.toIntExact(p.get(TrafficSpec.FAN_OUT)),
                p.get(TrafficSpec.MATRIX_SEED),
                p.get(TrafficSpec.BALANCED))),
        ALL_TO_ALL(WorkloadSpec::allToAll),
        RING(WorkloadSpec::ring),
        RECURSIVE_DOUBLING(WorkloadSpec::recursiveDoubling),
        PIPELINE(p -> p.get(TrafficSpec.ARRIVALS) == ArrivalKind.ONCE
                ? WorkloadSpec.pipeline(p)
                : new Pattern.Pipeline(Math.toIntExact(p.get(WorkloadSpec.STAGES)))),
        MIX(WorkloadSpec::mix),
        FILE(p -> new ClosedPattern.FromFile(WorkloadFiles.flows(p)));

        @SuppressWarnings("ImmutableEnumChecker") // stateless
        private final Function<Params, Pattern> binder;

        PatternKind(Function<Params, Pattern> binder) {
            this.binder = binder;
        }

        /** Whether sources offer messages by an arrival process; else a schedule says what starts when. */
        boolean hasArrivals() {
            return switch (this) {
                case INCAST, UNIFORM, PERMUTATION, DIAGONAL, HOTSPOT, RANDOM_MATRIX, PIPELINE, MIX -> true;
                case ALL_TO_ALL, RING, RECURSIVE_DOUBLING, FILE -> false;
            };
        }

        int hostsNeeded(int flows) {
            return this == INCAST ? flows + 1 : flows;
        }

        /** Whether no message leaves its rail where neighbouring hosts are on different ones. */
        boolean staysOnRail(long flows) {
            return this != INCAST && flows == 1;
        }

        Pattern bind(Params p) {
            return binder.apply(p);
        }
    }

    /** What ends a run: closed patterns, by themselves or in the foreground of a mix. */
    public enum Workload {
        ALL_TO_ALL,
        RING,
        RECURSIVE_DOUBLING,
        PIPELINE
    }

    /** The arrival processes by name. */
    public enum ArrivalKind {
        ONCE(p -> new ArrivalProcess.Once()),
        PERIODIC(p -> new ArrivalProcess.Periodic()),
        POISSON(p -> new ArrivalProcess.Poisson()),
        BERNOULLI(p -> new ArrivalProcess.Bernoulli()),
        SYNCHRONIZED(p -> new ArrivalProcess.Synchronized(SwitchSpec.picoseconds(p.get(TrafficSpec.JITTER)))),
        HYPEREXPONENTIAL(p -> new ArrivalProcess.Hyperexponential(
                p.get(TrafficSpec.ARRIVAL_CV_SQ).doubleValue())),
        ERLANG(p -> new ArrivalProcess.Erlang(Math.toIntExact(p.get(TrafficSpec.ERLANG_K)))),
        ON_OFF(p -> new ArrivalProcess.OnOff(
                p.get(TrafficSpec.ON_MESSAGES).doubleValue(),
                p.get(TrafficSpec.OFF_MESSAGES).doubleValue())),
        BATCH(p -> new ArrivalProcess.Batch(Math.toIntExact(p.get(TrafficSpec.BATCH))));

        @SuppressWarnings("ImmutableEnumChecker") // stateless
        private final Function<Params, ArrivalProcess> binder;

        ArrivalKind(Function<Params, ArrivalProcess> binder) {
            this.binder = binder;
        }

        ArrivalProcess bind(Params p) {
            return binder.apply(p);
        }

        /** Whether all of a run counts by default: there is no steady state to wait for. */
        boolean finite() {
            return this == ONCE || this == SYNCHRONIZED;
        }
    }

    public static final Parameter<PatternKind> PATTERN = Parameter.choice("traffic.pattern", PatternKind.class)
            .byDefault("incast")
            .doc(
                    "Who sends to whom. incast: N hosts to one more; uniform: each message to a host at random; permutation: host i"
                            + " to i + 1; diagonal: two thirds to the own port, one third to the next; hotspot: a fraction to host 0; random-matrix: each host to traffic.fan_out others, drawn by traffic.matrix_seed."
                            + " Closed, complete when all has arrived: all-to-all: every host to every other; ring: step after step to"
                            + " the next host; recursive-doubling: all-reduce with the host that differs in one bit. pipeline: stage to stage; closed with"
                            + " traffic.arrivals once. mix: a closed traffic.foreground under open traffic of other tenants. file: the flows of"
                            + " traffic.file");
    public static final Parameter<Long> FLOWS = Parameter.count("traffic.flows")
            .between("1", "65536")
            .derived("8 (file: the hosts that it has)", p -> WorkloadFiles.isFile(p) ? WorkloadFiles.hosts(p) : 8L)
            .doc("N: senders of an incast, hosts of every other pattern");
    public static final Parameter<ArrivalKind> ARRIVALS = Parameter.choice("traffic.arrivals", ArrivalKind.class)
            .byDefault("poisson")
            .onlyWhen(
                    "traffic.pattern is open or mix",
                    p -> p.get(TrafficSpec.PATTERN).hasArrivals())
            .doc(
                    "When a source offers its messages. once: one, at 0; periodic: equal gaps; poisson: exponential gaps; bernoulli:"
                            + " each slot with equal chance; synchronized: all sources together; erlang, hyperexponential: gaps less, more"
                            + " variable than poisson; on-off: bursts and silences; batch: several at once");
    public static final Parameter<BigDecimal> LOAD = Parameter.real("traffic.load")
            .between("0.000001", "1000")
            .byDefault("0.5")
            .onlyWhen(
                    "traffic.pattern is open or mix",
                    p -> p.get(TrafficSpec.PATTERN).hasArrivals())
            .onlyWhen("traffic.arrivals is not once", p -> p.get(TrafficSpec.ARRIVALS) != ArrivalKind.ONCE)
            .doc(
                    "rho: frames per second at the busiest egress times the service time max(serialisation, slot) of a frame;"
                            + " of a mix that of the background alone");
    public static final Parameter<Long> MESSAGE = Parameter.bytes("traffic.message")
            .between("1", "1099511627776")
            .byDefault("64 KiB")
            .onlyWhen("traffic.pattern is not file", p -> !WorkloadFiles.isFile(p))
            .onlyWhen("traffic.message_cdf is not given", p -> p.find(WorkloadFiles.MESSAGE_CDF) == null)
            .doc("Payload of a message; of a closed pattern the buffer of one rank, of which a message carries a part;"
                    + " of a pipeline a micro-batch");
    public static final Parameter<Boolean> SELF = Parameter.flag("traffic.self")
            .derived("true (all-to-all: false)", p -> p.get(TrafficSpec.PATTERN) == PatternKind.UNIFORM)
            .onlyWhen(
                    "traffic.pattern is uniform or all-to-all",
                    p -> p.get(TrafficSpec.PATTERN) == PatternKind.UNIFORM || WorkloadSpec.is(p, Workload.ALL_TO_ALL))
            .doc("Whether a host sends to itself too; without it one iSLIP iteration saturates at (N-1)/N");
    public static final Parameter<Long> FRAME_PAYLOAD = Parameter.bytes("traffic.frame_payload_bytes")
            .between("1", "1000000")
            .byDefault("1344")
            .doc(
                    "Most payload that a frame carries; on the wire the header is added: 62 bytes, or what switch.frame_format says");
    public static final Parameter<BigDecimal> HOTSPOT_FRACTION = Parameter.real("traffic.hotspot_fraction")
            .between("0", "1")
            .byDefault("0.5")
            .onlyWhen(
                    "traffic.pattern is hotspot, or traffic.background_hotspot is above 0",
                    p -> p.get(TrafficSpec.PATTERN) == PatternKind.HOTSPOT || WorkloadSpec.hasHotspot(p))
            .doc("Messages that go to host 0; the others go to any host");
    public static final Parameter<Long> MATRIX_SEED = Parameter.count("traffic.matrix_seed")
            .between("0", "9007199254740991")
            .byDefault("0")
            .onlyWhen("traffic.pattern is random-matrix", p -> p.get(TrafficSpec.PATTERN) == PatternKind.RANDOM_MATRIX)
            .doc("Draws the matrix: who sends to whom and how much of what it offers; the same for all replicates");
    public static final Parameter<Long> FAN_OUT = Parameter.count("traffic.fan_out")
            .between("1", "65535")
            .derived("4, or all others if they are fewer", p -> Math.min(4, Math.max(1, p.get(TrafficSpec.FLOWS) - 1)))
            .onlyWhen("traffic.pattern is random-matrix", p -> p.get(TrafficSpec.PATTERN) == PatternKind.RANDOM_MATRIX)
            .doc("Hosts that each host sends to, with exponential weights");
    public static final Parameter<Boolean> BALANCED = Parameter.flag("traffic.balanced")
            .byDefault("false")
            .outsideKeyAtDefault()
            .onlyWhen("traffic.pattern is random-matrix", p -> p.get(TrafficSpec.PATTERN) == PatternKind.RANDOM_MATRIX)
            .doc(
                    "Whether all hosts receive equally much, so that traffic.load is that of every host and not of the busiest alone");
    public static final Parameter<BigDecimal> JITTER = Parameter.time("traffic.jitter")
            .between("0", "1e12")
            .byDefault("0 ns")
            .onlyWhen("traffic.arrivals is synchronized", p -> p.find(TrafficSpec.ARRIVALS) == ArrivalKind.SYNCHRONIZED)
            .doc("Each synchronized offer is late by a uniform time of at most this");
    public static final Parameter<BigDecimal> ARRIVAL_CV_SQ = Parameter.real("traffic.arrival_cv_sq")
            .between("1", "1000000")
            .byDefault("4")
            .onlyWhen(
                    "traffic.arrivals is hyperexponential",
                    p -> p.find(TrafficSpec.ARRIVALS) == ArrivalKind.HYPEREXPONENTIAL)
            .doc("Squared coefficient of variation of the gaps between messages of a source");
    public static final Parameter<Long> ERLANG_K = Parameter.count("traffic.erlang_k")
            .between("1", "1000")
            .byDefault("4")
            .onlyWhen("traffic.arrivals is erlang", p -> p.find(TrafficSpec.ARRIVALS) == ArrivalKind.ERLANG)
            .doc("Exponential stages of a gap; the squared coefficient of variation is 1/k");
    public static final Parameter<BigDecimal> ON_MESSAGES = Parameter.real("traffic.on_messages")
            .between("0.001", "1e9")
            .byDefault("10")
            .onlyWhen("traffic.arrivals is on-off", p -> p.find(TrafficSpec.ARRIVALS) == ArrivalKind.ON_OFF)
            .doc("Mean on time (exponential), in mean gaps between messages");
    public static final Parameter<BigDecimal> OFF_MESSAGES = Parameter.real("traffic.off_messages")
            .between("0", "1e9")
            .byDefault("10")
            .onlyWhen("traffic.arrivals is on-off", p -> p.find(TrafficSpec.ARRIVALS) == ArrivalKind.ON_OFF)
            .doc("Mean off time (exponential), in mean gaps between messages");
    public static final Parameter<Long> BATCH = Parameter.count("traffic.batch")
            .between("1", "1000000")
            .byDefault("1")
            .onlyWhen("traffic.arrivals is batch", p -> p.find(TrafficSpec.ARRIVALS) == ArrivalKind.BATCH)
            .doc("Messages that a source offers at once; epochs are that many times rarer");

    public static final Parameter<Long> MULTICAST = Parameter.count("traffic.multicast")
            // The members of a group are bits of a word.
            .between("1", "64")
            .byDefault("1")
            .outsideKeyAtDefault()
            .onlyWhen(
                    "traffic.pattern is uniform or permutation and topology.kind is not direct",
                    p -> TopologySpec.hasSwitch(p)
                            && (p.get(TrafficSpec.PATTERN) == PatternKind.UNIFORM
                                    || p.get(TrafficSpec.PATTERN) == PatternKind.PERMUTATION))
            .doc(
                    "Hosts that each message goes to: that of the pattern and the ones behind it (cyclic). The NIC sends each frame once,"
                            + " switches copy it where ways part; complete when the last host has it");
    public static final Parameter<BigDecimal> RSP_SHARE = Parameter.real("traffic.rsp_share")
            .between("0", "1")
            .byDefault("0")
            .onlyWhen("switch.priority_classes is pcp4", SwitchSpec::pcp4)
            .doc("Part of the messages that are of class RSP, each by chance; the others are of class REQ");
    public static final Parameter<BigDecimal> REST_SHARE = Parameter.real("traffic.rest_share")
            .between("0", "1")
            .byDefault("0")
            .onlyWhen("switch.priority_classes is pcp4", SwitchSpec::pcp4)
            .doc("Part of the messages that are of the lowest class, each by chance; so are all of background tenants");

    static final List<Parameter<?>> PARAMETERS = List.of(
            PATTERN,
            FLOWS,
            ARRIVALS,
            LOAD,
            MESSAGE,
            SELF,
            FRAME_PAYLOAD,
            HOTSPOT_FRACTION,
            MATRIX_SEED,
            FAN_OUT,
            BALANCED,
            JITTER,
            ARRIVAL_CV_SQ,
            ERLANG_K,
            ON_MESSAGES,
            OFF_MESSAGES,
            BATCH,
            MULTICAST,
            RSP_SHARE,
            REST_SHARE);

    static final List<Rule> RULES = List.of(
            Rule.when(
                    p -> p.get(PATTERN) == PatternKind.RANDOM_MATRIX,
                    p -> p.get(FAN_OUT) < p.get(FLOWS)
                            ? null
                            : "traffic.fan_out (" + p.get(FAN_OUT) + ") must be below traffic.flows (" + p.get(FLOWS)
                                    + "): a host does not send to itself"),
            Rule.when(p -> multicast(p) > 1, p -> {
                boolean self = p.get(PATTERN) == PatternKind.UNIFORM && p.get(SELF);
                long most = self ? p.get(FLOWS) : p.get(FLOWS) - 1;
                return p.get(MULTICAST) <= most
                        ? null
                        : "traffic.multicast (" + p.get(MULTICAST) + ") must not exceed the " + most
                                + " hosts that traffic.pattern " + Parameter.label(p.get(PATTERN))
                                + " with traffic.flows " + p.get(FLOWS) + " can send to";
            }),
            Rule.when(
                    p -> multicast(p) > 1,
                    p -> p.get(TransportSpec.SENDER) == TransportSpec.Sender.OPEN
                                    && !p.get(TransportSpec.ACKS)
                                    && p.find(FlowControlSpec.KIND) == FlowControlSpec.Kind.LOSSY
                            ? null
                            : "traffic.multicast needs transport.sender open without acknowledgements and flow_control.kind lossy:"
                                    + " neither answers of many receivers nor pauses for copies are modelled"),
            Rule.when(
                    SwitchSpec::pcp4,
                    p -> p.get(RSP_SHARE).add(p.get(REST_SHARE)).compareTo(BigDecimal.ONE) <= 0
                            ? null
                            : "traffic.rsp_share (" + Quantity.canonical(p.get(RSP_SHARE))
                                    + ") and traffic.rest_share (" + Quantity.canonical(p.get(REST_SHARE))
                                    + ") must not add up to more than 1"),
            Rule.when(
                    p -> p.get(PATTERN) == PatternKind.UNIFORM && !p.get(SELF),
                    p -> p.get(FLOWS) >= 2
                            ? null
                            : "traffic.pattern uniform with traffic.self false needs traffic.flows of 2 or more, found "
                                    + p.get(FLOWS)),
            Rule.when(p -> p.find(ARRIVALS) == ArrivalKind.BERNOULLI, p -> {
                if (!TopologySpec.hasSwitch(p)) {
                    return "traffic.arrivals bernoulli is aligned with a switch's slots: topology.kind direct has none";
                }
                Load load = Load.of(p);
                return load.slotPs() <= load.meanGapPs()
                        ? null
                        : "traffic.arrivals bernoulli offers at most one message a slot and source: traffic.load ("
                                + Quantity.canonical(p.get(LOAD)) + ") would need "
                                + String.format(java.util.Locale.ROOT, "%.3f", load.slotPs() / load.meanGapPs());
            }));

    /** Hosts that a message goes to. */
    public static int multicast(Params p) {
        Long hosts = p.find(MULTICAST);
        return hosts == null ? 1 : Math.toIntExact(hosts);
    }

    private static double share(Params p, Parameter<BigDecimal> parameter) {
        BigDecimal value = p.find(parameter);
        return value == null ? 0 : value.doubleValue();
    }

    static TrafficSpec bind(Params p) {
        BigDecimal load = p.find(LOAD);
        ArrivalKind arrivals = p.find(ARRIVALS);
        return new TrafficSpec(
                p.get(PATTERN).bind(p),
                Math.toIntExact(p.get(FLOWS)),
                load == null ? null : load.doubleValue(),
                messageBytes(p),
                WorkloadFiles.sizes(p),
                Math.toIntExact(p.get(FRAME_PAYLOAD)),
                headerBytes(p),
                multicast(p),
                share(p, RSP_SHARE),
                share(p, REST_SHARE),
                // What a closed pattern begins with, it begins with at once.
                arrivals == null ? new ArrivalProcess.Once() : arrivals.bind(p));
    }

    /** {@link Pattern#busiestEgressShare} of a point whose parameters obey all rules. */
    public static double busiestEgressShare(Params p) {
        return p.get(PATTERN).bind(p).busiestEgressShare(Math.toIntExact(p.get(FLOWS)));
    }

    /** Payload of the largest message that crosses the network. */
    static long messageBytes(Params p) {
        return isClosed(p) && p.get(PATTERN).bind(p) instanceof ClosedPattern closed
                ? closed.messageBytes(Math.toIntExact(p.get(FLOWS)))
                : openMessageBytes(p);
    }

    private static long openMessageBytes(Params p) {
        MessageSizes sizes = WorkloadFiles.sizes(p);
        return sizes == null ? p.get(MESSAGE) : sizes.largest();
    }

    /** b: mean number of frames of a message of an open pattern. */
    public static double meanFrames(Params p) {
        long payload = p.get(FRAME_PAYLOAD);
        MessageSizes sizes = WorkloadFiles.sizes(p);
        return sizes == null ? Math.ceil((double) p.get(MESSAGE) / payload) : sizes.meanFrames(payload);
    }

    /** Mean payload of a message of an open pattern, in bytes. */
    public static double meanMessageBytes(Params p) {
        MessageSizes sizes = WorkloadFiles.sizes(p);
        return sizes == null ? p.get(MESSAGE) : sizes.meanBytes();
    }

    /** Whether messages of an open pattern differ in size. */
    public static boolean drawsSizes(Params p) {
        return p.find(WorkloadFiles.MESSAGE_CDF) != null;
    }

    /** Wire bytes of the largest frame of the run. */
    public static long fullFrameWireBytes(Params p) {
        return Math.min(largestMessageBytes(p), p.get(FRAME_PAYLOAD)) + headerBytes(p);
    }

    private static long largestMessageBytes(Params p) {
        if (isClosed(p) && p.get(PATTERN).bind(p) instanceof ClosedPattern closed) {
            int flows = Math.toIntExact(p.get(FLOWS));
            return Math.max(closed.messageBytes(flows), closed.otherBytes(flows));
        }
        return openMessageBytes(p);
    }

    /** Whether the pattern is closed: the messages that count are those of a schedule. */
    public static boolean isClosed(Params p) {
        return switch (p.get(PATTERN)) {
            case INCAST, UNIFORM, PERMUTATION, DIAGONAL, HOTSPOT, RANDOM_MATRIX -> false;
            case ALL_TO_ALL, RING, RECURSIVE_DOUBLING, MIX, FILE -> true;
            case PIPELINE -> p.get(ARRIVALS) == ArrivalKind.ONCE;
        };
    }

    /** Frames that a run offers, as far as it is known; warm-up and what is offered after the last measured message left out. */
    public static double frames(Params p) {
        if (isClosed(p) && p.get(PATTERN).bind(p) instanceof ClosedPattern closed) {
            return closed.frames(Math.toIntExact(p.get(FLOWS)), Math.toIntExact(p.get(FRAME_PAYLOAD)));
        }
        return p.get(MeasureSpec.MESSAGES) * meanFrames(p);
    }

    /**
     * The messages of a workload that ends; those of an open background come on top.
     *
     * @param runSeed of the run, for what is drawn
     * @return null for an open pattern
     */
    public @Nullable Schedule schedule(long runSeed) {
        return pattern instanceof ClosedPattern closed ? closed.schedule(flows) : null;
    }

    /** What a message of the schedule is called: by a file's own id, else by its number, from 1. */
    public long idOf(int scheduled) {
        return pattern instanceof ClosedPattern.FromFile workload
                ? workload.file().id(scheduled)
                : scheduled + 1L;
    }

    /** Wire bytes of a frame that are no payload. */
    public static int headerBytes(Params p) {
        FrameFormat format = p.find(SwitchSpec.FRAME_FORMAT);
        return (format == null ? FrameFormat.STANDARD : format).headerBytes();
    }

    /** b: mean number of frames of a message, where they differ. */
    public double meanFramesPerMessage() {
        return sizes == null ? framesPerMessage() : sizes.meanFrames(framePayloadBytes);
    }

    /** Whether all messages have {@link #messageBytes}; asked of open patterns and files. */
    public boolean oneSize() {
        return sizes == null && (!(pattern instanceof ClosedPattern.FromFile workload) || workload.oneSize());
    }

    /** Payload of a message that a source offers by the arrival process, the largest; 0 if none does. */
    public long offeredBytes() {
        return pattern instanceof ClosedPattern closed ? closed.offeredBytes(flows) : messageBytes;
    }

    /**
     * A host that a message goes to.
     *
     * @param source sending host
     * @param first host that the pattern gives
     * @param k which one, from 0
     */
    public int member(int source, int first, int k) {
        int host = (first + k) % flows;
        boolean self = pattern instanceof Pattern.Uniform uniform && uniform.self();
        // The source itself is passed over where it does not send to itself.
        return self || (source - first + flows) % flows > k ? host : (host + 1) % flows;
    }

    /** Frames of a message: all but the last carry {@code framePayloadBytes}. */
    public long framesPerMessage() {
        return frames(messageBytes);
    }

    /** Frames of a message of so much payload. */
    public long frames(long payloadBytes) {
        return (payloadBytes + framePayloadBytes - 1) / framePayloadBytes;
    }

    /** Payload of a message's last frame. */
    public int lastFramePayloadBytes() {
        return lastFramePayloadBytes(messageBytes);
    }

    private int lastFramePayloadBytes(long payloadBytes) {
        return (int) (payloadBytes - (frames(payloadBytes) - 1) * framePayloadBytes);
    }

    /** Wire bytes of the largest frame of the run. */
    public int fullFrameWireBytes() {
        long largest = pattern instanceof ClosedPattern closed
                ? Math.max(messageBytes, closed.otherBytes(flows))
                : messageBytes;
        return (int) Math.min(largest, framePayloadBytes) + headerBytes;
    }

    /** Wire bytes of a message's last frame. */
    public int lastFrameWireBytes() {
        return lastFrameWireBytes(messageBytes);
    }

    /** Wire bytes of the last frame of a message of so much payload. */
    public int lastFrameWireBytes(long payloadBytes) {
        return lastFramePayloadBytes(payloadBytes) + headerBytes;
    }

    /** Wire bytes of a whole message. */
    public long messageWireBytes() {
        return messageBytes + framesPerMessage() * headerBytes;
    }
}
