package io.github.rhosweep.cli;

import io.github.rhosweep.design.DesignPoint;
import io.github.rhosweep.design.ExperimentSpec;
import io.github.rhosweep.design.Screen;
import io.github.rhosweep.report.Json;
import io.github.rhosweep.run.PointRunner;
import io.github.rhosweep.run.PointRunner.Screened;
import io.github.rhosweep.scenario.InvalidValueException;
import io.github.rhosweep.spark.BuildInfo;
import io.github.rhosweep.store.Location;
import java.io.IOException;
import java.io.PrintWriter;
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

/** {@code screen}: models decide what to simulate. */
@Command(
        name = "screen",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Asks the models at every point and simulates only where they flag the point or disagree.",
            "%nWithout --out it only counts. With --out the folder holds predictions of all points and runs of the chosen "
                    + "ones, as `run` of a file with `fidelity: auto` and `screen` gives them."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  ${ROOT-COMMAND-NAME} screen configs/quickstart.yaml",
            "  ${ROOT-COMMAND-NAME} screen configs/quickstart.yaml --models md1,mg1_ps --disagree 0.1 --out out/screened"
        })
final class ScreenCommand implements Callable<Integer> {
    private static final long MOST_COUNTED = 1_000_000;

    @Spec
    private CommandSpec spec;

    @Mixin
    private ExperimentOptions experiment;

    @Option(
            names = "--models",
            split = ",",
            paramLabel = "A,B,...",
            description =
                    "Models whose predictions of message latency are compared. Default: the file's, else mg1,kingman,rr_messages.")
    private List<String> models = new ArrayList<>();

    @Option(
            names = "--disagree",
            paramLabel = "X",
            description =
                    "Simulate where the largest exceeds the smallest by this share. Default: the file's, else 0.25.")
    private @Nullable Double disagree;

    @Option(names = "--out", paramLabel = "DIR", description = "Run, into this results folder.")
    private @Nullable Location out;

    @Mixin
    private SweepOptions sweep;

    @Override
    public Integer call() throws IOException {
        ExperimentSpec given = experiment.read();
        Screen base = given.screen() == null ? Screen.USUAL : given.screen();
        if (models.size() == 1 || disagree != null && !(disagree > 0)) {
            throw new InvalidValueException(
                    models.size() == 1
                            ? "--models: found " + models.get(0) + " alone, expected two models or more"
                            : "--disagree: " + disagree + " is not more than 0");
        }
        Screen screen =
                new Screen(models.isEmpty() ? base.models() : models, disagree == null ? base.disagree() : disagree);
        PointRunner.requireModels(screen);
        ExperimentSpec design = given.screened(screen);
        if (out != null) {
            return sweep.run(spec, design, out, false);
        }
        count(design, screen);
        return 0;
    }

    private void count(ExperimentSpec design, Screen screen) {
        if (design.size() > MOST_COUNTED) {
            throw new InvalidValueException(experiment.file() + ": " + design.size() + " points, more than "
                    + MOST_COUNTED + " are not counted here. Maybe give --out");
        }
        PointRunner runner = new PointRunner(design, (scenario, seed, control, deadline) -> {
            throw new IllegalStateException("nothing is simulated here");
        });
        long flagged = 0;
        long disagreeing = 0;
        long points = 0;
        for (long index = 0; index < design.size(); index++) {
            DesignPoint point = design.point(index);
            if (point.repeated()) {
                continue;
            }
            points++;
            Screened screened = runner.screen(point);
            flagged += screened.flagged() ? 1 : 0;
            disagreeing += screened.disagreeing() && !screened.flagged() ? 1 : 0;
        }
        PrintWriter print = spec.commandLine().getOut();
        if (sweep.json()) {
            Map<String, Object> object = new LinkedHashMap<>();
            object.put("points", points);
            object.put("flagged", flagged);
            object.put("disagreeing", disagreeing);
            object.put("simulate", flagged + disagreeing);
            object.put("models", screen.models());
            object.put("disagree", screen.disagree());
            print.println(Json.of(object));
            return;
        }
        print.println(design.name() + ": " + points + " points, " + (flagged + disagreeing) + " to simulate");
        print.println("  " + flagged
                + " that the models flag (congested, no load known, or an aligned burst beyond the buffer)");
        print.println(String.format(
                Locale.ROOT,
                "  %d more at which %s differ by %.0f%% or more",
                disagreeing,
                String.join(", ", screen.models()),
                100 * screen.disagree()));
        print.println("`" + BuildInfo.COMMAND + " screen " + experiment.file() + " --out DIR` runs them");
    }
}
