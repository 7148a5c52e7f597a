package io.github.rhosweep.fit;

import io.github.rhosweep.model.Point;
import io.github.rhosweep.model.Target;
import io.github.rhosweep.scenario.Parameter;
import io.github.rhosweep.scenario.Parameters;
import io.github.rhosweep.scenario.Scenario;
import io.github.rhosweep.scenario.TopologySpec;
import io.github.rhosweep.scenario.TrafficSpec;
import java.math.BigDecimal;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * All that a correction looks at, found once per scenario: the two times that it corrects, the {@link Feature features}, and what names
 * the group that its coefficients belong to. Immutable.
 */
public final class Conditions {
    private static final Feature[] FEATURES = Feature.values();

    /** Parameters that no feature tells of: all but numbers and patterns of the traffic, switch, links and hosts, and how runs are measured. */
    private static final Set<Parameter<?>> MECHANISMS = Parameters.all().stream()
            .filter(p -> p.inKey()
                    && (p.path().equals("switch.admission")
                            || p.path().equals("switch.egress_gate")
                            || p.path().matches("traffic\\.(foreground|ring_operation|skew|overlap|backward)")
                            || !p.path().matches("(traffic|switch|link|topology|measure|model)\\..*")))
            .collect(Collectors.toUnmodifiableSet());

    private final Target target;
    private final Point point;
    private final double zeroLoadNs;
    private final double serviceNs;
    private final double[] features;
    private final Regime regime;
    private final String pattern;
    private final String topology;
    private final String mechanisms;

    private Conditions(
            Target target, Point point, double zeroLoadNs, double serviceNs, double[] features, Regime regime) {
        this.target = target;
        this.point = point;
        this.zeroLoadNs = zeroLoadNs;
        this.serviceNs = serviceNs;
        this.features = features;
        this.regime = regime;
        this.pattern = pattern(point.scenario());
        this.topology = Parameter.label(point.scenario().params().get(TopologySpec.KIND));
        this.mechanisms = mechanisms(point.scenario());
    }

    /**
     * The conditions of a scenario.
     *
     * @param target what is to be predicted; of a frame or of a message
     */
    public static Conditions of(Scenario scenario, Target target) {
        Point point = Point.of(scenario);
        double[] features = new double[FEATURES.length];
        for (Feature feature : FEATURES) {
            features[feature.ordinal()] = feature.of(point);
        }
        boolean completion = target == Target.COMPLETION;
        double idleNs = completion ? Idle.ns(point) : point.zeroLoadNs(target);
        return new Conditions(
                target,
                point,
                idleNs,
                completion ? idleNs : point.serviceNs(target),
                features,
                Regime.of(point.rho(), scenario.model()));
    }

    /** Of a mix with its foreground: {@code mix-ring}. */
    private static String pattern(Scenario scenario) {
        String pattern = Parameter.label(scenario.params().get(TrafficSpec.PATTERN));
        String foreground = Scenario.canonical(scenario.params(), p -> p.path().equals("traffic.foreground"))
                .get("traffic.foreground");
        return foreground == null ? pattern : pattern + "-" + foreground;
    }

    /** What governs sending, loss, pausing and routes, as text: no feature tells of it. */
    private static String mechanisms(Scenario scenario) {
        return String.join(
                " ",
                Scenario.canonical(scenario.params(), MECHANISMS::contains).entrySet().stream()
                        .map(e -> e.getKey() + "=" + e.getValue())
                        .toList());
    }

    /** Whether frames are admitted, sent, paused and routed as they were elsewhere: equal texts, equal mechanisms. */
    String mechanisms() {
        return mechanisms;
    }

    /** The same at another load. */
    Conditions withLoad(double rho) {
        Scenario scenario = Scenario.of(point.scenario().params().with(TrafficSpec.LOAD, BigDecimal.valueOf(rho)));
        return of(scenario, target);
    }

    /** M: bytes of a message on the wire. */
    double wireBytes() {
        return point.scenario().traffic().messageWireBytes();
    }

    /** The point, for closed forms. */
    Point point() {
        return point;
    }

    /** T_ab of the customer, in ns; of a completion, that of the pattern alone ({@link Idle}), NaN if no model knows it. */
    public double zeroLoadNs() {
        return zeroLoadNs;
    }

    /** S: service time of the customer at the busiest egress, all its frames counted at tau, in ns; of a completion T_ab. */
    public double serviceNs() {
        return serviceNs;
    }

    /** A feature; NaN where it does not exist. */
    public double get(Feature feature) {
        return features[feature.ordinal()];
    }

    /** N. */
    double flows() {
        return features[Feature.FLOWS.ordinal()];
    }

    /** rho. */
    double load() {
        return features[Feature.LOAD.ordinal()];
    }

    /** b. */
    double frames() {
        return features[Feature.FRAMES.ordinal()];
    }

    /** By the scenario's own thresholds. */
    public Regime regime() {
        return regime;
    }

    /** {@code traffic.pattern}, of a mix with its foreground. */
    public String pattern() {
        return pattern;
    }

    /** Hosts of the fabric. */
    public int hosts() {
        return point.scenario().topology().hosts();
    }

    /** {@code topology.kind}. */
    public String topology() {
        return topology;
    }
}
