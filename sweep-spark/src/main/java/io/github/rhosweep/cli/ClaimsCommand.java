package io.github.rhosweep.cli;

import io.github.rhosweep.check.Assessment;
import io.github.rhosweep.check.Claim;
import io.github.rhosweep.check.Claims;
import io.github.rhosweep.check.ClaimsReport;
import io.github.rhosweep.design.ExperimentSpec;
import io.github.rhosweep.kernel.Simulation;
import io.github.rhosweep.report.Curve;
import io.github.rhosweep.report.Json;
import io.github.rhosweep.report.LinePlot;
import io.github.rhosweep.report.TextTable;
import io.github.rhosweep.result.Row;
import io.github.rhosweep.run.PointOutcome;
import io.github.rhosweep.run.PointRunner;
import io.github.rhosweep.run.Tables;
import io.github.rhosweep.scenario.InvalidValueException;
import io.github.rhosweep.scenario.NearestName;
import io.github.rhosweep.scenario.Parameters;
import io.github.rhosweep.spark.Shard;
import io.github.rhosweep.spark.SparkSetup;
import io.github.rhosweep.store.Location;
import io.github.rhosweep.store.RowWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.apache.spark.api.java.JavaSparkContext;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code claims}: statements of the designs, put to the test. */
@Command(
        name = "claims",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Measures what the designs claim and says of each statement whether it holds.",
            "%nA claim is data: an experiment, a formula over its columns, what is claimed and by how much it may miss. "
                    + "Exit code 4 tells that a verdict is not the one that the file expects."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  ${ROOT-COMMAND-NAME} claims --out out/claims",
            "  ${ROOT-COMMAND-NAME} claims --id islip-1-throughput --id kingman-e2-at-05",
            "  ${ROOT-COMMAND-NAME} claims --file my-claims.yaml"
        })
final class ClaimsCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(
            names = "--file",
            paramLabel = "FILE",
            description = "A file of claims. Default: the designs', which the program carries with it.")
    private @Nullable Path file;

    @Option(names = "--id", paramLabel = "ID", description = "Measure this claim alone. Repeatable.")
    private List<String> ids = new ArrayList<>();

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "Write claims.md, claims.parquet and pictures into this folder.")
    private @Nullable Path out;

    @Option(
            names = "--master",
            paramLabel = "URL",
            description = "Spark's master. Default: what spark-submit says, else local[*], all cores of this machine.")
    private @Nullable String master;

    @Option(names = "--json", description = "Print one JSON object: a row a claim.")
    private boolean json;

    /** One point to run, of the claim of a number. */
    private record Task(int claim, ExperimentSpec experiment, int index, double seconds) implements Serializable {}

    /** The rows of a point's replicates, or why there are none. */
    private record Done(int claim, int index, List<@Nullable Object[]> rows, String failure) implements Serializable {}

    @Override
    public Integer call() throws IOException {
        Claims claims = file == null ? Claims.shipped() : Claims.read(file);
        List<Claim> wanted = wanted(claims);
        Map<Integer, Map<Integer, Done>> done = run(wanted);
        List<Assessment> assessments = new ArrayList<>();
        for (int c = 0; c < wanted.size(); c++) {
            assessments.add(assess(
                    wanted.get(c),
                    0,
                    Objects.requireNonNull(done.get(c)),
                    claims.list().size()));
        }
        if (out != null) {
            write(claims, wanted, assessments, done);
        }
        print(assessments);
        List<Assessment> surprises =
                assessments.stream().filter(Assessment::surprises).toList();
        for (Assessment a : surprises) {
            spec.commandLine()
                    .getErr()
                    .println(a.claim().id() + ": " + a.verdict().text() + ", expected "
                            + Objects.requireNonNull(a.claim().pinned()).text()
                            + (a.note().isEmpty() ? "" : " (" + a.note() + ")"));
        }
        return surprises.isEmpty() ? 0 : Errors.CHECK_FAILED;
    }

    private List<Claim> wanted(Claims claims) {
        List<String> known = claims.list().stream().map(Claim::id).toList();
        for (String id : ids) {
            if (!known.contains(id)) {
                throw new InvalidValueException("--id " + id + ": no such claim" + NearestName.advice(id, known));
            }
        }
        return claims.list().stream()
                .filter(c -> ids.isEmpty() || ids.contains(c.id()))
                .toList();
    }

    /** All points of all claims, by claim and index; those of pictures only where pictures are wanted. */
    private Map<Integer, Map<Integer, Done>> run(List<Claim> wanted) {
        List<Task> tasks = new ArrayList<>();
        for (int c = 0; c < wanted.size(); c++) {
            ExperimentSpec experiment = wanted.get(c).experiment();
            int size = out == null ? wanted.get(c).size() : Math.toIntExact(experiment.size());
            for (int index = 0; index < size; index++) {
                tasks.add(new Task(c, experiment, index, Shard.seconds(experiment, experiment.point(index))));
            }
        }
        tasks.sort(Comparator.comparingDouble((Task t) -> -t.seconds)
                .thenComparingInt(Task::claim)
                .thenComparingInt(Task::index));
        Map<Integer, Map<Integer, Done>> done = new TreeMap<>();
        try (JavaSparkContext spark = SparkSetup.start("claims", master, false)) {
            for (Done d : spark.parallelize(tasks, tasks.size())
                    .map(ClaimsCommand::run)
                    .collect()) {
                done.computeIfAbsent(d.claim, c -> new TreeMap<>()).put(d.index, d);
            }
        }
        return done;
    }

    private static Done run(Task task) {
        PointOutcome outcome = new PointRunner(task.experiment, new Simulation()::run)
                .run(task.experiment.point(task.index), List.of());
        Row failure = outcome.failure();
        List<@Nullable Object[]> rows = new ArrayList<>();
        outcome.runs().forEach(row -> rows.add(row.values()));
        return new Done(task.claim, task.index, rows, failure == null ? "" : String.valueOf(failure.get("reason")));
    }

    /**
     * @param first index of the experiment at which a set of the claim's points begins
     * @param claims how many the file has
     */
    private static Assessment assess(Claim claim, int first, Map<Integer, Done> done, int claims) {
        List<List<Row>> rows = new ArrayList<>();
        for (int p = 0; p < claim.size(); p++) {
            Done point = Objects.requireNonNull(done.get(first + p));
            if (!point.failure.isEmpty()) {
                return Assessment.missing(claim, Double.NaN, claim.points().get(p) + ": " + point.failure);
            }
            rows.add(point.rows.stream().map(r -> new Row(Tables.RUNS, r)).toList());
        }
        return Assessment.of(claim, rows, claims);
    }

    private void print(List<Assessment> assessments) {
        PrintWriter print = spec.commandLine().getOut();
        if (json) {
            List<Map<String, @Nullable Object>> rows = new ArrayList<>();
            for (Assessment a : assessments) {
                Row row = ClaimsReport.row(a);
                Map<String, @Nullable Object> object = new LinkedHashMap<>();
                row.columns().forEach(c -> object.put(c.name(), row.get(c.name())));
                rows.add(object);
            }
            print.println(Json.of(Map.of("claims", rows)));
            return;
        }
        TextTable table = new TextTable("claim", ">claimed", ">measured", ">theory", "verdict");
        for (Assessment a : assessments) {
            table.add(
                    a.claim().id(),
                    ClaimsReport.claimed(a.claim()),
                    ClaimsReport.measured(a),
                    ClaimsReport.closedForm(a),
                    a.verdict().text());
        }
        table.print(print, "");
        print.println();
        print.println(ClaimsReport.counts(assessments) + (out == null ? "" : "; all about them in " + out));
    }

    private void write(
            Claims claims, List<Claim> wanted, List<Assessment> assessments, Map<Integer, Map<Integer, Done>> done)
            throws IOException {
        Path dir = Files.createDirectories(Objects.requireNonNull(out));
        Map<String, String> pictures = new TreeMap<>();
        for (int c = 0; c < wanted.size(); c++) {
            Claim claim = wanted.get(c);
            if (claim.plotX() != null) {
                Path picture = dir.resolve(claim.id() + ".svg");
                if (plot(
                        claim,
                        Objects.requireNonNull(done.get(c)),
                        claims.list().size(),
                        picture)) {
                    pictures.put(claim.id(), picture.getFileName().toString());
                }
            }
        }
        Path fresh = dir.resolve("claims.parquet.tmp");
        Files.deleteIfExists(fresh);
        try (RowWriter writer = new RowWriter(Location.of(fresh), ClaimsReport.COLUMNS)) {
            for (Assessment a : assessments) {
                writer.write(ClaimsReport.row(a));
            }
        }
        Files.move(fresh, dir.resolve("claims.parquet"), StandardCopyOption.REPLACE_EXISTING);
        Files.writeString(dir.resolve("claims.md"), ClaimsReport.markdown(claims, assessments, pictures));
    }

    /** The measure, and what theory says, along a parameter; false if it exists nowhere. */
    private static boolean plot(Claim claim, Map<Integer, Done> done, int claims, Path picture) throws IOException {
        String parameter = Objects.requireNonNull(claim.plotX());
        String column = Parameters.named(parameter).column();
        List<Curve.Point> measured = new ArrayList<>();
        List<Curve.Point> theory = new ArrayList<>();
        for (int v = 0; v < claim.plotValues(); v++) {
            int first = claim.size() * (v + 1);
            Assessment a = assess(claim, first, done, claims);
            Done point = Objects.requireNonNull(done.get(first));
            if (a.n() == 0 || !(new Row(Tables.RUNS, point.rows.get(0)).get(column) instanceof Number x)) {
                continue;
            }
            measured.add(new Curve.Point(x.doubleValue(), a.mean(), a.halfWidth()));
            if (Double.isFinite(a.closedForm())) {
                theory.add(new Curve.Point(x.doubleValue(), a.closedForm(), 0));
            }
        }
        if (measured.isEmpty()) {
            return false;
        }
        List<Curve> curves = new ArrayList<>(List.of(new Curve("measured", measured)));
        if (!theory.isEmpty()) {
            curves.add(new Curve("theory", theory));
        }
        double x0 = measured.get(0).x();
        if (Double.isFinite(claim.low())) {
            curves.add(level("claimed", claim.low(), x0, measured));
        }
        if (Double.isFinite(claim.high()) && claim.high() != claim.low()) {
            curves.add(
                    level(Double.isFinite(claim.low()) ? "claimed, at most" : "claimed", claim.high(), x0, measured));
        }
        new LinePlot(claim.id(), parameter, claim.measure().text(), false, false, curves).write(picture);
        return true;
    }

    private static Curve level(String name, double y, double from, List<Curve.Point> along) {
        double to = Collections.max(along, Comparator.comparingDouble(Curve.Point::x))
                .x();
        return new Curve(name, List.of(new Curve.Point(from, y, 0), new Curve.Point(to, y, 0)));
    }
}
