package io.github.rhosweep.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rhosweep.math.RandomStream;
import io.github.rhosweep.result.Estimate;
import io.github.rhosweep.result.RunResult;
import io.github.rhosweep.result.RunTotals;
import io.github.rhosweep.scenario.SemanticsVersion;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Whole runs of a few fixed points give what they have always given, to the last bit: how the simulator is made faster must not
 * show. A change of what a point means changes the digests here, and with them {@link SemanticsVersion}.
 */
class GoldenRunsTest {
    @Test
    void digests_areOfTheseSemantics() {
        assertThat(SemanticsVersion.CURRENT)
                .as("raised: renew the digests below")
                .isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            64428c2052939a7 | traffic.load=0.8; measure.messages=2000
            bd38fdb96518b9ab | traffic.load=0.8; traffic.message=1 B; measure.messages=5000; traffic.arrivals=bernoulli
            fda6ec65cfbc322e | traffic.load=0.9; traffic.arrivals=on-off; switch.buffer_capacity_bytes=64 KiB; measure.messages=2000
            4bba2373c0882de8 | traffic.load=0.9; traffic.arrivals=hyperexponential; switch.priority_mode=strict; measure.messages=2000
            f0fc817a4cddb2e2 | traffic.load=1.2; traffic.arrivals=erlang; switch.egress_gate=busy; measure.messages=1000
            2ff7646354a26bb0 | traffic.load=0.7; traffic.pattern=uniform; traffic.flows=16; measure.messages=1000
            6e5739d428d400ec | traffic.load=0.7; traffic.pattern=uniform; traffic.flows=70; traffic.message=5000 B; measure.messages=2000
            bbd52c91813a1a92 | traffic.load=0.5; traffic.pattern=diagonal; traffic.arrivals=batch; traffic.batch=3; measure.messages=1000
            a7bfb3ca512a2fbd | traffic.load=0.5; traffic.pattern=hotspot; switch.alpha=0.25; switch.buffer_capacity_bytes=64 KiB; measure.messages=1000
            dd556df2fdb571e3 | traffic.load=0.9; traffic.pattern=permutation; traffic.arrivals=periodic; measure.messages=1000
            6e798b9ddfd1c597 | traffic.load=0.5; link.bandwidth=unlimited; traffic.arrivals=synchronized; measure.messages=500
            22f7c196f13959e7 | traffic.arrivals=once; traffic.flows=32; traffic.message=256 KiB; switch.buffer_capacity_bytes=1 MiB
            10318c99b0da7153 | traffic.load=0.6; topology.kind=direct; traffic.flows=1; measure.messages=2000
            """)
    void run_givesWhatItAlwaysGave(String digest, String fields) {
        RunResult result = Simulation.run(Points.of(fields.split("; ")), 1, ControlVariate.NONE);
        assertThat(Long.toHexString(digest(result))).isEqualTo(digest);
    }

    private static long digest(RunResult r) {
        RunTotals t = r.totals();
        long hash = 0;
        for (long count : new long[] {
            t.offeredMessages(),
            t.deliveredMessages(),
            t.lostMessages(),
            t.offeredFrames(),
            t.deliveredFrames(),
            t.droppedFrames(),
            t.deliveredBytes(),
            t.droppedBytes(),
            t.measuredLostMessages(),
            t.events(),
            t.endPs(),
            r.measuredFromPs(),
            r.measuredToPs(),
            r.deliveredPayloadBytes(),
            r.bottleneckBusyPs(),
            r.bottleneckFrames()
        }) {
            hash = RandomStream.mix(hash ^ count);
        }
        for (@Nullable
        Double number : Arrays.asList(r.arrivalScv(), r.serviceScv(), r.jainFlows(), r.jainIngresses())) {
            hash = add(hash, number);
        }
        for (Estimate e : new Estimate[] {r.messageLatency(), r.frameLatency(), r.voqWait(), r.sourceWait()}) {
            hash = RandomStream.mix(hash ^ e.n());
            for (@Nullable
            Double number : Arrays.asList(e.meanPs(), e.stdPs(), e.p50Ps(), e.p999Ps(), e.maxPs(), e.halfWidthPs())) {
                hash = add(hash, number);
            }
        }
        return hash;
    }

    private static long add(long hash, @Nullable Double number) {
        return RandomStream.mix(hash + (number == null ? 1 : Double.doubleToLongBits(number)));
    }
}
