package io.github.rhosweep.spark;

import io.github.rhosweep.design.DesignPoint;
import io.github.rhosweep.kernel.Simulation;
import io.github.rhosweep.math.RandomStream;
import io.github.rhosweep.result.Column;
import io.github.rhosweep.result.Row;
import io.github.rhosweep.run.Failures;
import io.github.rhosweep.run.PointRunner;
import io.github.rhosweep.run.StoredPoint;
import io.github.rhosweep.run.Tables;
import io.github.rhosweep.scenario.InvalidValueException;
import io.github.rhosweep.store.Location;
import io.github.rhosweep.store.ResultsFolder;
import io.github.rhosweep.store.RowReader;
import io.github.rhosweep.store.Table;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.util.LongAccumulator;
import org.jspecify.annotations.Nullable;
import scala.Tuple2;

/** Runs stored rows again, fanned out over Spark by file. */
public final class VerifyJob {
    private static final int MOST_EXAMPLES = 10;
    private static final int MOST_COLUMNS_TOLD = 3;
    private static final Verdict NOTHING = new Verdict(0, 0, 0, 0, 0, List.of());

    private final ResultsFolder folder;
    private final int sample;
    private final long seed;

    public VerifyJob(ResultsFolder folder, int sample, long seed) {
        this.folder = folder;
        this.sample = sample;
        this.seed = seed;
    }

    /**
     * What was found.
     *
     * @param rows of runs in the folder
     * @param verified of them run again
     * @param differing of those that came out otherwise
     * @param points rows of points whose runs are among the verified, made again from all their stored runs
     * @param pointsDiffering of those that came out otherwise
     * @param examples some of these, in the order of their keys: key and columns
     */
    public record Verdict(
            long rows, long verified, long differing, long points, long pointsDiffering, List<String> examples)
            implements Serializable {
        Verdict plus(Verdict other) {
            return new Verdict(
                    rows + other.rows,
                    verified + other.verified,
                    differing + other.differing,
                    points + other.points,
                    pointsDiffering + other.pointsDiffering,
                    Stream.concat(examples.stream(), other.examples.stream())
                            .sorted()
                            .limit(MOST_EXAMPLES)
                            .toList());
        }
    }

    public Verdict run(@Nullable String master, Progress.Style style, PrintWriter err) throws IOException {
        List<Location> files = folder.files(Table.RUNS);
        long rows = 0;
        for (Location file : files) {
            rows += RowReader.count(file);
        }
        if (rows == 0) {
            return NOTHING;
        }
        long total = Math.min(rows, sample);
        long all = rows;
        try (JavaSparkContext spark = SparkSetup.start("verify", master, false)) {
            spark.setJobDescription("verify " + folder.dir());
            long limit = total == all ? Long.MAX_VALUE : limit(spark, files, (int) total, seed);
            LongAccumulator verified = spark.sc().longAccumulator();
            Location results = folder.dir();
            long salt = seed; // of its own, so that the tasks do not carry this object
            try (Progress progress = Progress.start(
                    style,
                    err,
                    () -> new Progress.State(
                            verified.value(),
                            0,
                            total,
                            verified.value(),
                            (double) verified.value() / Math.max(1, total)))) {
                Verdict verdict = spread(spark, files)
                        .map(file -> {
                            Verdict one = again(results, file, limit, salt);
                            verified.add(one.verified);
                            return one;
                        })
                        .reduce(Verdict::plus);
                progress.finish();
                return verdict.plus(points(spark, files, limit));
            }
        }
    }

    private static JavaRDD<Location> spread(JavaSparkContext spark, List<Location> files) {
        return spark.parallelize(files, files.size());
    }

    /** The hash up to which rows belong to the sample: a row's place in the draw depends on its key and the seed alone. */
    private static long limit(JavaSparkContext spark, List<Location> files, int sample, long seed) {
        return spread(spark, files)
                .map(file -> smallest(file, sample, seed))
                .reduce((a, b) -> LongStream.concat(Arrays.stream(a), Arrays.stream(b))
                        .sorted()
                        .limit(sample)
                        .toArray())[sample - 1];
    }

    private static long[] smallest(Location file, int sample, long seed) throws IOException {
        PriorityQueue<Long> smallest = new PriorityQueue<>(Comparator.reverseOrder());
        try (RowReader reader = new RowReader(file, List.of(StoredRows.RUN_KEY))) {
            for (Row row = reader.read(); row != null; row = reader.read()) {
                smallest.add(draw(row.values()[0], seed));
                if (smallest.size() > sample) {
                    smallest.poll();
                }
            }
        }
        return smallest.stream().mapToLong(Long::longValue).sorted().toArray();
    }

    private static long draw(@Nullable Object key, long seed) {
        return RandomStream.named(seed, "verify " + key, 0).nextLong();
    }

    private static Verdict again(Location results, Location file, long limit, long seed) throws IOException {
        Simulation simulation = new Simulation();
        ResultsFolder folder = new ResultsFolder(results);
        long rows = 0;
        long verified = 0;
        long differing = 0;
        List<String> examples = new ArrayList<>();
        try (RowReader reader = new RowReader(file, StoredRows.columnsIn(file, Tables.RUNS))) {
            for (Row row = reader.read(); row != null; row = reader.read()) {
                rows++;
                if (draw(row.get("run_key"), seed) > limit) {
                    continue;
                }
                verified++;
                List<String> differences = differences(simulation, folder, row);
                if (!differences.isEmpty()) {
                    differing++;
                    if (examples.size() < MOST_EXAMPLES) {
                        examples.add(row.get("run_key") + ": " + told(differences));
                    }
                }
            }
        }
        return new Verdict(rows, verified, differing, 0, 0, examples);
    }

    private static String told(List<String> differences) {
        int more = differences.size() - MOST_COLUMNS_TOLD;
        return String.join("; ", differences.subList(0, Math.min(MOST_COLUMNS_TOLD, differences.size())))
                + (more > 0 ? "; and " + more + " columns more" : "");
    }

    /** A stored row on its way; one of points lacks the columns that its file lacks, of runs they are null. */
    @SuppressWarnings("ArrayRecordComponent") // it is never compared
    private record Stored(String[] names, @Nullable Object[] values) implements Serializable {
        Row row(List<Column> all) {
            List<String> there = List.of(names);
            return new Row(all.stream().filter(c -> there.contains(c.name())).toList(), values);
        }
    }

    private Verdict points(JavaSparkContext spark, List<Location> runs, long limit) throws IOException {
        List<Location> points = folder.files(Table.POINTS);
        if (points.isEmpty()) {
            return NOTHING;
        }
        long salt = seed;
        Location results = folder.dir();
        Broadcast<Set<String>> sampled = spark.broadcast(new HashSet<>(spread(spark, runs)
                .flatMap(file -> sampled(file, limit, salt).iterator())
                .collect()));
        int parts = Math.min(points.size(), 4 * spark.defaultParallelism());
        return spread(spark, points)
                .flatMapToPair(file -> stored(file, StoredRows.columnsIn(file, Tables.POINTS), sampled.value()))
                .cogroup(spread(spark, runs).flatMapToPair(file -> stored(file, Tables.RUNS, sampled.value())), parts)
                .map(entry -> again(results, entry._2._1, entry._2._2))
                .fold(NOTHING, Verdict::plus);
    }

    /** The points of the sampled runs of a file. */
    private static Set<String> sampled(Location file, long limit, long seed) throws IOException {
        Set<String> keys = new HashSet<>();
        try (RowReader reader = new RowReader(file, List.of(StoredRows.POINT_KEY, StoredRows.RUN_KEY))) {
            for (Row row = reader.read(); row != null; row = reader.read()) {
                if (draw(row.values()[1], seed) <= limit) {
                    keys.add(String.valueOf(row.values()[0]));
                }
            }
        }
        return keys;
    }

    private static Iterator<Tuple2<String, Stored>> stored(Location file, List<Column> columns, Set<String> points)
            throws IOException {
        String[] names = columns.stream().map(Column::name).toArray(String[]::new);
        List<Tuple2<String, Stored>> rows = new ArrayList<>();
        try (RowReader reader = new RowReader(file, columns)) {
            for (Row row = reader.read(); row != null; row = reader.read()) {
                String key = String.valueOf(row.get("point_key"));
                if (points.contains(key)) {
                    rows.add(new Tuple2<>(key, new Stored(names, row.values())));
                }
            }
        }
        return rows.iterator();
    }

    /** A point's rows, one for each number of replicates that it once had, against those that its runs give. */
    private static Verdict again(Location results, Iterable<Stored> points, Iterable<Stored> stored) {
        List<Row> runs = new ArrayList<>();
        for (Stored one : stored) {
            runs.add(one.row(Tables.RUNS));
        }
        runs.sort(Comparator.comparing(row -> (Long) Objects.requireNonNull(row.get("replicate"))));
        long rows = 0;
        List<String> examples = new ArrayList<>();
        for (Stored one : points) {
            Row row = one.row(Tables.POINTS);
            if (row.get("n") instanceof Long n && n > 0) {
                rows++;
                List<String> differences = differences(new ResultsFolder(results), row, runs, n);
                if (!differences.isEmpty()) {
                    examples.add("point " + row.get("point_key") + " of " + n + " runs: " + told(differences));
                }
            }
        }
        return new Verdict(0, 0, 0, rows, examples.size(), examples);
    }

    private static List<String> differences(ResultsFolder folder, Row row, List<Row> runs, long n) {
        if (runs.size() < n) {
            return List.of("of its runs there are " + runs.size());
        }
        try {
            DesignPoint point = StoredPoint.of(row, folder::inputOfHash);
            PointRunner runner = new PointRunner(point.experiment(), (scenario, seed, workload, deadline) -> {
                throw new IllegalStateException("nothing is simulated here");
            });
            double confidence = row.get("confidence") instanceof Double d ? d : 0.95;
            return StoredPoint.differences(row, runner.summary(point, runs.subList(0, Math.toIntExact(n)), confidence));
        } catch (InvalidValueException unreadable) {
            return List.of(String.valueOf(unreadable.getMessage()));
        }
    }

    private static List<String> differences(Simulation simulation, ResultsFolder folder, Row row) {
        try {
            DesignPoint point = StoredPoint.of(row, folder::inputOfHash);
            int replicate = Math.toIntExact((Long) Objects.requireNonNull(row.get("replicate")));
            Row now = new PointRunner(point.experiment(), simulation::run)
                    .once(point, replicate)
                    .row();
            return StoredPoint.differences(row, now);
        } catch (InvalidValueException unreadable) {
            return List.of(String.valueOf(unreadable.getMessage()));
        } catch (RuntimeException failure) {
            return List.of("now it fails: " + Failures.reason(failure));
        }
    }
}
