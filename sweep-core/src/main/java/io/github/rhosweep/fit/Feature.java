package io.github.rhosweep.fit;

import io.github.rhosweep.model.Point;
import io.github.rhosweep.model.Target;
import io.github.rhosweep.scenario.Scenario;
import io.github.rhosweep.scenario.SwitchSpec;
import io.github.rhosweep.scenario.TransportSpec;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * What of a point a fit may look at: known before the run, dimensionless, a number. NaN where it cannot matter (rounds of iSLIP with
 * one egress, ECN thresholds where no sender reacts) or does not exist (the load of a closed pattern, which is an outcome: to fit on it
 * would give the answer away).
 */
public enum Feature {
    FLOWS(
            "N: senders to the busiest egress; of a closed pattern its hosts",
            p -> p.closed() == null ? p.senders() : p.scenario().traffic().flows()),
    LOAD("rho, in time slots of the busiest egress", Point::rho),
    FRAMES("b: frames of a message", Point::frames),
    LATENCY_SHARE(
            "Part of T_ab that does not grow with the message",
            p -> 1 - p.bottleneckNs() / p.zeroLoadNs(Target.MESSAGE)),
    BUFFER_MESSAGES("Messages that the shared buffer holds; more of them change nothing where none is lost", p -> {
        SwitchSpec sw = p.scenario().switchSpec();
        return sw == null
                ? Double.NaN
                : (double) sw.bufferCapacityBytes() / p.scenario().traffic().messageWireBytes();
    }),
    DT_ALPHA("alpha of the Dynamic Threshold", p -> ofSwitch(p, sw -> sw.alpha())),
    ECN_KMIN(
            "Fraction of the buffer from which frames are marked, where senders react",
            p -> reacts(p.scenario()) ? ofSwitch(p, sw -> sw.ecnKmin()) : Double.NaN),
    ECN_KMAX(
            "Fraction of the buffer from which all are marked, where senders react",
            p -> reacts(p.scenario()) ? ofSwitch(p, sw -> sw.ecnKmax()) : Double.NaN),
    ISLIP_ITERATIONS(
            "Rounds of iSLIP, where there is more than one egress",
            p -> p.scenario()
                                    .traffic()
                                    .pattern()
                                    .activeEgresses(p.scenario().traffic().flows())
                            > 1
                    ? ofSwitch(p, SwitchSpec::islipIterations)
                    : Double.NaN),
    ARRIVAL_SCV(
            "Index of dispersion of the merged stream of messages, 1 if Poisson", p -> p.arrivalScv(Target.MESSAGE));

    private final String doc;

    @SuppressWarnings("ImmutableEnumChecker") // stateless
    private final ToDoubleFunction<Point> value;

    Feature(String doc, ToDoubleFunction<Point> value) {
        this.doc = doc;
        this.value = value;
    }

    /** Its name in a model file. */
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** What it is, for people. */
    public String doc() {
        return doc;
    }

    /** Whether values above those seen are as good as those seen. */
    boolean openAbove() {
        return this == BUFFER_MESSAGES;
    }

    double of(Point point) {
        return value.applyAsDouble(point);
    }

    private static double ofSwitch(Point point, ToDoubleFunction<SwitchSpec> value) {
        SwitchSpec sw = point.scenario().switchSpec();
        return sw == null ? Double.NaN : value.applyAsDouble(sw);
    }

    private static boolean reacts(Scenario scenario) {
        return scenario.params().get(TransportSpec.SENDER) != TransportSpec.Sender.OPEN;
    }
}
