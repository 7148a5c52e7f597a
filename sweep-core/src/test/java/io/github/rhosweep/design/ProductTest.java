package io.github.rhosweep.design;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rhosweep.scenario.InvalidFileException;
import io.github.rhosweep.scenario.InvalidValueException;
import io.github.rhosweep.scenario.MeasureSpec;
import io.github.rhosweep.scenario.Params;
import io.github.rhosweep.scenario.Scenario;
import io.github.rhosweep.scenario.SwitchSpec;
import io.github.rhosweep.scenario.TrafficSpec;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The product that is never held, against one that is. */
class ProductTest {
    @TempDir
    private Path folder;

    private static final Map<String, List<String>> VALUES = new LinkedHashMap<>();

    static {
        VALUES.put("topology.kind", List.of("single-switch", "direct"));
        VALUES.put("traffic.pattern", List.of("incast", "uniform", "hotspot"));
        VALUES.put("traffic.arrivals", List.of("poisson", "once", "synchronized", "bernoulli"));
        VALUES.put("traffic.flows", List.of("1", "2", "8", "32"));
        VALUES.put("traffic.load", List.of("0.5", "0.9", "4"));
        VALUES.put("traffic.self", List.of("true", "false"));
        VALUES.put("traffic.message", List.of("1 KiB", "64 KiB"));
        VALUES.put("traffic.jitter", List.of("0 ns", "1 us"));
        VALUES.put("switch.port_count", List.of("9", "33"));
        VALUES.put("switch.ecn_kmin", List.of("0.1", "0.5", "0.9"));
        VALUES.put("switch.ecn_kmax", List.of("0.3", "0.9"));
        VALUES.put("switch.admission", List.of("simplified", "static"));
        VALUES.put("switch.frame_size_bytes", List.of("auto", "1406", "500"));
        VALUES.put("link.bandwidth", List.of("400 GB/s", "unlimited"));
        VALUES.put("measure.messages", List.of("8", "2000"));
    }

    /** Conditions, as text and as code. */
    private static final Map<String, Predicate<Params>> CONDITIONS = new LinkedHashMap<>();

    static {
        CONDITIONS.put("traffic.flows <= 8", p -> p.get(TrafficSpec.FLOWS) <= 8);
        CONDITIONS.put(
                "topology.hosts <= switch.port_count or topology.kind = direct",
                p -> p.find(SwitchSpec.PORT_COUNT) == null
                        || p.get(io.github.rhosweep.scenario.TopologySpec.HOSTS) <= p.get(SwitchSpec.PORT_COUNT));
        CONDITIONS.put(
                "topology.kind == 'direct' or switch.ecn_kmin <= switch.ecn_kmax",
                p -> p.find(SwitchSpec.ECN_KMIN) == null
                        || p.get(SwitchSpec.ECN_KMIN).compareTo(p.get(SwitchSpec.ECN_KMAX)) <= 0);
        CONDITIONS.put("topology.kind != direct", p -> p.find(SwitchSpec.ALPHA) != null);
        CONDITIONS.put(
                "not traffic.pattern in [incast, hotspot]",
                p -> p.get(TrafficSpec.PATTERN) == TrafficSpec.PatternKind.UNIFORM);
        CONDITIONS.put(
                "traffic.arrivals != once and traffic.load * 2 - 1 < 1.5",
                p -> p.find(TrafficSpec.LOAD) != null && p.get(TrafficSpec.LOAD).compareTo(new BigDecimal("1.25")) < 0);
        CONDITIONS.put(
                "traffic.message / traffic.flows >= 512 B",
                p -> p.get(TrafficSpec.MESSAGE) >= 512 * p.get(TrafficSpec.FLOWS));
        CONDITIONS.put("measure.messages > 1e3 or true", p -> p.get(MeasureSpec.MESSAGES) > 0);
    }

    @Test
    void randomExperiments_agreeWithTheirFullProducts() throws IOException {
        int refused = 0;
        int accepted = 0;
        for (int seed = 0; seed < 200; seed++) {
            Random random = new Random(seed * 0x9E3779B97F4A7C15L); // small seeds alone give alike first draws
            Map<String, String> base = new LinkedHashMap<>();
            Map<String, List<String>> axes = new LinkedHashMap<>();
            List<String> paths = new ArrayList<>(VALUES.keySet());
            Collections.shuffle(paths, random);
            int n = 1 + random.nextInt(4);
            for (String path : paths.subList(0, n)) {
                List<String> values = new ArrayList<>(VALUES.get(path));
                Collections.shuffle(values, random);
                axes.put(path, values.subList(0, 1 + random.nextInt(values.size())));
            }
            for (String path : paths.subList(n, n + random.nextInt(3))) {
                base.put(
                        path,
                        VALUES.get(path).get(random.nextInt(VALUES.get(path).size())));
            }
            List<String> conditions = new ArrayList<>(CONDITIONS.keySet());
            Collections.shuffle(conditions, random);
            conditions = conditions.subList(0, random.nextInt(3));
            if (check(base, axes, conditions, "seed " + seed)) {
                accepted++;
            } else {
                refused++;
            }
        }
        assertThat(accepted).as("experiments accepted").isGreaterThan(20);
        assertThat(refused).as("experiments refused").isGreaterThan(20);
    }

    /** Whether the experiment is valid, both ways of finding out agreeing. */
    private boolean check(
            Map<String, String> base, Map<String, List<String>> axes, List<String> conditions, String description)
            throws IOException {
        List<Map<String, String>> kept = new ArrayList<>();
        boolean possible = true;
        boolean conditionHasValue = true;
        for (Map<String, String> point : product(base, axes)) {
            Params params = Params.parse(point);
            boolean holds;
            try {
                holds = conditions.stream().allMatch(c -> CONDITIONS.get(c).test(params));
            } catch (IllegalStateException noValue) {
                conditionHasValue = false;
                continue;
            }
            if (holds) {
                kept.add(point);
                try {
                    Scenario.of(params);
                } catch (InvalidValueException impossible) {
                    possible = false;
                }
            }
        }
        boolean valid = possible && conditionHasValue && !kept.isEmpty();

        StringBuilder yaml = new StringBuilder("sweep:\n");
        axes.forEach((path, values) -> yaml.append("  " + path + ": [" + String.join(", ", values) + "]\n"));
        yaml.append("base:\n  limits.events: 5\n");
        base.forEach((path, value) -> yaml.append("  " + path + ": " + value + "\n"));
        if (!conditions.isEmpty()) {
            yaml.append("where: \"(" + String.join(") and (", conditions) + ")\"\n");
        }
        Path file = Files.writeString(folder.resolve("e.yaml"), yaml);
        ExperimentSpec experiment;
        try {
            experiment = ExperimentSpec.read(file, Overrides.NONE, List.of());
        } catch (InvalidFileException refused) {
            assertThat(valid)
                    .as("%s\n%s%s", description, yaml, refused.getMessage())
                    .isFalse();
            return false;
        }
        assertThat(valid).as("%s\n%s", description, yaml).isTrue();

        Map<String, Integer> expected = new HashMap<>();
        long draws = 0;
        double frames = 0;
        Set<String> distinct = new HashSet<>();
        for (Map<String, String> point : kept) {
            Params params = Params.parse(point);
            String key = Identity.pointKey(params, RandomNumbers.COMMON);
            expected.merge(key, 1, Integer::sum);
            if (distinct.add(key)) {
                draws += RandomDraws.drawnBy(params) ? 1 : 0;
                frames += (double) params.get(MeasureSpec.MESSAGES) * BufferBound.framesPerMessage(params);
            }
        }
        Map<String, Integer> found = new HashMap<>();
        Set<String> foundDistinct = new TreeSet<>();
        for (long i = 0; i < experiment.size(); i++) {
            DesignPoint point = experiment.point(i);
            found.merge(point.key(), 1, Integer::sum);
            assertThat(point.repeated())
                    .as("%s\n%s index %s", description, yaml, i)
                    .isEqualTo(!foundDistinct.add(point.key()));
        }
        assertThat(found).as("%s\n%s", description, yaml).isEqualTo(expected);
        Plan plan = Plan.of(experiment);
        assertThat(plan.points()).as("%s\n%s", description, yaml).isEqualTo(distinct.size());
        assertThat(plan.runsMin()).isEqualTo(distinct.size());
        assertThat(plan.framesMin()).isEqualTo(frames);
        Plan replicated = Plan.of(ExperimentSpec.read(
                Files.writeString(folder.resolve("e.yaml"), yaml + "replicates: 3\n"), Overrides.NONE, List.of()));
        assertThat(replicated.runsMin()).isEqualTo(distinct.size() + 2 * draws);
        return true;
    }

    private static List<Map<String, String>> product(Map<String, String> base, Map<String, List<String>> axes) {
        List<Map<String, String>> points = List.of(base);
        for (Map.Entry<String, List<String>> axis : axes.entrySet()) {
            List<Map<String, String>> wider = new ArrayList<>();
            for (Map<String, String> point : points) {
                for (String value : axis.getValue()) {
                    Map<String, String> next = new LinkedHashMap<>(point);
                    next.put(axis.getKey(), value);
                    wider.add(next);
                }
            }
            points = wider;
        }
        return points;
    }

    @Test
    void ranges_areExactDecimalsWithBothEnds() throws IOException {
        assertThat(axis("traffic.load: {from: 0.05, to: 0.95, step: 0.05}"))
                .hasSize(19)
                .contains("0.15", "0.7", "0.95");
        assertThat(axis("traffic.message: {from: 1 KiB, to: 2 KiB, step: 256 B}"))
                .containsExactly("1024 B", "1280 B", "1536 B", "1792 B", "2048 B");
        assertThat(axis("traffic.flows: {powers_of: 2, from: 2, to: 64}"))
                .containsExactly("2", "4", "8", "16", "32", "64");
        assertThat(axis("switch.alpha: {powers_of: 2, from: 0.25, to: 8}"))
                .containsExactly("0.25", "0.5", "1", "2", "4", "8");
        assertThat(axis("link.latency: {powers_of: 10, from: 1 ns, to: 1 us}"))
                .containsExactly("1 ns", "10 ns", "100 ns", "1000 ns");
        assertThat(axis("switch.alpha: {from: 1, to: 2, count: 4}"))
                .containsExactly("1", "1.33333333333", "1.66666666667", "2");
        assertThat(axis("switch.alpha: {from: 0.01, to: 1, count: 5, scale: log}"))
                .containsExactly("0.01", "0.0316228", "0.1", "0.316228", "1");
        assertThat(axis("traffic.flows: {from: 2, to: 100, count: 4, scale: log}"))
                .containsExactly("2", "7", "27", "100");
        assertThat(axis("switch.alpha: {from: 1, to: 1, step: 1}")).containsExactly("1");
    }

    private List<String> axis(String yaml) throws IOException {
        ExperimentSpec experiment = ExperimentSpec.read(
                Files.writeString(folder.resolve("e.yaml"), "sweep: {" + yaml + "}\n"), Overrides.NONE, List.of());
        Axis axis = experiment.blocks().get(0).axes().get(0);
        List<String> texts = new ArrayList<>();
        for (int v = 0; v < axis.size(); v++) {
            texts.add(axis.text(v));
        }
        return texts;
    }

    @Test
    void aBillionPoints_arePlannedWithoutVisitingThem() throws IOException {
        String yaml = """
                sweep:
                  switch.alpha: {powers_of: 2, from: 0.25, to: 8}
                  ecn: [{switch.ecn_kmin: 0.3, switch.ecn_kmax: 0.8}, {switch.ecn_kmin: 0.5, switch.ecn_kmax: 0.8}, {switch.ecn_kmin: 0.1, switch.ecn_kmax: 0.2}]
                  switch.islip_iterations: [1, 2, 3, 4]
                  traffic.flows: {from: 2, to: 101, step: 1}
                  traffic.load: {from: 0.001, to: 0.999, step: 0.001}
                  traffic.message: {from: 1 KiB, to: 128 KiB, step: 1 KiB}
                  traffic.pattern: [incast, uniform]
                where: traffic.flows != 2 or traffic.load < 0.9
                replicates: 5
                """;
        ExperimentSpec experiment =
                ExperimentSpec.read(Files.writeString(folder.resolve("e.yaml"), yaml), Overrides.NONE, List.of());
        long expected = 6L * 3 * 4 * (100 * 999 - 100) * 128 * 2;
        assertThat(experiment.size()).isEqualTo(expected).isGreaterThan(1_000_000_000L);
        assertThat(Plan.of(experiment).runsMin()).isEqualTo(5 * expected);
        DesignPoint last = experiment.point(experiment.size() - 1);
        assertThat(last.axisValues())
                .containsEntry("traffic.message", "131072 B")
                .containsEntry("traffic.flows", "101");
    }
}
