package io.github.rhosweep.summary;

import io.github.rhosweep.design.Axis;
import io.github.rhosweep.design.Block;
import io.github.rhosweep.design.DesignPoint;
import io.github.rhosweep.design.ExperimentSpec;
import io.github.rhosweep.math.RandomStream;
import io.github.rhosweep.report.TextTable;
import io.github.rhosweep.result.Column;
import io.github.rhosweep.result.Metric;
import io.github.rhosweep.result.Row;
import io.github.rhosweep.store.ResultsFolder;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What each axis of a sweep changed. Points that differ on that axis alone are compared: an axis is inert where all that was counted
 * and measured is equal to the last bit, which common random numbers make the rule for settings that do not matter.
 *
 * <p>Holds a few numbers a point; rows are read one by one.
 */
public final class Summary {
    /** After a run the table is an extra that must not take long. */
    public static final long MOST_POINTS_AFTER_RUN = 20_000;

    /** They repeat what was asked for instead of telling what happened. */
    private static final Set<Metric> ECHOES = Set.of(Metric.LINK_UNLIMITED, Metric.RUN_KIND);

    private static final List<Column> COLUMNS = columns();

    private final ExperimentSpec experiment;
    private final List<BlockSummary> blocks = new ArrayList<>();
    private long simulated;
    private long missing;

    private Summary(ExperimentSpec experiment) {
        this.experiment = experiment;
    }

    /**
     * Summarises a folder.
     *
     * @param experiment whose points are looked up there
     * @throws IOException if a file cannot be read
     */
    public static Summary of(ExperimentSpec experiment, ResultsFolder folder) throws IOException {
        Summary summary = new Summary(experiment);
        Map<String, Measured> measured = read(folder);
        Map<Block, BlockSummary> byBlock = new LinkedHashMap<>();
        for (Block block : experiment.blocks()) {
            byBlock.put(block, new BlockSummary(block));
        }
        for (long index = 0; index < experiment.size(); index++) {
            DesignPoint point = experiment.point(index);
            Measured values = measured.get(point.key());
            if (!point.repeated()) {
                summary.missing += values == null ? 1 : 0;
                summary.simulated += values == null ? 0 : 1;
            }
            if (values == null) {
                continue;
            }
            BlockSummary block = byBlock.get(point.block());
            if (block != null) {
                block.add(point, values);
            }
        }
        summary.blocks.addAll(byBlock.values());
        return summary;
    }

    /** What is kept of a point: a digest of all that was measured, and the columns that are shown. */
    private record Measured(long digest, Shown shown) {}

    private static List<Column> columns() {
        Set<String> wanted = new java.util.HashSet<>(Set.of("point_key", "n", "message_latency_half_width_ns"));
        for (Metric metric : Metric.values()) {
            if (!ECHOES.contains(metric) && !metric.column().name().contains("_half_width")) {
                wanted.add(metric.column().name());
            }
        }
        return PointRows.columns(wanted);
    }

    private static Map<String, Measured> read(ResultsFolder folder) throws IOException {
        Map<String, Measured> measured = new HashMap<>();
        PointRows.read(folder, COLUMNS, row -> {
            if (row.get("n") instanceof Long n && n > 0) {
                measured.put(PointRows.key(row), new Measured(digest(row), Shown.of(row)));
            }
        });
        return measured;
    }

    private static long digest(Row row) {
        long digest = 0;
        for (int i = 0; i < row.values().length; i++) {
            String name = row.columns().get(i).name();
            if (!name.equals("point_key") && !name.contains("_half_width")) {
                Object value = row.values()[i];
                long bits = value instanceof Double d
                        ? Double.doubleToLongBits(d)
                        : value == null ? 0x5DEECE66DL : value.hashCode();
                digest = RandomStream.mix(digest ^ bits) + i;
            }
        }
        return digest;
    }

    /** One product of axes. */
    private static final class BlockSummary {
        private final Block block;
        private final List<AxisSummary> axes = new ArrayList<>();

        BlockSummary(Block block) {
            this.block = block;
            for (Axis axis : block.axes()) {
                axes.add(new AxisSummary(axis));
            }
        }

        void add(DesignPoint point, Measured measured) {
            Map<String, String> values = point.axisValues();
            long place = 0;
            for (Map.Entry<String, String> value : values.entrySet()) {
                place += digest(value.getKey(), value.getValue());
            }
            Map<String, String> groups = point.axisGroups();
            for (AxisSummary axis : axes) {
                String value = values.getOrDefault(axis.axis.name(), "");
                String group = groups.getOrDefault(axis.axis.name(), value);
                axis.add(group, place - digest(axis.axis.name(), value), measured);
            }
        }

        /** Digests of coordinates are summed, so that one can be taken out again: what is left names all else. */
        private static long digest(String axis, String value) {
            return RandomStream.mix(
                    RandomStream.named(axis.hashCode(), value, 0).nextLong());
        }
    }

    /** One axis of a block. */
    private static final class AxisSummary {
        private final Axis axis;
        private final Map<String, Mean> byValue = new LinkedHashMap<>();
        private final Map<Long, Group> groups = new HashMap<>();

        AxisSummary(Axis axis) {
            this.axis = axis;
            axis.groups().forEach(group -> byValue.put(group, new Mean()));
        }

        void add(String value, long allElse, Measured measured) {
            byValue.computeIfAbsent(value, v -> new Mean()).add(measured.shown);
            groups.computeIfAbsent(allElse, key -> new Group()).add(measured.digest);
        }

        /** Points that have a partner which differs on this axis alone. */
        long compared() {
            return groups.values().stream()
                    .filter(g -> g.points > 1)
                    .mapToLong(g -> g.points)
                    .sum();
        }

        /** Those of them at which the axis changed nothing. */
        long inert() {
            return groups.values().stream()
                    .filter(g -> g.points > 1 && !g.differ)
                    .mapToLong(g -> g.points)
                    .sum();
        }
    }

    /** Points that differ on one axis alone. */
    private static final class Group {
        private long points;
        private long digest;
        private boolean differ;

        void add(long other) {
            differ |= points > 0 && other != digest;
            digest = other;
            points++;
        }
    }

    /** Means over points, each over those that have a value. */
    private static final class Mean {
        private long points;
        private final double[] sums = new double[7];
        private final long[] counts = new long[7];

        void add(Shown shown) {
            points++;
            add(0, shown.latency());
            add(1, shown.halfWidth());
            add(2, shown.p99());
            add(3, shown.lost());
            add(4, shown.dropped());
            add(5, shown.marked());
            add(6, shown.goodput());
        }

        private void add(int i, @Nullable Double value) {
            if (value != null) {
                sums[i] += value;
                counts[i]++;
            }
        }

        private @Nullable Double get(int i) {
            return counts[i] == 0 ? null : Double.valueOf(sums[i] / counts[i]);
        }

        Shown mean() {
            return new Shown(get(0), get(1), get(2), get(3), get(4), get(5), get(6));
        }
    }

    /** Points with measurements. */
    long simulated() {
        return simulated;
    }

    /** Points without. */
    long missing() {
        return missing;
    }

    /** One line an axis. */
    TextTable axes() {
        TextTable table = new TextTable(
                "block", "axis", "values", ">changed something", ">message latency, ns", ">lost messages", ">marked");
        for (BlockSummary block : blocks) {
            for (AxisSummary axis : block.axes) {
                List<Shown> means =
                        axis.byValue.values().stream().map(Mean::mean).toList();
                table.add(
                        block.block.name(),
                        axis.axis.name(),
                        values(axis.axis),
                        axis.axis.sampled()
                                ? "-" // no two points differ on one axis alone
                                : (axis.compared() - axis.inert()) + " of " + axis.compared() + " points",
                        range(means.stream().map(Shown::latency).toList(), false),
                        range(means.stream().map(Shown::lost).toList(), true),
                        range(means.stream().map(Shown::marked).toList(), true));
            }
        }
        return table;
    }

    /** What the values of an axis did: one line a value. */
    record AxisTable(String title, boolean inert, TextTable table) {}

    /** A table an axis. */
    List<AxisTable> tables() {
        List<AxisTable> tables = new ArrayList<>();
        for (BlockSummary block : blocks) {
            for (AxisSummary axis : block.axes) {
                TextTable table = new TextTable(
                        "value",
                        ">points",
                        ">message latency, ns",
                        ">+/-",
                        ">p99, ns",
                        ">lost messages",
                        ">dropped frames",
                        ">marked",
                        ">goodput, GB/s");
                axis.byValue.forEach((value, mean) -> {
                    Shown shown = mean.mean();
                    table.add(
                            value,
                            Long.toString(mean.points),
                            TextTable.number(shown.latency()),
                            TextTable.number(shown.halfWidth()),
                            TextTable.number(shown.p99()),
                            TextTable.percent(shown.lost()),
                            TextTable.percent(shown.dropped()),
                            TextTable.percent(shown.marked()),
                            TextTable.number(shown.goodput()));
                });
                tables.add(new AxisTable(title(block) + axis.axis.name() + inertness(axis), axis.inert() > 0, table));
            }
        }
        return tables;
    }

    /** Prints one line an axis. */
    public void printShort(PrintWriter out) {
        if (simulated > 0) {
            out.println();
            axes().print(out, "  ");
        }
    }

    /** Prints a table an axis. */
    public void print(PrintWriter out) {
        out.println(experiment.name() + ": " + simulated + " points simulated"
                + (missing > 0 ? ", " + missing + " not (yet)" : ""));
        if (simulated == 0) {
            out.println("Predictions, where asked for, are in points/*.parquet");
            return;
        }
        out.println(
                "Means over the points of each value, each point's latency with the mean half-width of its interval");
        for (AxisTable axis : tables()) {
            out.println();
            out.println(axis.title());
            axis.table().print(out, "  ");
        }
    }

    private String title(BlockSummary block) {
        return blocks.size() > 1 ? block.block.name() + ": " : "";
    }

    private static String inertness(AxisSummary axis) {
        if (axis.compared() == 0) {
            return "";
        }
        return axis.inert() == 0
                ? " changed something at all " + axis.compared() + " points"
                : " changed nothing at " + axis.inert() + " of " + axis.compared() + " points";
    }

    private static String values(Axis axis) {
        if (axis.sampled()) {
            List<String> groups = axis.groups();
            return groups.get(0).replaceFirst(" \\.\\. .*", "") + " .. "
                    + groups.get(groups.size() - 1).replaceFirst(".* \\.\\. ", "") + " (sampled)";
        }
        String first = axis.text(0);
        String last = axis.text(axis.size() - 1);
        return axis.linked() || axis.size() == 1
                ? axis.size() + (axis.size() == 1 ? " value" : " linked")
                : first + (axis.size() > 2 ? " .. " : ", ") + last + " (" + axis.size() + ")";
    }

    private static String range(List<@Nullable Double> means, boolean fraction) {
        double least = Double.POSITIVE_INFINITY;
        double most = Double.NEGATIVE_INFINITY;
        for (Double mean : means) {
            if (mean != null) {
                least = Math.min(least, mean);
                most = Math.max(most, mean);
            }
        }
        if (least > most) {
            return "-";
        }
        String low = fraction ? TextTable.percent(least) : TextTable.number(least);
        String high = fraction ? TextTable.percent(most) : TextTable.number(most);
        return low.equals(high) ? low : low + " .. " + high;
    }

    /** The same as an object for JSON. */
    public Map<String, Object> json() {
        List<Object> axes = new ArrayList<>();
        for (BlockSummary block : blocks) {
            for (AxisSummary axis : block.axes) {
                Map<String, Object> object = new LinkedHashMap<>();
                object.put("block", block.block.name());
                object.put("axis", axis.axis.name());
                object.put("points_compared", axis.compared());
                object.put("points_inert", axis.inert());
                List<Object> values = new ArrayList<>();
                axis.byValue.forEach((value, mean) -> {
                    Shown shown = mean.mean();
                    Map<String, @Nullable Object> v = new LinkedHashMap<>();
                    v.put("value", value);
                    v.put("points", mean.points);
                    v.put("message_latency_mean_ns", shown.latency());
                    v.put("message_latency_half_width_ns", shown.halfWidth());
                    v.put("message_latency_p99_ns", shown.p99());
                    v.put("lost_message_fraction", shown.lost());
                    v.put("dropped_frame_fraction", shown.dropped());
                    v.put("marked_frame_fraction", shown.marked());
                    v.put("goodput_gb_per_s", shown.goodput());
                    values.add(v);
                });
                object.put("values", values);
                axes.add(object);
            }
        }
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("sweep", experiment.name());
        object.put("points_simulated", simulated);
        object.put("points_missing", missing);
        object.put("axes", axes);
        return object;
    }
}
