package io.github.rhosweep.design;

import io.github.rhosweep.scenario.Params;
import io.github.rhosweep.scenario.RoutingSpec;
import io.github.rhosweep.scenario.SwitchSpec;
import io.github.rhosweep.scenario.TopologySpec;
import io.github.rhosweep.scenario.TrafficSpec;
import java.math.BigDecimal;

/** Which points draw random numbers. */
final class RandomDraws {
    private RandomDraws() {}

    /** Whether a run may draw; never false for one that does. Asks in an order that reads few parameters in common cases. */
    static boolean drawnBy(Params p) {
        if (p.find(TrafficSpec.ARRIVALS) != null && drawsGaps(p) || TrafficSpec.drawsSizes(p)) {
            return true;
        }
        boolean destinations = switch (p.get(TrafficSpec.PATTERN)) {
            case INCAST, PERMUTATION, ALL_TO_ALL, RING, RECURSIVE_DOUBLING, PIPELINE, FILE -> false;
            case UNIFORM, DIAGONAL, HOTSPOT, RANDOM_MATRIX, MIX -> true;
        };
        if (destinations) {
            return true;
        }
        if (p.get(TopologySpec.KIND) == TopologySpec.Kind.DIRECT) {
            return false;
        }
        if (p.find(RoutingSpec.KIND) != null) {
            return true; // Hashes that choose among ways begin with the run's seed.
        }
        return p.get(SwitchSpec.POINTER_INIT) == SwitchSpec.PointerInit.RANDOM || marksAtRandom(p);
    }

    private static boolean drawsGaps(Params p) {
        return switch (p.get(TrafficSpec.ARRIVALS)) {
            case ONCE -> false;
            case SYNCHRONIZED -> p.get(TrafficSpec.JITTER).signum() != 0;
            case PERIODIC, POISSON, BERNOULLI, HYPEREXPONENTIAL, ERLANG, ON_OFF, BATCH -> true;
        };
    }

    /** Marking draws iff a fill strictly between "never" and "always" can be met. */
    private static boolean marksAtRandom(Params p) {
        BigDecimal kmin = p.get(SwitchSpec.ECN_KMIN);
        return kmin.compareTo(p.get(SwitchSpec.ECN_KMAX)) < 0
                && p.get(SwitchSpec.ECN_PMAX).signum() > 0
                && p.get(SwitchSpec.FRAME_FORMAT).carriesEcn()
                && BufferBound.largestFill(p) > kmin.doubleValue();
    }
}
