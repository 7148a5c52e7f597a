package io.github.rhosweep.check;

import io.github.rhosweep.result.Column;
import io.github.rhosweep.result.Row;
import io.github.rhosweep.scenario.Parameter.ColumnType;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What was found about claims, as rows and as a page of Markdown. */
public final class ClaimsReport {
    /** One row a claim. */
    public static final List<Column> COLUMNS = List.of(
            text("id", "Short name of the claim"),
            text("claim", "The statement"),
            text("source", "Where it is made"),
            text("measure", "The value that it is about, as a formula over columns of its points"),
            real("claimed_low", "Least value claimed; null where there is none"),
            real("claimed_high", "Largest value claimed; null where there is none"),
            real("margin", "By which a value may miss these and still count as the same"),
            real("measured", "Mean over replicates; null if it does not exist"),
            real("measured_half_width", "Half-width of its 95% interval; 0 where nothing is random"),
            new Column("n", ColumnType.INT64, "", "Replicates; 1 where nothing is random", ""),
            real("closed_form", "What theory says of the measure; null if nothing in figures"),
            text("theory", "The same in words"),
            text("verdict", "holds, refuted or undecided, by an equivalence test corrected for the number of claims"),
            text("condition", "When the claim holds, or what holds in its place"),
            text("note", "Why there is no value; null if there is one"));

    private ClaimsReport() {}

    private static Column text(String name, String doc) {
        return new Column(name, ColumnType.STRING, "", doc, "");
    }

    private static Column real(String name, String doc) {
        return new Column(name, ColumnType.DOUBLE, "", doc, "");
    }

    /** The row of a claim, of {@link #COLUMNS}. */
    public static Row row(Assessment a) {
        Claim claim = a.claim();
        return new Row(COLUMNS, new @Nullable Object[] {
            claim.id(),
            claim.statement(),
            claim.source(),
            claim.measure().text(),
            finite(claim.low()),
            finite(claim.high()),
            claim.margin(),
            finite(a.mean()),
            finite(a.halfWidth()),
            (long) a.n(),
            finite(a.closedForm()),
            claim.theory(),
            a.verdict().text(),
            claim.condition(),
            a.note().isEmpty() ? null : a.note()
        });
    }

    private static @Nullable Double finite(double value) {
        return Double.isFinite(value) ? Double.valueOf(value) : null;
    }

    /** What is claimed: {@code 0.63 ± 0.05}, {@code 2 .. 5}, {@code >= 1}. */
    public static String claimed(Claim claim) {
        String margin = claim.margin() == 0 ? "" : " ± " + number(claim.margin());
        if (Double.isInfinite(claim.low())) {
            return "<= " + number(claim.high()) + margin;
        }
        if (Double.isInfinite(claim.high())) {
            return ">= " + number(claim.low()) + margin;
        }
        return (claim.low() == claim.high() ? number(claim.low()) : number(claim.low()) + " .. " + number(claim.high()))
                + margin;
    }

    /** What was measured: {@code 0.8752 ± 0.0003}; a value without chance stands alone. */
    public static String measured(Assessment a) {
        return a.n() == 0 ? a.note() : number(a.mean()) + (a.n() == 1 ? "" : " ± " + number(a.halfWidth(), 2));
    }

    /** What theory says in figures; empty if nothing. */
    public static String closedForm(Assessment a) {
        return Double.isFinite(a.closedForm()) ? number(a.closedForm()) : "";
    }

    /** How many claims have each verdict: {@code 30 hold, 40 are refuted, 1 is undecided}. */
    public static String counts(List<Assessment> all) {
        Map<Verdict, Long> counts = all.stream()
                .collect(Collectors.groupingBy(
                        Assessment::verdict, () -> new EnumMap<>(Verdict.class), Collectors.counting()));
        return Arrays.stream(Verdict.values())
                .map(v -> counts.getOrDefault(v, 0L) + " " + v.text())
                .collect(Collectors.joining(", "));
    }

    private static String number(double value) {
        return number(value, 4);
    }

    /** So many significant digits, without an exponent where that can be read. */
    private static String number(double value, int digits) {
        if (value == 0) {
            return "0";
        }
        double size = Math.abs(value);
        if (size >= 1e7 || size < 1e-4) {
            return String.format(Locale.ROOT, "%." + (digits - 1) + "e", value);
        }
        String text = new java.math.BigDecimal(value)
                .round(new java.math.MathContext(Math.max(digits, size >= 1 ? (int) Math.log10(size) + 1 : 1)))
                .stripTrailingZeros()
                .toPlainString();
        return text;
    }

    /**
     * The page.
     *
     * @param all in the order of the file
     * @param pictures by id, the file name of a picture
     */
    public static String markdown(Claims claims, List<Assessment> all, Map<String, String> pictures) {
        StringBuilder page = new StringBuilder();
        page.append("# Claims, measured\n\n")
                .append(
                        "Every statement of the designs that a simulation can test, written by `rhosweep claims --out DIR` from")
                .append(" `configs/claims.yaml`. Measured: mean and\n")
                .append(
                        "half-width of its 95% interval over replicates; a value alone draws no random number. Verdict: two")
                .append(" one-sided tests of equivalence, at 5% for all ")
                .append(claims.list().size())
                .append(
                        " claims\ntogether (Bonferroni): *holds* if the interval lies within what is claimed and its margin,")
                .append(" *refuted* if outside, else *undecided*.\n\n")
                .append(counts(all))
                .append(".\n\n| claim | claimed | measured | theory | verdict |\n|---|---|---|---|---|\n");
        for (Assessment a : all) {
            page.append("| [")
                    .append(cell(a.claim().statement()))
                    .append("](#")
                    .append(a.claim().id())
                    .append(") | ")
                    .append(claimed(a.claim()))
                    .append(" | ")
                    .append(cell(measured(a)))
                    .append(" | ")
                    .append(closedForm(a))
                    .append(" | ")
                    .append(
                            a.verdict() == Verdict.REFUTED
                                    ? "**refuted**"
                                    : a.verdict().text())
                    .append(" |\n");
        }
        page.append("\n## One by one\n");
        for (Assessment a : all) {
            Claim claim = a.claim();
            page.append("\n### ")
                    .append(claim.id())
                    .append("\n\n")
                    .append(claim.statement())
                    .append(" (")
                    .append(claim.source())
                    .append(")\n\n- Measured: `")
                    .append(claim.measure().text())
                    .append("` = ")
                    .append(measured(a))
                    .append(a.n() > 1 ? " (" + a.n() + " replicates)" : "")
                    .append(", claimed ")
                    .append(claimed(claim))
                    .append(": ")
                    .append(a.verdict().text())
                    .append(".\n- Theory: ")
                    .append(claim.theory())
                    .append(closedForm(a).isEmpty() ? "" : " Here " + closedForm(a) + ".")
                    .append("\n- ")
                    .append(claim.condition())
                    .append('\n');
            String picture = pictures.get(claim.id());
            if (picture != null) {
                page.append("\n![")
                        .append(claim.id())
                        .append("](")
                        .append(picture)
                        .append(")\n");
            }
        }
        page.append("\n## What this simulator cannot test\n\n| statement | why |\n|---|---|\n");
        claims.notTestable()
                .forEach((claim, why) -> page.append("| ")
                        .append(cell(claim))
                        .append(" | ")
                        .append(cell(why))
                        .append(" |\n"));
        return page.toString();
    }

    private static String cell(String text) {
        return text.replace("|", "\\|");
    }
}
