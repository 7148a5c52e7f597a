package io.github.rhosweep.cli;

import io.github.rhosweep.design.ExperimentSpec;
import io.github.rhosweep.report.Json;
import io.github.rhosweep.spark.BudgetedSweep;
import io.github.rhosweep.spark.BuildInfo;
import io.github.rhosweep.spark.Progress;
import io.github.rhosweep.spark.SelfCheckCache;
import io.github.rhosweep.spark.SparkSetup;
import io.github.rhosweep.spark.SweepJob;
import io.github.rhosweep.store.Location;
import io.github.rhosweep.store.Manifest;
import io.github.rhosweep.store.Manifest.Counts;
import io.github.rhosweep.store.ResultsFolder;
import io.github.rhosweep.store.Table;
import io.github.rhosweep.summary.FailureReasons;
import io.github.rhosweep.summary.Summary;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** How a sweep is run, whichever verb runs it. */
final class SweepOptions {
    private static final String MASTERS =
            "local(\\[(\\*|\\d+)(,\\s*\\d+)?])?|local-cluster\\[\\d+,\\s*\\d+,\\s*\\d+]|spark://.+|yarn|k8s://.+";

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

    @Option(
            names = "--any-semantics",
            description = "Add to a folder although another version of the simulator filled it; keys keep them apart.")
    private boolean anySemantics;

    @Option(
            names = "--despite-selfcheck",
            description = "Run although `selfcheck` found this program at fault on this Java; the manifest says so.")
    private boolean despiteSelfCheck;

    @Option(
            names = "--budget",
            paramLabel = "TIME",
            description =
                    "Spend so much CPU time on runs, such as 30m: first the least replicates of all points, then more where "
                            + "intervals are widest. What was not reached is told.")
    private @Nullable String budget;

    /** By all sweeps of this command: a budget is one for all. */
    private double usedCpuSeconds;

    /** Whether one JSON object is wanted. */
    boolean json() {
        return json;
    }

    /** Whether nothing is to be shown. */
    boolean quiet() {
        return quiet;
    }

    /**
     * Runs and reports.
     *
     * @param retryFailed whether points that failed earlier are tried again
     * @return the exit code
     */
    int run(CommandSpec spec, ExperimentSpec design, Location out, boolean retryFailed) throws IOException {
        if (budget != null) {
            BudgetedSweep.seconds(budget); // before anything is made
        }
        if (!mayRun(spec)) {
            return Errors.CHECK_FAILED;
        }
        Manifest manifest;
        try (ResultsFolder.Lock lock = lock(out)) {
            manifest = sweep(spec, design, out, retryFailed, lock);
        }
        ResultsFolder folder = new ResultsFolder(out);
        if (json) {
            spec.commandLine().getOut().println(Json.of(jsonOf(manifest, folder)));
        } else if (!quiet) {
            report(spec.commandLine().getOut(), design, manifest, folder);
        }
        return manifest.counts().failed() > 0 ? Errors.SOME_FAILED : 0;
    }

    /**
     * Checks the options; false, and why on standard error, if the self-check has failed.
     *
     * @throws ParameterException if an option is no good
     */
    boolean mayRun(CommandSpec spec) throws IOException {
        if (master != null && !master.matches(MASTERS)) {
            // Spark would say so too, but only after the folder has been made.
            throw new ParameterException(
                    spec.commandLine(),
                    "--master: `" + master
                            + "` is no master. Expected local[N], local[*], spark://HOST:PORT, yarn or k8s://URL");
        }
        SelfCheckCache checked = SelfCheckCache.ofThisProgram();
        if (checked != null && checked.isFailed() && !despiteSelfCheck) {
            spec.commandLine()
                    .getErr()
                    .println(
                            "the self-check of this program on this Java failed, so that its results cannot be trusted. `"
                                    + BuildInfo.COMMAND
                                    + " selfcheck` shows where, --despite-selfcheck runs all the same");
            return false;
        }
        return true;
    }

    /** Takes a folder for all that one command does there; what would stop it at once is told before anything is made. */
    ResultsFolder.Lock lock(Location out) throws IOException {
        SparkSetup.requireMemory(master);
        return new ResultsFolder(out).lock();
    }

    /** Runs without reporting. */
    Manifest sweep(CommandSpec spec, ExperimentSpec design, Location out, boolean retryFailed, ResultsFolder.Lock lock)
            throws IOException {
        Function<SweepJob.@Nullable Allowance, SweepJob.Options> options = allowance ->
                new SweepJob.Options(out, master, ui, Progress.styleFor(quiet), retryFailed, anySemantics, allowance);
        PrintWriter err = spec.commandLine().getErr();
        if (budget == null) {
            return new SweepJob(design, options.apply(null), err).run(lock);
        }
        Manifest manifest =
                new BudgetedSweep(design, BudgetedSweep.seconds(budget), usedCpuSeconds, options, err).run(quiet, lock);
        usedCpuSeconds = Objects.requireNonNull(manifest.budget()).usedCpuSeconds();
        return manifest;
    }

    /** Whether sweeps so far have spent the budget, if there is one. */
    boolean isBudgetSpent() {
        return budget != null && usedCpuSeconds >= BudgetedSweep.seconds(budget);
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
        if (manifest.budget() != null) {
            object.put("points_not_run", manifest.budget().notRun());
            object.put("intervals_not_met", manifest.budget().intervalsNotMet());
            object.put("cpu_seconds", manifest.budget().usedCpuSeconds());
        }
        // Failures that a later try made good are rows still, but no news.
        object.put("failures", counts.failed() > 0 ? FailureReasons.of(folder) : Map.of());
        return object;
    }

    private static void report(PrintWriter print, ExperimentSpec design, Manifest manifest, ResultsFolder folder)
            throws IOException {
        Counts counts = manifest.counts();
        print.println(
                counts.done() + " of " + counts.planned() + " points done in " + Progress.clock(manifest.took()) + " ("
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
        print.println("Next: " + BuildInfo.COMMAND + " summary "
                + BuildInfo.quoted(folder.dir().toString())
                + "   or, in SQL: duckdb -c \"select * from '" + folder.dir().resolve(first.folder())
                + "/*.parquet'\"");
    }
}
