package io.github.rhosweep.cli;

import io.github.rhosweep.fit.Comparison;
import io.github.rhosweep.fit.ComparisonTables;
import io.github.rhosweep.fit.Dataset;
import io.github.rhosweep.fit.GraphPredictor;
import io.github.rhosweep.fit.Method;
import io.github.rhosweep.fit.Methods;
import io.github.rhosweep.report.ComparisonPage;
import io.github.rhosweep.report.ComparisonPictures;
import io.github.rhosweep.report.Csv;
import io.github.rhosweep.report.Json;
import io.github.rhosweep.result.Column;
import io.github.rhosweep.result.Row;
import io.github.rhosweep.scenario.InvalidValueException;
import io.github.rhosweep.scenario.Params;
import io.github.rhosweep.spark.BuildInfo;
import io.github.rhosweep.spark.FitData;
import io.github.rhosweep.spark.GbtTrainer;
import io.github.rhosweep.store.Location;
import io.github.rhosweep.store.RowWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code compare}: all methods on the points of sweeps, as a page with its tables and pictures. */
@Command(
        name = "compare",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Asks every closed form and every fitted method about the points of sweeps that it was not fitted to and writes a",
            "page: errors by method, regime and pattern beside what the design expects, which method to trust where, what",
            "congestion makes of alpha and beta, jumps, cost, and the rows where even the best is far off."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  ${ROOT-COMMAND-NAME} compare out/incast --out out/incast-compared",
            "  ${ROOT-COMMAND-NAME} compare out/incast out/uniform --without surrogate --out out/compared",
            "  ${ROOT-COMMAND-NAME} compare out/surrogate-small --network models/surrogate_gnn.json --out out/networks-compared"
        })
final class CompareCommand implements Callable<Integer> {
    private static final String PAGE = "comparison.md";

    /** A table that a person reads; longer ones are for programs, which read Parquet. */
    private static final int MOST_IN_CSV = 10_000;

    @Spec
    private CommandSpec spec;

    @Mixin
    private FitOptions options;

    @SuppressWarnings("NullAway.Init") // required
    @Option(
            names = {"-o", "--out"},
            required = true,
            paramLabel = "DIR",
            description = "The folder for the page; new, empty, or that of an earlier comparison, which is replaced.")
    private Path out;

    @Option(
            names = "--network",
            paramLabel = "FILE",
            description =
                    "Ask this graph network too (docs/surrogate.md); nothing of it at points that it learnt from.")
    private @Nullable Path network;

    @Option(
            names = "--hold-out",
            paramLabel = "CONDITION",
            description = "A further way of holding out: points that meet it, fitted to those that do not.")
    private @Nullable String holdOut;

    @Option(names = "--json", description = "Print one JSON object: goals, best methods, errors of all.")
    private boolean json;

    @Override
    public Integer call() throws IOException {
        Predicate<Params> apart = holdOut == null ? null : FitData.condition("--hold-out", holdOut);
        Method asked = network == null ? null : GraphPredictor.load(network).method();
        options.check();
        checkOut();
        SparkSession spark = options.session();
        Comparison comparison;
        PrintWriter print =
                json ? spec.commandLine().getErr() : spec.commandLine().getOut();
        try {
            Dataset dataset = options.read(spark);
            FitOptions.describe(dataset, print);
            List<Method> methods =
                    new ArrayList<>(options.chosen(Methods.all(options.target(), new GbtTrainer(spark))));
            if (asked != null) {
                methods.add(asked);
            }
            comparison = Comparison.of(dataset, options.by(), methods, apart, options.seed(), System::nanoTime);
        } finally {
            spark.stop();
        }
        write(comparison);
        if (json) {
            spec.commandLine().getOut().println(Json.of(object(comparison)));
        } else {
            print(comparison, print);
        }
        return 0;
    }

    private void checkOut() throws IOException {
        Path parent = out.toAbsolutePath().normalize().getParent();
        if (parent == null || !Files.isDirectory(parent)) {
            throw new InvalidValueException("--out " + out + ": there is no folder " + parent);
        }
        if (Files.exists(out) && !Files.isDirectory(out)) {
            throw new InvalidValueException("--out " + out + " is a file; expected a folder");
        }
        if (Files.isDirectory(out)) {
            try (Stream<Path> content = Files.list(out)) {
                if (content.findAny().isPresent() && !Files.exists(out.resolve(PAGE))) {
                    throw new InvalidValueException("--out " + out + " holds files that are no earlier comparison (no "
                            + PAGE + "). Maybe a new folder");
                }
            }
        }
    }

    /** All into a folder beside, which then takes the place: what is there is whole. */
    private void write(Comparison comparison) throws IOException {
        Path target = out.toAbsolutePath().normalize();
        Path parent = Objects.requireNonNull(target.getParent(), "checked");
        Path fresh = Files.createDirectory(parent.resolve(
                "." + target.getFileName() + "." + ProcessHandle.current().pid()));
        try {
            Map<String, ComparisonPictures.Drawing> pictures = ComparisonPictures.of(comparison);
            for (Map.Entry<String, ComparisonPictures.Drawing> e : pictures.entrySet()) {
                e.getValue().write(fresh.resolve(e.getKey()));
            }
            for (Map.Entry<String, List<Row>> e :
                    ComparisonTables.of(comparison).entrySet()) {
                write(fresh, e.getKey(), e.getValue());
            }
            Files.writeString(fresh.resolve(PAGE), ComparisonPage.of(comparison, pictures.keySet(), BuildInfo.COMMAND));
            if (Files.isDirectory(target)) {
                Path old = parent.resolve("." + target.getFileName() + "."
                        + ProcessHandle.current().pid() + ".old");
                Files.move(target, old, StandardCopyOption.ATOMIC_MOVE);
                Files.move(fresh, target, StandardCopyOption.ATOMIC_MOVE);
                delete(old);
            } else {
                Files.move(fresh, target, StandardCopyOption.ATOMIC_MOVE);
            }
        } finally {
            delete(fresh);
        }
    }

    private static void write(Path folder, String name, List<Row> rows) throws IOException {
        List<Column> columns = rows.get(0).columns();
        try (RowWriter parquet = new RowWriter(Location.of(folder.resolve(name + ".parquet")), columns)) {
            for (Row row : rows) {
                parquet.write(row);
            }
        }
        if (rows.size() <= MOST_IN_CSV) {
            Files.writeString(folder.resolve(name + ".csv"), Csv.of(rows));
        }
    }

    private static void delete(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        List<Path> content;
        try (Stream<Path> walk = Files.walk(folder)) {
            content = walk.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path file : content) {
            Files.delete(file);
        }
    }

    private Map<String, @Nullable Object> object(Comparison comparison) {
        Map<String, @Nullable Object> object = new LinkedHashMap<>();
        Dataset dataset = comparison.dataset();
        object.put("page", out.resolve(PAGE).toString());
        object.put("target", dataset.target().measuredColumn());
        object.put("points", dataset.usable().size());
        object.put("lossy", dataset.lossy().size());
        object.put("unstable", dataset.unstable());
        Map<String, String> best = new LinkedHashMap<>();
        comparison
                .groups()
                .forEach(g -> best.put(
                        g, Objects.requireNonNull(comparison.best().get(g)).id()));
        object.put("best", best);
        object.put(
                "goals",
                comparison.goals().stream()
                        .map(v -> {
                            Map<String, @Nullable Object> goal = new LinkedHashMap<>();
                            goal.put("pattern", v.goal().pattern());
                            goal.put("held_out", v.goal().heldOut());
                            goal.put("regime", v.goal().regime());
                            goal.put("most", v.goal().most());
                            goal.put(
                                    "measured",
                                    v.measured() == null ? null : v.measured().mape());
                            goal.put("met", v.met());
                            return goal;
                        })
                        .toList());
        object.put("far_off", comparison.farOff().size());
        object.put("errors", comparison.errors());
        return object;
    }

    private void print(Comparison comparison, PrintWriter print) {
        List<Map.Entry<Method, io.github.rhosweep.fit.Evaluation>> ranked = new ArrayList<>();
        comparison.methods().forEach(s -> ranked.add(Map.entry(s.method(), s.evaluation())));
        print.println();
        ErrorTables.print(ranked, print);
        comparison
                .groups()
                .forEach(g -> print.println(g + ": best is "
                        + Objects.requireNonNull(comparison.best().get(g)).id()));
        long missed = comparison.goals().stream().filter(v -> !v.met()).count();
        if (!comparison.goals().isEmpty()) {
            print.println(
                    missed == 0
                            ? "All goals are met."
                            : missed + " goals are missed: "
                                    + comparison.goals().stream()
                                            .filter(v -> !v.met())
                                            .map(v -> v.goal().pattern() + " "
                                                    + v.goal().heldOut() + " "
                                                    + v.goal().regime())
                                            .collect(Collectors.joining(", ")));
        }
        print.println();
        print.println("Page: " + out.resolve(PAGE));
    }
}
