package io.github.rhosweep.cli;

import io.github.rhosweep.design.ExperimentSpec;
import io.github.rhosweep.design.Overrides;
import io.github.rhosweep.result.Column;
import io.github.rhosweep.result.Metric;
import io.github.rhosweep.run.PointRunner;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The experiment file and what the command line changes of it: the same for every verb that takes one. */
final class ExperimentOptions {
    @SuppressWarnings("NullAway.Init") // the command that this is mixed into
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @SuppressWarnings("NullAway.Init") // required
    @Parameters(paramLabel = "FILE", description = "The experiment.")
    private Path file;

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "Give a parameter this value, in place of the file's. Repeatable.")
    private List<String> set = new ArrayList<>();

    @Option(
            names = "--sweep",
            paramLabel = "KEY=A,B,...",
            description = "Sweep a parameter over these values, in place of or beside the file's axes. Repeatable.")
    private List<String> sweep = new ArrayList<>();

    /**
     * Reads and validates the experiment; what is read over in the files that it names is told on standard error.
     *
     * @throws io.github.rhosweep.scenario.InvalidFileException with all problems, one a line
     */
    ExperimentSpec read() {
        return read(List.of());
    }

    /** The same, with more {@code --set}. */
    ExperimentSpec read(List<String> more) {
        List<String> all = new ArrayList<>(set);
        all.addAll(more);
        List<String> metrics = Metric.columns().stream().map(Column::name).toList();
        ExperimentSpec experiment = ExperimentSpec.read(file, new Overrides(all, sweep), metrics);
        experiment.warnings().forEach(line -> spec.commandLine().getErr().println("warning: " + line));
        if (experiment.screen() != null) {
            PointRunner.requireModels(experiment.screen());
        }
        return experiment;
    }

    /** As given. */
    Path file() {
        return file;
    }
}
