package io.github.rhosweep.run;

import io.github.rhosweep.design.ExperimentSpec;
import io.github.rhosweep.design.Fidelity;
import io.github.rhosweep.design.Replicates;
import io.github.rhosweep.result.Column;
import io.github.rhosweep.result.Row;
import io.github.rhosweep.scenario.Parameter;
import java.io.Serializable;
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
 */
public record PointState(
        long n,
        boolean simulated,
        boolean flagged,
        boolean deterministic,
        boolean metricNull,
        @Nullable Boolean ciMet,
        @Nullable String ciRule)
        implements Serializable {
    /** What {@link #of} reads. */
    public static final List<Column> COLUMNS = List.of(
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

    /** The state that a row of {@link #COLUMNS} tells. */
    public static PointState of(Row row) {
        Object stop = row.get(Tables.STOPPED_BY.name());
        return new PointState(
                row.get(Tables.N.name()) instanceof Long n ? n : 0,
                Parameter.label(Fidelity.SIMULATE).equals(row.get(Tables.FIDELITY.name())),
                Boolean.TRUE.equals(row.get("verify_by_simulation")),
                PointRunner.Stop.DETERMINISTIC.text().equals(stop),
                PointRunner.Stop.METRIC_NULL.text().equals(stop),
                (Boolean) row.get(Tables.CI_MET.name()),
                (String) row.get(Tables.CI_RULE.name()));
    }

    /** The key of a row of {@link #COLUMNS}. */
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
