package io.github.rhosweep.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.rhosweep.spark.Sweeps;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The graph network by the command line. */
class NetworkCommandsTest {
    private static final Path MODEL = (Files.isDirectory(Path.of("models")) ? Path.of("models") : Path.of("../models"))
            .resolve("surrogate_gnn.json");

    @TempDir
    private Path temp;

    @Test
    void predict_saysMeanAndTail_asPeopleAndProgramsReadThem() throws IOException {
        Object[] asked = {"predict", MODEL, "--flows", "16", "--load", "0.6", "--message", "4KiB"};
        Sweeps.Result people = Sweeps.run(asked).expect(0);
        assertThat(people.out())
                .contains("message_latency_mean_ns = ")
                .contains("message_latency_p99_ns = ")
                .contains("95% interval")
                .contains("as learnt from, since not given: traffic.pattern random-matrix")
                .doesNotContain("extrapolated");
        Object[] asJson = java.util.stream.Stream.concat(
                        java.util.Arrays.stream(asked), java.util.stream.Stream.of("--json"))
                .toArray();
        JsonNode json = new ObjectMapper().readTree(Sweeps.run(asJson).expect(0).out());
        assertThat(json.get("flows")).hasSize(64);
        assertThat(json.get("flows").get(0).fieldNames())
                .toIterable()
                .containsExactly("source", "destination", "zero_load_ns", "mean_ns", "p99_ns");
        assertThat(json.get("outside_domain").asBoolean()).isFalse();
        double mean = json.get("message_latency_mean_ns").asDouble();
        assertThat(mean)
                .isBetween(
                        json.get("message_latency_mean_low_ns").asDouble(),
                        json.get("message_latency_mean_high_ns").asDouble());
        assertThat(json.get("message_latency_p99_ns").asDouble()).isGreaterThan(mean);
    }

    @Test
    void outsideOfItsDomain_predictRefusesUnlessTold() {
        Object[] asked = {
            "predict",
            MODEL,
            "--flows",
            "128",
            "--load",
            "0.6",
            "--message",
            "4KiB",
            "--set",
            "topology.kind=fat-tree",
            "--set",
            "topology.k=8"
        };
        Sweeps.Result refused = Sweeps.run(asked).expect(2);
        assertThat(refused.out()).isEmpty();
        assertThat(refused.err())
                .contains("outside of what it learnt from: switches on the longest way 5")
                .contains("Maybe --extrapolate");
        Object[] told = java.util.stream.Stream.concat(
                        java.util.Arrays.stream(asked), java.util.stream.Stream.of("--extrapolate"))
                .toArray();
        assertThat(Sweeps.run(told).expect(0).out()).contains("extrapolated: switches on the longest way 5");
    }

    @Test
    void withoutGraphModelOrWeights_predictSaysWhichFileAndWhy() throws IOException {
        Sweeps.Result none = Sweeps.run("predict", MODEL, "--pattern", "ring").expect(2);
        assertThat(none.err()).contains("surrogate_gnn.json: no graph: messages of this pattern follow one another");
        Sweeps.Result overloaded = Sweeps.run("predict", MODEL, "--load", "1.5").expect(2);
        assertThat(overloaded.err()).contains("a link has a load of 1.500");
        Path alone = Files.copy(MODEL, temp.resolve("alone.json"));
        Sweeps.Result missing = Sweeps.run("predict", alone, "--load", "0.5").expect(2);
        assertThat(missing.err())
                .contains("surrogate_gnn.onnx: there is no such file")
                .hasLineCount(1);
        Sweeps.Result absent =
                Sweeps.run("predict", temp.resolve("absent.json")).expect(2);
        assertThat(absent.err()).contains("absent.json");
        Sweeps.Result foreign = Sweeps.run("compare", temp, "--network", alone, "--out", temp.resolve("c"))
                .expect(2);
        assertThat(foreign.err()).contains("surrogate_gnn.onnx: there is no such file");
    }

    /** It stands beside all others, with what it cost, also where points are asked to be held out. */
    @Test
    @Tag("integration")
    void compare_showsItBesideTheOthers() throws IOException {
        Path file = Files.writeString(temp.resolve("e.yaml"), """
                name: matrices
                base:
                  traffic: {pattern: random-matrix, fan_out: 2, message: 4 KiB}
                  measure.messages: 6000
                random_numbers: independent
                sweep:
                  traffic.flows: [4, 6, 8]
                  traffic.load: {from: 0.1, to: 0.8, step: 0.1}
                """);
        Path out = temp.resolve("out");
        Sweeps.run("run", file, "--out", out, "--master", "local[1]").expect(0);
        Path compared = temp.resolve("compared");
        Sweeps.Result result = Sweeps.run(
                        "compare",
                        out,
                        "--network",
                        MODEL,
                        "--hold-out",
                        "traffic.flows > 6",
                        "--without",
                        "surrogate",
                        "--master",
                        "local[1]",
                        "--out",
                        compared)
                .expect(0);
        assertThat(result.out())
                .contains("surrogate_gnn")
                .contains("MAPE at points held out: those that --hold-out names");
        String page = Files.readString(compared.resolve("comparison.md"));
        assertThat(page)
                .contains("of CPU, trained before")
                .contains("held out: asked")
                .contains("sizes-random-matrix.svg");
        assertThat(compared.resolve("sizes-random-matrix.svg")).isNotEmptyFile();
        String row = Files.readAllLines(compared.resolve("errors.csv")).stream()
                .filter(line -> line.contains("surrogate_gnn") && line.contains("asked") && line.contains(",all,"))
                .findFirst()
                .orElseThrow();
        assertThat(Double.parseDouble(row.split(",")[6])).isEqualTo(0, within(0.1));
    }

    @Test
    void conditionsOfHoldOut_areChecked() {
        Sweeps.Result refused = Sweeps.run(
                        "compare", temp, "--hold-out", "traffic.flews > 6", "--out", temp.resolve("c"))
                .expect(2);
        assertThat(refused.err()).contains("--hold-out: ").contains("traffic.flews");
    }
}
