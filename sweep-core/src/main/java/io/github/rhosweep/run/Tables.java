package io.github.rhosweep.run;

import io.github.rhosweep.model.Models;
import io.github.rhosweep.result.Column;
import io.github.rhosweep.result.Metric;
import io.github.rhosweep.scenario.Parameter.ColumnType;
import io.github.rhosweep.scenario.Parameters;
import java.util.ArrayList;
import java.util.List;

/** The columns of the tables: identity, every parameter, what was measured, what was predicted, and cost last. */
public final class Tables {
    static final Column SWEEP = text("sweep", "Name of the experiment");
    static final Column POINT_KEY =
            text("point_key", "Identity of the point: 128 bits of SHA-256 over its effective parameters, in hex");
    static final Column RUN_KEY = text("run_key", "Identity of the run: point_key and replicate");
    static final Column REPLICATE = whole("replicate", "Number of the run within its point, from 1");
    static final Column RUN_SEED = whole("run_seed", "Seed of the run's random streams, derived from keys alone");

    static final Column N = whole("n", "Replicates behind this row; 0 where only models were asked");
    static final Column FIDELITY = text("fidelity", "models (predictions only) or simulate");
    static final Column STOPPED_BY = text(
            "stopped_by",
            "Why there are no more replicates: interval (met), max (reached, interval not met), fixed (no interval asked for),"
                    + " metric_null (the metric does not exist here), deterministic (no random number drawn), models");
    static final Column CI_MET = new Column(
            "ci_met", ColumnType.BOOLEAN, "", "Whether the interval asked for was met; null where none exists", "");
    static final Column CI_RULE =
            text("ci_rule", "The interval asked for: metric, relative half-width and confidence; null if none was");
    static final Column CONFIDENCE =
            new Column("confidence", ColumnType.DOUBLE, "", "Of the half-widths of this row", "");
    static final Column HALF_WIDTH_SOURCE = text(
            "half_width_source",
            "replicates: Student's t over the replicates' values; run: batch means within the only run, at 95%; null: none");

    static final Column WALL = new Column("wall_ns", ColumnType.INT64, "ns", "Wall time that the run took", "");
    static final Column CPU = new Column("cpu_ns", ColumnType.INT64, "ns", "CPU time that the run took", "");

    static final Column KIND = text(
            "kind",
            "events_limit, messages_limit, wall_limit and heap_limit (which depend on the machine), executor_lost (its process died again and again), deadlock, drop_under_flow_control or error");
    static final Column REASON = text("reason", "Class and message of what went wrong");
    static final Column WHERE = text("at", "Where in the program");

    private static final List<Column> PARAMETERS =
            Parameters.all().stream().map(Column::of).toList();

    static final List<Column> METRICS = Metric.columns();

    static final List<Column> PREDICTIONS = Models.columns();

    private static final List<Integer> OWN_HALF_WIDTHS = ownHalfWidths();

    /** One row a run. */
    public static final List<Column> RUNS = concat(
            List.of(SWEEP, POINT_KEY, RUN_KEY, REPLICATE, RUN_SEED),
            PARAMETERS,
            METRICS,
            PREDICTIONS,
            List.of(WALL, CPU));

    /** One row a point. */
    public static final List<Column> POINTS = concat(
            List.of(SWEEP, POINT_KEY),
            PARAMETERS,
            List.of(N, FIDELITY, STOPPED_BY, CI_MET, CI_RULE, CONFIDENCE, HALF_WIDTH_SOURCE),
            summaries(),
            PREDICTIONS);

    /** One row a failed attempt. */
    public static final List<Column> FAILURES =
            concat(List.of(SWEEP, POINT_KEY, RUN_KEY, REPLICATE, RUN_SEED), PARAMETERS, List.of(KIND, REASON, WHERE));

    /** One row a flow: a measured message. */
    public static final List<Column> FLOWS = List.of(
            RUN_KEY,
            whole(
                    "id",
                    "What the workload calls the flow: a file's own id, else its number in the order of offers, from 1"),
            whole("src", "Host that sends"),
            whole("dst", "Host that receives"),
            new Column("bytes", ColumnType.INT64, "bytes", "Payload", ""),
            new Column("start_ns", ColumnType.DOUBLE, "ns", "When it was offered; null if it never was", ""),
            new Column("completion_ns", ColumnType.DOUBLE, "ns", "When its last frame arrived; null if it did not", ""),
            whole("retransmitted_frames", "Frames of it that were sent once more, as often as they were"),
            new Column("lost", ColumnType.BOOLEAN, "", "Whether a frame of it was dropped for good", ""));

    /** One row for each two hosts of which one sends to the other. */
    public static final List<Column> PAIRS = List.of(
            RUN_KEY,
            whole("flow", "Number of the pair within its run, from 0"),
            whole("src", "Host that sends"),
            whole("dst", "Host that receives"),
            whole("offered", "Measured messages"),
            new Column("offered_bytes", ColumnType.INT64, "bytes", "Their payload", ""),
            whole("delivered", "Measured messages that arrived whole"),
            whole("lost", "Measured messages of which a frame was dropped for good"),
            new Column(
                    "latency_mean_ns",
                    ColumnType.DOUBLE,
                    "ns",
                    "Mean latency of those that arrived; null if none did",
                    ""),
            new Column(
                    "latency_sd_ns",
                    ColumnType.DOUBLE,
                    "ns",
                    "Their standard deviation; null if fewer than two did",
                    ""),
            new Column(
                    "latency_p99_ns",
                    ColumnType.DOUBLE,
                    "ns",
                    "The least latency that 99 of 100 of them do not exceed; null if none arrived",
                    ""));

    /** One row a value of a run's state at a time. */
    public static final List<Column> SERIES = List.of(
            RUN_KEY,
            new Column("t_ns", ColumnType.DOUBLE, "ns", "When it was so: before what happened at that very time", ""),
            text("entity", "What it is of: switch 0, switch 0 egress 3, flow 0->8, fabric"),
            text(
                    "metric",
                    "buffer_bytes (in a switch's pool), queue_bytes (in all VOQs of an egress), rate_gb_per_s (DCQCN's"
                            + " current rate of a flow), pauses_sent (so far), stopped_senders (now)"),
            new Column("value", ColumnType.DOUBLE, "", "In the unit that the metric's name ends in", ""));

    private Tables() {}

    /**
     * Of each metric its mean over replicates with its half-width beside it. Where a run has a half-width of its own for a metric, the
     * two share a name: {@code message_latency_half_width_ns} belongs to {@code message_latency_mean_ns} in both tables.
     */
    private static List<Column> summaries() {
        List<Column> columns = new ArrayList<>();
        for (Column metric : METRICS) {
            if (isOwnHalfWidth(metric)) {
                continue;
            }
            if (!isNumber(metric)) {
                columns.add(metric);
                continue;
            }
            columns.add(new Column(
                    metric.name(),
                    ColumnType.DOUBLE,
                    metric.unit(),
                    "Mean over replicates: " + metric.doc(),
                    metric.source()));
            columns.add(new Column(
                    halfWidthName(metric),
                    ColumnType.DOUBLE,
                    metric.unit(),
                    "Half-width of the confidence interval of " + metric.name() + "; see half_width_source",
                    ""));
        }
        return columns;
    }

    /** Whether a column tells of the machine and not of the run: alone not the same when a row is run again. */
    public static boolean isCost(Column column) {
        return column.name().equals(WALL.name()) || column.name().equals(CPU.name());
    }

    static boolean isNumber(Column column) {
        return column.type() == ColumnType.INT64 || column.type() == ColumnType.DOUBLE;
    }

    /** Whether a metric is the half-width, from one run alone, of another. */
    static boolean isOwnHalfWidth(Column metric) {
        return metric.name().contains("_half_width");
    }

    /** Where among the metrics a metric's half-width from one run alone is, or -1 if runs give none. */
    static int ownHalfWidth(int metric) {
        return OWN_HALF_WIDTHS.get(metric);
    }

    private static List<Integer> ownHalfWidths() {
        List<String> names = METRICS.stream().map(Column::name).toList();
        return METRICS.stream().map(m -> names.indexOf(halfWidthName(m))).toList();
    }

    /**
     * {@code goodput_gb_per_s} becomes {@code goodput_half_width_gb_per_s}: the unit stays the suffix. A plain mean's is the interval
     * itself: {@code frame_latency_mean_ns} becomes {@code frame_latency_half_width_ns}.
     */
    public static String halfWidthName(Column metric) {
        if (metric.name().endsWith("_mean_ns")) {
            return metric.name().replace("_mean_ns", "_half_width_ns");
        }
        String suffix = "_" + metric.unit();
        return !metric.unit().isEmpty() && metric.name().endsWith(suffix)
                ? metric.name().substring(0, metric.name().length() - suffix.length()) + "_half_width" + suffix
                : metric.name() + "_half_width";
    }

    private static Column text(String name, String doc) {
        return new Column(name, ColumnType.STRING, "", doc, "");
    }

    private static Column whole(String name, String doc) {
        return new Column(name, ColumnType.INT64, "", doc, "");
    }

    @SafeVarargs
    private static List<Column> concat(List<Column>... parts) {
        List<Column> all = new ArrayList<>();
        for (List<Column> part : parts) {
            all.addAll(part);
        }
        return List.copyOf(all);
    }
}
