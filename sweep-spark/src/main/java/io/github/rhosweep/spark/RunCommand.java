package io.github.rhosweep.spark;

import io.github.rhosweep.design.ExperimentSpec;
import io.github.rhosweep.store.Location;
import io.github.rhosweep.store.Manifest;
import io.github.rhosweep.store.Manifest.Counts;
import io.github.rhosweep.store.ResultsFolder;
import io.github.rhosweep.store.Table;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code run}: the sweep. */
@Command(
        name = "run",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Runs every point of an experiment into a folder of Parquet files.",
            "%nThere, runs/*.parquet has one row a run, points/*.parquet one a point. On a folder that holds results it "
                    + "runs what is missing: after a crash, with more replicates, or with a grown axis."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  ${ROOT-COMMAND-NAME} run configs/quickstart.yaml --out out/quickstart",
            "  ${ROOT-COMMAND-NAME} run study.yaml --out out/study --set switch.alpha=1 --sweep traffic.load=0.5,0.7,0.9",
            "  spark-submit --master spark://host:7077 rhosweep.jar run study.yaml --out /shared/study"
        })
final class RunCommand implements Callable<Integer> {
    private static final String MASTERS =
            "local(\\[(\\*|\\d+)(,\\s*\\d+)?])?|local-cluster\\[\\d+,\\s*\\d+,\\s*\\d+]|spark://.+|yarn|k8s://.+";

    @Spec
    private CommandSpec spec;

    @Mixin
    private ExperimentOptions experiment;

    @SuppressWarnings("NullAway.Init") // required
    @Option(names = "--out", required = true, paramLabel = "DIR", description = "The results folder.")
    private Location out;

    @Option(
            names = "--master",
            paramLabel = "URL",
            description = "Spark's master. Default: what spark-submit says, else local[*], all cores of this machine.")
    private @Nullable String master;

    @Option(names = "--ui", description = "Serve Spark's web interface while running.")
    private boolean ui;

    @Option(names = "--quiet", description = "Show neither progress nor the table at the end.")
    private boolean quiet;

    @Option(names = "--json", description = "End with one JSON object: how it ended and the counts.")
    private boolean json;

    @Option(names = "--retry-failed", description = "Try points again that failed earlier.")
    private boolean retryFailed;

    @Option(
            names = "--any-semantics",
            description = "Add to a folder although another version of the simulator filled it; keys keep them apart.")
    private boolean anySemantics;

    @Option(
            names = "--despite-selfcheck",
            description = "Run although `selfcheck` found this program at fault on this Java; the manifest says so.")
    private boolean despiteSelfCheck;

    @Override
    public Integer call() throws IOException {
        ExperimentSpec design = experiment.read();
        if (master != null && !master.matches(MASTERS)) {
            // Spark would say so too, but only after the folder has been made.
            throw new ParameterException(
                    spec.commandLine(),
                    "--master: `" + master
                            + "` is no master. Expected local[N], local[*], spark://HOST:PORT, yarn or k8s://URL");
        }
        PrintWriter err = spec.commandLine().getErr();
        SelfCheckCache checked = SelfCheckCache.ofThisProgram();
        if (checked != null && checked.isFailed() && !despiteSelfCheck) {
            err.println("the self-check of this program on this Java failed, so that its results cannot be trusted. `"
                    + Main.COMMAND + " selfcheck` shows where, --despite-selfcheck runs all the same");
            return Errors.CHECK_FAILED;
        }
        SweepJob.Options options =
                new SweepJob.Options(out, master, ui, Progress.styleFor(quiet), retryFailed, anySemantics);
        Manifest manifest = new SweepJob(design, options, err).run();
        ResultsFolder folder = new ResultsFolder(out);
        if (json) {
            spec.commandLine().getOut().println(Json.of(jsonOf(manifest, folder)));
        } else if (!quiet) {
            report(design, manifest, folder);
        }
        return manifest.counts().failed() > 0 ? Errors.SOME_FAILED : 0;
    }

    private static Map<String, Object> jsonOf(Manifest manifest, ResultsFolder folder) throws IOException {
        Counts counts = manifest.counts();
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("sweep", manifest.sweep());
        object.put("out", folder.dir().toString());
        object.put("status", manifest.status());
        object.put("planned", counts.planned());
        object.put("done", counts.done());
        object.put("failed", counts.failed());
        object.put("skipped", counts.skipped());
        object.put("runs", counts.runs());
        // Failures that a later try made good are rows still, but no news.
        object.put("failures", counts.failed() > 0 ? FailureReasons.of(folder) : Map.of());
        return object;
    }

    private void report(ExperimentSpec design, Manifest manifest, ResultsFolder folder) throws IOException {
        PrintWriter print = spec.commandLine().getOut();
        Counts counts = manifest.counts();
        Duration took = manifest.ended() == null
                ? Duration.ZERO
                : Duration.between(Instant.parse(manifest.started()), Instant.parse(manifest.ended()));
        print.println(counts.done() + " of " + counts.planned() + " points done in " + Progress.clock(took) + " ("
                + counts.runs() + " runs)"
                + (counts.skipped() > 0 ? ", " + counts.skipped() + " were done before" : "")
                + (counts.failed() > 0 ? ", " + counts.failed() + " failed" : ""));
        if (manifest.status().equals("gave_up")) {
            print.println("Stopped early: too many points failed (limits.failure_fraction).");
        }
        if (counts.failed() > 0) {
            FailureReasons.of(folder).forEach((reason, times) -> print.println("  " + times + " x " + reason));
            print.println("  each with its parameters in " + folder.dir().resolve(Table.FAILURES.folder())
                    + "; --retry-failed tries them again");
        }
        if (counts.planned() <= Summary.MOST_POINTS_AFTER_RUN) {
            Summary.of(design, folder).printShort(print);
        }
        print.println();
        // With fidelity models there are no runs.
        Table first = folder.files(Table.RUNS).isEmpty() ? Table.POINTS : Table.RUNS;
        print.println("Rows: " + folder.dir().resolve("runs") + "/*.parquet, one a run; " + Table.POINTS.folder()
                + "/ has one a point, means with intervals.");
        print.println("Next: " + Main.COMMAND + " summary " + quoted(out) + "   or, in SQL: duckdb -c \"select * from '"
                + out.resolve(first.folder()) + "/*.parquet'\"");
    }

    private static String quoted(Location path) {
        return path.toString().matches("[\\w./:-]+") ? path.toString() : "'" + path + "'";
    }
}
