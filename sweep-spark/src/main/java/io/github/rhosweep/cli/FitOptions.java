package io.github.rhosweep.cli;

import io.github.rhosweep.fit.Dataset;
import io.github.rhosweep.fit.Grouping;
import io.github.rhosweep.fit.Method;
import io.github.rhosweep.fit.Methods;
import io.github.rhosweep.model.Target;
import io.github.rhosweep.scenario.InvalidValueException;
import io.github.rhosweep.spark.FitData;
import io.github.rhosweep.spark.SparkSetup;
import io.github.rhosweep.store.Location;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What {@code fit} and {@code compare} have in common: which points, which target, which groups. */
final class FitOptions {
    @SuppressWarnings("NullAway.Init") // required
    @Parameters(arity = "1..*", paramLabel = "DIR", description = "Results folders; their points are put together.")
    private List<Location> dirs;

    @SuppressWarnings("NullAway.Init") // has a default
    @Option(
            names = "--target",
            paramLabel = "COLUMN",
            defaultValue = "message_latency_mean_ns",
            description = "The column to predict, a latency. Default: ${DEFAULT-VALUE}.")
    private String target;

    @SuppressWarnings("NullAway.Init") // has a default
    @Option(
            names = "--by",
            split = ",",
            paramLabel = "NAME",
            defaultValue = "pattern,iterations",
            description = "What has coefficients of its own: pattern, topology, iterations. Default: ${DEFAULT-VALUE}.")
    private List<String> by;

    @Option(
            names = "--where",
            paramLabel = "CONDITION",
            description = "Only points that meet it; the language of an experiment's `where`.")
    private @Nullable String where;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "Of starts, folds and bootstraps. Default: ${DEFAULT-VALUE}.")
    private long seed;

    @SuppressWarnings("NullAway.Init") // has a default
    @Option(
            names = "--without",
            split = ",",
            paramLabel = "METHOD",
            defaultValue = "",
            description = "Methods to leave out; the surrogate takes longest.")
    private List<String> without;

    @Option(
            names = "--points",
            paramLabel = "N",
            defaultValue = "20000",
            description = "Of more points, a sample of so many is used. Default: ${DEFAULT-VALUE}.")
    private int most;

    @Option(
            names = "--master",
            paramLabel = "URL",
            description = "Spark's master. Default: what spark-submit says, else all cores of this machine.")
    private @Nullable String master;

    /** @throws InvalidValueException if an option makes no sense; before anything is started */
    void check() throws IOException {
        target();
        by();
        without.stream().filter(id -> !id.isEmpty()).forEach(id -> Methods.named(target(), id));
        if (most < 1) {
            throw new InvalidValueException("--points " + most + ": expected at least 1");
        }
        if (where != null) {
            FitData.checkCondition(where);
        }
        FitData.semanticsVersion(dirs);
    }

    /** All of them but those to be left out. */
    List<Method> chosen(List<Method> methods) {
        return methods.stream().filter(m -> !without.contains(m.id())).toList();
    }

    Target target() {
        return Dataset.target(target);
    }

    Set<Grouping> by() {
        return Grouping.of(by);
    }

    long seed() {
        return seed;
    }

    /** A session for reading and for growing trees. */
    SparkSession session() {
        return SparkSetup.session(master);
    }

    Dataset read(SparkSession spark) throws IOException {
        return FitData.read(spark, dirs, target(), where, most);
    }

    /** What of the folders is fitted to and what is not. */
    static void describe(Dataset dataset, PrintWriter out) {
        if (dataset.of() > dataset.read()) {
            out.println("a sample of " + dataset.read() + " of " + dataset.of() + " points, by their keys");
        }
        out.println(dataset.usable().size() + " points of " + String.join(", ", dataset.experiments())
                + "; left out: " + dataset.lossy().size() + " that lost messages, " + dataset.unstable()
                + " without a steady state, " + dataset.without() + " without "
                + dataset.target().measuredColumn());
    }
}
