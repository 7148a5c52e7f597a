package io.github.rhosweep.report;

import io.github.rhosweep.fit.TrustMap;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;

/**
 * The model-trust map of one group as SVG: a field for each rho and N, coloured by the method that is off least there, with its error and
 * how many times that of alpha-beta alone is. Written as text: no chart library here colours fields by category and labels them.
 *
 * @param title above the picture
 * @param cells of one group, with a load
 */
public record TrustPicture(String title, List<TrustMap.Cell> cells) {
    private static final int LEFT = 64;
    private static final int TOP = 46;
    private static final int WIDTH = 56;
    private static final int HEIGHT = 34;
    private static final int LEGEND = 20;

    /** Okabe and Ito 2008, lightened so that black text is read on them; the last for all other methods. */
    private static final List<String> COLOURS =
            List.of("#9ecae8", "#f2b48c", "#8fd6bd", "#e6bcd3", "#f6e58d", "#c9c9f0", "#f7cf7a", "#dddddd");

    /** Writes the file, which must not exist. */
    public void write(Path file) throws IOException {
        Files.writeString(file, svg());
    }

    String svg() {
        List<Double> loads = List.copyOf(distinct(TrustMap.Cell::load));
        List<Double> flows = List.copyOf(distinct(TrustMap.Cell::flows));
        Map<String, Integer> wins = wins();
        Map<String, String> colours = colours(wins);
        int bottom = TOP + flows.size() * HEIGHT;
        int height = bottom + 50 + (wins.size() + 1) * LEGEND;
        int width = Math.max(560, LEFT + loads.size() * WIDTH + 20);
        StringBuilder svg = new StringBuilder();
        svg.append(String.format(
                Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\" font-size=\"11\">%n",
                width,
                height));
        svg.append("<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n");
        text(svg, LEFT, 22, "start", 15, title);
        for (int i = 0; i < flows.size(); i++) {
            text(svg, LEFT - 8, bottom - i * HEIGHT - HEIGHT / 2 + 4, "end", 11, "N = " + number(flows.get(i)));
        }
        for (int i = 0; i < loads.size(); i++) {
            text(svg, LEFT + i * WIDTH + WIDTH / 2, bottom + 15, "middle", 11, number(loads.get(i)));
        }
        text(svg, LEFT + loads.size() * WIDTH / 2, bottom + 32, "middle", 12, "rho, in time slots");
        for (TrustMap.Cell cell : cells) {
            int x = LEFT + loads.indexOf(cell.load()) * WIDTH;
            int y = bottom - (flows.indexOf(cell.flows()) + 1) * HEIGHT;
            svg.append(String.format(
                    Locale.ROOT,
                    "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"%s\" stroke=\"white\"><title>%s</title></rect>%n",
                    x,
                    y,
                    WIDTH,
                    HEIGHT,
                    colours.get(cell.best()),
                    escaped(cell.best() + " " + percent(cell.bestError()) + "; next " + cell.second() + " "
                            + percent(cell.secondError()) + "; alpha_beta " + percent(cell.alphaBetaError()))));
            text(svg, x + WIDTH / 2, y + 14, "middle", 11, percent(cell.bestError()));
            double factor = cell.alphaBetaError() / cell.bestError();
            if (factor > 0 && factor < Double.POSITIVE_INFINITY) {
                text(svg, x + WIDTH / 2, y + 28, "middle", 10, "x" + rounded(factor));
            }
        }
        int y = bottom + 56;
        text(
                svg,
                LEFT,
                y,
                "start",
                11,
                "best method (fields): its mean error; xK: alpha-beta alone is off K times as far");
        for (Map.Entry<String, Integer> e : wins.entrySet()) {
            y += LEGEND;
            svg.append(String.format(
                    Locale.ROOT,
                    "<rect x=\"%d\" y=\"%d\" width=\"14\" height=\"14\" fill=\"%s\"/>%n",
                    LEFT,
                    y - 11,
                    colours.get(e.getKey())));
            text(svg, LEFT + 22, y, "start", 11, e.getKey() + " (" + e.getValue() + ")");
        }
        return svg.append("</svg>\n").toString();
    }

    private TreeSet<Double> distinct(java.util.function.ToDoubleFunction<TrustMap.Cell> value) {
        TreeSet<Double> values = new TreeSet<>();
        cells.forEach(c -> values.add(value.applyAsDouble(c)));
        return values;
    }

    /** Methods by fields won, the most first. */
    private Map<String, Integer> wins() {
        Map<String, Integer> counts = new LinkedHashMap<>();
        cells.forEach(c -> counts.merge(c.best(), 1, Integer::sum));
        List<Map.Entry<String, Integer>> entries = new ArrayList<>(counts.entrySet());
        entries.sort(Comparator.comparingInt((Map.Entry<String, Integer> e) -> -e.getValue())
                .thenComparing(Map.Entry::getKey));
        Map<String, Integer> sorted = new LinkedHashMap<>();
        entries.forEach(e -> sorted.put(e.getKey(), e.getValue()));
        return sorted;
    }

    private static Map<String, String> colours(Map<String, Integer> wins) {
        Map<String, String> colours = new LinkedHashMap<>();
        wins.keySet().forEach(m -> colours.put(m, COLOURS.get(Math.min(colours.size(), COLOURS.size() - 1))));
        return colours;
    }

    private static void text(StringBuilder svg, int x, int y, String anchor, int size, String text) {
        svg.append(String.format(
                Locale.ROOT,
                "<text x=\"%d\" y=\"%d\" text-anchor=\"%s\" font-size=\"%d\">%s</text>%n",
                x,
                y,
                anchor,
                size,
                escaped(text)));
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }

    private static String number(double x) {
        return new java.math.BigDecimal(String.valueOf(x)).stripTrailingZeros().toPlainString();
    }

    private static String percent(double x) {
        return Double.isNaN(x) ? "-" : rounded(100 * x) + "%";
    }

    private static String rounded(double x) {
        return String.format(Locale.ROOT, x >= 10 ? "%.0f" : x >= 1 ? "%.1f" : x >= 0.01 ? "%.2f" : "%.3f", x);
    }
}
