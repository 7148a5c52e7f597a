package io.github.rhosweep.cli;

import io.github.rhosweep.report.Json;
import io.github.rhosweep.spark.MergeJob;
import io.github.rhosweep.store.Location;
import io.github.rhosweep.store.ResultsFolder;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code merge}: two folders into one. */
@Command(
        name = "merge",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Unites two results folders by key into a new one, which can be resumed and grown like any other.",
            "%nA run that both have is kept once. If the two differ in anything but cost, nothing is written."
        },
        footerHeading = "%nExample:%n",
        footer = "  ${ROOT-COMMAND-NAME} merge out/monday out/tuesday --out out/both")
final class MergeCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @SuppressWarnings("NullAway.Init") // required
    @Parameters(index = "0", paramLabel = "A", description = "A results folder.")
    private Location first;

    @SuppressWarnings("NullAway.Init") // required
    @Parameters(index = "1", paramLabel = "B", description = "Another one.")
    private Location second;

    @SuppressWarnings("NullAway.Init") // required
    @Option(names = "--out", required = true, paramLabel = "C", description = "The new folder.")
    private Location out;

    @Option(names = "--master", paramLabel = "URL", description = "Spark's master. Default: as for run.")
    private @Nullable String master;

    @Option(names = "--json", description = "Print one JSON object: out, runs, points, failures, shared.")
    private boolean json;

    @Override
    public Integer call() throws IOException {
        ResultsFolder target = new ResultsFolder(out);
        MergeJob.Result result =
                new MergeJob(ResultsFolder.existing(first), ResultsFolder.existing(second), target).run(master);
        if (json) {
            Map<String, Object> object = new LinkedHashMap<>();
            object.put("out", target.dir().toString());
            object.put("runs", result.runs());
            object.put("points", result.points());
            object.put("failures", result.failures());
            object.put("shared", result.shared());
            spec.commandLine().getOut().println(Json.of(object));
        } else {
            spec.commandLine()
                    .getOut()
                    .println(out + ": " + result.runs() + " runs of " + result.points() + " points (" + result.shared()
                            + " runs were in both), " + result.failures() + " failures");
        }
        return 0;
    }
}
