package io.github.rhosweep.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rhosweep.result.Column;
import io.github.rhosweep.result.Row;
import io.github.rhosweep.run.Tables;
import io.github.rhosweep.store.Location;
import io.github.rhosweep.store.ResultsFolder;
import io.github.rhosweep.store.RowReader;
import io.github.rhosweep.store.RowWriter;
import io.github.rhosweep.store.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code verify} and {@code explain}: rows run again. */
@Tag("integration")
class StoredRowsTest {
    private static final String BURSTS = """
            name: bursts
            base:
              traffic: {pattern: incast, arrivals: synchronized, message: 16 KiB, flows: 8, load: 0.8}
              switch.buffer_capacity_bytes: 64 KiB
              measure.messages: 200
            sweep:
              switch.alpha: [0.5, 2]
              link.bandwidth: [400 GB/s, unlimited]
              topology.kind: [single-switch]
            """;

    @TempDir
    private static Path temp;

    private static Path out;

    @BeforeAll
    static void sweep() throws IOException {
        Path file = temp.resolve("bursts.yaml");
        Files.writeString(file, BURSTS);
        out = temp.resolve("out");
        Sweeps.run("run", file, "--out", out, "--master", "local[2]", "--quiet").expect(0);
    }

    @Test
    void verify_findsNoDifference_andTheSampleFollowsTheSeed() {
        assertThat(Sweeps.run("verify", out, "--master", "local[2]", "--quiet")
                        .expect(0)
                        .out())
                .isEqualTo("4 of 4 rows run again (seed 1): all came out as stored, bit for bit\n"
                        + "4 rows of points made again from their stored runs: all as stored\n");
        assertThat(Sweeps.run("verify", out, "--sample", 3, "--seed", 9, "--master", "local[2]", "--quiet", "--json")
                        .expect(0)
                        .out())
                .isEqualTo(
                        "{\"rows\":4,\"verified\":3,\"differing\":0,\"points\":3,\"points_differing\":0,\"examples\":[],\"seed\":9}\n");
    }

    @Test
    void changedBit_isFoundAndNamed() throws IOException {
        Path copy = temp.resolve("changed");
        copy(out, copy);
        Path file = new ResultsFolder(copy).files(Table.RUNS).get(0).path();
        List<Row> rows = rows(file);
        Row first = rows.get(0);
        Object[] values = first.values().clone();
        for (int i = 0; i < values.length; i++) {
            if (first.columns().get(i).name().equals("voq_wait_mean_ns")) {
                values[i] = Math.nextUp((Double) values[i]);
            }
        }
        rows.set(0, new Row(first.columns(), values));
        Files.delete(file);
        try (RowWriter writer = new RowWriter(Location.of(file), first.columns())) {
            for (Row row : rows) {
                writer.write(row);
            }
        }
        assertThat(Sweeps.run("verify", copy, "--master", "local[2]", "--quiet")
                        .expect(4)
                        .out())
                .contains(
                        "4 of 4 rows run again (seed 1): 1 DIFFER",
                        first.get("run_key") + ": voq_wait_mean_ns: stored ");
        assertThat(Sweeps.run("explain", copy, "--run", first.get("run_key"), "--json")
                        .expect(4)
                        .out())
                .contains("\"reproduced\":false", "voq_wait_mean_ns");
    }

    @Test
    void explain_writesEveryDecision_andItsSumsAreTheRowsCounters() throws IOException {
        for (Row row : Sweeps.rows(out, Table.RUNS)) {
            Path csv = temp.resolve("why.csv");
            assertThat(Sweeps.run("explain", out, "--run", row.get("run_key"), "--out", csv)
                            .expect(0)
                            .out())
                    .startsWith("run " + row.get("run_key") + ": ")
                    .endsWith("the row came out as stored, bit for bit\n");
            List<String> lines = Files.readAllLines(csv);
            assertThat(lines.get(0)).startsWith("time_ns,switch,event,frame,ingress,egress");
            assertThat(count(lines, "drop")).isEqualTo(row.get("drops")).isPositive();
            assertThat(count(lines, "mark")).isEqualTo(row.get("ecn_marked"));
            assertThat(count(lines, "grant")).isEqualTo(row.get("packets_forwarded"));
            assertThat(count(lines, "mark") + count(lines, "forward")).isEqualTo(row.get("packets_forwarded"));
            List<String> drops =
                    lines.stream().filter(l -> l.contains(",drop,")).toList();
            assertThat(drops).allSatisfy(l -> {
                String[] cells = l.split(",");
                // queue + frame > allowed, the rule of admission, from the line's own numbers
                assertThat(Double.parseDouble(cells[8]) + Double.parseDouble(cells[7]))
                        .isGreaterThan(Double.parseDouble(cells[10]));
                assertThat(l).contains("\"dynamic-threshold: queue ");
            });
        }
    }

    @Test
    void explain_windowLeavesOutTheRest() throws IOException {
        Object key = Sweeps.rows(out, Table.RUNS).get(0).get("run_key");
        List<String> all =
                lines(Sweeps.run("explain", out, "--run", key).expect(0).out());
        List<String> window = lines(Sweeps.run("explain", out, "--run", key, "--from", "1us", "--to", "3us")
                .expect(0)
                .out());
        assertThat(window).hasSizeBetween(2, all.size() - 1);
        assertThat(window.subList(1, window.size()))
                .isEqualTo(all.stream()
                        .skip(1)
                        .filter(l -> time(l) >= 1000 && time(l) < 3000)
                        .toList());
    }

    @Test
    void badKeysAndWindows_areToldInALine() throws IOException {
        List<String> keys = Sweeps.column(out, Table.RUNS, "run_key");
        assertThat(Sweeps.run("explain", out, "--run", "zz").expect(2).err())
                .contains("no run in ", "`zz`. Expected one of the column run_key, such as ")
                .containsAnyOf(keys.toArray(String[]::new));
        assertThat(Sweeps.run("explain", out, "--run", "").expect(2).err())
                .contains("several runs", String.join(", ", keys.subList(0, 2)));
        assertThat(Sweeps.run("explain", out, "--run", "a", "--from", "3us", "--to", "2us")
                        .expect(2)
                        .err())
                .isEqualTo("--from 3us is not before --to 2us\n");
        assertThat(Sweeps.run("explain", out, "--run", "a", "--from", "3")
                        .expect(2)
                        .err())
                .contains("--from: `3`, expected a time such as 10us");
        assertThat(Sweeps.run("verify", temp).expect(2).err()).contains("is no results folder");
    }

    @Test
    void windowsBeyondAllTime_areEmptyOrWhole() throws IOException {
        Object key = Sweeps.rows(out, Table.RUNS).get(0).get("run_key");
        String never = "9999999999999 s";
        assertThat(Sweeps.run("explain", out, "--run", key, "--json", "--from", never)
                        .expect(0)
                        .out())
                .contains("\"reproduced\":true", "\"events\":0");
        assertThat(Sweeps.run("explain", out, "--run", key, "--from", "-5us", "--to", never)
                        .expect(0)
                        .out())
                .isEqualTo(Sweeps.run("explain", out, "--run", key).expect(0).out());
    }

    @Test
    void foreignFile_isNamed() throws IOException {
        Path copy = temp.resolve("foreign");
        copy(out, copy);
        Row row = Sweeps.rows(out, Table.RUNS).get(0);
        Path foreign = copy.resolve("runs").resolve("theirs.parquet");
        try (RowWriter writer =
                new RowWriter(Location.of(foreign), row.columns().subList(2, 4))) {
            writer.write(new Row(row.columns().subList(2, 4), Arrays.copyOfRange(row.values(), 2, 4)));
        }
        Path merged = temp.resolve("merged");
        assertThat(Sweeps.run("verify", copy, "--master", "local[2]", "--quiet")
                        .expect(2)
                        .err()
                        .strip())
                .startsWith(foreign + " has no column `")
                .endsWith("it is no file of results. Maybe move it elsewhere")
                .doesNotContain("\n");
        for (Sweeps.Result result : List.of(
                Sweeps.run("merge", out, copy, "--out", merged, "--master", "local[2]"), Sweeps.run("compact", copy))) {
            assertThat(result.expect(2).err())
                    .isEqualTo(foreign + " is there without points/theirs.parquet, and this program gives no such name."
                            + " Maybe move it elsewhere\n");
        }
        assertThat(merged).doesNotExist();
    }

    private static double time(String line) {
        return Double.parseDouble(line.substring(0, line.indexOf(',')));
    }

    private static List<String> lines(String text) {
        return text.lines().toList();
    }

    private static long count(List<String> lines, String event) {
        return lines.stream().filter(l -> l.contains("," + event + ",")).count();
    }

    private static List<Row> rows(Path file) throws IOException {
        List<Row> rows = new ArrayList<>();
        List<Column> columns = Tables.RUNS;
        try (RowReader reader = new RowReader(Location.of(file), columns)) {
            for (Row row = reader.read(); row != null; row = reader.read()) {
                rows.add(row);
            }
        }
        return rows;
    }

    private static void copy(Path from, Path to) throws IOException {
        try (var tree = Files.walk(from)) {
            List<Path> paths = new ArrayList<>(tree.toList());
            Collections.sort(paths);
            for (Path p : paths) {
                Files.copy(p, to.resolve(from.relativize(p).toString()));
            }
        }
    }
}
