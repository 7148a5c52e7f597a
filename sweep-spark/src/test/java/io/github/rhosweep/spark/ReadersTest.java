package io.github.rhosweep.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.github.rhosweep.result.Column;
import io.github.rhosweep.run.Tables;
import io.github.rhosweep.scenario.Parameter.ColumnType;
import io.github.rhosweep.store.Table;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs that know nothing of this one read a folder of several sweeps as one flat table whose types never change. */
@Tag("integration")
class ReadersTest {
    private static final Map<ColumnType, String> DUCKDB_TYPES = Map.of(
            ColumnType.BOOLEAN, "BOOLEAN",
            ColumnType.INT64, "BIGINT",
            ColumnType.DOUBLE, "DOUBLE",
            ColumnType.STRING, "VARCHAR");

    private static final Map<ColumnType, String> ARROW_TYPES = Map.of(
            ColumnType.BOOLEAN, "bool",
            ColumnType.INT64, "int64",
            ColumnType.DOUBLE, "double",
            ColumnType.STRING, "string");

    @TempDir
    private Path temp;

    private Path dir;

    /** Three sweeps with other axes each, of which most columns are null in one or another. */
    @BeforeEach
    void sweepThrice() throws IOException {
        dir = temp.resolve("three sweeps ü");
        Path file = temp.resolve("experiment.yaml");
        for (String sweep : List.of(
                "sweep: {traffic.load: [0.5, 0.9], switch.alpha: [1, 0.5]}",
                "sweep: {topology.kind: [direct], traffic.flows: [1], traffic.load: [0.5, 1.5]}",
                "sweep: {link.bandwidth: [unlimited, 400 GB/s], traffic.arrivals: [poisson, on-off, erlang]}",
                "sweep: {traffic.pattern: [uniform, hotspot], switch.islip_iterations: [1, 2]}")) {
            Files.writeString(file, "name: many\nbase: {measure.messages: 200}\n" + sweep + "\n");
            Sweeps.run("run", file, "--out", dir, "--quiet").expect(0);
        }
    }

    @Test
    void duckdb_readsOneFlatTable() throws Exception {
        try (Connection duckdb = DriverManager.getConnection("jdbc:duckdb:");
                Statement sql = duckdb.createStatement()) {
            for (Table table : List.of(Table.RUNS, Table.POINTS)) {
                List<Column> columns = table == Table.RUNS ? Tables.RUNS : Tables.POINTS;
                String files = "'" + dir.resolve(table.folder()) + "/*.parquet'";
                Map<String, String> types = new LinkedHashMap<>();
                try (ResultSet rows = sql.executeQuery("describe select * from " + files)) {
                    while (rows.next()) {
                        types.put(rows.getString(1), rows.getString(2));
                    }
                }
                assertThat(types).containsExactlyEntriesOf(expected(columns, DUCKDB_TYPES));
                try (ResultSet count = sql.executeQuery("select count(*), count(distinct point_key) from " + files)) {
                    assertThat(count.next()).isTrue();
                    assertThat(count.getLong(1))
                            .isEqualTo(Sweeps.rows(dir, table).size());
                    assertThat(count.getLong(2)).isEqualTo(count.getLong(1));
                }
            }
            try (ResultSet sums = sql.executeQuery("select sum(packets_forwarded), avg(message_latency_mean_ns) from '"
                    + dir.resolve("runs") + "/*.parquet' where topology_kind = 'single-switch'")) {
                assertThat(sums.next()).isTrue();
                assertThat(sums.getDouble(1)).isEqualTo(sum("packets_forwarded"));
                assertThat(sums.getDouble(2)).isPositive();
            }
        }
    }

    @Test
    void pyarrow_readsOneFlatTable() throws Exception {
        Path python = python();
        if (python == null) {
            System.err.println(
                    "NOT TESTED: that pyarrow reads the results: no python with pyarrow. Maybe: python3 -m venv"
                            + " .venv && .venv/bin/pip install -r scripts/requirements-test.txt");
        }
        assumeThat(python).as("python with pyarrow").isNotNull();
        String program = """
                import sys, pyarrow.parquet as pq
                t = pq.read_table(sys.argv[1])
                for f in t.schema: print(f.name, f.type)
                import pyarrow.compute as pc
                print("rows", t.num_rows)
                print("packets", pc.sum(t["packets_forwarded"]).as_py())
                """;
        Process process = new ProcessBuilder(
                        python.toString(), "-c", program, dir.resolve("runs").toString())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        Map<String, String> lines = new LinkedHashMap<>();
        output.lines().forEach(line -> lines.put(line.split(" ")[0], line.split(" ")[1]));
        assertThat(Long.parseLong(lines.remove("rows")))
                .isEqualTo(Sweeps.rows(dir, Table.RUNS).size());
        assertThat(Double.parseDouble(lines.remove("packets"))).isEqualTo(sum("packets_forwarded"));
        assertThat(lines).containsExactlyEntriesOf(expected(Tables.RUNS, ARROW_TYPES));
    }

    private double sum(String column) throws IOException {
        return Sweeps.rows(dir, Table.RUNS).stream()
                .filter(row -> row.get(column) != null)
                .mapToLong(row -> (Long) row.get(column))
                .sum();
    }

    private static Map<String, String> expected(List<Column> columns, Map<ColumnType, String> types) {
        return columns.stream()
                .collect(Collectors.toMap(Column::name, c -> types.get(c.type()), (a, b) -> a, LinkedHashMap::new));
    }

    /** The project's virtual environment, or whatever python3 is if it has pyarrow. */
    private static Path python() throws IOException, InterruptedException {
        for (Path python :
                List.of(Path.of("..", ".venv", "bin", "python").toAbsolutePath().normalize(), Path.of("python3"))) {
            if (python.isAbsolute() && !Files.isExecutable(python)) {
                continue;
            }
            try {
                Process probe = new ProcessBuilder(python.toString(), "-c", "import pyarrow")
                        .redirectErrorStream(true)
                        .start();
                probe.getInputStream().readAllBytes();
                if (probe.waitFor() == 0) {
                    return python;
                }
            } catch (IOException noSuchProgram) {
                System.err.println("cannot run " + python + ": " + noSuchProgram.getMessage());
            }
        }
        return null;
    }
}
