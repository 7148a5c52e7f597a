package io.github.rhosweep.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.rhosweep.result.Row;
import io.github.rhosweep.spark.Sweeps;
import io.github.rhosweep.store.Location;
import io.github.rhosweep.store.RowReader;
import io.github.rhosweep.store.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs as graphs. */
class DatasetCommandTest {
    @TempDir
    private Path temp;

    private List<Row> table(String name) throws IOException {
        Location file = Location.of(temp.resolve("graphs/" + name + ".parquet"));
        List<Row> rows = new ArrayList<>();
        try (RowReader reader = new RowReader(file, RowReader.columnsOf(file))) {
            for (Row row = reader.read(); row != null; row = reader.read()) {
                rows.add(row);
            }
        }
        return rows;
    }

    private static double real(Row row, String column) {
        return (Double) Objects.requireNonNull(row.get(column));
    }

    /** Graphs come in the order of keys, with all pairs that were measured; what has none is counted. */
    @Test
    @Tag("integration")
    void sweep_becomesGraphs() throws IOException {
        Path file = Files.writeString(temp.resolve("e.yaml"), """
                base:
                  traffic: {pattern: random-matrix, flows: 4, fan_out: 2, message: 4 KiB}
                  measure.messages: 2000
                  record.pairs: true
                sweep:
                  traffic.load: [0.3, 0.6, 1.5]
                """);
        Path out = temp.resolve("out");
        Sweeps.run("run", file, "--out", out, "--master", "local[1]").expect(0);
        assertThat(Sweeps.rows(out, Table.PAIRS)).hasSize(3 * 8);
        assertThat(Sweeps.rows(out, Table.FLOWS)).isEmpty();

        Sweeps.Result result =
                Sweeps.run("dataset", out, "--out", temp.resolve("graphs")).expect(0);
        assertThat(result.out()).contains("2 graphs, 16 flows").contains("1 runs left out: without a steady state");
        List<String> stable = Sweeps.rows(out, Table.RUNS).stream()
                .filter(run -> Boolean.TRUE.equals(run.get("stable")))
                .map(run -> (String) Objects.requireNonNull(run.get("run_key")))
                .sorted()
                .toList();
        assertThat(table("graphs").stream().map(row -> row.get("run_key")).toList())
                .isEqualTo(stable);
        List<Row> flows = table("flows");
        for (Row pair : Sweeps.rows(out, Table.PAIRS)) {
            int graph = stable.indexOf((String) pair.get("run_key"));
            List<Row> own = flows.stream()
                    .filter(row -> Objects.equals(row.get("graph"), (long) graph)
                            && Objects.equals(row.get("src"), pair.get("src"))
                            && Objects.equals(row.get("dst"), pair.get("dst")))
                    .toList();
            assertThat(own).hasSize(graph < 0 ? 0 : 1);
            if (graph >= 0) {
                double ratio = real(pair, "latency_mean_ns") / real(own.get(0), "zero_load_ns");
                assertThat(Math.exp(real(own.get(0), "log_mean"))).isEqualTo(ratio, within(1e-12 * ratio));
                assertThat(ratio).isGreaterThanOrEqualTo(1);
                assertThat(own.get(0).get("delivered")).isEqualTo(pair.get("delivered"));
            }
        }
        // A way has a NIC's queue and a VOQ; both graphs have the same matrix.
        assertThat(table("visits")).hasSize(2 * 16);
        long receivers = flows.stream().map(row -> row.get("dst")).distinct().count();
        assertThat(table("links")).hasSize((int) (2 * (4 + receivers)));
        assertThat(table("queues")).hasSize(2 * (4 + 8));
    }

    @Test
    void output_isNotWrittenOver() throws IOException {
        Files.createDirectory(temp.resolve("graphs"));
        Sweeps.Result refused = Sweeps.run("dataset", temp.resolve("none"), "--out", temp.resolve("graphs"));
        refused.expect(2);
        assertThat(refused.err()).contains("graphs exists. Maybe a new folder");
    }
}
