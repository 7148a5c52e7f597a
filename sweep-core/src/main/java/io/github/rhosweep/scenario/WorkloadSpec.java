package io.github.rhosweep.scenario;

import io.github.rhosweep.scenario.Collectives.Ring;
import io.github.rhosweep.scenario.TrafficSpec.ArrivalKind;
import io.github.rhosweep.scenario.TrafficSpec.PatternKind;
import io.github.rhosweep.scenario.TrafficSpec.Workload;
import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Parameters of closed patterns, and of pipelines. */
final class WorkloadSpec {
    /** How the tokens of an all-to-all are spread. */
    enum Skew {
        NONE,
        ZIPF
    }

    /** What goes on beside a pipeline. */
    enum Overlap {
        NONE,
        ALL_TO_ALL,
        RING,
        RECURSIVE_DOUBLING
    }

    /** Beyond it a schedule would not fit a few GB. */
    private static final long MOST_MESSAGES = 1L << 25;

    private static final String IS_MIX = "traffic.pattern is mix";

    static final Parameter<Workload> FOREGROUND = Parameter.choice("traffic.foreground", Workload.class)
            .byDefault("ring")
            .onlyWhen(IS_MIX, WorkloadSpec::isMix)
            .doc("The closed pattern of a mix: it is what is measured, and the run ends with it");
    static final Parameter<BigDecimal> FOREGROUND_START = Parameter.time("traffic.foreground_start")
            .between("0", "1e12")
            .byDefault("20 us")
            .onlyWhen(IS_MIX, WorkloadSpec::isMix)
            .doc("When the foreground of a mix starts: its other tenants start at 0, and completion counts from here");
    static final Parameter<BigDecimal> BACKGROUND_UNIFORM = weight("traffic.background_uniform", "1")
            .doc("Weight, among the messages of a mix's other tenants, of those to any other host");
    static final Parameter<BigDecimal> BACKGROUND_PERMUTATION = weight("traffic.background_permutation", "0")
            .doc("Weight, among the messages of a mix's other tenants, of those to the next host");
    static final Parameter<BigDecimal> BACKGROUND_HOTSPOT = weight("traffic.background_hotspot", "0")
            .doc("Weight, among the messages of a mix's other tenants, of those as of traffic.pattern hotspot");
    static final Parameter<Long> BACKGROUND_MESSAGE = Parameter.bytes("traffic.background_message")
            .between("1", "1099511627776")
            .byDefault("64 KiB")
            .onlyWhen(IS_MIX, WorkloadSpec::isMix)
            .doc("Payload of a message of a mix's other tenants");
    static final Parameter<Ring> RING_OPERATION = Parameter.choice("traffic.ring_operation", Ring.class)
            .byDefault("all-reduce")
            .onlyWhen("traffic.pattern is ring", p -> is(p, Workload.RING))
            .doc("What a ring computes: all-reduce takes 2(N-1) steps, all-gather and reduce-scatter N-1");
    static final Parameter<Skew> SKEW = Parameter.choice("traffic.skew", Skew.class)
            .byDefault("none")
            .onlyWhen("traffic.pattern is all-to-all", p -> is(p, Workload.ALL_TO_ALL))
            .doc(
                    "How destinations differ. zipf: as popular experts of a mixture do, host d gets a share of (d+1)^-s of every buffer");
    static final Parameter<BigDecimal> ZIPF_EXPONENT = Parameter.real("traffic.zipf_exponent")
            .between("0", "10")
            .byDefault("1.2")
            .onlyWhen("traffic.skew is zipf", p -> p.find(WorkloadSpec.SKEW) == Skew.ZIPF)
            .doc("s of Zipf's law");
    static final Parameter<Long> STAGES = Parameter.count("traffic.stages")
            .between("2", "65535")
            .byDefault("4")
            .onlyWhen(
                    "traffic.pattern is pipeline",
                    p -> p.get(TrafficSpec.PATTERN) == PatternKind.PIPELINE || is(p, Workload.PIPELINE))
            .doc(
                    "Stages of a pipeline, of traffic.flows / stages hosts each; host j of a stage sends to host j of the next");
    static final Parameter<Long> MICRO_BATCHES = closedPipeline(Parameter.count("traffic.micro_batches")
                    .between("1", "1000000")
                    .byDefault("8"))
            .doc("Micro-batches of each host of the first stage, all there from the start");
    static final Parameter<Long> CHUNKS = Parameter.count("traffic.chunks")
            .between("1", "65536")
            .byDefault("1")
            .onlyWhen(
                    "traffic.pattern is ring, recursive-doubling or a closed pipeline",
                    p -> is(p, Workload.RING) || is(p, Workload.RECURSIVE_DOUBLING) || is(p, Workload.PIPELINE))
            .doc("Messages that a step's transfer is cut into; each goes on as soon as it has arrived");
    static final Parameter<Boolean> BACKWARD = closedPipeline(
                    Parameter.flag("traffic.backward").byDefault("false"))
            .doc("Whether each micro-batch, once at the last stage, goes back to the first as gradients do");
    static final Parameter<Overlap> OVERLAP = closedPipeline(
                    Parameter.choice("traffic.overlap", Overlap.class).byDefault("none"))
            .doc("The collective that all hosts of a pipeline begin at the same time; the run ends with the pipeline");
    static final Parameter<Long> OVERLAP_MESSAGE = Parameter.bytes("traffic.overlap_message")
            .between("1", "1099511627776")
            .byDefault("1 MiB")
            .onlyWhen("traffic.overlap is not none", WorkloadSpec::overlaps)
            .doc("Buffer of one rank of traffic.overlap");

    static final List<Parameter<?>> PARAMETERS = List.of(
            FOREGROUND,
            FOREGROUND_START,
            BACKGROUND_UNIFORM,
            BACKGROUND_PERMUTATION,
            BACKGROUND_HOTSPOT,
            BACKGROUND_MESSAGE,
            RING_OPERATION,
            SKEW,
            ZIPF_EXPONENT,
            STAGES,
            MICRO_BATCHES,
            CHUNKS,
            BACKWARD,
            OVERLAP,
            OVERLAP_MESSAGE);

    static final List<Rule> RULES = List.of(
            Rule.when(
                    TrafficSpec::isClosed,
                    p -> p.get(TrafficSpec.FLOWS) >= 2
                            ? null
                            : "traffic.pattern " + Parameter.label(p.get(TrafficSpec.PATTERN))
                                    + " needs traffic.flows of 2 or more, found " + p.get(TrafficSpec.FLOWS)),
            Rule.when(
                    p -> is(p, Workload.RECURSIVE_DOUBLING) || p.find(OVERLAP) == Overlap.RECURSIVE_DOUBLING,
                    p -> Long.bitCount(p.get(TrafficSpec.FLOWS)) == 1
                            ? null
                            : "recursive-doubling pairs hosts by the bits of their numbers: traffic.flows ("
                                    + p.get(TrafficSpec.FLOWS) + ") must be a power of two"),
            Rule.when(p -> TrafficSpec.isClosed(p) && !WorkloadFiles.isMissing(p), p -> {
                double messages = p.get(TrafficSpec.PATTERN).bind(p) instanceof ClosedPattern closed
                        ? closed.messages(Math.toIntExact(p.get(TrafficSpec.FLOWS)))
                        : 0;
                return messages <= MOST_MESSAGES
                        ? null
                        : String.format(
                                Locale.ROOT,
                                "traffic.pattern %s with traffic.flows %d has %.3g messages, more than the %d that a run holds",
                                Parameter.label(p.get(TrafficSpec.PATTERN)),
                                p.get(TrafficSpec.FLOWS),
                                messages,
                                MOST_MESSAGES);
            }),
            Rule.when(
                    p -> p.applies(STAGES),
                    p -> p.get(TrafficSpec.FLOWS) % p.get(STAGES) == 0
                            ? null
                            : "traffic.flows (" + p.get(TrafficSpec.FLOWS) + ") must be a multiple of traffic.stages ("
                                    + p.get(STAGES) + ")"),
            Rule.when(
                    WorkloadSpec::isMix,
                    p -> p.get(BACKGROUND_UNIFORM).signum()
                                            + p.get(BACKGROUND_PERMUTATION).signum()
                                            + p.get(BACKGROUND_HOTSPOT).signum()
                                    > 0
                            ? null
                            : "traffic.background_uniform, _permutation and _hotspot are all 0: one must not be"));

    private WorkloadSpec() {}

    private static Parameter.Builder<BigDecimal> weight(String path, String byDefault) {
        return Parameter.real(path).between("0", "1000000").byDefault(byDefault).onlyWhen(IS_MIX, WorkloadSpec::isMix);
    }

    private static <T> Parameter.Builder<T> closedPipeline(Parameter.Builder<T> builder) {
        return builder.onlyWhen(
                "traffic.pattern is pipeline with traffic.arrivals once, or traffic.foreground is pipeline",
                p -> is(p, Workload.PIPELINE));
    }

    /** When a foreground starts, in ps; 0 where there is none. */
    static Long startPs(Params p) {
        BigDecimal start = p.find(FOREGROUND_START);
        return start == null ? 0L : SwitchSpec.picoseconds(start);
    }

    private static boolean isMix(Params p) {
        return p.get(TrafficSpec.PATTERN) == PatternKind.MIX;
    }

    private static boolean overlaps(Params p) {
        Overlap overlap = p.find(OVERLAP);
        return overlap != null && overlap != Overlap.NONE;
    }

    static boolean hasHotspot(Params p) {
        BigDecimal weight = p.find(BACKGROUND_HOTSPOT);
        return weight != null && weight.signum() > 0;
    }

    /** Whether a point is closed by this workload. */
    static boolean is(Params p, Workload workload) {
        return workload(p) == workload;
    }

    private static @Nullable Workload workload(Params p) {
        return switch (p.get(TrafficSpec.PATTERN)) {
            case INCAST, UNIFORM, PERMUTATION, DIAGONAL, HOTSPOT, RANDOM_MATRIX, FILE -> null;
            case ALL_TO_ALL -> Workload.ALL_TO_ALL;
            case RING -> Workload.RING;
            case RECURSIVE_DOUBLING -> Workload.RECURSIVE_DOUBLING;
            case PIPELINE -> p.get(TrafficSpec.ARRIVALS) == ArrivalKind.ONCE ? Workload.PIPELINE : null;
            case MIX -> p.get(FOREGROUND);
        };
    }

    private static int chunks(Params p) {
        return Math.toIntExact(p.get(CHUNKS));
    }

    static ClosedPattern allToAll(Params p) {
        BigDecimal exponent = p.find(ZIPF_EXPONENT);
        return new ClosedPattern.AllToAll(
                p.get(TrafficSpec.MESSAGE), exponent == null ? null : exponent.doubleValue(), p.get(TrafficSpec.SELF));
    }

    static ClosedPattern ring(Params p) {
        return new ClosedPattern.RingCollective(p.get(RING_OPERATION), p.get(TrafficSpec.MESSAGE), chunks(p));
    }

    static ClosedPattern recursiveDoubling(Params p) {
        return new ClosedPattern.RecursiveDoubling(p.get(TrafficSpec.MESSAGE), chunks(p));
    }

    /** A pipeline of a given number of micro-batches. */
    static ClosedPattern pipeline(Params p) {
        return new ClosedPattern.Pipeline(
                Math.toIntExact(p.get(STAGES)),
                Math.toIntExact(p.get(MICRO_BATCHES)),
                p.get(TrafficSpec.MESSAGE),
                chunks(p),
                p.get(BACKWARD),
                overlap(p));
    }

    private static @Nullable ClosedPattern overlap(Params p) {
        return switch (p.get(OVERLAP)) {
            case NONE -> null;
            case ALL_TO_ALL -> new ClosedPattern.AllToAll(p.get(OVERLAP_MESSAGE), null, false);
            case RING -> new ClosedPattern.RingCollective(Ring.ALL_REDUCE, p.get(OVERLAP_MESSAGE), 1);
            case RECURSIVE_DOUBLING -> new ClosedPattern.RecursiveDoubling(p.get(OVERLAP_MESSAGE), 1);
        };
    }

    static ClosedPattern mix(Params p) {
        ClosedPattern foreground = switch (p.get(FOREGROUND)) {
            case ALL_TO_ALL -> allToAll(p);
            case RING -> ring(p);
            case RECURSIVE_DOUBLING -> recursiveDoubling(p);
            case PIPELINE -> pipeline(p);
        };
        return new ClosedPattern.Mix(
                foreground,
                SwitchSpec.picoseconds(p.get(FOREGROUND_START)),
                p.get(BACKGROUND_UNIFORM).doubleValue(),
                p.get(BACKGROUND_PERMUTATION).doubleValue(),
                p.get(BACKGROUND_HOTSPOT).doubleValue(),
                hasHotspot(p) ? p.get(TrafficSpec.HOTSPOT_FRACTION).doubleValue() : 0,
                p.get(BACKGROUND_MESSAGE));
    }
}
