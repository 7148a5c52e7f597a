package io.github.rhosweep.bench;

import io.github.rhosweep.design.ExperimentSpec;
import io.github.rhosweep.design.RandomNumbers;
import io.github.rhosweep.kernel.Simulation;
import io.github.rhosweep.result.Row;
import io.github.rhosweep.run.PointRunner;
import io.github.rhosweep.scenario.Parameter;
import io.github.rhosweep.scenario.Parameters;
import io.github.rhosweep.scenario.ScenarioTree;
import io.github.rhosweep.store.Location;
import io.github.rhosweep.store.RowWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** What it costs to write the rows of runs to Parquet files, footer and forcing to the disk included: a file an invocation. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
@State(Scope.Thread)
public class RowWriterBenchmark {
    private static final int POINTS = 200;
    private static final int REPLICATES = 30;
    private static final int ROWS = POINTS * REPLICATES;

    /** Rows a file: a file of a short shard, and one of a long one. */
    @Param({"400", "6000"})
    public int rowsPerFile;

    private final List<Row> rows = new ArrayList<>();
    private Path folder;

    @Setup
    public void run() throws IOException {
        folder = Files.createTempDirectory("rows");
        for (int point = 0; point < POINTS; point++) {
            Map<Parameter<?>, Object> values = new LinkedHashMap<>();
            put(values, "traffic.load", "0." + (100 + 4 * point));
            put(values, "measure.messages", "100");
            ExperimentSpec experiment = ExperimentSpec.ofPoint("rows", RandomNumbers.COMMON, values);
            PointRunner runner = new PointRunner(experiment, new Simulation()::run);
            for (int replicate = 1; replicate <= REPLICATES; replicate++) {
                rows.add(runner.once(experiment.point(0), replicate).row());
            }
        }
    }

    private static void put(Map<Parameter<?>, Object> values, String path, String text) {
        Parameter<?> parameter = Parameters.named(path);
        values.put(parameter, ScenarioTree.parse(parameter, text));
    }

    @Benchmark
    @OperationsPerInvocation(ROWS)
    public long write() throws IOException {
        long bytes = 0;
        for (int from = 0; from < ROWS; from += rowsPerFile) {
            Path file = folder.resolve("runs.parquet");
            try (RowWriter writer = new RowWriter(Location.of(file), rows.get(0).columns())) {
                for (Row row : rows.subList(from, from + rowsPerFile)) {
                    writer.write(row);
                }
            }
            bytes += Files.size(file);
            Files.delete(file);
        }
        return bytes;
    }

    @TearDown
    public void delete() throws IOException {
        Files.delete(folder);
    }
}
