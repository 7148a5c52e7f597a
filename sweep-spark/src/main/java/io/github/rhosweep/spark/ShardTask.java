package io.github.rhosweep.spark;

import io.github.rhosweep.design.ExperimentSpec;
import io.github.rhosweep.kernel.Simulation;
import io.github.rhosweep.result.Row;
import io.github.rhosweep.run.PointOutcome;
import io.github.rhosweep.run.ShardRunner;
import io.github.rhosweep.run.Tables;
import io.github.rhosweep.store.Location;
import io.github.rhosweep.store.ResultsFolder;
import io.github.rhosweep.store.ShardWriter;
import io.github.rhosweep.store.Table;
import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.apache.spark.util.DoubleAccumulator;
import org.apache.spark.util.LongAccumulator;

/** What an executor does for a shard: run what is not there yet, write it, commit it. Repeating it is harmless. */
final class ShardTask implements Serializable {
    private static final long serialVersionUID = 1L;
    private static final int REPLICATE =
            Tables.RUNS.stream().map(c -> c.name()).toList().indexOf("replicate");

    private final ExperimentSpec experiment;
    private final Location out;
    private final int invocation;
    private final Counters counters;

    /** Totals over shards; an action counts each of its tasks once, however often it was tried. */
    record Counters(LongAccumulator done, LongAccumulator failed, LongAccumulator runs, DoubleAccumulator seconds)
            implements Serializable {}

    ShardTask(ExperimentSpec experiment, Location out, int invocation, Counters counters) {
        this.experiment = experiment;
        this.out = out;
        this.invocation = invocation;
        this.counters = counters;
    }

    void run(Shard shard, Iterable<Known> known) throws IOException {
        ResultsFolder folder = new ResultsFolder(out);
        String name = shard.name(invocation);
        if (!folder.isCommitted(name)) {
            ShardRunner runner = new ShardRunner(experiment, new Simulation()::run);
            Set<Long> settled = new HashSet<>();
            Map<Long, List<Row>> earlier = new HashMap<>();
            sort(known, settled, earlier);
            try (ShardWriter writer = folder.attempt(name, UUID.randomUUID().toString())) {
                runner.run(
                        shard.first(),
                        shard.end(),
                        settled::contains,
                        index -> earlier.getOrDefault(index, List.of()),
                        outcome -> write(writer, outcome));
                writer.commit();
            }
        }
        // From the files, not from what this attempt did: another attempt's may be the ones that count.
        counters.done().add(folder.rows(Table.POINTS, name));
        counters.failed().add(folder.rows(Table.FAILURES, name));
        counters.runs().add(folder.rows(Table.RUNS, name));
        counters.seconds().add(shard.seconds());
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
        for (Row row : outcome.runs()) {
            writer.write(Table.RUNS, row);
        }
        if (outcome.point() != null) {
            writer.write(Table.POINTS, outcome.point());
        }
        if (outcome.failure() != null) {
            writer.write(Table.FAILURES, outcome.failure());
        }
    }
}
