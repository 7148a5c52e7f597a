package io.github.rhosweep.cli;

import io.github.rhosweep.store.Location;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
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
    @Spec
    private CommandSpec spec;

    @Mixin
    private ExperimentOptions experiment;

    @SuppressWarnings("NullAway.Init") // required
    @Option(names = "--out", required = true, paramLabel = "DIR", description = "The results folder.")
    private Location out;

    @Option(names = "--retry-failed", description = "Try points again that failed earlier.")
    private boolean retryFailed;

    @Mixin
    private SweepOptions sweep;

    @Override
    public Integer call() throws IOException {
        return sweep.run(spec, experiment.read(), out, retryFailed);
    }
}
