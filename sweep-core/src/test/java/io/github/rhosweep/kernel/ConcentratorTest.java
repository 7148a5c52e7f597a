package io.github.rhosweep.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rhosweep.result.RunResult;
import io.github.rhosweep.scenario.Scenario;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConcentratorTest {
    private static final ControlVariate CONTROL = new ControlVariate() {
        @Override
        public long observePs(long offerTimePs, int destination, long frames) {
            return (offerTimePs / 7 + 31L * destination + frames) % 1_000_003;
        }

        @Override
        public double meanPs() {
            return 500_001;
        }
    };

    /** A run that is traced has a real switch, NICs with events, ACKs that are packets; what it gives is the same in all parts. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7})
    void randomIncast_isAsWithASwitch(int seed) {
        Random random = new Random(seed);
        for (int k = 0; k < 12; k++) {
            List<String> fields = randomIncast(random);
            Scenario scenario = Points.of(String.join("; ", fields).split("; "));
            assertThat(Concentrator.suits(scenario)).as("%s", fields).isTrue();
            RunResult fast = new Simulation().run(scenario, k, CONTROL, () -> false);
            RunResult slow = new Simulation(decision -> {}).run(scenario, k, CONTROL, () -> false);
            assertThat(fast).as("%s", fields).isEqualTo(slow);
        }
    }

    private static List<String> randomIncast(Random random) {
        List<String> fields = new ArrayList<>(List.of(
                "traffic.flows=" + one(random, "1", "2", "8", "63", "70"),
                "traffic.message=" + one(random, "1 B", "1344 B", "1345 B", "5000 B", "64 KiB"),
                "traffic.arrivals="
                        + one(
                                random,
                                "poisson; traffic.load=0.8; measure.messages=300",
                                "bernoulli; traffic.load=0.95; measure.messages=300",
                                "on-off; traffic.load=0.9; measure.messages=300",
                                "batch; traffic.load=0.5; measure.messages=300",
                                "periodic; traffic.load=0.9; measure.messages=300",
                                "synchronized; traffic.load=1.3; measure.messages=300",
                                "once"),
                "switch.buffer_capacity_bytes=" + one(random, "8 KiB", "64 KiB", "16 MiB"),
                "switch.admission="
                        + one(
                                random,
                                "simplified",
                                "active-queues",
                                "reserved",
                                "static; switch.static_limit_bytes=16384"),
                "switch.buffer_scope=" + one(random, "shared", "per-ingress", "per-egress"),
                "switch.egress_gate=" + one(random, "overlap", "busy"),
                "switch.priority_mode=" + one(random, "flat", "strict"),
                "switch.pointer_init=" + one(random, "zero", "random"),
                "switch.ecn_scope=" + one(random, "global", "egress"),
                "link.latency=" + one(random, "1 ns", "100 ns", "20 us")));
        if (random.nextBoolean()) {
            fields.addAll(List.of("switch.ecn_kmin=0.01", "switch.ecn_kmax=0.4", "switch.ecn_pmax=0.3"));
        }
        if (random.nextBoolean()) {
            fields.add("switch.port_bandwidth_gb_per_s=" + one(random, "25", "100"));
        }
        if (random.nextBoolean()) {
            fields.addAll(List.of(
                    "transport.acks=true",
                    "transport.ack_every=" + one(random, "1", "3", "1000"),
                    "transport.response_bytes=" + one(random, "1", "54", "1500"),
                    "link.bandwidth=" + one(random, "400 GB/s", "50 GB/s")));
        }
        return fields;
    }

    private static String one(Random random, String... choices) {
        return choices[random.nextInt(choices.length)];
    }
}
