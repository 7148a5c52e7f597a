package io.github.rhosweep.cli;

import io.github.rhosweep.design.DesignPoint;
import io.github.rhosweep.design.ExperimentSpec;
import io.github.rhosweep.kernel.Simulation;
import io.github.rhosweep.model.AnalyticModel;
import io.github.rhosweep.model.Models;
import io.github.rhosweep.model.Target;
import io.github.rhosweep.report.Json;
import io.github.rhosweep.report.TextTable;
import io.github.rhosweep.result.Metric;
import io.github.rhosweep.result.Recording;
import io.github.rhosweep.result.Row;
import io.github.rhosweep.run.PointRunner;
import io.github.rhosweep.run.PointRunner.Single;
import io.github.rhosweep.scenario.InvalidValueException;
import io.github.rhosweep.scenario.Parameter;
import io.github.rhosweep.scenario.Parameters;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code once}: one point, its row. */
@Command(
        name = "once",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Runs one replicate of one point and prints its row, predictions beside what was measured.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  ${ROOT-COMMAND-NAME} once point.yaml --set traffic.load=0.9",
            "  ${ROOT-COMMAND-NAME} once configs/incast.yaml --sweep traffic.flows=8 --sweep traffic.message=64KiB \\",
            "      --sweep traffic.load=0.7 --stats",
            "  ${ROOT-COMMAND-NAME} once matrix.yaml --set traffic.file=incast.cm --flows flows.csv"
        })
final class OnceCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private ExperimentOptions experiment;

    @Option(names = "--replicate", defaultValue = "1", paramLabel = "K", description = "Which replicate. Default: 1.")
    private int replicate;

    @Option(names = "--stats", description = "Print the switch's counters under their names in the design, too.")
    private boolean stats;

    @Option(
            names = "--flows",
            paramLabel = "CSV",
            description =
                    "Write a line a flow: id, src, dst, bytes, start_ns, completion_ns, retransmitted_frames, lost.")
    private @Nullable Path flows;

    @Option(
            names = "--series",
            paramLabel = "CSV",
            description = "Write queues, buffer fill, rates and pauses over time, every record.series_interval.")
    private @Nullable Path series;

    @Option(names = "--json", description = "Print one JSON object: from a column of `runs` to its value.")
    private boolean json;

    @Override
    public Integer call() throws IOException {
        List<String> kept = new ArrayList<>();
        if (flows != null) {
            kept.add("record.flows=true");
        }
        if (series != null) {
            kept.add("record.series=true");
        }
        ExperimentSpec design = experiment.read(kept);
        if (design.size() != 1) {
            throw new InvalidValueException(experiment.file() + ": " + design.size()
                    + " points, `once` runs one. Maybe give each axis one value: " + example(design));
        }
        if (replicate < 1) {
            throw new InvalidValueException("--replicate: " + replicate + " is not at least 1");
        }
        DesignPoint point = design.point(0);
        Simulation simulation = new Simulation();
        Single single = new PointRunner(design, simulation::run).once(point, replicate);
        Recording recording = single.result().recording();
        if (flows != null && recording != null && recording.flows() != null) {
            RecordingFiles.write(recording.flows(), flows);
        }
        if (series != null && recording != null && recording.series() != null) {
            RecordingFiles.write(recording.series(), series);
        }
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            Map<String, @Nullable Object> object = new LinkedHashMap<>();
            for (int i = 0; i < single.row().values().length; i++) {
                object.put(single.row().columns().get(i).name(), single.row().values()[i]);
            }
            if (stats) {
                object.put("stats", statistics(single));
            }
            out.println(Json.of(object));
        } else {
            print(single, out);
        }
        return 0;
    }

    private static String example(ExperimentSpec design) {
        StringBuilder example = new StringBuilder();
        design.point(0).axisValues().forEach((axis, value) -> {
            if (Parameters.isKnown(axis)) {
                example.append(" --sweep ").append(axis).append('=').append(value.replace(" ", ""));
            }
        });
        return example.toString().strip();
    }

    private static Map<String, Long> statistics(Single single) {
        Map<String, Long> values = new LinkedHashMap<>();
        var counters = single.result().switchCounters();
        if (counters != null) {
            counters.byDesignName().forEach((name, value) -> values.put("switch.0." + name, value));
        }
        return values;
    }

    private void print(Single single, PrintWriter out) {
        Row row = single.row();
        out.println("run " + row.get("run_key") + " (replicate " + row.get("replicate") + ", seed "
                + Long.toUnsignedString((Long) java.util.Objects.requireNonNull(row.get("run_seed"))) + ")");
        out.println();
        out.println("Parameters");
        TextTable parameters = new TextTable("  parameter", "value", "unit");
        for (Parameter<?> parameter : Parameters.all()) {
            Object value = row.get(parameter.column());
            if (value != null) {
                parameters.add("  " + parameter.path(), text(value), parameter.unit());
            }
        }
        parameters.print(out, "");

        out.println();
        out.println("Counted and measured");
        TextTable measured = new TextTable("  column", ">value", "unit");
        for (Metric metric : Metric.values()) {
            Object value = row.get(metric.column().name());
            if (value != null) {
                measured.add(
                        "  " + metric.column().name(),
                        text(value),
                        metric.column().unit());
            }
        }
        measured.print(out, "");

        out.println();
        out.println("Predicted (regime " + text(row.get("regime")) + ", verify_by_simulation "
                + text(row.get("verify_by_simulation")) + ")");
        TextTable predicted = new TextTable("  column", ">predicted", ">measured", ">error", "unit");
        int without = 0;
        for (AnalyticModel model : Models.all()) {
            for (Target target : model.targets()) {
                String column = Models.column(model, target);
                Object value = row.get(column);
                if (value == null) {
                    without++;
                    continue;
                }
                Object truth = target.measuredColumn().isEmpty() ? null : row.get(target.measuredColumn());
                predicted.add("  " + column, text(value), text(truth), error(value, truth), target.unit());
            }
        }
        predicted.print(out, "");
        if (without > 0) {
            out.println("  (" + without + " more have no value here)");
        }
        if (stats) {
            out.println();
            out.println("Switch");
            statistics(single).forEach((name, value) -> out.println("  " + name + " = " + value));
        }
        out.println();
        out.println(String.format(
                Locale.ROOT,
                "took %.3f s of CPU",
                ((Number) java.util.Objects.requireNonNull(row.get("cpu_ns"))).doubleValue() / 1e9));
    }

    private static String error(Object predicted, @Nullable Object measured) {
        if (!(predicted instanceof Number p) || !(measured instanceof Number m) || m.doubleValue() == 0) {
            return "";
        }
        return String.format(Locale.ROOT, "%+.1f%%", 100 * (p.doubleValue() - m.doubleValue()) / m.doubleValue());
    }

    /** All digits of what is counted, six significant ones of what is measured. */
    private static String text(@Nullable Object value) {
        if (value == null) {
            return "-";
        }
        if (value instanceof Double d) {
            double size = Math.abs(d);
            if (size != 0 && (size < 1e-4 || size >= 1e15)) {
                return String.format(Locale.ROOT, "%.5e", d);
            }
            return d == Math.rint(d)
                    ? String.format(Locale.ROOT, "%.0f", d)
                    : new java.math.BigDecimal(d)
                            .round(new java.math.MathContext(6))
                            .stripTrailingZeros()
                            .toPlainString();
        }
        return value.toString();
    }
}
