package io.github.rhosweep.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rhosweep.result.SwitchCounters;
import io.github.rhosweep.scenario.SwitchSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The fast switch against {@link ReferenceSwitch} over random traces: every variant, 1 to 130 ports. */
class SwitchAgainstReferenceTest {
    private static final int[] PORTS = {1, 2, 3, 5, 8, 16, 33, 63, 64, 65, 130};

    static List<Long> seeds() {
        List<Long> seeds = new ArrayList<>();
        for (long seed = 1; seed <= 160; seed++) {
            seeds.add(seed);
        }
        return seeds;
    }

    private static String pick(Random random, String... values) {
        return values[random.nextInt(values.length)];
    }

    /** Any of the class settings; a trace's file cannot name them all, because it does not tell what a frame is. */
    private static SwitchSpec withClasses(SwitchSpec s, Random random) {
        var classes = random.nextBoolean() ? SwitchSpec.PriorityClasses.TWO : SwitchSpec.PriorityClasses.PCP4;
        boolean dwrr = s.priorityMode() == SwitchSpec.PriorityMode.FLAT && random.nextBoolean();
        List<Long> quanta = new ArrayList<>();
        for (int c = 0; c < classes.count(); c++) {
            quanta.add(64L + random.nextInt(5000));
        }
        return new SwitchSpec(
                s.forwardingPs(),
                s.bandwidthGbPerS(),
                s.portCount(),
                s.bufferCapacityBytes(),
                s.alpha(),
                s.ecnKmin(),
                s.ecnKmax(),
                s.ecnPmax(),
                s.islipIterations(),
                s.frameSizeBytes(),
                s.admission(),
                s.reservedBytes(),
                s.staticLimitBytes(),
                s.egressGate(),
                s.priorityMode(),
                s.pointerInit(),
                s.ecnScope(),
                s.bufferScope(),
                classes,
                dwrr ? SwitchSpec.EgressScheduler.DWRR : SwitchSpec.EgressScheduler.FIFO,
                dwrr ? quanta : List.of(),
                s.frameFormat(),
                s.replaySeed());
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void outcomes_areTheSame(long seed) {
        assertSameOutcomes(seed, 1500);
    }

    /** @param most frames; fewer where there are many ports */
    static void assertSameOutcomes(long seed, int most) {
        Random random = new Random(seed);
        int ports = PORTS[random.nextInt(PORTS.length)];
        String kmin = pick(random, "0", "0.1", "0.3", "0.5");
        SwitchSpec spec = SwitchTest.spec(
                "port_count=" + ports,
                "islip_iterations=" + (1 + random.nextInt(4)),
                "alpha=" + pick(random, "0", "0.25", "1", "2", "8"),
                "buffer_capacity_bytes=" + pick(random, "3000", "20000", "100000", "10000000"),
                "ecn_kmin=" + kmin,
                "ecn_kmax=" + pick(random, kmin, "0.6", "1"),
                "ecn_pmax=" + pick(random, "0", "0.3", "1"),
                "admission=" + pick(random, "simplified", "active-queues", "reserved", "static"),
                "static_limit_bytes=5000",
                "reserved_bytes=" + pick(random, "0", "1500", "3000"),
                "egress_gate=" + pick(random, "overlap", "busy"),
                "priority_mode=" + pick(random, "flat", "strict"),
                "pointer_init=" + pick(random, "zero", "random"),
                "port_bandwidth_gb_per_s=" + pick(random, "400", "50", "12.5", "3"),
                "rng_seed=" + (1 + random.nextInt(1000)));
        spec = withClasses(spec, random);
        int egresses = 1 + random.nextInt(ports);
        double meanGapInSlots = random.nextDouble() * 1.2 / egresses;
        boolean grid = random.nextBoolean();

        PacketPool pool = new PacketPool(1);
        Switch fast = new Switch(spec, spec.replaySeed(), pool);
        ReferenceSwitch dull = new ReferenceSwitch(spec, spec.replaySeed());
        int frames = ports > 60 ? Math.min(400, most) : most;
        double clock = 0;
        long now = 0;
        for (int number = 0; number < frames; number++) {
            clock += -Math.log(1 - random.nextDouble()) * meanGapInSlots * spec.slotPs();
            long arrival = grid ? ((long) (clock / spec.slotPs())) * spec.slotPs() : (long) clock;
            while (fast.nextTickPs() < arrival) {
                now = fast.nextTickPs();
                assertSameTick(fast, dull, now, pool, seed);
            }
            now = arrival;
            boolean control = random.nextInt(4) == 0;
            int wire = control ? 1 + random.nextInt(80) : 64 + random.nextInt(2000);
            int payload = control ? 0 : wire - 62;
            int ingress = random.nextInt(ports);
            int egress = random.nextInt(egresses);
            int packet = pool.take(wire, payload);
            int classes = spec.priorityClasses().count();
            int priority = control ? classes - 1 : random.nextInt(classes - 1);
            pool.priority[packet] = (byte) priority;
            assertThat(fast.forward(ingress, egress, wire, packet, now))
                    .as("seed %d frame %d", seed, number)
                    .isEqualTo(dull.forward(packet, ingress, egress, wire, priority, now));
        }
        while (fast.hasPending()) {
            now = fast.nextTickPs();
            assertSameTick(fast, dull, now, pool, seed);
        }
        assertThat(dull.tickPending()).isFalse();
        fast.checkBalance(now);
        assertThat(fast.counters())
                .as("seed %d", seed)
                .isEqualTo(new SwitchCounters(
                        dull.forwarded,
                        dull.dropsDynamic + dull.dropsCapacity,
                        dull.marks,
                        dull.bytes,
                        dull.peak,
                        spec.bufferCapacityBytes(),
                        ports,
                        dull.ticks,
                        dull.dropsDynamic,
                        dull.dropsCapacity));
    }

    private static void assertSameTick(Switch fast, ReferenceSwitch dull, long now, PacketPool pool, long seed) {
        assertThat(dull.tickPending()).as("seed %d", seed).isTrue();
        assertThat(dull.nextTick()).as("seed %d", seed).isEqualTo(now);
        List<ReferenceSwitch.Served> expected = dull.tick(now);
        int served = fast.tick(now);
        List<ReferenceSwitch.Served> actual = new ArrayList<>();
        for (int k = 0; k < served; k++) {
            int packet = fast.servedPacket(k);
            actual.add(new ReferenceSwitch.Served(
                    new ReferenceSwitch.Frame(
                            packet,
                            fast.servedIngress(k),
                            fast.servedEgress(k),
                            pool.priority[packet],
                            pool.wireBytes[packet],
                            pool.enqueuedPs(packet)),
                    fast.servedFinishPs(k),
                    pool.isMarked(packet)));
        }
        assertThat(actual).as("seed %d time %d", seed, now).isEqualTo(expected);
    }
}
