package io.github.rhosweep.cli;

import io.github.rhosweep.fit.FabricGraph;
import io.github.rhosweep.result.Column;
import io.github.rhosweep.result.Row;
import io.github.rhosweep.run.StoredPoint;
import io.github.rhosweep.run.Tables;
import io.github.rhosweep.scenario.InvalidValueException;
import io.github.rhosweep.scenario.Scenario;
import io.github.rhosweep.spark.StoredRows;
import io.github.rhosweep.store.Location;
import io.github.rhosweep.store.ResultsFolder;
import io.github.rhosweep.store.RowReader;
import io.github.rhosweep.store.Table;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code dataset}: runs as graphs for a network to learn from. */
@Command(
        name = "dataset",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Writes each run of a sweep with `record.pairs` as a graph of flows, queues and links: graphs.parquet, flows.parquet,",
            "queues.parquet, links.parquet, visits.parquet, all with the number `graph`. docs/surrogate.md has the columns.",
            "Targets are logarithms of measured over idle latency (alpha-beta). Runs that have no such graph are counted, not kept."
        },
        footerHeading = "%nExample:%n",
        footer = "  ${ROOT-COMMAND-NAME} dataset out/surrogate-small --out out/surrogate-graphs")
final class DatasetCommand implements Callable<Integer> {
    private static final Column RUN_KEY = ofTable(Tables.RUNS, "run_key");
    private static final Column POINT_KEY = ofTable(Tables.RUNS, "point_key");

    @Spec
    private CommandSpec spec;

    @SuppressWarnings("NullAway.Init") // required
    @Parameters(
            arity = "1..*",
            paramLabel = "DIR",
            description = "Results folders of sweeps with `record.pairs: true`.")
    private List<Location> dirs;

    @SuppressWarnings("NullAway.Init") // required
    @Option(
            names = {"-o", "--out"},
            required = true,
            paramLabel = "FOLDER",
            description = "A new folder for the graphs.")
    private Path out;

    @Override
    public Integer call() throws IOException {
        Path target = out.toAbsolutePath().normalize();
        Path parent = target.getParent();
        if (parent == null || !Files.isDirectory(parent)) {
            throw new InvalidValueException("--out " + out + ": there is no folder " + parent);
        }
        if (Files.exists(target)) {
            throw new InvalidValueException("--out " + out + " exists. Maybe a new folder");
        }
        Path fresh = Files.createDirectory(parent.resolve(
                "." + target.getFileName() + "." + ProcessHandle.current().pid()));
        try {
            long flows;
            Map<String, Integer> without = new TreeMap<>();
            int graphs;
            try (GraphTables tables = new GraphTables(fresh)) {
                for (Location dir : dirs) {
                    add(ResultsFolder.existing(dir), tables, without);
                }
                graphs = tables.graphs();
                flows = tables.flows();
            }
            if (graphs == 0) {
                throw new InvalidValueException("no run of " + dirs.get(0) + " has a graph: "
                        + (without.isEmpty() ? "it has no runs" : String.join("; ", without.keySet())));
            }
            Files.move(fresh, target, StandardCopyOption.ATOMIC_MOVE);
            PrintWriter print = spec.commandLine().getOut();
            print.println(graphs + " graphs, " + flows + " flows: " + out);
            without.forEach((reason, count) -> print.println(count + " runs left out: " + reason));
        } finally {
            delete(fresh);
        }
        return 0;
    }

    private static void add(ResultsFolder folder, GraphTables tables, Map<String, Integer> without) throws IOException {
        StoredRows.requireThisSimulator(folder);
        Map<String, List<Row>> pairs = new HashMap<>();
        for (Location file : folder.files(Table.PAIRS)) {
            try (RowReader reader = new RowReader(file, Tables.PAIRS)) {
                for (Row row = reader.read(); row != null; row = reader.read()) {
                    pairs.computeIfAbsent(text(row, RUN_KEY), key -> new ArrayList<>())
                            .add(row);
                }
            }
        }
        // In the order of keys: that of files depends on who finished first.
        TreeMap<String, Row> runs = new TreeMap<>();
        for (Location file : folder.files(Table.RUNS)) {
            try (RowReader reader = new RowReader(file, StoredRows.columnsIn(file, Tables.RUNS))) {
                for (Row row = reader.read(); row != null; row = reader.read()) {
                    runs.put(text(row, RUN_KEY), row);
                }
            }
        }
        for (Map.Entry<String, Row> run : runs.entrySet()) {
            List<Row> measured = pairs.get(run.getKey());
            Scenario scenario =
                    StoredPoint.of(run.getValue(), folder::inputOfHash).scenario();
            String reason = measured == null ? "without record.pairs" : FabricGraph.reason(scenario);
            if (reason == null && !Boolean.TRUE.equals(run.getValue().get("stable"))) {
                reason = "without a steady state";
            }
            FabricGraph graph = reason == null ? FabricGraph.of(scenario) : null;
            // A run is finite: one whose queues only grow may pass for steady.
            if (graph != null && graph.mostLoad() >= 1) {
                reason = "with a link of load 1 or more";
            }
            if (reason == null && measured != null && graph != null) {
                tables.add(run.getKey(), text(run.getValue(), POINT_KEY), scenario, graph, measured);
            } else {
                without.merge(String.valueOf(reason), 1, Integer::sum);
            }
        }
    }

    private static String text(Row row, Column column) {
        return Objects.requireNonNull((String) row.get(column.name()), "a row without a key");
    }

    private static Column ofTable(List<Column> table, String name) {
        return table.stream().filter(c -> c.name().equals(name)).findFirst().orElseThrow();
    }

    private static void delete(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        List<Path> content;
        try (Stream<Path> files = Files.list(folder)) {
            content = files.toList();
        }
        for (Path file : content) {
            Files.delete(file);
        }
        Files.delete(folder);
    }
}
