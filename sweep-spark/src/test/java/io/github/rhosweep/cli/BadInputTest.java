package io.github.rhosweep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rhosweep.spark.Sweeps;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every verb meets bad input with exit code 2, a message that names the place, and nothing written. */
class BadInputTest {
    @TempDir
    private Path temp;

    private Path good;
    private Path out;

    @BeforeEach
    void write() throws IOException {
        good = temp.resolve("good.yaml");
        out = temp.resolve("out");
        Files.writeString(good, "sweep: {traffic.flows: [2, 4]}\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "sweep: {traffic.flows: [2, 4], traffic.folws: [1]}",
                "base: {switch.alpha: much}",
                "base: {traffic.message: 64}",
                "base: {traffic.message: 3 GB/s}",
                "sweep: {traffic.load: {from: 0.9, to: 0.1, step: 0.1}}",
                "sweep: {traffic.load: [.nan]}",
                "sweep: {traffic.load: [0.5, 0.5]}",
                "base: {switch.port_count: 4}\nsweep: {traffic.flows: [2, 64]}",
                "replicates: {min: 3, max: 5, until: {metric: mesage_latency_mean_ns, relative_ci: 0.05, confidence: 0.95}}",
                "a: [b",
                "- list",
                "!!java.lang.ProcessBuilder [x]: 1",
                "\u0000"
            })
    void badExperiment_namesTheFile_andWritesNothing(String yaml) throws IOException {
        Path file = temp.resolve("bäd 1.yaml");
        Files.writeString(file, yaml);
        for (List<Object> command :
                List.of(List.<Object>of("run", file, "--out", out), List.<Object>of("once", file))) {
            Sweeps.Result result = Sweeps.run(command.toArray()).expect(2);
            assertThat(result.err()).contains("bäd 1.yaml").doesNotContain("\tat ", "Exception");
            assertThat(result.out()).isEmpty();
        }
        assertThat(out).doesNotExist();
    }

    @Test
    void missingFile_emptyFile_folderAsFile_exit2() throws IOException {
        Path empty = Files.createFile(temp.resolve("folder.yaml").resolveSibling("empty.yaml"));
        Path folder = Files.createDirectory(temp.resolve("folder.yaml"));
        for (Path file : List.of(temp.resolve("none.yaml"), folder)) {
            Sweeps.Result result = Sweeps.run("run", file, "--out", out).expect(2);
            assertThat(result.err().strip())
                    .contains(file.getFileName().toString())
                    .doesNotContain("\n");
        }
        assertThat(out).doesNotExist();
        assertThat(empty).isEmptyFile();
    }

    @Test
    void badOverrides_nameTheOption() {
        assertThat(Sweeps.run("run", good, "--out", out, "--set", "switch.alhpa=1")
                        .expect(2)
                        .err())
                .contains("--set", "switch.alpha");
        assertThat(Sweeps.run("run", good, "--out", out, "--sweep", "switch.alpha=1,1")
                        .expect(2)
                        .err())
                .contains("--sweep", "switch.alpha");
        assertThat(out).doesNotExist();
    }

    @Test
    void outThatIsAFile_orHoldsForeignFiles_isRefused() throws IOException {
        Path file = Files.writeString(temp.resolve("file"), "mine");
        for (Path bad : List.of(file, file.resolve("below"))) {
            assertThat(Sweeps.run("run", good, "--out", bad).expect(2).err().strip())
                    .contains("is a file")
                    .doesNotContain("\n");
        }
        assertThat(file).hasContent("mine");
        Path foreign = Files.createDirectory(temp.resolve("foreign"));
        Files.writeString(foreign.resolve("experiment.yaml"), "mine");
        assertThat(Sweeps.run("run", good, "--out", foreign).expect(2).err()).contains("experiment.yaml");
        assertThat(foreign.resolve("experiment.yaml")).hasContent("mine");
        assertThat(foreign.resolve(".lock")).doesNotExist();
    }

    @Test
    void badMaster_isRefusedBeforeTheFolderIsMade() {
        for (String master : List.of("locl[2]", "local[2", "spark:host")) {
            assertThat(Sweeps.run("run", good, "--out", out, "--master", master)
                            .expect(2)
                            .err())
                    .contains(master, "local[*]");
        }
        assertThat(out).doesNotExist();
    }

    @Test
    void once_wantsOnePoint() {
        assertThat(Sweeps.run("once", good).expect(2).err().strip())
                .contains("2 points", "--sweep traffic.flows=2")
                .doesNotContain("\n");
        assertThat(Sweeps.run("once", good, "--sweep", "traffic.flows=2", "--replicate", "0")
                        .expect(2)
                        .err())
                .contains("--replicate");
    }

    @Test
    void summary_wantsAResultsFolder() throws IOException {
        for (Path dir : List.of(temp.resolve("none"), temp)) {
            assertThat(Sweeps.run("summary", dir).expect(2).err().strip())
                    .contains("no results folder")
                    .doesNotContain("\n");
        }
        assertThat(temp.resolve("none")).doesNotExist();
        Files.writeString(temp.resolve("manifest.json"), "{");
        assertThat(Sweeps.run("summary", temp).expect(2).err()).contains("manifest.json");
    }

    @Test
    void resultsElsewhereThanOnDiskHdfsOrS3_areRefused() {
        assertThat(Sweeps.run("summary", "gs://bucket/out").expect(2).err())
                .contains("gs://bucket/out", "hdfs: or s3a:");
        assertThat(Sweeps.run("summary", "s3://bucket/out").expect(2).err()).contains("Maybe s3a:");
    }

    @ParameterizedTest
    @ValueSource(strings = {"run", "once", "replay", "columns", "summary"})
    void everyVerb_hasHelpWithAnExample_andRefusesUnknownOptions(String verb) {
        assertThat(Sweeps.run(verb, "--help").expect(0).out()).contains("Usage: rhosweep " + verb, "Example", "--json");
        assertThat(Sweeps.run(verb, "--jsno", "--out", "x", "y").expect(2).err())
                .contains("--jsno")
                .contains("--json")
                .doesNotContain("\tat ");
    }

    @Test
    void verbMisspelt_suggestsTheNearest() {
        assertThat(Sweeps.run("sumary", "x").expect(2).err()).contains("rhosweep summary");
        assertThat(Sweeps.run("runn", "x").expect(2).err()).contains("rhosweep run");
    }

    @Test
    void once_printsParametersMeasurementsAndPredictionsBesideThem() {
        Sweeps.Result result = Sweeps.run(
                        "once", good, "--sweep", "traffic.flows=2", "--set", "measure.messages=200", "--stats")
                .expect(0);
        assertThat(result.out())
                .containsPattern("traffic.flows +2")
                .containsPattern("message_latency_mean_ns +[0-9.]+ +ns")
                .containsPattern("pred_md1_message_ns +[0-9.]+ +[0-9.]+ +[+-][0-9.]+% +ns")
                .containsPattern("switch.0.packets_forwarded = \\d+");
        assertThat(Sweeps.run("once", good, "--sweep", "traffic.flows=2", "--set", "measure.messages=200", "--json")
                        .expect(0)
                        .out())
                .startsWith("{\"sweep\":\"good\"")
                .contains("\"traffic_flows\":2,")
                .hasLineCount(1);
    }

    @Test
    void summaryOfAFile_isBadInput() {
        assertThat(Sweeps.run("summary", good).expect(2).err().strip())
                .endsWith("good.yaml is a file, not a results folder");
    }

    @Test
    void once_tellsWhyARunFailed() {
        Sweeps.Result result = Sweeps.run("once", good, "--sweep", "traffic.flows=2", "--set", "limits.events=100")
                .expect(1);
        assertThat(result.err().strip())
                .startsWith("the run needs more than limits.events (100)")
                .hasLineCount(1);
        assertThat(result.out()).isEmpty();
    }

    @Test
    void once_printsTinyNumbersWithAnExponent() {
        String out = Sweeps.run(
                        "once",
                        good,
                        "--sweep",
                        "traffic.flows=2",
                        "--set",
                        "measure.messages=200",
                        "--set",
                        "traffic.message=4 KiB",
                        "--set",
                        "switch.buffer_capacity_bytes=64 KiB")
                .expect(0)
                .out();
        assertThat(out)
                .containsPattern("pred_md1k_lost_message_fraction +\\d\\.\\d{5}e-\\d+")
                .doesNotContain(" 0.0000");
    }

    @Test
    void columns_listsEveryTable() {
        assertThat(Sweeps.run("columns").expect(0).out())
                .contains("runs/*.parquet", "points/*.parquet", "failures/*.parquet")
                .containsPattern("message_latency_mean_ns +double +ns +Mean of");
        assertThat(Sweeps.run("columns", "--json").expect(0).out()).startsWith("{\"runs\":[{\"name\":\"sweep\"");
    }
}
