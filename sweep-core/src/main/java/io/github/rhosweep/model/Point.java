package io.github.rhosweep.model;

import io.github.rhosweep.scenario.ArrivalProcess;
import io.github.rhosweep.scenario.ClosedPattern;
import io.github.rhosweep.scenario.FlowControlSpec;
import io.github.rhosweep.scenario.Load;
import io.github.rhosweep.scenario.Pattern;
import io.github.rhosweep.scenario.RoutingSpec;
import io.github.rhosweep.scenario.Scenario;
import io.github.rhosweep.scenario.SwitchSpec;
import io.github.rhosweep.scenario.TopologySpec;
import io.github.rhosweep.scenario.TrafficSpec;
import io.github.rhosweep.topology.Hop;
import io.github.rhosweep.topology.LinkLoads;
import io.github.rhosweep.topology.Path;
import io.github.rhosweep.topology.Topology;
import java.util.List;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** What models may know of a point: all of it fixed before the run, none of it measured. Times in ns. */
public final class Point {
    static final String NO_LOAD = "the arrival process has no load";
    static final String NO_ARRIVALS = "messages of a closed pattern do not arrive by a process";
    static final String SATURATED = "load of 1 or more: no steady state";

    private final Scenario scenario;
    private final TrafficSpec traffic;
    private final Load load;
    private final Topology topology;
    private final Path path;
    private final int senders;
    private final double rho;
    private final double messageDispersion;
    private final double frameZeroLoadNs;
    private final double messageZeroLoadNs;
    private final double bottleneckNs;
    private final double egressNs;
    private final double nicFrameNs;
    private final double nicLastFrameNs;
    private final double portLastFrameNs;
    private @Nullable Md1Distribution md1;
    private @Nullable Network network;

    private Point(Scenario scenario) {
        this.scenario = scenario;
        this.traffic = scenario.traffic();
        this.load = Load.of(scenario);
        int flows = traffic.flows();
        Pattern pattern = traffic.pattern();
        this.topology = Topology.of(scenario);
        // Through one switch all pairs are alike; a closed pattern is as slow as its farthest.
        int destination = pattern.busiestEgress(flows);
        if (pattern instanceof ClosedPattern) {
            destination = flows - 1;
            while (destination > 0 && !topology.hasRoute(0, destination)) {
                destination--;
            }
        }
        this.path = topology.path(0, destination);
        this.senders = pattern.contenders(flows);
        this.rho = traffic.load() == null ? Double.NaN : traffic.load();
        this.messageDispersion = messageDispersion();
        int full = traffic.fullFrameWireBytes();
        int last = traffic.lastFrameWireBytes();
        Hop nic = path.hops().get(0);
        Path egress = new Path(List.of(path.last()));
        if (pattern instanceof ClosedPattern
                || flows > NetworkModel.MOST_FLOWS
                || scenario.topology().kind().compareTo(TopologySpec.Kind.SINGLE_SWITCH) <= 0) {
            this.frameZeroLoadNs = path.zeroLoadPs(full) / 1e3;
            this.messageZeroLoadNs = path.zeroLoadPs(traffic) / 1e3;
        } else {
            this.frameZeroLoadNs = meanOverPairs(way -> way.zeroLoadPs(full)) / 1e3;
            this.messageZeroLoadNs = meanOverPairs(way -> way.zeroLoadPs(traffic)) / 1e3;
        }
        this.bottleneckNs = path.bottleneckPs(traffic) / 1e3;
        this.egressNs = egress.bottleneckPs(traffic) / 1e3;
        this.nicFrameNs = nic.serialisationPs(full) / 1e3;
        this.nicLastFrameNs = nic.serialisationPs(last) / 1e3;
        this.portLastFrameNs = path.last().serialisationPs(last) / 1e3;
    }

    /** Ways with equally many switches are alike. */
    private double meanOverPairs(ToLongFunction<Path> ps) {
        LinkLoads loads = network().loads();
        double sum = 0;
        double weight = 0;
        for (int switches = 0; switches <= Topology.MOST_SWITCHES; switches++) {
            double messages = loads.withHops(switches);
            if (messages > 0) {
                sum += messages * ps.applyAsLong(loads.pathWithHops(switches));
                weight += messages;
            }
        }
        return sum / weight;
    }

    /** The point of a bound scenario. */
    public static Point of(Scenario scenario) {
        return new Point(scenario);
    }

    /** The scenario it is of. */
    public Scenario scenario() {
        return scenario;
    }

    TrafficSpec traffic() {
        return traffic;
    }

    /** What open traffic puts on every link, found once. */
    Network network() {
        Network found = network;
        if (found == null) {
            found = new Network(
                    LinkLoads.of(topology, traffic.pattern(), traffic.flows()), traffic, scenario.switchSpec(), load);
            network = found;
        }
        return found;
    }

    /** A way to the busiest egress. */
    Path path() {
        return path;
    }

    /** Null where hosts are joined directly. */
    @Nullable
    SwitchSpec switchSpec() {
        return scenario.switchSpec();
    }

    /** N: sources that send to the busiest egress. */
    public int senders() {
        return senders;
    }

    /** rho at the busiest egress, in service times; NaN where load is no input. */
    public double rho() {
        return rho;
    }

    /** b: frames of a message. */
    public long frames() {
        return load.framesPerMessage();
    }

    /** tau: service time of a full frame at the busiest egress. */
    double tauNs() {
        return load.tauPs() / 1e3;
    }

    /** Service time of a customer: tau of a frame, b tau of a message. */
    public double serviceNs(Target target) {
        return (target.ofFrames() ? load.tauPs() : load.messageServicePs()) / 1e3;
    }

    /** T_ab of a customer, a message or one full frame; the mean over pairs where these differ in hops and traffic is open. */
    public double zeroLoadNs(Target target) {
        return target.ofFrames() ? frameZeroLoadNs : messageZeroLoadNs;
    }

    /** M/beta: what a message takes at the path's bottleneck. */
    public double bottleneckNs() {
        return bottleneckNs;
    }

    /** M/beta at the busiest egress, where flows meet. */
    double egressNs() {
        return egressNs;
    }

    /** Time that the sender's NIC takes for a full frame; 0 if unlimited. */
    double nicFrameNs() {
        return nicFrameNs;
    }

    /** Time that the sender's NIC takes for the last frame of a message. */
    double nicLastFrameNs() {
        return nicLastFrameNs;
    }

    /** Time that the egress takes for the last frame of a message. */
    double portLastFrameNs() {
        return portLastFrameNs;
    }

    /** Time that the sender's NIC takes for a whole message; 0 if unlimited. */
    double nicMessageNs() {
        return (frames() - 1) * nicFrameNs + nicLastFrameNs;
    }

    /** Wire bytes of a message over a serialiser's bandwidth, no slots, no rounding; 0 if unlimited. */
    double wireNsAt(Hop hop) {
        double bandwidth = hop.bandwidthGbPerS().doubleValue();
        return bandwidth == 0 ? 0 : traffic.messageWireBytes() / bandwidth;
    }

    /** {@link #wireNsAt} the slowest serialiser of the path. */
    double wireNsAtSlowest() {
        double slowest = 0;
        for (Hop hop : path.hops()) {
            slowest = Math.max(slowest, wireNsAt(hop));
        }
        return slowest;
    }

    /** Flows at full speed that the busiest egress carries without slowing any: C. 1 unless NICs are slower than the port. */
    double egressCapacityInFlows() {
        long wire = traffic.fullFrameWireBytes();
        return (double) path.bottleneck(wire).servicePs(wire) / path.last().servicePs(wire);
    }

    /** Why loads of links, and rates on them, do not follow from the pattern; null if they do. */
    @Nullable
    String noLinkLoads() {
        if (traffic.pattern() instanceof ClosedPattern) {
            return NO_ARRIVALS;
        }
        if (traffic.pattern() instanceof Pattern.Pipeline) {
            return "hosts of a pipeline pass on what they receive: their NICs are no sources";
        }
        if (traffic.flows() > NetworkModel.MOST_FLOWS) {
            return "more than " + NetworkModel.MOST_FLOWS + " flows: pairs are visited one by one";
        }
        return noEvenSplit();
    }

    /** Why traffic does not split evenly over the ways and flow freely, whatever its pattern; null if it does. */
    @Nullable
    String noEvenSplit() {
        if (topology.mostWays() > 1 && scenario.routing().kind() != RoutingSpec.Kind.SPRAY) {
            return scenario.routing().kind() == RoutingSpec.Kind.ECMP
                    ? "flows share links as their hashes fall: only an even split (routing.kind spray) is known before the run"
                    : "adaptive routing follows queues: only an even split (routing.kind spray) is known before the run";
        }
        return scenario.flowControl().kind() == FlowControlSpec.Kind.LOSSY
                ? null
                : "switches hold each other up by flow_control.kind: queues of different links are not apart";
    }

    /** Whether all sources offer at the same times: a burst, not a stream. */
    boolean aligned() {
        return traffic.arrivals() instanceof ArrivalProcess.Once
                || traffic.arrivals() instanceof ArrivalProcess.Synchronized;
    }

    /** Whether aligned sources are so to the picosecond. */
    boolean exactlyAligned() {
        return traffic.arrivals() instanceof ArrivalProcess.Once
                || traffic.arrivals() instanceof ArrivalProcess.Synchronized s && s.jitterPs() == 0;
    }

    boolean poisson() {
        return traffic.arrivals() instanceof ArrivalProcess.Poisson;
    }

    boolean periodic() {
        return traffic.arrivals() instanceof ArrivalProcess.Periodic;
    }

    /** Whether each source offers at the epochs of a Poisson process, one message or several at each. */
    boolean poissonEpochs() {
        return poisson() || traffic.arrivals() instanceof ArrivalProcess.Batch;
    }

    int messagesPerEpoch() {
        return traffic.arrivals().messagesPerEpoch();
    }

    /** The closed pattern that is measured; null for an open one. */
    public @Nullable ClosedPattern closed() {
        return traffic.pattern() instanceof ClosedPattern closed ? closed.foreground() : null;
    }

    Topology topology() {
        return topology;
    }

    /** T_ab of a message of so much payload over the path. */
    double zeroLoadNs(long bytes) {
        return zeroLoadNs(path, bytes);
    }

    /** T_ab of a message of so much payload. */
    double zeroLoadNs(Path way, long bytes) {
        return way.zeroLoadPs(traffic.frames(bytes), fullWireBytes(bytes), traffic.lastFrameWireBytes(bytes)) / 1e3;
    }

    /** Time for which a message of so much payload keeps the slowest serialiser of the path. */
    double serviceNs(long bytes) {
        return serviceNs(path, bytes);
    }

    /** Time for which a message of so much payload keeps the slowest serialiser of a way. */
    double serviceNs(Path way, long bytes) {
        return servicePs(way, bytes) / 1e3;
    }

    private long servicePs(Path way, long bytes) {
        Hop slowest = way.bottleneck(fullWireBytes(bytes));
        return (traffic.frames(bytes) - 1) * slowest.servicePs(fullWireBytes(bytes))
                + slowest.servicePs(traffic.lastFrameWireBytes(bytes));
    }

    /** Time for which the busiest NIC of a pipeline sends: of the last frame its serialisation alone, no rest of a slot. */
    double busiestNicNs(ClosedPattern.Pipeline pipeline) {
        int lastFrame = traffic.lastFrameWireBytes(pipeline.lastMessageBytes());
        Hop slowest = path.bottleneck(lastFrame);
        return (pipeline.busiestNicPs(bytes -> servicePs(path, bytes))
                        - (slowest.servicePs(lastFrame) - slowest.serialisationPs(lastFrame)))
                / 1e3;
    }

    private long fullWireBytes(long bytes) {
        return Math.min(bytes, traffic.framePayloadBytes()) + traffic.headerBytes();
    }

    boolean incast() {
        return traffic.pattern() instanceof Pattern.Incast;
    }

    /** Whether each frame leaves the VOQ when the port is free: none is longer than a slot, so that no wait is at the port. */
    boolean framesFitSlots() {
        return load.slotPs() == load.tauPs();
    }

    /** Probability that a message of a source that sends to the busiest egress goes there. */
    double share() {
        return traffic.pattern().busiestEgressShare(traffic.flows()) / senders;
    }

    /** Why a stationary wait does not exist here, or null if it does. */
    @Nullable
    String noSteadyState() {
        if (closed() != null) {
            return NO_ARRIVALS;
        }
        return Double.isNaN(rho) ? NO_LOAD : rho >= 1 ? SATURATED : null;
    }

    /**
     * c_a^2 of the stream of customers at the busiest egress, NaN if unknown: index of dispersion of the merged stream, which is the
     * squared coefficient of variation of its gaps where these are independent. Heavy-traffic theory asks for the index, not for the
     * gaps, where they are not (batches, on-off, frames of one message).
     */
    public double arrivalScv(Target target) {
        if (traffic.arrivals() instanceof ArrivalProcess.Synchronized) {
            // The index of dispersion of a periodic volley is 0 though all come at once. What a user of Kingman's
            // formula would put in
            // is the coefficient of the gaps: k customers at once, every period, have k - 1.
            double volley = target.ofFrames() ? (double) senders * frames() : senders;
            return exactlyAligned() && share() == 1 ? volley - 1 : Double.NaN;
        }
        return target.ofFrames() ? messageDispersion * frames() : messageDispersion;
    }

    /** c_a^2 of the customers that one source offers, as {@link #arrivalScv} means it; NaN if unknown. */
    double sourceDispersion(Target target) {
        ArrivalProcess arrivals = traffic.arrivals();
        double messages = arrivals.epochDispersion(load.meanGapPs(), load.slotPs()) * arrivals.messagesPerEpoch();
        return aligned() ? Double.NaN : target.ofFrames() ? messages * frames() : messages;
    }

    /** c_s^2: messages are all of one size; frames differ only where the last one is shorter and the slot allows it. */
    double serviceScv(Target target) {
        if (!target.ofFrames() || frames() == 1) {
            return 0;
        }
        double full = path.last().servicePs(traffic.fullFrameWireBytes());
        double last = path.last().servicePs(traffic.lastFrameWireBytes());
        double b = frames();
        double mean = ((b - 1) * full + last) / b;
        return (b - 1) * (full - last) * (full - last) / (b * b * mean * mean);
    }

    /**
     * Sources split at random among egresses, then merged at the busiest one: Whitt 1983 (QNA), c^2 of a split p c^2 + 1 - p, of N merged
     * w c^2 + 1 - w, w = 1/(1 + 4 (1-rho)^2 (N-1)). Exact for Poisson epochs.
     */
    private double messageDispersion() {
        ArrivalProcess arrivals = traffic.arrivals();
        double epochs = arrivals.epochDispersion(load.meanGapPs(), load.slotPs());
        double p = share();
        double idle = Math.max(0, 1 - rho);
        double w = 1 / (1 + 4 * idle * idle * (senders - 1));
        return (w * (p * epochs + 1 - p) + 1 - w) * arrivals.messagesPerEpoch();
    }

    /** VOQs that can be saturated at once: every pair that carries traffic. */
    long activeVoqs() {
        return (long) senders * traffic.pattern().activeEgresses(traffic.flows());
    }

    /** K: customers that the VOQs of the busiest egress may hold together, the one in service included. */
    long customersHeld(Target target, SwitchSpec sw) {
        double bytes = senders * DynamicThreshold.queueLimitBytes(sw, senders);
        double held = Math.floor(bytes / traffic.fullFrameWireBytes()) + 1;
        return (long) Math.max(1, target.ofFrames() ? held : Math.floor(held / frames()));
    }

    /** The M/D/1 queue at this load, found once. */
    Md1Distribution md1() {
        Md1Distribution found = md1;
        if (found == null) {
            found = new Md1Distribution(rho);
            md1 = found;
        }
        return found;
    }
}
