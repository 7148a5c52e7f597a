package io.github.rhosweep.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rhosweep.design.ExperimentSpec;
import io.github.rhosweep.design.Overrides;
import io.github.rhosweep.design.Screen;
import io.github.rhosweep.kernel.Simulation;
import io.github.rhosweep.result.Column;
import io.github.rhosweep.result.Estimate;
import io.github.rhosweep.result.Metric;
import io.github.rhosweep.result.Row;
import io.github.rhosweep.result.RunResult;
import io.github.rhosweep.scenario.InputFiles;
import io.github.rhosweep.scenario.InvalidValueException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PointRunnerTest {
    private static final String POISSON = """
            base:
              traffic: {message: 1 KiB, flows: 2, load: 0.5}
              measure.messages: 500
            """;

    @TempDir
    private Path temp;

    @Test
    void fixedReplicates_giveARowEach_andAPointOfTheirMeans() throws IOException {
        PointOutcome outcome = run(POISSON + "replicates: {min: 3, max: 3}");
        assertThat(outcome.failure()).isNull();
        assertThat(outcome.runs()).extracting(r -> r.get("replicate")).containsExactly(1L, 2L, 3L);
        assertThat(outcome.runs())
                .extracting(r -> r.get("run_key"))
                .doesNotHaveDuplicates()
                .allSatisfy(key -> assertThat((String) key)
                        .startsWith(outcome.runs().get(0).get("point_key") + "-"));
        assertThat(outcome.runs()).extracting(r -> r.get("run_seed")).doesNotHaveDuplicates();

        Row point = outcome.point();
        assertThat(point.get("n")).isEqualTo(3L);
        assertThat(point.get("fidelity")).isEqualTo("simulate");
        assertThat(point.get("stopped_by")).isEqualTo("fixed");
        assertThat(point.get("ci_met")).isNull();
        assertThat(point.get("half_width_source")).isEqualTo("replicates");
        double[] means = outcome.runs().stream()
                .mapToDouble(r -> (Double) r.get("message_latency_mean_ns"))
                .toArray();
        double mean = Arrays.stream(means).average().orElseThrow();
        assertThat((Double) point.get("message_latency_mean_ns"))
                .isCloseTo(mean, org.assertj.core.data.Offset.offset(1e-9));
        double s2 = Arrays.stream(means).map(x -> (x - mean) * (x - mean)).sum() / 2;
        // Student's t(0.975; 2) = 4.302653
        assertThat((Double) point.get("message_latency_half_width_ns"))
                .isCloseTo(4.302653 * Math.sqrt(s2 / 3), org.assertj.core.data.Offset.offset(1e-6));
        assertThat(point.get("pred_md1_frame_ns"))
                .isEqualTo(outcome.runs().get(0).get("pred_md1_frame_ns"));
        assertThat(point.get("traffic_load")).isEqualTo(0.5);
        assertThat(point.get("traffic_batch")).as("inapplicable").isNull();
    }

    @Test
    void oneReplicate_takesTheRunsOwnHalfWidth_andSaysSo() throws IOException {
        PointOutcome outcome = run(POISSON);
        assertThat(outcome.runs()).hasSize(1);
        assertThat(outcome.point().get("half_width_source")).isEqualTo("run");
        assertThat(outcome.point().get("message_latency_half_width_ns"))
                .isNotNull()
                .isEqualTo(outcome.runs().get(0).get("message_latency_half_width_ns"));
        assertThat(outcome.point().get("goodput_half_width_gb_per_s")).isNull();
    }

    @Test
    void pointWithoutRandomness_runsOnce_whateverIsAsked() throws IOException {
        String yaml = """
                base:
                  traffic: {message: 1 KiB, flows: 2, arrivals: once}
                replicates: {min: 5, max: 9, until: {metric: message_latency_mean_ns, relative_ci: 0.01, confidence: 0.95}}
                """;
        PointOutcome outcome = run(yaml);
        assertThat(outcome.runs()).hasSize(1);
        assertThat(outcome.point().get("stopped_by")).isEqualTo("deterministic");
        assertThat(outcome.point().get("ci_met")).isNull();
    }

    private static final String UNTIL = POISSON
            + "replicates: {min: 3, max: 8, until: {metric: message_latency_mean_ns, relative_ci: 0.1, confidence: 0.95}}";

    @Test
    void replication_endsWithTheInterval() throws IOException {
        // Of 100, 100, 130, 100, ...: half-widths / means are .39, .16 + ..., so that the 5th or a later one meets 10%.
        PointOutcome outcome = run(UNTIL, reporting(100.0, 100.0, 130.0, 100.0, 100.0, 100.0, 100.0, 100.0));
        int n = outcome.runs().size();
        assertThat(n).isBetween(4, 8);
        assertThat(outcome.point().get("stopped_by")).isEqualTo("interval");
        assertThat(outcome.point().get("ci_met")).isEqualTo(true);
        assertThat((Double) outcome.point().get("message_latency_half_width_ns"))
                .isLessThanOrEqualTo(0.1 * (Double) outcome.point().get("message_latency_mean_ns"));
        ReplicateStatistics oneLess = new ReplicateStatistics(Tables.METRICS, new StudentQuantiles());
        outcome.runs().subList(0, n - 1).forEach(r -> oneLess.add(metrics(r)));
        int metric = Tables.METRICS.indexOf(Metric.MESSAGE_LATENCY_MEAN_NS.column());
        assertThat(oneLess.halfWidth(metric, 0.95)).isGreaterThan(0.1 * oneLess.mean(metric));
    }

    @Test
    void replication_endsAtMax_withTheIntervalNotMet() throws IOException {
        PointOutcome outcome = run(UNTIL, reporting(1.0, 100.0, 1.0, 100.0, 1.0, 100.0, 1.0, 100.0));
        assertThat(outcome.runs()).hasSize(8);
        assertThat(outcome.point().get("stopped_by")).isEqualTo("max");
        assertThat(outcome.point().get("ci_met")).isEqualTo(false);
    }

    @Test
    void replication_endsAtMin_whereTheMetricDoesNotExist() throws IOException {
        PointOutcome outcome = run(UNTIL, reporting(null, null, null));
        assertThat(outcome.runs()).hasSize(3);
        assertThat(outcome.point().get("stopped_by")).isEqualTo("metric_null");
        assertThat(outcome.point().get("ci_met")).isNull();
        assertThat(outcome.point().get("message_latency_mean_ns")).isNull();
    }

    @Test
    void continuing_givesTheSameRowsAsOneGo() throws IOException {
        PointOutcome whole = run(POISSON + "replicates: {min: 4, max: 4}");
        PointOutcome first = run(POISSON + "replicates: {min: 2, max: 2}");
        ExperimentSpec four = experiment(POISSON + "replicates: {min: 4, max: 4}");
        PointOutcome rest = new PointRunner(four, new Simulation()::run).run(four.point(0), first.runs());
        List<Row> together = new ArrayList<>(first.runs());
        together.addAll(rest.runs());
        assertThat(together)
                .extracting(PointRunnerTest::withoutCost)
                .isEqualTo(
                        whole.runs().stream().map(PointRunnerTest::withoutCost).toList());
        assertThat(rest.point().values()).containsExactly(whole.point().values());
    }

    @Test
    void continuingWhatSuffices_addsNothing() throws IOException {
        PointOutcome whole = run(POISSON + "replicates: {min: 4, max: 4}");
        ExperimentSpec three = experiment(POISSON + "replicates: {min: 3, max: 3}");
        PointOutcome rest = new PointRunner(three, new Simulation()::run).run(three.point(0), whole.runs());
        assertThat(rest.runs()).isEmpty();
        assertThat(rest.point()).isNull();
        assertThat(rest.failure()).isNull();
    }

    @Test
    void failure_becomesARow_withKeyParametersClassMessageAndPlace() throws IOException {
        PointOutcome outcome = run(POISSON + "replicates: {min: 3, max: 3}", (s, seed, cv, deadline) -> {
            throw new IllegalStateException("does not balance", new ArithmeticException("overflow"));
        });
        assertThat(outcome.runs()).isEmpty();
        assertThat(outcome.point()).isNull();
        Row failure = outcome.failure();
        assertThat(failure.get("point_key"))
                .isEqualTo(run(POISSON).runs().get(0).get("point_key"));
        assertThat(failure.get("replicate")).isEqualTo(1L);
        assertThat(failure.get("traffic_flows")).isEqualTo(2L);
        assertThat(failure.get("kind")).isEqualTo("error");
        assertThat((String) failure.get("reason"))
                .contains("java.lang.IllegalStateException: does not balance")
                .contains("java.lang.ArithmeticException: overflow");
        assertThat((String) failure.get("at")).contains("PointRunnerTest");
    }

    @Test
    void errorsOfTheMachine_areFailuresOfThePoint() throws IOException {
        for (Error error : List.of(new StackOverflowError(), new OutOfMemoryError("Java heap space"))) {
            PointOutcome outcome = run(POISSON, (s, seed, cv, deadline) -> {
                throw error;
            });
            assertThat((String) outcome.failure().get("reason"))
                    .contains(error.getClass().getName());
        }
    }

    @Test
    void limits_ofEventsAndWall_areToldApart() throws IOException {
        assertThat(run(POISSON + "  limits.events: 100").failure().get("kind")).isEqualTo("events_limit");
        String slow = """
                base:
                  traffic: {message: 64 KiB, flows: 8, load: 0.5}
                  measure.messages: 2000000
                  limits.wall: 1 ms
                """;
        assertThat(run(slow).failure().get("kind")).isEqualTo("wall_limit");
    }

    @Test
    void interruption_isNoFailure() throws IOException {
        ExperimentSpec experiment = experiment(POISSON);
        Thread.currentThread().interrupt();
        try {
            assertThatThrownBy(() ->
                            new PointRunner(experiment, new Simulation()::run).run(experiment.point(0), List.of()))
                    .isInstanceOf(CancellationException.class);
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @Test
    void fidelity_decidesWhatIsSimulated() throws IOException {
        PointOutcome models = run(POISSON + "fidelity: models");
        assertThat(models.runs()).isEmpty();
        assertThat(models.point().get("n")).isEqualTo(0L);
        assertThat(models.point().get("fidelity")).isEqualTo("models");
        assertThat(models.point().get("pred_md1_frame_ns")).isNotNull();
        assertThat(models.point().get("message_latency_mean_ns")).isNull();

        assertThat(run(POISSON + "fidelity: auto").point().get("fidelity"))
                .as("load .5 needs no check")
                .isEqualTo("models");
        assertThat(run(POISSON.replace("load: 0.5", "load: 0.8") + "fidelity: auto")
                        .point()
                        .get("fidelity"))
                .as("load .8 does")
                .isEqualTo("simulate");
    }

    @Test
    void tables_haveEachColumnOnce_andCostLast() {
        for (List<Column> table : List.of(Tables.RUNS, Tables.POINTS, Tables.FAILURES)) {
            assertThat(table).extracting(Column::name).doesNotHaveDuplicates();
        }
        assertThat(Tables.RUNS).extracting(Column::name).endsWith("wall_ns", "cpu_ns");
        assertThat(Tables.POINTS)
                .extracting(Column::name)
                .contains("message_latency_half_width_ns", "goodput_half_width_gb_per_s", "drops_half_width")
                .noneMatch(name -> name.contains("half_width_half_width"));
    }

    @Test
    void pointState_tellsWhatIsFinished() throws IOException {
        ExperimentSpec until = experiment(UNTIL);
        Row met = run(UNTIL, reporting(100.0, 100.0, 100.0)).point();
        assertThat(state(met).finishedUnder(until)).isTrue();
        assertThat(state(met).finishedUnder(experiment(UNTIL.replace("0.1", "0.05"))))
                .as("another rule")
                .isFalse();
        assertThat(state(met).finishedUnder(experiment(UNTIL.replace("min: 3", "min: 4"))))
                .isFalse();
        Row max = run(UNTIL, reporting(1.0, 100.0, 1.0, 100.0, 1.0, 100.0, 1.0, 100.0))
                .point();
        assertThat(state(max).finishedUnder(until)).isTrue();
        assertThat(state(max).finishedUnder(experiment(UNTIL.replace("max: 8", "max: 9"))))
                .isFalse();
        Row missing = run(UNTIL, reporting(null, null, null)).point();
        assertThat(state(missing).finishedUnder(until)).isTrue();
        Row predicted = run(POISSON + "fidelity: models").point();
        assertThat(state(predicted).finishedUnder(experiment(POISSON))).isFalse();
        assertThat(state(predicted).finishedUnder(experiment(POISSON + "fidelity: models")))
                .isTrue();
        assertThat(state(predicted).finishedUnder(experiment(POISSON + "fidelity: auto")))
                .isTrue();
        assertThat(state(predicted).orBetter(state(met))).isEqualTo(state(met));
        assertThat(state(met).orBetter(state(predicted))).isEqualTo(state(met));
    }

    private PointState state(Row point) throws IOException {
        return state(point, experiment(UNTIL));
    }

    private static PointState state(Row point, ExperimentSpec experiment) {
        List<Column> columns = PointState.columns(experiment);
        Object[] values = columns.stream().map(c -> point.get(c.name())).toArray();
        return PointState.of(new Row(columns, values), experiment);
    }

    @Test
    void screened_simulatesWhereModelsDisagree_andKnowsItLater() throws IOException {
        String low = "base: {traffic.message: 1 KiB, traffic.load: 0.6, measure.messages: 100}\nfidelity: auto\n";
        assertThat(run(low).runs()).isEmpty();
        String strict = low + "screen: {models: [mm1, md1], disagree: 0.001}\n";
        PointOutcome simulated = run(strict);
        assertThat(simulated.runs()).hasSize(1);
        assertThat(run(low + "screen: {models: [mm1, md1], disagree: 9}\n").runs())
                .isEmpty();
        // Predictions alone that stand in a folder do for the one rule and not for the other.
        Row predicted = run(low).point();
        assertThat(state(predicted, experiment(low)).finishedUnder(experiment(low)))
                .isTrue();
        assertThat(state(predicted, experiment(strict)).finishedUnder(experiment(strict)))
                .isFalse();
        assertThat(state(simulated.point(), experiment(strict)).finishedUnder(experiment(strict)))
                .isTrue();
        ExperimentSpec again = ExperimentSpec.ofEffective(experiment(strict).effectiveYaml(), InputFiles.ON_DISK);
        assertThat(again.screen()).isEqualTo(experiment(strict).screen());
        assertThatThrownBy(() -> PointRunner.requireModels(new Screen(List.of("md1", "mg2"), 1)))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageStartingWith("screen.models: found `mg2`, expected models of message latency");
    }

    @Test
    void width_isTheHalfWidthOverTheOneWanted() throws IOException {
        Row point = run(UNTIL).point();
        ExperimentSpec until = experiment(UNTIL);
        String metric = until.replicates().until().metric();
        double mean = (Double) point.get(metric);
        double half = (Double) point.get(metric.replace("_mean_ns", "_half_width_ns"));
        assertThat(state(point, until).width())
                .isEqualTo(half / mean / until.replicates().until().relativeCi());
    }

    private PointOutcome run(String yaml) throws IOException {
        return run(yaml, new Simulation()::run);
    }

    private PointOutcome run(String yaml, Simulator simulator) throws IOException {
        ExperimentSpec experiment = experiment(yaml);
        return new PointRunner(experiment, simulator).run(experiment.point(0), List.of());
    }

    private ExperimentSpec experiment(String yaml) throws IOException {
        Path file = temp.resolve("experiment.yaml");
        Files.writeString(file, yaml);
        return ExperimentSpec.read(
                file,
                Overrides.NONE,
                Metric.columns().stream().map(Column::name).toList());
    }

    /** The kernel, but for the mean message latency in ns: that is what it is told to be. */
    private static Simulator reporting(Double... means) {
        Iterator<Double> next = Arrays.asList(means).iterator();
        return (scenario, seed, control, deadline) -> {
            RunResult r = new Simulation().run(scenario, seed, control, deadline);
            Double mean = next.next();
            Estimate latency = mean == null
                    ? Estimate.NONE
                    : new Estimate(1, mean * 1000, null, null, null, null, null, null, null, null, null);
            return new RunResult(
                    r.kind(),
                    r.totals(),
                    r.transport(),
                    r.switchCounters(),
                    latency,
                    r.frameLatency(),
                    r.voqWait(),
                    r.sourceWait(),
                    r.measuredFromPs(),
                    r.measuredToPs(),
                    r.deliveredPayloadBytes(),
                    r.bottleneckBusyPs(),
                    r.bottleneckFrames(),
                    r.slotPs(),
                    r.arrivalScv(),
                    r.serviceScv(),
                    r.jainFlows(),
                    r.jainIngresses(),
                    r.linkUse(),
                    r.closed(),
                    r.zeroLoadMessagePs(),
                    r.stable(),
                    r.linkUnlimited(),
                    r.nullReason(),
                    r.recording());
        };
    }

    private static Object[] metrics(Row run) {
        return Tables.METRICS.stream().map(c -> run.get(c.name())).toArray();
    }

    private static List<Object> withoutCost(Row run) {
        return Arrays.asList(run.values()).subList(0, run.values().length - 2);
    }
}
