package io.github.rhosweep.scenario;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The switch: buffer, admission, marking and matching.
 *
 * @param forwardingPs fixed forwarding delay, the arbiter's time included, in ps
 * @param bandwidthGbPerS port bandwidth in GB/s, exact
 * @param portCount ports
 * @param bufferCapacityBytes shared pool
 * @param alpha Dynamic Threshold factor (Choudhury and Hahne 1998)
 * @param ecnKmin buffer fill where RED marking starts
 * @param ecnKmax buffer fill where it ends
 * @param ecnPmax marking probability at kmax
 * @param islipIterations request-grant-accept rounds a tick
 * @param frameSizeBytes sets the time slot only
 * @param staticLimitBytes per-VOQ limit of {@link Admission#STATIC}, 0 elsewhere
 * @param ecnScope whose fill decides on marking
 * @param bufferScope who shares a pool
 * @param priorityClasses how many classes of frames there are
 * @param egressScheduler which class an egress serves
 * @param quanta bytes of each class, lowest first, that an egress serves in turn under {@link EgressScheduler#DWRR}
 * @param frameFormat of all frames; without an IP header none is marked
 * @param replaySeed seed of a replayed switch; null in a simulated run, where it derives from the run's seed
 */
public record SwitchSpec(
        long forwardingPs,
        BigDecimal bandwidthGbPerS,
        int portCount,
        long bufferCapacityBytes,
        double alpha,
        double ecnKmin,
        double ecnKmax,
        double ecnPmax,
        int islipIterations,
        long frameSizeBytes,
        Admission admission,
        long reservedBytes,
        long staticLimitBytes,
        EgressGate egressGate,
        PriorityMode priorityMode,
        PointerInit pointerInit,
        EcnScope ecnScope,
        BufferScope bufferScope,
        PriorityClasses priorityClasses,
        EgressScheduler egressScheduler,
        List<Long> quanta,
        FrameFormat frameFormat,
        @Nullable Long replaySeed) {

    /** Which frames are let into the pool. */
    public enum Admission {
        /** queue + frame at most alpha x free. */
        SIMPLIFIED,
        /** queue + frame at most alpha x free / active VOQs. */
        ACTIVE_QUEUES,
        /** queue + frame at most reserved + alpha x free. */
        RESERVED,
        /** A fixed limit per VOQ, then the capacity. */
        STATIC
    }

    /** Whether an egress that still serialises takes part in the matching (D-7). */
    public enum EgressGate {
        OVERLAP,
        BUSY
    }

    /** How the two priorities share the matching (D-6). */
    public enum PriorityMode {
        FLAT,
        STRICT
    }

    /** Where the round-robin pointers start (D-4). */
    public enum PointerInit {
        ZERO,
        RANDOM
    }

    /** Whose fill decides on marking. */
    public enum EcnScope {
        /** The whole buffer's. */
        GLOBAL,
        /** Of what is queued for the frame's own egress. */
        EGRESS
    }

    /** Who shares a pool of {@code buffer_capacity_bytes}. */
    public enum BufferScope {
        SHARED,
        PER_INGRESS,
        PER_EGRESS
    }

    /** Classes of frames, each with VOQs of its own. Classes are numbered from 0, the lowest. */
    public enum PriorityClasses {
        /** Data, and control above it. */
        TWO(2),
        /** ACKs, NAKs and CNPs over requests over responses that carry data over the rest. */
        PCP4(4);

        private final int count;

        PriorityClasses(int count) {
            this.count = count;
        }

        public int count() {
            return count;
        }

        /** The class of frames without payload: the highest. */
        public int control() {
            return count - 1;
        }

        /** Classes of frames with payload: all below {@link #control}. */
        public int ofData() {
            return count - 1;
        }
    }

    /** Which class of frames an egress serves. */
    public enum EgressScheduler {
        /** What {@link PriorityMode} says. */
        FIFO,
        /** Deficit weighted round robin: classes in turn, each a quantum of bytes. */
        DWRR
    }

    /** The seed of the design's generator, 0x123456789ABCDEF0. */
    public static final long DEFAULT_RNG_SEED = 0x123456789ABCDEF0L;

    private static final String SWITCHED = "topology.kind is not direct";
    private static final String DWRR = "switch.egress_scheduler is dwrr";
    private static final String DWRR_OF_FOUR = DWRR + " and switch.priority_classes is pcp4";

    public static final Parameter<BigDecimal> FORWARDING_LATENCY = Parameter.time("switch.forwarding_latency_ns")
            .between("0", "1e9")
            .byDefault("30")
            .onlyWhen(SWITCHED, TopologySpec::hasSwitch)
            .doc("Fixed delay of the switch's pipeline; overlaps with the service of later frames");
    public static final Parameter<BigDecimal> PORT_BANDWIDTH = Parameter.bandwidth("switch.port_bandwidth_gb_per_s")
            .between("0.000001", "1000000")
            .byDefault("400")
            .onlyWhen(SWITCHED, TopologySpec::hasSwitch)
            .doc("Bandwidth of each switch port, GB/s (10^9 bytes per second)");
    public static final Parameter<Long> PORT_COUNT = Parameter.count("switch.port_count")
            // A queue for every pair of ports and priority: 4096 ports have 2^25 of them, half a GiB.
            .between("1", "4096")
            .derived("what the topology needs (single-switch: topology.hosts)", TopologySpec::portsNeeded)
            .onlyWhen(SWITCHED, TopologySpec::hasSwitch)
            .doc("Ports of each switch");
    public static final Parameter<Long> PRIORITY_COUNT = Parameter.count("switch.priority_count")
            .between("4", "8")
            .byDefault("4")
            .onlyWhen(SWITCHED, TopologySpec::hasSwitch)
            .outsideKey()
            .doc(
                    "Kept for compatibility with the design: only priorities 2 (data) and 3 (control) occur, so it changes nothing");
    public static final Parameter<Long> BUFFER_CAPACITY = Parameter.bytes("switch.buffer_capacity_bytes")
            .between("1", "4611686018427387904")
            .byDefault("16 MiB")
            .onlyWhen(SWITCHED, TopologySpec::hasSwitch)
            .doc("Buffer pool shared by all VOQs");
    public static final Parameter<BigDecimal> ALPHA = Parameter.real("switch.alpha")
            .between("0", "1000000")
            .byDefault("2")
            .onlyWhen(SWITCHED, TopologySpec::hasSwitch)
            .doc("Dynamic Threshold factor: a VOQ may hold alpha x free bytes (useful range 0.25 .. 8)");
    public static final Parameter<BigDecimal> ECN_KMIN = Parameter.real("switch.ecn_kmin")
            .between("0", "1")
            .byDefault("0.5")
            .onlyWhen(SWITCHED, TopologySpec::hasSwitch)
            .doc("Buffer fill (0..1) from which data frames are marked");
    public static final Parameter<BigDecimal> ECN_KMAX = Parameter.real("switch.ecn_kmax")
            .between("0", "1")
            .byDefault("0.8")
            .onlyWhen(SWITCHED, TopologySpec::hasSwitch)
            .doc("Buffer fill (0..1) beyond which every data frame is marked");
    public static final Parameter<BigDecimal> ECN_PMAX = Parameter.real("switch.ecn_pmax")
            .between("0", "1")
            .byDefault("1")
            .onlyWhen(SWITCHED, TopologySpec::hasSwitch)
            .doc("Marking probability at ecn_kmax");
    public static final Parameter<Long> ISLIP_ITERATIONS = Parameter.count("switch.islip_iterations")
            .between("1", "65536")
            .byDefault("2")
            .onlyWhen(SWITCHED, TopologySpec::hasSwitch)
            .doc("Request-grant-accept rounds per tick");
    public static final Parameter<Long> FRAME_SIZE = Parameter.bytes("switch.frame_size_bytes")
            .between("1", "1000000000")
            .auto("auto")
            .derived(
                    "1406; `auto`: the run's full frame",
                    p -> p.isAuto(SwitchSpec.FRAME_SIZE) ? TrafficSpec.fullFrameWireBytes(p) : 1406L)
            .onlyWhen(SWITCHED, TopologySpec::hasSwitch)
            .doc("Frame size that sets the time slot, and nothing else");
    public static final Parameter<Admission> ADMISSION = Parameter.choice("switch.admission", Admission.class)
            .byDefault("simplified")
            .onlyWhen(SWITCHED, TopologySpec::hasSwitch)
            .doc(
                    "What a VOQ may hold. simplified: alpha x free bytes; active-queues: that over the VOQs in use; reserved: that"
                            + " plus a reservation; static: a fixed limit");
    public static final Parameter<Long> RESERVED = Parameter.bytes("switch.reserved_bytes")
            .between("0", null)
            .byDefault("131072")
            .onlyWhen("switch.admission is reserved", p -> p.find(SwitchSpec.ADMISSION) == Admission.RESERVED)
            .doc("Bytes that every VOQ may hold however full the pool is");
    public static final Parameter<Long> STATIC_LIMIT = Parameter.bytes("switch.static_limit_bytes")
            .between("0", null)
            .noDefault()
            .onlyWhen("switch.admission is static", p -> p.find(SwitchSpec.ADMISSION) == Admission.STATIC)
            .doc("Bytes that a VOQ may hold under static admission; required there");
    public static final Parameter<EgressGate> EGRESS_GATE = Parameter.choice("switch.egress_gate", EgressGate.class)
            .byDefault("overlap")
            .onlyWhen(SWITCHED, TopologySpec::hasSwitch)
            .doc("overlap: a match to a busy port is served and waits at the port; busy: it is not made");
    public static final Parameter<PriorityMode> PRIORITY_MODE = Parameter.choice(
                    "switch.priority_mode", PriorityMode.class)
            .byDefault("flat")
            .onlyWhen(SWITCHED, TopologySpec::hasSwitch)
            .doc("flat: both priorities in one matching; strict: control frames are matched first");
    public static final Parameter<PointerInit> POINTER_INIT = Parameter.choice("switch.pointer_init", PointerInit.class)
            .byDefault("zero")
            .onlyWhen(SWITCHED, TopologySpec::hasSwitch)
            .doc("Where grant and accept pointers start. zero: all at port 0; random: each at a port drawn for it");
    public static final Parameter<EcnScope> ECN_SCOPE = Parameter.choice("switch.ecn_scope", EcnScope.class)
            .byDefault("global")
            .onlyWhen(SWITCHED, TopologySpec::hasSwitch)
            .doc(
                    "Fill that decides on marking: of the whole buffer, or of what is queued for the frame's own egress, both"
                            + " over switch.buffer_capacity_bytes");
    public static final Parameter<BufferScope> BUFFER_SCOPE = Parameter.choice("switch.buffer_scope", BufferScope.class)
            .byDefault("shared")
            .onlyWhen(SWITCHED, TopologySpec::hasSwitch)
            .doc("shared: one pool of switch.buffer_capacity_bytes; else one of that size for each ingress or egress");
    public static final Parameter<BigDecimal> ARBITER = Parameter.real("switch.arbiter_ns_per_iteration")
            .between("0", "1e9")
            .byDefault("0")
            .onlyWhen(SWITCHED, TopologySpec::hasSwitch)
            .doc(
                    "Nanoseconds that each iSLIP iteration adds to the forwarding latency; overlaps with later frames like the rest");
    public static final Parameter<PriorityClasses> PRIORITY_CLASSES = Parameter.choice(
                    "switch.priority_classes", PriorityClasses.class)
            .byDefault("two")
            .outsideKeyAtDefault()
            .onlyWhen(SWITCHED, TopologySpec::hasSwitch)
            .doc(
                    "two: control over data; pcp4: ACKs, NAKs and CNPs, then requests (REQ), then responses with data (RSP), then the"
                            + " rest. switch.priority_mode and switch.egress_scheduler say what a class gets");
    public static final Parameter<EgressScheduler> EGRESS_SCHEDULER = Parameter.choice(
                    "switch.egress_scheduler", EgressScheduler.class)
            .byDefault("fifo")
            .outsideKeyAtDefault()
            .onlyWhen(SWITCHED, TopologySpec::hasSwitch)
            .doc(
                    "fifo: classes as switch.priority_mode says; dwrr: each egress serves its classes in turn, each a quantum of bytes");
    public static final Parameter<Long> QUANTUM_CONTROL =
            quantum("control", "ACKs, NAKs and CNPs in VOQs", DWRR, SwitchSpec::dwrr);
    public static final Parameter<Long> QUANTUM_REQ =
            quantum("req", "requests (all data with switch.priority_classes two)", DWRR, SwitchSpec::dwrr);
    public static final Parameter<Long> QUANTUM_RSP =
            quantum("rsp", "responses that carry data", DWRR_OF_FOUR, p -> dwrr(p) && pcp4(p));
    public static final Parameter<Long> QUANTUM_REST =
            quantum("rest", "all other data", DWRR_OF_FOUR, p -> dwrr(p) && pcp4(p));
    public static final Parameter<FrameFormat> FRAME_FORMAT = Parameter.choice("switch.frame_format", FrameFormat.class)
            .byDefault("standard")
            .outsideKeyAtDefault()
            .onlyWhen(SWITCHED, TopologySpec::hasSwitch)
            .doc(
                    "Headers of all frames. standard: 62 B (Ethernet, VLAN, IP, UDP); afh-gen1, afh-gen2-16b: 26 B; afh-lite: 16 B;"
                            + " without an IP header no frame can be marked");
    public static final Parameter<Long> RNG_SEED = Parameter.seed("switch.rng_seed")
            .noDefault()
            .onlyWhen("a trace is replayed (a simulated run derives it from its own seed)", p -> false)
            .doc("Seed of the marking generator, unsigned 64-bit, not 0");

    static final List<Parameter<?>> PARAMETERS = List.of(
            FORWARDING_LATENCY,
            PORT_BANDWIDTH,
            PORT_COUNT,
            PRIORITY_COUNT,
            BUFFER_CAPACITY,
            ALPHA,
            ECN_KMIN,
            ECN_KMAX,
            ECN_PMAX,
            ISLIP_ITERATIONS,
            FRAME_SIZE,
            ADMISSION,
            RESERVED,
            STATIC_LIMIT,
            EGRESS_GATE,
            PRIORITY_MODE,
            POINTER_INIT,
            ECN_SCOPE,
            BUFFER_SCOPE,
            ARBITER,
            PRIORITY_CLASSES,
            EGRESS_SCHEDULER,
            QUANTUM_CONTROL,
            QUANTUM_REQ,
            QUANTUM_RSP,
            QUANTUM_REST,
            FRAME_FORMAT,
            RNG_SEED);

    /** What no point may violate. */
    static final List<Rule> RULES = List.of(
            Rule.when(TopologySpec::hasSwitch, Rule.ordered(ECN_KMIN, ECN_KMAX)::violation),
            Rule.when(
                    p -> p.find(ADMISSION) == Admission.STATIC,
                    p -> p.find(STATIC_LIMIT) != null
                            ? null
                            : "switch.admission static needs switch.static_limit_bytes, which is not given"),
            Rule.when(
                    SwitchSpec::dwrr,
                    p -> p.get(PRIORITY_MODE) == PriorityMode.FLAT
                            ? null
                            : "switch.egress_scheduler dwrr and switch.priority_mode strict both say which class goes: choose one"),
            Rule.when(TopologySpec::hasSwitch, p -> {
                long frame = p.get(FRAME_SIZE);
                BigDecimal bandwidth = p.get(PORT_BANDWIDTH);
                return serialisationPs(frame, bandwidth) >= 1
                        ? null
                        : "switch.frame_size_bytes (" + frame + ") at switch.port_bandwidth_gb_per_s ("
                                + Quantity.canonical(bandwidth) + ") gives a time slot below 1 ps";
            }));

    private static Parameter<Long> quantum(String name, String what, String when, Predicate<Params> applies) {
        // Below a small frame a turn would take many rounds.
        return Parameter.bytes("switch.quantum_" + name)
                .between("64", "1000000000")
                .byDefault("1406 B")
                .onlyWhen(when, applies)
                .doc("Wire bytes in a turn of " + what + " under dwrr; a last frame may exceed it and is made up for");
    }

    private static boolean dwrr(Params p) {
        return p.find(EGRESS_SCHEDULER) == EgressScheduler.DWRR;
    }

    static boolean pcp4(Params p) {
        return p.find(PRIORITY_CLASSES) == PriorityClasses.PCP4;
    }

    private static List<Long> quanta(Params p) {
        if (!dwrr(p)) {
            return List.of();
        }
        return pcp4(p)
                ? List.of(p.get(QUANTUM_REST), p.get(QUANTUM_RSP), p.get(QUANTUM_REQ), p.get(QUANTUM_CONTROL))
                : List.of(p.get(QUANTUM_REQ), p.get(QUANTUM_CONTROL));
    }

    static SwitchSpec bind(Params p) {
        Long staticLimit = p.find(STATIC_LIMIT);
        Long reserved = p.find(RESERVED);
        return new SwitchSpec(
                picoseconds(pipeline(p)),
                p.get(PORT_BANDWIDTH),
                Math.toIntExact(p.get(PORT_COUNT)),
                p.get(BUFFER_CAPACITY),
                p.get(ALPHA).doubleValue(),
                p.get(ECN_KMIN).doubleValue(),
                p.get(ECN_KMAX).doubleValue(),
                p.get(ECN_PMAX).doubleValue(),
                Math.toIntExact(p.get(ISLIP_ITERATIONS)),
                p.get(FRAME_SIZE),
                p.get(ADMISSION),
                reserved == null ? 0 : reserved,
                staticLimit == null ? 0 : staticLimit,
                p.get(EGRESS_GATE),
                p.get(PRIORITY_MODE),
                p.get(POINTER_INIT),
                p.get(ECN_SCOPE),
                p.get(BUFFER_SCOPE),
                p.get(PRIORITY_CLASSES),
                p.get(EGRESS_SCHEDULER),
                quanta(p),
                p.get(FRAME_FORMAT),
                p.find(RNG_SEED));
    }

    /** From the match of a frame to its first bit on the wire, in ns. */
    static BigDecimal pipeline(Params p) {
        return p.get(FORWARDING_LATENCY).add(p.get(ARBITER).multiply(BigDecimal.valueOf(p.get(ISLIP_ITERATIONS))));
    }

    /**
     * Binds the switch of a replayed trace: {@code switch.rng_seed} applies, and {@code switch.port_count} is 8 unless given. A
     * parameter that the admission in force does not use may stand there all the same.
     *
     * @param texts from paths ({@code switch.alpha}) to values as a file holds them
     * @throws InvalidValueException naming the path, for an unknown one, a bad value or a violated rule
     */
    public static SwitchSpec ofReplay(Map<String, String> texts) {
        Map<String, String> given = new TreeMap<>(texts);
        String seed = given.remove(RNG_SEED.path());
        given.putIfAbsent(PORT_COUNT.path(), "8");
        if (!given.getOrDefault(PRIORITY_CLASSES.path(), "two").equals("two")) {
            throw new InvalidValueException(
                    PRIORITY_CLASSES.path() + ": a trace does not tell requests from responses");
        }
        if (FRAME_SIZE.parse(given.getOrDefault(FRAME_SIZE.path(), "1406")) == null) {
            throw new InvalidValueException(FRAME_SIZE.path() + ": a replayed trace has no full frame for `auto`");
        }
        Params params = Params.parse(given);
        for (Rule rule : RULES) {
            String violation = rule.violation(params);
            if (violation != null) {
                throw new InvalidValueException(violation);
            }
        }
        return bind(params).withSeed(seed == null ? DEFAULT_RNG_SEED : parseSeed(seed));
    }

    private static long parseSeed(String text) {
        try {
            return Objects.requireNonNull(RNG_SEED.parse(text));
        } catch (InvalidValueException bad) {
            throw new InvalidValueException(RNG_SEED.path() + ": " + bad.getMessage());
        }
    }

    private SwitchSpec withSeed(long seed) {
        return new SwitchSpec(
                forwardingPs,
                bandwidthGbPerS,
                portCount,
                bufferCapacityBytes,
                alpha,
                ecnKmin,
                ecnKmax,
                ecnPmax,
                islipIterations,
                frameSizeBytes,
                admission,
                reservedBytes,
                staticLimitBytes,
                egressGate,
                priorityMode,
                pointerInit,
                ecnScope,
                bufferScope,
                priorityClasses,
                egressScheduler,
                quanta,
                frameFormat,
                seed);
    }

    /** The time slot, in ps: serialisation of {@code frame_size_bytes}. */
    public long slotPs() {
        return serialisationPs(frameSizeBytes);
    }

    /** Time that a frame of so many wire bytes takes on a port, in ps (D-1). */
    public long serialisationPs(long wireBytes) {
        return serialisationPs(wireBytes, bandwidthGbPerS);
    }

    /** {@code round_half_up(wire_bytes * 1000 / GB/s)} ps from the exact rational (D-1). */
    public static long serialisationPs(long wireBytes, BigDecimal gbPerS) {
        return BigDecimal.valueOf(wireBytes)
                .scaleByPowerOfTen(3)
                .divide(gbPerS, 0, RoundingMode.HALF_UP)
                .longValueExact();
    }

    /** A time in ns as ps, rounded half up (D-1). */
    public static long picoseconds(BigDecimal ns) {
        return ns.scaleByPowerOfTen(3).setScale(0, RoundingMode.HALF_UP).longValueExact();
    }
}
