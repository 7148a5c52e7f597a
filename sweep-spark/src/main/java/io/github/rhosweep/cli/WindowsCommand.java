package io.github.rhosweep.cli;

import io.github.rhosweep.design.WindowsSpec;
import io.github.rhosweep.model.StartTimes;
import io.github.rhosweep.model.StartTimes.Start;
import io.github.rhosweep.model.StartTimes.Transfer;
import io.github.rhosweep.report.Json;
import io.github.rhosweep.report.TextTable;
import io.github.rhosweep.result.Column;
import io.github.rhosweep.result.Metric;
import io.github.rhosweep.scenario.InvalidValueException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code windows}: ranks start times of transfers by what alma predicts at the links' utilisations. */
@Command(
        name = "windows",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Ranks the times at which transfers may start by how long they would take beside what others send meanwhile.",
            "%nThe others' traffic is given by windows with a load each, or as flows of a file. From it follow the "
                    + "utilisations of links, from these waits and the rate that is left (model alma). Nothing is simulated; "
                    + "each transfer is looked at alone."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  ${ROOT-COMMAND-NAME} windows configs/windows/checkpoint.yaml",
            "  ${ROOT-COMMAND-NAME} windows configs/windows/checkpoint.yaml --by end --best 3",
            "  ${ROOT-COMMAND-NAME} windows configs/windows/checkpoint.yaml --json"
        })
final class WindowsCommand implements Callable<Integer> {
    enum By {
        DURATION,
        END
    }

    @Spec
    private CommandSpec spec;

    @SuppressWarnings("NullAway.Init") // required
    @Parameters(paramLabel = "FILE", description = "Fabric, windows, transfers and starts: see docs/experiments.md.")
    private Path file;

    @Option(
            names = "--by",
            paramLabel = "duration|end",
            description =
                    "Best is the start from which the transfer takes shortest, or from which it is complete earliest. Default: duration.")
    private By by = By.DURATION;

    @Option(names = "--best", paramLabel = "N", description = "Print the best N starts alone.")
    private @Nullable Integer best;

    @Option(names = "--json", description = "Print one JSON object.")
    private boolean json;

    @Override
    public Integer call() {
        if (best != null && best < 1) {
            throw new InvalidValueException("--best: found " + best + ", expected 1 or more");
        }
        WindowsSpec windows = WindowsSpec.read(
                file, Metric.columns().stream().map(Column::name).toList());
        List<Transfer> transfers = windows.transfers().stream()
                .map(t -> new Transfer(t.source(), t.destination(), t.bytes()))
                .toList();
        StartTimes times = times(windows, transfers);
        List<Map<String, Object>> ranked = new ArrayList<>();
        PrintWriter print = spec.commandLine().getOut();
        for (int i = 0; i < transfers.size(); i++) {
            Transfer transfer = transfers.get(i);
            List<Start> starts = new ArrayList<>();
            for (long start : windows.startsPs()) {
                starts.add(times.at(transfer, start));
            }
            starts.sort(order());
            List<Start> shown = best == null ? starts : starts.subList(0, Math.min(best, starts.size()));
            double idleNs = times.idleNs(transfer);
            if (json) {
                ranked.add(object(windows.transfers().get(i), idleNs, shown));
            } else {
                print(print, windows.transfers().get(i), idleNs, shown);
            }
        }
        if (json) {
            Map<String, Object> object = new LinkedHashMap<>();
            object.put("name", windows.name());
            object.put("by", by.name().toLowerCase(Locale.ROOT));
            object.put("transfers", ranked);
            print.println(Json.of(object));
        }
        return 0;
    }

    private StartTimes times(WindowsSpec windows, List<Transfer> transfers) {
        try {
            Long length = windows.windowPs();
            return length == null
                    ? StartTimes.of(
                            windows.windows().stream()
                                    .map(w -> new StartTimes.Window(w.fromPs(), w.scenario()))
                                    .toList(),
                            transfers)
                    : StartTimes.ofFlows(windows.windows().get(0).scenario(), length, transfers);
        } catch (InvalidValueException bad) {
            throw new InvalidValueException(file + ": " + bad.getMessage());
        }
    }

    /** Best first; of equals the earlier. Starts without a prediction come last. */
    private Comparator<Start> order() {
        return Comparator.comparing((Start s) -> s.reason() != null)
                .thenComparingDouble(s -> s.reason() != null ? 0 : by == By.END ? endNs(s) : s.durationNs())
                .thenComparingLong(Start::startPs);
    }

    private static double endNs(Start start) {
        return start.startPs() / 1e3 + start.durationNs();
    }

    private static Map<String, Object> object(WindowsSpec.Transfer transfer, double idleNs, List<Start> starts) {
        List<Map<String, Object>> list = new ArrayList<>();
        for (Start start : starts) {
            boolean known = start.reason() == null;
            Map<String, @Nullable Object> one = new LinkedHashMap<>();
            one.put("rank", known ? list.size() + 1 : null);
            one.put("start_ns", start.startPs() / 1e3);
            one.put("duration_ns", known ? start.durationNs() : null);
            one.put("end_ns", known ? endNs(start) : null);
            one.put("slowdown", known ? start.durationNs() / idleNs : null);
            one.put("highest_load", start.highestLoad());
            one.put("null_reason", start.reason());
            list.add(one);
        }
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("name", transfer.name());
        object.put("src", transfer.source());
        object.put("dst", transfer.destination());
        object.put("bytes", transfer.bytes());
        object.put("idle_ns", idleNs);
        object.put("starts", list);
        return object;
    }

    private static void print(PrintWriter print, WindowsSpec.Transfer transfer, double idleNs, List<Start> starts) {
        print.println(transfer.name() + ": " + transfer.bytes() + " B from host " + transfer.source() + " to host "
                + transfer.destination() + ", " + TextTable.number(idleNs / 1e3) + " us through the idle fabric");
        TextTable table =
                new TextTable(">rank", ">start us", ">takes us", ">ends us", ">slowdown", ">highest load", "");
        int rank = 1;
        for (Start start : starts) {
            boolean known = start.reason() == null;
            table.add(
                    known ? Integer.toString(rank++) : "-",
                    TextTable.number(start.startPs() / 1e6),
                    TextTable.number(known ? start.durationNs() / 1e3 : null),
                    TextTable.number(known ? endNs(start) / 1e3 : null),
                    TextTable.number(known ? start.durationNs() / idleNs : null),
                    TextTable.number(start.highestLoad()),
                    start.reason() == null ? "" : start.reason());
        }
        table.print(print, "  ");
    }
}
