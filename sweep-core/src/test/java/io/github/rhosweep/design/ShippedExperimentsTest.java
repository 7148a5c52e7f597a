package io.github.rhosweep.design;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rhosweep.kernel.ControlVariate;
import io.github.rhosweep.kernel.Simulation;
import io.github.rhosweep.result.Column;
import io.github.rhosweep.result.Metric;
import io.github.rhosweep.result.RunResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ShippedExperimentsTest {
    private static final Path CONFIGS = Path.of("..", "configs");
    private static final List<String> METRICS =
            Metric.columns().stream().map(Column::name).toList();

    static List<Path> files() throws IOException {
        try (Stream<Path> own = Files.list(CONFIGS);
                Stream<Path> calibration = Files.list(CONFIGS.resolve("calibration"))) {
            return Stream.concat(own, calibration)
                    // Claims hold experiments, but are none.
                    .filter(f -> f.toString().endsWith(".yaml") && !f.endsWith("claims.yaml"))
                    .sorted()
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("files")
    void experiment_isValidAndNamedLikeItsFile(Path file) {
        ExperimentSpec experiment = ExperimentSpec.read(file, Overrides.NONE, METRICS);
        assertThat(experiment.name() + ".yaml").isEqualTo(String.valueOf(file.getFileName()));
        assertThat(Plan.of(experiment).unchecked()).isEmpty();
    }

    static List<Path> presets() throws IOException {
        try (Stream<Path> files = Files.list(CONFIGS.resolve("presets"))) {
            return files.sorted().toList();
        }
    }

    /** By name, from the class path, as a user's experiment would take it. */
    @ParameterizedTest
    @MethodSource("presets")
    void preset_makesAPointByItself(Path file, @TempDir Path folder) throws IOException {
        String name = String.valueOf(file.getFileName()).replace(".yaml", "");
        Path experiment = Files.writeString(folder.resolve("e.yaml"), "name: e\npresets: [" + name + "]\n");
        ExperimentSpec spec = ExperimentSpec.read(experiment, Overrides.NONE, METRICS);
        assertThat(spec.size()).isEqualTo(1);
        assertThat(Simulation.run(spec.point(0).scenario(), spec.point(0).runSeed(1), ControlVariate.NONE)
                        .totals()
                        .deliveredMessages())
                .isPositive();
    }

    @ParameterizedTest
    @ValueSource(strings = {"README.md", "docs/experiments.md"})
    void documentedExperiment_isValid(String document, @TempDir Path dir) throws IOException {
        String text = Files.readString(Path.of("..").resolve(document))
                .split("```yaml\n", 2)[1]
                .split("```", 2)[0];
        Path file = Files.writeString(dir.resolve("documented.yaml"), text);
        assertThat(Plan.of(ExperimentSpec.read(file, Overrides.NONE, METRICS)).points())
                .isGreaterThan(1);
    }

    @Test
    void quickstart_isLargeEnoughAndSmallEnough_andHasNothingSuspicious() {
        Plan plan = Plan.of(read("quickstart.yaml"));
        assertThat(plan.points()).isGreaterThanOrEqualTo(500);
        assertThat(plan.framesMin()).isLessThan(250e6);
        assertThat(plan.lints()).isEmpty();
    }

    /** No axis of theirs is known to be idle. */
    @ParameterizedTest
    @ValueSource(strings = {"alltoall-moe", "ring-cross-spine", "pipeline-overlap", "tenant-interference"})
    void experimentOfClosedPatterns_hasNothingSuspicious(String name) {
        assertThat(Plan.of(read(name + ".yaml")).lints()).isEmpty();
    }

    @Test
    void fullCartesian_isAHundredThousandRuns_andSaysWhichAxisIsIdleWhere() {
        Plan plan = Plan.of(read("full-cartesian.yaml"));
        assertThat(plan.runsMin()).isGreaterThanOrEqualTo(100_000);
        assertThat(plan.lints()).anySatisfy(finding -> {
            assertThat(finding.lint()).isEqualTo(Lint.ITERATIONS_INERT);
            assertThat(finding.points()).isEqualTo(plan.points() / 2);
            assertThat(finding.example()).isEqualTo("traffic.pattern = incast");
        });
    }

    /** A point counts as moved if some other value of the axis, all else equal, gives another row. */
    @Test
    @Tag("integration")
    void quickstart_everyAxisMovesSomethingAtAFifthOfItsPoints() {
        ExperimentSpec experiment = read("quickstart.yaml");
        // These repeat what was asked for.
        Set<Metric> echoes = Set.of(Metric.LINK_UNLIMITED, Metric.RUN_KIND);
        List<List<String>> rows = IntStream.range(0, (int) experiment.size())
                .parallel()
                .mapToObj(experiment::point)
                .map(point -> {
                    RunResult result = Simulation.run(point.scenario(), point.runSeed(1), ControlVariate.NONE);
                    List<String> row = new ArrayList<>();
                    for (Metric metric : Metric.values()) {
                        row.add(echoes.contains(metric) ? "" : String.valueOf(metric.of(result)));
                    }
                    return row;
                })
                .toList();
        Map<String, Map<Map<String, String>, List<List<String>>>> groups = new LinkedHashMap<>();
        for (int i = 0; i < rows.size(); i++) {
            DesignPoint point = experiment.point(i);
            for (String axis : point.axisValues().keySet()) {
                Map<String, String> others = new LinkedHashMap<>(point.axisValues());
                others.remove(axis);
                groups.computeIfAbsent(point.block().name() + ": " + axis, name -> new LinkedHashMap<>())
                        .computeIfAbsent(others, values -> new ArrayList<>())
                        .add(rows.get(i));
            }
        }
        groups.forEach((axis, sameElse) -> {
            long points = sameElse.values().stream().mapToLong(List::size).sum();
            long moved = sameElse.values().stream()
                    .filter(group -> group.stream().distinct().count() > 1)
                    .mapToLong(List::size)
                    .sum();
            assertThat((double) moved / points)
                    .as("share of points that %s moves", axis)
                    .isGreaterThanOrEqualTo(0.2);
        });
    }

    private static ExperimentSpec read(String name) {
        return ExperimentSpec.read(CONFIGS.resolve(name), Overrides.NONE, METRICS);
    }
}
