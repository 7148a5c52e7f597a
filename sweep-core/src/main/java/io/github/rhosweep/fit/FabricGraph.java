package io.github.rhosweep.fit;

import io.github.rhosweep.scenario.ArrivalProcess;
import io.github.rhosweep.scenario.ClosedPattern;
import io.github.rhosweep.scenario.FlowControlSpec;
import io.github.rhosweep.scenario.Load;
import io.github.rhosweep.scenario.Parameter;
import io.github.rhosweep.scenario.Parameters;
import io.github.rhosweep.scenario.Params;
import io.github.rhosweep.scenario.RoutingSpec;
import io.github.rhosweep.scenario.Scenario;
import io.github.rhosweep.scenario.SwitchSpec;
import io.github.rhosweep.scenario.TrafficSpec;
import io.github.rhosweep.topology.Graph;
import io.github.rhosweep.topology.Hop;
import io.github.rhosweep.topology.Path;
import io.github.rhosweep.topology.Topology;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleUnaryOperator;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A point as what a graph network looks at: flows (pairs of hosts of which one sends to the other), the queues that they wait in and the
 * links that these feed, after RouteNet-Fermi (Ferriol-Galmes and others 2023). A queue is a VOQ (from one link into another) or a NIC's.
 * Where ways are equally long a flow visits all of them, each with its share. All features are dimensionless and known before the run;
 * absent what a matrix of any size could not have, such as numbers of nodes.
 */
public final class FabricGraph {
    /** Positions on a way: the NIC, then the ports of {@link Topology#MOST_SWITCHES} switches at most. */
    public static final int POSITIONS = Topology.MOST_SWITCHES + 1;

    /** Columns of {@link #flowFeatures}. */
    public static final List<String> FLOW_FEATURES =
            List.of("log_frames", "log_idle", "hops", "nic_load", "log_buffer", "pfc", "dcqcn");

    /** Columns of {@link #queueFeatures}. */
    public static final List<String> QUEUE_FEATURES = List.of("load", "share", "nic", "log_flows");

    /** Columns of {@link #linkFeatures}. */
    public static final List<String> LINK_FEATURES =
            List.of("load", "log_odds", "nic", "last", "log_queues", "log_frames", "log_buffer", "pfc", "dcqcn");

    /** A load from which the wait of an M/D/1 queue, which waits are told in units of, grows no more. */
    private static final double MOST_LOAD = 0.98;

    private static final int SCALE = 5;

    /** Parameters that features, mechanism or the graph itself tell of, and those that only say how a run is measured. */
    private static final Pattern TOLD = Pattern.compile(
            "topology\\..*|measure\\..*|record\\..*|model\\..*"
                    + "|traffic\\.(pattern|flows|load|message|matrix_seed|fan_out|balanced|self|hotspot_fraction|arrivals|frame_payload_bytes)"
                    + "|switch\\.(buffer_capacity_bytes|port_bandwidth_gb_per_s|ecn_kmin|ecn_kmax)|flow_control\\.kind|transport\\.sender|routing\\.kind");

    private final Scenario scenario;
    private final Topology topology;
    private final TrafficSpec traffic;
    private final double gapNs;
    private final List<Flow> flows = new ArrayList<>();
    private final List<Queue> queues = new ArrayList<>();
    private final List<Link> links = new ArrayList<>();
    private final Numbering queueOf = new Numbering(1024);
    private final Numbering linkOf = new Numbering(256);
    private final Map<Integer, Way> wayOf = new HashMap<>();
    private final double logFrames;
    private final double logBuffer;

    // Visits, by flow, then position: there are up to hundreds a flow, so that they are no objects.
    private int[] visitCell = new int[1024];
    private int[] visitQueue = new int[1024];
    private double[] visitShare = new double[1024];
    private int visits;

    /**
     * Two hosts of which one sends to the other.
     *
     * @param share messages, for each that a source offers
     * @param zeroLoadNs T_ab of a message, in ns
     */
    public record Flow(int source, int destination, double share, double zeroLoadNs, int positions) {}

    /** Where frames wait for a link; {@code from} is the link that they came by, -1 in a NIC. */
    public static final class Queue {
        private final int from;
        private final int link;
        private double load;
        private int flows;

        Queue(int from, int link) {
            this.from = from;
            this.link = link;
        }

        /** The link that frames came by, as the topology numbers it; -1 in a NIC. */
        public int from() {
            return from;
        }

        /** The link that they wait for: its place among {@link FabricGraph#links}. */
        public int link() {
            return link;
        }
    }

    /** A link that carries traffic. */
    public static final class Link {
        private final int number;
        private final int from;
        private final int to;
        private final double serviceNs;
        private double load;
        private double squares;

        Link(int number, int from, int to, double serviceNs) {
            this.number = number;
            this.from = from;
            this.to = to;
            this.serviceNs = serviceNs;
        }

        /** As the topology numbers it. */
        public int number() {
            return number;
        }

        /** The node that sends on it. */
        public int from() {
            return from;
        }

        /** The node that receives from it. */
        public int to() {
            return to;
        }

        /** The part of its time that it serves messages. */
        public double load() {
            return load;
        }
    }

    /**
     * A flow at a queue.
     *
     * @param flow its place among {@link FabricGraph#flows}
     * @param position on the flow's way, from 0
     * @param queue its place among {@link FabricGraph#queues}
     * @param share of the flow's messages that come here
     */
    public record Visit(int flow, int position, int queue, double share) {}

    private FabricGraph(Scenario scenario, Topology topology) {
        this.scenario = scenario;
        this.topology = topology;
        this.traffic = scenario.traffic();
        this.gapNs = Load.of(scenario).meanGapPs() / 1e3;
        this.logFrames = StrictMath.log((double) traffic.framesPerMessage()) / SCALE;
        SwitchSpec sw = scenario.switchSpec();
        this.logBuffer = sw == null
                ? 0
                : StrictMath.log((double) sw.bufferCapacityBytes() / traffic.messageWireBytes()) / (2 * SCALE);
        int sources = traffic.pattern().sources(traffic.flows());
        int hosts = traffic.pattern().hostsNeeded(traffic.flows());
        for (int source = 0; source < sources; source++) {
            for (int destination = 0; destination < hosts; destination++) {
                double share = traffic.pattern().share(source, destination, traffic.flows());
                if (share > 0) {
                    add(source, destination, share);
                }
            }
        }
        visitCell = Arrays.copyOf(visitCell, visits);
        visitQueue = Arrays.copyOf(visitQueue, visits);
        visitShare = Arrays.copyOf(visitShare, visits);
        for (Queue queue : queues) {
            Link link = links.get(queue.link);
            link.load += queue.load;
            link.squares += queue.load * queue.load;
        }
    }

    /**
     * The graph of a scenario.
     *
     * @throws NotIdentifiableException saying why, if the scenario has no such graph
     */
    public static FabricGraph of(Scenario scenario) {
        String reason = reason(scenario);
        if (reason != null) {
            throw new NotIdentifiableException("no graph: " + reason);
        }
        return new FabricGraph(scenario, Topology.of(scenario));
    }

    /** Why a scenario has no graph of flows, queues and links; null if it has one. */
    public static @Nullable String reason(Scenario scenario) {
        TrafficSpec traffic = scenario.traffic();
        if (traffic.pattern() instanceof ClosedPattern
                || traffic.pattern() instanceof io.github.rhosweep.scenario.Pattern.Pipeline) {
            return "messages of this pattern follow one another";
        }
        if (scenario.switchSpec() == null) {
            return "there is no switch";
        }
        if (!(traffic.arrivals() instanceof ArrivalProcess.Poisson) || traffic.load() == null) {
            return "messages do not arrive by a Poisson process";
        }
        if (!traffic.oneSize() || traffic.multicast() > 1) {
            return "messages differ in size or go to several hosts";
        }
        if (scenario.link().bandwidthGbPerS().signum() == 0) {
            return "hosts have no NICs";
        }
        return null;
    }

    /**
     * How frames are kept from loss, sent and routed, where no feature tells all of it: {@code pfc dcqcn 0.005..0.05 spray}. A network knows
     * those that it learnt from.
     */
    public String mechanism() {
        StringBuilder text =
                new StringBuilder(Parameter.label(scenario.flowControl().kind()));
        SwitchSpec sw = scenario.switchSpec();
        if (scenario.transport().dcqcn() == null || sw == null) {
            text.append(" open");
        } else {
            text.append(" dcqcn ").append(sw.ecnKmin()).append("..").append(sw.ecnKmax());
        }
        RoutingSpec.Kind routing = scenario.params().find(RoutingSpec.KIND);
        return routing == null ? text.toString() : text + " " + Parameter.label(routing);
    }

    /** Parameters that are not at their defaults though no feature nor {@link #mechanism} tells of them, with their values. */
    public static List<String> notTold(Scenario scenario) {
        Params params = scenario.params();
        Map<String, Object> told = new HashMap<>();
        for (Parameter<?> parameter : Parameters.all()) {
            Object value =
                    params.isGiven(parameter) && TOLD.matcher(parameter.path()).matches()
                            ? params.find(parameter)
                            : null;
            if (value != null) {
                told.put(parameter.path(), value);
            }
        }
        Predicate<Parameter<?>> asked =
                p -> p.inKey() && !TOLD.matcher(p.path()).matches();
        Map<String, String> defaults = Scenario.canonical(new Params(told::get), asked);
        List<String> other = new ArrayList<>();
        Scenario.canonical(params, asked).forEach((path, value) -> {
            if (!value.equals(defaults.get(path))) {
                other.add(path + " " + value);
            }
        });
        return other;
    }

    /** What is told of a way: of all ways of as many hops, as these are of equal kinds, a NIC, trunks, a port to a host. */
    private static final class Way {
        private final double zeroLoadNs;
        /** Of a message at each position. */
        private final double[] serviceNs;

        Way(Path path, TrafficSpec traffic) {
            this.zeroLoadNs = path.zeroLoadPs(traffic) / 1e3;
            this.serviceNs = new double[path.hops().size()];
            for (int position = 0; position < serviceNs.length; position++) {
                Hop hop = path.hops().get(position);
                long full = hop.servicePs(traffic.fullFrameWireBytes());
                long last = hop.servicePs(traffic.lastFrameWireBytes());
                serviceNs[position] = ((traffic.framesPerMessage() - 1) * full + last) / 1e3;
            }
        }
    }

    /** Follows all ways of a flow at once, a hop at a time: its visits are also the list of those still to go on from. */
    private void add(int source, int destination, double share) {
        Way way = wayOf.computeIfAbsent(
                topology.switchHops(source, destination),
                switches -> new Way(topology.path(source, destination), traffic));
        int flow = flows.size();
        flows.add(new Flow(source, destination, share, way.zeroLoadNs, way.serviceNs.length));
        Graph graph = topology.graph();
        int[] ports = new int[topology.mostWays()];
        int first = flow * POSITIONS;
        int at = visits;
        visit(first, -1, graph.linkOf(source, 0), 1, share, way.serviceNs[0]);
        for (; at < visits; at++) {
            int link = links.get(queues.get(visitQueue[at]).link).number;
            int node = graph.to(link);
            int ways = node == destination ? 0 : topology.ways(node, destination, ports);
            for (int w = 0; w < ways; w++) {
                int next = visitCell[at] + 1;
                visit(
                        next,
                        link,
                        graph.linkOf(node, ports[w]),
                        visitShare[at] / ways,
                        share,
                        way.serviceNs[next - first]);
            }
        }
    }

    /**
     * Adds a visit.
     *
     * @param from the link that frames come by, as the topology numbers it; -1 in a NIC
     * @param number the link that they wait for, likewise
     * @param part of the flow's messages that come here
     * @param share of the flow
     */
    private void visit(int cell, int from, int number, double part, double share, double serviceNs) {
        int place = queueOf.of((from + 1L) << 32 | number);
        if (place == queues.size()) {
            int link = linkOf.of(number);
            if (link == links.size()) {
                Graph graph = topology.graph();
                links.add(new Link(number, graph.from(number), graph.to(number), serviceNs));
            }
            queues.add(new Queue(from, link));
        }
        Queue queue = queues.get(place);
        queue.load += share * part / gapNs * links.get(queue.link).serviceNs;
        queue.flows++;
        if (visits == visitCell.length) {
            visitCell = Arrays.copyOf(visitCell, 2 * visits);
            visitQueue = Arrays.copyOf(visitQueue, 2 * visits);
            visitShare = Arrays.copyOf(visitShare, 2 * visits);
        }
        visitCell[visits] = cell;
        visitQueue[visits] = place;
        visitShare[visits] = part;
        visits++;
    }

    /** Flows, by source, then destination. */
    public List<Flow> flows() {
        return Collections.unmodifiableList(flows);
    }

    /** Queues that frames wait in, in the order in which flows come to them. */
    public List<Queue> queues() {
        return Collections.unmodifiableList(queues);
    }

    /** Links that carry traffic, in the order in which flows come to them. */
    public List<Link> links() {
        return Collections.unmodifiableList(links);
    }

    /** All visits, by flow, then position. */
    public List<Visit> visits() {
        List<Visit> all = new ArrayList<>(visits);
        for (int v = 0; v < visits; v++) {
            all.add(new Visit(visitCell[v] / POSITIONS, visitCell[v] % POSITIONS, visitQueue[v], visitShare[v]));
        }
        return all;
    }

    /** Of each visit flow times {@link #POSITIONS} plus position; not to be changed, as the next two. */
    int[] visitCells() {
        return visitCell;
    }

    /** Of each visit the queue. */
    int[] visitQueues() {
        return visitQueue;
    }

    /** Of each visit {@link Visit#share}. */
    double[] visitShares() {
        return visitShare;
    }

    /** Switches on the longest way. */
    public int switchHops() {
        return flows.stream().mapToInt(Flow::positions).max().orElse(1) - 1;
    }

    /** The largest load of a link: from 1 on there is no steady state, though the busiest host be below. */
    public double mostLoad() {
        return links.stream().mapToDouble(Link::load).max().orElse(0);
    }

    /** Time that a NIC takes to send a message, in ns. */
    public double serviceNs() {
        return links.get(0).serviceNs;
    }

    /** T_ab of a message, averaged over messages, in ns. */
    public double meanZeroLoadNs() {
        double sum = 0;
        double weight = 0;
        for (Flow flow : flows) {
            sum += flow.share * flow.zeroLoadNs;
            weight += flow.share;
        }
        return sum / weight;
    }

    /** What a network is told of a flow, as {@link #FLOW_FEATURES} name it. */
    public float[] flowFeatures(int number) {
        Flow flow = flows.get(number);
        double service = serviceNs();
        return floats(
                logFrames,
                StrictMath.log(flow.zeroLoadNs / service) / SCALE,
                (double) flow.positions / POSITIONS,
                flow.share / gapNs * service,
                logBuffer,
                pfc(),
                dcqcn());
    }

    /** What a network is told of a queue, as {@link #QUEUE_FEATURES} name it. */
    public float[] queueFeatures(int number) {
        Queue queue = queues.get(number);
        return floats(queue.load, queueShare(number), queue.from < 0 ? 1 : 0, StrictMath.log(1 + queue.flows) / SCALE);
    }

    /** What a network is told of a link, as {@link #LINK_FEATURES} name it. */
    public float[] linkFeatures(int number) {
        Link link = links.get(number);
        double load = Math.min(MOST_LOAD, link.load);
        int hosts = topology.graph().hosts();
        return floats(
                Math.min(2, link.load),
                StrictMath.log(load / (1 - load)) / SCALE,
                link.from < hosts ? 1 : 0,
                link.to < hosts ? 1 : 0,
                StrictMath.log(link.load * link.load / link.squares) / SCALE,
                logFrames,
                logBuffer,
                pfc(),
                dcqcn());
    }

    /** The part of a queue's link's load that comes from it. */
    public double queueShare(int queue) {
        return queues.get(queue).load / links.get(queues.get(queue).link).load;
    }

    /** The part of a queue's load that a visit brings: of all visits of a queue 1. */
    public double weight(Visit visit) {
        return weight(visit.flow, visit.queue, visit.share);
    }

    /** Of each visit {@link #weight}. */
    float[] visitWeights() {
        float[] weights = new float[visits];
        for (int v = 0; v < visits; v++) {
            weights[v] = (float) weight(visitCell[v] / POSITIONS, visitQueue[v], visitShare[v]);
        }
        return weights;
    }

    private double weight(int flow, int place, double part) {
        Queue queue = queues.get(place);
        return flows.get(flow).share * part / gapNs * links.get(queue.link).serviceNs / queue.load;
    }

    /**
     * The wait in an M/D/1 queue of the links at a position of a flow's way, over T_ab: the unit of what a network says of the mean.
     * 0 behind the end of the way.
     */
    public double[][] meanUnits() {
        return units(load -> load / (2 * (1 - load)));
    }

    /** The same of the 99th percentile: 4.6 = ln 100 times that, and a message in service found with probability rho. */
    public double[][] tailUnits() {
        return units(load -> 4.6 * load / (2 * (1 - load)) + load);
    }

    private double[][] units(DoubleUnaryOperator ofLoad) {
        double[] ofLink = new double[links.size()];
        for (int i = 0; i < ofLink.length; i++) {
            ofLink[i] = ofLoad.applyAsDouble(Math.min(MOST_LOAD, links.get(i).load));
        }
        double[][] units = new double[flows.size()][POSITIONS];
        for (int v = 0; v < visits; v++) {
            int flow = visitCell[v] / POSITIONS;
            int link = queues.get(visitQueue[v]).link;
            units[flow][visitCell[v] % POSITIONS] +=
                    visitShare[v] * links.get(link).serviceNs * ofLink[link] / flows.get(flow).zeroLoadNs;
        }
        return units;
    }

    private double pfc() {
        return scenario.flowControl().kind() == FlowControlSpec.Kind.PFC ? 1 : 0;
    }

    private double dcqcn() {
        return scenario.transport().dcqcn() != null ? 1 : 0;
    }

    private static float[] floats(double... values) {
        float[] floats = new float[values.length];
        for (int i = 0; i < values.length; i++) {
            floats[i] = (float) values[i];
        }
        return floats;
    }
}
