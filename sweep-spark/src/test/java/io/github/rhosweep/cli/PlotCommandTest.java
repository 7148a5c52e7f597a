package io.github.rhosweep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.rhosweep.spark.Sweeps;
import io.github.rhosweep.store.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("integration")
class PlotCommandTest {
    @TempDir
    private static Path dir;

    private static Path results;

    @BeforeAll
    static void sweep() throws IOException {
        Path file = dir.resolve("plot.yaml");
        Files.writeString(file, """
                name: plot
                base: {traffic.message: 8 KiB, measure.messages: 200}
                sweep:
                  traffic.load: [0.2, 0.5, 0.8]
                  traffic.flows: [2, 8]
                  switch.alpha: [1, 2]
                """);
        results = dir.resolve("out");
        Sweeps.run("run", file, "--out", results, "--quiet", "--master", "local[1]")
                .expect(0);
    }

    @Test
    void oneCurveForEachValueOfBy_parametersOrColumnsAsNames() throws IOException {
        Path picture = dir.resolve("curves.svg");
        Sweeps.Result result = Sweeps.run(
                        "plot",
                        results,
                        "--x",
                        "traffic.load",
                        "--y",
                        "message_latency_mean_ns",
                        "--by",
                        "traffic_flows",
                        "--where",
                        "switch.alpha = 2",
                        "-o",
                        picture)
                .expect(0);

        assertThat(result.out()).contains("2 curves, 6 points");
        assertThat(Files.readString(picture)).contains("rgb(0,114,178)", "rgb(213,94,0)");
    }

    @Test
    void json_tellsTheNumbersThatWereDrawn() throws IOException {
        Sweeps.Result result = Sweeps.run(
                        "plot",
                        results,
                        "--x",
                        "traffic.load",
                        "--y",
                        "message_latency_mean_ns",
                        "--where",
                        "switch.alpha = 2 and traffic.flows = 8",
                        "--json",
                        "-o",
                        dir.resolve("json.svg"))
                .expect(0);

        JsonNode drawn = new ObjectMapper().readTree(result.out());
        assertThat(drawn.get("points").asInt()).isEqualTo(3);
        assertThat(drawn.at("/curves/0/points/2/x").asDouble()).isEqualTo(0.8);
        assertThat(drawn.at("/curves/0/points/2/y").asDouble())
                .isEqualTo(Sweeps.rows(results, Table.POINTS).stream()
                        .filter(r -> r.get("traffic_load").equals(0.8)
                                && r.get("traffic_flows").equals(8L)
                                && r.get("switch_alpha").equals(2.0))
                        .map(r -> (Double) r.get("message_latency_mean_ns"))
                        .findFirst()
                        .orElseThrow());
    }

    @Test
    void pointsThatDifferOtherwise_areAveraged_andThatIsSaid() throws IOException {
        Sweeps.Result result = Sweeps.run(
                        "plot",
                        results,
                        "--x",
                        "traffic.load",
                        "--y",
                        "message_latency_mean_ns",
                        "--by",
                        "traffic.flows",
                        "-o",
                        dir.resolve("mixed.png"))
                .expect(0);

        assertThat(result.err()).contains("averaged over switch_alpha (2 values)");
    }

    @Test
    void pointWithMoreReplicates_countsOnce_withTheMost() throws IOException {
        Path file = dir.resolve("grown.yaml");
        Path grown = dir.resolve("grown");
        for (int replicates = 2; replicates <= 3; replicates++) {
            Files.writeString(file, """
                    base: {traffic.message: 8 KiB, measure.messages: 200}
                    sweep: {traffic.load: [0.2, 0.8]}
                    replicates: %d
                    """.formatted(replicates));
            Sweeps.run("run", file, "--out", grown, "--quiet", "--master", "local[1]")
                    .expect(0);
        }

        Sweeps.Result result = Sweeps.run(
                        "plot",
                        grown,
                        "--x",
                        "traffic.load",
                        "--y",
                        "message_latency_mean_ns",
                        "-o",
                        dir.resolve("g.svg"))
                .expect(0);

        assertThat(result.out()).contains("1 curve, 2 points");
    }

    @Test
    void mistakes_giveOneLine_exit2_andNoPicture() {
        Path picture = dir.resolve("none.svg");
        assertThat(Sweeps.run("plot", results, "--x", "traffic.lod", "--y", "drops", "-o", picture)
                        .expect(2)
                        .err())
                .contains("--x traffic.lod: unknown column. Maybe `traffic.load`?");
        assertThat(Sweeps.run("plot", results, "--x", "traffic.pattern", "--y", "drops", "-o", picture)
                        .expect(2)
                        .err())
                .contains("expected a number");
        assertThat(Sweeps.run(
                                "plot",
                                results,
                                "--x",
                                "traffic.load",
                                "--y",
                                "drops",
                                "--where",
                                "traffic.load >",
                                "-o",
                                picture)
                        .expect(2)
                        .err())
                .contains("--where");
        assertThat(Sweeps.run(
                                "plot",
                                results,
                                "--x",
                                "traffic.load",
                                "--y",
                                "drops",
                                "--where",
                                "traffic.load > 7",
                                "-o",
                                picture)
                        .expect(2)
                        .err())
                .contains("no point has both");
        assertThat(Sweeps.run(
                                "plot",
                                results,
                                "--x",
                                "traffic.load",
                                "--y",
                                "drops",
                                "-o",
                                dir.resolve("no/such/x.svg"))
                        .expect(2)
                        .err())
                .contains("there is no folder");
        assertThat(Sweeps.run("plot", dir.resolve("nothing"), "--x", "traffic.load", "--y", "drops", "-o", picture)
                        .expect(2)
                        .err())
                .contains("is no results folder");
        assertThat(picture).doesNotExist();
    }
}
