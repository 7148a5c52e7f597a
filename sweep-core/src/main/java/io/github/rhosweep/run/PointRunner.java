package io.github.rhosweep.run;

import io.github.rhosweep.design.DesignPoint;
import io.github.rhosweep.design.ExperimentSpec;
import io.github.rhosweep.design.Fidelity;
import io.github.rhosweep.design.Replicates;
import io.github.rhosweep.design.Replicates.Until;
import io.github.rhosweep.design.Screen;
import io.github.rhosweep.model.Models;
import io.github.rhosweep.result.Column;
import io.github.rhosweep.result.Metric;
import io.github.rhosweep.result.Recording;
import io.github.rhosweep.result.Row;
import io.github.rhosweep.result.RunResult;
import io.github.rhosweep.scenario.InvalidValueException;
import io.github.rhosweep.scenario.NearestName;
import io.github.rhosweep.scenario.Parameter;
import io.github.rhosweep.scenario.Parameters;
import io.github.rhosweep.scenario.Params;
import io.github.rhosweep.scenario.Scenario;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Runs one point after the other: predicts, simulates replicates until the interval is met, and turns what fails into a row.
 * Every row depends on its point alone, but for the cost columns.
 */
public final class PointRunner {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    /** Why replication ended, as {@code stopped_by} tells. */
    enum Stop {
        INTERVAL,
        MAX,
        FIXED,
        METRIC_NULL,
        DETERMINISTIC,
        MODELS;

        /** As the column tells it. */
        String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private static final int FIRST_METRIC = Tables.RUNS.indexOf(Tables.METRICS.get(0));

    private final ExperimentSpec experiment;
    private final Simulator simulator;
    private final StudentQuantiles quantiles = new StudentQuantiles();

    /** A runner of an experiment's points; for one thread. */
    public PointRunner(ExperimentSpec experiment, Simulator simulator) {
        this.experiment = experiment;
        this.simulator = simulator;
    }

    /**
     * Runs a point.
     *
     * @param earlier rows of {@link Tables#RUNS} of this point's first replicates, which are not run again; may be empty
     * @throws CancellationException if the thread was interrupted; nothing of the point is kept then
     */
    public PointOutcome run(DesignPoint point, List<Row> earlier) {
        int replicate = 0;
        try {
            Scenario scenario = point.scenario();
            @Nullable Object[] predictions = Models.predict(scenario).values();
            @Nullable Object[] parameters = parameters(point.params());
            Until until = experiment.replicates().until();
            double confidence = until == null ? ReplicateStatistics.CONFIDENCE : until.confidence();
            if (!needsSimulation(predictions)) {
                return new PointOutcome(
                        List.of(),
                        pointRow(point, parameters, null, Stop.MODELS, confidence, predictions),
                        null,
                        List.of());
            }
            ReplicateStatistics statistics = new ReplicateStatistics(Tables.METRICS, quantiles);
            for (Row row : earlier) {
                statistics.add(metrics(row));
            }
            List<Row> added = new ArrayList<>();
            List<RecordedRows> recorded = new ArrayList<>();
            Stop stop = statistics.n() == 0 ? null : stop(point, statistics);
            while (stop == null) {
                if (Thread.currentThread().isInterrupted()) {
                    throw new CancellationException("stopped");
                }
                replicate = statistics.n() + 1;
                Timed timed = timed(point, scenario, replicate);
                Row row = runRow(point, parameters, replicate, timed, predictions);
                added.add(row);
                Recording kept = timed.result.recording();
                if (kept != null) {
                    recorded.add(new RecordedRows(point.runKey(replicate), scenario.record(), kept));
                }
                statistics.add(metrics(row));
                stop = stop(point, statistics);
            }
            boolean nothingNew = added.isEmpty();
            return new PointOutcome(
                    added,
                    nothingNew ? null : pointRow(point, parameters, statistics, stop, confidence, predictions),
                    null,
                    recorded);
        } catch (CancellationException stopped) {
            throw stopped;
        } catch (Exception | StackOverflowError | OutOfMemoryError failure) {
            return new PointOutcome(List.of(), null, failureRow(point, Math.max(1, replicate), failure), List.of());
        }
    }

    /** A point that is not run since the processes that tried died of it. */
    PointOutcome lost(DesignPoint point, String reason) {
        return new PointOutcome(List.of(), null, failureRow(point, 1, new ExecutorLostException(reason)), List.of());
    }

    /**
     * One run and what it gave, for a person to look at.
     *
     * @param row of {@link Tables#RUNS}
     * @param result where its measured columns come from
     * @param reasons why models gave no value, by column
     */
    public record Single(Row row, RunResult result, Map<String, String> reasons) {}

    /**
     * Runs one replicate of a point, whatever the experiment says of replicates and fidelity; what fails is thrown.
     *
     * @param replicate from 1
     */
    public Single once(DesignPoint point, int replicate) {
        Scenario scenario = point.scenario();
        Models.Predictions predictions = Models.predict(scenario);
        Timed timed = timed(point, scenario, replicate);
        Row row = runRow(point, parameters(point.params()), replicate, timed, predictions.values());
        return new Single(row, timed.result, predictions.reasons());
    }

    /**
     * The row of {@link Tables#POINTS} that stored runs make, but for the columns that tell why there were no more.
     *
     * @param runs rows of {@link Tables#RUNS}, with all its columns, in the order of replicates; at least one
     * @param confidence of the half-widths, where there are several
     */
    public Row summary(DesignPoint point, List<Row> runs, double confidence) {
        ReplicateStatistics statistics = new ReplicateStatistics(Tables.METRICS, quantiles);
        for (Row row : runs) {
            statistics.add(metrics(row));
        }
        @Nullable Object[] predictions = Models.predict(point.scenario()).values();
        Row row = pointRow(point, parameters(point.params()), statistics, Stop.FIXED, confidence, predictions);
        List<Column> columns = new ArrayList<>(Tables.POINTS);
        columns.removeAll(List.of(Tables.STOPPED_BY, Tables.CI_MET, Tables.CI_RULE));
        @Nullable Object[] values = new @Nullable Object[columns.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = row.get(columns.get(i).name());
        }
        return new Row(columns, values);
    }

    private boolean needsSimulation(@Nullable Object[] predictions) {
        return switch (experiment.fidelity()) {
            case MODELS -> false;
            case SIMULATE -> true;
            case AUTO ->
                Boolean.TRUE.equals(predictions[index(Tables.PREDICTIONS, "verify_by_simulation")])
                        || disagree(experiment.screen(), name -> predictions[index(Tables.PREDICTIONS, name)]);
        };
    }

    /**
     * What models say of simulating a point.
     *
     * @param flagged whether they ask for it
     * @param disagreeing whether those of the experiment's rule disagree
     */
    public record Screened(boolean flagged, boolean disagreeing) {}

    /** Asks the models alone. */
    public Screened screen(DesignPoint point) {
        @Nullable Object[] predictions = Models.predict(point.scenario()).values();
        return new Screened(
                Boolean.TRUE.equals(predictions[index(Tables.PREDICTIONS, "verify_by_simulation")]),
                disagree(experiment.screen(), name -> predictions[index(Tables.PREDICTIONS, name)]));
    }

    /** Whether models disagree by a rule; false without one. */
    static boolean disagree(@Nullable Screen screen, Function<String, @Nullable Object> prediction) {
        if (screen == null) {
            return false;
        }
        List<@Nullable Object> compared = new ArrayList<>();
        for (String model : screen.models()) {
            compared.add(prediction.apply(Screen.column(model)));
        }
        return screen.disagrees(compared);
    }

    /**
     * Checks that a rule names models that predict message latency.
     *
     * @throws InvalidValueException naming the nearest
     */
    public static void requireModels(Screen screen) {
        List<String> columns = Tables.PREDICTIONS.stream().map(Column::name).toList();
        for (String model : screen.models()) {
            if (!columns.contains(Screen.column(model))) {
                List<String> known = columns.stream()
                        .filter(c -> c.startsWith("pred_") && c.endsWith("_message_ns"))
                        .map(c -> c.substring("pred_".length(), c.length() - "_message_ns".length()))
                        .toList();
                throw new InvalidValueException("screen.models: found `" + model
                        + "`, expected models of message latency" + NearestName.advice(model, known));
            }
        }
    }

    private record Timed(RunResult result, long seed, long wallNs, long cpuNs) {}

    private Timed timed(DesignPoint point, Scenario scenario, int replicate) {
        long seed = point.runSeed(replicate);
        long wall = System.nanoTime();
        long cpu = THREADS.getCurrentThreadCpuTime();
        RunResult result = simulator.run(
                scenario,
                seed,
                LindleyWorkload.of(scenario),
                deadline(wall + scenario.measure().maxWallNs()));
        return new Timed(result, seed, System.nanoTime() - wall, THREADS.getCurrentThreadCpuTime() - cpu);
    }

    private Row runRow(
            DesignPoint point,
            @Nullable Object[] parameters,
            int replicate,
            Timed run,
            @Nullable Object[] predictions) {
        RowBuilder row = new RowBuilder(Tables.RUNS);
        identity(row, point, replicate, run.seed);
        row.addAll(parameters);
        for (Metric metric : Metric.values()) {
            row.add(metric.of(run.result));
        }
        row.addAll(predictions);
        row.add(run.wallNs);
        row.add(run.cpuNs);
        return row.build();
    }

    private static BooleanSupplier deadline(long ns) {
        return () -> {
            if (Thread.currentThread().isInterrupted()) {
                throw new CancellationException("stopped");
            }
            return System.nanoTime() - ns > 0;
        };
    }

    /** Why there should be no further replicate, or null if there should. */
    private @Nullable Stop stop(DesignPoint point, ReplicateStatistics statistics) {
        if (!point.drawsRandomNumbers()) {
            return Stop.DETERMINISTIC;
        }
        Replicates wanted = experiment.replicates();
        Until until = wanted.until();
        if (statistics.n() < wanted.min()) {
            return null;
        }
        if (until == null) {
            return Stop.FIXED;
        }
        int metric = index(Tables.METRICS, until.metric());
        if (statistics.n(metric) == 0) {
            return Stop.METRIC_NULL;
        }
        if (met(statistics, metric, until)) {
            return Stop.INTERVAL;
        }
        return statistics.n() >= wanted.max() ? Stop.MAX : null;
    }

    private static boolean met(ReplicateStatistics statistics, int metric, Until until) {
        Double mean = statistics.mean(metric);
        Double halfWidth = statistics.halfWidth(metric, until.confidence());
        return mean != null && halfWidth != null && halfWidth <= until.relativeCi() * Math.abs(mean);
    }

    private Row pointRow(
            DesignPoint point,
            @Nullable Object[] parameters,
            @Nullable ReplicateStatistics statistics,
            Stop stop,
            double confidence,
            @Nullable Object[] predictions) {
        Until until = experiment.replicates().until();
        int n = statistics == null ? 0 : statistics.n();
        RowBuilder row = new RowBuilder(Tables.POINTS);
        row.add(experiment.name());
        row.add(point.key());
        row.addAll(parameters);
        row.add((long) n);
        row.add(Parameter.label(statistics == null ? Fidelity.MODELS : Fidelity.SIMULATE));
        row.add(stop.text());
        row.add(
                switch (stop) {
                    case INTERVAL -> true;
                    case MAX -> false;
                    case FIXED, METRIC_NULL, DETERMINISTIC, MODELS -> null;
                });
        row.add(until == null ? null : ciRule(until));
        row.add(n < 2 ? n == 0 ? null : Double.valueOf(ReplicateStatistics.CONFIDENCE) : Double.valueOf(confidence));
        row.add(n == 0 ? null : n == 1 ? "run" : "replicates");
        summaries(row, statistics, confidence);
        row.addAll(predictions);
        return row.build();
    }

    private static void summaries(RowBuilder row, @Nullable ReplicateStatistics statistics, double confidence) {
        List<Column> metrics = Tables.METRICS;
        for (int i = 0; i < metrics.size(); i++) {
            Column metric = metrics.get(i);
            if (Tables.isOwnHalfWidth(metric)) {
                continue; // stands beside its mean
            }
            row.add(statistics == null ? null : statistics.summary(i));
            if (Tables.isNumber(metric)) {
                row.add(statistics == null ? null : halfWidth(statistics, i, confidence));
            }
        }
    }

    private static @Nullable Object halfWidth(ReplicateStatistics statistics, int metric, double confidence) {
        if (statistics.n() > 1) {
            return statistics.halfWidth(metric, confidence);
        }
        int own = Tables.ownHalfWidth(metric);
        return own < 0 ? null : statistics.mean(own);
    }

    /** The interval asked for, as text: {@code message_latency_mean_ns within 0.05 at 0.95}. */
    static String ciRule(Until until) {
        return until.metric() + " within " + decimal(until.relativeCi()) + " at " + decimal(until.confidence());
    }

    /** Digits on which all JDKs agree. */
    private static String decimal(double value) {
        return BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
    }

    private Row failureRow(DesignPoint point, int replicate, Throwable failure) {
        RowBuilder row = new RowBuilder(Tables.FAILURES);
        identity(row, point, replicate, point.runSeed(replicate));
        row.addAll(parameters(point.params()));
        row.add(Failures.kind(failure));
        row.add(Failures.reason(failure));
        row.add(Failures.where(failure));
        return row.build();
    }

    private void identity(RowBuilder row, DesignPoint point, int replicate, long seed) {
        row.add(experiment.name());
        row.add(point.key());
        row.add(point.runKey(replicate));
        row.add((long) replicate);
        row.add(seed);
    }

    private static @Nullable Object[] parameters(Params params) {
        List<Parameter<?>> all = Parameters.all();
        @Nullable Object[] values = new @Nullable Object[all.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = value(params, all.get(i));
        }
        return values;
    }

    private static <T> @Nullable Object value(Params params, Parameter<T> parameter) {
        T value = params.find(parameter);
        return value == null ? null : parameter.columnValue(value);
    }

    private static @Nullable Object[] metrics(Row run) {
        @Nullable Object[] values = new Object[Tables.METRICS.size()];
        System.arraycopy(run.values(), FIRST_METRIC, values, 0, values.length);
        return values;
    }

    private static int index(List<Column> columns, String name) {
        for (int i = 0; i < columns.size(); i++) {
            if (columns.get(i).name().equals(name)) {
                return i;
            }
        }
        throw new IllegalArgumentException("no column " + name);
    }
}
