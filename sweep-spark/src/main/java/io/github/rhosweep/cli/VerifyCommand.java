package io.github.rhosweep.cli;

import io.github.rhosweep.report.Json;
import io.github.rhosweep.scenario.InvalidValueException;
import io.github.rhosweep.spark.BuildInfo;
import io.github.rhosweep.spark.Progress;
import io.github.rhosweep.spark.StoredRows;
import io.github.rhosweep.spark.VerifyJob;
import io.github.rhosweep.store.Location;
import io.github.rhosweep.store.ResultsFolder;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code verify}: whether stored rows come out again as they are. */
@Command(
        name = "verify",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Runs a random sample of a folder's rows again and compares all columns but cost, bit for bit. The rows of their points are "
                    + "made again from all their stored runs.",
            "%nExit code 4 if one differs. A row is run from its own columns; the experiment file is not asked."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  ${ROOT-COMMAND-NAME} verify out/quickstart",
            "  ${ROOT-COMMAND-NAME} verify out/quickstart --sample 100000 --seed 7 --json"
        })
final class VerifyCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @SuppressWarnings("NullAway.Init") // required
    @Parameters(paramLabel = "DIR", description = "A results folder.")
    private Location dir;

    @Option(
            names = "--sample",
            paramLabel = "N",
            defaultValue = "1000",
            description = "How many rows, all if there are no more. Default: 1000.")
    private int sample;

    @Option(
            names = "--seed",
            paramLabel = "S",
            defaultValue = "1",
            description = "Another seed, other rows. Default: 1.")
    private long seed;

    @Option(names = "--master", paramLabel = "URL", description = "Spark's master. Default: as for run.")
    private @Nullable String master;

    @Option(names = "--quiet", description = "Show no progress.")
    private boolean quiet;

    @Option(
            names = "--json",
            description = "Print one JSON object: rows, verified, differing, points, points_differing, examples, seed.")
    private boolean json;

    @Override
    public Integer call() throws IOException {
        if (sample < 1) {
            throw new InvalidValueException("--sample: " + sample + " is not at least 1");
        }
        ResultsFolder folder = ResultsFolder.existing(dir);
        StoredRows.requireThisSimulator(folder);
        VerifyJob.Verdict verdict = new VerifyJob(folder, sample, seed)
                .run(master, Progress.styleFor(quiet), spec.commandLine().getErr());
        if (verdict.rows() == 0) {
            throw new InvalidValueException(dir + " holds no runs, so that there is nothing to run again");
        }
        PrintWriter print = spec.commandLine().getOut();
        if (json) {
            Map<String, Object> object = new LinkedHashMap<>();
            object.put("rows", verdict.rows());
            object.put("verified", verdict.verified());
            object.put("differing", verdict.differing());
            object.put("points", verdict.points());
            object.put("points_differing", verdict.pointsDiffering());
            object.put("examples", verdict.examples());
            object.put("seed", seed);
            print.println(Json.of(object));
        } else {
            print.println(verdict.verified() + " of " + verdict.rows() + " rows run again (seed " + seed + "): "
                    + (verdict.differing() == 0
                            ? "all came out as stored, bit for bit"
                            : verdict.differing() + " DIFFER from what is stored"));
            print.println(verdict.points() + " rows of points made again from their stored runs: "
                    + (verdict.pointsDiffering() == 0 ? "all as stored" : verdict.pointsDiffering() + " DIFFER"));
            verdict.examples().forEach(example -> print.println("  " + example));
            if (verdict.differing() > 0) {
                print.println(
                        "`" + BuildInfo.COMMAND + " explain " + dir + " --run KEY` runs one of them with a trace");
            }
        }
        return verdict.differing() + verdict.pointsDiffering() == 0 ? 0 : Errors.CHECK_FAILED;
    }
}
