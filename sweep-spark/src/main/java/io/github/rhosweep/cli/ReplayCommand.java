package io.github.rhosweep.cli;

import io.github.rhosweep.kernel.Replay;
import io.github.rhosweep.report.Json;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code replay}: recorded traces through one switch. */
@Command(
        name = "replay",
        mixinStandardHelpOptions = true,
        description = "Feeds recorded traces to a switch and writes what became of each frame.",
        footerHeading = "%nA CASE_DIR holds switch.yaml (the switch's settings) and trace.csv (its arrivals). For each,"
                + " --out gets a folder of the same name with outcome.csv and counters.json.%n%nExample:%n",
        footer = "  ${ROOT-COMMAND-NAME} replay cases/incast cases/pause --out outcomes")
final class ReplayCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "CASE_DIR", arity = "1..*", description = "Folders with switch.yaml and trace.csv.")
    private List<Path> cases;

    @SuppressWarnings("NullAway.Init") // required
    @Option(names = "--out", required = true, paramLabel = "DIR", description = "Where the outcomes go.")
    private Path out;

    @Option(names = "--json", description = "Print one JSON object: the number of cases and the folder.")
    private boolean json;

    @Override
    public Integer call() throws IOException {
        Replay.replayAll(cases, out);
        var print = spec.commandLine().getOut();
        if (json) {
            print.println(Json.of(java.util.Map.of("cases", cases.size(), "out", out.toString())));
        } else {
            print.println(cases.size() + (cases.size() == 1 ? " case" : " cases") + " replayed into " + out);
        }
        return 0;
    }
}
