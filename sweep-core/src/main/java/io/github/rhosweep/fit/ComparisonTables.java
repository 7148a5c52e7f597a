package io.github.rhosweep.fit;

import io.github.rhosweep.result.Column;
import io.github.rhosweep.result.Row;
import io.github.rhosweep.scenario.Parameter.ColumnType;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** A comparison as flat tables, for whoever wants to draw or query it. */
public final class ComparisonTables {
    private ComparisonTables() {}

    /**
     * All tables by name; a table without rows is left out.
     *
     * @param comparison what they hold
     */
    public static Map<String, List<Row>> of(Comparison comparison) {
        Map<String, List<Row>> tables = new LinkedHashMap<>();
        put(tables, "errors", errors(comparison));
        put(tables, "points", points(comparison));
        put(tables, "trust", trust(comparison.trustMap()));
        put(tables, "breaks", breaks(comparison.trustMap()));
        put(tables, "alpha_beta", alphaBeta(comparison.effectiveAlphaBeta()));
        put(tables, "continuity", continuity(comparison.continuity()));
        put(tables, "far_off", farOff(comparison.farOff()));
        put(tables, "cost", cost(comparison));
        return tables;
    }

    private static void put(Map<String, List<Row>> tables, String name, List<Row> rows) {
        if (!rows.isEmpty()) {
            tables.put(name, rows);
        }
    }

    /** A column and what stands in it for an item. */
    private record Field<T>(Column column, Function<T, @Nullable Object> value) {}

    private static <T> Field<T> text(String name, String doc, Function<T, @Nullable Object> value) {
        return new Field<>(new Column(name, ColumnType.STRING, "", doc, ""), value);
    }

    /** NaN is no value. */
    private static <T> Field<T> number(String name, String unit, String doc, Function<T, @Nullable Double> value) {
        return new Field<>(new Column(name, ColumnType.DOUBLE, unit, doc, ""), item -> {
            Double number = value.apply(item);
            return number == null || number.isNaN() ? null : number;
        });
    }

    private static <T> Field<T> whole(String name, String doc, ToLongFunction<T> value) {
        return new Field<>(new Column(name, ColumnType.INT64, "", doc, ""), value::applyAsLong);
    }

    private static <T> List<Row> rows(List<T> items, List<Field<T>> fields) {
        List<Column> columns = fields.stream().map(Field::column).toList();
        return items.stream()
                .map(item -> new Row(
                        columns,
                        fields.stream().map(field -> field.value().apply(item)).toArray()))
                .toList();
    }

    private static List<Row> errors(Comparison comparison) {
        return rows(
                comparison.errors(),
                List.of(
                        text("pattern", "traffic.pattern, or all", e -> e.pattern()),
                        text("method", "or best: each group's best", e -> e.method()),
                        text(
                                "held_out",
                                "How points were held out, or why they never enter a fit",
                                e -> e.summary().heldOut()),
                        text("regime", "By load, or all", e -> e.summary().regime()),
                        whole("n", "Points with a prediction", e -> e.summary().n()),
                        whole("without", "Points without one", e -> e.summary().without()),
                        number(
                                "mape",
                                "",
                                "Mean absolute relative error",
                                e -> e.summary().mape()),
                        number(
                                "mape_low",
                                "",
                                "Lower end of its 95% interval, by bootstrap over streams of random numbers",
                                e -> e.summary().mapeLow()),
                        number("mape_high", "", "Upper end", e -> e.summary().mapeHigh()),
                        number(
                                "median",
                                "",
                                "Median absolute relative error",
                                e -> e.summary().median()),
                        number("p95", "", "0.95-quantile", e -> e.summary().p95()),
                        number("max", "", "Largest", e -> e.summary().max()),
                        number(
                                "bias",
                                "",
                                "Mean relative error",
                                e -> e.summary().bias())));
    }

    private record ScoredPoint(String method, HeldOutPoint point) {}

    private static List<Row> points(Comparison comparison) {
        List<ScoredPoint> points = comparison.methods().stream()
                .flatMap(s -> s.evaluation().points().stream().map(p -> new ScoredPoint(s.id(), p)))
                .toList();
        return rows(
                points,
                List.of(
                        text(
                                "group",
                                "What has coefficients of its own",
                                p -> comparison.group(p.point().observation())),
                        text("method", "", p -> p.method()),
                        text(
                                "held_out",
                                "How the point was held out",
                                p -> p.point().kind().id()),
                        text("point_key", "", p -> p.point().observation().key()),
                        text(
                                "topology",
                                "topology.kind",
                                p -> p.point().observation().conditions().topology()),
                        whole(
                                "hosts",
                                "Hosts of the fabric",
                                p -> p.point().observation().conditions().hosts()),
                        text(
                                "regime",
                                "By load",
                                p -> p.point()
                                        .observation()
                                        .conditions()
                                        .regime()
                                        .id()),
                        number(
                                "flows",
                                "",
                                "N",
                                p -> p.point().observation().conditions().flows()),
                        number(
                                "load",
                                "",
                                "rho",
                                p -> p.point().observation().conditions().load()),
                        number(
                                "frames",
                                "",
                                "b",
                                p -> p.point().observation().conditions().frames()),
                        number(
                                "measured_ns",
                                "ns",
                                "",
                                p -> p.point().observation().value()),
                        number(
                                "measured_relative_error",
                                "",
                                "Standard error of it, relative",
                                p -> p.point().observation().relativeError()),
                        number(
                                "predicted_ns",
                                "ns",
                                "Null if the method gave none",
                                p -> p.point().predicted()),
                        number(
                                "error",
                                "",
                                "(predicted - measured)/measured",
                                p -> p.point().error())));
    }

    private static List<Row> trust(TrustMap map) {
        return rows(
                map.cells(),
                List.of(
                        text("group", "What has coefficients of its own", c -> c.group()),
                        number("flows", "", "N", c -> c.flows()),
                        number("load", "", "rho", c -> c.load()),
                        whole("n", "Points", c -> c.n()),
                        text("best", "The method that is off least", c -> c.best()),
                        number("best_mape", "", "", c -> c.bestError()),
                        text("second", "The next", c -> c.second()),
                        number("second_mape", "", "", c -> c.secondError()),
                        text("closed_form", "The best of those with nothing fitted", c -> c.closedForm()),
                        number("closed_form_mape", "", "", c -> c.closedFormError()),
                        number("alpha_beta_mape", "", "", c -> c.alphaBetaError()),
                        number("noise", "", "Standard error of what was measured, relative", c -> c.noise())));
    }

    private static List<Row> breaks(TrustMap map) {
        return rows(
                map.breaks(),
                List.of(
                        text("group", "What has coefficients of its own", b -> b.group()),
                        text("method", "", b -> b.method()),
                        number("flows", "", "N", b -> b.flows()),
                        number(
                                "load",
                                "",
                                "The least rho from which on it is off by more than 10%; null: never",
                                b -> b.load())));
    }

    private static List<Row> alphaBeta(List<EffectiveAlphaBeta> found) {
        return rows(
                found,
                List.of(
                        text("group", "What has coefficients of its own", e -> e.group()),
                        number("flows", "", "N", e -> e.flows()),
                        number("load", "", "rho", e -> e.load()),
                        whole("n", "Points", e -> e.n()),
                        number("alpha_eff_ns", "ns", "Intercept of T on wire bytes", e -> e.alphaNs()),
                        number("alpha_eff_half_width_ns", "ns", "Of its 95% interval", e -> e.alphaHalfNs()),
                        number("beta_eff_gb_per_s", "gb_per_s", "One over the slope", e -> e.betaGbPerS()),
                        number("ns_per_byte", "ns", "The slope", e -> e.nsPerByte()),
                        number("ns_per_byte_half_width", "ns", "Of its 95% interval", e -> e.nsPerByteHalf()),
                        number("idle_alpha_ns", "ns", "The same through T_ab", e -> e.idleAlphaNs()),
                        number("idle_ns_per_byte", "ns", "The same through T_ab", e -> e.idleNsPerByte())));
    }

    private static List<Row> continuity(List<Continuity> found) {
        return rows(
                found,
                List.of(
                        text("group", "What has coefficients of its own", c -> c.group()),
                        text("method", "", c -> c.method()),
                        whole("lines", "Pairs of N and message, scanned along rho", c -> c.lines()),
                        whole("jumps", "Found on them", c -> c.jumps()),
                        number("least", "", "The smallest, relative to the value below it", c -> c.least()),
                        number("mean", "", "Of their absolute sizes", c -> c.mean()),
                        number("largest", "", "", c -> c.largest()),
                        number("largest_at", "", "Its rho", c -> c.largestAt()),
                        number("largest_flows", "", "Its N", c -> c.largestFlows()),
                        number("largest_frames", "", "Its b", c -> c.largestFrames()),
                        number(
                                "fall_with_load",
                                "",
                                "Largest relative fall from one load to the next",
                                c -> c.fallWithLoad()),
                        number(
                                "fall_with_flows",
                                "",
                                "Largest relative fall from one N to the next",
                                c -> c.fallWithFlows())));
    }

    private static List<Row> farOff(List<Comparison.OffRow> found) {
        return rows(
                found,
                List.of(
                        text("method", "The best of the point's group", r -> r.method()),
                        text("held_out", "How the point was held out, or why it never enters a fit", r -> r.heldOut()),
                        text("folder", "", r -> r.observation().source()),
                        text(
                                "run_key",
                                "The first run of the point",
                                r -> r.observation().key() + "-1"),
                        number(
                                "flows",
                                "",
                                "N",
                                r -> r.observation().conditions().flows()),
                        number(
                                "load",
                                "",
                                "rho",
                                r -> r.observation().conditions().load()),
                        number(
                                "frames",
                                "",
                                "b",
                                r -> r.observation().conditions().frames()),
                        number("measured_ns", "ns", "", r -> r.observation().value()),
                        number("predicted_ns", "ns", "", r -> r.predicted()),
                        number("error", "", "(predicted - measured)/measured", r -> r.error())));
    }

    private static List<Row> cost(Comparison comparison) {
        return rows(
                comparison.methods(),
                List.of(
                        text("method", "", s -> s.id()),
                        number(
                                "fit_ns",
                                "ns",
                                "What fitting all groups cost once; depends on the machine",
                                s -> s.fitNs()),
                        number(
                                "predict_ns",
                                "ns",
                                "What one prediction from kept conditions costs; depends on the machine",
                                s -> s.predictNs())));
    }
}
