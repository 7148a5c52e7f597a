package io.github.rhosweep.design;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.github.rhosweep.scenario.InputFiles;
import io.github.rhosweep.scenario.InvalidFileException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every mistake is said in one line with file, line, key, what was found and what was expected. */
class BadInputTest {
    @TempDir
    private Path folder;

    static Stream<Arguments> mistakes() {
        return Stream.of(
                bad("nmae: x", 1, "unknown key `nmae`. Maybe `name`?"),
                bad("base:\n  switch: {alhpa: 1}", 2, "unknown parameter `switch.alhpa`. Maybe `switch.alpha`?"),
                bad("base: {swich.alpha: 1}", 1, "unknown parameter `swich.alpha`. Maybe `switch.alpha`?"),
                bad("base: {switch.alpha: 1, switch: {alpha: 2}}", 1, "switch.alpha: given twice, first on line 1"),
                bad("name: a\nname: b", 2, "name: given twice, first on line 1"),
                bad(
                        "sweep:\n  switch.alpha: [1]\n  switch.alpha: [2]",
                        3,
                        "switch.alpha: given twice, first on line 2"),
                bad(
                        "base: {traffic.message: 64}",
                        1,
                        "traffic.message: `64` has no unit: expected a size, such as `64 KiB`"),
                bad("base: {traffic.message: 64 Gb/s}", 1, "the unit `Gb/s` does not fit, expected a size"),
                bad("base: {traffic.message: 0.5 B}", 1, "`0.5 B` is not a whole number of bytes"),
                bad("base: {switch.alpha: 1 B}", 1, "the unit `B` does not fit, expected a plain number"),
                bad("base: {switch.alpha: .nan}", 1, "switch.alpha: `.nan` is not a plain number"),
                bad("base: {switch.alpha: -.inf}", 1, "switch.alpha: `-.inf` is not a plain number"),
                bad("base: {switch.alpha: Infinity}", 1, "switch.alpha: `Infinity` is not a plain number"),
                bad("base: {switch.alpha: 1e999999999}", 1, "switch.alpha: `1e999999999` is not a plain number"),
                bad("base: {switch.alpha: 1e9999}", 1, "`1e9999` is beyond what any parameter takes"),
                bad("base: {switch.alpha: -1}", 1, "switch.alpha: `-1` must be 0 .. 1000000"),
                bad("base: {switch.alpha: }", 1, "switch.alpha: found nothing, expected a plain number"),
                bad("base: {switch.alpha: [1, 2]}", 1, "switch.alpha: found a list, expected a plain number"),
                bad("base: {traffic.pattern: incst}", 1, ". Maybe `incast`?"),
                bad("base: {traffic.arrivals: on}", 1, "traffic.arrivals: `on` is not one of"),
                bad("base: {traffic.pattern: uniform, traffic.self: no}", 1, "traffic.self: `no` is not true or false"),
                bad("base: 5", 1, "base: found `5`, expected a map of parameters"),
                bad("- 1", 1, "found a list, expected a map"),
                bad("sweep: [1]", 1, "sweep: found a list, expected a map of axes"),
                bad("sweep:\n  switch.alpha: 1", 2, "switch.alpha: found `1`, expected a list, {from, to, step}"),
                bad("sweep:\n  switch.alpha: []", 2, "switch.alpha: found an empty list"),
                bad("sweep:\n  switch.alhpa: [1]", 2, "unknown parameter `switch.alhpa`. Maybe `switch.alpha`?"),
                bad("sweep:\n  switch.alpha:\n  - 1\n  - 1.0", 4, "switch.alpha: found `1.0` twice (first as `1`)"),
                bad("sweep:\n  traffic.message: [64 KiB, 65536 B]", 2, "found `65536 B` twice (first as `64 KiB`)"),
                bad(
                        "sweep:\n  traffic.load: {from: 0.1, to: 0.95, step: 0.1}",
                        2,
                        "traffic.load: the end 0.95 is off the grid: from 0.1 in steps of 0.1 the nearest fits are 0.9 and 1"),
                bad("sweep:\n  traffic.load: {from: 0.9, to: 0.1, step: 0.1}", 2, "found from `0.9` above to `0.1`"),
                bad("sweep:\n  traffic.load: {from: 0.1, to: 0.9, step: 0}", 2, "found step `0`, expected more than 0"),
                bad(
                        "sweep:\n  traffic.load: {from: 0.1, to: 0.9, step: -0.1}",
                        2,
                        "found step `-0.1`, expected more than 0"),
                bad(
                        "sweep:\n  traffic.load: {from: 0.1, to: 0.9, stp: 0.1}",
                        2,
                        "unknown key `stp` of a range. Maybe `step`?"),
                bad("sweep:\n  traffic.load: {from: 0.1, to: 0.9}", 2, "expected {from, to, step}"),
                bad("sweep:\n  traffic.load: {from: 0.1, step: 0.9}", 2, "expected `to` too"),
                bad("sweep:\n  traffic.load: {from: .1, to: .9, step: .1, count: 3}", 2, "expected {from, to, step}"),
                bad("sweep:\n  traffic.flows: {from: 1, to: 1e9, step: 1}", 2, "expected at most 1000000 on an axis"),
                bad(
                        "sweep:\n  traffic.flows: {powers_of: 2, from: 3, to: 64}",
                        2,
                        "from 3 is no power of 2: the nearest fits are 2 and 4"),
                bad(
                        "sweep:\n  traffic.flows: {powers_of: 2, from: 2, to: 60}",
                        2,
                        "to 60 is no power of 2: the nearest fits are 32 and 64"),
                bad("sweep:\n  traffic.flows: {from: 1, to: 4, count: 3}", 2, "`2.5` is not a whole number"),
                bad(
                        "sweep:\n  switch.alpha: {from: 0, to: 4, count: 3, scale: log}",
                        2,
                        "with scale log, expected more than 0"),
                bad(
                        "sweep:\n  switch.alpha: {from: 1, to: 4, count: 3, scale: lin}",
                        2,
                        "found scale `lin`, expected linear or log"),
                bad("sweep:\n  switch.alpha: {from: 1, to: 4, count: 1}", 2, "found count `1`"),
                bad(
                        "sweep:\n  traffic.pattern: {from: 1, to: 4, step: 1}",
                        2,
                        "traffic.pattern: found a range, expected a list"),
                bad(
                        "sweep:\n  ecn:\n  - {switch.ecn_kmin: 0.1, switch.ecn_kmax: 0.2}\n  - {switch.ecn_kmin: 0.3}",
                        4,
                        "ecn: found the keys [switch.ecn_kmin], expected those of the first entry"),
                bad(
                        "sweep:\n  ecn:\n  - {switch.ecn_kmin: 0.1, switch.ecn_kmax: 0.2}\n  - {switch.ecn_kmax: .20, switch.ecn_kmin: .10}",
                        4,
                        "twice"),
                bad(
                        "sweep:\n  ecn: [{switch.ecn_kmin: 0.1}]\n  switch.ecn_kmin: [0.2]",
                        3,
                        "switch.ecn_kmin: found on the axes `ecn` (line 2) and `switch.ecn_kmin`, expected on one"),
                bad(
                        "base: {switch.alpha: 1}\nsweep:\n  switch.alpha: [1, 2]",
                        3,
                        "switch.alpha: found on an axis and in base"),
                bad(
                        "sweep:\n  traffic.jitter: [0 ns, 1 ns]",
                        2,
                        "traffic.jitter does not apply here: it needs that traffic.arrivals is synchronized"),
                bad(
                        "sweep:\n  traffic.jitter: [0 ns, 1 ns]\n  traffic.arrivals: [synchronized, poisson]",
                        2,
                        "traffic.jitter does not apply here: it needs that traffic.arrivals is synchronized (where traffic.arrivals = poisson)"),
                bad(
                        "sweep:\n  switch.priority_count: [4, 8]",
                        2,
                        "switch.priority_count: cannot be an axis: it changes no measured value"),
                bad(
                        "sweep:\n  switch.port_count: [8, 64]\n  traffic.flows: [4, 32]",
                        3,
                        "topology.hosts (33, for traffic.flows 32) exceeds switch.port_count (8) (where switch.port_count = 8, traffic.flows = 32)"),
                bad(
                        "sweep:\n  switch.ecn_kmin: [0.1, 0.9]",
                        2,
                        "switch.ecn_kmin (0.9) must not exceed switch.ecn_kmax (0.8). Maybe swap them (where switch.ecn_kmin = 0.9)"),
                bad("base:\n  switch.ecn_kmin: 0.9", 2, "switch.ecn_kmin (0.9) must not exceed switch.ecn_kmax (0.8)"),
                bad("where: switch.alhpa < 2", 1, "where: unknown parameter `switch.alhpa`. Maybe `switch.alpha`?"),
                bad("where: alpha < 2", 1, "where: unknown parameter `alpha`. Maybe `switch.alpha`?"),
                bad("where: switch.alpha <", 1, "where: found the end, expected a parameter or a value"),
                bad(
                        "where: switch.alpha < 2 3",
                        1,
                        "where: found `3` at character 18, expected an operator or the end"),
                bad("where: exp(switch.alpha) < 2", 1, "where: found `exp(`: there are no functions"),
                bad("where: switch.alpha", 1, "where: found 2 where a condition is expected"),
                bad("where: traffic.pattern = incst", 1, "where: traffic.pattern: `incst` is not one of"),
                bad("where: traffic.pattern < 2", 1, "where: found `incast` where a number is expected"),
                bad("where: switch.alpha / 0 > 1", 1, "where: divides 2 by 0"),
                bad("where: switch.alpha > 2", 1, "where: removes every point"),
                bad("sweep: {switch.alpha: [1]}\nwhere: switch.alpha > 2", 2, "where: removes every point"),
                bad("where: " + "(".repeat(200) + "true" + ")".repeat(200), 1, "where: nested more than 100 deep"),
                bad(
                        "where: traffic.jitter > 1 ns",
                        1,
                        "where: traffic.jitter has no value unless traffic.arrivals is synchronized"),
                bad("where: [a]", 1, "where: found a list, expected a condition"),
                bad("where: switch.alpha ; 2", 1, "where: found `; 2`"),
                bad(
                        "design: {kind: sobol, points: 10}",
                        1,
                        "design: found no axes under `sweep`, expected at least one"),
                bad("record: {serie: true}", 1, "unknown parameter `record.serie`. Maybe `record.series`?"),
                bad("record: {flows: 1}", 1, "record.flows: `1` is not true or false"),
                bad("record: {series_interval: 1 us}", 1, "record.series_interval does not apply here"),
                bad(
                        "record: {flows: true}\nbase: {measure.messages: 20000000}",
                        1,
                        "record.flows keeps up to 10000000 flows"),
                bad("sweep: {record.flows: [true, false]}", 1, "record.flows: cannot be an axis"),
                bad("replicates: {min: 5, max: 3}", 1, "replicates: min (5) must not exceed max (3)"),
                bad("replicates: 0", 1, "replicates: found `0`, expected a whole number, 1 .. 1000000"),
                bad(
                        "replicates: {max: 9, until: {metric: mesage_latency_mean_ns, relative_ci: 0.1}}",
                        1,
                        "Maybe `message_latency_mean_ns`?"),
                bad(
                        "replicates: {max: 9, until: {metric: voq_wait_mean_ns, relative_ci: 0}}",
                        1,
                        "replicates.until.relative_ci: found `0`, expected a number, more than 0"),
                bad("replicates: {max: 9}", 1, "without `until`"),
                bad("random_numbers: comon", 1, "found `comon`, expected one of common, independent. Maybe `common`?"),
                bad("fidelity: full", 1, "fidelity: found `full`, expected one of models, simulate, auto"),
                bad(
                        "limits: {failure_fraction: 2}",
                        1,
                        "limits.failure_fraction: found `2`, expected a number, 0 .. 1"),
                bad("limits: {evnts: 2}", 1, "unknown parameter `limits.evnts`. Maybe `limits.events`?"),
                bad("presets: [dcqcn-dox]", 1, "presets: found `dcqcn-dox`, expected a path or the name of a preset"),
                bad("presets: [gone/x.yaml]", 1, "there is no file"),
                bad("designs: []", 1, "designs: found a list, expected a list of blocks"),
                bad(
                        "designs:\n- {sweep: {switch.alpha: [1]}}\nsweep: {switch.alpha: [1]}",
                        3,
                        "sweep: found beside `designs`"),
                bad("designs:\n- {name: a}\n- {name: a}", 3, "two blocks are named `a`, first on line 2"),
                bad("name: [", 1, "not YAML"),
                bad("base:\n   switch.alpha: 1\n  traffic.flows: 2", 3, "Maybe this line is indented by more or less"),
                bad("a: b: c", 1, "not YAML: mapping values are not allowed here"),
                bad("name: a\n\tbase: 1", 2, "not YAML"),
                bad(
                        "name: !!java.net.URL x",
                        1,
                        "found the tag `tag:yaml.org,2002:java.net.URL`, expected a plain value"),
                bad("name: !foo x", 1, "found the tag `!foo`"),
                bad("name: a\n---\nname: b", 2, "found a second document, expected one"),
                bad("name: *x", 1, "`*x` names no anchor before it"),
                bad("base: &b {switch: *b}", 1, "`*b` names no anchor before it, or one that contains it"),
                bad("? [a]\n: b", 1, "found a list as a key, expected a name"),
                bad("a: " + "[".repeat(1000) + "]".repeat(1000), 1, "nested more than 32 deep"));
    }

    private static Arguments bad(String yaml, int line, String message) {
        return Arguments.of(yaml, line, message);
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void mistake_isNamedWithItsLine(String yaml, int line, String message) throws IOException {
        List<String> problems = problems(yaml.getBytes(StandardCharsets.UTF_8));
        String at = folder.resolve("experiment.yaml") + ":" + line + ": ";
        assertThat(problems)
                .anySatisfy(problem -> assertThat(problem).startsWith(at).contains(message));
        assertThat(problems).noneMatch(problem -> problem.contains("\n"));
    }

    @Test
    void hugeValue_isNotRecited() throws IOException {
        assertThat(problems(("base: {traffic.load: " + "9".repeat(100_000) + "}").getBytes(StandardCharsets.UTF_8)))
                .isNotEmpty()
                .allSatisfy(problem -> assertThat(problem).hasSizeLessThan(400).contains("999..."));
    }

    @Test
    void allMistakes_areSaidAtOnce() throws IOException {
        assertThat(problems("""
                        nam: x
                        base:
                          switch: {alpha: -1, ecn_kmin: 0.9}
                          traffic: {load: fast}
                        sweep:
                          switch.islip_iterations: [1, 1]
                          traffic.flows: {from: 4, to: 2, step: 1}
                        where: (
                        fidelity: best
                        """.getBytes(StandardCharsets.UTF_8))).hasSize(7);
    }

    @Test
    void emptyAndBinaryAndLargeFiles_areRefused() throws IOException {
        assertThat(problems(new byte[0])).singleElement().asString().contains("found an empty file");
        assertThat(problems("# nothing\n".getBytes(StandardCharsets.UTF_8)))
                .singleElement()
                .asString()
                .contains("found an empty file");
        assertThat(problems(new byte[] {'a', ':', '\n', 'b', (byte) 0xC3, '('}))
                .singleElement()
                .asString()
                .contains(":2: not UTF-8: found byte 0xc3");
        assertThat(problems("name: x".getBytes(StandardCharsets.UTF_16)))
                .singleElement()
                .asString()
                .contains("not UTF-8");
        assertThat(problems("a: \u0007".getBytes(StandardCharsets.UTF_8)))
                .singleElement()
                .asString()
                .contains("U+0007");
        assertThat(problems(new byte[(1 << 20) + 1])).singleElement().asString().contains("expected at most 1 MiB");
        assertThatThrownBy(() -> ExperimentSpec.read(folder.resolve("none.yaml"), Overrides.NONE, List.of()))
                .hasMessage(folder.resolve("none.yaml") + ": no such file");
        assertThatThrownBy(() -> ExperimentSpec.read(folder, Overrides.NONE, List.of()))
                .hasMessageContaining("is a folder");
    }

    @Test
    void aliasBomb_isRefused() throws IOException {
        StringBuilder bomb = new StringBuilder("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
        for (int i = 1; i < 10; i++) {
            bomb.append("a")
                    .append(i)
                    .append(": &a")
                    .append(i)
                    .append(" [")
                    .append(("*a" + (i - 1) + ", ").repeat(9))
                    .append("x]\n");
        }
        assertThat(problems(bomb.toString().getBytes(StandardCharsets.UTF_8)))
                .singleElement()
                .asString()
                .contains("aliases expand to more than");
    }

    @Test
    void byteOrderMark_windowsLineEnds_andOddPaths_work() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes("\uFEFFname: Größe\r\nsweep:\r\n  switch.alpha: [1, 2]\r\n".getBytes(StandardCharsets.UTF_8));
        Path file = folder.resolve("ein Ordner");
        Files.createDirectories(file);
        file = file.resolve("Größe ü.yaml");
        Files.write(file, bytes.toByteArray());
        ExperimentSpec experiment = ExperimentSpec.read(file, Overrides.NONE, List.of());
        assertThat(experiment.name()).isEqualTo("Größe");
        assertThat(experiment.size()).isEqualTo(2);
        assertThat(ExperimentSpec.ofEffective(experiment.effectiveYaml(), InputFiles.ON_DISK)
                        .name())
                .isEqualTo("Größe");
    }

    @Test
    void wordsAndNumbers_meanWhatAPersonExpects() throws IOException {
        Path file = Files.writeString(
                folder.resolve("e.yaml"),
                "name: on\nbase: &b {measure.messages: 1e3, switch.alpha: '2'}\ndesigns: [{name: no, base: *b}]\n");
        ExperimentSpec experiment = ExperimentSpec.read(file, Overrides.NONE, List.of());
        assertThat(experiment.name()).isEqualTo("on");
        assertThat(experiment.blocks().get(0).name()).isEqualTo("no");
        assertThat(experiment.point(0).scenario().measure().messages()).isEqualTo(1000);
    }

    @Test
    void options_overrideAndAreChecked() throws IOException {
        Path file = Files.writeString(
                folder.resolve("e.yaml"), "sweep: {switch.alpha: [1, 2], pair: [{switch.ecn_kmin: .1}]}\n");
        Overrides wrong = new Overrides(
                List.of("switch.alpha=1", "traffic.load", "traffic.lod=1"),
                List.of("switch.ecn_kmin=0.1", "traffic.flows=2,2", "=1"));
        InvalidFileException refused =
                catchThrowableOfType(InvalidFileException.class, () -> ExperimentSpec.read(file, wrong, List.of()));
        assertThat(refused.problems())
                .contains(
                        "--set switch.alpha=1: switch.alpha: is on an axis (" + file
                                + ":1). Maybe `--sweep switch.alpha=1`?",
                        "--set traffic.load: expected path=value",
                        "--sweep switch.ecn_kmin=0.1: switch.ecn_kmin: is linked with others on the axis `pair` ("
                                + file + ":1)",
                        "--sweep traffic.flows=2,2: traffic.flows: found `2` twice, expected distinct values",
                        "--sweep =1: expected path=value,value,...")
                .anyMatch(p -> p.startsWith("--set traffic.lod=1: unknown parameter `traffic.lod`"))
                .hasSize(6);
    }

    private List<String> problems(byte[] content) throws IOException {
        Path file = folder.resolve("experiment.yaml");
        Files.write(file, content);
        InvalidFileException refused = catchThrowableOfType(
                InvalidFileException.class,
                () -> ExperimentSpec.read(file, Overrides.NONE, ExperimentSpecTest.METRICS));
        assertThat(refused).as("nothing was found wrong").isNotNull();
        return refused.problems();
    }
}
