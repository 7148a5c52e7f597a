package io.github.rhosweep.summary;

import io.github.rhosweep.design.Block;
import io.github.rhosweep.design.DesignPoint;
import io.github.rhosweep.design.ExperimentSpec;
import io.github.rhosweep.design.Identity;
import io.github.rhosweep.report.Cube;
import io.github.rhosweep.report.HtmlReport;
import io.github.rhosweep.report.HtmlReport.Cell;
import io.github.rhosweep.report.HtmlReport.Chart;
import io.github.rhosweep.report.HtmlReport.Command;
import io.github.rhosweep.report.HtmlReport.Head;
import io.github.rhosweep.report.HtmlReport.Kind;
import io.github.rhosweep.report.HtmlReport.Line;
import io.github.rhosweep.report.HtmlReport.Listing;
import io.github.rhosweep.report.HtmlReport.Section;
import io.github.rhosweep.report.Json;
import io.github.rhosweep.report.TextTable;
import io.github.rhosweep.store.Manifest;
import io.github.rhosweep.store.ResultsFolder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/**
 * The report of a folder: what {@link Summary} tells, the same points as curves and cells, how far models are off, where to look
 * closer, and where it all came from. Rows are read one by one; a few numbers a point are held, and fewer are drawn.
 */
public final class Pages {
    private static final int MOST_BLOCKS = 20;
    private static final int MOST_EXTREMES = 5;

    private final ExperimentSpec experiment;
    private final ResultsFolder folder;
    private final UnaryOperator<String> explain;
    private final Map<String, Measured> measured = new LinkedHashMap<>();
    private final Map<String, String> places = new HashMap<>();
    private final Map<Block, Grid> grids = new LinkedHashMap<>();

    private Pages(ExperimentSpec experiment, ResultsFolder folder, UnaryOperator<String> explain) {
        this.experiment = experiment;
        this.folder = folder;
        this.explain = explain;
    }

    /**
     * Makes it.
     *
     * @param explain from a run's key to the command that explains it
     * @throws IOException if a file cannot be read
     */
    public static HtmlReport of(ExperimentSpec experiment, ResultsFolder folder, UnaryOperator<String> explain)
            throws IOException {
        Pages pages = new Pages(experiment, folder, explain);
        pages.read();
        return pages.report();
    }

    private void read() throws IOException {
        PointRows.read(folder, PointRows.columns(Measured.columns()), row -> {
            Measured point = Measured.of(row);
            if (point != null) {
                measured.put(point.key(), point);
            }
        });
        experiment.blocks().forEach(block -> grids.put(block, new Grid(block)));
        Map<String, Long> indices = new HashMap<>();
        for (long index = 0; index < experiment.size(); index++) {
            DesignPoint point = experiment.point(index);
            Measured values = measured.get(point.key());
            if (values != null) {
                Objects.requireNonNull(grids.get(point.block())).add(point.digits(), values);
                indices.putIfAbsent(point.key(), index);
            }
        }
        extremes().values().stream().flatMap(List::stream).map(Measured::key).forEach(key -> {
            Long index = indices.get(key); // none if it is of an axis' value that was since taken away
            if (index != null) {
                places.put(key, place(experiment.point(index)));
            }
        });
    }

    private String place(DesignPoint point) {
        List<String> parts = new ArrayList<>();
        point.axisValues().forEach((axis, value) -> parts.add(value.contains("=") ? value : axis + " " + value));
        return (experiment.blocks().size() > 1 ? point.block().name() + ": " : "") + String.join(", ", parts);
    }

    private HtmlReport report() throws IOException {
        Manifest manifest = Objects.requireNonNull(folder.manifest(), "an existing folder has a manifest");
        Summary summary = Summary.of(experiment, folder);
        ModelErrors errors = new ModelErrors(measured.values());
        List<Section> sections = new ArrayList<>();
        sections.add(summarySection(summary, manifest));
        sections.add(curves());
        if (grids.values().stream().anyMatch(Grid::isPlane)) {
            sections.add(heatMaps());
        }
        if (!errors.ranked().isEmpty()) {
            sections.add(models(errors));
            if (grids.values().stream().anyMatch(Grid::isOfFlowsAndLoad)) {
                sections.add(trust(errors));
            }
        }
        if (!measured.isEmpty()) {
            sections.add(closer());
        }
        sections.add(failures(manifest));
        sections.add(provenance(manifest));
        return new HtmlReport(
                experiment.name(),
                "rhosweep: " + summary.simulated() + " points simulated"
                        + (summary.missing() > 0 ? ", " + summary.missing() + " not" : "") + ", "
                        + measured.values().stream().mapToLong(Measured::n).sum()
                        + " runs. Intervals are 95% half-widths"
                        + " unless the experiment asks for another confidence.",
                sections);
    }

    private static Section summarySection(Summary summary, Manifest manifest) {
        List<String> notes = new ArrayList<>();
        if (summary.simulated() == 0) {
            notes.add("Nothing was simulated. Predictions, where asked for, are in points/*.parquet.");
            return Section.of("axes", "What each axis changed", notes, List.of());
        }
        notes.add(
                "Of points that differ on one axis alone: at how many it changed anything that was counted or measured. Ranges"
                        + " are of means over the points of each value.");
        List<Summary.AxisTable> tables = summary.tables();
        List<String> inert = tables.stream()
                .filter(Summary.AxisTable::inert)
                .map(Summary.AxisTable::title)
                .toList();
        notes.add(
                inert.isEmpty()
                        ? "No axis was inert anywhere."
                        : "Inert at some points: " + String.join("; ", inert) + ".");
        if (!manifest.status().equals("complete")) {
            notes.add("The last invocation ended as: " + manifest.status() + ".");
        }
        List<HtmlReport.Table> all = new ArrayList<>();
        all.add(table("Axes", false, summary.axes()));
        tables.forEach(t -> all.add(table(t.title(), true, t.table())));
        return Section.of("axes", "What each axis changed", notes, all);
    }

    private List<Grid> drawn() {
        return grids.values().stream()
                .filter(g -> !g.isEmpty())
                .limit(MOST_BLOCKS)
                .toList();
    }

    private String title(Grid grid) {
        return experiment.blocks().size() > 1 ? grid.name() + ": " : "";
    }

    private Section curves() {
        List<String> notes = new ArrayList<>();
        List<Chart> charts = new ArrayList<>();
        for (Grid grid : drawn()) {
            charts.add(new Chart(Kind.CURVES, title(grid) + "what was measured over " + grid.axes(), grid.measured()));
            if (!grid.left().isEmpty()) {
                notes.add(title(grid) + "drawn are " + grid.left() + ". `rhosweep plot` draws the others.");
            }
        }
        long blocks = grids.values().stream().filter(g -> !g.isEmpty()).count();
        if (blocks > MOST_BLOCKS) {
            notes.add("Drawn are the first " + MOST_BLOCKS + " of " + blocks + " blocks.");
        }
        if (charts.isEmpty()) {
            notes.add("There is no axis along which anything was measured.");
        }
        return new Section("curves", "Curves", notes, charts, List.of(), List.of(), List.of());
    }

    private Section heatMaps() {
        List<Chart> charts = drawn().stream()
                .filter(Grid::isPlane)
                .map(g -> new Chart(Kind.HEAT, title(g) + "what was measured over " + g.axes(), g.measured()))
                .toList();
        return new Section("heat-maps", "Heat maps", List.of(), charts, List.of(), List.of(), List.of());
    }

    private Section models(ModelErrors errors) {
        List<String> notes = new ArrayList<>();
        notes.add("Errors are (predicted - measured)/measured of mean message latency, over " + errors.points()
                + " points. Models are formulas with nothing fitted; a model counts where it gives a value.");
        if (errors.lossy() > 0) {
            notes.add(errors.lossy()
                    + " points are left out: they lost more than 0.01% of their messages, or had no steady state, so that their mean"
                    + " is one of survivors.");
        }
        List<Chart> charts = new ArrayList<>();
        charts.add(new Chart(Kind.HEAT, "Mean absolute error of each model by regime of load", errors.cube()));
        for (Grid grid : drawn()) {
            Cube beside = grid.besideModels(errors.ranked());
            if (beside != null) {
                charts.add(new Chart(Kind.CURVES, title(grid) + "measured, and what models predict", beside));
            }
        }
        return new Section(
                "models",
                "How far models are off",
                notes,
                charts,
                List.of(
                        table("Errors by regime of load, the least mean first", false, errors.table()),
                        table("What the models are", true, errors.cards())),
                List.of(),
                List.of());
    }

    private Section trust(ModelErrors errors) {
        List<Chart> charts = new ArrayList<>();
        for (Grid grid : drawn()) {
            Cube trust = grid.isOfFlowsAndLoad() ? grid.trust(errors.ranked()) : null;
            if (trust != null) {
                charts.add(new Chart(
                        Kind.HEAT, title(grid) + "the model that is least off, by number of flows and load", trust));
            }
        }
        return new Section(
                "trust",
                "Which model to trust where",
                List.of("Each cell averages over the other axes. Choose a model to see where it breaks."),
                charts,
                List.of(),
                List.of(),
                List.of());
    }

    /** Points that are extreme in some way, by way. */
    private Map<String, List<Measured>> extremes() {
        int idle = ModelErrors.model("alpha_beta");
        Map<String, List<Measured>> extremes = new LinkedHashMap<>();
        extremes.put("slowest against an idle network", most(p -> {
            Double over = p.over(idle);
            return over == null ? 0 : over;
        }));
        extremes.put("most messages lost", most(p -> {
            Double lost = p.shown().lost();
            return lost == null ? 0 : lost;
        }));
        extremes.put(
                "furthest from every model",
                most(p -> IntStream.range(0, p.predicted().length)
                        .mapToDouble(m -> Math.abs(p.error(m)))
                        .filter(e -> !Double.isNaN(e))
                        .min()
                        .orElse(0)));
        extremes.put("widest interval for its mean", most(p -> {
            Double halfWidth = p.shown().halfWidth();
            Double latency = p.shown().latency();
            return halfWidth == null || latency == null ? 0 : halfWidth / latency;
        }));
        extremes.values().removeIf(List::isEmpty);
        return extremes;
    }

    /** Those with the largest values above 0, by key where equal. */
    private List<Measured> most(ToDoubleFunction<Measured> value) {
        return measured.values().stream()
                .filter(p -> value.applyAsDouble(p) > 0)
                .sorted(Comparator.comparingDouble(value).reversed().thenComparing(Measured::key))
                .limit(MOST_EXTREMES)
                .toList();
    }

    private Section closer() {
        List<HtmlReport.Table> tables = new ArrayList<>();
        Map<String, Command> commands = new LinkedHashMap<>();
        extremes().forEach((title, points) -> {
            List<Head> heads = List.of(
                    new Head("run", false),
                    new Head("point", false),
                    new Head("mean message latency, ns", true),
                    new Head("+/-", true),
                    new Head("lost messages", true));
            List<Line> lines = new ArrayList<>();
            for (Measured p : points) {
                String run = Identity.runKey(p.key(), 1);
                commands.putIfAbsent(run, new Command("explain-" + run, explain.apply(run)));
                lines.add(new Line(List.of(
                        new Cell(run, false, "explain-" + run),
                        new Cell(places.getOrDefault(p.key(), ""), false, ""),
                        new Cell(TextTable.number(p.shown().latency()), true, ""),
                        new Cell(TextTable.number(p.shown().halfWidth()), true, ""),
                        new Cell(TextTable.percent(p.shown().lost()), true, ""))));
            }
            tables.add(new HtmlReport.Table("The " + title, false, heads, lines));
        });
        return new Section(
                "closer",
                "Where to look closer",
                List.of("A run's key leads to the command that explains it."),
                List.of(),
                tables,
                List.copyOf(commands.values()),
                List.of());
    }

    private Section failures(Manifest manifest) throws IOException {
        Map<String, Long> reasons = FailureReasons.of(folder);
        if (reasons.isEmpty()) {
            return Section.of("failures", "Failures", List.of("No attempt failed."), List.of());
        }
        TextTable table = new TextTable("reason", ">attempts");
        reasons.forEach((reason, times) -> table.add(reason, Long.toString(times)));
        return Section.of(
                "failures",
                "Failures",
                List.of(manifest.counts().failed()
                        + " points stand without a result. Every failed attempt is a row of failures/*.parquet; a later success of"
                        + " the same point counts."),
                List.of(table("Why attempts failed, the most frequent reasons first", false, table)));
    }

    private Section provenance(Manifest manifest) {
        TextTable table = new TextTable("what", "value");
        Json.fields(manifest).forEach((name, value) -> table.add(name.replace('_', ' '), String.valueOf(value)));
        return new Section(
                "provenance",
                "Where it came from",
                List.of(),
                List.of(),
                List.of(table(
                        "manifest.json: who filled the folder, and how the last invocation on it went", false, table)),
                List.of(),
                List.of(
                        new Listing("experiment.yaml, as given", experiment.inputYaml()),
                        new Listing("effective.yaml, with presets and overrides", experiment.effectiveYaml())));
    }

    private static HtmlReport.Table table(String caption, boolean folded, TextTable table) {
        List<List<String>> lines = table.lines();
        List<String> titles = lines.get(0);
        List<Head> heads = IntStream.range(0, titles.size())
                .mapToObj(i -> new Head(titles.get(i), table.isNumber(i)))
                .toList();
        return new HtmlReport.Table(
                caption,
                folded,
                heads,
                lines.subList(1, lines.size()).stream()
                        .map(line -> new Line(IntStream.range(0, line.size())
                                .mapToObj(i -> new Cell(line.get(i), table.isNumber(i), ""))
                                .toList()))
                        .toList());
    }
}
