package io.github.rhosweep.cli;

import io.github.rhosweep.design.ExperimentSpec;
import io.github.rhosweep.store.Location;
import io.github.rhosweep.store.ResultsFolder;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code rerun}: what failed, once more. */
@Command(
        name = "rerun",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Runs the points of a folder again that failed, and what else is missing there, as its effective.yaml has it.",
            "%nA success counts from then on; rows of failures stay."
        },
        footerHeading = "%nExample:%n",
        footer = "  ${ROOT-COMMAND-NAME} rerun out/study --failed")
final class RerunCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @SuppressWarnings("NullAway.Init") // required
    @Parameters(paramLabel = "DIR", description = "A results folder.")
    private Location dir;

    @Option(names = "--failed", description = "Must be given: what succeeded gives the same row again (see verify).")
    private boolean failed;

    @Mixin
    private SweepOptions sweep;

    @Override
    public Integer call() throws IOException {
        if (!failed) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--failed is missing: only failed points are worth another run. `verify` compares the others");
        }
        ResultsFolder folder = ResultsFolder.existing(dir);
        ExperimentSpec design = ExperimentSpec.ofEffective(folder.readText("effective.yaml"), folder.inputFiles())
                .withInput(folder.readText("experiment.yaml"));
        return sweep.run(spec, design, dir, true);
    }
}
