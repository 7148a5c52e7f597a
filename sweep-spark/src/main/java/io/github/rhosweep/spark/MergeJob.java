package io.github.rhosweep.spark;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.rhosweep.design.ExperimentSpec;
import io.github.rhosweep.result.Column;
import io.github.rhosweep.result.Row;
import io.github.rhosweep.run.Tables;
import io.github.rhosweep.scenario.InputFile;
import io.github.rhosweep.scenario.InvalidValueException;
import io.github.rhosweep.store.FolderRefusedException;
import io.github.rhosweep.store.Location;
import io.github.rhosweep.store.Manifest;
import io.github.rhosweep.store.ResultsFolder;
import io.github.rhosweep.store.RowReader;
import io.github.rhosweep.store.ShardWriter;
import io.github.rhosweep.store.Table;
import java.io.IOException;
import java.io.Serializable;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.jspecify.annotations.Nullable;
import scala.Tuple2;

/**
 * Unites two folders by key, in the executors. Of a run that both have, the first folder's row is kept; of a point that both have, the
 * row of more replicates. Rows of one run must be equal but for the name of the sweep and the cost.
 */
public final class MergeJob {
    private static final int TOLD = 5;

    /** They tell who asked and how it was measured, not what came out. */
    private static final Set<String> NOT_COMPARED = Set.of(
            "sweep",
            "fidelity",
            "stopped_by",
            "ci_met",
            "ci_rule",
            "confidence",
            "half_width_source",
            "wall_ns",
            "cpu_ns");

    private final ResultsFolder first;
    private final ResultsFolder second;
    private final ResultsFolder out;

    public MergeJob(ResultsFolder first, ResultsFolder second, ResultsFolder out) {
        this.first = first;
        this.second = second;
        this.out = out;
    }

    /**
     * What the merged folder holds.
     *
     * @param runs rows
     * @param points rows
     * @param failures rows
     * @param shared runs that both folders had
     */
    public record Result(long runs, long points, long failures, long shared) {}

    /** A row of a table, without its content. */
    private record Print(String file, String key, long n, String digest) implements Serializable {}

    /**
     * Merges.
     *
     * @throws InvalidValueException if the two have different rows for one key; nothing was written then
     * @throws FolderRefusedException if the new folder exists, or they cannot be united
     */
    public Result run(@Nullable String master) throws IOException {
        Manifest a = Objects.requireNonNull(first.manifest());
        Manifest b = Objects.requireNonNull(second.manifest());
        if (a.semanticsVersion() != b.semanticsVersion()) {
            throw new FolderRefusedException(first.dir() + " holds results of version " + a.semanticsVersion()
                    + " of the simulator, " + second.dir() + " of version " + b.semanticsVersion()
                    + ": their rows are not comparable");
        }
        if (out.manifest() != null) {
            throw new FolderRefusedException(out.dir() + " holds results already. Expected a new folder");
        }
        ExperimentSpec experiment = experiment(first).with(experiment(second));
        // Once: what a run adds meanwhile was not compared and must not be copied.
        Map<Table, List<Location>> ofFirst = first.wholeShards();
        Map<Table, List<Location>> ofSecond = second.wholeShards();
        try (JavaSparkContext spark = SparkSetup.start("merge", master, false)) {
            spark.setJobDescription("merge " + first.dir() + " and " + second.dir());
            JavaPairRDD<String, Print> runsOfFirst = prints(spark, ofFirst, Table.RUNS);
            JavaPairRDD<String, Tuple2<Print, Print>> runs =
                    prints(spark, ofSecond, Table.RUNS).join(runsOfFirst).cache();
            JavaPairRDD<String, Tuple2<Print, Print>> points = prints(spark, ofSecond, Table.POINTS)
                    .join(prints(spark, ofFirst, Table.POINTS).reduceByKey((p, q) -> q.n > p.n ? q : p))
                    .cache();
            requireNone(
                    conflicts(runs),
                    "different rows of one run, which equal settings cannot give",
                    "`" + BuildInfo.COMMAND + " verify` tells which folder is wrong");
            requireNone(
                    conflicts(points.filter(pair -> pair._2._1.n == pair._2._2.n)),
                    "different rows of one point, though their runs are equal",
                    "Its row is the mean of its runs: the folder in which it is not is wrong");
            try (ResultsFolder.Lock lock = out.lock()) {
                // A merge that dies leaves a folder that says so.
                out.write(manifest(a, experiment, "running", new Result(0, 0, 0, 0)));
                out.writeText("experiment.yaml", experiment.inputYaml());
                for (InputFile file : experiment.inputFiles().values()) {
                    out.write(file);
                }
                out.writeText("effective.yaml", experiment.effectiveYaml());
                copy(spark, ofFirst, "a", spark.emptyRDD().mapToPair(x -> new Tuple2<>("", "")));
                copy(
                        spark,
                        ofSecond,
                        "b",
                        runs.values()
                                .mapToPair(pair -> new Tuple2<>(pair._1.file, Table.RUNS + pair._1.key))
                                .union(points.values()
                                        .filter(pair -> pair._2.n >= pair._1.n)
                                        .mapToPair(pair -> new Tuple2<>(
                                                pair._1.file, Table.POINTS + pair._1.key + "/" + pair._1.n))));
                Result result = new Result(
                        rows(out, Table.RUNS), rows(out, Table.POINTS), rows(out, Table.FAILURES), runs.count());
                if (!lock.isHeld()) {
                    throw new FolderRefusedException(out.dir() + " has been taken over by another run");
                }
                out.recover();
                out.write(manifest(a, experiment, "merged", result));
                return result;
            }
        }
    }

    private static ExperimentSpec experiment(ResultsFolder folder) throws IOException {
        return ExperimentSpec.ofEffective(folder.readText("effective.yaml"), folder.inputFiles())
                .withInput(folder.readText("experiment.yaml"));
    }

    private static Manifest manifest(Manifest a, ExperimentSpec experiment, String status, Result result) {
        BuildInfo build = BuildInfo.load();
        return new Manifest(
                Manifest.SCHEMA_VERSION,
                a.semanticsVersion(),
                experiment.name(),
                build.version(),
                build.commit(),
                Runtime.version().toString(),
                a.spark(),
                1,
                a.started(),
                a.ended(),
                status,
                new Manifest.Counts(experiment.points(), result.points, 0, 0, result.runs),
                a.selfCheck(),
                null,
                null);
    }

    private static long rows(ResultsFolder folder, Table table) throws IOException {
        long rows = 0;
        for (Location file : folder.files(table)) {
            rows += RowReader.count(file);
        }
        return rows;
    }

    private static void requireNone(List<String> conflicts, String what, String advice) {
        if (!conflicts.isEmpty()) {
            throw new InvalidValueException("the folders hold " + what + ": "
                    + String.join(", ", conflicts.subList(0, Math.min(TOLD, conflicts.size())))
                    + (conflicts.size() > TOLD ? ", ..." : "")
                    + ". " + advice);
        }
    }

    private static List<String> conflicts(JavaPairRDD<String, Tuple2<Print, Print>> pairs) {
        return new ArrayList<>(new TreeSet<>(pairs.filter(pair -> !pair._2._1.digest.equals(pair._2._2.digest))
                .keys()
                .takeOrdered(TOLD + 1)));
    }

    private static JavaPairRDD<String, Print> prints(
            JavaSparkContext spark, Map<Table, List<Location>> folder, Table table) {
        List<Location> files = folder.getOrDefault(table, List.of());
        if (files.isEmpty()) {
            return spark.<Print>emptyRDD().mapToPair(p -> new Tuple2<>(p.key, p));
        }
        return spark.parallelize(files, files.size())
                .flatMap(file -> prints(file, table).iterator())
                .mapToPair(print -> new Tuple2<>(print.key, print));
    }

    private static List<Print> prints(Location file, Table table) throws IOException {
        List<Print> prints = new ArrayList<>();
        List<Column> columns = StoredRows.columnsIn(file, table == Table.RUNS ? Tables.RUNS : Tables.POINTS);
        String key = table == Table.RUNS ? "run_key" : "point_key";
        try (RowReader reader = new RowReader(file, columns)) {
            for (Row row = reader.read(); row != null; row = reader.read()) {
                long n = table == Table.RUNS ? 1 : row.get("n") instanceof Long l ? l : 0;
                prints.add(new Print(file.name(), String.valueOf(row.get(key)), n, digest(row)));
            }
        }
        return prints;
    }

    /** Of what came out; a column that only one release has is null in rows of the other, and nulls are left out. */
    private static String digest(Row row) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < row.values().length; i++) {
            String name = row.columns().get(i).name();
            Object value = row.values()[i];
            if (value != null && !NOT_COMPARED.contains(name) && !name.contains("_half_width")) {
                text.append(name)
                        .append('=')
                        .append(value instanceof Double d ? Long.toHexString(Double.doubleToLongBits(d)) : value)
                        .append('\n');
            }
        }
        try {
            byte[] hash =
                    MessageDigest.getInstance("SHA-256").digest(text.toString().getBytes(UTF_8));
            return HexFormat.of().formatHex(hash, 0, 16);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java platform has SHA-256", impossible);
        }
    }

    /** @param drops from the name of a file the rows that are left out */
    private void copy(
            JavaSparkContext spark, Map<Table, List<Location>> from, String side, JavaPairRDD<String, String> drops) {
        TreeSet<String> names = new TreeSet<>();
        Map<String, Map<Table, Location>> shards = new HashMap<>();
        for (Table table : Table.values()) {
            for (Location file : from.getOrDefault(table, List.of())) {
                names.add(file.name());
                shards.computeIfAbsent(file.name(), name -> new HashMap<>()).put(table, file);
            }
        }
        List<Tuple2<String, Source>> sources = new ArrayList<>();
        int number = 0;
        for (String name : names) {
            sources.add(new Tuple2<>(
                    name,
                    new Source(
                            String.format(Locale.ROOT, "0001-%s%06d", side, number++),
                            new HashMap<>(shards.getOrDefault(name, Map.of())))));
        }
        if (sources.isEmpty()) {
            return;
        }
        Location target = out.dir();
        spark.parallelizePairs(sources, sources.size()).cogroup(drops).foreach(entry -> {
            Set<String> left = new HashSet<>();
            entry._2._2.forEach(left::add);
            for (Source source : entry._2._1) {
                copy(source, left, new ResultsFolder(target));
            }
        });
    }

    /** One shard's files. */
    private record Source(String newName, HashMap<Table, Location> files) implements Serializable {}

    private static void copy(Source source, Set<String> drops, ResultsFolder target) throws IOException {
        if (target.isCommitted(source.newName)) {
            return;
        }
        try (ShardWriter writer =
                target.attempt(source.newName, UUID.randomUUID().toString())) {
            for (Table table : Table.values()) {
                Location file = source.files.get(table);
                if (file == null) {
                    continue;
                }
                try (RowReader reader = new RowReader(file, RowReader.columnsOf(file))) {
                    for (Row row = reader.read(); row != null; row = reader.read()) {
                        if (!drops.contains(name(table, row))) {
                            writer.write(table, row);
                        }
                    }
                }
            }
            writer.commit();
        }
    }

    private static String name(Table table, Row row) {
        return switch (table) {
            // What was kept of a run goes where the run goes.
            case RUNS, FLOWS, PAIRS, SERIES -> Table.RUNS + String.valueOf(row.get("run_key"));
            case POINTS -> table + (String) row.get("point_key") + "/" + (row.get("n") instanceof Long n ? n : 0L);
            case FAILURES -> "";
        };
    }
}
