package io.github.rhosweep.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.github.rhosweep.result.RunResult;
import io.github.rhosweep.scenario.Scenario;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whole runs: worked numbers to the ps, conservation over random points, reuse, limits. */
class SimulationTest {
    private static RunResult run(String... fields) {
        return Simulation.run(Points.of(fields), 1, ControlVariate.NONE);
    }

    @ParameterizedTest
    @CsvSource({
        "1344 B, 237030",
        "1 KiB, 235430",
        "64 KiB, 404950",
        "1 MiB, 2976010",
    })
    void loneMessage_takesHockneysTimeToThePs(String message, double ps) {
        RunResult result = run("traffic.flows=1", "traffic.arrivals=once", "traffic.message=" + message);
        assertThat(result.messageLatency().maxPs()).isEqualTo(ps);
        assertThat(result.zeroLoadMessagePs()).isEqualTo((long) ps);
    }

    @ParameterizedTest
    @CsvSource({
        "topology.kind=direct, 271435",
        "link.bandwidth=unlimited, 401435",
        "link.bandwidth=50 GB/s, 1604195",
    })
    void loneMessageOf64KiB_overOtherLinks(String field, double ps) {
        RunResult result = run("traffic.flows=1", "traffic.arrivals=once", "traffic.message=64 KiB", field);
        assertThat(result.messageLatency().maxPs()).isEqualTo(ps);
        assertThat(result.zeroLoadMessagePs()).isEqualTo((long) ps);
    }

    @ParameterizedTest
    @CsvSource({"2, 65856 B, 49", "8, 65856 B, 49", "16, 13440 B, 10", "64, 1344 B, 1", "70, 2688 B, 2"})
    void synchronizedIncast_waitsExactly(int flows, String message, int frames) {
        RunResult result = run(
                "traffic.flows=" + flows,
                "traffic.arrivals=synchronized",
                "traffic.load=0.5",
                "traffic.message=" + message,
                "switch.buffer_capacity_bytes=1 GiB",
                "measure.messages=" + 10 * flows);
        double slot = 3515;
        assertThat(result.voqWait().meanPs()).isEqualTo(frames * (flows - 1) / 2.0 * slot);
        assertThat(result.voqWait().maxPs()).isEqualTo(frames * (flows - 1) * slot);
        // The first frame is at the switch after a slot and the link, the last bit of the last N b slots and the rest
        // later.
        assertThat(result.messageLatency().maxPs())
                .isEqualTo(slot + 100_000 + (double) frames * flows * slot + 30_000 + 100_000);
        assertThat(result.totals().droppedFrames()).isZero();
    }

    @Test
    void synchronizedIncastOverUnlimitedLinks_meetsAWholeBurst() {
        RunResult result = run(
                "traffic.flows=8",
                "traffic.arrivals=synchronized",
                "traffic.load=0.5",
                "traffic.message=65856 B",
                "link.bandwidth=unlimited",
                "switch.buffer_capacity_bytes=1 GiB",
                "measure.messages=80");
        assertThat(result.voqWait().meanPs()).isEqualTo((8 * 49 - 1) / 2.0 * 3515);
        assertThat(result.sourceWait().n()).isZero();
    }

    @Test
    void shortLastFrame_addsTheSlotItLeavesIdle() {
        RunResult result = run(
                "traffic.flows=8",
                "traffic.arrivals=synchronized",
                "traffic.message=64 KiB",
                "switch.buffer_capacity_bytes=1 GiB",
                "measure.messages=80");
        // A last frame of 1024 + 62 B leaves the NIC that much earlier than a full one would.
        double lastSerial = (1024 + 62) / 0.4;
        double expected = 49 * 7 / 2.0 + (1 - lastSerial / 3515) / 49;
        assertThat(result.voqWait().meanPs() / 3515).isEqualTo(expected, within(1e-4));
    }

    @Test
    void nicSharesRoundRobin_fromTheHostAfterItself() {
        MessagePool pool = new MessagePool(16);
        SourceQueues queues = new SourceQueues(4, pool);
        for (int to : new int[] {0, 1, 3}) {
            int message = pool.take(2, 0);
            pool.source[message] = 2;
            pool.destination[message] = to;
            queues.push(message);
        }
        List<Integer> served = new ArrayList<>();
        while (!queues.isEmpty(2)) {
            int to = queues.takeTurn(2);
            queues.takeFrame(2, to);
            served.add(to);
        }
        assertThat(served).containsExactly(3, 0, 1, 3, 0, 1);
    }

    @Test
    void permutation_waitsForTheNextTickAtMost() {
        RunResult result = run("traffic.pattern=permutation", "traffic.message=1344 B", "traffic.load=0.9");
        // No two frames want one port, but all ports share one clock of ticks a slot apart (D-11).
        assertThat(result.voqWait().maxPs()).isLessThan(3515);
        assertThat(result.totals().lostMessages()).isZero();
    }

    @Test
    void utilisation_countsWireTime() {
        RunResult result = run("traffic.message=1 KiB", "traffic.load=0.9", "measure.messages=100000");
        double utilisation = (double) result.bottleneckBusyPs() / result.measuredPs();
        assertThat(utilisation).isEqualTo(0.9 * 2715 / 3515, within(0.01));
    }

    static List<Long> seeds() {
        return new Random(20).longs(60).boxed().toList();
    }

    /** Each run checks its own balance and Little's law; here over all that can be combined. */
    @ParameterizedTest
    @MethodSource("seeds")
    void anyPoint_balancesAndRepeats(long seed) {
        Scenario scenario = randomPoint(new Random(seed));
        RunResult result = Simulation.run(scenario, seed, ControlVariate.NONE);
        assertThat(result.totals().measuredMessages())
                .as("seed %d", seed)
                .isEqualTo(scenario.measure().messages());
        assertThat(SHARED.run(scenario, seed, ControlVariate.NONE, () -> false))
                .as("seed %d, memory of earlier runs", seed)
                .isEqualTo(result);
    }

    private static final Simulation SHARED = new Simulation();

    static Scenario randomPoint(Random random) {
        return Points.of(randomFields(random).toArray(new String[0]));
    }

    /** Any setting of one switch and plain senders. */
    static List<String> randomFields(Random random) {
        String pattern = pick(random, "incast", "uniform", "permutation", "diagonal", "hotspot");
        String arrivals = pick(
                random,
                "poisson",
                "periodic",
                "bernoulli",
                "synchronized",
                "hyperexponential",
                "erlang",
                "on-off",
                "batch",
                "once");
        List<String> fields = new ArrayList<>(List.of(
                "traffic.pattern=" + pattern,
                "traffic.arrivals=" + arrivals,
                "traffic.flows=" + (2 + random.nextInt(random.nextInt(10) == 0 ? 70 : 10)),
                "traffic.message=" + pick(random, "1 B", "1 KiB", "1344 B", "5000 B", "64 KiB"),
                "switch.alpha=" + pick(random, "0.25", "2", "8"),
                "switch.buffer_capacity_bytes=" + pick(random, "4000", "64 KiB", "16 MiB"),
                "switch.islip_iterations=" + pick(random, "1", "2", "4"),
                "switch.egress_gate=" + pick(random, "overlap", "busy"),
                "switch.priority_mode=" + pick(random, "flat", "strict"),
                "switch.pointer_init=" + pick(random, "zero", "random"),
                "switch.port_bandwidth_gb_per_s=" + pick(random, "400", "12.5"),
                "link.bandwidth=" + pick(random, "unlimited", "400 GB/s", "50 GB/s")));
        if (!arrivals.equals("once")) {
            // Bernoulli incast at one message of one frame: at most one a slot and source.
            fields.add("traffic.load=" + pick(random, "0.1", "0.5", "0.9"));
            fields.add("measure.messages=" + (1 + random.nextInt(1500)));
        }
        if (arrivals.equals("batch")) {
            fields.add("traffic.batch=3");
        }
        return fields;
    }

    private static String pick(Random random, String... values) {
        return values[random.nextInt(values.length)];
    }

    @Test
    void differentSeeds_differ() {
        Scenario scenario = Points.of("measure.messages=1000");
        assertThat(Simulation.run(scenario, 1, ControlVariate.NONE))
                .isNotEqualTo(Simulation.run(scenario, 2, ControlVariate.NONE));
    }

    @Test
    void marking_drawsNothingThatArrivalsUse() {
        String[] bursts = {
            "traffic.flows=16",
            "traffic.message=256 KiB",
            "switch.buffer_capacity_bytes=4 MiB",
            "switch.alpha=8",
            "measure.messages=500",
            "traffic.load=0.9"
        };
        String[] unmarked = java.util.Arrays.copyOf(bursts, bursts.length + 1);
        unmarked[bursts.length] = "switch.ecn_pmax=0";
        RunResult marked = run(bursts);
        assertThat(run(unmarked).messageLatency()).isEqualTo(marked.messageLatency());
    }

    @Test
    void lostMessages_areThoseWithADroppedFrame() {
        RunResult result = run(
                "traffic.flows=16",
                "traffic.message=256 KiB",
                "traffic.arrivals=synchronized",
                "switch.buffer_capacity_bytes=4 MiB",
                "switch.alpha=0.25",
                "measure.messages=320");
        assertThat(result.totals().lostMessages()).isPositive();
        assertThat(result.totals().deliveredMessages() + result.totals().lostMessages())
                .isEqualTo(320);
        assertThat(result.messageLatency().n()).isEqualTo(result.totals().deliveredMessages());
        assertThat(result.totals().inFlightFrames()).isZero();
        assertThat(result.switchCounters().drops()).isEqualTo(result.totals().droppedFrames());
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.2", "3"})
    void overload_hasNoSteadyMean(String load) {
        RunResult result = run("traffic.load=" + load, "measure.messages=2000", "switch.buffer_capacity_bytes=1 GiB");
        assertThat(result.stable()).isFalse();
        assertThat(result.messageLatency().meanPs()).isNull();
        assertThat(result.messageLatency().n()).isPositive();
    }

    @Test
    void limits_giveARunUp() {
        assertThatThrownBy(() -> run("limits.events=1000"))
                .isInstanceOfSatisfying(
                        RunLimitException.class,
                        e -> assertThat(e.isDeterministic()).isTrue())
                .hasMessageContaining("limits.events (1000)");
        assertThatThrownBy(() -> new Simulation().run(Points.of(), 1, ControlVariate.NONE, () -> true))
                .isInstanceOfSatisfying(
                        RunLimitException.class,
                        e -> assertThat(e.isDeterministic()).isFalse())
                .hasMessageContaining("limits.wall");
    }

    @Test
    void overload_endsAtTheLimitOfMessagesInFlight_andSaysSo() {
        String[] overload = {
            "traffic.flows=2", "traffic.load=3", "measure.messages=1000000", "limits.in_flight_messages=5000"
        };
        Simulation simulation = new Simulation();
        Scenario scenario = Points.of(overload);
        assertThatThrownBy(() -> simulation.run(scenario, 1, ControlVariate.NONE, () -> false))
                .isInstanceOfSatisfying(
                        RunLimitException.class, e -> assertThat(e.limit()).isEqualTo(RunLimitException.Limit.MESSAGES))
                .hasMessageMatching(
                        "more than limits\\.in_flight_messages \\(5000\\) messages are in flight at \\d+ ns\\. Maybe"
                                + " the load is above what the network carries, so that they pile up without an end; else raise the limit");
        assertThatThrownBy(() -> FabricTest.run(scenario, 1)).isInstanceOf(RunLimitException.class);
        // A run that needs as many as it may, and no more, is as any other; the limit of an earlier one is forgotten.
        String[] burst = {
            "traffic.flows=8", "traffic.arrivals=synchronized", "traffic.load=0.9", "measure.messages=5000"
        };
        Scenario plain = Points.of(burst);
        assertThat(simulation.run(plain, 1, ControlVariate.NONE, () -> false))
                .isEqualTo(Simulation.run(plain, 1, ControlVariate.NONE));
    }

    @Test
    void messagesThatFillTheHeap_endTheRun_andThePoolGoesOn() {
        MessagePool pool = new MessagePool(4) {
            @Override
            void grow(int capacity) {
                if (capacity > 8) {
                    throw new OutOfMemoryError("Java heap space");
                }
                super.grow(capacity);
            }
        };
        for (int run = 0; run < 2; run++) {
            pool.reset();
            for (int i = 0; i < 8; i++) {
                pool.take(1, 0);
            }
            assertThatThrownBy(() -> pool.take(1, 2000))
                    .isInstanceOfSatisfying(
                            RunLimitException.class,
                            e -> assertThat(e.isDeterministic()).isFalse())
                    .hasMessageMatching(
                            "the 8 messages in flight at 2 ns fill a heap of \\d+ MiB\\. Maybe .*; else allow a larger one");
        }
    }

    @Test
    void messagesInFlight_mayBeAsManyAsTheLimit() {
        MessagePool pool = new MessagePool(4);
        for (int limit : new int[] {3, 4, 9, 2}) {
            pool.reset();
            pool.limit(limit);
            for (int i = 0; i < limit; i++) {
                pool.take(1, 0);
            }
            assertThatThrownBy(() -> pool.take(1, 7000))
                    .hasMessageContaining("(" + limit + ") messages are in flight at 7 ns");
            pool.free(0);
            assertThat(pool.take(1, 0)).isZero();
        }
    }

    @Test
    void aMessageOfMillionsOfFrames_takesNoMoreMemoryThanAShortOne() {
        // Its 51 million frames, were they all on the link at once, would take 2 GB.
        assertThatThrownBy(() -> run("traffic.flows=1", "traffic.message=64 GiB", "limits.events=100000"))
                .isInstanceOf(RunLimitException.class);
    }

    @Test
    void everyOffer_isShownToTheControlVariate() {
        long[] seen = new long[2];
        ControlVariate counting = new ControlVariate() {
            @Override
            public long observePs(long offerTimePs, int destination, long frames) {
                assertThat(offerTimePs).isGreaterThanOrEqualTo(seen[1]);
                assertThat(destination).isEqualTo(8);
                assertThat(frames).isEqualTo(49);
                seen[0]++;
                seen[1] = offerTimePs;
                return 5;
            }

            @Override
            public double meanPs() {
                return 5;
            }
        };
        RunResult result = Simulation.run(Points.of("measure.messages=1000"), 3, counting);
        assertThat(seen[0]).isEqualTo(result.totals().offeredMessages());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 17, 64, 65, 200})
    void eventQueue_ordersByTimeThenServer(int servers) {
        Random random = new Random(servers);
        EventQueue queue = new EventQueue(servers);
        long[] dull = new long[servers];
        java.util.Arrays.fill(dull, EventQueue.NEVER);
        for (int step = 0; step < 5000; step++) {
            int server = random.nextInt(servers);
            dull[server] = random.nextInt(4) == 0 ? EventQueue.NEVER : random.nextInt(20);
            queue.schedule(server, dull[server]);
            int first = 0;
            for (int s = 1; s < servers; s++) {
                first = dull[s] < dull[first] ? s : first;
            }
            assertThat(queue.nextTime()).isEqualTo(dull[first]);
            if (dull[first] != EventQueue.NEVER) {
                assertThat(queue.nextServer()).isEqualTo(first);
            }
            assertThat(queue.timeOf(server)).isEqualTo(dull[server]);
            assertThat((long) queue.pending())
                    .isEqualTo(java.util.Arrays.stream(dull)
                            .filter(at -> at != EventQueue.NEVER)
                            .count());
        }
    }
}
