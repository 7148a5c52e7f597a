package io.github.rhosweep.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rhosweep.result.Metric;
import io.github.rhosweep.result.RunRecorder;
import io.github.rhosweep.result.RunResult;
import io.github.rhosweep.scenario.Params;
import io.github.rhosweep.scenario.Scenario;
import io.github.rhosweep.scenario.Schedule;
import io.github.rhosweep.topology.Topology;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** One message through an idle fabric takes what the closed form of its path says, to the picosecond. */
class LoneMessageTest {
    private static Scenario scenario(String settings, String message) {
        Map<String, String> given = new TreeMap<>(Map.of(
                "traffic.pattern", "permutation", "traffic.arrivals", "once", "traffic.message", message + " B"));
        for (String setting : settings.split(" ")) {
            String[] parts = setting.split("=");
            given.put(parts[0].contains(".") ? parts[0] : "topology." + parts[0], parts[1].replace('_', ' '));
        }
        given.put("traffic.flows", "1");
        return Scenario.of(Params.parse(given));
    }

    private static RunResult alone(Scenario scenario, int from, int to) {
        Schedule.Builder one = new Schedule.Builder();
        one.add(from, to, scenario.traffic().messageBytes(), 0, 0);
        return new Fabric(
                        scenario,
                        7,
                        ControlVariate.NONE,
                        Cabling.of(Topology.of(scenario)),
                        new RunRecorder(),
                        one.build())
                .toEnd(() -> false);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "kind=single-switch hosts=9",
                "kind=leaf-spine hosts=16",
                "kind=leaf-spine hosts=24 leaves=6 spines=2 hosts_per_leaf=4 oversubscription=4",
                "kind=leaf-spine hosts=24 leaves=6 spines=2 hosts_per_leaf=4 oversubscription=4 routing.kind=adaptive",
                "kind=fat-tree hosts=16 link.bandwidth=50_GB/s",
                "kind=fat-tree hosts=14 routing.kind=ecmp link.bandwidth=unlimited",
                "kind=rail-optimized hosts=21 rails=4 spines=2 spine_bandwidth=100_GB/s",
                "kind=dragonfly hosts=40",
            })
    void everyPair_takesItsZeroLoadLatency(String settings) {
        for (String message : new String[] {"1", "1344", "5000"}) {
            Scenario scenario = scenario(settings, message);
            Topology topology = Topology.of(scenario);
            int hosts = scenario.topology().hosts();
            for (int from = 0; from < hosts; from += 3) {
                for (int to = 0; to < hosts; to++) {
                    if (from != to) {
                        RunResult run = alone(scenario, from, to);
                        assertThat(Metric.MESSAGE_LATENCY_MAX_NS.of(run))
                                .as("%s, %s B, %d to %d", settings, message, from, to)
                                .isEqualTo(topology.path(from, to).zeroLoadPs(scenario.traffic()) / 1e3);
                    }
                }
            }
        }
    }

    /** Frames that take several ways may overtake each other, but alone they do not: the ways are alike. */
    @ParameterizedTest
    @CsvSource({"spray, 65536", "adaptive, 65536", "adaptive, 8191"})
    void severalWays_areNoSlowerAlone(String routing, String message) {
        Scenario scenario = scenario("kind=fat-tree hosts=16 routing.kind=" + routing, message);
        assertThat(Metric.MESSAGE_LATENCY_MAX_NS.of(alone(scenario, 0, 15)))
                .isEqualTo(Topology.of(scenario).path(0, 15).zeroLoadPs(scenario.traffic()) / 1e3);
    }
}
