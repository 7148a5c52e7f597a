package io.github.rhosweep.cli;

import io.github.rhosweep.design.Axis;
import io.github.rhosweep.design.Block;
import io.github.rhosweep.design.ExperimentSpec;
import io.github.rhosweep.design.Fidelity;
import io.github.rhosweep.design.Plan;
import io.github.rhosweep.design.Sampling;
import io.github.rhosweep.report.Json;
import io.github.rhosweep.report.TextTable;
import io.github.rhosweep.run.Price;
import io.github.rhosweep.scenario.Parameter;
import java.io.PrintWriter;
import java.math.BigDecimal;
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

/** {@code plan}: what an experiment would do, without doing it. Needs no Spark. */
@Command(
        name = "plan",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Checks an experiment and tells its size: points, runs, frames, axes, and what is suspicious.",
            "%nNothing is written. The size does not matter: a billion points take seconds."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  ${ROOT-COMMAND-NAME} plan configs/quickstart.yaml",
            "  ${ROOT-COMMAND-NAME} plan configs/full-cartesian.yaml --sweep traffic.flows=2,64 --set traffic.message=4KiB --json",
            "  ${ROOT-COMMAND-NAME} plan configs/full-cartesian.yaml --time"
        })
final class PlanCommand implements Callable<Integer> {
    private static final double TIMED_SECONDS = 8;
    private static final int SHOWN_VALUES = 6;

    @Spec
    private CommandSpec spec;

    @Mixin
    private ExperimentOptions experiment;

    @Option(
            names = "--time",
            description = "Run a few of the points for some seconds and say how long all would take here.")
    private boolean time;

    @Option(
            names = "--json",
            description = "Print one JSON object: points, runs_min, runs_max, frames_min, axes, blocks, lints.")
    private boolean json;

    @Override
    public Integer call() {
        ExperimentSpec design = experiment.read();
        Plan plan = Plan.of(design);
        Price price = time && design.fidelity() != Fidelity.MODELS ? Price.of(design, plan, TIMED_SECONDS) : null;
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.println(Json.of(object(design, plan, price)));
        } else {
            print(out, design, plan, price);
        }
        return 0;
    }

    private static Map<String, Object> object(ExperimentSpec design, Plan plan, @Nullable Price price) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("name", design.name());
        object.put("points", plan.points());
        object.put("runs_min", plan.runsMin());
        object.put("runs_max", plan.runsMax());
        object.put("frames_min", plan.framesMin());
        object.put("axes", axes(design.blocks()));
        List<Object> blocks = new ArrayList<>();
        for (Block block : design.blocks()) {
            Map<String, Object> one = new LinkedHashMap<>();
            one.put("name", block.name());
            one.put("points", block.size());
            one.put("axes", axes(List.of(block)));
            Sampling sampling = block.sampling();
            one.put("design", sampling == null ? "product" : Parameter.label(sampling.kind()));
            blocks.add(one);
        }
        object.put("blocks", blocks);
        List<Object> lints = new ArrayList<>();
        for (Plan.Finding finding : plan.lints()) {
            Map<String, Object> one = new LinkedHashMap<>();
            one.put("id", finding.lint().id());
            one.put("block", finding.block());
            one.put("points", finding.points());
            one.put("of", finding.of());
            one.put("example", finding.example());
            one.put("message", finding.lint().message());
            lints.add(one);
        }
        object.put("lints", lints);
        object.put("lints_unchecked", plan.unchecked());
        if (price != null) {
            object.put("seconds_estimated", price.seconds());
            object.put("ns_per_frame", price.nsPerFrame());
            object.put("processors", price.processors());
        }
        return object;
    }

    private static Map<String, List<Object>> axes(List<Block> blocks) {
        Map<String, List<Object>> axes = new LinkedHashMap<>();
        Plan.axes(blocks)
                .forEach((name, values) -> axes.put(
                        name, values.stream().map(PlanCommand::jsonValue).toList()));
        return axes;
    }

    /** Plain numbers as numbers; quantities, names and linked values as they are written. */
    private static Object jsonValue(String text) {
        try {
            return new BigDecimal(text);
        } catch (NumberFormatException notANumber) {
            return text;
        }
    }

    private static void print(PrintWriter out, ExperimentSpec design, Plan plan, @Nullable Price price) {
        boolean several = design.blocks().size() > 1;
        String runs = plan.runsMin() == plan.runsMax()
                ? grouped(plan.runsMin()) + " runs"
                : grouped(plan.runsMin()) + " to " + grouped(plan.runsMax()) + " runs";
        Double frames = plan.framesMin();
        out.println(design.name() + ": " + grouped(plan.points()) + " points"
                + (several ? " in " + design.blocks().size() + " blocks" : "") + ", " + runs
                + (frames == null || frames == 0
                        ? ""
                        : ", " + (plan.runsMin() == plan.runsMax() ? "about " : "at least ") + frames(frames)
                                + " frames"));
        if (design.size() != design.points()) {
            out.println(grouped(design.size() - design.points()) + " of " + grouped(design.size())
                    + " points occur in two blocks or more; they run once.");
        }
        out.println();
        TextTable table = new TextTable("block", ">points", "axis", ">values", "");
        for (Block block : design.blocks()) {
            String name = block.name();
            String size = grouped(block.size());
            for (Axis axis : block.axes()) {
                table.add(name, size, axis.name(), Integer.toString(axis.size()), values(axis));
                name = "";
                size = "";
            }
            Sampling sampling = block.sampling();
            if (sampling != null) {
                table.add("", "", "design", "", Parameter.label(sampling.kind()) + " of " + grouped(sampling.points()));
            }
            if (block.axes().isEmpty()) {
                table.add(name, size, "-", "", "");
            }
            String where = block.where();
            if (where != null) {
                table.add("", "", "where", "", where);
            }
        }
        table.print(out, "");
        for (Plan.Finding finding : plan.lints()) {
            out.println();
            out.println("warning [" + finding.lint().id() + "] " + (several ? finding.block() + ": " : "")
                    + finding.lint().message());
            out.println("  at " + grouped(finding.points()) + " of " + grouped(finding.of()) + " points"
                    + (finding.example().isEmpty() ? "" : ", such as " + finding.example()));
        }
        if (!plan.unchecked().isEmpty()) {
            out.println();
            out.println("Not looked for, for too many combinations: " + String.join("; ", plan.unchecked()));
        }
        if (price != null) {
            out.println();
            Double seconds = price.seconds();
            out.println(
                    String.format(Locale.ROOT, "Timed %d points: %.0f ns a frame", price.points(), price.nsPerFrame())
                            + (seconds == null
                                    ? ""
                                    : ", so that all takes about " + duration(seconds) + " on " + price.processors()
                                            + " processors" + (plan.runsMin() == plan.runsMax() ? "" : " or more")
                                            + ", Spark's start aside"));
        }
    }

    private static String values(Axis axis) {
        if (axis.sampled()) {
            List<String> groups = axis.groups();
            return String.join(
                    ", ",
                    groups.size() <= SHOWN_VALUES
                            ? groups
                            : List.of(groups.get(0), "... " + groups.get(groups.size() - 1)));
        }
        int size = axis.size();
        int shown = axis.linked() ? 1 : size <= SHOWN_VALUES ? size : 2;
        List<String> values = new ArrayList<>();
        for (int v = 0; v < shown; v++) {
            values.add(axis.text(v));
        }
        if (shown < size) {
            values.add(axis.linked() ? "..." : "... " + axis.text(size - 1));
        }
        return String.join(", ", values);
    }

    private static String grouped(long n) {
        return String.format(Locale.ROOT, "%,d", n);
    }

    private static String frames(double frames) {
        return frames >= 1e12
                ? String.format(Locale.ROOT, "%.2e", frames)
                : frames >= 1e9
                        ? String.format(Locale.ROOT, "%.3g G", frames / 1e9)
                        : frames >= 1e6
                                ? String.format(Locale.ROOT, "%.3g M", frames / 1e6)
                                : String.format(Locale.ROOT, "%,.0f", frames);
    }

    private static String duration(double seconds) {
        return seconds < 100
                ? String.format(Locale.ROOT, "%.0f s", seconds)
                : seconds < 6000
                        ? String.format(Locale.ROOT, "%.0f min", seconds / 60)
                        : String.format(Locale.ROOT, "%.1f h", seconds / 3600);
    }
}
