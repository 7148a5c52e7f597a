package io.github.rhosweep.fit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.rhosweep.model.Target;
import io.github.rhosweep.scenario.InvalidValueException;
import io.github.rhosweep.scenario.Params;
import io.github.rhosweep.scenario.Scenario;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The graph network of this release, and what is no such network. */
class GraphPredictorTest {
    private static final Path MODELS = Files.isDirectory(Path.of("models")) ? Path.of("models") : Path.of("../models");
    private static final Path MODEL = MODELS.resolve("surrogate_gnn.json");

    @TempDir
    Path temp;

    private static Scenario scenario(String... pathsAndValues) {
        Map<String, String> given = new TreeMap<>(Map.of(
                "traffic.pattern", "random-matrix",
                "traffic.flows", "16",
                "traffic.fan_out", "4",
                "traffic.load", "0.6",
                "traffic.message", "4 KiB"));
        for (int i = 0; i < pathsAndValues.length; i += 2) {
            given.put(pathsAndValues[i], pathsAndValues[i + 1]);
        }
        return Scenario.of(Params.parse(given));
    }

    /** The resource is of notebooks/surrogate/examples.py: PyTorch's graphs, its onnxruntime. */
    @Test
    void storedPredictions_areReproduced() throws IOException {
        GraphPredictor predictor = GraphPredictor.load(MODEL);
        JsonNode examples;
        try (InputStream in =
                Objects.requireNonNull(GraphPredictorTest.class.getResourceAsStream("/surrogate-predictions.json"))) {
            examples = new ObjectMapper().readTree(in);
        }
        assertThat(examples).hasSizeGreaterThanOrEqualTo(5);
        for (JsonNode example : examples) {
            Map<String, String> given = new TreeMap<>();
            example.get("parameters")
                    .properties()
                    .forEach(e -> given.put(e.getKey(), e.getValue().asText()));
            GraphPredictor.GraphForecast forecast = predictor.predict(Scenario.of(Params.parse(given)));
            assertThat(forecast.flows()).hasSameSizeAs(example.get("flows"));
            // Ways of fat-trees and dragonflies are longer than any that it learnt from; all else is as there.
            assertThat(forecast.outside())
                    .as("%s", given)
                    .allMatch(line -> line.startsWith("switches on the longest way "));
            for (int i = 0; i < forecast.flows().size(); i++) {
                GraphPredictor.Flow flow = forecast.flows().get(i);
                JsonNode stored = example.get("flows").get(i);
                assertThat(flow.source()).isEqualTo(stored.get("src").asInt());
                assertThat(flow.destination()).isEqualTo(stored.get("dst").asInt());
                assertThat(Math.log(flow.meanNs() / flow.zeroLoadNs()))
                        .isEqualTo(stored.get("log_mean").asDouble(), within(1e-5));
                assertThat(Math.log(flow.p99Ns() / flow.zeroLoadNs()))
                        .isEqualTo(stored.get("log_p99").asDouble(), within(1e-5));
            }
        }
    }

    @Test
    void predictions_areTheSameBits() throws IOException {
        Scenario scenario = scenario("topology.kind", "leaf-spine", "routing.kind", "spray");
        assertThat(GraphPredictor.load(MODEL).predict(scenario))
                .isEqualTo(GraphPredictor.load(MODEL).predict(scenario));
    }

    /** What is merged makes no difference: the network is told the same. */
    @ParameterizedTest
    @CsvSource({"fat-tree", "leaf-spine", "single-switch"})
    void mergedQueues_changeNothing(String topology) throws IOException {
        Map<String, String> given = new TreeMap<>(Map.of("topology.kind", topology));
        if (!topology.equals("single-switch")) {
            given.put("routing.kind", "spray");
        }
        FabricGraph graph = FabricGraph.of(scenario(given.entrySet().stream()
                .flatMap(e -> java.util.stream.Stream.of(e.getKey(), e.getValue()))
                .toArray(String[]::new)));
        GraphNetwork network = GraphNetwork.of(Files.readAllBytes(MODELS.resolve("surrogate_gnn.onnx")));
        float[][][] merged = network.run(GraphArrays.of(graph));
        float[][][] whole = network.run(GraphArrays.whole(graph));
        for (int m = 0; m < merged.length; m++) {
            for (int i = 0; i < merged[m].length; i++) {
                assertThat(merged[m][i]).containsExactly(whole[m][i], within(2e-4f));
            }
        }
    }

    @Test
    void forecast_isWhatItsFlowsAre() throws IOException {
        GraphPredictor.GraphForecast forecast = GraphPredictor.load(MODEL).predict(scenario());
        assertThat(forecast.outside()).isEmpty();
        GraphPredictor.Interval mean = forecast.mean();
        GraphPredictor.Interval p99 = forecast.p99();
        assertThat(mean.lowNs()).isLessThan(mean.valueNs());
        assertThat(mean.highNs()).isGreaterThan(mean.valueNs());
        assertThat(mean.valueNs())
                .isGreaterThan(forecast.zeroLoadNs())
                .isBetween(
                        forecast.flows().stream()
                                .mapToDouble(GraphPredictor.Flow::meanNs)
                                .min()
                                .orElseThrow(),
                        forecast.flows().stream()
                                .mapToDouble(GraphPredictor.Flow::meanNs)
                                .max()
                                .orElseThrow());
        assertThat(p99.valueNs())
                .isGreaterThan(mean.valueNs())
                .isBetween(
                        forecast.flows().stream()
                                .mapToDouble(GraphPredictor.Flow::p99Ns)
                                .min()
                                .orElseThrow(),
                        forecast.flows().stream()
                                .mapToDouble(GraphPredictor.Flow::p99Ns)
                                .max()
                                .orElseThrow());
        // As a method of comparison it says the same.
        Method method = GraphPredictor.load(MODEL).method();
        for (Target target : List.of(Target.MESSAGE, Target.MESSAGE_P99)) {
            double said = method.fit(target, List.of(), 1).predict(Conditions.of(scenario(), target));
            assertThat(said).isEqualTo((target == Target.MESSAGE ? mean : p99).valueNs());
        }
        assertThatThrownBy(() -> method.fit(Target.COMPLETION, List.of(), 1))
                .isInstanceOf(NotIdentifiableException.class);
    }

    /** More load, more latency; at none the idle one. */
    @Test
    void latency_growsWithLoad() throws IOException {
        GraphPredictor predictor = GraphPredictor.load(MODEL);
        double before = 1;
        for (String load : new String[] {"0.1", "0.3", "0.5", "0.7", "0.9"}) {
            GraphPredictor.GraphForecast forecast = predictor.predict(scenario("traffic.load", load));
            double ratio = forecast.mean().valueNs() / forecast.zeroLoadNs();
            assertThat(ratio).as(load).isGreaterThan(before);
            before = ratio;
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    topology.kind=fat-tree routing.kind=spray | switches on the longest way 5
                    topology.kind=leaf-spine | flow control, senders and routes lossy open ecmp: known are
                    flow_control.kind=credit | flow control, senders and routes credit open
                    traffic.pattern=uniform | traffic.pattern uniform: known are random-matrix
                    traffic.message=1MiB | frames of a message 781
                    traffic.load=0.99 | traffic.load 0.990000: known from 0.05
                    traffic.flows=512 | hosts 512
                    switch.islip_iterations=4 | switch.islip_iterations 4: at its default where it learnt
                    """)
    void outsideOfItsDomain_itSaysWhy(String fields, String reason) throws IOException {
        List<String> outside = GraphPredictor.load(MODEL).whyOutside(of(fields));
        assertThat(outside).anySatisfy(line -> assertThat(line).startsWith(reason));
    }

    private static Scenario of(String fields) {
        Map<String, String> given = new TreeMap<>(Map.of(
                "traffic.pattern", "random-matrix",
                "traffic.flows", "16",
                "traffic.load", "0.6",
                "traffic.message", "4 KiB"));
        for (String field : fields.split(" ")) {
            given.put(field.substring(0, field.indexOf('=')), field.substring(field.indexOf('=') + 1));
        }
        return Scenario.of(Params.parse(given));
    }

    @Test
    void overloadedLinks_haveNoPrediction() throws IOException {
        GraphPredictor predictor = GraphPredictor.load(MODEL);
        assertThatThrownBy(() -> predictor.predict(scenario("traffic.load", "1.2")))
                .isInstanceOf(NotIdentifiableException.class)
                .hasMessageContaining("a link has a load of 1.200");
        assertThat(predictor
                        .method()
                        .fit(Target.MESSAGE, List.of(), 1)
                        .predict(Conditions.of(scenario("traffic.load", "1.2"), Target.MESSAGE)))
                .isNaN();
    }

    @Test
    void missingBrokenOrForeignFiles_areTold() throws IOException {
        Path json = temp.resolve("m.json");
        Path onnx = temp.resolve("surrogate_gnn.onnx");
        String text = Files.readString(MODEL);
        Files.writeString(json, text);
        refused(json, "surrogate_gnn.onnx: there is no such file; ");

        byte[] weights = Files.readAllBytes(MODELS.resolve("surrogate_gnn.onnx"));
        weights[weights.length / 2] ^= 1;
        Files.write(onnx, weights);
        refused(json, "other weights than those that ");

        // Weights that are none, though the hash is theirs.
        Files.writeString(onnx, "no network");
        Files.writeString(
                json,
                text.replaceFirst(
                        "\"sha256\": \"[0-9a-f]+\"",
                        "\"sha256\": \""
                                + io.github.rhosweep.scenario.InputFile.of("x", Files.readAllBytes(onnx))
                                        .sha256() + "\""));
        refused(json, "surrogate_gnn.onnx: no network that onnxruntime can run");

        Files.writeString(json, text.replaceFirst("\"visit_share\"", "\"visit_shore\""));
        refused(json, "inputs: found ");
        Files.writeString(json, text.replaceFirst("\"format\": 1", "\"format\": 2"));
        refused(json, "format 2 of surrogate_gnn found, this release reads 1");
        Files.writeString(json, text.replaceFirst("\"graphs\"", "\"grafs\""));
        refused(json, "m.json:");
        Files.writeString(json, text.substring(0, text.length() / 2));
        refused(json, "m.json:");
        Files.writeString(json, text.replaceFirst("\"weights\": \"surrogate_gnn.onnx\"", "\"weights\": \"../w.onnx\""));
        refused(json, "weights: found ../w.onnx, expected the name of a file beside it");
        Files.writeString(json, text.replaceFirst("\"hosts\": *\\{[^}]*}", "\"hosts\": null"));
        refused(json, "hosts");
        assertThat(GraphPredictor.isModel(json)).isTrue();
        Files.writeString(json, "[]");
        assertThat(GraphPredictor.isModel(json)).isFalse();
    }

    private static void refused(Path json, String message) {
        assertThatThrownBy(() -> GraphPredictor.load(json))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContaining(message)
                .message()
                .doesNotContain("\n");
    }
}
