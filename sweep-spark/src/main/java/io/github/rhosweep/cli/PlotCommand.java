package io.github.rhosweep.cli;

import io.github.rhosweep.design.Where;
import io.github.rhosweep.report.Curve;
import io.github.rhosweep.report.Json;
import io.github.rhosweep.report.LinePlot;
import io.github.rhosweep.result.Column;
import io.github.rhosweep.result.Row;
import io.github.rhosweep.run.Tables;
import io.github.rhosweep.scenario.InvalidValueException;
import io.github.rhosweep.scenario.NearestName;
import io.github.rhosweep.scenario.Parameter;
import io.github.rhosweep.scenario.Parameter.ColumnType;
import io.github.rhosweep.scenario.Parameters;
import io.github.rhosweep.scenario.Params;
import io.github.rhosweep.store.Location;
import io.github.rhosweep.store.ResultsFolder;
import io.github.rhosweep.store.Table;
import io.github.rhosweep.summary.PointRows;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code plot}: curves from a results folder, for people without Python. */
@Command(
        name = "plot",
        mixinStandardHelpOptions = true,
        description = {
            "Draws one column of the points against another, one curve for each value of a third.",
            "%nNames are columns (traffic_load) or parameters (traffic.load). Points that agree on --x and --by are "
                    + "averaged, and what differs among them is said."
        },
        footerHeading = "%nExample:%n",
        footer = {
            "  ${ROOT-COMMAND-NAME} plot out/quickstart --x traffic.load --y message_latency_mean_ns --by traffic.flows \\",
            "      --where \"traffic.arrivals = poisson and switch.buffer_capacity_bytes = 16 MiB\" -o curves.svg"
        })
final class PlotCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @SuppressWarnings("NullAway.Init") // required
    @picocli.CommandLine.Parameters(paramLabel = "DIR", description = "A results folder.")
    private Location dir;

    @SuppressWarnings("NullAway.Init") // required
    @Option(names = "--x", required = true, paramLabel = "NAME", description = "The horizontal axis, a number.")
    private String x;

    @SuppressWarnings("NullAway.Init") // required
    @Option(names = "--y", required = true, paramLabel = "NAME", description = "The vertical axis, a number.")
    private String y;

    @Option(names = "--by", paramLabel = "NAME", description = "One curve for each of its values.")
    private @Nullable String by;

    @Option(
            names = "--where",
            paramLabel = "CONDITION",
            description = "Only points that meet it; the language of an experiment's `where`.")
    private @Nullable String where;

    @Option(names = "--log-x", description = "Logarithmic horizontal axis.")
    private boolean logX;

    @Option(names = "--log-y", description = "Logarithmic vertical axis.")
    private boolean logY;

    @Option(names = "--title", paramLabel = "TEXT", description = "Instead of the experiment's name.")
    private @Nullable String title;

    @SuppressWarnings("NullAway.Init") // required
    @Option(
            names = {"-o", "--out"},
            required = true,
            paramLabel = "FILE",
            description = "The picture: a .svg or .png file.")
    private Path out;

    @Option(names = "--json", description = "Print one JSON object: the file, and the curves that were drawn.")
    private boolean json;

    @Override
    public Integer call() throws IOException {
        try {
            LinePlot.Format.of(out);
        } catch (IllegalArgumentException bad) {
            throw new InvalidValueException("--out " + bad.getMessage());
        }
        Path folderOfPicture = out.toAbsolutePath().getParent();
        if (folderOfPicture == null || !Files.isDirectory(folderOfPicture)) {
            throw new InvalidValueException("--out " + out + ": there is no folder " + folderOfPicture);
        }
        ResultsFolder folder = ResultsFolder.existing(dir);
        List<Column> known = folder.columns(Table.POINTS);
        Column xColumn = number(known, "--x", x);
        Column yColumn = number(known, "--y", y);
        Column byColumn = by == null ? null : column(known, "--by", by);
        Column barColumn = halfWidthOf(yColumn, known);

        Groups groups = new Groups();
        Predicate<Params> wanted = where == null ? p -> true : condition(where);
        PointRows.read(folder, known, row -> {
            if (row.get(xColumn.name()) != null && row.get(yColumn.name()) != null && wanted.test(params(row))) {
                groups.add(row, byColumn, xColumn, yColumn, barColumn);
            }
        });
        if (groups.isEmpty()) {
            throw new InvalidValueException("no point has both " + xColumn.name() + " and " + yColumn.name()
                    + (where == null ? "" : " where " + where));
        }
        String mixed = groups.mixedParameters(xColumn, byColumn);
        if (!mixed.isEmpty()) {
            spec.commandLine().getErr().println("averaged over " + mixed + ". Maybe fix some of them by --where");
        }
        List<Curve> curves = groups.curves(byColumn);
        new LinePlot(title == null ? groups.sweep() : title, label(xColumn), label(yColumn), logX, logY, curves)
                .write(out);
        if (json) {
            Map<String, Object> object = new LinkedHashMap<>();
            object.put("file", out.toString());
            object.put("points", groups.points());
            object.put("averaged_over", mixed);
            object.put("curves", curves);
            spec.commandLine().getOut().println(Json.of(object));
        } else {
            spec.commandLine()
                    .getOut()
                    .println(out + ": " + curves.size() + (curves.size() == 1 ? " curve, " : " curves, ")
                            + groups.points() + " points");
        }
        return 0;
    }

    private Predicate<Params> condition(String text) {
        try {
            return Where.condition(text);
        } catch (InvalidValueException bad) {
            throw new InvalidValueException("--where: " + bad.getMessage());
        }
    }

    /** The parameters of a stored point; those that did not apply are null in its row. */
    private static Params params(Row row) {
        return new Params(path -> {
            Parameter<?> parameter = Parameters.named(path);
            return parameter.ofColumn(row.get(parameter.column()));
        });
    }

    private static Column number(List<Column> known, String option, String name) {
        Column column = column(known, option, name);
        if (column.type() != ColumnType.DOUBLE && column.type() != ColumnType.INT64) {
            throw new InvalidValueException(option + " " + name + ": found a column of "
                    + column.type().name().toLowerCase(java.util.Locale.ROOT) + ", expected a number");
        }
        return column;
    }

    private static Column column(List<Column> known, String option, String name) {
        String wanted = Parameters.isKnown(name) ? Parameters.named(name).column() : name;
        return known.stream().filter(c -> c.name().equals(wanted)).findFirst().orElseThrow(() -> {
            List<String> names =
                    new ArrayList<>(known.stream().map(Column::name).toList());
            Parameters.all().forEach(p -> names.add(p.path()));
            return new InvalidValueException(option + " " + name + ": unknown column" + NearestName.advice(name, names)
                    + " (`rhosweep columns` lists them)");
        });
    }

    /** The interval of a column stands in one of its own beside it. */
    private static @Nullable Column halfWidthOf(Column y, List<Column> known) {
        String name = Tables.halfWidthName(y);
        return known.stream().filter(c -> c.name().equals(name)).findFirst().orElse(null);
    }

    private static String label(Column column) {
        return column.unit().isEmpty() || column.name().endsWith(column.unit())
                ? column.name()
                : column.name() + " [" + column.unit() + "]";
    }

    /** Points by curve and x. */
    private static final class Groups {
        private final Map<Object, TreeMap<Double, List<double[]>>> curves =
                new TreeMap<>(Comparator.<Object, Boolean>comparing(v -> v instanceof Number)
                        .thenComparing((a, b) -> a instanceof Number m && b instanceof Number n
                                ? Double.compare(m.doubleValue(), n.doubleValue())
                                : a.toString().compareTo(b.toString())));
        private final Map<String, Set<Object>> seen = new TreeMap<>();
        private int points;
        private String sweep = "";

        void add(Row row, @Nullable Column by, Column x, Column y, @Nullable Column bar) {
            Object key = by == null ? "" : row.get(by.name());
            Object halfWidth = bar == null ? null : row.get(bar.name());
            curves.computeIfAbsent(key == null ? "none" : key, k -> new TreeMap<>())
                    .computeIfAbsent(value(row, x), k -> new ArrayList<>())
                    .add(new double[] {value(row, y), halfWidth instanceof Double d ? d : 0});
            for (Parameter<?> parameter : Parameters.all()) {
                Object value = row.get(parameter.column());
                seen.computeIfAbsent(parameter.column(), k -> new LinkedHashSet<>())
                        .add(value == null ? "none" : value);
            }
            points++;
            sweep = String.valueOf(row.get("sweep"));
        }

        private static double value(Row row, Column column) {
            return row.get(column.name()) instanceof Number n ? n.doubleValue() : 0;
        }

        boolean isEmpty() {
            return points == 0;
        }

        int points() {
            return points;
        }

        /** The experiment that the last of them came from. */
        String sweep() {
            return sweep;
        }

        /** What differs among points that are averaged; empty if each stands alone. */
        String mixedParameters(Column x, @Nullable Column by) {
            boolean alone =
                    curves.values().stream().flatMap(c -> c.values().stream()).allMatch(p -> p.size() == 1);
            if (alone) {
                return "";
            }
            Set<String> mixed = new TreeSet<>();
            seen.forEach((column, values) -> {
                if (values.size() > 1 && !column.equals(x.name()) && (by == null || !column.equals(by.name()))) {
                    mixed.add(column + " (" + values.size() + " values)");
                }
            });
            return String.join(", ", mixed);
        }

        /** An interval is drawn where a point stands alone; of an average over different points none is known. */
        List<Curve> curves(@Nullable Column by) {
            List<Curve> drawn = new ArrayList<>();
            curves.forEach((key, xs) -> {
                List<Curve.Point> line = new ArrayList<>();
                xs.forEach((x, ys) -> line.add(new Curve.Point(
                        x,
                        ys.stream().mapToDouble(y -> y[0]).average().orElseThrow(),
                        ys.size() == 1 ? ys.get(0)[1] : 0)));
                drawn.add(new Curve(by == null ? "all points" : by.name() + " = " + key, line));
            });
            return drawn;
        }
    }
}
