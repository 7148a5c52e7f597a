package io.github.rhosweep.cli;

import io.github.rhosweep.report.Json;
import io.github.rhosweep.store.Compaction;
import io.github.rhosweep.store.Location;
import io.github.rhosweep.store.ResultsFolder;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code compact}: few large files in place of many small ones. */
@Command(
        name = "compact",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Rewrites a folder's many small files into few large ones; no row is changed or dropped.",
            "%nIf it is killed, the folder is as before or as after; the next run or compact removes what is left over. Other "
                    + "programs that read the folder meanwhile may see rows twice."
        },
        footerHeading = "%nExample:%n",
        footer = "  ${ROOT-COMMAND-NAME} compact out/quickstart")
final class CompactCommand implements Callable<Integer> {
    private static final long ROWS_PER_FILE = 100_000;

    @Spec
    private CommandSpec spec;

    @SuppressWarnings("NullAway.Init") // required
    @Parameters(paramLabel = "DIR", description = "A results folder.")
    private Location dir;

    @Option(names = "--json", description = "Print one JSON object: files_before, files_after, rows.")
    private boolean json;

    @Override
    public Integer call() throws IOException {
        Compaction.Result result = new Compaction(ResultsFolder.existing(dir), ROWS_PER_FILE).run();
        if (json) {
            Map<String, Object> object = new LinkedHashMap<>();
            object.put("files_before", result.before());
            object.put("files_after", result.after());
            object.put("rows", result.rows());
            spec.commandLine().getOut().println(Json.of(object));
        } else {
            spec.commandLine()
                    .getOut()
                    .println(result.before() + " files are " + result.after() + " now, with the same " + result.rows()
                            + " rows");
        }
        return 0;
    }
}
