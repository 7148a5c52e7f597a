package io.github.rhosweep.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.rhosweep.fit.Dataset;
import io.github.rhosweep.fit.Observation;
import io.github.rhosweep.fit.State;
import io.github.rhosweep.math.RandomStream;
import io.github.rhosweep.model.Target;
import io.github.rhosweep.result.Row;
import io.github.rhosweep.spark.FitData;
import io.github.rhosweep.spark.GbtTrainer;
import io.github.rhosweep.spark.SparkSetup;
import io.github.rhosweep.spark.Sweeps;
import io.github.rhosweep.store.Location;
import io.github.rhosweep.store.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** From a sweep to models, predictions and a comparison, by the command line. */
@Tag("integration")
class FitCommandsTest {
    @TempDir
    static Path dir;

    private static Path sweep;
    private static Path lossy;

    @BeforeAll
    static void runSweeps() throws IOException {
        sweep = run("fitted", """
                name: fitted
                random_numbers: independent
                replicates: 3
                base: {traffic.pattern: incast, switch.buffer_capacity_bytes: 1 GiB, measure.messages: 1000}
                sweep:
                  traffic.flows: [2, 4, 8]
                  traffic.message: [1 KiB, 4 KiB, 16 KiB]
                  traffic.load: {from: 0.1, to: 0.9, step: 0.1}
                """);
        lossy = run("lossy", """
                name: lossy
                random_numbers: independent
                replicates: 2
                base: {traffic: {pattern: incast, message: 16 KiB}, switch.buffer_capacity_bytes: 64 KiB, measure.messages: 1000}
                sweep:
                  traffic.flows: [4, 8]
                  traffic.load: [0.8, 0.9]
                """);
    }

    private static Path run(String name, String yaml) throws IOException {
        Path file = Files.writeString(dir.resolve(name + ".yaml"), yaml);
        Path out = dir.resolve(name);
        Sweeps.run("run", file, "--out", out).expect(0);
        return out;
    }

    private static Dataset read(int most, String where, Path... dirs) throws IOException {
        SparkSession spark = SparkSetup.session("local[2]");
        try {
            return FitData.read(spark, Stream.of(dirs).map(Location::of).toList(), Target.MESSAGE, where, most);
        } finally {
            spark.stop();
        }
    }

    /** A plain loop over the rows is the second opinion on what Spark SQL gathers. */
    @Test
    void dataset_isWhatTheRowsSay() throws IOException {
        Dataset dataset = read(1000, null, sweep, lossy);
        Map<String, Row> rows = new TreeMap<>();
        Map<String, String> seeds = new TreeMap<>();
        for (Path folder : List.of(sweep, lossy)) {
            Sweeps.rows(folder, Table.POINTS).forEach(r -> rows.put((String) r.get("point_key"), r));
            Sweeps.rows(folder, Table.RUNS).stream()
                    .filter(r -> r.get("replicate").equals(1L))
                    .forEach(r -> seeds.put((String) r.get("point_key"), Long.toHexString((Long) r.get("run_seed"))));
        }
        List<Observation> all = new ArrayList<>(dataset.usable());
        all.addAll(dataset.lossy());
        assertThat(all).hasSize(rows.size()).hasSize(85);
        assertThat(dataset.lossy()).hasSize(4);
        assertThat(dataset.experiments()).containsExactly("fitted", "lossy");
        for (Observation o : all) {
            Row row = rows.get(o.key());
            double raw = (Double) row.get("message_latency_mean_ns");
            double controlled = row.get("message_latency_mean_cv_ns") instanceof Double d ? d : raw;
            assertThat(o.value()).isIn(raw, controlled);
            assertThat(o.stream()).isEqualTo(seeds.get(o.key()));
            assertThat(o.conditions().get(io.github.rhosweep.fit.Feature.FLOWS))
                    .isEqualTo(((Long) row.get("traffic_flows")).doubleValue());
            assertThat(o.source()).endsWith(((Double) row.get("lost_message_fraction")) > 1e-4 ? "lossy" : "fitted");
        }
    }

    @Test
    void ofTooManyPoints_aSampleByKeyIsRead_andSaid() throws IOException {
        Dataset all = read(1000, null, sweep);
        Dataset some = read(20, null, sweep);
        assertThat(some.of()).isEqualTo(81);
        assertThat(some.read()).isEqualTo(20);
        assertThat(some.usable().stream().map(Observation::key))
                .containsExactlyElementsOf(
                        all.usable().stream().map(Observation::key).limit(20).toList());
        assertThat(read(1000, "traffic.flows > 2 and traffic.load < 0.5", sweep).usable())
                .hasSize(24);
        // The same point in two folders counts once.
        assertThat(read(1000, null, sweep, sweep).usable()).hasSize(81);
    }

    /** The whole way: a model is fitted, predicts what was measured, is compared, and says the same when fitted again. */
    @Test
    void fitPredictCompare_workTogether() throws IOException, SQLException {
        Path model = dir.resolve("rr.json");
        Sweeps.run("fit", sweep, "--method", "rr_fitted", "--out", model).expect(0);
        Path again = dir.resolve("rr2.json");
        Sweeps.run("fit", sweep, "--method", "rr_fitted", "--out", again).expect(0);
        assertThat(Files.readString(again)).isEqualTo(Files.readString(model));
        Sweeps.Result predicted = Sweeps.run(
                        "predict", model, "--flows", 4, "--load", "0.5", "--message", "4KiB", "--json")
                .expect(0);
        double value = Double.parseDouble(predicted.out().replaceAll("(?s).*\"value_ns\" ?: ?([0-9.E]+).*", "$1"));
        double measured = Sweeps.rows(sweep, Table.POINTS).stream()
                .filter(r -> r.get("traffic_flows").equals(4L)
                        && r.get("traffic_message_bytes").equals(4096L)
                        && r.get("traffic_load").equals(0.5))
                .mapToDouble(r -> (Double) r.get("message_latency_mean_cv_ns"))
                .findFirst()
                .orElseThrow();
        assertThat(value).isCloseTo(measured, within(0.02 * measured));

        Path out = dir.resolve("compared");
        Sweeps.Result compared = Sweeps.run("compare", sweep, lossy, "--without", "surrogate", "--out", out, "--json")
                .expect(0);
        assertThat(compared.out()).contains("\"lossy\":4").contains("\"goals\":[{\"pattern\":\"incast\"");
        String page = Files.readString(out.resolve("comparison.md"));
        assertThat(page).contains("| incast | lossy | `rr_fitted` |");
        try (Connection duck = DriverManager.getConnection("jdbc:duckdb:");
                Statement sql = duck.createStatement();
                ResultSet found =
                        sql.executeQuery("select count(*) filter (where held_out = 'random'), avg(abs(error)) from '"
                                + out.resolve("points.parquet")
                                + "' where method = 'alpha_beta' and held_out = 'random' and load >= 0.7")) {
            assertThat(found.next()).isTrue();
            assertThat(found.getLong(1)).isEqualTo(27);
            try (ResultSet told = duck.createStatement()
                    .executeQuery("select mape from '" + out.resolve("errors.csv")
                            + "' where method = 'alpha_beta' and held_out = 'random' and regime = 'congested'")) {
                assertThat(told.next()).isTrue();
                assertThat(told.getDouble(1)).isCloseTo(found.getDouble(2), within(1e-12));
            }
        }
        // A comparison takes the place of an earlier one; nothing else is left beside it.
        try (Stream<Path> beside = Files.list(dir)) {
            assertThat(beside.map(p -> p.getFileName().toString())).noneMatch(n -> n.startsWith(".compared"));
        }
    }

    /** The table of a lookup is the same in both forms; what has no table is refused, and leaves nothing. */
    @Test
    void lookupTable_isTheSameAsParquetAndAsCsv() throws IOException, SQLException {
        Path parquet = dir.resolve("lookup.parquet");
        Path csv = dir.resolve("lookup.csv");
        Sweeps.run("fit", sweep, "--method", "lookup", "--format", "parquet", "--out", parquet)
                .expect(0);
        Sweeps.run("fit", sweep, "--method", "lookup", "--format", "csv", "--out", csv)
                .expect(0);
        try (Connection duck = DriverManager.getConnection("jdbc:duckdb:");
                Statement sql = duck.createStatement();
                ResultSet found = sql.executeQuery("select (select count(*) from '" + parquet
                        + "'), count(*) from (from '" + parquet + "' intersect all from '" + csv + "')")) {
            assertThat(found.next()).isTrue();
            assertThat(found.getLong(1)).isEqualTo(81).isEqualTo(found.getLong(2));
        }
    }

    /** A step function is what trees know: it is found but for the little that boosting leaves, and on any cores to the last bit. */
    @Test
    void trees_findAStep_andAreReproducedBitForBit() {
        RandomStream random = new RandomStream(5);
        double[][] x = new double[200][2];
        double[] y = new double[200];
        double[] weights = new double[200];
        for (int i = 0; i < 200; i++) {
            x[i] = new double[] {random.nextDouble(), random.nextDouble()};
            y[i] = x[i][0] < 0.5 ? 1 : x[i][1] < 0.3 ? 2 : 4;
            weights[i] = 1;
        }
        List<State.Trees> grown = new ArrayList<>();
        for (String master : List.of("local[1]", "local[2]")) {
            SparkSession spark = SparkSetup.session(master);
            try {
                grown.add(new GbtTrainer(spark).train(List.of("flows", "load"), x, y, weights, 1));
            } finally {
                spark.stop();
            }
        }
        State.Trees trees = grown.get(0);
        assertThat(grown.get(1)).isEqualTo(trees);
        for (int i = 0; i < 200; i++) {
            double sum = 0;
            for (int t = 0; t < trees.roots().size(); t++) {
                int node = trees.roots().get(t);
                while (trees.feature().get(node) >= 0) {
                    node = x[i][trees.feature().get(node)] <= trees.threshold().get(node)
                            ? trees.left().get(node)
                            : trees.right().get(node);
                }
                sum += trees.weights().get(t) * trees.threshold().get(node);
            }
            assertThat(sum).as("point %d of seed 5", i).isCloseTo(y[i], within(0.3));
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "fit SWEEP --out OUT/no/m.json | there is no folder",
                "fit SWEEP --method rr_fited --out OUT/m.json | Maybe `rr_fitted`",
                "fit SWEEP --method alpha_beta --out OUT/m.json | nothing of it is fitted",
                "fit SWEEP --target message_latency_p9_ns --out OUT/m.json | Maybe `message_latency_p90_ns`",
                "fit SWEEP --by patern --out OUT/m.json | Maybe `pattern`",
                "fit OUT/none --out OUT/m.json | none",
                "fit SWEEP --method rr_fitted --format parquet --out OUT/m.parquet | has no table",
                "fit SWEEP --points 0 --out OUT/m.json | expected at least 1",
                "compare SWEEP --without lokup --out OUT/c | Maybe `lookup`",
                "compare SWEEP --out SWEEP | no earlier comparison",
                "compare SWEEP --out OUT/no/c | there is no folder",
                "compare OUT/none --out OUT/c | none",
                "predict OUT/none.json | no such file",
                "predict SWEEP/manifest.json | Expected a model file"
            })
    void badInput_isOneLine_exit2_andNothingIsWritten(String line, String message, @TempDir Path out)
            throws IOException {
        String[] arguments = Stream.of(line.split(" "))
                .map(a -> a.replace("SWEEP", sweep.toString()).replace("OUT", out.toString()))
                .toArray(String[]::new);
        Sweeps.Result result = Sweeps.run((Object[]) arguments);
        assertThat(result.err()).contains(message.strip());
        assertThat(result.err().strip().lines()).hasSize(1);
        assertThat(result.exit()).isIn(2, 3);
        try (Stream<Path> left = Files.list(out)) {
            assertThat(left).isEmpty();
        }
    }
}
