package io.github.rhosweep.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.rhosweep.design.DesignPoint;
import io.github.rhosweep.kernel.Simulation;
import io.github.rhosweep.kernel.SwitchTrace;
import io.github.rhosweep.report.Json;
import io.github.rhosweep.result.Row;
import io.github.rhosweep.run.Failures;
import io.github.rhosweep.run.PointRunner;
import io.github.rhosweep.run.StoredPoint;
import io.github.rhosweep.scenario.InvalidValueException;
import io.github.rhosweep.scenario.Quantity;
import io.github.rhosweep.spark.StoredRows;
import io.github.rhosweep.store.Location;
import io.github.rhosweep.store.ResultsFolder;
import io.github.rhosweep.store.Table;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code explain}: one stored run again, with every decision of its switches. */
@Command(
        name = "explain",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Runs one row of a folder again and writes every decision of its switches as CSV.",
            "%nA line is an admission or drop of a frame with the rule and its numbers, a grant with its iSLIP round and the "
                    + "pointers that led to it, or a departure with its marking probability. Says whether the row came out as it "
                    + "is stored, bit for bit; exit code 4 if not."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  ${ROOT-COMMAND-NAME} explain out/quickstart --run 3f2a9c --to 2us",
            "  ${ROOT-COMMAND-NAME} explain out/quickstart --run 3f2a9c --from 10us --to 12us --out out/why.csv"
        })
final class ExplainCommand implements Callable<Integer> {
    private static final String HEADER =
            "time_ns,switch,event,frame,ingress,egress,priority,wire_bytes,queue_bytes,used_bytes,"
                    + "allowed_bytes,round,mark_probability,finish_ns,reason";

    @Spec
    private CommandSpec spec;

    @SuppressWarnings("NullAway.Init") // required
    @Parameters(paramLabel = "DIR", description = "A results folder.")
    private Location dir;

    @SuppressWarnings("NullAway.Init") // required
    @Option(
            names = "--run",
            required = true,
            paramLabel = "KEY",
            description = "Its run_key, or the first digits of it; a point_key means the first replicate.")
    private String run;

    @Option(names = "--from", paramLabel = "TIME", description = "Leave out what happens earlier, such as 10us.")
    private @Nullable String from;

    @Option(names = "--to", paramLabel = "TIME", description = "Leave out what happens from then on.")
    private @Nullable String to;

    @Option(names = "--out", paramLabel = "FILE", description = "Write the CSV there. Default: standard output.")
    private @Nullable Path out;

    @Option(
            names = "--json",
            description =
                    "Print one JSON object: run_key, reproduced, differences, events; the CSV goes to --out alone.")
    private boolean json;

    @Override
    public Integer call() throws IOException {
        long fromPs = from == null ? 0 : picoseconds("--from", from);
        long toPs = to == null ? Long.MAX_VALUE : picoseconds("--to", to);
        if (to != null && fromPs >= toPs) {
            throw new InvalidValueException("--from " + from + " is not before --to " + to);
        }
        ResultsFolder folder = ResultsFolder.existing(dir);
        StoredRows.requireThisSimulator(folder);
        StoredRows.Found stored = StoredRows.find(folder, run);
        PrintWriter print = spec.commandLine().getOut();
        Trace trace = new Trace(fromPs, toPs);
        List<String> differences;
        if (out != null) {
            Path unfinished = out.resolveSibling("." + out.getFileName() + ".tmp");
            try {
                try (Writer writer = Files.newBufferedWriter(unfinished, UTF_8)) {
                    differences = again(folder, stored, trace.into(writer));
                }
                Files.move(unfinished, out, StandardCopyOption.REPLACE_EXISTING);
            } finally {
                Files.deleteIfExists(unfinished);
            }
        } else {
            differences = again(folder, stored, trace.into(json ? Writer.nullWriter() : print));
        }
        tell(stored.row(), trace, differences);
        return differences.isEmpty() ? 0 : Errors.CHECK_FAILED;
    }

    private static long picoseconds(String option, String text) {
        try {
            // No run lasts so long as a long holds.
            return Quantity.TIME
                    .parse(text, false)
                    .movePointRight(3)
                    .setScale(0, RoundingMode.HALF_UP)
                    .min(BigDecimal.valueOf(Long.MAX_VALUE))
                    .max(BigDecimal.ZERO)
                    .longValue();
        } catch (InvalidValueException bad) {
            throw new InvalidValueException(option + ": `" + text + "`, expected a time such as 10us");
        }
    }

    /** Runs the row again; gives what differs. */
    private static List<String> again(ResultsFolder folder, StoredRows.Found stored, Trace trace) throws IOException {
        DesignPoint point = StoredPoint.of(stored.row(), folder::inputOfHash);
        int replicate =
                Math.toIntExact((Long) Objects.requireNonNull(stored.row().get("replicate")));
        PointRunner runner = new PointRunner(point.experiment(), new Simulation(trace)::run);
        List<String> differences;
        try {
            Row now = runner.once(point, replicate).row();
            differences = stored.table() == Table.RUNS
                    ? StoredPoint.differences(stored.row(), now)
                    : List.of("reason: stored " + stored.row().get("reason") + ", now the run succeeds");
        } catch (RuntimeException failure) {
            String reason = Failures.reason(failure);
            if (stored.table() == Table.RUNS) {
                throw failure;
            }
            differences = reason.equals(stored.row().get("reason"))
                    ? List.of()
                    : List.of("reason: stored " + stored.row().get("reason") + ", now " + reason);
        }
        trace.finish();
        return differences;
    }

    private void tell(Row row, Trace trace, List<String> differences) {
        PrintWriter print = spec.commandLine().getOut();
        if (json) {
            Map<String, Object> object = new LinkedHashMap<>();
            object.put("run_key", row.get("run_key"));
            object.put("reproduced", differences.isEmpty());
            object.put("differences", differences);
            object.put("events", trace.lines);
            object.put("out", out == null ? null : out.toString());
            print.println(Json.of(object));
            return;
        }
        // Beside the CSV there is no room on standard output for a person's line.
        PrintWriter words = out == null ? spec.commandLine().getErr() : print;
        print.flush();
        words.println("run " + row.get("run_key") + ": " + trace.lines + " decisions"
                + (out == null ? "" : " in " + out) + "; "
                + (differences.isEmpty()
                        ? "the row came out as stored, bit for bit"
                        : "THE ROW DIFFERS from what is stored:"));
        differences.forEach(difference -> words.println("  " + difference));
        words.flush();
    }

    /** Writes what falls into the window. */
    private static final class Trace implements SwitchTrace {
        private final long fromPs;
        private final long toPs;
        private @Nullable Writer writer;
        private @Nullable IOException broken;
        private long lines;

        Trace(long fromPs, long toPs) {
            this.fromPs = fromPs;
            this.toPs = toPs;
        }

        Trace into(Writer target) throws IOException {
            writer = target;
            target.write(HEADER);
            target.write('\n');
            return this;
        }

        @Override
        public void decided(Event e) {
            if (e.timePs() < fromPs || e.timePs() >= toPs || broken != null) {
                return;
            }
            lines++;
            String line = ns(e.timePs()) + "," + e.switchNumber() + ","
                    + e.kind().label() + "," + e.frame() + ","
                    + e.ingress() + "," + e.egress() + "," + e.priority() + "," + e.wireBytes() + "," + e.queueBytes()
                    + "," + e.usedBytes() + "," + text(e.allowedBytes()) + "," + text(e.round()) + ","
                    + text(e.markProbability()) + "," + (e.finishPs() == null ? "" : ns(e.finishPs())) + ",\""
                    + e.reason() + "\"\n";
            try {
                Objects.requireNonNull(writer).write(line);
            } catch (IOException full) {
                broken = full; // thrown when the run is over: the simulator knows nothing of files
            }
        }

        void finish() throws IOException {
            if (broken != null) {
                throw broken;
            }
            Objects.requireNonNull(writer).flush();
        }

        private static String ns(long ps) {
            return String.format(Locale.ROOT, "%d.%03d", ps / 1000, ps % 1000);
        }

        private static String text(@Nullable Object value) {
            return value == null
                    ? ""
                    : value instanceof Double d
                            ? BigDecimal.valueOf(d).stripTrailingZeros().toPlainString()
                            : value.toString();
        }
    }
}
