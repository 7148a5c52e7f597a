package io.github.rhosweep.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rhosweep.design.ExperimentSpec;
import io.github.rhosweep.result.Row;
import io.github.rhosweep.store.Location;
import io.github.rhosweep.store.ResultsFolder;
import io.github.rhosweep.store.RowWriter;
import io.github.rhosweep.store.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code refine}: points go where a curve bends. */
@Tag("integration")
class RefineTest {
    private static final String MASTER = "local[2]";

    @TempDir
    private Path temp;

    private Path file;

    @BeforeEach
    void write() throws IOException {
        file = temp.resolve("knee.yaml");
        // Waits grow without bound towards load 1: neighbours differ most at the upper end.
        Files.writeString(
                file,
                "name: knee\nbase: {traffic.message: 1 KiB, measure.messages: 20000}\n"
                        + "sweep:\n  traffic.load: [0.1, 0.3, 0.5, 0.7, 0.95]\n  traffic.arrivals: [poisson, periodic]\n");
    }

    private static List<Double> loads(Path out) throws IOException {
        return Sweeps.rows(out, Table.POINTS).stream()
                .filter(row -> "poisson".equals(row.get("traffic_arrivals")))
                .map(row -> (Double) row.get("traffic_load"))
                .sorted()
                .toList();
    }

    @Test
    void points_goWhereNeighboursDiffer_andTheSameEverywhere() throws IOException {
        Path out = temp.resolve("out");
        assertThat(Sweeps.run(
                                "refine",
                                file,
                                "--out",
                                out,
                                "--points",
                                4,
                                "--round",
                                2,
                                "--master",
                                MASTER,
                                "--quiet",
                                "--json")
                        .expect(0)
                        .out())
                .isEqualTo("{\"out\":\"" + out + "\",\"points\":14,\"added\":4,\"rounds\":2,\"failed\":0}\n");
        List<Double> loads = loads(out);
        assertThat(loads.stream().filter(load -> load > 0.7 && load < 0.95).count())
                .isGreaterThanOrEqualTo(2);
        assertThat(loads).contains(0.83); // halfway from 0.7 to 0.95, in two digits

        Path again = temp.resolve("again");
        Sweeps.run("refine", file, "--out", again, "--points", 2, "--round", 2, "--master", MASTER, "--quiet")
                .expect(0);
        // A folder goes on from where it is: in the end the two are one.
        Sweeps.run("refine", again, "--points", 2, "--round", 2, "--master", MASTER, "--quiet")
                .expect(0);
        assertThat(Sweeps.hashes(again, Table.RUNS)).isEqualTo(Sweeps.hashes(out, Table.RUNS));
        assertThat(Files.readString(again.resolve("experiment.yaml"))).isEqualTo(Files.readString(file));
        assertThat(Sweeps.run("summary", out).expect(0).out()).contains("14 points simulated");
    }

    /** Planted: latency jumps above 0.7 and rises by its interval elsewhere; the model is right between 0.3 and 0.5. */
    @Test
    void changeOfSignOfAModelsError_comesFirst_andNoiseCallsForNothing() throws IOException {
        Files.writeString(
                file, Files.readString(file).replace(", periodic]", "]").concat("fidelity: models\n"));
        Path out = temp.resolve("planted");
        Sweeps.run("run", file, "--out", out, "--master", MASTER, "--quiet").expect(0);
        ResultsFolder folder = new ResultsFolder(out);
        Location points = folder.files(Table.POINTS).get(0);
        List<Row> rows = Sweeps.rows(out, Table.POINTS);
        Files.delete(Path.of(points.toString()));
        try (RowWriter writer = new RowWriter(points, rows.get(0).columns())) {
            for (Row row : rows) {
                double load = (Double) row.get("traffic_load");
                double latency = load > 0.7 ? 900 : 100 + load;
                writer.write(with(
                        row,
                        "n",
                        1L,
                        "message_latency_mean_ns",
                        latency,
                        "message_latency_half_width_ns",
                        2.0,
                        "pred_md1_message_ns",
                        load < 0.4 ? latency - 10 : latency + 10));
            }
        }
        ExperimentSpec experiment = Sweeps.experiment(file);
        assertThat(added(new RefineJob("message_latency_mean_ns", null), experiment, folder))
                .containsExactly("0.83");
        assertThat(added(new RefineJob("message_latency_mean_ns", "md1"), experiment, folder))
                .containsExactly("0.4", "0.83");
    }

    /** One for the sweep and all its rounds. */
    @Test
    void budget_isSharedByAllRounds() throws IOException {
        Path out = temp.resolve("budget");
        Sweeps.Result poor = Sweeps.run(
                        "refine",
                        file,
                        "--out",
                        out,
                        "--points",
                        4,
                        "--round",
                        1,
                        "--budget",
                        "0.001s",
                        "--master",
                        MASTER)
                .expect(0);
        assertThat(poor.out()).isEqualTo("0 points added in 0 rounds to 10; then the budget was spent\n");
        Sweeps.Result rich = Sweeps.run(
                        "refine",
                        file,
                        "--out",
                        out,
                        "--points",
                        2,
                        "--round",
                        1,
                        "--budget",
                        "9000s",
                        "--master",
                        MASTER)
                .expect(0);
        assertThat(rich.out()).isEqualTo("2 points added in 2 rounds to 10\n");
        assertThat(rich.err()).contains("round 1: 1 point more");
        // What a round may spend is what those before it have left.
        List<Double> left = rich.err()
                .lines()
                .filter(line -> line.contains(" of 9000 s of CPU used"))
                .map(line -> Double.valueOf(line.replaceAll("budget: ([0-9.]+) of.*", "$1")))
                .toList();
        assertThat(left).hasSize(3).isSorted();
    }

    private static List<String> added(RefineJob job, ExperimentSpec experiment, ResultsFolder folder)
            throws IOException {
        ExperimentSpec grown = job.refined(experiment, folder, 1000);
        return LongStream.range(experiment.size(), grown.size())
                .mapToObj(i -> grown.point(i).settings().get(0).text())
                .toList();
    }

    private static Row with(Row row, Object... changes) {
        Object[] values = row.values().clone();
        for (int c = 0; c < changes.length; c += 2) {
            for (int i = 0; i < values.length; i++) {
                if (row.columns().get(i).name().equals(changes[c])) {
                    values[i] = changes[c + 1];
                }
            }
        }
        return new Row(row.columns(), values);
    }

    @Test
    void badRequests_areToldInALine() {
        assertThat(Sweeps.run("refine", file).expect(2).err()).startsWith("--out is missing");
        assertThat(Sweeps.run("refine", file, "--out", temp.resolve("x"), "--metric", "latency")
                        .expect(2)
                        .err())
                .startsWith("--metric: there is no column `latency`");
        assertThat(Sweeps.run("refine", file, "--out", temp.resolve("x"), "--model", "md2")
                        .expect(2)
                        .err())
                .startsWith("--model: there is no column `pred_md2_message_ns`");
        assertThat(Sweeps.run("refine", file, "--out", temp.resolve("x"), "--points", 0)
                        .expect(2)
                        .err())
                .isEqualTo("--points: 0 is not at least 1\n");
    }
}
