package io.github.rhosweep.design;

import io.github.rhosweep.scenario.FlowControlSpec;
import io.github.rhosweep.scenario.LinkSpec;
import io.github.rhosweep.scenario.MeasureSpec;
import io.github.rhosweep.scenario.Parameter;
import io.github.rhosweep.scenario.Params;
import io.github.rhosweep.scenario.SwitchSpec;
import io.github.rhosweep.scenario.SwitchSpec.Admission;
import io.github.rhosweep.scenario.TopologySpec;
import io.github.rhosweep.scenario.TrafficSpec;
import io.github.rhosweep.scenario.TrafficSpec.PatternKind;
import io.github.rhosweep.scenario.TransportSpec;
import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Predicate;

/** Points that can be but are suspicious. Each constant says when; the last ones concern only a parameter that is on an axis. */
public enum Lint {
    /** No steady state. */
    OVERLOAD(
            "traffic.load is 1 or more: queues grow throughout, there is no steady-state mean",
            List.of(),
            p -> p.find(TrafficSpec.LOAD) != null && p.get(TrafficSpec.LOAD).compareTo(BigDecimal.ONE) >= 0),

    /** The bottleneck is the NIC, not the switch. */
    NIC_OVERLOAD(
            "link.bandwidth cannot carry what one host offers: messages pile up in the hosts, not in the switch",
            List.of(),
            Lint::nicOverloaded),

    /** The start of the run is most of it. */
    FEW_MESSAGES(
            "fewer than 50 messages a sender are measured: too few to leave the empty start behind, and for intervals",
            List.of(),
            Lint::fewMessages),

    /** Reservations that promise more than there is. */
    RESERVES_BEYOND_POOL(
            "switch.reserved_bytes of all VOQs in use exceed switch.buffer_capacity_bytes: the pool will be overcommitted",
            List.of(),
            p -> p.find(SwitchSpec.ADMISSION) == Admission.RESERVED
                    && (double) p.get(SwitchSpec.RESERVED) * voqsInUse(p) > p.get(SwitchSpec.BUFFER_CAPACITY)),

    /** Marking thresholds out of reach. */
    ECN_NEVER_MARKS(
            "the buffer will not fill to switch.ecn_kmin, so that ECN never marks",
            List.of(SwitchSpec.ECN_KMIN, SwitchSpec.ECN_KMAX, SwitchSpec.ECN_PMAX),
            Lint::neverMarks),

    /** Dynamic Threshold stops saturated queues where marking would begin. */
    DROPS_BEFORE_MARKS(
            "saturated queues stop at alpha Q/(1 + alpha Q) of the buffer (Q queues), which is not above switch.ecn_kmin: frames are dropped before any is marked",
            List.of(SwitchSpec.ECN_KMIN, SwitchSpec.ECN_KMAX, SwitchSpec.ECN_PMAX),
            p -> p.find(TransportSpec.SENDER) != TransportSpec.Sender.DCQCN && dropsBeforeMarks(p)),

    /** The same where senders depend on marks: whatever is swept. */
    DCQCN_HEARS_NOTHING(
            "transport.sender is dcqcn, but saturated queues stop at alpha Q/(1 + alpha Q) of the buffer (Q queues), which is not above switch.ecn_kmin: frames are dropped before any is marked",
            List.of(),
            p -> p.find(TransportSpec.SENDER) == TransportSpec.Sender.DCQCN && dropsBeforeMarks(p)),

    /** What waits for its port does not wait in the buffer. */
    BUFFER_NOT_FELT(
            "frames are longer than the slot and leave their VOQ before the port is free (switch.egress_gate overlap): the buffer hardly fills. Maybe egress_gate busy, or switch.frame_size_bytes auto",
            List.of(
                    SwitchSpec.BUFFER_CAPACITY,
                    SwitchSpec.ALPHA,
                    SwitchSpec.ADMISSION,
                    SwitchSpec.ECN_KMIN,
                    SwitchSpec.ECN_KMAX),
            p -> p.get(TopologySpec.KIND) != TopologySpec.Kind.DIRECT
                    && p.get(SwitchSpec.EGRESS_GATE) == SwitchSpec.EgressGate.OVERLAP
                    && BufferBound.fullFrameBytes(p) > p.get(SwitchSpec.FRAME_SIZE)),

    /** A tick a frame, however short. */
    SHORT_FRAMES(
            "frames are shorter than three quarters of the slot and take a tick each: the wire cannot be filled. Maybe switch.frame_size_bytes auto",
            List.of(TrafficSpec.MESSAGE, TrafficSpec.FRAME_PAYLOAD, SwitchSpec.FRAME_SIZE),
            p -> p.get(TopologySpec.KIND) != TopologySpec.Kind.DIRECT
                    && BufferBound.fullFrameBytes(p) < 0.75 * p.get(SwitchSpec.FRAME_SIZE)),

    /** Pointers in step lose a slot in N. */
    ONE_ROUND_SATURATED(
            "without traffic.self one iSLIP round carries (N-1)/N of uniform traffic: above it queues grow throughout",
            List.of(),
            p -> p.get(TrafficSpec.PATTERN) == PatternKind.UNIFORM
                    && p.get(TopologySpec.KIND) == TopologySpec.Kind.SINGLE_SWITCH
                    && !p.get(TrafficSpec.SELF)
                    && p.get(SwitchSpec.ISLIP_ITERATIONS) == 1
                    && p.find(TrafficSpec.LOAD) != null
                    && p.get(TrafficSpec.LOAD).compareTo(BigDecimal.ONE) < 0
                    && p.get(TrafficSpec.LOAD).doubleValue() > 1 - 1.0 / p.get(TrafficSpec.FLOWS)),

    /** No VOQ comes near its threshold. */
    ALPHA_NEVER_BINDS(
            "no VOQ will reach its threshold, so that switch.alpha drops nothing",
            List.of(SwitchSpec.ALPHA),
            Lint::alphaNeverBinds),

    /** One match a tick, or one for each egress, is found in the first round. */
    ITERATIONS_INERT(
            "the first iSLIP round finds every match (one egress, or one ingress for each), so that switch.islip_iterations changes nothing",
            List.of(SwitchSpec.ISLIP_ITERATIONS),
            p -> p.get(TopologySpec.KIND) != TopologySpec.Kind.DIRECT
                    && (p.get(TrafficSpec.PATTERN) == PatternKind.INCAST
                            || p.get(TrafficSpec.PATTERN) == PatternKind.PERMUTATION
                            || p.get(TrafficSpec.PATTERN) == PatternKind.RING
                            || p.get(TrafficSpec.FLOWS) == 1)),

    /** A port is never busy at a tick. */
    EGRESS_GATE_INERT(
            "no frame is longer than the slot, so that no port is busy at a tick and switch.egress_gate changes nothing",
            List.of(SwitchSpec.EGRESS_GATE),
            p -> p.get(TopologySpec.KIND) != TopologySpec.Kind.DIRECT
                    && BufferBound.fullFrameBytes(p) <= p.get(SwitchSpec.FRAME_SIZE)),

    /** There is one priority in the switch. */
    PRIORITY_MODE_INERT(
            "only data frames enter the switch, so that switch.priority_mode changes nothing",
            List.of(SwitchSpec.PRIORITY_MODE),
            p -> p.get(TopologySpec.KIND) != TopologySpec.Kind.DIRECT
                    && p.get(TransportSpec.SENDER) == TransportSpec.Sender.OPEN);

    private static final long MESSAGES_PER_SENDER = 50;

    private final String message;

    @SuppressWarnings("ImmutableEnumChecker") // an immutable list of immutable parameters
    private final List<Parameter<?>> axes;

    @SuppressWarnings("ImmutableEnumChecker") // stateless
    private final Predicate<Params> suspicious;

    Lint(String message, List<Parameter<?>> axes, Predicate<Params> suspicious) {
        this.message = message;
        this.axes = axes;
        this.suspicious = suspicious;
    }

    /** The short name: {@code ecn-never-marks}. */
    public String id() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** What is suspicious, in one sentence. */
    public String message() {
        return message;
    }

    /** Whether it has anything to say of the block: most concern a parameter only where it is swept. */
    boolean concerns(Block block) {
        return axes.isEmpty() || axes.stream().anyMatch(p -> block.axisOf(p.path()) >= 0);
    }

    boolean suspects(Params params) {
        return suspicious.test(params);
    }

    private static boolean fewMessages(Params p) {
        if (p.find(MeasureSpec.KIND) != MeasureSpec.Kind.STEADY) {
            return false;
        }
        Long messages = p.find(MeasureSpec.MESSAGES);
        Long senders = p.find(TrafficSpec.FLOWS);
        return messages != null && senders != null && messages < MESSAGES_PER_SENDER * senders;
    }

    private static boolean nicOverloaded(Params p) {
        if (p.find(TrafficSpec.LOAD) == null
                || TrafficSpec.isClosed(p)
                || p.get(TopologySpec.KIND) == TopologySpec.Kind.DIRECT) {
            return false;
        }
        double nic = p.get(LinkSpec.BANDWIDTH).doubleValue();
        double port = p.get(SwitchSpec.PORT_BANDWIDTH).doubleValue();
        if (nic == 0 || nic >= port) {
            return false; // unlimited, or no slower than the egress that several hosts share
        }
        double frame = BufferBound.fullFrameBytes(p);
        double slotBytes = Math.max(frame, p.get(SwitchSpec.FRAME_SIZE));
        double share = switch (p.get(TrafficSpec.PATTERN)) {
            case INCAST -> p.get(TrafficSpec.FLOWS);
            // Closed patterns have no load.
            case UNIFORM, PERMUTATION, DIAGONAL, PIPELINE, ALL_TO_ALL, RING, RECURSIVE_DOUBLING, MIX, FILE -> 1;
            case HOTSPOT -> {
                double hot = p.get(TrafficSpec.HOTSPOT_FRACTION).doubleValue();
                yield p.get(TrafficSpec.FLOWS) * hot + (1 - hot);
            }
            case RANDOM_MATRIX -> TrafficSpec.busiestEgressShare(p);
        };
        double messageGapNs = BufferBound.framesPerMessage(p)
                * slotBytes
                / port
                * share
                * TrafficSpec.multicast(p)
                / p.get(TrafficSpec.LOAD).doubleValue();
        return BufferBound.messageWireBytes(p) / nic > messageGapNs;
    }

    /** VOQs of data frames that the pattern ever uses. */
    private static double voqsInUse(Params p) {
        double n = p.get(TrafficSpec.FLOWS);
        return switch (p.get(TrafficSpec.PATTERN)) {
            case INCAST, PERMUTATION, RING, PIPELINE -> n;
            case DIAGONAL -> Math.min(2, n) * n;
            case UNIFORM, ALL_TO_ALL -> p.get(TrafficSpec.SELF) ? n * n : n * (n - 1);
            case RECURSIVE_DOUBLING -> n * Math.ceil(Math.log(n) / Math.log(2));
            case RANDOM_MATRIX -> n * p.get(TrafficSpec.FAN_OUT);
            case HOTSPOT, MIX, FILE -> n * n;
        };
    }

    private static boolean neverMarks(Params p) {
        if (p.get(TopologySpec.KIND) == TopologySpec.Kind.DIRECT) {
            return false;
        }
        if (!p.get(SwitchSpec.FRAME_FORMAT).carriesEcn()) {
            return true;
        }
        double capacity = p.get(SwitchSpec.BUFFER_CAPACITY);
        double threshold = p.get(SwitchSpec.ECN_KMIN).doubleValue() * capacity;
        return threshold > 0
                && (BufferBound.likelyBytes(p) < threshold || BufferBound.largestFill(p) * capacity < threshold);
    }

    /** Choudhury and Hahne 1998: Q saturated queues of a pool hold alpha Q / (1 + alpha Q) of it, or alpha / (1 + alpha) if alpha is divided. */
    private static boolean dropsBeforeMarks(Params p) {
        Admission admission = p.find(SwitchSpec.ADMISSION);
        PatternKind pattern = p.get(TrafficSpec.PATTERN);
        if (p.find(FlowControlSpec.KIND) != FlowControlSpec.Kind.LOSSY
                || pattern != PatternKind.INCAST && pattern != PatternKind.HOTSPOT
                || p.get(SwitchSpec.BUFFER_SCOPE) != SwitchSpec.BufferScope.SHARED
                || !p.get(SwitchSpec.FRAME_FORMAT).carriesEcn()) {
            return false;
        }
        double alpha = p.get(SwitchSpec.ALPHA).doubleValue();
        double shares = switch (Objects.requireNonNull(admission)) {
            case SIMPLIFIED -> alpha * p.get(TrafficSpec.FLOWS);
            case ACTIVE_QUEUES -> alpha;
            case RESERVED, STATIC -> Double.POSITIVE_INFINITY;
        };
        return shares / (1 + shares) <= p.get(SwitchSpec.ECN_KMIN).doubleValue();
    }

    /** While at most X bytes are in the pool, no VOQ holds more, and its threshold is at least alpha (capacity - X). */
    private static boolean alphaNeverBinds(Params p) {
        Admission admission = p.find(SwitchSpec.ADMISSION);
        if (admission == null) {
            return false;
        }
        if (admission == Admission.STATIC) {
            return true;
        }
        double capacity = p.get(SwitchSpec.BUFFER_CAPACITY);
        double used = Math.min(BufferBound.likelyBytes(p), BufferBound.offeredBytes(p));
        double sharing = admission == Admission.ACTIVE_QUEUES ? voqsInUse(p) : 1;
        return used < capacity && used <= p.get(SwitchSpec.ALPHA).doubleValue() * (capacity - used) / sharing;
    }
}
