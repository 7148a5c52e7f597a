package io.github.rhosweep.run;

import io.github.rhosweep.design.ExperimentSpec;
import io.github.rhosweep.design.Fidelity;
import io.github.rhosweep.design.Replicates;
import io.github.rhosweep.design.Screen;
import io.github.rhosweep.result.Column;
import io.github.rhosweep.result.Row;
import io.github.rhosweep.scenario.Parameter;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How far a point is according to its row in {@code points}: all that resuming needs to know.
 *
 * @param n replicates behind the row
 * @param simulated whether it was simulated
 * @param flagged whether the models ask for simulation
 * @param deterministic whether more replicates would all be alike
 * @param metricNull whether the metric of the rule does not exist there
 * @param ciMet whether the interval of the rule was met; null where there is none
 * @param ciRule the rule; null if there was none
 * @param width relative half-width of the interval asked for, over the one wanted; null where there is none
 */
public record PointState(
        long n,
        boolean simulated,
        boolean flagged,
        boolean deterministic,
        boolean metricNull,
        @Nullable Boolean ciMet,
        @Nullable String ciRule,
        @Nullable Double width)
        implements Serializable {
    private static final List<Column> COLUMNS = List.of(
            Tables.POINT_KEY,
            Tables.N,
            Tables.FIDELITY,
            Tables.STOPPED_BY,
            Tables.CI_MET,
            Tables.CI_RULE,
            Tables.PREDICTIONS.stream()
                    .filter(c -> c.name().equals("verify_by_simulation"))
                    .findFirst()
                    .orElseThrow());

    /** What {@link #of} reads; the key first. */
    public static List<Column> columns(ExperimentSpec experiment) {
        List<Column> columns = new ArrayList<>(COLUMNS);
        if (experiment.screen() != null) {
            for (String model : experiment.screen().models()) {
                columns.add(named(Tables.PREDICTIONS, Screen.column(model)));
            }
        }
        Replicates.Until until = experiment.replicates().until();
        if (until != null) {
            columns.add(named(Tables.POINTS, until.metric()));
            columns.add(named(Tables.POINTS, halfWidth(until)));
        }
        return columns;
    }

    private static String halfWidth(Replicates.Until until) {
        return Tables.halfWidthName(named(Tables.METRICS, until.metric()));
    }

    private static Column named(List<Column> columns, String name) {
        return columns.stream()
                .filter(c -> c.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no column " + name));
    }

    private static @Nullable Double width(Row row, Replicates.@Nullable Until until) {
        return until != null
                        && row.get(until.metric()) instanceof Double mean
                        && row.get(halfWidth(until)) instanceof Double half
                        && mean != 0
                ? Double.valueOf(half / Math.abs(mean) / until.relativeCi())
                : null;
    }

    /** The state that a row of {@link #columns} tells. */
    public static PointState of(Row row, ExperimentSpec experiment) {
        Object stop = row.get(Tables.STOPPED_BY.name());
        return new PointState(
                row.get(Tables.N.name()) instanceof Long n ? n : 0,
                Parameter.label(Fidelity.SIMULATE).equals(row.get(Tables.FIDELITY.name())),
                Boolean.TRUE.equals(row.get("verify_by_simulation"))
                        || PointRunner.disagree(experiment.screen(), row::get),
                PointRunner.Stop.DETERMINISTIC.text().equals(stop),
                PointRunner.Stop.METRIC_NULL.text().equals(stop),
                (Boolean) row.get(Tables.CI_MET.name()),
                (String) row.get(Tables.CI_RULE.name()),
                width(row, experiment.replicates().until()));
    }

    /** The key of a row of {@link #columns}. */
    public static String key(Row row) {
        return Objects.requireNonNull((String) row.get(Tables.POINT_KEY.name()), "a row without point_key");
    }

    /** Of two rows of one point the one that counts: the simulated one of most replicates. */
    public PointState orBetter(PointState other) {
        boolean otherIsBetter = other.simulated != simulated ? other.simulated : other.n > n;
        return otherIsBetter ? other : this;
    }

    /** Whether nothing is left to do at the point under an experiment's present wishes. */
    public boolean finishedUnder(ExperimentSpec experiment) {
        return switch (experiment.fidelity()) {
            case MODELS -> true;
            case AUTO -> simulated ? replicatesSuffice(experiment.replicates()) : !flagged;
            case SIMULATE -> simulated && replicatesSuffice(experiment.replicates());
        };
    }

    private boolean replicatesSuffice(Replicates wanted) {
        if (deterministic || n >= wanted.max()) {
            return true;
        }
        if (n < wanted.min()) {
            return false;
        }
        if (wanted.until() == null) {
            return true;
        }
        // Under another rule than the row's only the runs themselves can tell.
        return PointRunner.ciRule(wanted.until()).equals(ciRule) && (metricNull || Boolean.TRUE.equals(ciMet));
    }
}
