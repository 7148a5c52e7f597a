package io.github.rhosweep.design;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rhosweep.scenario.InputFiles;
import io.github.rhosweep.scenario.InvalidFileException;
import io.github.rhosweep.scenario.SwitchSpec;
import io.github.rhosweep.scenario.TrafficSpec;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.apache.commons.math3.random.SobolSequenceGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Designs that are no products. */
class SamplingTest {

    @TempDir
    private Path dir;

    private ExperimentSpec read(String yaml) throws IOException {
        Path file = dir.resolve("design.yaml");
        Files.writeString(file, yaml);
        return ExperimentSpec.read(file, Overrides.NONE, List.of("message_latency_mean_ns"));
    }

    private ExperimentSpec design(String kind, int points, String axes) throws IOException {
        return read("design: {kind: " + kind + ", points: " + points + "}\nsweep:\n" + axes);
    }

    private static final String THREE = """
              traffic.load: {from: 0.1, to: 0.9}
              switch.alpha: {from: 0.25, to: 8, scale: log}
              link.latency: {from: 100 ns, to: 2 us}
            """;

    private static List<String> keys(ExperimentSpec experiment) {
        return LongStream.range(0, experiment.size())
                .mapToObj(i -> experiment.point(i).key())
                .toList();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7, 100, 1000})
    void latinHypercube_hasOnePointInEachStratumOfEachAxis(int n) throws IOException {
        ExperimentSpec experiment = design("latin-hypercube", n, THREE);
        assertThat(experiment.size()).isEqualTo(n);
        Set<Integer> loads = new HashSet<>();
        Set<Integer> alphas = new HashSet<>();
        for (long i = 0; i < n; i++) {
            DesignPoint point = experiment.point(i);
            double load = point.params().get(TrafficSpec.LOAD).doubleValue();
            double alpha = point.params().get(SwitchSpec.ALPHA).doubleValue();
            loads.add((int) Math.floor((load - 0.1) / 0.8 * n));
            alphas.add((int) Math.floor(Math.log(alpha / 0.25) / Math.log(32) * n));
        }
        assertThat(loads).hasSize(n).allMatch(s -> s >= 0 && s < n);
        assertThat(alphas).hasSize(n).allMatch(s -> s >= 0 && s < n);
    }

    /** The axes of a hypercube are not in step: the correlation of two independent permutations has deviation 1 / sqrt(n - 1). */
    @Test
    void latinHypercube_axesAreIndependent() throws IOException {
        int n = 1000;
        ExperimentSpec experiment = design("latin-hypercube", n, THREE);
        double sum = 0;
        for (long i = 0; i < n; i++) {
            DesignPoint point = experiment.point(i);
            double x = (point.params().get(TrafficSpec.LOAD).doubleValue() - 0.5) / 0.8;
            double y = Math.log(point.params().get(SwitchSpec.ALPHA).doubleValue() / 0.25) / Math.log(32) - 0.5;
            sum += x * y;
        }
        assertThat(sum / n * 12).isBetween(-4 / Math.sqrt(n - 1), 4 / Math.sqrt(n - 1));
    }

    @Test
    void sobol_isTheLibrarysSequence_whateverTheOrderOfAsking() {
        SobolSequenceGenerator library = new SobolSequenceGenerator(20);
        Sampling sampling = new Sampling(Sampling.Kind.SOBOL, 5000, 0);
        List<Sampling.Coordinates> axes = new ArrayList<>();
        for (int dimension = 0; dimension < 20; dimension++) {
            axes.add(sampling.coordinates("axis", dimension));
        }
        for (int point = 0; point < 5000; point++) {
            double[] theirs = library.nextVector();
            for (int dimension = 19; dimension >= 0; dimension--) {
                assertThat(axes.get(dimension).at(point)).isEqualTo(theirs[dimension]);
            }
        }
    }

    @Test
    void sobol_beyondItsDimensions_isRefused() {
        Sampling sampling = new Sampling(Sampling.Kind.SOBOL, 10, 0);
        assertThat(sampling.coordinates("last", 999).at(1)).isEqualTo(0.5);
        assertThatThrownBy(() -> sampling.coordinates("beyond", 1000))
                .hasMessage("found 1001 axes, expected at most 1000, the dimensions of the Sobol sequence."
                        + " Maybe kind latin-hypercube");
    }

    @ParameterizedTest
    @CsvSource({"latin-hypercube,5000", "sobol,5000", "random,5000"})
    void points_areDistinctOnEveryAxis(String kind, int n) throws IOException {
        ExperimentSpec experiment = design(kind, n, THREE);
        assertThat(new HashSet<>(keys(experiment))).hasSize(n);
        assertThat(experiment.points()).isEqualTo(n);
        for (String axis : List.of("traffic.load", "switch.alpha", "link.latency")) {
            assertThat(LongStream.range(0, n)
                            .mapToObj(i -> experiment.point(i).axisValues().get(axis))
                            .distinct())
                    .hasSize(n);
        }
    }

    @ParameterizedTest
    @EnumSource(Sampling.Kind.class)
    void points_comeBackFromTheEffectiveFile_andFromSerialization(Sampling.Kind kind) throws Exception {
        ExperimentSpec experiment = design(
                kind.name().toLowerCase(java.util.Locale.ROOT).replace('_', '-'),
                50,
                THREE + "  traffic.flows: [2, 4, 8]\n  link:\n  - {switch.ecn_kmin: 0.1, switch.ecn_pmax: 0.5}\n"
                        + "  - {switch.ecn_kmin: 0.3, switch.ecn_pmax: 1}\n");
        assertThat(keys(ExperimentSpec.ofEffective(experiment.effectiveYaml(), InputFiles.ON_DISK)))
                .isEqualTo(keys(experiment));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(experiment);
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            assertThat(keys((ExperimentSpec) in.readObject())).isEqualTo(keys(experiment));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"sobol", "random"})
    void morePoints_keepTheFirstOnes(String kind) throws IOException {
        List<String> few = keys(design(kind, 40, THREE));
        assertThat(keys(design(kind, 100, THREE)).subList(0, 40)).isEqualTo(few);
    }

    @Test
    void anotherSeed_drawsOtherPoints_anotherAxisDoesNot() throws IOException {
        List<String> loads = loads(design("random", 20, THREE));
        assertThat(loads(design("random", 20, "  traffic.load: {from: 0.1, to: 0.9}\n")))
                .isEqualTo(loads);
        assertThat(loads(read("design: {kind: random, points: 20, seed: 1}\nsweep:\n" + THREE)))
                .doesNotContainAnyElementsOf(loads);
    }

    private static List<String> loads(ExperimentSpec experiment) {
        return LongStream.range(0, experiment.size())
                .mapToObj(i -> String.valueOf(experiment.point(i).axisValues().get("traffic.load")))
                .toList();
    }

    @Test
    void discreteAxes_areBalanced() throws IOException {
        ExperimentSpec experiment = design(
                "latin-hypercube",
                100,
                "  traffic.load: {from: 0.1, to: 0.9}\n  traffic.flows: {from: 2, to: 5}\n  traffic.arrivals: [poisson, periodic, batch]\n");
        assertThat(counts(experiment, "traffic.flows"))
                .containsExactly(Map.entry("2", 25), Map.entry("3", 25), Map.entry("4", 25), Map.entry("5", 25));
        assertThat(counts(experiment, "traffic.arrivals").values()).allMatch(c -> c == 33 || c == 34);
    }

    private static Map<String, Integer> counts(ExperimentSpec experiment, String axis) {
        Map<String, Integer> counts = new TreeMap<>();
        for (long i = 0; i < experiment.size(); i++) {
            counts.merge(String.valueOf(experiment.point(i).axisValues().get(axis)), 1, Integer::sum);
        }
        return counts;
    }

    @Test
    void pointsOfFewChoices_runOnce() throws IOException {
        ExperimentSpec experiment = design("random", 12, "  traffic.flows: {from: 2, to: 7}\n  switch.alpha: [1, 2]\n");
        List<String> keys = keys(experiment);
        assertThat(keys).hasSizeLessThan(12).doesNotHaveDuplicates();
        assertThat(experiment.points()).isEqualTo(keys.size());
        assertThatThrownBy(() -> design("random", 13, "  traffic.flows: {from: 2, to: 7}\n  switch.alpha: [1, 2]\n"))
                .isInstanceOf(InvalidFileException.class)
                .hasMessageContaining("design: found 13 points, but the axes have only 12 combinations");
    }

    @Test
    void where_keepsThePointsThatItHoldsFor() throws IOException {
        String half = "where: traffic.load * 8 < switch.alpha\ndesign: {kind: sobol, points: 200}\nsweep:\n" + THREE;
        ExperimentSpec some = read(half);
        ExperimentSpec all = design("sobol", 200, THREE);
        List<String> expected = LongStream.range(0, 200)
                .mapToObj(all::point)
                .filter(p -> p.params().get(TrafficSpec.LOAD).doubleValue() * 8
                        < p.params().get(SwitchSpec.ALPHA).doubleValue())
                .map(DesignPoint::key)
                .toList();
        assertThat(keys(some)).isEqualTo(expected).isNotEmpty();
        assertThat(some.size()).isLessThan(200);
    }

    @Test
    void rulesAndLints_lookAtEveryPoint() throws IOException {
        assertThatThrownBy(() -> design(
                        "sobol",
                        64,
                        "  switch.ecn_kmin: {from: 0.1, to: 0.9}\n  switch.ecn_kmax: {from: 0.1, to: 0.9}\n"))
                .hasMessageContaining("switch.ecn_kmin")
                .hasMessageContaining("more such combinations");
        Plan plan = Plan.of(design("sobol", 64, "  traffic.load: {from: 0.5, to: 1.5}\n"));
        assertThat(plan.points()).isEqualTo(64);
        assertThat(plan.lints()).anySatisfy(finding -> {
            assertThat(finding.lint()).isEqualTo(Lint.OVERLOAD);
            assertThat(finding.points()).isEqualTo(32);
        });
    }

    @Test
    void sampledAndProductBlocks_shareWhatTheyShare() throws IOException {
        ExperimentSpec experiment = read("""
                designs:
                - name: drawn
                  design: {kind: random, points: 12}
                  sweep: {traffic.flows: {from: 2, to: 7}, switch.alpha: [1, 2, 4]}
                - name: product
                  sweep: {traffic.flows: [2, 3, 4, 5, 6, 7], switch.alpha: [1, 2, 4]}
                - name: drawn-again
                  design: {kind: random, points: 12, seed: 5}
                  sweep: {traffic.flows: {from: 2, to: 7}, switch.alpha: [1, 2, 4]}
                """);
        List<String> distinct = LongStream.range(0, experiment.size())
                .mapToObj(experiment::point)
                .filter(p -> !p.repeated())
                .map(DesignPoint::key)
                .toList();
        assertThat(distinct).doesNotHaveDuplicates().hasSize(18);
        assertThat(experiment.points()).isEqualTo(18);
    }

    @Test
    void hugeDesign_isPlannedWithoutItsPoints() throws IOException {
        ExperimentSpec experiment = design("latin-hypercube", 1 << 27, THREE);
        assertThat(experiment.points()).isEqualTo(1 << 27);
        assertThat(experiment.point((1 << 27) - 1).key())
                .isNotEqualTo(experiment.point(0).key());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "design: {kind: sobel, points: 3}|found `sobel`, expected one of latin-hypercube, sobol, random. Did you mean `sobol`",
                "design: {kind: sobol}|design: found [kind], expected kind and points",
                "design: {kind: sobol, points: 0}|design.points: found `0`, expected a whole number, 1 .. 134217728",
                "design: {kind: sobol, points: 4, point: 5}|unknown key `point`",
                "design: sobol|design: found `sobol`, expected a map with [kind, points, seed]",
            })
    void badDesigns_areToldByLine(String yaml, String message) {
        assertThatThrownBy(() -> read(yaml + "\nsweep: {traffic.load: {from: 0.1, to: 0.9}}\n"))
                .isInstanceOf(InvalidFileException.class)
                .hasMessageContaining("design.yaml:1")
                .hasMessageContaining(message.split("\\. Did")[0]);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "traffic.load: {from: 0.9, to: 0.1}|found from `0.9` above to `0.1`. Maybe swap them",
                "traffic.load: {from: 0.5, to: 0.5}|found from and to both 0.5, expected a range",
                "switch.ecn_kmin: {from: 0, to: 0.5, scale: log}|with scale log, expected more than 0",
                "traffic.load: {from: 0.1, to: 0.5, scale: lag}|found scale `lag`, expected linear or log",
                "traffic.pattern: {from: 1, to: 2}|found a range, expected a list",
                "switch.ecn_kmin: {from: 0.1, to: 2}|`2`",
            })
    void badAxes_areToldByLine(String axis, String message) {
        assertThatThrownBy(() -> read("sweep:\n  " + axis + "\ndesign: {kind: sobol, points: 4}\n"))
                .isInstanceOf(InvalidFileException.class)
                .hasMessageContaining("design.yaml:2")
                .hasMessageContaining(message);
    }

    @Test
    void endsAloneWithoutADesign_areExplained() {
        assertThatThrownBy(() -> read("sweep: {traffic.load: {from: 0.1, to: 0.9}}"))
                .hasMessageContaining("ends alone need a `design`, such as {kind: latin-hypercube, points: 100}");
        assertThatThrownBy(() -> read("design: {kind: sobol, points: 4}"))
                .hasMessageContaining("design: found no axes under `sweep`, expected at least one");
    }
}
