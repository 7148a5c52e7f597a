package io.github.rhosweep.fit;

import io.github.rhosweep.result.Column;
import io.github.rhosweep.result.Row;
import io.github.rhosweep.scenario.Parameter.ColumnType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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

    private static Column text(String name, String doc) {
        return new Column(name, ColumnType.STRING, "", doc, "");
    }

    private static Column number(String name, String unit, String doc) {
        return new Column(name, ColumnType.DOUBLE, unit, doc, "");
    }

    private static Column whole(String name, String doc) {
        return new Column(name, ColumnType.INT64, "", doc, "");
    }

    /** NaN is no value. */
    private static Row row(List<Column> columns, @Nullable Object... values) {
        for (int i = 0; i < values.length; i++) {
            if (values[i] instanceof Double d && d.isNaN()) {
                values[i] = null;
            }
        }
        return new Row(columns, values);
    }

    private static List<Row> errors(Comparison comparison) {
        List<Column> columns = List.of(
                text("pattern", "traffic.pattern, or all"),
                text("method", "or best: each group's best"),
                text("held_out", "How points were held out, or why they never enter a fit"),
                text("regime", "By load, or all"),
                whole("n", "Points with a prediction"),
                whole("without", "Points without one"),
                number("mape", "", "Mean absolute relative error"),
                number("mape_low", "", "Lower end of its 95% interval, by bootstrap over streams of random numbers"),
                number("mape_high", "", "Upper end"),
                number("median", "", "Median absolute relative error"),
                number("p95", "", "0.95-quantile"),
                number("max", "", "Largest"),
                number("bias", "", "Mean relative error"));
        List<Row> rows = new ArrayList<>();
        for (Comparison.ErrorRow e : comparison.errors()) {
            ErrorSummary s = e.summary();
            rows.add(row(
                    columns,
                    e.pattern(),
                    e.method(),
                    s.heldOut(),
                    s.regime(),
                    s.n(),
                    s.without(),
                    s.mape(),
                    s.mapeLow(),
                    s.mapeHigh(),
                    s.median(),
                    s.p95(),
                    s.max(),
                    s.bias()));
        }
        return rows;
    }

    private static List<Row> points(Comparison comparison) {
        List<Column> columns = List.of(
                text("group", "What has coefficients of its own"),
                text("method", ""),
                text("held_out", "How the point was held out"),
                text("point_key", ""),
                number("flows", "", "N"),
                number("load", "", "rho"),
                number("frames", "", "b"),
                number("measured_ns", "ns", ""),
                number("measured_relative_error", "", "Standard error of it, relative"),
                number("predicted_ns", "ns", "Null if the method gave none"),
                number("error", "", "(predicted - measured)/measured"));
        List<Row> rows = new ArrayList<>();
        for (Comparison.Scored s : comparison.methods()) {
            for (HeldOutPoint p : s.evaluation().points()) {
                Conditions at = p.observation().conditions();
                rows.add(row(
                        columns,
                        comparison.group(p.observation()),
                        s.id(),
                        p.kind().id(),
                        p.observation().key(),
                        at.flows(),
                        at.load(),
                        at.frames(),
                        p.observation().value(),
                        p.observation().relativeError(),
                        p.predicted(),
                        p.error()));
            }
        }
        return rows;
    }

    private static List<Row> trust(TrustMap map) {
        List<Column> columns = List.of(
                text("group", "What has coefficients of its own"),
                number("flows", "", "N"),
                number("load", "", "rho"),
                whole("n", "Points"),
                text("best", "The method that is off least"),
                number("best_mape", "", ""),
                text("second", "The next"),
                number("second_mape", "", ""),
                text("closed_form", "The best of those with nothing fitted"),
                number("closed_form_mape", "", ""),
                number("alpha_beta_mape", "", ""),
                number("noise", "", "Standard error of what was measured, relative"));
        List<Row> rows = new ArrayList<>();
        for (TrustMap.Cell c : map.cells()) {
            rows.add(row(
                    columns,
                    c.group(),
                    c.flows(),
                    c.load(),
                    (long) c.n(),
                    c.best(),
                    c.bestError(),
                    c.second(),
                    c.secondError(),
                    c.closedForm(),
                    c.closedFormError(),
                    c.alphaBetaError(),
                    c.noise()));
        }
        return rows;
    }

    private static List<Row> breaks(TrustMap map) {
        List<Column> columns = List.of(
                text("group", "What has coefficients of its own"),
                text("method", ""),
                number("flows", "", "N"),
                number("load", "", "The least rho from which on it is off by more than 10%; null: never"));
        List<Row> rows = new ArrayList<>();
        for (TrustMap.Break b : map.breaks()) {
            rows.add(row(columns, b.group(), b.method(), b.flows(), b.load()));
        }
        return rows;
    }

    private static List<Row> alphaBeta(List<EffectiveAlphaBeta> found) {
        List<Column> columns = List.of(
                text("group", "What has coefficients of its own"),
                number("flows", "", "N"),
                number("load", "", "rho"),
                whole("n", "Points"),
                number("alpha_eff_ns", "ns", "Intercept of T on wire bytes"),
                number("alpha_eff_half_width_ns", "ns", "Of its 95% interval"),
                number("beta_eff_gb_per_s", "gb_per_s", "One over the slope"),
                number("ns_per_byte", "ns", "The slope"),
                number("ns_per_byte_half_width", "ns", "Of its 95% interval"),
                number("idle_alpha_ns", "ns", "The same through T_ab"),
                number("idle_ns_per_byte", "ns", "The same through T_ab"));
        List<Row> rows = new ArrayList<>();
        for (EffectiveAlphaBeta e : found) {
            rows.add(row(
                    columns,
                    e.group(),
                    e.flows(),
                    e.load(),
                    (long) e.n(),
                    e.alphaNs(),
                    e.alphaHalfNs(),
                    e.betaGbPerS(),
                    e.nsPerByte(),
                    e.nsPerByteHalf(),
                    e.idleAlphaNs(),
                    e.idleNsPerByte()));
        }
        return rows;
    }

    private static List<Row> continuity(List<Continuity> found) {
        List<Column> columns = List.of(
                text("group", "What has coefficients of its own"),
                text("method", ""),
                whole("lines", "Pairs of N and message, scanned along rho"),
                whole("jumps", "Found on them"),
                number("least", "", "The smallest, relative to the value below it"),
                number("mean", "", "Of their absolute sizes"),
                number("largest", "", ""),
                number("largest_at", "", "Its rho"),
                number("largest_flows", "", "Its N"),
                number("largest_frames", "", "Its b"),
                number("fall_with_load", "", "Largest relative fall from one load to the next"),
                number("fall_with_flows", "", "Largest relative fall from one N to the next"));
        List<Row> rows = new ArrayList<>();
        for (Continuity c : found) {
            rows.add(row(
                    columns,
                    c.group(),
                    c.method(),
                    (long) c.lines(),
                    (long) c.jumps(),
                    c.least(),
                    c.mean(),
                    c.largest(),
                    c.largestAt(),
                    c.largestFlows(),
                    c.largestFrames(),
                    c.fallWithLoad(),
                    c.fallWithFlows()));
        }
        return rows;
    }

    private static List<Row> farOff(List<Comparison.OffRow> found) {
        List<Column> columns = List.of(
                text("method", "The best of the point's group"),
                text("held_out", "How the point was held out, or why it never enters a fit"),
                text("folder", ""),
                text("run_key", "The first run of the point"),
                number("flows", "", "N"),
                number("load", "", "rho"),
                number("frames", "", "b"),
                number("measured_ns", "ns", ""),
                number("predicted_ns", "ns", ""),
                number("error", "", "(predicted - measured)/measured"));
        List<Row> rows = new ArrayList<>();
        for (Comparison.OffRow r : found) {
            Conditions at = r.observation().conditions();
            rows.add(row(
                    columns,
                    r.method(),
                    r.heldOut(),
                    r.observation().source(),
                    r.observation().key() + "-1",
                    at.flows(),
                    at.load(),
                    at.frames(),
                    r.observation().value(),
                    r.predicted(),
                    r.error()));
        }
        return rows;
    }

    private static List<Row> cost(Comparison comparison) {
        List<Column> columns = List.of(
                text("method", ""),
                number("fit_ns", "ns", "What fitting all groups cost once; depends on the machine"),
                number("predict_ns", "ns", "What one prediction from kept conditions costs; depends on the machine"));
        List<Row> rows = new ArrayList<>();
        for (Comparison.Scored s : comparison.methods()) {
            rows.add(row(columns, s.id(), s.fitNs(), s.predictNs()));
        }
        return rows;
    }
}
