package io.github.rhosweep.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rhosweep.design.ExperimentSpec;
import io.github.rhosweep.design.RandomNumbers;
import io.github.rhosweep.result.Metric;
import io.github.rhosweep.result.Row;
import io.github.rhosweep.result.RunResult;
import io.github.rhosweep.run.PointRunner;
import io.github.rhosweep.run.Tables;
import io.github.rhosweep.scenario.InvalidValueException;
import io.github.rhosweep.scenario.Parameter;
import io.github.rhosweep.scenario.Parameters;
import io.github.rhosweep.scenario.Scenario;
import io.github.rhosweep.scenario.ScenarioTree;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Small scenarios over every setting: each run balances, obeys Little's law and ends by itself (it checks that), its row is complete and
 * possible, and is the same when run again. {@code scripts/soak scenarios} runs the long form.
 */
class RandomScenariosTest {
    /** Of nine scenarios in ten; a tenth may have a hundred times as many. */
    private static final long FRAMES = 2000;

    /** Scenarios in all, and what they are drawn from. */
    private static final int SCENARIOS = Integer.getInteger("rhosweep.scenarios", 120);

    private static final long SEED = Long.getLong("rhosweep.scenarios.seed", 1);
    private static final int MOST_FAULTS = 20;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    /** What ends a run of overload soon: its messages pile up, or timeouts feed themselves. */
    private static final List<String> LIMITS =
            List.of("limits.events=5000000", "limits.in_flight_messages=100000", "limits.wall=1000 s");

    /** As a task of a sweep has it: memory of earlier runs, whatever they were. */
    private final Simulation shared = new Simulation();

    enum Kind {
        /** The engine of one switch, and the general one on the same point. */
        ONE_SWITCH(5),
        /** The general engine: fabrics, transports, flow control. */
        FABRIC(4),
        /** The switch alone, frame by frame beside the dull one. */
        REFERENCE(1);

        private final int share;

        Kind(int share) {
            this.share = share;
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void anyScenario_balancesEndsAndRepeats(Kind kind) {
        int scenarios = Math.max(1, (int) ((long) SCENARIOS * kind.share / 10));
        List<String> faults = new ArrayList<>();
        int[] limited = new int[1];
        long cpu = THREADS.getCurrentThreadCpuTime();
        for (int i = 0; i < scenarios && faults.size() < MOST_FAULTS; i++) {
            long seed = new Random(SEED * 1_000_003 + i).nextLong();
            List<String> fields = new ArrayList<>();
            try {
                switch (kind) {
                    case ONE_SWITCH -> {
                        fields.addAll(bounded(SimulationTest.randomFields(new Random(seed)), seed));
                        sameInBothEngines(fields, seed);
                        limited[0] += possibleAndRepeated(fields);
                    }
                    case FABRIC -> {
                        fields.addAll(valid(new Random(seed), seed));
                        if (!Fabric.isNeededFor(Points.of(fields.toArray(new String[0])))) {
                            sameInBothEngines(fields, seed); // ACKs that nobody heeds
                        }
                        limited[0] += possibleAndRepeated(fields);
                    }
                    case REFERENCE -> SwitchAgainstReferenceTest.assertSameOutcomes(seed, isLong(seed) ? 1500 : 300);
                }
            } catch (Exception | AssertionError | VirtualMachineError thrown) { // a full heap too
                faults.add("seed " + SEED + ", scenario " + i + " " + fields + ": " + thrown);
            }
        }
        System.out.printf(
                Locale.ROOT,
                "%s: %d scenarios, %d faults, %d ended by limits.events or limits.in_flight_messages, seed %d, %d s of CPU time%n",
                kind,
                scenarios,
                faults.size(),
                limited[0],
                SEED,
                (THREADS.getCurrentThreadCpuTime() - cpu) / 1_000_000_000);
        assertThat(faults).isEmpty();
        // Limits are for overload, not for what should end by itself.
        assertThat(limited[0]).as("ended by limits").isLessThanOrEqualTo(1 + scenarios / 50);
    }

    /** A draw that rules refuse (sizes that do not fit the topology, credits below a frame) is drawn anew. */
    private static List<String> valid(Random random, long seed) {
        for (int attempt = 0; attempt < 1000; attempt++) {
            List<String> fields = bounded(FabricTest.randomFields(random), seed);
            try {
                Points.of(fields.toArray(new String[0]));
                return fields;
            } catch (InvalidValueException refused) {
                continue;
            }
        }
        throw new AssertionError("rules refuse all draws");
    }

    private static boolean isLong(long seed) {
        return Long.remainderUnsigned(seed, 10) == 0;
    }

    /** With limits, and fewer or smaller messages where it would be long. */
    private static List<String> bounded(List<String> fields, long seed) {
        List<String> all = new ArrayList<>(fields);
        all.removeIf(field -> field.startsWith("limits."));
        all.addAll(LIMITS);
        if (isLong(seed)) {
            return all;
        }
        Scenario scenario;
        try {
            scenario = Points.of(all.toArray(new String[0]));
        } catch (InvalidValueException refused) {
            return all; // and will be again
        }
        long messages = scenario.measure().messages();
        if (messages * scenario.traffic().framesPerMessage() > FRAMES
                && all.removeIf(f -> f.startsWith("measure.messages="))) {
            all.add("measure.messages="
                    + Math.max(1, FRAMES / scenario.traffic().framesPerMessage()));
        } else if (messages == 0 && all.remove("traffic.message=200 KB")) {
            all.add("traffic.message=20 KB");
        }
        return all;
    }

    /** A run, or by which limit it was ended. */
    private record Ending<T>(@Nullable T run, @Nullable String limit) {
        static <T> Ending<T> of(Supplier<T> running) {
            try {
                return new Ending<>(running.get(), null);
            } catch (RunLimitException ended) {
                assertThat(ended.isDeterministic()).as("%s", ended).isTrue();
                return new Ending<>(null, ended.getMessage());
            }
        }
    }

    private void sameInBothEngines(List<String> fields, long seed) {
        Scenario scenario = Points.of(fields.toArray(new String[0]));
        RunResult general = Ending.of(() -> FabricTest.run(scenario, seed)).run;
        RunResult one = Ending.of(() -> shared.run(scenario, seed, ControlVariate.NONE, () -> false)).run;
        if (general == null || one == null) {
            // One counts other events than the other.
            return;
        }
        for (Metric metric : Metric.values()) {
            if (metric != Metric.EVENTS) {
                assertThat(metric.of(one)).as("%s in both engines", metric).isEqualTo(metric.of(general));
            }
        }
    }

    /** @return how many ended by a limit: 0 or 1 */
    private int possibleAndRepeated(List<String> fields) {
        Map<Parameter<?>, Object> values = new LinkedHashMap<>();
        for (String field : fields) {
            String[] pathAndText = field.split("=", 2);
            Parameter<?> parameter = Parameters.named(pathAndText[0]);
            values.put(parameter, ScenarioTree.parse(parameter, pathAndText[1]));
        }
        ExperimentSpec experiment = ExperimentSpec.ofPoint("random", RandomNumbers.COMMON, values);
        Ending<Row> first = ending(experiment, new Simulation());
        Ending<Row> second = ending(experiment, shared);
        assertThat(second.limit).as("limit, run again").isEqualTo(first.limit);
        Row row = first.run;
        Row again = second.run;
        if (row == null || again == null) {
            return 1;
        }
        for (int c = 0; c < row.columns().size(); c++) {
            if (!Tables.isCost(row.columns().get(c))) {
                assertThat(again.values()[c])
                        .as("%s, run again", row.columns().get(c).name())
                        .isEqualTo(row.values()[c]);
            }
        }
        assertPossible(row);
        return 0;
    }

    private static Ending<Row> ending(ExperimentSpec experiment, Simulation simulation) {
        return Ending.of(() -> new PointRunner(experiment, simulation::run)
                .once(experiment.point(0), 1)
                .row());
    }

    private static void assertPossible(Row row) {
        for (Metric metric : Metric.values()) {
            String name = metric.column().name();
            // A control variate corrects by what a few offers happened to be.
            if (row.get(name) instanceof Number number && !name.contains("_cv")) {
                assertThat(number.doubleValue()).as(name).isNotNegative();
            }
        }
        for (String share : List.of("lost_message_fraction", "utilisation", "jain_flows", "jain_ingresses")) {
            Double value = real(row, share);
            assertThat(value == null ? 0 : value).as(share).isLessThanOrEqualTo(1 + 1e-9);
        }
        for (String of : List.of("message", "frame")) {
            assertBalance(row, of + "s");
            assertAscending(row, of + "_latency");
        }
        assertAscending(row, "voq_wait");
        if (row.get("message_latency_mean_ns") == null) {
            assertThat(row.get("null_reason")).as("why there is no latency").isNotNull();
        }
    }

    private static void assertBalance(Row row, String what) {
        String lost = what.equals("messages") ? "lost_" : "dropped_";
        boolean again = what.equals("frames");
        long ended = whole(row, "delivered_" + what)
                + (again ? whole(row, "discarded_frames") : 0)
                + whole(row, lost + what)
                + whole(row, "in_flight_" + what);
        assertThat(ended)
                .as("%s delivered, lost and in flight", what)
                .isEqualTo(whole(row, "offered_" + what) + (again ? whole(row, "retransmitted_frames") : 0));
    }

    private static void assertAscending(Row row, String what) {
        double before = 0;
        for (String quantile : List.of("p50", "p90", "p99", "p999", "max")) {
            Double value = real(row, what + "_" + quantile + "_ns");
            if (value != null) {
                assertThat(value).as("%s %s", what, quantile).isGreaterThanOrEqualTo(before);
                before = value;
            }
        }
        Double mean = real(row, what + "_mean_ns");
        assertThat(mean == null ? 0 : mean).as("mean of %s", what).isLessThanOrEqualTo(before * (1 + 1e-9));
    }

    private static long whole(Row row, String name) {
        return row.get(name) instanceof Long value ? value : 0;
    }

    private static @Nullable Double real(Row row, String name) {
        return row.get(name) instanceof Double value ? value : null;
    }
}
