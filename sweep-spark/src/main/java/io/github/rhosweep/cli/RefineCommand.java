package io.github.rhosweep.cli;

import io.github.rhosweep.design.ExperimentSpec;
import io.github.rhosweep.design.Overrides;
import io.github.rhosweep.report.Json;
import io.github.rhosweep.result.Column;
import io.github.rhosweep.result.Metric;
import io.github.rhosweep.scenario.InvalidValueException;
import io.github.rhosweep.scenario.Text;
import io.github.rhosweep.spark.RefineJob;
import io.github.rhosweep.store.Location;
import io.github.rhosweep.store.Manifest;
import io.github.rhosweep.store.ResultsFolder;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code refine}: more points where they tell most. */
@Command(
        name = "refine",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Runs an experiment, then adds points round by round where neighbours differ most.",
            "%nA point is added halfway between two that differ on one numeric axis alone by more than their intervals, and "
                    + "first of all where the error of --model changes its sign. Added points are blocks of effective.yaml. The same "
                    + "file gives the same points."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  ${ROOT-COMMAND-NAME} refine study.yaml --out out/study --points 60 --model md1",
            "  ${ROOT-COMMAND-NAME} refine out/study --points 20 --metric lost_message_fraction"
        })
final class RefineCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @SuppressWarnings("NullAway.Init") // required
    @Parameters(paramLabel = "FILE|DIR", description = "An experiment, or a results folder that is to grow.")
    private Location from;

    @Option(names = "--out", paramLabel = "DIR", description = "The results folder. Default, of a folder: itself.")
    private @Nullable Location out;

    @Option(names = "--points", paramLabel = "N", defaultValue = "50", description = "Add so many. Default: 50.")
    private int points;

    @Option(
            names = "--round",
            paramLabel = "K",
            description = "Add so many before looking again. Default: a fifth of --points.")
    private @Nullable Integer round;

    @Option(
            names = "--metric",
            defaultValue = "message_latency_mean_ns",
            paramLabel = "COLUMN",
            description = "What is compared. Default: message_latency_mean_ns.")
    private String metric = "message_latency_mean_ns";

    @Option(names = "--model", paramLabel = "ID", description = "A model whose error, changing sign, calls for points.")
    private @Nullable String model;

    @Mixin
    private SweepOptions sweep;

    @Override
    public Integer call() throws IOException {
        int each = round == null ? Math.max(1, (points + 4) / 5) : round;
        if (points < 1 || each < 1) {
            throw new InvalidValueException(
                    (points < 1 ? "--points: " + points : "--round: " + each) + " is not at least 1");
        }
        RefineJob refine = new RefineJob(metric, model);
        if (!sweep.mayRun(spec)) {
            return Errors.CHECK_FAILED;
        }
        boolean folder = from.isLocal() ? Files.isDirectory(Path.of(from.toString())) : true;
        if (folder) {
            ResultsFolder results = ResultsFolder.existing(from);
            Location target = out == null ? from : out;
            try (ResultsFolder.Lock lock = sweep.lock(target)) {
                ExperimentSpec experiment = ExperimentSpec.ofEffective(
                                results.readText("effective.yaml"), results.inputFiles())
                        .withInput(results.readText("experiment.yaml"));
                return rounds(refine, bounded(experiment), target, each, lock);
            }
        }
        ExperimentSpec experiment = ExperimentSpec.read(
                Path.of(from.toString()),
                Overrides.NONE,
                Metric.columns().stream().map(Column::name).toList());
        if (out == null) {
            throw new InvalidValueException("--out is missing: where the results of " + from + " shall go");
        }
        bounded(experiment);
        try (ResultsFolder.Lock lock = sweep.lock(out)) {
            return rounds(refine, experiment, out, each, lock);
        }
    }

    private ExperimentSpec bounded(ExperimentSpec experiment) {
        if (experiment.size() > RefineJob.MOST_POINTS) {
            throw new InvalidValueException(
                    from + ": " + experiment.size() + " points, refine looks at up to " + RefineJob.MOST_POINTS);
        }
        return experiment;
    }

    /** @param lock over all rounds: another run between two of them would have its file replaced by ours */
    private int rounds(RefineJob refine, ExperimentSpec start, Location target, int each, ResultsFolder.Lock lock)
            throws IOException {
        PrintWriter err = spec.commandLine().getErr();
        ExperimentSpec experiment = start;
        int added = 0;
        int rounds = 0;
        Manifest manifest = sweep.sweep(spec, experiment, target, false, lock);
        while (added < points && !manifest.status().equals("gave_up") && !sweep.isBudgetSpent()) {
            ExperimentSpec grown =
                    refine.refined(experiment, new ResultsFolder(target), Math.min(each, points - added));
            int more = Math.toIntExact(grown.size() - experiment.size());
            if (more == 0) {
                break;
            }
            added += more;
            rounds++;
            experiment = grown;
            if (!sweep.quiet()) {
                err.println("round " + rounds + ": " + Text.count(more, "point") + " more");
            }
            manifest = sweep.sweep(spec, experiment, target, false, lock);
        }
        PrintWriter print = spec.commandLine().getOut();
        if (sweep.json()) {
            Map<String, Object> object = new LinkedHashMap<>();
            object.put("out", target.toString());
            object.put("points", experiment.points());
            object.put("added", added);
            object.put("rounds", rounds);
            object.put("failed", manifest.counts().failed());
            print.println(Json.of(object));
        } else {
            print.println(
                    Text.count(added, "point") + " added in " + Text.count(rounds, "round") + " to " + start.points()
                            + (added == points
                                    ? ""
                                    : sweep.isBudgetSpent()
                                            ? "; then the budget was spent"
                                            : "; nowhere else do neighbours differ by more than their intervals"));
        }
        return manifest.counts().failed() > 0 ? Errors.SOME_FAILED : 0;
    }
}
