package io.github.rhosweep.cli;

import io.github.rhosweep.design.ExperimentSpec;
import io.github.rhosweep.report.Json;
import io.github.rhosweep.spark.BudgetedSweep;
import io.github.rhosweep.store.Location;
import io.github.rhosweep.store.Manifest;
import io.github.rhosweep.store.ResultsFolder;
import io.github.rhosweep.summary.Summary;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code summary}: what each axis changed. */
@Command(
        name = "summary",
        mixinStandardHelpOptions = true,
        description = {
            "Tells what each axis of a sweep changed.",
            "%nFor each of its values: mean message latency with intervals, losses, marks, goodput; and at how many points "
                    + "the axis changed nothing at all."
        },
        footerHeading = "%nExample:%n",
        footer = "  ${ROOT-COMMAND-NAME} summary out/quickstart")
final class SummaryCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @SuppressWarnings("NullAway.Init") // required
    @Parameters(paramLabel = "DIR", description = "A results folder.")
    private Location dir;

    @Option(names = "--json", description = "Print one JSON object.")
    private boolean json;

    @Override
    public Integer call() throws IOException {
        ResultsFolder folder = ResultsFolder.existing(dir);
        ExperimentSpec experiment = ExperimentSpec.ofEffective(folder.readText("effective.yaml"), folder.inputFiles());
        Summary summary = Summary.of(experiment, folder);
        if (json) {
            spec.commandLine().getOut().println(Json.of(summary.json()));
        } else {
            summary.print(spec.commandLine().getOut());
            Manifest manifest = folder.manifest();
            if (manifest != null && manifest.budget() != null) {
                spec.commandLine().getOut().println();
                spec.commandLine().getOut().println(BudgetedSweep.told(manifest.budget()));
            }
        }
        return 0;
    }
}
