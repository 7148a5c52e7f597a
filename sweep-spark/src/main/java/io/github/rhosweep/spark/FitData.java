package io.github.rhosweep.spark;

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
import io.github.rhosweep.store.RowReader;
import io.github.rhosweep.store.Table;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Points of results folders as a dataset. Rows are read one by one, the wanted columns alone: {@code points} has its runs aggregated
 * already, so that memory holds the groups that are fitted to and nothing else, and no cluster is needed.
 */
final class FitData {
    private FitData() {}

    /**
     * Reads folders.
     *
     * @param where points to keep, or null; the language of an experiment's {@code where}
     */
    static Dataset read(List<Location> dirs, Target target, @Nullable String where) throws IOException {
        Predicate<Params> wanted = where == null ? p -> true : condition(where);
        Map<String, String> streams = new HashMap<>();
        int semantics = semanticsVersion(dirs.get(0));
        for (Location dir : dirs) {
            if (semanticsVersion(dir) != semantics) {
                throw new InvalidValueException(dir + " was measured by version " + semanticsVersion(dir)
                        + " of the simulator's semantics, " + dirs.get(0) + " by " + semantics
                        + ": they are not comparable. Maybe run one of them again");
            }
            readStreams(ResultsFolder.existing(dir), streams);
        }
        Dataset.Builder builder = new Dataset.Builder(target, streams, semantics);
        Set<String> names = Set.copyOf(builder.columns());
        List<Column> columns =
                Tables.POINTS.stream().filter(c -> names.contains(c.name())).toList();
        for (Location dir : dirs) {
            for (Location file : ResultsFolder.existing(dir).files(Table.POINTS)) {
                try (RowReader reader = new RowReader(file, columns)) {
                    for (Row row; (row = reader.read()) != null; ) {
                        Row current = row;
                        if (wanted.test(new Params(path -> {
                            Parameter<?> parameter = Parameters.named(path);
                            return parameter.ofColumn(current.get(parameter.column()));
                        }))) {
                            builder.add(row);
                        }
                    }
                }
            }
        }
        return builder.build();
    }

    private static int semanticsVersion(Location dir) throws IOException {
        return Objects.requireNonNull(ResultsFolder.existing(dir).manifest(), "an existing folder has a manifest")
                .semanticsVersion();
    }

    private static Predicate<Params> condition(String text) {
        try {
            return Where.condition(text);
        } catch (InvalidValueException bad) {
            throw new InvalidValueException("--where: " + bad.getMessage());
        }
    }

    /** Runs of one seed drew the same numbers: the seed of a point's first replicate names its stream. */
    private static void readStreams(ResultsFolder folder, Map<String, String> streams) throws IOException {
        Set<String> names = Set.of("point_key", "replicate", "run_seed");
        List<Column> columns =
                Tables.RUNS.stream().filter(c -> names.contains(c.name())).toList();
        for (Location file : folder.files(Table.RUNS)) {
            try (RowReader reader = new RowReader(file, columns)) {
                for (Row row; (row = reader.read()) != null; ) {
                    if (row.get("replicate") instanceof Long replicate
                            && replicate == 1
                            && row.get("point_key") instanceof String key
                            && row.get("run_seed") instanceof Long seed) {
                        streams.put(key, Long.toHexString(seed));
                    }
                }
            }
        }
    }
}
