package io.github.rhosweep.report;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.VectorGraphicsEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.lines.SeriesLines;
import org.knowm.xchart.style.markers.Marker;
import org.knowm.xchart.style.markers.SeriesMarkers;

/**
 * Curves over a common x axis, with intervals as error bars.
 *
 * @param title above the picture
 * @param xLabel with its unit
 * @param yLabel with its unit
 * @param logX whether the x axis is logarithmic
 * @param logY whether the y axis is logarithmic
 * @param curves at least one
 */
public record LinePlot(String title, String xLabel, String yLabel, boolean logX, boolean logY, List<Curve> curves) {
    private static final int WIDTH = 900;
    private static final int HEIGHT = 540;
    private static final int PNG_DPI = 150;

    /** Okabe and Ito 2008: told apart by colour-blind readers; markers and dashes tell them apart in grey. */
    private static final List<Color> COLOURS = List.of(
            new Color(0x0072B2),
            new Color(0xD55E00),
            new Color(0x009E73),
            new Color(0xCC79A7),
            new Color(0x56B4E9),
            new Color(0xE69F00),
            new Color(0x000000));

    private static final List<Marker> MARKERS = List.of(
            SeriesMarkers.CIRCLE,
            SeriesMarkers.SQUARE,
            SeriesMarkers.TRIANGLE_UP,
            SeriesMarkers.DIAMOND,
            SeriesMarkers.TRIANGLE_DOWN,
            SeriesMarkers.CROSS);

    private static final List<BasicStroke> STROKES =
            List.of(SeriesLines.SOLID, SeriesLines.DASH_DASH, SeriesLines.DOT_DOT, SeriesLines.DASH_DOT);

    /** The kinds of picture. */
    public enum Format {
        SVG,
        PNG;

        /**
         * The kind that a file's name asks for.
         *
         * @throws IllegalArgumentException if it ends in neither .svg nor .png
         */
        public static Format of(Path file) {
            String name = file.toString().toLowerCase(Locale.ROOT);
            if (name.endsWith(".svg")) {
                return SVG;
            }
            if (name.endsWith(".png")) {
                return PNG;
            }
            throw new IllegalArgumentException(file + ": found a name that ends in neither .svg nor .png");
        }
    }

    /**
     * Draws it into a file, which is complete or not there.
     *
     * @throws IOException if the file cannot be written
     */
    public void write(Path file) throws IOException {
        Format format = Format.of(file);
        WholeFile.write(file, "." + format.name().toLowerCase(Locale.ROOT), temporary -> {
            if (format == Format.SVG) {
                VectorGraphicsEncoder.saveVectorGraphic(
                        chart(), temporary.toString(), VectorGraphicsEncoder.VectorGraphicsFormat.SVG);
                // XChart draws letters as outlines with up to ten decimals; a hundredth of a pixel is plenty.
                Files.writeString(temporary, Files.readString(temporary).replaceAll("(\\d\\.\\d\\d)\\d+", "$1"));
            } else {
                BitmapEncoder.saveBitmapWithDPI(chart(), temporary.toString(), BitmapEncoder.BitmapFormat.PNG, PNG_DPI);
            }
        });
    }

    private XYChart chart() {
        XYChart chart = new XYChartBuilder()
                .width(WIDTH)
                .height(HEIGHT)
                .title(title)
                .xAxisTitle(xLabel)
                .yAxisTitle(yLabel)
                .build();
        chart.getStyler()
                .setXAxisLogarithmic(logX)
                .setYAxisLogarithmic(logY)
                .setAxisTitleFont(new Font(Font.SANS_SERIF, Font.PLAIN, 14))
                .setAxisTickLabelsFont(new Font(Font.SANS_SERIF, Font.PLAIN, 12))
                .setErrorBarsColorSeriesColor(true)
                .setPlotGridLinesColor(new Color(0xDDDDDD))
                .setChartTitleFont(new Font(Font.SANS_SERIF, Font.BOLD, 15))
                .setLegendFont(new Font(Font.SANS_SERIF, Font.PLAIN, 12))
                .setLegendPosition(Styler.LegendPosition.OutsideE)
                .setLegendBorderColor(Color.WHITE)
                .setPlotBorderVisible(false)
                .setChartBackgroundColor(Color.WHITE);
        for (int i = 0; i < curves.size(); i++) {
            Curve curve = curves.get(i);
            double[] x = curve.points().stream().mapToDouble(Curve.Point::x).toArray();
            double[] y = curve.points().stream().mapToDouble(Curve.Point::y).toArray();
            double[] bars =
                    curve.points().stream().mapToDouble(Curve.Point::halfWidth).toArray();
            XYSeries series = chart.addSeries(curve.name(), x, y, bars);
            series.setLineColor(COLOURS.get(i % COLOURS.size()));
            series.setMarkerColor(COLOURS.get(i % COLOURS.size()));
            series.setMarker(MARKERS.get(i % MARKERS.size()));
            series.setLineStyle(STROKES.get(i / COLOURS.size() % STROKES.size()));
        }
        return chart;
    }
}
