package io.github.rhosweep.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rhosweep.math.RandomStream;
import io.github.rhosweep.scenario.Params;
import io.github.rhosweep.scenario.Scenario;
import io.github.rhosweep.scenario.SwitchSpec;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Times of a lone message: worked numbers, and a frame-by-frame second opinion. */
class TopologyTest {

    /** Wire bytes over GB/s by hand: 1406 B at 400 GB/s are 3.515 ns, at 50 GB/s 28.12 ns; alpha is 230 ns through a switch. */
    @ParameterizedTest
    @CsvSource({
        "1344, 400 GB/s, single-switch, 237030", // 230 + 2 x 3.515
        "1 KiB, 400 GB/s, single-switch, 235430", // 230 + 2 x 2.715
        "64 KiB, 400 GB/s, single-switch, 404950", // 230 + 3.515 + 68574/400
        "1 MiB, 400 GB/s, single-switch, 2976010",
        "64 KiB, 400 GB/s, direct, 271435", // 100 + 68574/400
        "64 KiB, unlimited, single-switch, 401435", // 230 + 68574/400
        "64 KiB, 50 GB/s, single-switch, 1604195", // 230 + 68574/50 + 1086/400
    })
    void zeroLoad_matchesWorkedNumbers(String message, String bandwidth, String kind, long ps) {
        Map<String, String> given = new HashMap<>(Map.of(
                "traffic.message",
                message.matches("\\d+") ? message + " B" : message,
                "link.bandwidth",
                bandwidth,
                "topology.kind",
                kind));
        given.put("traffic.flows", kind.equals("direct") ? "1" : "8");
        Scenario scenario = Scenario.of(Params.parse(given));
        Path path = Topology.of(scenario).path(0, kind.equals("direct") ? 1 : 8);
        assertThat(path.zeroLoadPs(scenario.traffic())).isEqualTo(ps);
    }

    /** What grows with the message is the bottleneck's part; the rest is alpha and one frame at every other serialiser. */
    @Test
    void bottleneckPart_isTheMessageAtTheSlowestSerialiser() {
        Scenario scenario = Scenario.of(Params.parse(Map.of("link.bandwidth", "50 GB/s")));
        Path path = Topology.of(scenario).path(0, 8);
        assertThat(path.alphaPs()).isEqualTo(230_000);
        assertThat(path.bottleneck(1406)).isSameAs(path.hops().get(0));
        assertThat(path.bottleneckPs(scenario.traffic())).isEqualTo(1_371_480);
        assertThat(path.zeroLoadPs(scenario.traffic())).isEqualTo(230_000 + 1_371_480 + 2_715);
    }

    @Test
    void equallySlowSerialisers_theLastIsTheBottleneck() {
        Path path = Topology.of(Scenario.of(Params.parse(Map.of()))).path(0, 8);
        assertThat(path.bottleneck(1406)).isSameAs(path.last());
    }

    @Test
    void unknownPair_isRefused() {
        Topology direct =
                Topology.of(Scenario.of(Params.parse(Map.of("topology.kind", "direct", "traffic.flows", "1"))));
        assertThatThrownBy(() -> direct.path(0, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("direct joins hosts 0 and 1, not 0 and 0");
        Topology single = Topology.of(Scenario.of(Params.parse(Map.of())));
        assertThat(single.path(3, 3).hops()).hasSize(2);
        assertThatThrownBy(() -> single.path(0, 9)).hasMessage("hosts are 0 .. 8, not 0 and 9");
    }

    /** The closed form against a frame-by-frame walk by the switch's own rules, over seeded random links, slots and sizes. */
    @Test
    void zeroLoad_matchesFrameByFrameWalk() {
        long seed = 20_260_730;
        RandomStream random = new RandomStream(seed);
        for (int trial = 0; trial < 20_000; trial++) {
            long frames = 1 + random.nextInt(40);
            long full = 64 + random.nextInt(2000);
            long last = 63 + random.nextInt((int) full - 62);
            if (frames == 1) {
                full = last;
            }
            BigDecimal nic = random.nextInt(5) == 0 ? BigDecimal.ZERO : BigDecimal.valueOf(1 + random.nextInt(800));
            BigDecimal port = BigDecimal.valueOf(1 + random.nextInt(800));
            Path path = new Path(List.of(
                    new Hop(0, 2, nic, 0, 0, false, 1 + random.nextInt(5000)),
                    new Hop(
                            2,
                            1,
                            port,
                            random.nextInt(40_000),
                            1 + random.nextInt(9000),
                            random.nextBoolean(),
                            1 + random.nextInt(5000))));
            assertThat(path.zeroLoadPs(frames, full, last))
                    .as("seed %d trial %d: %d frames of %d and %d over %s", seed, trial, frames, full, last, path)
                    .isEqualTo(walk(path, frames, full, last));
        }
    }

    /** Through several switches of the same slot; gated only where no port is slower than the slot, as elsewhere it is approximate. */
    @Test
    void zeroLoad_matchesFrameByFrameWalkThroughSeveralSwitches() {
        long seed = 20_261_130;
        RandomStream random = new RandomStream(seed);
        for (int trial = 0; trial < 20_000; trial++) {
            long frames = 1 + random.nextInt(40);
            long full = 64 + random.nextInt(2000);
            long last = 63 + random.nextInt((int) full - 62);
            if (frames == 1) {
                full = last;
            }
            int switches = 2 + random.nextInt(4);
            boolean gated = random.nextBoolean();
            BigDecimal[] ports = new BigDecimal[switches];
            Arrays.setAll(ports, s -> BigDecimal.valueOf(1 + random.nextInt(800)));
            long slot = 1 + random.nextInt(9000);
            for (BigDecimal port : ports) {
                slot = gated ? Math.max(slot, SwitchSpec.serialisationPs(full, port)) : slot;
            }
            List<Hop> hops = new ArrayList<>();
            BigDecimal nic = random.nextInt(5) == 0 ? BigDecimal.ZERO : BigDecimal.valueOf(1 + random.nextInt(800));
            hops.add(new Hop(0, 2, nic, 0, 0, false, 1 + random.nextInt(5000)));
            for (int s = 0; s < switches; s++) {
                hops.add(new Hop(2 + s, 3 + s, ports[s], 30_000, slot, gated, 1 + random.nextInt(5000)));
            }
            Path path = new Path(hops);
            assertThat(path.zeroLoadPs(frames, full, last))
                    .as("seed %d trial %d: %d frames of %d and %d over %s", seed, trial, frames, full, last, path)
                    .isEqualTo(walk(path, frames, full, last));
        }
    }

    /** Ticks of switches with one flow, one after the other (switch.md, D-7, D-11). */
    private static long walk(Path path, long frames, long full, long last) {
        Hop nic = path.hops().get(0);
        int switches = path.hops().size() - 1;
        long[] tick = new long[switches];
        long[] busy = new long[switches];
        Arrays.fill(tick, Long.MIN_VALUE / 2);
        Arrays.fill(busy, Long.MIN_VALUE / 2);
        long sent = 0;
        long arrival = 0;
        for (long i = 0; i < frames; i++) {
            long wire = i == frames - 1 ? last : full;
            sent += nic.serialisationPs(wire);
            arrival = sent + nic.propagationPs();
            for (int s = 0; s < switches; s++) {
                Hop port = path.hops().get(s + 1);
                tick[s] = Math.max(arrival, tick[s] + port.slotPs());
                while (port.gated() && busy[s] > tick[s]) {
                    tick[s] += port.slotPs();
                }
                busy[s] = Math.max(busy[s], tick[s]) + port.serialisationPs(wire);
                arrival = busy[s] + port.forwardingPs() + port.propagationPs();
            }
        }
        return arrival;
    }
}
