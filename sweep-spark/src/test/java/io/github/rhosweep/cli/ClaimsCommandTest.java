package io.github.rhosweep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.rhosweep.check.ClaimsReport;
import io.github.rhosweep.result.Row;
import io.github.rhosweep.spark.Sweeps;
import io.github.rhosweep.store.Location;
import io.github.rhosweep.store.RowReader;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClaimsCommandTest {
    private static final String CLAIM = """
        claims:
          - id: slower-under-load
            claim: Half load costs nothing
            source: nobody
            base: {traffic: {flows: 2, message: 1344 B}, measure.messages: 2000}
            points:
              idle: {traffic.load: 0.01}
              half: {traffic.load: 0.5}
            measure: half.message_latency_mean_ns / idle.message_latency_mean_ns
            claimed: 1
            margin: 0.01%
            theory: Frames meet.
            condition: Never.
            verdict: VERDICT
            plot: {x: traffic.message, values: [1344 B, 4 KiB]}
        """;

    @TempDir
    Path dir;

    @Test
    void unknownClaim_isToldWithTheNearest() {
        assertThat(Sweeps.run("claims", "--id", "islip-1-troughput").expect(2).err())
                .isEqualTo("--id islip-1-troughput: no such claim. Maybe `islip-1-throughput`?\n");
    }

    /** A short form of the whole: figures without chance, a lossy burst, and a ratio of two points. */
    @Tag("integration")
    @Test
    void shippedClaims_keepTheirVerdicts_onAnyNumberOfCores() {
        Object[] command = {
            "claims", "--json", "--id", "two-port-latency", "--id", "idle-switch-alone", "--id", "dt-incast-buffer",
            "--id", "incast-drops", "--id", "ecn-band-low", "--id", "segmented-jump-low", "--master", "local[1]"
        };
        String one = Sweeps.run(command).expect(0).out();
        command[command.length - 1] = "local[3]";
        assertThat(Sweeps.run(command).expect(0).out()).isEqualTo(one);
        assertThat(one).contains("\"verdict\":\"holds\"").contains("\"verdict\":\"refuted\"");
    }

    @Tag("integration")
    @Test
    void changedVerdict_isAnError_andAllIsWritten() throws Exception {
        Path file = Files.writeString(dir.resolve("c.yaml"), CLAIM.replace("VERDICT", "refuted"));
        Path out = dir.resolve("out");
        assertThat(Sweeps.run("claims", "--file", file, "--out", out, "--master", "local[2]")
                        .expect(0)
                        .out())
                .contains("0 holds, 1 refuted, 0 undecided");
        try (RowReader reader = new RowReader(Location.of(out.resolve("claims.parquet")), ClaimsReport.COLUMNS)) {
            Row row = reader.read();
            assertThat(row).isNotNull();
            assertThat(row.get("id")).isEqualTo("slower-under-load");
            assertThat(row.get("verdict")).isEqualTo("refuted");
            assertThat((Double) row.get("measured")).isGreaterThan(1.001);
            assertThat(row.get("n")).isEqualTo(10L);
            assertThat(reader.read()).isNull();
        }
        assertThat(out.resolve("claims.md")).content().contains("**refuted**").contains("(slower-under-load.svg)");
        assertThat(out.resolve("slower-under-load.svg")).content().contains("<svg");

        Files.writeString(file, CLAIM.replace("VERDICT", "holds"));
        Sweeps.Result surprised = Sweeps.run("claims", "--file", file, "--json", "--master", "local[2]")
                .expect(4);
        assertThat(surprised.err()).isEqualTo("slower-under-load: refuted, expected holds\n");
        assertThat(new ObjectMapper()
                        .readTree(surprised.out())
                        .at("/claims/0/verdict")
                        .asText())
                .isEqualTo("refuted");
    }
}
