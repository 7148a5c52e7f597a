package io.github.rhosweep.spark;

import io.github.rhosweep.design.DesignPoint;
import io.github.rhosweep.design.ExperimentSpec;
import io.github.rhosweep.design.Fidelity;
import io.github.rhosweep.scenario.Params;
import io.github.rhosweep.scenario.TopologySpec;
import io.github.rhosweep.scenario.TrafficSpec;
import io.github.rhosweep.scenario.TransportSpec;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * A range of an experiment's design indices that one task runs.
 *
 * @param id position in the list of shards
 * @param first index of its first point
 * @param end index after its last
 * @param seconds estimated CPU time
 */
public record Shard(int id, long first, long end, double seconds) implements Serializable {
    /** A task costs about a millisecond and a pair of files tens of them: below this they would be felt. */
    private static final double LEAST_SECONDS = 0.5;

    /** A small file is half footer. */
    private static final int LEAST_ROWS = 2000;

    private static final double MOST_SECONDS_FOR_ROWS = 2;

    /** Beyond this progress would look stuck and a retry would cost much. */
    private static final double MOST_SECONDS = 10;

    /** The driver holds the list, so its length must not grow with the design. */
    private static final int MOST_SHARDS = 20_000;

    /** Points priced one by one; a larger design is priced by samples of equal stretches. */
    private static final int CELLS = 4096;

    private static final double GOLDEN_RATIO = 0.6180339887498949;

    private static final double FRAMES_PER_SECOND = 4e6;
    /** Several switches, answers and timers: what a frame costs there, roughly. */
    private static final double FABRIC_FACTOR = 8;

    private static final double SECONDS_PER_RUN = 2e-4;
    private static final double SECONDS_PER_PREDICTION = 5e-5;

    /**
     * Cuts a design into shards of roughly equal work, the longest first so that the last ones to end are short.
     *
     * @param cores tasks that run at once
     */
    static List<Shard> cut(ExperimentSpec experiment, int cores) {
        long size = experiment.size();
        int cells = (int) Math.min(CELLS, size);
        double[] cost = new double[cells];
        double total = 0;
        for (int c = 0; c < cells; c++) {
            long first = start(c, cells, size);
            long length = start(c + 1, cells, size) - first;
            cost[c] = length * seconds(experiment, experiment.point(first + length / 2));
            total += cost[c];
        }
        double fair = Math.min(MOST_SECONDS, total / (32.0 * cores));
        // Many rows a file where runs are short, unless that would make the shard a long one.
        double rows = Math.min(LEAST_ROWS * total / size, MOST_SECONDS_FOR_ROWS);
        double target = Math.max(Math.max(Math.max(LEAST_SECONDS, rows), fair), total / MOST_SHARDS);

        List<Shard> shards = new ArrayList<>();
        long first = 0;
        double collected = 0;
        for (int c = 0; c < cells; c++) {
            long from = start(c, cells, size);
            long end = start(c + 1, cells, size);
            // A stretch of much work is cut by itself, one of little joins what was collected.
            long pieces = Math.min(end - from, Math.max(1, Math.round(cost[c] / target)));
            for (long p = 1; p <= pieces; p++) {
                collected += cost[c] / pieces;
                long to = from + start(p, pieces, end - from);
                if (collected >= target || to == size) {
                    shards.add(new Shard(0, first, to, collected));
                    first = to;
                    collected = 0;
                }
            }
        }
        shards.sort(Comparator.comparingDouble((Shard shard) -> -shard.seconds).thenComparingLong(Shard::first));
        List<Shard> numbered = new ArrayList<>();
        for (Shard shard : shards) {
            numbered.add(new Shard(numbered.size(), shard.first, shard.end, shard.seconds));
        }
        return numbered;
    }

    /** The same in an order that has begun everywhere wherever it ends: by multiples of the golden ratio. */
    static List<Shard> spread(List<Shard> shards) {
        List<Shard> byPlace = new ArrayList<>(shards);
        byPlace.sort(Comparator.comparingLong(Shard::first));
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < byPlace.size(); i++) {
            order.add(i);
        }
        order.sort(
                Comparator.comparingDouble((Integer i) -> i * GOLDEN_RATIO % 1).thenComparing(i -> i));
        List<Shard> spread = new ArrayList<>();
        for (int i : order) {
            Shard shard = byPlace.get(i);
            spread.add(new Shard(spread.size(), shard.first, shard.end, shard.seconds));
        }
        return spread;
    }

    /** Where a part of an even division begins: exact, without overflow. */
    private static long start(long part, long parts, long size) {
        return size / parts * part + Math.min(part, size % parts);
    }

    /** Estimated CPU time of a point. */
    public static double seconds(ExperimentSpec experiment, DesignPoint point) {
        if (experiment.fidelity() == Fidelity.MODELS) {
            return SECONDS_PER_PREDICTION;
        }
        Params params = point.params();
        boolean fabric = params.get(TopologySpec.KIND).compareTo(TopologySpec.Kind.SINGLE_SWITCH) > 0
                || params.get(TransportSpec.SENDER) != TransportSpec.Sender.OPEN;
        double frames = TrafficSpec.frames(params) * (fabric ? FABRIC_FACTOR : 1);
        int replicates = point.drawsRandomNumbers() ? experiment.replicates().min() : 1;
        return replicates * (SECONDS_PER_RUN + frames / FRAMES_PER_SECOND);
    }

    /** Its name in file names, under an invocation's number. */
    String name(int invocation) {
        return String.format(Locale.ROOT, "%s%012d-%012d", prefix(invocation), first, end - 1);
    }

    /** How all names of an invocation's shards begin. */
    static String prefix(int invocation) {
        return String.format(Locale.ROOT, "%04d-", invocation);
    }
}
