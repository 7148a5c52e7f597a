package io.github.rhosweep.spark;

import io.github.rhosweep.design.DesignPoint;
import io.github.rhosweep.design.ExperimentSpec;
import io.github.rhosweep.kernel.Simulation;
import io.github.rhosweep.result.Row;
import io.github.rhosweep.run.PointOutcome;
import io.github.rhosweep.run.RecordedRows;
import io.github.rhosweep.run.ShardRunner;
import io.github.rhosweep.run.Tables;
import io.github.rhosweep.store.Location;
import io.github.rhosweep.store.Manifest;
import io.github.rhosweep.store.ResultsFolder;
import io.github.rhosweep.store.ShardWriter;
import io.github.rhosweep.store.Table;
import io.github.rhosweep.store.Trials;
import java.io.IOException;
import java.io.Serializable;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.util.DoubleAccumulator;
import org.apache.spark.util.LongAccumulator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What an executor does for a shard: run what is not there yet, write it, commit it. Repeating it is harmless. */
final class ShardTask implements Serializable {
    private static final long serialVersionUID = 1L;
    private static final Logger LOG = LoggerFactory.getLogger(ShardTask.class);

    /**
     * So many processes in a row must have died at a point until it is given up, by the points that the shard has given up before: three
     * deaths are no coincidence, and where there was one deadly point the next is likely one too. A shard of many ends all the same.
     */
    private static final int[] DEATHS = {3, 2, 2, 1};

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private static final int REPLICATE =
            Tables.RUNS.stream().map(c -> c.name()).toList().indexOf("replicate");

    private final Broadcast<ExperimentSpec> experiment;
    private final Location out;
    private final int invocation;
    private final Counters counters;

    /** Totals over shards; an action counts each of its tasks once, however often it was tried. */
    record Counters(
            LongAccumulator done,
            LongAccumulator failed,
            LongAccumulator runs,
            DoubleAccumulator seconds,
            DoubleAccumulator cpu)
            implements Serializable {}

    ShardTask(Broadcast<ExperimentSpec> experiment, Location out, int invocation, Counters counters) {
        this.experiment = experiment;
        this.out = out;
        this.invocation = invocation;
        this.counters = counters;
    }

    void run(Shard shard, Iterable<Known> known) throws IOException {
        ResultsFolder folder = new ResultsFolder(out);
        requireThisInvocation(folder);
        String name = shard.name(invocation);
        long before = THREADS.getCurrentThreadCpuTime();
        if (!folder.isCommitted(name)) {
            attempt(shard, name, folder, known);
        }
        // From the files, not from what this attempt did: another attempt's may be the ones that count.
        counters.done().add(folder.rows(Table.POINTS, name));
        counters.failed().add(folder.rows(Table.FAILURES, name));
        counters.runs().add(folder.rows(Table.RUNS, name));
        counters.seconds().add(shard.seconds());
        counters.cpu().add((THREADS.getCurrentThreadCpuTime() - before) / 1e9);
    }

    private void attempt(Shard shard, String name, ResultsFolder folder, Iterable<Known> known) throws IOException {
        ShardRunner runner = new ShardRunner(experiment.value(), new Simulation()::run);
        Set<Long> settled = new HashSet<>();
        Map<Long, List<Row>> earlier = new HashMap<>();
        sort(known, settled, earlier);
        Warden warden = TaskContext.get().attemptNumber() == 0 ? new Warden(null) : new Warden(folder.trials(name));
        try (ShardWriter writer = folder.attempt(name, UUID.randomUUID().toString())) {
            runner.run(
                    shard.first(),
                    shard.end(),
                    settled::contains,
                    index -> earlier.getOrDefault(index, List.of()),
                    warden::refuses,
                    outcome -> write(writer, outcome));
            requireThisInvocation(folder);
            writer.commit();
        } catch (IOException | RuntimeException failed) {
            LOG.warn("shard {} failed at point {}: {}", name, warden.current, failed.toString());
            try {
                warden.end();
            } catch (IOException too) {
                failed.addSuppressed(too);
            }
            throw failed;
        }
        warden.end(); // not after an Error, of which the process dies
    }

    /**
     * Watches over points that take their process down. The first attempt at a shard takes no notes, which would cost a file a point;
     * later ones do, so that the next knows what was running when a process died.
     */
    private static final class Warden {
        private final @Nullable Trials trials;
        private String current = "-";
        private int refused;

        Warden(@Nullable Trials trials) {
            this.trials = trials;
        }

        @Nullable
        String refuses(DesignPoint point) throws IOException {
            current = point.key();
            if (trials == null) {
                LOG.debug("run {} begins", current);
                return null;
            }
            int deaths = trials.deaths(point.index());
            if (deaths >= DEATHS[Math.min(refused, DEATHS.length - 1)]) {
                refused++;
                return "the process that ran it died, "
                        + (deaths == 1 ? "like those of points beside it" : deaths + " times one after the other")
                        + " (out of memory or killed: its log may tell)";
            }
            trials.begin(point.index());
            LOG.warn("run {} begins, after {} processes that died with it", current, deaths);
            return null;
        }

        void end() throws IOException {
            if (trials != null) {
                trials.end();
            }
        }
    }

    /**
     * An executor that outlives its driver must not add to what the next driver has counted; and one that finds another folder than
     * its driver's writes where nobody looks.
     */
    private void requireThisInvocation(ResultsFolder folder) throws IOException {
        Manifest manifest = folder.manifest();
        if (manifest == null) {
            throw new IOException(out + ": the executor on "
                    + SparkEnv.get().blockManager().blockManagerId().host()
                    + " does not find the folder that the driver has made. Maybe choose one that all machines share:"
                    + " hdfs:, s3a: or a mounted disk");
        }
        if (manifest.invocation() != invocation) {
            throw new IOException(out + " has been taken over by another run");
        }
    }

    private static void sort(Iterable<Known> known, Set<Long> settled, Map<Long, List<Row>> earlier) {
        for (Known k : known) {
            switch (k.kind()) {
                case FINISHED, FAILED -> settled.add(k.index());
                case UNFINISHED -> earlier.computeIfAbsent(k.index(), index -> new ArrayList<>());
                case RUN -> {
                    if (k.row() != null) {
                        earlier.computeIfAbsent(k.index(), index -> new ArrayList<>())
                                .add(new Row(Tables.RUNS, k.row()));
                    }
                }
            }
        }
        // Sums over replicates are taken in their order, whatever order files and shuffles gave.
        for (List<Row> rows : earlier.values()) {
            rows.sort(Comparator.comparingLong(row -> (Long) row.values()[REPLICATE]));
        }
    }

    private static void write(ShardWriter writer, PointOutcome outcome) throws IOException {
        for (RecordedRows recorded : outcome.recorded()) {
            recorded.flows(row -> writer.write(Table.FLOWS, row));
            recorded.pairs(row -> writer.write(Table.PAIRS, row));
            recorded.series(row -> writer.write(Table.SERIES, row));
        }
        for (Row row : outcome.runs()) {
            writer.write(Table.RUNS, row);
        }
        if (outcome.point() != null) {
            writer.write(Table.POINTS, outcome.point());
        }
        if (outcome.failure() != null) {
            Row failure = outcome.failure();
            LOG.warn("run {} failed: {}: {}", failure.get("run_key"), failure.get("kind"), failure.get("reason"));
            writer.write(Table.FAILURES, outcome.failure());
        }
    }
}
