package io.github.rhosweep.cli;

import io.github.rhosweep.fit.Coefficient;
import io.github.rhosweep.fit.CorrectionFit;
import io.github.rhosweep.fit.CorrectionModel;
import io.github.rhosweep.fit.Dataset;
import io.github.rhosweep.fit.Evaluation;
import io.github.rhosweep.fit.LookupRows;
import io.github.rhosweep.fit.Method;
import io.github.rhosweep.fit.Methods;
import io.github.rhosweep.fit.NotIdentifiableException;
import io.github.rhosweep.fit.PythonExport;
import io.github.rhosweep.report.Csv;
import io.github.rhosweep.report.Json;
import io.github.rhosweep.report.TextTable;
import io.github.rhosweep.result.Row;
import io.github.rhosweep.scenario.InvalidValueException;
import io.github.rhosweep.spark.GbtTrainer;
import io.github.rhosweep.store.Location;
import io.github.rhosweep.store.RowWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.spark.sql.SparkSession;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code fit}: a correction of alpha-beta, with its errors at points that it was not fitted to. */
@Command(
        name = "fit",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Fits corrections of alpha-beta to the points of sweeps and writes the best, or the one asked for, as a model.",
            "Points that lost messages or had no steady state are counted and left out. All errors shown are those at",
            "points held out: at random, at loads not fitted to, at more flows than fitted to, at other settings."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  ${ROOT-COMMAND-NAME} fit out/incast --out incast.json",
            "  ${ROOT-COMMAND-NAME} fit out/incast --method rr_fitted --format python --out incast.py"
        })
final class FitCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private FitOptions options;

    @SuppressWarnings("NullAway.Init") // has a default
    @Option(
            names = "--method",
            paramLabel = "M",
            defaultValue = "all",
            description = "One method, or all: the one that is off least. Default: ${DEFAULT-VALUE}.")
    private String method;

    @SuppressWarnings("NullAway.Init") // required
    @Option(
            names = {"-o", "--out"},
            required = true,
            paramLabel = "FILE",
            description = "The model.")
    private Path out;

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            defaultValue = "json",
            description =
                    "json (what `predict` reads), csv (coefficients, or the table of a lookup), python (a file without"
                            + " dependencies), parquet (the table of a lookup).")
    private Format format = Format.JSON;

    @Option(names = "--json", description = "Print one JSON object: the model.")
    private boolean json;

    enum Format {
        JSON,
        CSV,
        PYTHON,
        PARQUET
    }

    @Override
    public Integer call() throws IOException {
        Path folder = out.toAbsolutePath().getParent();
        if (folder == null || !Files.isDirectory(folder)) {
            throw new InvalidValueException("--out " + out + ": there is no folder " + folder);
        }
        options.check();
        Method named = method.equals("all") ? null : Methods.named(options.target(), method);
        if (named != null && !named.fits()) {
            throw new InvalidValueException(
                    "--method " + method + ": nothing of it is fitted; `compare` shows its errors");
        }
        SparkSession spark = options.session();
        try {
            return fit(spark);
        } finally {
            spark.stop();
        }
    }

    private int fit(SparkSession spark) throws IOException {
        GbtTrainer trainer = new GbtTrainer(spark);
        Dataset dataset = options.read(spark);
        PrintWriter print =
                json ? spec.commandLine().getErr() : spec.commandLine().getOut();
        FitOptions.describe(dataset, print);
        CorrectionFit fit = new CorrectionFit(dataset, options.by(), options.seed());
        Map<Method, Evaluation> evaluations = new LinkedHashMap<>();
        List<Method> methods = method.equals("all")
                ? options.chosen(Methods.fitted(trainer))
                : List.of(Methods.named(options.target(), method, trainer));
        List<Evaluation> evaluated = methods.parallelStream().map(fit::evaluate).toList();
        for (int i = 0; i < methods.size(); i++) {
            evaluations.put(methods.get(i), evaluated.get(i));
        }
        List<Map.Entry<Method, Evaluation>> ranked = CorrectionFit.ranked(evaluations);
        print.println();
        ErrorTables.print(ranked, print);
        CorrectionModel model = firstThatFits(fit, ranked, print);
        write(model);
        if (json) {
            spec.commandLine().getOut().println(Json.of(model));
        } else {
            print(model, print);
        }
        return 0;
    }

    private CorrectionModel firstThatFits(
            CorrectionFit fit, List<Map.Entry<Method, Evaluation>> ranked, PrintWriter print) {
        NotIdentifiableException first = null;
        for (Map.Entry<Method, Evaluation> e : ranked) {
            try {
                return fit.fit(e.getKey(), e.getValue());
            } catch (NotIdentifiableException refused) {
                print.println(refused.getMessage());
                first = first == null ? refused : first;
            }
        }
        throw first == null ? new IllegalStateException("no method") : first;
    }

    private void write(CorrectionModel model) throws IOException {
        switch (format) {
            case JSON -> model.write(out);
            case CSV -> whole(file -> Files.writeString(file, csv(model)));
            case PYTHON -> whole(file -> Files.writeString(file, PythonExport.of(model)));
            case PARQUET -> {
                List<Row> rows = LookupRows.of(model);
                whole(file -> {
                    try (RowWriter parquet =
                            new RowWriter(Location.of(file), rows.get(0).columns())) {
                        for (Row row : rows) {
                            parquet.write(row);
                        }
                    }
                });
            }
        }
    }

    /** Coefficients; of a lookup its table. */
    private static String csv(CorrectionModel model) {
        if (model.groups().get(0).state().table() != null) {
            return Csv.of(LookupRows.of(model));
        }
        StringBuilder csv = new StringBuilder("group,coefficient,value,low,high\n");
        for (CorrectionModel.Group g : model.groups()) {
            if (g.state().trees() != null) {
                throw new InvalidValueException(
                        "--format csv: " + model.method() + " has neither coefficients nor a table. Maybe json");
            }
            for (Coefficient c : g.state().coefficients()) {
                csv.append(g.name() + "," + c.name() + "," + c.value() + "," + c.low() + "," + c.high() + "\n");
            }
        }
        return csv.toString();
    }

    private interface Writing {
        void to(Path file) throws IOException;
    }

    /** Nothing half-written is ever visible. */
    private void whole(Writing writing) throws IOException {
        Path target = out.toAbsolutePath().normalize();
        Path fresh = target.resolveSibling(
                "." + target.getFileName() + "." + ProcessHandle.current().pid());
        try {
            writing.to(fresh);
            Files.move(fresh, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(fresh);
        }
    }

    private void print(CorrectionModel model, PrintWriter print) {
        print.println();
        print.println(model.method() + ": " + model.formula());
        for (CorrectionModel.Group g : model.groups()) {
            print.println();
            print.println(
                    g.name() + ", " + g.points() + " points" + (g.remarks().isEmpty() ? "" : "; " + g.remarks()));
            if (!g.state().coefficients().isEmpty() && g.state().coefficients().size() <= 12) {
                TextTable table = new TextTable("  coefficient", ">value", ">95% interval", "");
                for (Coefficient c : g.state().coefficients()) {
                    table.add(
                            "  " + c.name(),
                            TextTable.number(c.value()),
                            TextTable.number(c.low()),
                            TextTable.number(c.high()));
                }
                table.print(print, "");
            }
            for (Evaluation.Interval i : g.intervals()) {
                print.println("  " + i.regime() + ": predictions within a factor of "
                        + (i.relative() == null
                                ? "? (too few points)"
                                : TextTable.number(1 + i.relative()) + " for 95% of messages' means, measured "
                                        + TextTable.percent(i.coverage())));
            }
        }
        print.println();
        print.println(
                "Model: " + out + (format == Format.JSON ? ". Next: rhosweep predict " + out + " --load 0.7" : ""));
    }
}
