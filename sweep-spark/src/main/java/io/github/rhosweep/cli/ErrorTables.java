package io.github.rhosweep.cli;

import io.github.rhosweep.fit.ErrorSummary;
import io.github.rhosweep.fit.Evaluation;
import io.github.rhosweep.fit.HeldOut;
import io.github.rhosweep.fit.Method;
import io.github.rhosweep.fit.Regime;
import io.github.rhosweep.report.TextTable;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/** Held-out errors as a table: one line a method, MAPE in percent by regime for each way of holding out. */
final class ErrorTables {
    private ErrorTables() {}

    static void print(List<Map.Entry<Method, Evaluation>> ranked, PrintWriter out) {
        for (HeldOut kind : HeldOut.values()) {
            TextTable table = new TextTable(
                    "method",
                    ">low",
                    ">transition",
                    ">congested",
                    ">p95 there",
                    ">worst there",
                    ">bias there",
                    ">points");
            boolean any = false;
            for (Map.Entry<Method, Evaluation> e : ranked) {
                Map<String, ErrorSummary> byRegime = e.getValue().errors(o -> true).stream()
                        .filter(s -> s.heldOut().equals(kind.id()))
                        .collect(Collectors.toMap(ErrorSummary::regime, s -> s));
                if (byRegime.isEmpty()) {
                    continue;
                }
                any = true;
                ErrorSummary congested = byRegime.get(Regime.CONGESTED.id());
                ErrorSummary all = Objects.requireNonNull(byRegime.get("all"));
                table.add(
                        e.getKey().id(),
                        mape(byRegime.get(Regime.LOW.id())),
                        mape(byRegime.get(Regime.TRANSITION.id())),
                        mape(congested),
                        congested == null ? "-" : TextTable.percent(congested.p95()),
                        congested == null ? "-" : TextTable.percent(congested.max()),
                        congested == null ? "-" : TextTable.percent(congested.bias()),
                        all.n() + (all.without() > 0 ? " of " + (all.n() + all.without()) : ""));
            }
            if (any) {
                out.println("MAPE at points held out: " + describe(kind));
                table.print(out, "  ");
                out.println();
            }
        }
    }

    static String describe(HeldOut kind) {
        return switch (kind) {
            case RANDOM -> "at random";
            case UNSEEN_LOADS -> "loads that were not fitted to";
            case LARGER_FLOWS -> "more than half of the most flows, fitted to fewer";
            case UNSEEN_SETTING -> "a setting or topology that was not fitted to";
            case ASKED -> "those that --hold-out names";
        };
    }

    private static String mape(@org.jspecify.annotations.Nullable ErrorSummary summary) {
        return summary == null ? "-" : TextTable.percent(summary.mape());
    }

    static List<String> refusals(List<Map.Entry<Method, Evaluation>> ranked) {
        List<String> lines = new ArrayList<>();
        ranked.forEach(
                e -> e.getValue().refusals().forEach(r -> lines.add(e.getKey().id() + ": " + r)));
        return lines;
    }
}
