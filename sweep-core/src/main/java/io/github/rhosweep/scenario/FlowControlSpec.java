package io.github.rhosweep.scenario;

import java.math.BigDecimal;
import java.util.List;

/**
 * What keeps switches from dropping frames, hop by hop.
 *
 * @param kind lossy, PFC or credits
 * @param xoffFraction of an ingress's share of the buffer, beyond which it pauses its upstream
 * @param xonFraction of the same, below which it lets it go on
 * @param headroomBytes of each ingress, kept for what arrives after the pause
 * @param threshold what the share is
 * @param alpha dynamic threshold: an ingress may hold alpha x what is free of the shared pool
 * @param pausedClasses classes of frames that PFC pauses each by itself; 1 if it pauses a port
 * @param watchdogPs a pause of this length is ended by force, in ps; {@link Long#MAX_VALUE} if none is
 * @param creditBytes buffer that each ingress advertises
 */
public record FlowControlSpec(
        Kind kind,
        double xoffFraction,
        double xonFraction,
        long headroomBytes,
        Threshold threshold,
        double alpha,
        int pausedClasses,
        long watchdogPs,
        long creditBytes) {
    /** What keeps switches from dropping. */
    public enum Kind {
        /** Nothing: admission decides, and what it refuses is lost. */
        LOSSY,
        /** Priority flow control (IEEE 802.1Qbb): an ingress that fills up pauses its upstream. */
        PFC,
        /** Hop-by-hop credits, as in InfiniBand: a sender transmits only into advertised buffer. */
        CREDIT
    }

    /** The share of an ingress. */
    public enum Threshold {
        /** An equal part of the pool less all headrooms. */
        STATIC,
        /** alpha x what is free of it. */
        DYNAMIC
    }

    /** What a pause stops. */
    public enum Pause {
        /** Frames of one class. */
        PER_PRIORITY,
        /** All that the port sends (IEEE 802.3x). */
        PER_PORT
    }

    /** A pause frame on the wire. */
    public static final int PAUSE_BYTES = 64;

    /** Stands for no watchdog. */
    public static final BigDecimal NO_WATCHDOG = BigDecimal.ZERO;

    private static final String PFC = "flow_control.kind is pfc";

    public static final Parameter<Kind> KIND = Parameter.choice("flow_control.kind", Kind.class)
            .byDefault("lossy")
            .onlyWhen("topology.kind is not direct", TopologySpec::hasSwitch)
            .doc("lossy: switches drop; pfc: an ingress that fills up pauses its upstream; credit: hop-by-hop credits");
    public static final Parameter<BigDecimal> XOFF_FRACTION = Parameter.real("pfc.xoff_fraction")
            .between("0", "1")
            .byDefault("0.5")
            .onlyWhen(PFC, FlowControlSpec::pfc)
            .doc("Part of its share of the buffer beyond which an ingress pauses its upstream");
    public static final Parameter<BigDecimal> XON_FRACTION = Parameter.real("pfc.xon_fraction")
            .between("0", "1")
            .byDefault("0.4")
            .onlyWhen(PFC, FlowControlSpec::pfc)
            .doc("Part of its share of the buffer below which an ingress lets its upstream go on");
    public static final Parameter<Long> HEADROOM = Parameter.bytes("pfc.headroom")
            .between("0", null)
            .derived(
                    "2 x propagation x bandwidth + 2 full frames + a pause frame + forwarding latency x bandwidth",
                    FlowControlSpec::headroom)
            .onlyWhen(PFC, FlowControlSpec::pfc)
            .doc(
                    "Buffer of each ingress (and class that is paused by itself) that is kept for what arrives after the pause");
    public static final Parameter<Threshold> THRESHOLD = Parameter.choice("pfc.threshold", Threshold.class)
            .byDefault("static")
            .onlyWhen(PFC, FlowControlSpec::pfc)
            .doc("Share of an ingress: an equal part of the pool less all headrooms, or alpha x what is free of it");
    public static final Parameter<BigDecimal> ALPHA = Parameter.real("pfc.alpha")
            .between("0.000001", "1000000")
            .byDefault("1")
            .onlyWhen("pfc.threshold is dynamic", p -> p.find(FlowControlSpec.THRESHOLD) == Threshold.DYNAMIC)
            .doc("Dynamic threshold of an ingress, in multiples of what is free of the shared pool");
    public static final Parameter<Pause> PAUSE = Parameter.choice("pfc.pause", Pause.class)
            .byDefault("per-priority")
            .onlyWhen(
                    PFC + " and frames of several classes enter VOQs (switch.priority_classes pcp4, or"
                            + " transport.response_channel voq)",
                    p -> pfc(p) && classesInVoqs(p) > 1)
            .doc(
                    "per-priority: each class of an ingress has a share, a headroom and a pause of its own; per-port: one for all");
    public static final Parameter<BigDecimal> WATCHDOG = Parameter.time("pfc.watchdog")
            .between("1", "1e12")
            .word("none", NO_WATCHDOG)
            .byDefault("none")
            .onlyWhen(PFC, FlowControlSpec::pfc)
            .doc("Length of a pause after which it is ended by force, which may drop frames");
    public static final Parameter<Long> CREDIT = Parameter.bytes("flow_control.credit_bytes")
            .between("1", null)
            .derived(
                    "switch.buffer_capacity_bytes / switch.port_count; all of it with switch.buffer_scope per-ingress",
                    p -> p.get(SwitchSpec.BUFFER_CAPACITY) / ingressesOfPool(p))
            .onlyWhen("flow_control.kind is credit", p -> p.find(FlowControlSpec.KIND) == Kind.CREDIT)
            .doc("Buffer that each ingress advertises; full rate needs bandwidth x credit round trip + a frame");

    static final List<Parameter<?>> PARAMETERS =
            List.of(KIND, XOFF_FRACTION, XON_FRACTION, HEADROOM, THRESHOLD, ALPHA, PAUSE, WATCHDOG, CREDIT);

    static final List<Rule> RULES = List.of(
            Rule.when(FlowControlSpec::pfc, Rule.ordered(XON_FRACTION, XOFF_FRACTION)::violation),
            Rule.when(FlowControlSpec::pfc, p -> {
                long ports = p.get(SwitchSpec.PORT_COUNT);
                long headroom = p.get(HEADROOM);
                long pool = p.get(SwitchSpec.BUFFER_CAPACITY);
                int classes = pausedClasses(p);
                BigDecimal all = BigDecimal.valueOf(ports)
                        .multiply(BigDecimal.valueOf(classes))
                        .multiply(BigDecimal.valueOf(headroom));
                return all.compareTo(BigDecimal.valueOf(pool)) < 0
                        ? null
                        : "switch.port_count (" + ports + ") x "
                                + (classes == 1 ? "" : classes + " classes x ")
                                + "pfc.headroom (" + headroom + " B) = " + all
                                + " B do not fit switch.buffer_capacity_bytes (" + pool
                                + "). Maybe shorten link.latency or enlarge the buffer";
            }),
            Rule.when(p -> p.find(KIND) == Kind.CREDIT, p -> {
                long frame = fullFrame(p);
                long ports = ingressesOfPool(p);
                long pool = p.get(SwitchSpec.BUFFER_CAPACITY);
                long credit = p.get(CREDIT);
                if (credit < frame) {
                    return "flow_control.credit_bytes (" + credit + ") must hold a full frame (" + frame
                            + " B): else nothing is ever sent";
                }
                return BigDecimal.valueOf(ports)
                                        .multiply(BigDecimal.valueOf(credit))
                                        .compareTo(BigDecimal.valueOf(pool))
                                <= 0
                        ? null
                        : "flow_control.credit_bytes (" + credit + ") of " + ports
                                + " ingresses exceed switch.buffer_capacity_bytes (" + pool + ")";
            }),
            Rule.when(
                    p -> pfc(p) || p.find(KIND) == Kind.CREDIT,
                    p -> p.get(SwitchSpec.BUFFER_SCOPE) == SwitchSpec.BufferScope.SHARED
                                    || p.get(KIND) == Kind.CREDIT
                                            && p.get(SwitchSpec.BUFFER_SCOPE) == SwitchSpec.BufferScope.PER_INGRESS
                            ? null
                            : "flow_control.kind " + Parameter.label(p.get(KIND)) + " with switch.buffer_scope "
                                    + Parameter.label(p.get(SwitchSpec.BUFFER_SCOPE))
                                    + ": an ingress cannot be held to its share of such pools"),
            Rule.when(
                    p -> p.find(KIND) != null && p.get(KIND) != Kind.LOSSY,
                    p -> p.get(LinkSpec.BANDWIDTH).signum() != 0
                            ? null
                            : "flow_control.kind " + Parameter.label(p.get(KIND))
                                    + " with link.bandwidth unlimited: no pause can stop what arrives at once"),
            Rule.when(
                    p -> p.find(KIND) != null && p.get(KIND) != Kind.LOSSY,
                    p -> p.get(SwitchSpec.EGRESS_GATE) == SwitchSpec.EgressGate.BUSY
                                    || p.get(SwitchSpec.FRAME_SIZE) >= fullFrame(p)
                            ? null
                            : "flow_control.kind " + Parameter.label(p.get(KIND))
                                    + " cannot hold back frames that wait at a port: frames of " + fullFrame(p)
                                    + " B exceed switch.frame_size_bytes (" + p.get(SwitchSpec.FRAME_SIZE)
                                    + "). Maybe set switch.egress_gate to busy, or switch.frame_size_bytes to auto"));

    private static long ingressesOfPool(Params p) {
        return p.get(SwitchSpec.BUFFER_SCOPE) == SwitchSpec.BufferScope.PER_INGRESS ? 1 : p.get(SwitchSpec.PORT_COUNT);
    }

    /** Classes of frames that may enter VOQs. */
    private static int classesInVoqs(Params p) {
        int data = p.get(SwitchSpec.PRIORITY_CLASSES).ofData();
        return p.find(TransportSpec.RESPONSE_CHANNEL) == TransportSpec.ResponseChannel.VOQ ? data + 1 : data;
    }

    private static int pausedClasses(Params p) {
        return p.find(PAUSE) == Pause.PER_PRIORITY ? classesInVoqs(p) : 1;
    }

    private static boolean pfc(Params p) {
        return p.find(KIND) == Kind.PFC;
    }

    private static long fullFrame(Params p) {
        return TrafficSpec.fullFrameWireBytes(p);
    }

    /**
     * What arrives after a pause was decided: the pause's way up, what is on the wire then, a frame that just began at each end,
     * the pause frame's own time, and what the upstream switch has matched but not yet sent.
     */
    private static long headroom(Params p) {
        BigDecimal bandwidth = p.get(SwitchSpec.PORT_BANDWIDTH).max(p.get(LinkSpec.BANDWIDTH));
        BigDecimal delay =
                p.get(LinkSpec.LATENCY).multiply(BigDecimal.valueOf(2)).add(SwitchSpec.pipeline(p));
        return delay.multiply(bandwidth)
                        .setScale(0, java.math.RoundingMode.CEILING)
                        .longValueExact()
                + 2 * fullFrame(p)
                + PAUSE_BYTES;
    }

    static FlowControlSpec bind(Params p) {
        Kind kind = p.find(KIND);
        if (kind == null || kind == Kind.LOSSY) {
            return new FlowControlSpec(Kind.LOSSY, 0, 0, 0, Threshold.STATIC, 0, 1, Long.MAX_VALUE, 0);
        }
        if (kind == Kind.CREDIT) {
            return new FlowControlSpec(kind, 0, 0, 0, Threshold.STATIC, 0, 1, Long.MAX_VALUE, p.get(CREDIT));
        }
        BigDecimal alpha = p.find(ALPHA);
        BigDecimal watchdog = p.get(WATCHDOG);
        return new FlowControlSpec(
                kind,
                p.get(XOFF_FRACTION).doubleValue(),
                p.get(XON_FRACTION).doubleValue(),
                p.get(HEADROOM),
                p.get(THRESHOLD),
                alpha == null ? 0 : alpha.doubleValue(),
                pausedClasses(p),
                watchdog.signum() == 0 ? Long.MAX_VALUE : SwitchSpec.picoseconds(watchdog),
                0);
    }
}
