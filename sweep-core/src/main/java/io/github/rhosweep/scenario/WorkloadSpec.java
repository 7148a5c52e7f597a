package io.github.rhosweep.scenario;

import io.github.rhosweep.scenario.Collectives.Ring;
import io.github.rhosweep.scenario.TrafficSpec.PatternKind;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Parameters of closed patterns. */
final class WorkloadSpec {
    /** How the tokens of an all-to-all are spread. */
    enum Skew {
        NONE,
        ZIPF
    }

    static final Parameter<Ring> RING_OPERATION = Parameter.choice("traffic.ring_operation", Ring.class)
            .byDefault("all-reduce")
            .onlyWhen("traffic.pattern is ring", p -> p.get(TrafficSpec.PATTERN) == PatternKind.RING)
            .doc("What a ring computes: all-reduce takes 2(N-1) steps, all-gather and reduce-scatter N-1");
    static final Parameter<Long> CHUNKS = Parameter.count("traffic.chunks")
            .between("1", "65536")
            .byDefault("1")
            .onlyWhen("traffic.pattern is ring or recursive-doubling", WorkloadSpec::hasSteps)
            .doc("Messages that a step's transfer is cut into; each goes on as soon as it has arrived");
    static final Parameter<Skew> SKEW = Parameter.choice("traffic.skew", Skew.class)
            .byDefault("none")
            .onlyWhen("traffic.pattern is all-to-all", p -> p.get(TrafficSpec.PATTERN) == PatternKind.ALL_TO_ALL)
            .doc(
                    "How destinations differ. zipf: as popular experts of a mixture do, host d gets a share of (d+1)^-s of every buffer");
    static final Parameter<BigDecimal> ZIPF_EXPONENT = Parameter.real("traffic.zipf_exponent")
            .between("0", "10")
            .byDefault("1.2")
            .onlyWhen("traffic.skew is zipf", p -> p.find(WorkloadSpec.SKEW) == Skew.ZIPF)
            .doc("s of Zipf's law");

    static final List<Parameter<?>> PARAMETERS = List.of(RING_OPERATION, CHUNKS, SKEW, ZIPF_EXPONENT);

    static final List<Rule> RULES = List.of(
            Rule.when(
                    TrafficSpec::isClosed,
                    p -> p.get(TrafficSpec.FLOWS) >= 2
                            ? null
                            : "traffic.pattern " + Parameter.label(p.get(TrafficSpec.PATTERN))
                                    + " needs traffic.flows of 2 or more, found " + p.get(TrafficSpec.FLOWS)),
            Rule.when(
                    p -> p.get(TrafficSpec.PATTERN) == PatternKind.RECURSIVE_DOUBLING,
                    p -> Long.bitCount(p.get(TrafficSpec.FLOWS)) == 1
                            ? null
                            : "traffic.pattern recursive-doubling pairs hosts by the bits of their numbers: traffic.flows ("
                                    + p.get(TrafficSpec.FLOWS) + ") must be a power of two"));

    private WorkloadSpec() {}

    private static boolean hasSteps(Params p) {
        PatternKind kind = p.get(TrafficSpec.PATTERN);
        return kind == PatternKind.RING || kind == PatternKind.RECURSIVE_DOUBLING;
    }

    static int chunks(Params p) {
        return Math.toIntExact(p.get(CHUNKS));
    }

    static @Nullable Double zipf(Params p) {
        BigDecimal exponent = p.find(ZIPF_EXPONENT);
        return exponent == null ? null : exponent.doubleValue();
    }
}
