package io.github.rhosweep.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.github.rhosweep.result.SwitchCounters;
import io.github.rhosweep.scenario.InvalidValueException;
import io.github.rhosweep.scenario.SwitchSpec;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The design's unit scenarios and acceptance table, and what iSLIP, Dynamic Threshold and RED must do by theory. */
class SwitchTest {
    private static final long SLOT = 3515;

    /** A switch of a replay, driven by hand. */
    private static final class Rig {
        final PacketPool pool = new PacketPool(64);
        final Switch sw;

        /** @param fields {@code alpha=1}, ... */
        Rig(String... fields) {
            sw = new Switch(spec(fields), SwitchSpec.DEFAULT_RNG_SEED, pool);
        }

        boolean offer(int ingress, int egress, int wire, long now) {
            return sw.forward(ingress, egress, wire, pool.take(wire, Math.max(1, wire - 62)), now);
        }
    }

    static SwitchSpec spec(String... fields) {
        Map<String, String> texts = new TreeMap<>();
        for (String field : fields) {
            String[] nameAndValue = field.split("=");
            texts.put("switch." + nameAndValue[0], nameAndValue[1]);
        }
        return SwitchSpec.ofReplay(texts);
    }

    // The design's unit scenarios.

    @Test
    void dynamicThreshold_dropsTheSecondOfTwo150ByteFramesInA200BytePool() {
        Rig rig = new Rig("buffer_capacity_bytes=200", "alpha=1");
        assertThat(rig.offer(0, 1, 150, 0)).isTrue();
        assertThat(rig.offer(0, 1, 150, 0)).isFalse();
        assertThat(rig.sw.counters().dropsDynamicThreshold()).isEqualTo(1);
        rig.sw.checkBalance(0);
    }

    @ParameterizedTest
    @CsvSource({"10000, 0.5, 0.8, 1000, false", "1000, 0.5, 0.5, 900, true"})
    void ecn_marksAboveKmaxAndNotBelowKmin(long capacity, String kmin, String kmax, int wire, boolean marked) {
        Rig rig = new Rig("buffer_capacity_bytes=" + capacity, "alpha=8", "ecn_kmin=" + kmin, "ecn_kmax=" + kmax);
        assertThat(rig.offer(0, 1, wire, 0)).isTrue();
        assertThat(rig.sw.tick(0)).isEqualTo(1);
        assertThat(rig.pool.isMarked(rig.sw.servedPacket(0))).isEqualTo(marked);
    }

    @Test
    void threeIngressesToOneEgress_areServedOnceEachInThreeTicks() {
        Rig rig = new Rig();
        for (int ingress = 0; ingress < 3; ingress++) {
            rig.offer(ingress, 0, 1406, 0);
        }
        for (int tick = 0; tick < 3; tick++) {
            assertThat(rig.sw.nextTickPs()).isEqualTo(tick * SLOT);
            assertThat(rig.sw.tick(tick * SLOT)).isEqualTo(1);
            assertThat(rig.sw.servedIngress(0)).isEqualTo(tick);
        }
        // The design's "SwitchTick stops": nothing queued, nothing scheduled.
        assertThat(rig.sw.hasPending()).isFalse();
        assertThat(rig.sw.nextTickPs()).isEqualTo(Switch.NEVER);
    }

    // The design's acceptance table.

    @Test
    void idleSwitch_takesForwardingPlusSerialisation() {
        Rig rig = new Rig("port_count=2");
        rig.offer(0, 1, 1406, 1000);
        rig.sw.tick(1000);
        assertThat(rig.sw.servedFinishPs(0)).isEqualTo(1000 + 30_000 + SLOT);
    }

    @Test
    void incast8To1_overflowsByDynamicThreshold() {
        Rig rig = new Rig("buffer_capacity_bytes=65536", "port_count=9");
        long now = 0;
        for (int slot = 0; slot < 200; slot++, now += SLOT) {
            for (int ingress = 0; ingress < 8; ingress++) {
                rig.offer(ingress, 8, 1406, now);
            }
            rig.sw.tick(now);
        }
        SwitchCounters counters = rig.sw.counters();
        assertThat(counters.packetsForwarded()).isEqualTo(200);
        // Eight queues of alpha B / (1 + 8 alpha) each (Choudhury and Hahne), in whole frames.
        double steady = 8 * 2.0 * 65536 / (1 + 8 * 2.0);
        assertThat(rig.sw.queuedBytes() / steady).isBetween(0.85, 1.05);
        assertThat(counters.drops()).isEqualTo(1600 - 200 - rig.sw.queuedFrames());
        assertThat(counters.dropsCapacity()).isZero();
        rig.sw.checkBalance(now);
    }

    @Test
    void saturatedIngresses_getEqualService() {
        // A pool that drops nothing: in a full one the first to ask at each slot gets the room.
        Rig rig = new Rig("buffer_capacity_bytes=1 GiB");
        Random random = new Random(11);
        long now = 0;
        for (int slot = 0; slot < 20_000; slot++, now += SLOT) {
            for (int ingress = 0; ingress < 8; ingress++) {
                rig.offer(ingress, random.nextInt(8), 1406, now);
            }
            int served = rig.sw.tick(now);
            for (int k = 0; k < served; k++) {
                rig.pool.free(rig.sw.servedPacket(k));
            }
        }
        long[] frames = rig.sw.forwardedFramesOfIngress();
        long most = Arrays.stream(frames).max().orElseThrow();
        long least = Arrays.stream(frames).min().orElseThrow();
        assertThat((most - least) / (double) most).isLessThan(0.1);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.1, 0.4999, 0.5, 0.55, 0.65, 0.75, 0.8, 0.8001, 0.99})
    void markingRate_followsTheRedCurve(double fill) {
        EcnMarker marker = new EcnMarker(spec("buffer_capacity_bytes=1000000"), SwitchSpec.DEFAULT_RNG_SEED);
        int draws = 100_000;
        int marked = 0;
        for (int i = 0; i < draws; i++) {
            if (marker.marks(Math.round(fill * 1_000_000))) {
                marked++;
            }
        }
        double expected = fill < 0.5 ? 0 : fill > 0.8 ? 1 : Math.min(1, (fill - 0.5) / 0.3);
        // Three standard deviations of a binomial share; exact at the ends.
        assertThat(marked / (double) draws)
                .isEqualTo(expected, within(3 * Math.sqrt(expected * (1 - expected) / draws) + 1e-12));
    }

    // Marking thresholds.

    @Test
    void integerThreshold_agreesWithTheCurveAtEveryFill() {
        for (String kmin : new String[] {"0", "0.1", "0.3", "0.5", "0.7", "1"}) {
            for (long capacity : new long[] {1, 3, 7, 1000, 14060}) {
                EcnMarker marker = new EcnMarker(
                        spec("buffer_capacity_bytes=" + capacity, "ecn_kmin=" + kmin, "ecn_kmax=1"),
                        SwitchSpec.DEFAULT_RNG_SEED);
                for (long used = 0; used <= capacity + 2; used++) {
                    double p = marker.probability(used);
                    if (p == 0 || p >= 1) {
                        assertThat(marker.marks(used))
                                .as("%s %d %d", kmin, capacity, used)
                                .isEqualTo(p >= 1);
                    }
                }
            }
        }
    }

    @Test
    void xorshift_startsAsTheDesignSays() {
        Xorshift64 random = new Xorshift64(SwitchSpec.DEFAULT_RNG_SEED);
        assertThat(random.nextF64()).isEqualTo(0.9941414234726625);
        assertThat(random.nextF64()).isEqualTo(0.050411498092844176);
        assertThat(random.nextF64()).isEqualTo(0.2573198438784472);
    }

    // iSLIP.

    @Test
    void pointersThatMoveInTheFirstRoundOnly_starveNobody() {
        int[][] pairs = {{0, 0}, {1, 0}, {1, 1}, {1, 2}, {2, 0}};
        Rig rig = new Rig("port_count=3", "islip_iterations=2", "buffer_capacity_bytes=1 GiB");
        for (int slot = 0; slot < 600; slot++) {
            for (int[] pair : pairs) {
                rig.offer(pair[0], pair[1], 1406, 0);
            }
        }
        long[][] served = new long[3][3];
        for (int slot = 0; slot < 600; slot++) {
            int matches = rig.sw.tick(slot * SLOT);
            for (int k = 0; k < matches; k++) {
                served[rig.sw.servedIngress(k)][rig.sw.servedEgress(k)]++;
            }
        }
        for (int[] pair : pairs) {
            assertThat(served[pair[0]][pair[1]])
                    .as("%d to %d", pair[0], pair[1])
                    .isEqualTo(200);
        }
    }

    @ParameterizedTest
    @CsvSource({"3, 1", "8, 1", "8, 2", "8, 8", "64, 1", "64, 64", "70, 1", "70, 2"})
    void backloggedFromZeroPointers_desynchroniseInNSlots(int ports, int iterations) {
        Rig rig = new Rig("port_count=" + ports, "islip_iterations=" + iterations, "buffer_capacity_bytes=1 GiB");
        for (int copy = 0; copy < 2 * ports; copy++) {
            for (int ingress = 0; ingress < ports; ingress++) {
                for (int egress = 0; egress < ports; egress++) {
                    rig.offer(ingress, egress, 1406, 0);
                }
            }
        }
        int lost = 0;
        for (int slot = 0; slot < 2 * ports; slot++) {
            int matches = rig.sw.tick(slot * SLOT);
            lost += ports - matches;
            if (iterations == 1) {
                assertThat(matches).as("slot %d", slot).isEqualTo(Math.min(slot + 1, ports));
            }
        }
        assertThat(lost).isEqualTo((ports - iterations) * (ports - iterations + 1) / 2);
    }

    // Ports, counters and refusals.

    @Test
    void ports_areNumberedInTheOrderOfNeighbours() {
        Switch sw = new Switch(spec("port_count=4"), 1, new PacketPool(1), new int[] {7, 2, 5});
        assertThat(new int[] {sw.portOf(7), sw.portOf(2), sw.portOf(5)}).containsExactly(0, 1, 2);
        assertThatThrownBy(() -> sw.portOf(3)).hasMessageContaining("node 3 is no neighbour");
        assertThatThrownBy(() -> new Switch(spec("port_count=4"), 1, new PacketPool(1), new int[] {1, 1}))
                .hasMessageContaining("two ports");
    }

    @Test
    void stats_carryTheSevenCountersOfTheDesign() {
        Rig rig = new Rig();
        rig.offer(0, 1, 1406, 0);
        rig.sw.tick(0);
        assertThat(rig.sw.dumpStats("sw0"))
                .hasToString("{switch.sw0.packets_forwarded=1, switch.sw0.drops=0, switch.sw0.ecn_marked=0,"
                        + " switch.sw0.total_bytes_forwarded=1406, switch.sw0.buffer_peak_bytes=1406,"
                        + " switch.sw0.buffer_capacity_bytes=16777216, switch.sw0.port_count=8}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "port_count=0",
                "islip_iterations=0",
                "buffer_capacity_bytes=0",
                "alpha=-1",
                "ecn_kmin=-0.1",
                "ecn_pmax=1.1",
                "rng_seed=0",
                "rng_seed=18446744073709551616",
                "admission=static",
                "ecn_kmin=0.9",
                "frame_size_bytes=0",
                "port_bandwidth_gb_per_s=1000000"
            })
    void invalidConfiguration_isRefused(String field) {
        // One byte at 1 PB/s takes a thousandth of a ps.
        String[] fields =
                field.startsWith("port_bandwidth") ? new String[] {field, "frame_size_bytes=1"} : new String[] {field};
        assertThatThrownBy(() -> spec(fields)).isInstanceOf(InvalidValueException.class);
    }

    @Test
    void zeroSeedHexadecimalAndUnsigned_areReadAs64Bits() {
        assertThat(spec("rng_seed=18446744073709551615").replaySeed()).isEqualTo(-1L);
        assertThat(spec("rng_seed=0x123456789ABCDEF0").replaySeed()).isEqualTo(SwitchSpec.DEFAULT_RNG_SEED);
        assertThat(spec().replaySeed()).isEqualTo(SwitchSpec.DEFAULT_RNG_SEED);
    }

    @ParameterizedTest
    @CsvSource({
        "1406, 50, 28120",
        "1406, 400, 3515",
        "1406, 12.5, 112480",
        "54, 50, 1080",
        "26, 50, 520",
        "1, 3, 333",
        "2, 3, 667",
        "3, 6, 500",
        "1, 0.000001, 1000000000",
        "1, 2000, 1",
        "5000, 400, 12500"
    })
    void serialisation_isRoundedHalfUpFromTheExactRational(int wire, BigDecimal gbPerS, long ps) {
        SerialisationTimes times = new SerialisationTimes(gbPerS);
        assertThat(times.ps(wire)).isEqualTo(ps);
        assertThat(times.ps(wire)).isEqualTo(ps);
    }
}
