package io.github.rhosweep.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.rhosweep.result.Row;
import io.github.rhosweep.spark.Sweeps;
import io.github.rhosweep.store.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("integration")
class ReportCommandTest {
    @TempDir
    private static Path dir;

    private static Path results;
    private static String html;
    private static JsonNode data;

    @BeforeAll
    static void sweep() throws IOException {
        results = run("study", """
                name: study
                base: {traffic.message: 8 KiB, measure.messages: 200}
                sweep:
                  traffic.load: [0.8, 0.2, 0.5]
                  traffic.flows: [2, 8]
                  switch.alpha: [1, 2]
                """);
        html = report(results);
        data = data(html);
    }

    private static Path run(String name, String yaml) throws IOException {
        Path file = dir.resolve(name + ".yaml");
        Files.writeString(file, yaml);
        Path out = dir.resolve(name);
        Sweeps.run("run", file, "--out", out, "--quiet", "--master", "local[1]").expect(0);
        return out;
    }

    private static String report(Path folder) throws IOException {
        Path page = dir.resolve("report.html");
        Sweeps.run("report", folder, "--out", page).expect(0);
        return Files.readString(page);
    }

    private static JsonNode data(String page) throws IOException {
        Matcher script = Pattern.compile("<script type=\"application/json\" id=\"data\">(.*?)</script>")
                .matcher(page);
        assertThat(script.find()).isTrue();
        return new ObjectMapper().readTree(script.group(1));
    }

    private static JsonNode cube(JsonNode all, String caption) {
        for (JsonNode chart : all.get("charts")) {
            if (chart.get("caption").asText().contains(caption)) {
                return all.get("cubes").get(chart.get("cube").asInt());
            }
        }
        throw new AssertionError("no chart " + caption + " among " + all.get("charts"));
    }

    private static Row row(long flows, double load, double alpha) throws IOException {
        return Sweeps.rows(results, Table.POINTS).stream()
                .filter(r -> r.get("traffic_flows").equals(flows)
                        && r.get("traffic_load").equals(load)
                        && r.get("switch_alpha").equals(alpha))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void curves_areThePoints_eachWithItsInterval_alongAscendingLoads() throws IOException {
        JsonNode cube = cube(data, "what was measured");

        assertThat(cube.at("/x/values").toString()).isEqualTo("[0.2,0.5,0.8]");
        assertThat(cube.at("/slices/1/name").asText()).isEqualTo("switch.alpha 2");
        int checked = 0;
        for (int slice = 0; slice < 2; slice++) {
            for (int by = 0; by < 2; by++) {
                for (int x = 0; x < 3; x++) {
                    Row row = row(
                            cube.at("/by/values/" + by).asLong(),
                            cube.at("/x/values/" + x).asDouble(),
                            slice + 1.0);
                    String cell = "/0/" + by + "/" + x;
                    assertThat(cube.at("/slices/" + slice + "/values" + cell).asDouble())
                            .isEqualTo(row.get("message_latency_mean_ns"));
                    assertThat(cube.at("/slices/" + slice + "/halfWidths" + cell)
                                    .asDouble())
                            .isEqualTo(row.get("message_latency_half_width_ns"));
                    checked++;
                }
            }
        }
        assertThat(checked).isEqualTo(12);
    }

    @Test
    void trustMap_namesTheModelWithTheLeastMeanError_inEachCell() throws IOException {
        JsonNode best = cube(data, "least off").at("/slices/0");

        for (int by = 0; by < 2; by++) {
            for (int x = 0; x < 3; x++) {
                Map<String, Double> errors = new TreeMap<>();
                for (double alpha : List.of(1.0, 2.0)) {
                    Row row =
                            row(List.of(2L, 8L).get(by), List.of(0.2, 0.5, 0.8).get(x), alpha);
                    double measured = (Double) row.get("message_latency_mean_ns");
                    row.columns().stream()
                            .map(c -> c.name())
                            .filter(c -> c.startsWith("pred_") && c.endsWith("_message_ns"))
                            .forEach(c -> errors.merge(
                                    c.replaceAll("^pred_|_message_ns$", ""),
                                    row.get(c) instanceof Double d ? Math.abs(d / measured - 1) / 2 : Double.NaN,
                                    Double::sum));
                }
                errors.values().removeIf(e -> e.isNaN());
                double least =
                        errors.values().stream().mapToDouble(e -> e).min().orElseThrow();
                String cell = "/" + by + "/" + x;
                assertThat(best.at("/values/0" + cell).asDouble()).isCloseTo(least, within(1e-12));
                assertThat(errors.get(best.at("/notes" + cell).asText())).isCloseTo(least, within(1e-12));
            }
        }
    }

    @Test
    void errorsByRegime_areMeansOverTheRegimesPoints() throws IOException {
        JsonNode cube = cube(data, "by regime of load");
        double sum = 0;
        int n = 0;
        for (Row row : Sweeps.rows(results, Table.POINTS)) {
            if ("congested".equals(row.get("regime"))) {
                sum += Math.abs(
                        (Double) row.get("pred_md1_message_ns") / (Double) row.get("message_latency_mean_ns") - 1);
                n++;
            }
        }

        int md1 = List.of(new ObjectMapper().convertValue(cube.at("/by/texts"), String[].class))
                .indexOf("md1");
        assertThat(cube.at("/x/texts/2").asText()).isEqualTo("congested");
        assertThat(cube.at("/slices/0/values/0/" + md1 + "/2").asDouble()).isCloseTo(sum / n, within(1e-12));
    }

    @Test
    void inertAxes_provenance_andCommandsToExplain_areOnThePage() throws IOException {
        String key = (String) row(8, 0.8, 1.0).get("point_key");

        assertThat(html)
                .contains("switch.alpha changed nothing at 12 of 12 points", "No attempt failed", "semantics version")
                .contains("href=\"#explain-", " explain " + results + " --run ")
                .contains(key + "-1");
    }

    @Test
    void sweepOfOneValue_andOfModelsAlone_haveAPageWithoutCharts() throws IOException {
        String one = report(run("one", """
                name: one
                base: {traffic.message: 8 KiB, measure.messages: 200, traffic.load: 0.5}
                sweep: {traffic.flows: [4]}
                """));
        String models = report(run("models", """
                name: models
                base: {traffic.message: 8 KiB}
                sweep: {traffic.flows: [4, 8]}
                fidelity: models
                """));

        assertThat(cubesOf(one, "what was measured")).isZero();
        assertThat(one).contains("1 points simulated", "There is no axis along which anything was measured");
        assertThat(models).contains("Nothing was simulated");
    }

    private static long cubesOf(String page, String caption) throws IOException {
        long n = 0;
        for (JsonNode chart : data(page).get("charts")) {
            n += chart.get("caption").asText().contains(caption) ? 1 : 0;
        }
        return n;
    }

    @Test
    void folderThatIsNone_orAPageInNoFolder_isRefused() {
        assertThat(Sweeps.run("report", dir.resolve("none"), "--out", dir.resolve("x.html"))
                        .expect(2)
                        .err())
                .contains("is no results folder");
        assertThat(Sweeps.run("report", results, "--out", dir.resolve("no/x.html"))
                        .expect(2)
                        .err())
                .contains("there is no folder");
    }
}
