package io.github.rhosweep.model;

import io.github.rhosweep.scenario.ClosedPattern;
import io.github.rhosweep.scenario.InvalidValueException;
import io.github.rhosweep.scenario.Scenario;
import io.github.rhosweep.scenario.Schedule;
import io.github.rhosweep.scenario.TrafficSpec;
import io.github.rhosweep.topology.Graph;
import io.github.rhosweep.topology.LinkLoads;
import io.github.rhosweep.topology.Topology;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * How long a transfer would take, by the time at which it starts, beside traffic whose load changes from window to window: {@link Alma}'s
 * waits at the utilisations of the links on its way, and no faster than the others leave room for.
 *
 * <p>T(t) = T_ab + [P(t) - P_idle] + sum over links of v_l S_l W_l. W_l is alma's wait in the window in which the last frame is sent, v_l
 * the share of the transfer that crosses the link (1, or less where switches split it). P(t) is how long it takes to send the frames behind
 * the first, in each window at the rate min over links of c_l/(v_l S_l), where c_l is what round robin over a link's inputs leaves a
 * further one: c_l + sum_u min(rho_ul, c_l) = 1; P_idle is the same at c_l = 1. So a single frame takes alma's T, and a long transfer beside
 * Poisson messages of many senders alpha + (M/beta)/(1-rho), as mg1_ps has it. The transfer's own effect on the others is not told.
 */
public final class StartTimes {
    /** Windows times links on the transfers' ways: three numbers each are held. */
    private static final long MOST_HELD = 10_000_000;

    private static final double NS = 1e3;

    /**
     * What is to be sent.
     *
     * @param source sending host
     * @param destination receiving host
     * @param bytes payload
     */
    public record Transfer(int source, int destination, long bytes) {}

    /**
     * What the others send from a time on.
     *
     * @param fromPs when it begins
     * @param scenario the fabric, and open traffic with its load
     */
    public record Window(long fromPs, Scenario scenario) {}

    /**
     * A start.
     *
     * @param startPs when
     * @param durationNs from there to the arrival of the last frame; NaN if there is no value
     * @param highestLoad of any link on the way while frames are sent, in service times; where there is no value, up to where it ends
     * @param reason why there is no value; null if there is one
     */
    public record Start(
            long startPs,
            double durationNs,
            double highestLoad,
            @Nullable String reason) {}

    /** One window: of each link on some transfer's way, by its {@link #column}. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Row(double fromNs, double[] rho, double[] waitNs, double[] left) {}

    private final Topology topology;
    private final TrafficSpec traffic;
    /** By link, of the others' full frames. */
    private final double[] serviceNs;
    /** By link, of a full frame of a transfer. */
    private final double[] ownNs;

    private final LinkLoads way;
    /** By link: its place in a row; -1 for those that no transfer meets. */
    private final int[] column;

    private final int columns;
    private final List<Row> rows = new ArrayList<>();

    private StartTimes(Scenario scenario, Topology topology, List<Transfer> transfers) {
        this.topology = topology;
        this.traffic = scenario.traffic();
        this.serviceNs = Network.frameServicesNs(topology.graph(), traffic.fullFrameWireBytes(), scenario.switchSpec());
        this.ownNs = Network.frameServicesNs(
                topology.graph(), traffic.framePayloadBytes() + traffic.headerBytes(), scenario.switchSpec());
        this.way = LinkLoads.none(topology);
        this.column = new int[serviceNs.length];
        Arrays.fill(column, -1);
        int met = 0;
        for (Transfer transfer : transfers) {
            if (!topology.hasRoute(transfer.source(), transfer.destination())) {
                throw new InvalidValueException(
                        "no route from host " + transfer.source() + " to host " + transfer.destination()
                                + ", hosts are 0 .. " + (topology.graph().hosts() - 1));
            }
            for (int link : links(transfer)) {
                if (column[link] < 0) {
                    column[link] = met++;
                }
            }
        }
        this.columns = met;
    }

    /**
     * Beside open traffic.
     *
     * @param windows in ascending order, the first from 0 on; the last holds on; all of one fabric and one size of full frames
     * @param transfers all that will be asked for
     * @throws InvalidValueException if loads of links do not follow from the traffic, or a transfer has no route
     */
    public static StartTimes of(List<Window> windows, List<Transfer> transfers) {
        Scenario first = windows.get(0).scenario();
        StartTimes times = new StartTimes(first, Topology.of(first), transfers);
        for (Window window : windows) {
            Point point = Point.of(window.scenario());
            String unknown = point.noLinkLoads();
            if (unknown == null && Double.isNaN(point.rho())) {
                unknown = Point.NO_LOAD;
            }
            if (unknown != null) {
                throw new InvalidValueException("loads of links are not known: " + unknown);
            }
            Network network = point.network();
            double[] rho = new double[network.links()];
            Arrays.setAll(rho, network::rho);
            times.add(window.fromPs() / NS, network.loads(), rho);
        }
        return times;
    }

    /**
     * Beside the flows of a file. A link's load in a window is the service time of the flows that start in it over the window's length;
     * what exceeds 1 is still to be sent in the next one.
     *
     * @param scenario the fabric, with traffic.pattern file
     * @param windowPs length of a window
     * @param transfers all that will be asked for
     * @throws InvalidValueException if loads of links do not follow from the flows, or a transfer has no route
     */
    public static StartTimes ofFlows(Scenario scenario, long windowPs, List<Transfer> transfers) {
        if (!(scenario.traffic().pattern() instanceof ClosedPattern.FromFile pattern)) {
            throw new IllegalArgumentException("no flows from a file");
        }
        Point point = Point.of(scenario);
        String unknown = point.noEvenSplit();
        if (unknown != null) {
            throw new InvalidValueException("loads of links are not known: " + unknown);
        }
        Schedule flows = pattern.file().schedule();
        if (flows.starts() < flows.size()) {
            throw new InvalidValueException("loads of links are not known: some flows start when others are through."
                    + " Expected flows with the times at which they start");
        }
        StartTimes times = new StartTimes(scenario, point.topology(), transfers);
        LinkLoads loads = LinkLoads.noneWithTransitions(point.topology());
        double[] backlog = new double[times.serviceNs.length];
        boolean behind = false;
        int next = 0;
        for (long window = 0; next < flows.starts() || behind || window == 0; window++) {
            for (; next < flows.starts() && flows.startPs(flows.start(next)) / windowPs <= window; next++) {
                int flow = flows.start(next);
                loads.add(flows.source(flow), flows.destination(flow), (double) times.frames(flows.bytes(flow)));
            }
            behind = false;
            double[] rho = new double[backlog.length];
            for (int link = 0; link < rho.length; link++) {
                rho[link] = backlog[link] + loads.perLink(link) * times.serviceNs[link] / (windowPs / NS);
                backlog[link] = Math.max(0, rho[link] - 1);
                behind |= backlog[link] > 0;
            }
            times.add(window * (windowPs / NS), loads, rho);
            loads.clear();
        }
        times.add(times.rows.size() * (windowPs / NS), loads, new double[backlog.length]);
        return times;
    }

    private void add(double fromNs, LinkLoads loads, double[] rho) {
        if ((rows.size() + 1L) * columns > MOST_HELD) {
            throw new InvalidValueException("windows: found more than " + rows.size() + " over " + columns
                    + " links that transfers meet, expected at most " + MOST_HELD / columns
                    + ". Maybe take longer ones");
        }
        Row row = new Row(fromNs, new double[columns], new double[columns], new double[columns]);
        for (int link = 0; link < column.length; link++) {
            int c = column[link];
            if (c >= 0) {
                row.rho[c] = rho[link];
                row.left[c] = left(loads, link, rho[link]);
                row.waitNs[c] = rho[link] >= 1
                        ? Double.NaN
                        : serviceNs[link]
                                * (split(loads, link) || fromHost(loads, link)
                                        ? Alma.wait(loads, link, rho[link], l -> serviceNs[l])
                                        : Md1.meanWait(rho[link]));
            }
        }
        rows.add(row);
    }

    /** Whether it is known from which links the traffic of one comes: there is some, and switches are not too large. */
    private static boolean split(LinkLoads loads, int link) {
        return loads.hasTransitions() && loads.perLink(link) > 0;
    }

    private static boolean fromHost(LinkLoads loads, int link) {
        return loads.graph().from(link) < loads.graph().hosts();
    }

    /**
     * c: what round robin over a link's inputs leaves a further one that has always something to send, as a share of the link. A host's
     * NIC serves its flows so: there the others count as one.
     */
    private static double left(LinkLoads loads, int link, double rho) {
        Graph graph = loads.graph();
        int node = graph.from(link);
        if (fromHost(loads, link)) {
            return left(new double[] {rho});
        }
        if (!split(loads, link)) {
            return Math.max(0, 1 - rho);
        }
        double[] demands = new double[graph.ports(node)];
        for (int port = 0; port < demands.length; port++) {
            demands[port] = rho * Alma.part(loads, graph.back(graph.linkOf(node, port)), link);
        }
        return left(demands);
    }

    /** Max-min fair share of one that wants all, beside others that want {@code demands}. */
    static double left(double[] demands) {
        double[] ascending = demands.clone();
        Arrays.sort(ascending);
        double free = 1;
        int sharing = ascending.length + 1;
        for (double demand : ascending) {
            if (demand * sharing >= free) {
                break; // this one and all after it are cut to the share
            }
            free -= demand;
            sharing--;
        }
        return free / sharing;
    }

    /** Links of a transfer's ways; {@link #way} tells its shares until the next call. */
    private int[] links(Transfer transfer) {
        way.clear();
        way.add(transfer.source(), transfer.destination(), 1);
        return way.touched();
    }

    private long frames(long bytes) {
        return (bytes + traffic.framePayloadBytes() - 1) / traffic.framePayloadBytes();
    }

    /** T_ab: what a transfer takes through the idle fabric, in ns. */
    public double idleNs(Transfer transfer) {
        long frames = frames(transfer.bytes());
        long last = transfer.bytes() - (frames - 1) * traffic.framePayloadBytes() + traffic.headerBytes();
        long full = frames == 1 ? last : (long) traffic.framePayloadBytes() + traffic.headerBytes();
        return topology.path(transfer.source(), transfer.destination()).zeroLoadPs(frames, full, last) / NS;
    }

    /**
     * What a transfer would take from a start on.
     *
     * @param transfer one of those given
     * @param startPs at least 0
     */
    public Start at(Transfer transfer, long startPs) {
        int[] links = links(transfer);
        double slowestNs = 0;
        for (int link : links) {
            slowestNs = Math.max(slowestNs, way.perLink(link) * ownNs[link]);
        }
        double startNs = startPs / NS;
        double now = startNs;
        double frames = frames(transfer.bytes()) - 1.0; // still to be sent, behind the first
        double idleNs = idleNs(transfer) - frames * slowestNs;
        double highest = 0;
        for (int w = window(startNs); ; w++) {
            Row row = rows.get(w);
            double frameNs = 0;
            for (int link : links) {
                int c = column[link];
                highest = Math.max(highest, row.rho[c]);
                if (row.rho[c] >= 1) {
                    return new Start(
                            startPs, Double.NaN, highest, overloaded(link, row.rho[c], Math.max(now, row.fromNs)));
                }
                frameNs = Math.max(frameNs, way.perLink(link) * ownNs[link] / row.left[c]);
            }
            double endNs = w + 1 < rows.size() ? rows.get(w + 1).fromNs : Double.POSITIVE_INFINITY;
            double neededNs = frames * frameNs;
            if (now + neededNs <= endNs) {
                double waitNs = 0;
                for (int link : links) {
                    waitNs += way.perLink(link) * row.waitNs[column[link]];
                }
                return new Start(startPs, idleNs + (now - startNs) + neededNs + waitNs, highest, null);
            }
            frames -= (endNs - now) / frameNs;
            now = endNs;
        }
    }

    private String overloaded(int link, double load, double atNs) {
        Graph graph = topology.graph();
        return String.format(
                Locale.ROOT,
                "at %.0f ns the link from %s to %s has a load of %.3g: no steady state",
                atNs,
                node(graph.from(link)),
                node(graph.to(link)),
                load);
    }

    private String node(int node) {
        int hosts = topology.graph().hosts();
        return node < hosts ? "host " + node : "switch " + (node - hosts);
    }

    private int window(double atNs) {
        int low = 0;
        int high = rows.size() - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (rows.get(middle).fromNs <= atNs) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }
}
