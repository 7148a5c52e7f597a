package io.github.rhosweep.bench;

import io.github.rhosweep.kernel.PacketPool;
import io.github.rhosweep.kernel.Switch;
import io.github.rhosweep.math.LogHistogram;
import io.github.rhosweep.math.RandomStream;
import io.github.rhosweep.scenario.SwitchSpec;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The switch alone, in packets per second: Bernoulli uniform arrivals at 0.9, admission, iSLIP, marking, a histogram of the waits. One
 * invocation is one time slot.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class SwitchBenchmark {
    /** Ports and iSLIP iterations. */
    @State(Scope.Thread)
    public static class Slots {
        @Param({"8x2", "64x4", "1024x4"})
        public String portsAndIterations = "";

        private static final double LOAD = 0.9;
        private static final int WIRE = 1406;

        final RandomStream random = new RandomStream(1);
        final LogHistogram waits = new LogHistogram(1);
        final PacketPool pool = new PacketPool(1 << 16);
        int ports;
        long now;
        long slotPs;
        Switch sw = new Switch(SwitchSpec.ofReplay(Map.of()), 1, pool);

        @Setup
        public void start() {
            String[] parts = portsAndIterations.split("x");
            ports = Integer.parseInt(parts[0]);
            SwitchSpec spec = SwitchSpec.ofReplay(Map.of(
                    "switch.port_count", parts[0],
                    "switch.islip_iterations", parts[1],
                    "switch.ecn_kmin", "0"));
            sw = new Switch(spec, SwitchSpec.DEFAULT_RNG_SEED, pool);
            slotPs = spec.slotPs();
        }

        long slot() {
            for (int ingress = 0; ingress < ports; ingress++) {
                // One draw decides whether a frame arrives and where it goes, so that the generator costs little.
                long bits = random.nextLong();
                if ((bits >>> 11) * 0x1.0p-53 < LOAD) {
                    int egress = (int) (((bits & 0xFFFF_FFFFL) * ports) >>> 32);
                    int packet = pool.take(WIRE, WIRE - 62);
                    if (!sw.forward(ingress, egress, WIRE, packet, now)) {
                        pool.free(packet);
                    }
                }
            }
            int served = 0;
            if (sw.hasPending()) {
                served = sw.tick(now);
                for (int k = 0; k < served; k++) {
                    int packet = sw.servedPacket(k);
                    waits.record(0, now - pool.enqueuedPs(packet));
                    pool.free(packet);
                }
            }
            now += slotPs;
            return served;
        }
    }

    /** Counts frames: JMH turns the field into a rate. */
    @AuxCounters
    @State(Scope.Thread)
    public static class Frames {
        public long packets;
    }

    @Benchmark
    public void slot(Slots slots, Frames frames) {
        frames.packets += slots.slot();
    }
}
