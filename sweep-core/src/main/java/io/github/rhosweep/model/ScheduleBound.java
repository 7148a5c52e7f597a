package io.github.rhosweep.model;

import io.github.rhosweep.scenario.ClosedPattern;
import io.github.rhosweep.scenario.Schedule;
import io.github.rhosweep.scenario.TrafficSpec;
import io.github.rhosweep.topology.Graph;
import io.github.rhosweep.topology.Topology;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What no order of sending can beat: in each step every link has to carry its bytes at its bandwidth, whatever shares of them its ways
 * take; equal shares of all ways are assumed, which no hash does better than where all links are alike. Chunks let steps overlap: then
 * only the sum over all steps counts.
 */
final class ScheduleBound implements AnalyticModel {
    private static final Card CARD = new Card(
            "schedule_bound",
            "sum over steps of the maximum over links of bytes/bandwidth; of chunked steps and pipelines the maximum of the sums",
            "the schedule, topology, bandwidths",
            "as in the lower bounds of MSCCL and TACCL (Cai et al. 2021, PPoPP; Shah et al. 2023, NSDI)",
            "a lower bound with a barrier after each step: no alpha, ways shared evenly, slots filled; other tenants are not seen; none for open patterns");

    @Override
    public Card card() {
        return CARD;
    }

    @Override
    public List<Target> targets() {
        return List.of(Target.COMPLETION);
    }

    @Override
    public Prediction predict(Target target, Point point) {
        ClosedPattern pattern = point.closed();
        if (pattern == null) {
            return Prediction.none("only for closed patterns");
        }
        boolean overlapping = pattern instanceof ClosedPattern.Pipeline
                || pattern instanceof ClosedPattern.RingCollective ring && ring.chunks() > 1
                || pattern instanceof ClosedPattern.RecursiveDoubling doubling && doubling.chunks() > 1;
        return Prediction.of(new Loads(point, pattern.schedule(point.traffic().flows())).boundNs(overlapping));
    }

    /** Wire bytes that each link carries in a step. */
    private static final class Loads {
        private final TrafficSpec traffic;
        private final Topology topology;
        private final Graph graph;
        private final Schedule schedule;
        private final double[] nsPerByte;
        private final double[] bytes;
        private final int[] ways;
        /** Per node, of one destination: bytes that have come to it and not gone on. */
        private final double[] inflow;

        /** By links to the destination: how many nodes hold something, and which. */
        private final List<int[]> levels = new ArrayList<>();

        private final int[] first;

        Loads(Point point, Schedule schedule) {
            this.traffic = point.traffic();
            this.topology = point.topology();
            this.graph = topology.graph();
            this.schedule = schedule;
            this.nsPerByte = new double[graph.links()];
            for (int link = 0; link < nsPerByte.length; link++) {
                BigDecimal bandwidth = graph.bandwidthGbPerS(link);
                nsPerByte[link] = bandwidth.signum() == 0 ? 0 : 1 / bandwidth.doubleValue();
            }
            this.bytes = new double[graph.links()];
            this.ways = new int[topology.mostWays()];
            this.inflow = new double[graph.nodes()];
            this.first = new int[topology.mostWays()];
        }

        /** @param overlapping whether a step may begin before all of the one before has arrived */
        double boundNs(boolean overlapping) {
            int size = schedule.foreground(); // a background collective comes after it
            double sum = 0;
            double last = 0;
            int lastFrom = 0;
            int lastTo = 0;
            for (int from = 0, to; from < size; from = to) {
                to = from + 1;
                while (to < size && schedule.step(to) == schedule.step(from)) {
                    to++;
                }
                if (overlapping) {
                    add(from, to);
                    continue;
                }
                // The steps of a ring are all alike.
                if (!repeats(lastFrom, lastTo, from, to)) {
                    Arrays.fill(bytes, 0);
                    add(from, to);
                    last = slowestNs();
                }
                lastFrom = from;
                lastTo = to;
                sum += last;
            }
            return overlapping ? slowestNs() : sum;
        }

        private boolean repeats(int otherFrom, int otherTo, int from, int to) {
            if (otherTo - otherFrom != to - from) {
                return false;
            }
            for (int m = from; m < to; m++) {
                int other = m - from + otherFrom;
                if (schedule.source(m) != schedule.source(other)
                        || schedule.destination(m) != schedule.destination(other)
                        || schedule.bytes(m) != schedule.bytes(other)) {
                    return false;
                }
            }
            return true;
        }

        private double slowestNs() {
            double slowest = 0;
            for (int link = 0; link < bytes.length; link++) {
                slowest = Math.max(slowest, bytes[link] * nsPerByte[link]);
            }
            return slowest;
        }

        private void add(int from, int to) {
            int[] end = new int[graph.hosts() + 1];
            for (int m = from; m < to; m++) {
                end[schedule.destination(m)]++;
            }
            for (int host = 1; host < end.length; host++) {
                end[host] += end[host - 1];
            }
            int[] byDestination = new int[to - from];
            for (int m = to - 1; m >= from; m--) {
                byDestination[--end[schedule.destination(m)]] = m;
            }
            int i = 0;
            while (i < byDestination.length) {
                int destination = schedule.destination(byDestination[i]);
                for (; i < byDestination.length && schedule.destination(byDestination[i]) == destination; i++) {
                    int m = byDestination[i];
                    int link = graph.linkOf(schedule.source(m), 0);
                    double wire = wireBytes(schedule.bytes(m));
                    bytes[link] += wire;
                    arrive(graph.to(link), wire, destination);
                }
                flow(destination);
            }
        }

        private double wireBytes(long payload) {
            return payload + Math.ceil((double) payload / traffic.framePayloadBytes()) * traffic.headerBytes();
        }

        private void arrive(int node, double wire, int destination) {
            if (node == destination) {
                return;
            }
            if (inflow[node] == 0) {
                int level = hops(node, destination);
                while (levels.size() <= level) {
                    levels.add(new int[graph.nodes() + 1]);
                }
                int[] nodes = levels.get(level);
                nodes[++nodes[0]] = node;
            }
            inflow[node] += wire;
        }

        /** Sends on what nodes hold, those farthest from the destination first, so that each sends once. */
        private void flow(int destination) {
            for (int level = levels.size() - 1; level > 0; level--) {
                int[] nodes = levels.get(level);
                for (int k = 1; k <= nodes[0]; k++) {
                    int node = nodes[k];
                    int choices = topology.ways(node, destination, ways);
                    double share = inflow[node] / choices;
                    inflow[node] = 0;
                    for (int way = 0; way < choices; way++) {
                        int link = graph.linkOf(node, ways[way]);
                        bytes[link] += share;
                        arrive(graph.to(link), share, destination);
                    }
                }
                nodes[0] = 0;
            }
        }

        /** Links to the destination: all ways have as many. */
        private int hops(int node, int destination) {
            int hops = 0;
            for (int at = node; at != destination; hops++) {
                topology.ways(at, destination, first);
                at = graph.to(graph.linkOf(at, first[0]));
            }
            return hops;
        }
    }
}
