package io.github.rhosweep.spark;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.max_by;
import static org.apache.spark.sql.functions.min;
import static org.apache.spark.sql.functions.struct;

import io.github.rhosweep.design.Where;
import io.github.rhosweep.fit.Dataset;
import io.github.rhosweep.model.Target;
import io.github.rhosweep.result.Column;
import io.github.rhosweep.result.Row;
import io.github.rhosweep.run.Tables;
import io.github.rhosweep.scenario.InvalidValueException;
import io.github.rhosweep.scenario.Parameter;
import io.github.rhosweep.scenario.Parameters;
import io.github.rhosweep.scenario.Params;
import io.github.rhosweep.store.Location;
import io.github.rhosweep.store.ResultsFolder;
import io.github.rhosweep.store.Table;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.spark.api.java.function.FilterFunction;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Metadata;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * Points of results folders as a dataset, by Spark SQL: of each point the row with most replicates, and beside it which random numbers
 * it drew. Only the points that a fit gets ever reach the driver, one partition's at a time: of more than a bound those with the least
 * keys, which are hashes, so that they are a sample.
 */
public final class FitData {
    private static final String SOURCE = "_source";
    private static final String STREAM = "_stream";
    private static final String KEY = "point_key";

    private FitData() {}

    /**
     * Reads folders.
     *
     * @param where points to keep, or null; the language of an experiment's {@code where}
     * @param most points
     * @throws InvalidValueException if a folder is none, or measured by another version of the simulator's semantics than the first
     */
    public static Dataset read(SparkSession spark, List<Location> dirs, Target target, @Nullable String where, int most)
            throws IOException {
        int semantics = semanticsVersion(dirs);
        Dataset.Builder builder = new Dataset.Builder(target, semantics);
        Set<String> names = Set.copyOf(builder.columns());
        List<Column> columns =
                Tables.POINTS.stream().filter(c -> names.contains(c.name())).toList();
        List<Column> ofRuns = Tables.RUNS.stream()
                .filter(c -> Set.of(KEY, "replicate", "run_seed").contains(c.name()))
                .toList();
        org.apache.spark.sql.Dataset<org.apache.spark.sql.Row> points = null;
        org.apache.spark.sql.Dataset<org.apache.spark.sql.Row> runs = null;
        for (int i = 0; i < dirs.size(); i++) {
            ResultsFolder folder = ResultsFolder.existing(dirs.get(i));
            var morePoints = table(spark, folder, Table.POINTS, columns).withColumn(SOURCE, lit(i));
            var moreRuns = table(spark, folder, Table.RUNS, ofRuns);
            points = points == null ? morePoints : points.unionAll(morePoints);
            runs = runs == null ? moreRuns : runs.unionAll(moreRuns);
        }
        if (points == null || runs == null) {
            throw new IllegalArgumentException("no folder");
        }
        var simulated = points.where(col(KEY).isNotNull().and(col("n").gt(0)));
        if (where != null) {
            Wanted wanted = new Wanted(where);
            simulated = simulated.filter(wanted);
        }
        // Of rows with equal n, which are equal, the first folder's counts.
        var latest = simulated
                .groupBy(KEY)
                .agg(max_by(struct(cells(columns)), struct(col("n"), col(SOURCE).multiply(-1), col("sweep")))
                        .as("point"))
                .select(col("point.*"));
        // Runs of one seed drew the same numbers: the seed of a point's first replicate names its stream.
        var streams = runs.where(col("replicate").equalTo(1))
                .groupBy(KEY)
                .agg(min("run_seed").as(STREAM));
        Iterator<org.apache.spark.sql.Row> read = latest.orderBy(KEY)
                .limit(most)
                .join(streams, new String[] {KEY}, "left")
                .toLocalIterator();
        long rows = 0;
        while (read.hasNext()) {
            org.apache.spark.sql.Row row = read.next();
            @Nullable Object[] values = new @Nullable Object[columns.size()];
            for (int i = 0; i < values.length; i++) {
                values[i] = row.getAs(columns.get(i).name());
            }
            @Nullable Long seed = row.getAs(STREAM);
            int source = row.<Integer>getAs(SOURCE);
            builder.add(
                    new Row(columns, values), shown(dirs.get(source)), seed == null ? null : Long.toHexString(seed));
            rows++;
        }
        if (rows == most) {
            builder.sampleOf(latest.count());
        }
        return builder.build();
    }

    /** Keeps rows that meet a condition; compiled anew wherever it runs, since conditions cannot be sent. */
    private static final class Wanted implements FilterFunction<org.apache.spark.sql.Row> {
        private static final long serialVersionUID = 1;

        private final String where;
        private transient @Nullable Predicate<Params> condition;

        Wanted(String where) {
            this.where = where;
            this.condition = compile(where);
        }

        private static Predicate<Params> compile(String where) {
            return condition("--where", where);
        }

        @Override
        public boolean call(org.apache.spark.sql.Row row) {
            Predicate<Params> compiled = condition;
            if (compiled == null) {
                compiled = compile(where);
                condition = compiled;
            }
            return compiled.test(new Params(path -> {
                Parameter<?> parameter = Parameters.named(path);
                return parameter.ofColumn(row.getAs(parameter.column()));
            }));
        }
    }

    private static org.apache.spark.sql.Column[] cells(List<Column> columns) {
        return Stream.concat(columns.stream().map(Column::name), Stream.of(SOURCE))
                .map(name -> col(name))
                .toArray(org.apache.spark.sql.Column[]::new);
    }

    private static org.apache.spark.sql.Dataset<org.apache.spark.sql.Row> table(
            SparkSession spark, ResultsFolder folder, Table table, List<Column> columns) throws IOException {
        StructType schema = new StructType(columns.stream()
                .map(c -> new StructField(c.name(), type(c), true, Metadata.empty()))
                .toArray(StructField[]::new));
        List<String> files = folder.files(table).stream().map(FitData::uri).toList();
        return files.isEmpty()
                ? spark.createDataFrame(List.of(), schema)
                : spark.read().schema(schema).parquet(files.toArray(String[]::new));
    }

    /** As Hadoop's file systems name it. */
    private static String uri(Location file) {
        return file.isLocal() ? file.path().toUri().toString() : file.toString();
    }

    /** As a person would name it from here. */
    private static String shown(Location dir) {
        Path here = Path.of("").toAbsolutePath();
        return dir.isLocal() && dir.path().startsWith(here) && !dir.path().equals(here)
                ? here.relativize(dir.path()).toString()
                : dir.toString();
    }

    private static DataType type(Column column) {
        return switch (column.type()) {
            case BOOLEAN -> DataTypes.BooleanType;
            case INT64 -> DataTypes.LongType;
            case DOUBLE -> DataTypes.DoubleType;
            case STRING -> DataTypes.StringType;
        };
    }

    /**
     * A condition on points.
     *
     * @param option that it was given with
     * @throws InvalidValueException if it is none
     */
    public static Predicate<Params> condition(String option, String condition) {
        try {
            return Where.condition(condition);
        } catch (InvalidValueException bad) {
            throw new InvalidValueException(option + ": " + bad.getMessage());
        }
    }

    /** @throws InvalidValueException if the condition is none */
    public static void checkCondition(String where) {
        Wanted.compile(where);
    }

    /** @throws InvalidValueException if a folder is none, or measured by another version than the first */
    public static int semanticsVersion(List<Location> dirs) throws IOException {
        int first = semanticsVersion(dirs.get(0));
        for (Location dir : dirs) {
            if (semanticsVersion(dir) != first) {
                throw new InvalidValueException(dir + " was measured by version " + semanticsVersion(dir)
                        + " of the simulator's semantics, " + dirs.get(0) + " by " + first
                        + ": they are not comparable. Maybe run one of them again");
            }
        }
        return first;
    }

    private static int semanticsVersion(Location dir) throws IOException {
        return Objects.requireNonNull(ResultsFolder.existing(dir).manifest(), "an existing folder has a manifest")
                .semanticsVersion();
    }
}
