package io.github.rhosweep.scenario;

import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a run is measured and bounded.
 *
 * @param messages messages offered that count, of all flows together; 0 for a closed pattern, all of whose messages do
 * @param warmupPs offers before this time are not measured, in ps; null: found by MSER-5 (White 1997)
 * @param kind steady (warm-up removed, a mean exists) or finite (all of it counts)
 * @param maxEvents events after which a run is given up; deterministic
 * @param maxMessages messages in flight beyond which a run is given up; deterministic
 * @param maxWallNs wall time after which a run is given up; marked as such
 */
public record MeasureSpec(
        long messages, @Nullable Long warmupPs, Kind kind, long maxEvents, int maxMessages, long maxWallNs) {
    /** What is measured. */
    public enum Kind {
        STEADY,
        FINITE
    }

    /** Stands for a warm-up found from the data. */
    public static final BigDecimal AUTO_WARMUP = BigDecimal.ONE.negate();

    public static final Parameter<Long> MESSAGES = Parameter.count("measure.messages")
            .between("1", "1000000000000")
            .derived(
                    "20000 (arrivals once: one per source)",
                    p -> p.get(TrafficSpec.ARRIVALS) == TrafficSpec.ArrivalKind.ONCE
                            ? p.get(TrafficSpec.FLOWS)
                            : 20000L)
            .onlyWhen("traffic.pattern is open", p -> !TrafficSpec.isClosed(p))
            .doc(
                    "Offers of all flows together that are measured; a run lasts until the last of them is delivered or lost");
    public static final Parameter<BigDecimal> WARMUP = Parameter.time("measure.warmup")
            .between("0", "1e15")
            .word("auto", AUTO_WARMUP)
            .byDefault("auto")
            .onlyWhen("measure.kind is steady", p -> p.get(MeasureSpec.KIND) == Kind.STEADY)
            .doc("Time at the start that is not measured; auto: truncation point of MSER-5 over time slices");
    public static final Parameter<Kind> KIND = Parameter.choice("measure.kind", Kind.class)
            .derived(
                    "finite for synchronized, once and closed patterns, else steady",
                    p -> TrafficSpec.isClosed(p) || p.get(TrafficSpec.ARRIVALS).finite() ? Kind.FINITE : Kind.STEADY)
            .doc("steady: warm-up removed, a steady-state mean is sought; finite: everything counts");
    public static final Parameter<Long> MAX_EVENTS = Parameter.count("limits.events")
            .between("1", null)
            .byDefault("100000000000")
            .outsideKey()
            .doc("Events after which a run fails; deterministic");
    public static final Parameter<Long> MAX_MESSAGES = Parameter.count("limits.in_flight_messages")
            .between("1", "2147483647")
            .byDefault("100000000")
            .outsideKey()
            .doc("Messages offered and not done with, in all queues together, beyond which a run fails; deterministic");
    public static final Parameter<BigDecimal> MAX_WALL = Parameter.time("limits.wall")
            .between("1000000", "1e18")
            .byDefault("3600 s")
            .outsideKey()
            .doc("Wall time after which a run fails; depends on the machine");

    static final List<Parameter<?>> PARAMETERS = List.of(MESSAGES, WARMUP, KIND, MAX_EVENTS, MAX_MESSAGES, MAX_WALL);

    static final List<Rule> RULES = List.of(
            Rule.when(
                    TrafficSpec::isClosed,
                    p -> p.get(KIND) == Kind.FINITE
                            ? null
                            : "traffic.pattern " + Parameter.label(p.get(TrafficSpec.PATTERN))
                                    + " ends: measure.kind must be finite"),
            Rule.when(
                    p -> !TrafficSpec.isClosed(p) && p.get(TrafficSpec.ARRIVALS) == TrafficSpec.ArrivalKind.ONCE,
                    p -> p.get(MESSAGES).equals(p.get(TrafficSpec.FLOWS)) && p.get(KIND) == Kind.FINITE
                            ? null
                            : "traffic.arrivals once offers one message a flow and is finite: measure.messages must be traffic.flows ("
                                    + p.get(TrafficSpec.FLOWS) + "), measure.kind finite"));

    static MeasureSpec bind(Params p) {
        BigDecimal warmup = p.find(WARMUP);
        Long messages = p.find(MESSAGES);
        return new MeasureSpec(
                messages == null ? 0 : messages,
                warmup == null ? WorkloadSpec.startPs(p) : warmup.signum() < 0 ? null : SwitchSpec.picoseconds(warmup),
                p.get(KIND),
                p.get(MAX_EVENTS),
                p.get(MAX_MESSAGES).intValue(),
                p.get(MAX_WALL).longValue());
    }
}
