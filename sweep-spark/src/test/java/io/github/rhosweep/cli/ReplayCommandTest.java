package io.github.rhosweep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReplayCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path temp;

    private Path caseDir;

    @BeforeEach
    void writeCase() throws IOException {
        caseDir = Files.createDirectories(temp.resolve("cases à 1").resolve("two frames"));
        Files.writeString(caseDir.resolve("switch.yaml"), "\uFEFFswitch:\r\n  port_count: 4\r\n");
        Files.writeString(
                caseDir.resolve("trace.csv"),
                "time_ns,ingress,egress,wire_bytes,payload_bytes\n0,0,2,1406,1344\n0,1,2,1406,1344\n");
    }

    @Test
    void replay_writesOutcomes_alsoUnderPathsWithSpacesAndUmlauts() throws IOException {
        Path target = temp.resolve("aus gäbe");
        assertThat(run("replay", caseDir.toString(), "--out", target.toString()))
                .as(err.toString())
                .isZero();
        assertThat(Files.readAllLines(target.resolve("two frames").resolve("outcome.csv")))
                .hasSize(3)
                .first()
                .isEqualTo("accepted,dequeue_ns,finish_ns,ecn_marked");
        assertThat(out.toString()).startsWith("1 case replayed");
    }

    @Test
    void badCase_isOneLine_exit2_andNothingWritten() throws IOException {
        Path target = temp.resolve("out");
        Files.writeString(caseDir.resolve("switch.yaml"), "switch:\n  port_cuont: 4\n");
        assertThat(run("replay", caseDir.toString(), "--out", target.toString()))
                .isEqualTo(2);
        assertThat(err.toString().strip())
                .contains("switch.yaml:2", "port_cuont", "port_count")
                .doesNotContain("\n");
        assertThat(target).doesNotExist();

        assertThat(run("replay", temp.resolve("none").toString(), "--out", target.toString()))
                .isEqualTo(2);
        assertThat(target).doesNotExist();
    }

    @Test
    void wrongOptions_exit2_andSuggest() {
        assertThat(run("replya")).isEqualTo(2);
        assertThat(err.toString()).contains("rhosweep replay");
        assertThat(run("replay", "x")).isEqualTo(2);
        assertThat(err.toString()).contains("--out").doesNotContain("\tat ");
    }

    @Test
    void stackTraces_areForDebugAlone() {
        run("replay", temp.resolve("none").toString(), "--out", "x");
        assertThat(err.toString()).doesNotContain("\tat ");
        run("replay", temp.resolve("none").toString(), "--out", "x", "--debug");
        assertThat(err.toString()).contains("\tat ");
    }

    private int run(String... args) {
        err.getBuffer().setLength(0);
        return Main.execute(args, new PrintWriter(out, true), new PrintWriter(err, true));
    }
}
