package io.github.rhosweep.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.rhosweep.kernel.ControlVariate;
import io.github.rhosweep.kernel.Points;
import io.github.rhosweep.kernel.Simulation;
import io.github.rhosweep.model.Models;
import io.github.rhosweep.result.Metric;
import io.github.rhosweep.result.Row;
import io.github.rhosweep.result.RunResult;
import io.github.rhosweep.scenario.Scenario;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Cost models of collectives and pipelines: their textbook numbers, and what the simulator measures on idle fabrics. */
class ClosedPatternsAgainstTheoryTest {
    private static @Nullable Object predicted(Scenario scenario, String column) {
        return new Row(Models.columns(), Models.predict(scenario).values()).get(column);
    }

    private static double prediction(Scenario scenario, String column) {
        Object value = predicted(scenario, column);
        assertThat(value).as(column).isNotNull();
        return (double) value;
    }

    private static double completionNs(Scenario scenario) {
        RunResult result = Simulation.run(scenario, 1, ControlVariate.NONE);
        Object value = Metric.COMPLETION_NS.of(result);
        assertThat(value).isNotNull();
        return (double) value;
    }

    /** alpha 1 us, 50 GB/s, a million bytes on the wire among 8: 49 us all-reduced by a ring, 24.5 us exchanged in pairs. */
    @Test
    void textbookNumbers() {
        String[] fields = {
            "traffic.pattern=ring",
            "traffic.message=950400 B", // 100 frames of 1250 wire bytes a piece
            "traffic.frame_payload_bytes=1188",
            "switch.frame_size_bytes=1250",
            "switch.port_bandwidth_gb_per_s=50",
            "link.latency=472.5 ns" // twice, and 30 ns of forwarding, and 25 ns of the first frame's access: 1 us
        };
        assertThat(prediction(Points.of(fields), "pred_ring_completion_ns")).isEqualTo(49_000, within(1e-6));
        fields[0] = "traffic.pattern=all-to-all";
        Scenario exchange = Points.of(fields);
        assertThat(prediction(exchange, "pred_alltoall_pairwise_completion_ns")).isEqualTo(24_500, within(1e-6));
        // log2 8 (alpha + n/(2 beta)) = 3 (1 us + 10 us)
        assertThat(prediction(exchange, "pred_alltoall_bruck_time_ns")).isEqualTo(33_000, within(1e-6));
        // log2 8 (alpha + n/beta); log2 8 alpha + 7/8 n/beta and 7 (alpha + n/(8 beta)).
        assertThat(prediction(exchange, "pred_broadcast_binomial_time_ns")).isEqualTo(63_000, within(1e-6));
        assertThat(prediction(exchange, "pred_broadcast_van_de_geijn_time_ns")).isEqualTo(45_000, within(1e-6));
        // 7/8 of the buffer leaves each host.
        assertThat(prediction(exchange, "pred_schedule_bound_completion_ns")).isEqualTo(17_500, within(1e-6));
        fields[0] = "traffic.pattern=recursive-doubling";
        Scenario doubling = Points.of(fields);
        assertThat(prediction(doubling, "pred_recursive_doubling_completion_ns"))
                .isEqualTo(63_000, within(1e-6));
        // 2 log2 8 alpha + 2 x 7/8 n/beta
        assertThat(prediction(doubling, "pred_rabenseifner_time_ns")).isEqualTo(41_000, within(1e-6));
        assertThat(predicted(doubling, "pred_ring_completion_ns")).isNull();
        assertThat(predicted(doubling, "pred_pipeline_bubble_ns")).isNull();
    }

    @Test
    void ringOfAMegabyteAmongEight_default() {
        Scenario ring = Points.of("traffic.pattern=ring", "traffic.message=1000000 B");
        assertThat(prediction(ring, "pred_ring_completion_ns")).isEqualTo(7848.19, within(1e-6));
        assertThat(completionNs(ring)).isEqualTo(7848.19, within(1e-6));
        assertThat(prediction(ring, "pred_alpha_beta_message_ns")).isEqualTo(560.585, within(1e-6));
    }

    /** On an idle non-blocking fabric the model of what is run holds within 3%, and the bound is one. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ring | traffic.pattern=ring; traffic.flows=5; traffic.message=3 MB
            ring | traffic.pattern=ring; traffic.ring_operation=all-gather; traffic.flows=32; traffic.message=1 MiB
            ring | traffic.pattern=ring; traffic.chunks=4; traffic.message=1 MiB
            ring | traffic.pattern=ring; traffic.chunks=16; traffic.message=8 MiB
            ring | traffic.pattern=ring; traffic.flows=16; traffic.message=1 MiB; topology.kind=leaf-spine; topology.spines=8
            ring | traffic.pattern=ring; traffic.flows=16; traffic.chunks=8; traffic.message=8 MiB; topology.kind=leaf-spine; topology.spines=2; topology.oversubscription=8
            recursive_doubling | traffic.pattern=recursive-doubling; traffic.message=1 MiB
            recursive_doubling | traffic.pattern=recursive-doubling; traffic.flows=16; traffic.message=64 KiB; topology.kind=leaf-spine; topology.spines=16; routing.kind=spray
            recursive_doubling | traffic.pattern=recursive-doubling; traffic.chunks=8; traffic.message=1 MiB
            alltoall_direct | traffic.pattern=all-to-all; traffic.flows=16; traffic.message=4 MiB
            alltoall_direct | traffic.pattern=all-to-all; traffic.self=true; traffic.message=4 MiB
            alltoall_direct | traffic.pattern=all-to-all; traffic.flows=16; traffic.message=4 MiB; traffic.skew=zipf
            pipeline_bubble | traffic.pattern=pipeline; traffic.arrivals=once; traffic.flows=4
            pipeline_bubble | traffic.pattern=pipeline; traffic.arrivals=once; traffic.chunks=4; traffic.message=1 MiB
            pipeline_bubble | traffic.pattern=pipeline; traffic.arrivals=once; traffic.stages=2; traffic.backward=true
            """)
    void idleFabric_meetsTheModel(String model, String fields) {
        Scenario scenario = Points.of((fields + "; switch.buffer_capacity_bytes=1 GiB").split("; "));
        double measured = completionNs(scenario);
        assertThat(prediction(scenario, "pred_" + model + "_completion_ns"))
                .isEqualTo(measured, within(0.03 * measured));
        assertThat(prediction(scenario, "pred_schedule_bound_completion_ns")).isLessThanOrEqualTo(measured);
    }

    /** Both ways share the NICs of the stages in the middle. */
    @Test
    void pipelineWithItsWayBack_isAsTheModelSays_andItsBubbleBeside() {
        Scenario scenario = Points.of(
                "traffic.pattern=pipeline",
                "traffic.arrivals=once",
                "traffic.backward=true",
                "traffic.micro_batches=16",
                "switch.buffer_capacity_bytes=1 GiB");
        double measured = completionNs(scenario);
        assertThat(prediction(scenario, "pred_pipeline_bubble_completion_ns"))
                .isEqualTo(measured, within(0.15 * measured));
        Scenario forward = Points.of("traffic.pattern=pipeline", "traffic.arrivals=once");
        RunResult result = Simulation.run(forward, 1, ControlVariate.NONE);
        double bubble = (double) Metric.PIPELINE_BUBBLE_NS.of(result);
        assertThat(prediction(forward, "pred_pipeline_bubble_ns")).isEqualTo(bubble, within(0.03 * bubble));
    }

    /** Four hosts a leaf exchange three quarters of their buffers over spines that have a quarter of the hosts' bandwidth. */
    @Test
    void scheduleBound_seesOversubscription() {
        Scenario scenario = Points.of(
                "traffic.pattern=all-to-all",
                "traffic.flows=16",
                "traffic.message=1376256 B", // 64 full frames a pair
                "topology.kind=leaf-spine",
                "topology.leaves=4",
                "topology.spines=2",
                "topology.oversubscription=4",
                "routing.kind=spray",
                "switch.buffer_capacity_bytes=1 GiB");
        double pair = 64 * 1406;
        // Each leaf: 4 hosts x 12 others over 400 GB/s in all.
        double bound = 4 * 12 * pair / 400;
        assertThat(prediction(scenario, "pred_schedule_bound_completion_ns")).isEqualTo(bound, within(1e-6 * bound));
        assertThat(completionNs(scenario)).isBetween(bound, 1.25 * bound);
    }

    /** 40 Gb/s, the paper's constants, 1000 B frames; from N = 15 on the queue goes round about kmax. */
    @ParameterizedTest
    @CsvSource({"2, 7.76988633e-4, 20151", "8, 4.55211145e-3, 93766"})
    void dcqcnFixedPoint_isThatOfTheFluidModel(int flows, double p, double queue) {
        Scenario scenario = dcqcn(flows);
        assertThat(prediction(scenario, "pred_dcqcn_fixed_point_mark_probability"))
                .isEqualTo(p, within(1e-8 * p));
        assertThat(prediction(scenario, "pred_dcqcn_fixed_point_queue_bytes")).isEqualTo(queue, within(1.0));
    }

    @Test
    void dcqcnFixedPoint_isNoneBeyondPmax() {
        assertThat(predicted(dcqcn(14), "pred_dcqcn_fixed_point_queue_bytes")).isNotNull();
        assertThat(predicted(dcqcn(15), "pred_dcqcn_fixed_point_queue_bytes")).isNull();
        assertThat(predicted(Points.of(), "pred_dcqcn_fixed_point_queue_bytes")).isNull();
    }

    private static Scenario dcqcn(int flows) {
        return Points.of(
                "traffic.flows=" + flows,
                "traffic.frame_payload_bytes=938",
                "switch.frame_size_bytes=1000",
                "switch.port_bandwidth_gb_per_s=5",
                "switch.buffer_capacity_bytes=10000000",
                "switch.ecn_kmin=0.0005",
                "switch.ecn_kmax=0.02",
                "switch.ecn_pmax=0.01",
                "transport.sender=dcqcn",
                "dcqcn.preset=paper-40g");
    }
}
