package io.github.rhosweep.fit;

import java.util.Arrays;
import java.util.List;

/**
 * A {@link FabricGraph} as the arrays that a network is given, with queues and links that no message passing could tell apart counted as
 * one: those whose features, and whose neighbours', and so on, are equal (colour refinement, Weisfeiler and Leman 1968), to about five
 * digits. Where messages are sprayed, ways of equal length are; a network says of the merged graph what it says of the whole, from a
 * tenth of the visits. Rows are flat, row after row; flows are never merged and keep their order.
 */
public final class GraphArrays {
    /** Low bits of a float that make no difference: 2^-16 of it, relative. */
    private static final int BLUR = 7;

    private static final int POSITIONS = FabricGraph.POSITIONS;

    private final int flows;
    private final float[] flowX;
    private final float[] queueX;
    private final float[] linkX;
    private final long[] queueLink;
    private final float[] queueShare;
    private final long[] visitCell;
    private final long[] visitQueue;
    private final float[] visitShare;
    private final float[] visitWeight;
    private final float[] meanUnit;
    private final float[] tailUnit;
    private final int[] firstQueue;
    private final int[] firstLink;

    private GraphArrays(FabricGraph graph, boolean merge) {
        List<FabricGraph.Flow> ofFlows = graph.flows();
        List<FabricGraph.Queue> ofQueues = graph.queues();
        List<FabricGraph.Link> ofLinks = graph.links();
        this.flows = ofFlows.size();
        this.flowX = rows(flows, FabricGraph.FLOW_FEATURES.size(), graph::flowFeatures);
        this.meanUnit = flat(graph.meanUnits());
        this.tailUnit = flat(graph.tailUnits());
        float[] allQueues = rows(ofQueues.size(), FabricGraph.QUEUE_FEATURES.size(), graph::queueFeatures);
        float[] allLinks = rows(ofLinks.size(), FabricGraph.LINK_FEATURES.size(), graph::linkFeatures);
        int[] cell = graph.visitCells();
        int[] queue = graph.visitQueues();
        float[] share = floats(graph.visitShares());
        float[] weight = graph.visitWeights();
        int visits = cell.length;
        int[] feeds = ofQueues.stream().mapToInt(FabricGraph.Queue::link).toArray();
        float[] part = new float[feeds.length];
        for (int q = 0; q < part.length; q++) {
            part[q] = (float) graph.queueShare(q);
        }

        Colours colours = new Colours(this, allQueues, allLinks, feeds, part, cell, queue, share, weight);
        if (merge) {
            colours.refine();
        } else {
            Arrays.setAll(colours.queues, i -> i);
            Arrays.setAll(colours.links, i -> i);
        }
        int[] classOfQueue = new int[feeds.length];
        int[] classOfLink = new int[ofLinks.size()];
        this.firstQueue = classes(colours.queues, classOfQueue);
        this.firstLink = classes(colours.links, classOfLink);
        int[] queuesOf = sizes(classOfQueue, firstQueue.length);
        int[] linksOf = sizes(classOfLink, firstLink.length);

        this.queueX = pick(allQueues, firstQueue, FabricGraph.QUEUE_FEATURES.size());
        this.linkX = pick(allLinks, firstLink, FabricGraph.LINK_FEATURES.size());
        this.queueLink = new long[firstQueue.length];
        double[] shares = new double[firstQueue.length];
        for (int q = 0; q < feeds.length; q++) {
            int link = classOfLink[feeds[q]];
            queueLink[classOfQueue[q]] = link;
            shares[classOfQueue[q]] += (double) part[q] / linksOf[link];
        }
        this.queueShare = floats(shares);

        // Visits come flow by flow, position by position: those of one cell to one class become one.
        int[] cellSeen = new int[firstQueue.length];
        int[] at = new int[firstQueue.length];
        Arrays.fill(cellSeen, -1);
        int n = 0;
        long[] cells = new long[visits];
        long[] queues = new long[visits];
        double[] sumShare = new double[visits];
        double[] sumWeight = new double[visits];
        for (int v = 0; v < visits; v++) {
            int c = classOfQueue[queue[v]];
            if (cellSeen[c] != cell[v]) {
                cellSeen[c] = cell[v];
                at[c] = n++;
                cells[at[c]] = cell[v];
                queues[at[c]] = c;
            }
            sumShare[at[c]] += share[v];
            sumWeight[at[c]] += (double) weight[v] / queuesOf[c];
        }
        this.visitCell = Arrays.copyOf(cells, n);
        this.visitQueue = Arrays.copyOf(queues, n);
        this.visitShare = floats(Arrays.copyOf(sumShare, n));
        this.visitWeight = floats(Arrays.copyOf(sumWeight, n));
    }

    /** The arrays of a graph. */
    public static GraphArrays of(FabricGraph graph) {
        return new GraphArrays(graph, true);
    }

    /** The same with nothing merged, which a network says the same of. */
    static GraphArrays whole(FabricGraph graph) {
        return new GraphArrays(graph, false);
    }

    /** Colours of queues and links: equal, once refined, where no neighbourhood differs. */
    private static final class Colours {
        private final GraphArrays of;
        private final int[] feeds;
        private final long[] part;
        private final int[] cell;
        private final int[] queue;
        private final long[] share;
        private final long[] weight;
        private final long[] flows;
        private final long[] queues;
        private final long[] links;

        Colours(
                GraphArrays of,
                float[] queueX,
                float[] linkX,
                int[] feeds,
                float[] part,
                int[] cell,
                int[] queue,
                float[] share,
                float[] weight) {
            this.of = of;
            this.feeds = feeds;
            this.part = bits(part);
            this.cell = cell;
            this.queue = queue;
            this.share = bits(share);
            this.weight = bits(weight);
            this.flows = hashes(of.flowX, of.flows);
            this.queues = hashes(queueX, feeds.length);
            this.links = hashes(linkX, linkX.length / FabricGraph.LINK_FEATURES.size());
        }

        /** As a network's rounds do: along each way, to queues, to links; until no class parts any more. */
        void refine() {
            long[] waits = new long[queues.length]; // a queue with its link
            long[] units = bits(of.meanUnit);
            int count = -1;
            for (int now = count(waits); now != count; now = count(waits)) {
                count = now;
                long[] cells = new long[of.flows * POSITIONS];
                for (int v = 0; v < cell.length; v++) {
                    cells[cell[v]] += mix(waits[queue[v]], share[v]);
                }
                for (int flow = 0; flow < of.flows; flow++) {
                    long state = flows[flow];
                    for (int i = flow * POSITIONS; i < (flow + 1) * POSITIONS; i++) {
                        state = cells[i] == 0 ? state : mix(state, mix(cells[i], units[i]));
                        cells[i] = state;
                    }
                    flows[flow] = state;
                }
                long[] came = new long[queues.length];
                for (int v = 0; v < cell.length; v++) {
                    came[queue[v]] += mix(cells[cell[v]], weight[v]);
                }
                long[] into = new long[links.length];
                for (int q = 0; q < queues.length; q++) {
                    queues[q] = mix(waits[q], came[q]);
                    into[feeds[q]] += mix(queues[q], part[q]);
                }
                for (int l = 0; l < links.length; l++) {
                    links[l] = mix(links[l], into[l]);
                }
            }
        }

        /** Finds the colours of queues with their links, and how many differ. */
        private int count(long[] waits) {
            Numbering distinct = new Numbering(queues.length);
            for (int q = 0; q < queues.length; q++) {
                waits[q] = mix(queues[q], links[feeds[q]]);
                distinct.of(waits[q]);
            }
            return distinct.size();
        }

        private static long[] hashes(float[] rows, int n) {
            long[] hashes = new long[n];
            int width = n == 0 ? 0 : rows.length / n;
            for (int i = 0; i < rows.length; i++) {
                hashes[i / width] = mix(hashes[i / width], bits(rows[i]));
            }
            return hashes;
        }

        private static long[] bits(float[] values) {
            long[] bits = new long[values.length];
            for (int i = 0; i < bits.length; i++) {
                bits[i] = bits(values[i]);
            }
            return bits;
        }

        private static long bits(float x) {
            return (Float.floatToIntBits(x) + (1L << (BLUR - 1))) >> BLUR;
        }

        /** SplitMix64's finaliser (Steele, Lea and Flood 2014) of both. */
        private static long mix(long a, long b) {
            long z = a * 0x9E3779B97F4A7C15L + b + 0x632BE59BD9B4E019L;
            z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
            z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
            return z ^ (z >>> 31);
        }
    }

    /** Numbers classes in the order of their first members, which it gives. */
    private static int[] classes(long[] colours, int[] classOf) {
        Numbering numbers = new Numbering(colours.length);
        int[] first = new int[colours.length];
        for (int i = 0; i < colours.length; i++) {
            int known = numbers.size();
            classOf[i] = numbers.of(colours[i]);
            if (classOf[i] == known) {
                first[known] = i;
            }
        }
        return Arrays.copyOf(first, numbers.size());
    }

    private static int[] sizes(int[] classOf, int classes) {
        int[] sizes = new int[classes];
        for (int c : classOf) {
            sizes[c]++;
        }
        return sizes;
    }

    private interface Features {
        float[] of(int number);
    }

    private static float[] rows(int n, int width, Features features) {
        float[] rows = new float[n * width];
        for (int i = 0; i < n; i++) {
            System.arraycopy(features.of(i), 0, rows, i * width, width);
        }
        return rows;
    }

    private static float[] pick(float[] rows, int[] which, int width) {
        float[] picked = new float[which.length * width];
        for (int i = 0; i < which.length; i++) {
            System.arraycopy(rows, which[i] * width, picked, i * width, width);
        }
        return picked;
    }

    private static float[] flat(double[][] rows) {
        float[] flat = new float[rows.length * POSITIONS];
        for (int i = 0; i < flat.length; i++) {
            flat[i] = (float) rows[i / POSITIONS][i % POSITIONS];
        }
        return flat;
    }

    private static float[] floats(double[] values) {
        float[] floats = new float[values.length];
        for (int i = 0; i < values.length; i++) {
            floats[i] = (float) values[i];
        }
        return floats;
    }

    /** How many flows. */
    public int flows() {
        return flows;
    }

    /** Of each kind of queues, the first: its place among {@link FabricGraph#queues}. */
    public int[] firstQueues() {
        return firstQueue.clone();
    }

    /** Of each kind of links, the first: its place among {@link FabricGraph#links}. */
    public int[] firstLinks() {
        return firstLink.clone();
    }

    /** The features {@link FabricGraph#FLOW_FEATURES} of flows. */
    public float[] flowX() {
        return flowX.clone();
    }

    /** The features {@link FabricGraph#QUEUE_FEATURES} of kinds of queues. */
    public float[] queueX() {
        return queueX.clone();
    }

    /** The features {@link FabricGraph#LINK_FEATURES} of kinds of links. */
    public float[] linkX() {
        return linkX.clone();
    }

    /** The kind of links that each kind of queues feeds. */
    public long[] queueLink() {
        return queueLink.clone();
    }

    /** Of a link's load, what comes from all its queues of a kind. */
    public float[] queueShare() {
        return queueShare.clone();
    }

    /** Flow times {@link FabricGraph#POSITIONS} plus position of visits. */
    public long[] visitCell() {
        return visitCell.clone();
    }

    /** The kind of queues that is visited. */
    public long[] visitQueue() {
        return visitQueue.clone();
    }

    /** Of the flow, what comes to queues of that kind. */
    public float[] visitShare() {
        return visitShare.clone();
    }

    /** Of the load of a queue of that kind, what the flow brings, averaged over them. */
    public float[] visitWeight() {
        return visitWeight.clone();
    }

    /** {@link FabricGraph#meanUnits} of flows. */
    public float[] meanUnit() {
        return meanUnit.clone();
    }

    /** {@link FabricGraph#tailUnits} of flows. */
    public float[] tailUnit() {
        return tailUnit.clone();
    }
}
