package io.github.rhosweep.spark;

import io.github.rhosweep.design.ExperimentSpec;
import io.github.rhosweep.design.Fidelity;
import io.github.rhosweep.design.Plan;
import io.github.rhosweep.design.Replicates;
import io.github.rhosweep.run.PointState;
import io.github.rhosweep.run.Price;
import io.github.rhosweep.scenario.InvalidValueException;
import io.github.rhosweep.store.FolderRefusedException;
import io.github.rhosweep.store.Manifest;
import io.github.rhosweep.store.Manifest.Counts;
import io.github.rhosweep.store.ResultsFolder;
import io.github.rhosweep.summary.PointRows;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A sweep within an allowance of CPU time. First every point gets its least replicates, in an order that covers the design wherever it
 * ends; then replicates are doubled, round by round, at the points whose intervals are widest, as many of them as can be paid.
 */
public final class BudgetedSweep {
    /** Spent on timing points beforehand; the sweep that follows will tell better. */
    private static final double GLANCE_SECONDS = 2;

    private static final Pattern TIME = Pattern.compile("([0-9]{1,9}(?:\\.[0-9]{1,9})?) ?(s|m|min|h)");

    private final ExperimentSpec experiment;
    private final double budget;
    private final double usedBefore;
    private final Function<SweepJob.Allowance, SweepJob.Options> options;
    private final PrintWriter err;

    /**
     * @param budget seconds of CPU time
     * @param usedBefore seconds of it that are spent already
     * @param options of a part
     */
    public BudgetedSweep(
            ExperimentSpec experiment,
            double budget,
            double usedBefore,
            Function<SweepJob.Allowance, SweepJob.Options> options,
            PrintWriter err) {
        this.experiment = experiment;
        this.budget = budget;
        this.usedBefore = usedBefore;
        this.options = options;
        this.err = err;
    }

    /**
     * Reads {@code 30m}.
     *
     * @throws InvalidValueException if it is no time
     */
    public static double seconds(String text) {
        Matcher matcher = TIME.matcher(text.trim());
        double value = matcher.matches() ? Double.parseDouble(matcher.group(1)) : 0;
        if (value <= 0) {
            throw new InvalidValueException("--budget: `" + text + "`, expected CPU time such as 90s, 30m or 2h");
        }
        return value
                * switch (matcher.group(2)) {
                    case "s" -> 1;
                    case "h" -> 3600;
                    default -> 60;
                };
    }

    /**
     * Runs.
     *
     * @param lock of the folder, over all rounds: what came between two of them would spend beside this allowance
     */
    public Manifest run(boolean quiet, ResultsFolder.Lock lock) throws IOException {
        Plan plan = Plan.of(experiment);
        Double price = experiment.fidelity() == Fidelity.MODELS || plan.framesMin() == null
                ? null
                : Price.of(experiment, plan, GLANCE_SECONDS).cpuSeconds();
        if (!quiet) {
            double left = budget - usedBefore;
            err.println("budget: " + seconds(left) + " s of CPU; the least replicates cost "
                    + (price == null
                            ? "what cannot be told before"
                            : "about " + seconds(price) + " s"
                                    + (price > left ? ", so that not all points will be run" : "")));
        }
        Replicates wanted = experiment.replicates();
        int level = wanted.min();
        double used = usedBefore;
        long runs = 0;
        Part first = part(lock, level, used, 0);
        Part last = first;
        used += first.seconds;
        runs += first.counts().runs();
        while (last.went() && wanted.until() != null && level < wanted.max() && used < budget) {
            level = Math.min(wanted.max(), 2 * level);
            double perRun = runs > 0 ? (used - usedBefore) / runs : 0;
            double width = leastWidth(last.folder, level, (budget - used) / Math.max(perRun, 1e-6));
            if (Double.isInfinite(width)) {
                break;
            }
            last = part(lock, level, used, width);
            used += last.seconds;
            runs += last.counts().runs();
            if (width > 0) {
                break; // there was no more to spend than on those
            }
        }
        Counts begun = first.counts();
        long notRun = begun.planned() - begun.done() - begun.failed() - begun.skipped();
        long notMet = unmet(last.folder, experiment, Integer.MAX_VALUE).size();
        Counts all = new Counts(begun.planned(), begun.done(), last.counts().failed(), begun.skipped(), runs);
        String status = last.manifest.status().equals("gave_up")
                ? "gave_up"
                : notRun + notMet > 0 ? "budget" : all.failed() > 0 ? "incomplete" : "complete";
        Manifest.Budget spent = new Manifest.Budget(budget, used, notRun, notMet);
        Manifest manifest = last.manifest.spent(spent, all, status);
        if (!lock.isHeld()) {
            throw new FolderRefusedException(last.folder.dir() + " has been taken over by another run");
        }
        last.folder.write(manifest);
        if (!quiet) {
            err.println(told(spent));
        }
        return manifest;
    }

    private static String seconds(double value) {
        return String.format(Locale.ROOT, value < 10 ? "%.1f" : "%.0f", value);
    }

    /** For people. */
    public static String told(Manifest.Budget budget) {
        return String.format(
                Locale.ROOT,
                "budget: %s of %s s of CPU used; %d points not run, %d intervals wider than asked",
                seconds(budget.usedCpuSeconds()),
                seconds(budget.cpuSeconds()),
                budget.notRun(),
                budget.intervalsNotMet());
    }

    /** One invocation. */
    private record Part(Manifest manifest, double seconds, ResultsFolder folder) {
        Counts counts() {
            return manifest.counts();
        }

        boolean went() {
            return !manifest.status().equals("budget") && !manifest.status().equals("gave_up");
        }
    }

    private Part part(ResultsFolder.Lock lock, int level, double used, double leastWidth) throws IOException {
        Replicates wanted = experiment.replicates();
        ExperimentSpec part = experiment.withReplicates(new Replicates(wanted.min(), level, wanted.until()));
        SweepJob.Options how = options.apply(new SweepJob.Allowance(budget - used, leastWidth, experiment));
        SweepJob job = new SweepJob(part, how, err);
        Manifest manifest = job.run(lock);
        return new Part(manifest, job.cpuSeconds(), new ResultsFolder(how.out()));
    }

    /** Widths of intervals that a level would narrow, with the runs that this takes. */
    record Unmet(double width, long runs) {}

    private static List<Unmet> unmet(ResultsFolder folder, ExperimentSpec under, int level) throws IOException {
        List<Unmet> unmet = new ArrayList<>();
        PointRows.read(folder, PointState.columns(under), row -> {
            PointState state = PointState.of(row, under);
            Double width = state.width();
            if (state.simulated() && width != null && width > 1 && !state.finishedUnder(under)) {
                unmet.add(new Unmet(width, Math.max(0, level - state.n())));
            }
        });
        return unmet;
    }

    /** The width from which on all intervals can be paid for; infinite if none is left, 0 if all can. */
    private double leastWidth(ResultsFolder folder, int level, double runs) throws IOException {
        Replicates wanted = experiment.replicates();
        List<Unmet> unmet =
                unmet(folder, experiment.withReplicates(new Replicates(wanted.min(), level, wanted.until())), level);
        return leastWidth(unmet, runs);
    }

    /** The same, from widths and the runs that each takes. */
    static double leastWidth(List<Unmet> unmet, double runs) {
        unmet.sort(Comparator.comparingDouble((Unmet u) -> -u.width));
        double least = Double.POSITIVE_INFINITY;
        double left = runs;
        for (Unmet one : unmet) {
            left -= one.runs;
            if (left < 0) {
                return least;
            }
            least = one.width;
        }
        return unmet.isEmpty() ? least : 0;
    }
}
