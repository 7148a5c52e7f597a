package io.github.rhosweep.report;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Lines of cells in aligned columns: text to the left, numbers to the right. */
public final class TextTable {
    private final boolean[] right;
    private final List<List<String>> lines = new ArrayList<>();

    /** @param heads titles; one that begins with {@code >} heads a column aligned to the right */
    public TextTable(String... heads) {
        right = new boolean[heads.length];
        List<String> titles = new ArrayList<>();
        for (int i = 0; i < heads.length; i++) {
            right[i] = heads[i].startsWith(">");
            titles.add(right[i] ? heads[i].substring(1) : heads[i]);
        }
        lines.add(titles);
    }

    public void add(String... cells) {
        if (cells.length != right.length) {
            throw new IllegalArgumentException(cells.length + " cells for " + right.length + " columns");
        }
        lines.add(List.of(cells));
    }

    /** Whether a column's cells are numbers, aligned to the right. */
    public boolean isNumber(int column) {
        return right[column];
    }

    /** Titles first. */
    public List<List<String>> lines() {
        return Collections.unmodifiableList(lines);
    }

    public void print(PrintWriter out, String indent) {
        int[] widths = new int[right.length];
        for (List<String> line : lines) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], line.get(i).length());
            }
        }
        for (List<String> line : lines) {
            StringBuilder text = new StringBuilder(indent);
            for (int i = 0; i < widths.length; i++) {
                String pad = " ".repeat(widths[i] - line.get(i).length());
                text.append(right[i] ? pad + line.get(i) : line.get(i) + pad).append("  ");
            }
            out.println(text.toString().stripTrailing());
        }
    }

    /** Four significant digits without exponent where that is readable; {@code -} for null. */
    public static String number(@Nullable Double value) {
        if (value == null) {
            return "-";
        }
        double size = Math.abs(value);
        if (value == Math.rint(value) && size < 1e6) {
            return String.format(Locale.ROOT, "%.0f", value);
        }
        if (size >= 1e9 || size < 1e-4) {
            return String.format(Locale.ROOT, "%.3e", value);
        }
        int decimals = Math.max(0, 3 - (int) Math.floor(Math.log10(size)));
        return String.format(Locale.ROOT, "%." + decimals + "f", value);
    }

    /** A fraction in percent; what is left of rounding is no number to read. */
    public static String percent(@Nullable Double fraction) {
        return fraction == null
                ? "-"
                : fraction == 0 ? "0%" : Math.abs(fraction) < 1e-9 ? "~0%" : number(100 * fraction) + "%";
    }
}
