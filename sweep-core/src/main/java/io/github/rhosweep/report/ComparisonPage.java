package io.github.rhosweep.report;

import io.github.rhosweep.fit.Comparison;
import io.github.rhosweep.fit.Continuity;
import io.github.rhosweep.fit.Dataset;
import io.github.rhosweep.fit.DesignTables;
import io.github.rhosweep.fit.EffectiveAlphaBeta;
import io.github.rhosweep.fit.ErrorSummary;
import io.github.rhosweep.fit.Feature;
import io.github.rhosweep.fit.Goal;
import io.github.rhosweep.fit.HeldOut;
import io.github.rhosweep.fit.Observation;
import io.github.rhosweep.fit.Regime;
import io.github.rhosweep.fit.TrustMap;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A comparison as a Markdown page. */
public final class ComparisonPage {
    private static final int MOST_FAR_OFF = 25;
    private static final List<Regime> REGIMES =
            List.of(Regime.LOW, Regime.TRANSITION, Regime.CONGESTED, Regime.NO_LOAD);

    private final Comparison comparison;
    private final Collection<String> pictures;
    private final String command;
    private final List<Comparison.ErrorRow> errors;
    private final StringBuilder page = new StringBuilder();

    private ComparisonPage(Comparison comparison, Collection<String> pictures, String command) {
        this.comparison = comparison;
        this.pictures = pictures;
        this.command = command;
        this.errors = comparison.errors();
    }

    /**
     * The page.
     *
     * @param pictures names of the files beside it
     * @param command how the program is called
     */
    public static String of(Comparison comparison, Collection<String> pictures, String command) {
        return new ComparisonPage(comparison, pictures, command).write();
    }

    private String write() {
        Dataset dataset = comparison.dataset();
        page.append("# How far off each method is: `" + dataset.target().measuredColumn() + "`\n\n");
        page.append(dataset.usable().size() + " points of "
                + String.join(", ", dataset.experiments()) + " (semantics version " + dataset.semanticsVersion()
                + ", data " + dataset.hash().substring(0, 12) + "). Never fitted to: "
                + dataset.lossy().size() + " points that lost messages, " + dataset.unstable()
                + " without a steady state, " + dataset.without() + " without a value.\n\n");
        page.append(
                "Errors are (predicted - measured)/measured at points that were not fitted to: held out at random (a fifth, five"
                        + " times), at loads not fitted to, at more than half of the most senders, at settings not fitted to. Points that"
                        + " share random numbers are held out together. `best` is each group's method with the least error averaged over"
                        + " regimes and the first three ways; as it was chosen by these errors, its own are flattered by what they differ by"
                        + " chance. Intervals are 95%, by bootstrap. Groups: "
                        + comparison.groups().stream().map(g -> "`" + g + "`").collect(Collectors.joining(", "))
                        + ".\n\n");
        headline();
        goals();
        design();
        summaries();
        apart();
        trust();
        effective();
        continuity();
        farOff();
        cost();
        details();
        return page.toString();
    }

    private void heading(String text) {
        page.append("## " + text + "\n\n");
    }

    private void picture(String name, String text) {
        if (pictures.contains(name)) {
            page.append("![" + text + "](" + name + ")\n\n");
        }
    }

    private void table(String head, List<String> lines) {
        long columns = head.chars().filter(c -> c == '|').count() - 1;
        page.append(head + "\n|" + "---|".repeat((int) columns) + "\n");
        lines.forEach(l -> page.append(l).append('\n'));
        page.append('\n');
    }

    private static String line(String... cells) {
        return "| " + String.join(" | ", cells) + " |";
    }

    private @Nullable ErrorSummary find(String pattern, String method, String heldOut, String regime) {
        return errors.stream()
                .filter(e -> e.pattern().equals(pattern)
                        && e.method().equals(method)
                        && e.summary().heldOut().equals(heldOut)
                        && e.summary().regime().equals(regime))
                .map(Comparison.ErrorRow::summary)
                .findFirst()
                .orElse(null);
    }

    private String mape(String pattern, String method, HeldOut kind, Regime regime) {
        ErrorSummary s = find(pattern, method, kind.id(), regime.id());
        return s == null
                ? "-"
                : percent(s.mape()) + (s.without() > 0 ? " (" + s.n() + " of " + (s.n() + s.without()) + ")" : "");
    }

    private void headline() {
        heading("Alpha-beta alone against the best");
        List<String> lines = new ArrayList<>();
        for (String pattern : comparison.patterns()) {
            String best = comparison.best().entrySet().stream()
                    .filter(e -> e.getValue().evaluation().points().stream()
                            .anyMatch(
                                    p -> p.observation().conditions().pattern().equals(pattern)
                                            && group(p.observation()).equals(e.getKey())))
                    .map(e -> e.getValue().id())
                    .distinct()
                    .sorted()
                    .collect(Collectors.joining(", "));
            for (Regime regime : REGIMES) {
                ErrorSummary alphaBeta = find(pattern, "alpha_beta", HeldOut.RANDOM.id(), regime.id());
                ErrorSummary of = find(pattern, Comparison.BEST, HeldOut.RANDOM.id(), regime.id());
                if (of != null) {
                    Double noise = comparison.noise(pattern).get(regime);
                    lines.add(line(
                            pattern,
                            regime.id(),
                            String.valueOf(of.n()),
                            alphaBeta == null ? "-" : percent(alphaBeta.mape()),
                            percent(of.mape()) + interval(of),
                            best,
                            percent(noise)));
                }
            }
        }
        table("| pattern | regime | points | alpha_beta | best | which | standard error of the measured |", lines);
        comparison.patterns().forEach(p -> picture("errors-" + p + ".svg", "Errors against load, " + p));
        comparison.patterns().forEach(p -> picture("sizes-" + p + ".svg", "Errors against size, " + p));
    }

    private String group(Observation o) {
        return comparison.group(o);
    }

    private void goals() {
        List<Goal.Verdict> verdicts = comparison.goals();
        if (verdicts.isEmpty()) {
            return;
        }
        heading("What this project set itself");
        List<String> lines = new ArrayList<>();
        for (Goal.Verdict v : verdicts) {
            ErrorSummary s = v.measured();
            Double mape = s == null ? null : s.mape();
            lines.add(line(
                    v.goal().pattern(),
                    v.goal().heldOut(),
                    v.goal().regime(),
                    percent(v.goal().most()),
                    s == null ? "no such point" : percent(mape) + interval(s),
                    v.met()
                            ? "met"
                            : mape == null
                                    ? "not measured"
                                    : "missed by " + percent(mape - v.goal().most())));
        }
        table("| pattern | held out | regime | at most | best | |", lines);
    }

    private void design() {
        heading("Beside what the design expects");
        List<String> within = comparison.patterns();
        String heads = within.stream().map(p -> " " + p + " |").collect(Collectors.joining());
        page.append(
                "Its comparison of methods: error at low load (rho < .3) and at high load (rho >= .7), measured at points held"
                        + " out at random.\n\n");
        List<String> lines = new ArrayList<>();
        for (DesignTables.MethodRow row : DesignTables.methods()) {
            boolean first = true;
            for (String id : known(row.measuredBy())) {
                StringBuilder cells = new StringBuilder("| " + (first ? row.method() : "") + " | "
                        + (first ? row.low() : "") + " | " + (first ? row.high() : "") + " | `" + id + "` |");
                within.forEach(p -> cells.append(" " + mape(p, id, HeldOut.RANDOM, Regime.LOW) + " / "
                        + mape(p, id, HeldOut.RANDOM, Regime.CONGESTED) + " |"));
                lines.add(cells.toString());
                first = false;
            }
        }
        table("| method | low | high | measured by |" + heads, lines);
        page.append("Its decision tree:\n\n");
        lines.clear();
        for (DesignTables.BranchRow row : DesignTables.branches()) {
            for (String id : known(row.measuredBy())) {
                lines.add("| " + row.regime().id() + " | " + row.model() + " | " + row.expected() + " | `" + id + "` |"
                        + within.stream()
                                .map(p -> " " + mape(p, id, HeldOut.RANDOM, row.regime()) + " |")
                                .collect(Collectors.joining()));
            }
        }
        table("| load | formula | expected | measured by |" + heads, lines);
        page.append("Its limits, all regimes together, and its speeds beside the cost of one prediction here:\n\n");
        lines.clear();
        for (DesignTables.LimitRow row : DesignTables.limits()) {
            if (row.measuredBy().isEmpty()) {
                lines.add("| " + row.method() + " | " + row.expected() + " | " + row.speed() + " | the reference |"
                        + within.stream().map(p -> " - |").collect(Collectors.joining()) + " |");
            }
            for (String id : known(row.measuredBy())) {
                lines.add("| " + row.method() + " | " + row.expected() + " | " + row.speed() + " | `" + id + "` |"
                        + within.stream()
                                .map(p -> {
                                    ErrorSummary s = find(p, id, HeldOut.RANDOM.id(), "all");
                                    return " " + (s == null ? "-" : percent(s.mape())) + " |";
                                })
                                .collect(Collectors.joining())
                        + " " + nanos(scored(id).predictNs()) + " |");
            }
        }
        table("| method | expected | speed | measured by |" + heads + " one prediction |", lines);
    }

    private List<String> known(List<String> ids) {
        return ids.stream()
                .filter(id -> comparison.methods().stream().anyMatch(s -> s.id().equals(id)))
                .toList();
    }

    private Comparison.Scored scored(String id) {
        return comparison.methods().stream()
                .filter(s -> s.id().equals(id))
                .findFirst()
                .orElseThrow();
    }

    private void summaries() {
        heading("All methods");
        for (String pattern : comparison.patterns()) {
            for (HeldOut kind : HeldOut.values()) {
                List<Regime> regimes = REGIMES.stream()
                        .filter(r -> errors.stream()
                                .anyMatch(e -> e.pattern().equals(pattern)
                                        && e.summary().heldOut().equals(kind.id())
                                        && e.summary().regime().equals(r.id())))
                        .toList();
                if (regimes.isEmpty()) {
                    continue;
                }
                page.append("MAPE, " + pattern + ", held out: " + kind.id() + "\n\n");
                List<String> ids = new ArrayList<>(List.of(Comparison.BEST));
                comparison.methods().forEach(s -> ids.add(s.id()));
                List<String> lines = new ArrayList<>();
                for (String id : ids) {
                    ErrorSummary all = find(pattern, id, kind.id(), "all");
                    if (all != null && all.n() > 0) {
                        lines.add("| `" + id + "` |"
                                + regimes.stream()
                                        .map(r -> " " + mape(pattern, id, kind, r) + " |")
                                        .collect(Collectors.joining())
                                + " " + percent(all.p95()) + " | " + percent(all.max()) + " | " + signed(all.bias())
                                + " | "
                                + all.n() + " |");
                    }
                }
                table(
                        "| method |"
                                + regimes.stream().map(r -> " " + r.id() + " |").collect(Collectors.joining())
                                + " p95 | max | bias | points |",
                        lines);
            }
        }
    }

    private void apart() {
        List<Comparison.ErrorRow> rows = errors.stream()
                .filter(e -> !e.pattern().equals("all")
                        && e.summary().regime().equals("all")
                        && e.summary().n() > 0
                        && List.of(Comparison.LOSSY, Comparison.UNSTABLE)
                                .contains(e.summary().heldOut()))
                .toList();
        if (comparison.dataset().lossy().isEmpty() && comparison.dataset().unstable() == 0) {
            return;
        }
        heading("Points that never enter a fit");
        page.append(
                "Latencies of points that lost messages are those of the survivors, which fall as losses rise; a point without a"
                        + " steady state has no mean latency, only its length. Models fitted to all other points, asked about these:\n\n");
        List<String> lines = new ArrayList<>();
        for (Comparison.ErrorRow e : rows) {
            ErrorSummary s = e.summary();
            lines.add(line(
                    e.pattern(),
                    s.heldOut(),
                    "`" + e.method() + "`",
                    percent(s.mape()) + interval(s),
                    percent(s.p95()),
                    percent(s.max()),
                    signed(s.bias()),
                    s.n() + (s.without() > 0 ? " of " + (s.n() + s.without()) : "")));
        }
        if (!lines.isEmpty()) {
            table("| pattern | points | method | MAPE | p95 | max | bias | n |", lines);
        }
    }

    private void trust() {
        TrustMap map = comparison.trustMap();
        heading("Which method to trust where");
        page.append(
                "Fields of N and rho by the method that is off least at points held out at random there. Closer than the standard"
                        + " error of what was measured, methods cannot be told apart.\n\n");
        for (String group : comparison.groups()) {
            picture("trust-" + group.replace(' ', '-').replace("=", "-") + ".svg", "Model-trust map, " + group);
            Map<String, List<TrustMap.Cell>> byBest = map.cells().stream()
                    .filter(c -> c.group().equals(group))
                    .collect(Collectors.groupingBy(TrustMap.Cell::best, TreeMap::new, Collectors.toList()));
            List<Map.Entry<String, List<TrustMap.Cell>>> ranked = new ArrayList<>(byBest.entrySet());
            ranked.sort(Comparator.comparingInt(e -> -e.getValue().size()));
            List<String> lines = new ArrayList<>();
            for (Map.Entry<String, List<TrustMap.Cell>> e : ranked) {
                List<TrustMap.Cell> cells = e.getValue();
                lines.add(line(
                        "`" + e.getKey() + "`",
                        String.valueOf(cells.size()),
                        percent(mean(cells, TrustMap.Cell::bestError)),
                        percent(mean(cells, TrustMap.Cell::secondError)),
                        percent(mean(cells, TrustMap.Cell::closedFormError)),
                        percent(mean(cells, TrustMap.Cell::alphaBetaError)),
                        percent(mean(cells, TrustMap.Cell::noise))));
            }
            page.append("`" + group + "`\n\n");
            table("| best | fields | its error | the next | best with nothing fitted | alpha_beta | noise |", lines);
        }
        page.append(
                "Where a method breaks: the least rho from which on it is off by more than 10% on average, by N; `-`: nowhere"
                        + " up to the highest load measured.\n\n");
        for (String group : comparison.groups()) {
            List<TrustMap.Break> of =
                    map.breaks().stream().filter(b -> b.group().equals(group)).toList();
            List<Double> flows =
                    of.stream().map(TrustMap.Break::flows).distinct().sorted().toList();
            Map<String, Map<Double, String>> byMethod = new LinkedHashMap<>();
            comparison
                    .methods()
                    .forEach(s -> of.stream()
                            .filter(b -> b.method().equals(s.id()))
                            .forEach(b -> byMethod.computeIfAbsent(s.id(), k -> new TreeMap<>())
                                    .put(b.flows(), b.load() == null ? "-" : number(b.load()))));
            List<String> lines = new ArrayList<>();
            byMethod.forEach((method, at) -> lines.add("| `" + method + "` |"
                    + flows.stream()
                            .map(n -> " " + at.getOrDefault(n, "") + " |")
                            .collect(Collectors.joining())));
            if (!lines.isEmpty()) {
                table(
                        "| `" + group + "` |"
                                + flows.stream()
                                        .map(n -> " N = " + number(n) + " |")
                                        .collect(Collectors.joining()),
                        lines);
            }
        }
    }

    private static double mean(List<TrustMap.Cell> cells, java.util.function.ToDoubleFunction<TrustMap.Cell> value) {
        return cells.stream().mapToDouble(value).average().orElse(Double.NaN);
    }

    private void effective() {
        List<EffectiveAlphaBeta> found = comparison.effectiveAlphaBeta();
        if (found.isEmpty()) {
            return;
        }
        heading("What congestion makes of alpha and beta");
        page.append(
                "T regressed on wire bytes M at each N and rho, over at least three sizes. The design says that congestion adds"
                        + " to alpha only; the slope ratio beta/beta_eff says what it adds to 1/beta (processor sharing: 1/(1-rho))."
                        + " All N and rho are in `alpha_beta.csv`; here the fewest and most senders.\n\n");
        for (String group : comparison.groups()) {
            String file = group.replace(' ', '-').replace("=", "-") + ".svg";
            picture("alpha-" + file, "alpha_eff against load, " + group);
            picture("beta-" + file, "Slope of T in M against load, " + group);
            List<EffectiveAlphaBeta> of =
                    found.stream().filter(e -> e.group().equals(group)).toList();
            double few =
                    of.stream().mapToDouble(EffectiveAlphaBeta::flows).min().orElse(Double.NaN);
            double most =
                    of.stream().mapToDouble(EffectiveAlphaBeta::flows).max().orElse(Double.NaN);
            List<String> lines = new ArrayList<>();
            for (EffectiveAlphaBeta e : of) {
                if (e.flows() == few || e.flows() == most) {
                    lines.add(line(
                            number(e.flows()),
                            number(e.load()),
                            digits(e.alphaNs()) + " +- " + digits(e.alphaHalfNs()),
                            digits(e.idleAlphaNs()),
                            digits(e.slopeRatio()) + " +- " + digits(e.nsPerByteHalf() / e.idleNsPerByte()),
                            digits(1 / (1 - e.load())),
                            digits(e.betaGbPerS())));
                }
            }
            if (!lines.isEmpty()) {
                page.append("`" + group + "`\n\n");
                table(
                        "| N | rho | alpha_eff, ns | idle alpha, ns | beta/beta_eff | 1/(1-rho) | beta_eff, GB/s |",
                        lines);
            }
        }
    }

    private void continuity() {
        List<Continuity> found = comparison.continuity();
        if (found.isEmpty()) {
            return;
        }
        heading("Jumps and falls");
        page.append(
                "Each method scanned along rho at every N and message measured. A jump is what remains of a step that is halved"
                        + " until it is 1e-9 wide; falls are those of T with more load, or with more senders, which no congestion makes.\n\n");
        List<String> lines = new ArrayList<>();
        for (Continuity c : found) {
            boolean quiet = c.jumps() == 0 && c.fallWithLoad() < 1e-3 && c.fallWithFlows() < 1e-3;
            if (!quiet || c.method().startsWith("segmented")) {
                lines.add(line(
                        "`" + c.group() + "`",
                        "`" + c.method() + "`",
                        c.jumps() + " on " + c.lines() + " lines",
                        signed(c.least()),
                        percent(c.mean()),
                        c.largest() == null
                                ? "-"
                                : signed(c.largest()) + " at rho " + digits(c.largestAt()) + ", N = "
                                        + digits(c.largestFlows()) + ", b = " + digits(c.largestFrames()),
                        percent(c.fallWithLoad()),
                        percent(c.fallWithFlows())));
            }
        }
        table(
                "| group | method | jumps | least | mean size | largest | falls with load by | falls with senders by |",
                lines);
        page.append("Methods that are not listed neither jump nor fall by more than 0.1%.\n\n");
    }

    private void farOff() {
        List<Comparison.OffRow> rows = comparison.farOff();
        heading("Rows where the best is off by more than 30%");
        if (rows.isEmpty()) {
            page.append("None.\n\n");
            return;
        }
        page.append(rows.size() + " in `far_off.csv`; the worst, with the line that takes one apart:\n\n");
        List<String> lines = new ArrayList<>();
        for (Comparison.OffRow r : rows.subList(0, Math.min(MOST_FAR_OFF, rows.size()))) {
            Observation o = r.observation();
            lines.add(line(
                    r.heldOut(),
                    "`" + r.method() + "`",
                    o.conditions().pattern(),
                    number(o.conditions().get(Feature.FLOWS)),
                    number(o.conditions().get(Feature.LOAD)),
                    number(o.conditions().get(Feature.FRAMES)),
                    digits(o.value()),
                    digits(r.predicted()),
                    signed(r.error()),
                    "`" + command + " explain " + o.source() + " --run " + o.key() + "-1`"));
        }
        table("| held out | method | pattern | N | rho | b | measured, ns | predicted, ns | error | |", lines);
    }

    private void cost() {
        heading("What methods cost");
        page.append(
                "On the machine that wrote this page, in a simple loop over kept conditions: the two columns that are not"
                        + " reproduced bit for bit.\n\n");
        List<String> lines = new ArrayList<>();
        for (Comparison.Scored s : comparison.methods()) {
            lines.add(line(
                    "`" + s.id() + "`",
                    s.method().fits()
                            ? nanos(s.fitNs())
                            : s.fitNs() > 0 ? nanos(s.fitNs()) + " of CPU, trained before" : "nothing fitted",
                    nanos(s.predictNs()),
                    s.refusals().isEmpty()
                            ? ""
                            : s.refusals().entrySet().stream()
                                    .map(e -> e.getKey() + ": " + e.getValue())
                                    .findFirst()
                                    .orElse("")));
        }
        table("| method | fit | one prediction | not fitted, the first of the reasons |", lines);
    }

    private void details() {
        heading("Errors in full");
        for (String pattern : comparison.patterns()) {
            for (HeldOut kind : HeldOut.values()) {
                Predicate<Comparison.ErrorRow> here = e -> e.pattern().equals(pattern)
                        && e.summary().heldOut().equals(kind.id())
                        && e.summary().n() > 0;
                List<String> lines = errors.stream()
                        .filter(here)
                        .map(e -> {
                            ErrorSummary s = e.summary();
                            return line(
                                    "`" + e.method() + "`",
                                    s.regime(),
                                    String.valueOf(s.n()),
                                    String.valueOf(s.without()),
                                    percent(s.mape()) + interval(s),
                                    percent(s.median()),
                                    percent(s.p95()),
                                    percent(s.max()),
                                    signed(s.bias()));
                        })
                        .toList();
                if (!lines.isEmpty()) {
                    page.append("<details><summary>" + pattern + ", held out: " + kind.id() + "</summary>\n\n");
                    table("| method | regime | n | without | MAPE | median | p95 | max | bias |", lines);
                    page.append("</details>\n\n");
                }
            }
        }
    }

    private static String interval(ErrorSummary s) {
        Double low = s.mapeLow();
        Double high = s.mapeHigh();
        return low == null || high == null ? "" : " [" + bare(100 * low) + ", " + bare(100 * high) + "]";
    }

    private static String percent(@Nullable Double fraction) {
        return fraction == null || fraction.isNaN() ? "-" : bare(100 * fraction) + "%";
    }

    private static String signed(@Nullable Double fraction) {
        return fraction == null || fraction.isNaN() ? "-" : (fraction > 0 ? "+" : "") + bare(100 * fraction) + "%";
    }

    private static String bare(double x) {
        double size = Math.abs(x);
        return String.format(
                Locale.ROOT, size >= 100 ? "%.0f" : size >= 10 ? "%.1f" : size >= 0.1 ? "%.2f" : "%.3f", x);
    }

    private static String digits(@Nullable Double x) {
        return x == null || x.isNaN() ? "-" : Math.abs(x) >= 1000 ? String.format(Locale.ROOT, "%.0f", x) : bare(x);
    }

    private static String number(double x) {
        return Double.isNaN(x)
                ? "-"
                : new java.math.BigDecimal(String.valueOf(x))
                        .stripTrailingZeros()
                        .toPlainString();
    }

    private static String nanos(double ns) {
        if (Double.isNaN(ns)) {
            return "-";
        }
        String[] units = {"ns", "us", "ms", "s"};
        double value = ns;
        int unit = 0;
        while (unit < 3 && value >= 1000) {
            value /= 1000;
            unit++;
        }
        return String.format(Locale.ROOT, "%.3g %s", value, units[unit]);
    }
}
