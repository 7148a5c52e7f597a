package io.github.rhosweep.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rhosweep.kernel.SwitchTrace.Event;
import io.github.rhosweep.kernel.SwitchTrace.Kind;
import io.github.rhosweep.result.RunResult;
import io.github.rhosweep.scenario.Scenario;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A trace tells what happened, and watching changes nothing. */
class SwitchTraceTest {
    private static final String[] CROWDED = {
        "traffic.pattern=uniform",
        "traffic.flows=8",
        "traffic.load=0.9",
        "traffic.message=8 KiB",
        "switch.buffer_capacity_bytes=40000",
        "switch.ecn_kmin=0.1",
        "switch.ecn_kmax=0.6",
        "switch.ecn_pmax=0.5",
        "measure.messages=400"
    };

    private static Scenario crowded(String... more) {
        List<String> texts = new ArrayList<>(List.of(CROWDED));
        texts.addAll(List.of(more));
        return Points.of(texts.toArray(String[]::new));
    }

    private static List<Event> trace(Scenario scenario, RunResult untraced) {
        List<Event> events = new ArrayList<>();
        RunResult traced = new Simulation(events::add).run(scenario, 5, ControlVariate.NONE, () -> false);
        assertThat(traced.switchCounters()).isEqualTo(untraced.switchCounters());
        assertThat(traced.totals()).isEqualTo(untraced.totals());
        return events;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "switch.admission=simplified",
                "switch.admission=active-queues",
                "switch.admission=reserved",
                "switch.admission=static",
                "switch.priority_mode=strict",
                "transport.sender=dcqcn"
            })
    void everyDecisionIsTold_andItsNumbersDecideIt(String setting) {
        Scenario scenario = setting.endsWith("static")
                ? crowded(setting, "switch.static_limit_bytes=5000")
                : setting.endsWith("reserved")
                        ? crowded(setting, "switch.reserved_bytes=3000", "switch.alpha=0.05")
                        : crowded(setting, "switch.alpha=0.5");
        RunResult untraced = Simulation.run(scenario, 5, ControlVariate.NONE);
        List<Event> events = trace(scenario, untraced);
        var counters = untraced.switchCounters();
        assertThat(count(events, Kind.DROP)).isEqualTo(counters.drops());
        assertThat(count(events, Kind.MARK)).isEqualTo(counters.ecnMarked()).isPositive();
        assertThat(count(events, Kind.GRANT)).isEqualTo(counters.packetsForwarded());

        Map<Long, Event> admitted = new HashMap<>();
        long used = 0;
        long time = 0;
        for (Event e : events) {
            assertThat(e.timePs()).isGreaterThanOrEqualTo(time);
            time = e.timePs();
            switch (e.kind()) {
                case ADMIT -> {
                    assertThat(e.usedBytes()).isEqualTo(used);
                    assertThat((double) e.queueBytes() + e.wireBytes()).isLessThanOrEqualTo(e.allowedBytes());
                    used += e.wireBytes();
                    assertThat(admitted.put(e.frame(), e)).isNull();
                }
                case DROP -> {
                    boolean byThreshold = e.queueBytes() + e.wireBytes() > e.allowedBytes();
                    assertThat(e.reason()).startsWith(byThreshold ? "dynamic-threshold: " : "capacity: ");
                }
                case GRANT -> {
                    assertThat(e.round()).isBetween(1, scenario.switchSpec().islipIterations());
                    assertThat(e.ingress()).isEqualTo(admitted.get(e.frame()).ingress());
                    assertThat(e.egress()).isEqualTo(admitted.get(e.frame()).egress());
                }
                case FORWARD, MARK -> {
                    assertThat(e.usedBytes()).isEqualTo(used);
                    used -= e.wireBytes();
                    admitted.remove(e.frame());
                    if (e.priority() == 2) {
                        double fill = (double) e.usedBytes() / 40000;
                        double p = fill < 0.1 ? 0 : fill > 0.6 ? 1 : 0.5 * (fill - 0.1) / (0.6 - 0.1);
                        assertThat(e.markProbability()).isEqualTo(p);
                        assertThat(e.kind() == Kind.MARK).isEqualTo(!e.reason().contains(">=") && p > 0);
                    }
                }
            }
        }
    }

    @Test
    void grantsOfATick_followTheRoundRobinPointers() {
        Scenario scenario = crowded("switch.islip_iterations=4", "switch.alpha=8");
        List<Event> events = trace(scenario, Simulation.run(scenario, 5, ControlVariate.NONE));
        int[] grant = new int[64];
        int[] accept = new int[64];
        int laterRounds = 0;
        long tick = -1;
        List<Event> firsts = new ArrayList<>();
        for (Event e : events) {
            if (e.kind() != Kind.GRANT) {
                continue;
            }
            if (e.timePs() != tick) {
                // D-4, D-5: pointers move for matches of round 1 alone, and a tick sees them as they were before it.
                for (Event first : firsts) {
                    grant[first.egress()] =
                            (first.ingress() + 1) % scenario.switchSpec().portCount();
                    accept[first.ingress()] =
                            (first.egress() + 1) % scenario.switchSpec().portCount();
                }
                firsts.clear();
                tick = e.timePs();
            }
            assertThat(e.reason())
                    .isEqualTo("round " + e.round() + ": grant pointer " + grant[e.egress()] + ", accept pointer "
                            + accept[e.ingress()]);
            if (e.round() == 1) {
                firsts.add(e);
            } else {
                laterRounds++;
            }
        }
        assertThat(laterRounds).isPositive();
    }

    private static long count(List<Event> events, Kind kind) {
        return events.stream().filter(e -> e.kind() == kind).count();
    }
}
