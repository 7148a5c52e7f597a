package io.github.rhosweep.spark;

import io.github.rhosweep.design.ExperimentSpec;
import io.github.rhosweep.design.Overrides;
import io.github.rhosweep.result.Column;
import io.github.rhosweep.result.Metric;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The experiment file and what the command line changes of it: the same for every verb that takes one. */
final class ExperimentOptions {
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
     * Reads and validates the experiment.
     *
     * @throws io.github.rhosweep.scenario.InvalidFileException with all problems, one a line
     */
    ExperimentSpec read() {
        List<String> metrics = Metric.columns().stream().map(Column::name).toList();
        return ExperimentSpec.read(file, new Overrides(set, sweep), metrics);
    }

    /** As given. */
    Path file() {
        return file;
    }
}
