package io.github.rhosweep.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rhosweep.math.RandomStream;
import io.github.rhosweep.scenario.Params;
import io.github.rhosweep.scenario.Scenario;
import java.util.HashMap;
import java.util.Map;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** The recorder fed by hand and by Lindley's recursion, never by the simulator. */
class RunRecorderTest {
    private final RunRecorder recorder = new RunRecorder();

    /** By default one source of single frames, each served in a slot of 10 ns. */
    private static Scenario scenario(String... keysAndValues) {
        Map<String, String> texts = new HashMap<>(
                Map.of("traffic.flows", "1", "traffic.message", "1 KiB", "switch.port_bandwidth_gb_per_s", "140.6"));
        for (int i = 0; i < keysAndValues.length; i += 2) {
            texts.put(keysAndValues[i], keysAndValues[i + 1]);
        }
        return Scenario.of(Params.parse(texts));
    }

    /** All of {@code n} single-frame messages delivered but the lost ones. */
    private static RunTotals totals(long n, long lost) {
        return totals(n, lost, 1);
    }

    private static RunTotals totals(long n, long lost, long endPs) {
        return new RunTotals(
                n,
                n - lost,
                lost,
                0,
                n,
                n - lost,
                lost,
                0,
                100 * n,
                100 * (n - lost),
                100 * lost,
                0,
                0,
                0,
                0,
                0,
                n,
                lost,
                3 * n,
                endPs);
    }

    private static SwitchCounters counters(long drops) {
        return new SwitchCounters(0, drops, 0, 0, 0, 1000, 9, 0, drops, 0);
    }

    private RunResult finish(RunTotals totals) {
        return recorder.finish(
                totals,
                TransportCounters.NONE,
                counters(totals.droppedFrames()),
                new long[] {1, 3},
                new long[] {5, 5},
                LinkUse.NONE,
                -1,
                235_430,
                null);
    }

    /** One M/D/1 queue with 10 ns service: messages of one frame, wait = latency less 235.430 ns. */
    private void md1(Scenario scenario, double rho, int n, double controlMeanPs) {
        md1(scenario, rho, n, controlMeanPs, 9_000);
    }

    /** @param wirePs time on the wire of a frame, in ps */
    private void md1(Scenario scenario, double rho, int n, double controlMeanPs, long wirePs) {
        recorder.start(scenario, controlMeanPs);
        RandomStream arrivals = new RandomStream(42);
        double time = 0;
        double workload = 0;
        for (int i = 0; i < n; i++) {
            double gap = arrivals.nextExponential() * 10_000 / rho;
            time += gap;
            workload = Math.max(0, workload - gap);
            long offer = (long) time;
            long wait = (long) workload;
            recorder.sourceLeft(offer, 0);
            recorder.bottleneckArrival(offer);
            recorder.voqLeft(offer, wait, wait);
            recorder.bottleneckService(offer + wait, wirePs, 10_000);
            recorder.frameDelivered(offer, wait + 235_430, wait);
            recorder.messageDelivered(offer, wait + 235_430, wait);
            recorder.payloadDelivered(offer + wait + 235_430, 1000);
            if (i == n - 1) {
                recorder.lastMeasuredOffer(offer);
            }
            workload += 10_000;
        }
    }

    @Test
    void steadyRun_yieldsWhatQueueingTheorySays() {
        int n = 20_000;
        md1(scenario("traffic.load", "0.5"), 0.5, n, 5000);
        RunResult r = finish(totals(n, 0));
        assertThat(r.stable()).isTrue();
        assertThat(r.nullReason()).isNull();
        assertThat(r.voqWait().meanPs())
                .isCloseTo(5000, Offset.offset(1.5 * r.voqWait().halfWidthPs()));
        assertThat(r.voqWait().controlledMeanPs()).isCloseTo(5000, Offset.offset(0.001));
        assertThat(r.messageLatency().meanPs() - r.voqWait().meanPs()).isCloseTo(235_430, Offset.offset(1e-6));
        assertThat(r.messageLatency().stdPs()).isCloseTo(r.voqWait().stdPs(), Offset.offset(1e-6));
        assertThat(r.messageLatency().halfWidthPs()).isCloseTo(r.voqWait().halfWidthPs(), Offset.offset(1e-6));
        assertThat(r.sourceWait().meanPs()).isZero();
        // Half of the messages wait for nothing. Tail: C exp(-eta t), eta = 1.25643, C = .6610, so p99 3.335 and p99.9
        // 5.168
        // services; 200 and 20 samples lie beyond, in clusters of about two: three standard errors .24 and .76.
        assertThat(r.voqWait().p50Ps()).isLessThan(1000);
        assertThat(r.voqWait().p99Ps()).isCloseTo(33_350, Offset.offset(2_400.0));
        assertThat(r.voqWait().p999Ps()).isCloseTo(51_680, Offset.offset(7_600.0));
        // Poisson counts of 20000: standard error .7%, here three of them.
        double perPs = 0.5 / 10_000;
        assertThat(value(Metric.UTILISATION, r)).isCloseTo(9000 * perPs, Offset.offset(0.45 * 0.022));
        assertThat(value(Metric.GOODPUT_GB_PER_S, r)).isCloseTo(1e6 * perPs, Offset.offset(50 * 0.022));
        assertThat(value(Metric.LOAD_SLOTS, r)).isCloseTo(0.5, Offset.offset(0.5 * 0.022));
        // SCV of exponentials: standard error sqrt(8/n) = .02.
        assertThat(value(Metric.ARRIVAL_SCV, r)).isCloseTo(1, Offset.offset(0.06));
        assertThat(value(Metric.SERVICE_SCV, r)).isZero();
        assertThat(value(Metric.JAIN_FLOWS, r)).isEqualTo(0.8);
        assertThat(value(Metric.JAIN_INGRESSES, r)).isEqualTo(1);
        assertThat(value(Metric.SLOWDOWN_VS_IDLE, r)).isCloseTo(240_430 / 235_430.0, Offset.offset(0.01));
        assertThat(Metric.COMPLETION_NS.of(r)).isNull();
    }

    @Test
    void aRecorder_servesManyRuns_andForgetsTheLast() {
        Scenario scenario = scenario("traffic.load", "0.5", "measure.messages", "5000");
        md1(scenario, 0.5, 5000, 5000);
        RunResult first = finish(totals(5000, 0));
        md1(scenario("traffic.load", "0.9"), 0.9, 20_000, 45_000);
        finish(totals(20_000, 0));
        md1(scenario, 0.5, 5000, 5000);
        assertThat(finish(totals(5000, 0))).isEqualTo(first);
    }

    @Test
    void overload_hasNoMeanButTheRest() {
        md1(scenario("traffic.load", "1.2", "measure.messages", "5000"), 1.2, 5000, Double.NaN, 10_000);
        RunResult r = finish(totals(5000, 0));
        assertThat(r.stable()).isFalse();
        assertThat(r.nullReason()).isEqualTo("load is 1 or more: no steady state");
        assertThat(r.messageLatency().meanPs()).isNull();
        assertThat(r.messageLatency().halfWidthPs()).isNull();
        assertThat(r.messageLatency().p99Ps()).isNotNull();
        assertThat(value(Metric.UTILISATION, r)).isBetween(0.99, 1.0); // it starts empty

        // The same growth at a load that ought to be stable: seen in the data alone.
        md1(scenario("traffic.load", "0.9"), 1.2, 20_000, Double.NaN);
        r = finish(totals(20_000, 0));
        assertThat(r.stable()).isFalse();
        assertThat(r.nullReason()).isEqualTo("latency grew throughout the run: no steady state");
    }

    @Test
    void lostMessages_leaveNoControlledMean_andAllLostNoLatency() {
        md1(scenario("traffic.load", "0.5"), 0.5, 20_000, 5000);
        RunResult r = finish(totals(20_001, 1));
        assertThat(r.messageLatency().meanPs()).isNotNull();
        assertThat(r.messageLatency().controlledMeanPs()).isNull();
        assertThat(r.nullReason()).isEqualTo("the control variate knows no loss");
        assertThat(value(Metric.LOST_MESSAGE_FRACTION, r)).isEqualTo(1 / 20_001.0);

        recorder.start(scenario("traffic.load", "0.5"), Double.NaN);
        recorder.lastMeasuredOffer(1000);
        r = finish(totals(10, 10));
        assertThat(r.messageLatency()).isEqualTo(Estimate.NONE);
        assertThat(r.nullReason()).isEqualTo("every measured message was lost");
    }

    @Test
    void finiteRun_countsEverything() {
        recorder.start(scenario("traffic.arrivals", "once"), Double.NaN);
        long[] latencies = {400_000, 500_000, 900_000};
        for (long latency : latencies) {
            recorder.messageDelivered(0, latency, 0);
            recorder.payloadDelivered(latency, 65_536);
        }
        recorder.lastMeasuredOffer(0);
        RunResult r = finish(totals(3, 0, 900_000));
        assertThat(r.messageLatency().meanPs()).isEqualTo(600_000);
        assertThat(r.messageLatency().maxPs()).isEqualTo(900_000);
        assertThat(r.messageLatency().n()).isEqualTo(3);
        assertThat(r.messageLatency().halfWidthPs()).isNull();
        assertThat(r.stable()).isNull();
        assertThat(r.nullReason()).isNull();
        assertThat(value(Metric.COMPLETION_NS, r)).isEqualTo(900);
        assertThat(value(Metric.GOODPUT_GB_PER_S, r)).isEqualTo(3 * 65_536 / 900.0);
    }

    @Test
    void frameThatIsSentAcrossTheEnd_countsUpToTheEnd() {
        recorder.start(scenario("traffic.load", "1.5"), Double.NaN);
        recorder.bottleneckService(0, 700, 700);
        // Given to the egress before the end, but it sends one frame after the other.
        recorder.bottleneckService(700, 700, 700);
        recorder.bottleneckService(1400, 700, 700);
        recorder.lastMeasuredOffer(1000);
        recorder.bottleneckService(2100, 700, 700);
        RunResult r = finish(totals(10, 0));
        assertThat(r.bottleneckBusyPs()).isEqualTo(1000);
        assertThat(value(Metric.UTILISATION, r)).isEqualTo(1);
    }

    @Test
    void finiteRunWithLosses_isMeasuredToItsEnd_notToTheLastDelivery() {
        recorder.start(scenario("traffic.arrivals", "once"), Double.NaN);
        recorder.bottleneckArrival(100);
        recorder.bottleneckService(100, 1000, 1000);
        recorder.payloadDelivered(2000, 1024);
        recorder.bottleneckArrival(4000);
        recorder.bottleneckService(4000, 1000, 1000);
        recorder.lastMeasuredOffer(0);
        RunResult r = finish(totals(3, 2, 8000));
        assertThat(r.measuredToPs()).isEqualTo(8000);
        assertThat(value(Metric.UTILISATION, r)).isEqualTo(0.25);
        assertThat(value(Metric.GOODPUT_GB_PER_S, r)).isEqualTo(128);
        assertThat(Metric.COMPLETION_NS.of(r)).isNull();
    }

    @Test
    void warmupThatIsGiven_isRemovedToThePicosecond() {
        recorder.start(
                scenario("traffic.load", "0.5", "measure.warmup", "10 us", "measure.messages", "1000"), Double.NaN);
        for (int i = 0; i < 1000; i++) {
            recorder.messageDelivered(i * 20_000L, i < 500 ? 1 : 2 + i % 2, 0);
        }
        recorder.lastMeasuredOffer(999 * 20_000L);
        RunResult r = finish(totals(1000, 0));
        assertThat(r.measuredFromPs()).isEqualTo(10_000_000);
        assertThat(r.messageLatency().n()).isEqualTo(500);
        assertThat(r.messageLatency().meanPs()).isEqualTo(2.5);
        assertThat(r.messageLatency().halfWidthPs()).isNotNull();
    }

    @Test
    void periodicSources_haveAnIntervalAcrossReplicatesOnly() {
        recorder.start(scenario("traffic.load", "0.5", "traffic.arrivals", "periodic"), Double.NaN);
        for (int i = 0; i < 1000; i++) {
            recorder.messageDelivered(i * 20_000L, 400_000 + i % 3, 0);
        }
        recorder.lastMeasuredOffer(999 * 20_000L);
        RunResult r = finish(totals(1000, 0));
        assertThat(r.messageLatency().meanPs()).isNotNull();
        assertThat(r.messageLatency().halfWidthPs()).isNull();
        assertThat(r.nullReason()).contains("across replicates only");
    }

    @Test
    void whatDoesNotBalance_isRefusedWithTheNumbers() {
        assertThatThrownBy(() -> new RunTotals(10, 8, 1, 1, 490, 450, 30, 9, 1, 1, 0, 0, 0, 0, 0, 0, 10, 1, 1, 1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(
                        "run does not balance: 490 frames offered, but 450 delivered + 30 dropped + 9 in flight = 489");
        assertThatThrownBy(() -> new RunTotals(10, 8, 1, 1, 5, 5, 0, 0, 7, 8, -1, 0, 0, 0, 0, 0, 10, 1, 1, 1))
                .hasMessageContaining("7 bytes offered");
        assertThatThrownBy(() -> new RunTotals(10, 8, 1, 1, 5, 5, 0, 0, 7, 7, 0, 0, 0, 0, 0, 0, 10, 11, 1, 1))
                .hasMessageContaining("11 of those lost");
        recorder.start(scenario("traffic.load", "0.5"), Double.NaN);
        recorder.lastMeasuredOffer(1);
        assertThatThrownBy(() -> recorder.finish(
                        totals(10, 2),
                        TransportCounters.NONE,
                        counters(3),
                        new long[0],
                        new long[0],
                        LinkUse.NONE,
                        -1,
                        1,
                        null))
                .hasMessage("run does not balance: the switch dropped 3 frames, the run counts 2 as dropped");
    }

    private static double value(Metric metric, RunResult r) {
        return (Double) metric.of(r);
    }
}
