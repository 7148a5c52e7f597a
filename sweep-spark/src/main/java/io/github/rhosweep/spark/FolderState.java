package io.github.rhosweep.spark;

import io.github.rhosweep.design.ExperimentSpec;
import io.github.rhosweep.result.Column;
import io.github.rhosweep.result.Row;
import io.github.rhosweep.run.PointState;
import io.github.rhosweep.run.Tables;
import io.github.rhosweep.store.Location;
import io.github.rhosweep.store.ResultsFolder;
import io.github.rhosweep.store.RowReader;
import io.github.rhosweep.store.Table;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.api.java.Optional;
import org.apache.spark.storage.StorageLevel;
import org.jspecify.annotations.Nullable;
import scala.Tuple2;

/**
 * Joins the plan with what a folder holds, in the executors: keys of planned points, decoded from their indices, against keys read
 * from the folder's files. The driver learns counts only.
 */
final class FolderState {
    private static final int POINT_KEY =
            Tables.RUNS.stream().map(Column::name).toList().indexOf("point_key");

    private FolderState() {}

    /** A planned point's place. */
    private record Place(int shard, long index) implements java.io.Serializable {}

    /**
     * What is known, by shard.
     *
     * @param byShard from the number of a shard what the folder knows of its points
     * @param counts how many points are known in which way
     */
    record Joined(JavaPairRDD<Integer, Known> byShard, Map<Known.Kind, Long> counts) {
        long count(Known.Kind kind) {
            return counts.getOrDefault(kind, 0L);
        }
    }

    /**
     * Joins.
     *
     * @param retryFailed whether points that failed count as unknown
     * @param leastWidth points with narrower intervals, in units of the one asked for, count as finished
     */
    static Joined join(
            JavaSparkContext spark,
            ResultsFolder folder,
            ExperimentSpec experiment,
            List<Shard> shards,
            boolean retryFailed,
            double leastWidth)
            throws IOException {
        int parts = Math.max(spark.defaultParallelism() * 4, 1);
        // Runs of finished points are not read below; one that was cut off must not pass for whole.
        files(spark, folder, Table.RUNS, parts).foreach(RowReader::count);
        JavaPairRDD<String, Place> planned = spark.parallelize(shards, Math.min(shards.size(), parts))
                .mapPartitionsToPair(iterator -> lazily(
                        iterator,
                        shard -> LongStream.range(shard.first(), shard.end())
                                .mapToObj(experiment::point)
                                .filter(point -> !point.repeated())
                                .map(point -> new Tuple2<>(point.key(), new Place(shard.id(), point.index())))
                                .iterator()));
        JavaPairRDD<String, PointState> points = files(spark, folder, Table.POINTS, parts)
                .mapPartitionsToPair(files -> lazily(
                        files,
                        file -> rows(
                                file,
                                PointState.columns(experiment),
                                row -> new Tuple2<>(PointState.key(row), PointState.of(row, experiment)))))
                .reduceByKey(PointState::orBetter, parts);
        JavaPairRDD<String, Boolean> failures = files(spark, folder, Table.FAILURES, parts)
                .mapPartitionsToPair(files -> lazily(
                        files,
                        file -> rows(
                                file,
                                PointState.columns(experiment).subList(0, 1),
                                row -> new Tuple2<>(PointState.key(row), true))))
                .reduceByKey((a, b) -> a, parts);

        JavaPairRDD<String, Tuple2<Place, Known>> known = planned.leftOuterJoin(points, parts)
                .leftOuterJoin(failures, parts)
                .mapPartitionsToPair(iterator -> lazily(iterator, entry -> {
                    Place place = entry._2._1._1;
                    boolean failed = entry._2._2.isPresent() && !retryFailed;
                    Known.Kind kind = kind(experiment, entry._2._1._2, failed, leastWidth);
                    return (kind == null
                                    ? Stream.<Tuple2<String, Tuple2<Place, Known>>>empty()
                                    : Stream.of(
                                            new Tuple2<>(entry._1, new Tuple2<>(place, Known.of(place.index(), kind)))))
                            .iterator();
                }));
        known.persist(StorageLevel.MEMORY_AND_DISK());
        Map<Known.Kind, Long> counts = known.map(entry -> entry._2._2.kind()).countByValue();
        JavaPairRDD<Integer, Known> byShard =
                known.values().mapToPair(entry -> new Tuple2<>(entry._1.shard(), entry._2));
        if (counts.getOrDefault(Known.Kind.UNFINISHED, 0L) > 0) {
            JavaPairRDD<String, Place> unfinished = known.filter(entry -> entry._2._2.kind() == Known.Kind.UNFINISHED)
                    .mapValues(entry -> entry._1);
            JavaPairRDD<String, @Nullable Object[]> runs = files(spark, folder, Table.RUNS, parts)
                    .mapPartitionsToPair(files -> lazily(
                            files,
                            file -> rows(
                                    file,
                                    Tables.RUNS,
                                    row -> new Tuple2<>((String) row.values()[POINT_KEY], row.values()))));
            byShard = byShard.union(unfinished
                    .join(runs, parts)
                    .values()
                    .mapToPair(entry ->
                            new Tuple2<>(entry._1.shard(), new Known(entry._1.index(), Known.Kind.RUN, entry._2))));
        }
        return new Joined(byShard, counts);
    }

    private static Known.@Nullable Kind kind(
            ExperimentSpec spec, Optional<PointState> state, boolean failed, double leastWidth) {
        if (state.isPresent()) {
            Double width = state.get().width();
            if (state.get().finishedUnder(spec) || width != null && width < leastWidth) {
                return Known.Kind.FINISHED;
            }
            if (!failed) {
                return state.get().simulated() ? Known.Kind.UNFINISHED : null;
            }
        }
        return failed ? Known.Kind.FAILED : null;
    }

    private static JavaRDD<Location> files(JavaSparkContext spark, ResultsFolder folder, Table table, int parts)
            throws IOException {
        List<String> names = folder.files(table).stream().map(Location::name).toList();
        Location at = folder.dir().resolve(table.folder());
        return names.isEmpty()
                ? spark.emptyRDD()
                : spark.parallelize(names, Math.min(names.size(), parts)).map(at::resolve);
    }

    private interface Step<A, B> {
        Iterator<B> apply(A from) throws IOException;
    }

    private interface RowMap<B> {
        B apply(Row row);
    }

    /** Concatenates what each element gives, one at a time: a partition is never held whole. */
    private static <A, B> Iterator<B> lazily(Iterator<A> from, Step<A, B> step) {
        return new Iterator<>() {
            private Iterator<B> current = List.<B>of().iterator();

            @Override
            public boolean hasNext() {
                while (!current.hasNext() && from.hasNext()) {
                    try {
                        current = step.apply(from.next());
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                }
                return current.hasNext();
            }

            @Override
            public B next() {
                if (!hasNext()) {
                    throw new NoSuchElementException();
                }
                return current.next();
            }
        };
    }

    /** The rows of one file, mapped, one at a time: {@code compact} makes files of many shards. */
    private static <B> Iterator<B> rows(Location file, List<Column> columns, RowMap<B> map) throws IOException {
        RowReader reader = new RowReader(file, columns);
        return new Iterator<>() {
            private @Nullable Row ahead = read();

            private @Nullable Row read() {
                try {
                    Row row = reader.read();
                    if (row == null) {
                        reader.close();
                    }
                    return row;
                } catch (IOException broken) {
                    try {
                        reader.close();
                    } catch (IOException alsoBroken) {
                        broken.addSuppressed(alsoBroken);
                    }
                    throw new UncheckedIOException(broken);
                }
            }

            @Override
            public boolean hasNext() {
                return ahead != null;
            }

            @Override
            public B next() {
                Row row = ahead;
                if (row == null) {
                    throw new NoSuchElementException();
                }
                ahead = read();
                return map.apply(row);
            }
        };
    }
}
