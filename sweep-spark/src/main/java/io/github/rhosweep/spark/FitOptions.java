package io.github.rhosweep.spark;

import io.github.rhosweep.fit.Dataset;
import io.github.rhosweep.fit.Grouping;
import io.github.rhosweep.model.Target;
import io.github.rhosweep.store.Location;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Set;
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

    Target target() {
        return Dataset.target(target);
    }

    Set<Grouping> by() {
        return Grouping.of(by);
    }

    long seed() {
        return seed;
    }

    Dataset read() throws IOException {
        return FitData.read(dirs, target(), where);
    }

    /** What of the folders is fitted to and what is not. */
    static void describe(Dataset dataset, PrintWriter out) {
        out.println(dataset.usable().size() + " points of " + String.join(", ", dataset.experiments())
                + "; left out: " + dataset.lossy().size() + " that lost messages, " + dataset.unstable()
                + " without a steady state, " + dataset.without() + " without "
                + dataset.target().measuredColumn());
    }
}
