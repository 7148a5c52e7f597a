package io.github.rhosweep.cli;

import io.github.rhosweep.design.ExperimentSpec;
import io.github.rhosweep.report.HtmlReport;
import io.github.rhosweep.report.Json;
import io.github.rhosweep.report.TextTable;
import io.github.rhosweep.scenario.InvalidValueException;
import io.github.rhosweep.spark.BuildInfo;
import io.github.rhosweep.store.Location;
import io.github.rhosweep.store.ResultsFolder;
import io.github.rhosweep.summary.Pages;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code report}: a page of charts and tables. */
@Command(
        name = "report",
        mixinStandardHelpOptions = true,
        description = {
            "Writes a results folder up as one HTML file that needs no network.",
            "%nWhat each axis changed, curves with intervals, heat maps, how far models are off and which to trust where, the "
                    + "points to look at closer, failures and provenance."
        },
        footerHeading = "%nExample:%n",
        footer = "  ${ROOT-COMMAND-NAME} report out/quickstart --out report.html")
final class ReportCommand implements Callable<Integer> {
    /** Of a run's beginning; a whole one may be a million lines. */
    private static final String EXPLAINED = "10us";

    @Spec
    private CommandSpec spec;

    @SuppressWarnings("NullAway.Init") // required
    @Parameters(paramLabel = "DIR", description = "A results folder.")
    private Location dir;

    @SuppressWarnings("NullAway.Init") // required
    @Option(
            names = {"-o", "--out"},
            required = true,
            paramLabel = "FILE",
            description = "The page: a .html file.")
    private Path out;

    @Option(names = "--json", description = "Print one JSON object: the file, its size, how many charts it has.")
    private boolean json;

    @Override
    public Integer call() throws IOException {
        Path parent = out.toAbsolutePath().getParent();
        if (parent == null || !Files.isDirectory(parent)) {
            throw new InvalidValueException("--out " + out + ": there is no folder " + parent);
        }
        ResultsFolder folder = ResultsFolder.existing(dir);
        ExperimentSpec experiment = ExperimentSpec.ofEffective(folder.readText("effective.yaml"), folder.inputFiles());
        String explain = BuildInfo.COMMAND + " explain " + BuildInfo.quoted(dir.toString()) + " --run ";
        HtmlReport report = Pages.of(experiment, folder, run -> explain + run + " --to " + EXPLAINED);
        report.write(out);
        long charts =
                report.sections().stream().mapToLong(s -> s.charts().size()).sum();
        if (json) {
            Map<String, Object> object = new LinkedHashMap<>();
            object.put("file", out.toString());
            object.put("bytes", Files.size(out));
            object.put("charts", charts);
            spec.commandLine().getOut().println(Json.of(object));
        } else {
            spec.commandLine()
                    .getOut()
                    .println(out + ": " + charts + " charts, " + TextTable.number(Files.size(out) / 1e6)
                            + " MB. Open it in a browser.");
        }
        return 0;
    }
}
