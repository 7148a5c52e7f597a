package io.github.rhosweep.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.rhosweep.math.RandomStream;
import io.github.rhosweep.result.Column;
import io.github.rhosweep.result.Row;
import io.github.rhosweep.scenario.InvalidValueException;
import io.github.rhosweep.scenario.Params;
import io.github.rhosweep.scenario.Scenario;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the models say of whole points. */
class ModelsTest {
    private static final double T_AB = 404.950; // 64 KiB through the default switch
    private static final double M = 171.435; // 68574 B at 400 GB/s
    private static final double S = 49 * 3.515; // b tau

    static Scenario scenario(String... pairs) {
        Map<String, String> given = new HashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            given.put(pairs[i], pairs[i + 1]);
        }
        return Scenario.of(Params.parse(given));
    }

    static @Nullable Object predicted(String column, Scenario scenario) {
        return new Row(Models.columns(), Models.predict(scenario).values()).get(column);
    }

    static double ns(String column, Scenario scenario) {
        Object value = predicted("pred_" + column, scenario);
        assertThat(value).as(column).isNotNull();
        return (Double) value;
    }

    static @Nullable String reason(String column, Scenario scenario) {
        assertThat(predicted("pred_" + column, scenario)).isNull();
        return Models.predict(scenario).reasons().get("pred_" + column);
    }

    /** Default point (8 senders, 64 KiB, Poisson, rho .5), each by hand from T_ab, M/beta, S = b tau. */
    @Test
    void defaultPoint_messageLatency() {
        Scenario point = scenario();
        assertThat(ns("alpha_beta_message_ns", point)).isEqualTo(T_AB);
        assertThat(ns("static_message_ns", point)).isEqualTo(T_AB + M * 7 / 16, within(1e-9));
        assertThat(ns("static_all_message_ns", point)).isEqualTo(T_AB + M * 7, within(1e-9));
        assertThat(ns("flows_divisor_message_ns", point)).isEqualTo(T_AB * 8, within(1e-9));
        assertThat(ns("astra_unaware_message_ns", point)).isEqualTo(230 + M, within(1e-9));
        double wireLoad = 0.5 * M / S;
        assertThat(ns("astra_aware_message_ns", point))
                .isEqualTo(230 + 2 * M + M * wireLoad / (2 * (1 - wireLoad)), within(1e-9));
        assertThat(ns("mm1_message_ns", point)).isEqualTo(T_AB + S, within(1e-9));
        assertThat(ns("mm1_message_p99_ns", point)).isEqualTo(T_AB + S * Math.log(50) / 0.5, within(1e-9));
        assertThat(ns("md1_message_ns", point)).isEqualTo(T_AB + S / 2, within(1e-9));
        assertThat(ns("md1_message_p50_ns", point)).isEqualTo(T_AB, within(1e-9)); // half do not wait
        assertThat(ns("mg1_message_ns", point)).isEqualTo(T_AB + S / 2, within(1e-9));
        assertThat(ns("mg1_ps_message_ns", point)).isEqualTo(T_AB + M, within(1e-9));
        assertThat(ns("rr_messages_message_ns", point))
                .isEqualTo(T_AB + S / 2 * (1 + 48.0 / 49 * 3.5 / 4.5), within(1e-9));
        assertThat(ns("kingman_message_ns", point)).isEqualTo(T_AB + S / 2, within(1e-9));
        assertThat(ns("klb_message_ns", point)).isEqualTo(T_AB + S / 2, within(1e-9));
        assertThat(ns("marchal_message_ns", point)).isEqualTo(T_AB + S / 2, within(1e-9));
        assertThat(ns("md1k_message_ns", point)).isEqualTo(T_AB + S / 2, within(1e-9)); // the buffer never fills
        assertThat(ns("md1k_lost_message_fraction", point)).isLessThan(1e-60);
        double staticLatency = T_AB + M * 7 / 16;
        assertThat(ns("segmented_message_ns", point)).isEqualTo(staticLatency + S / 2, within(1e-9));
        assertThat(ns("segmented_plain_message_ns", point)).isEqualTo(T_AB + S / 2, within(1e-9));
        assertThat(ns("segmented_auto_message_ns", point)).isEqualTo(staticLatency + S / 2, within(1e-9));
        assertThat(ns("segmented_burst_message_ns", point))
                .isEqualTo(staticLatency + S * 0.5 / 0.5 * 2 * Math.exp(-0.5 * 3 / 4), within(1e-9));
    }

    /** The same point, frames: T_ab of a full frame is 237.030 ns; frames of a message come b at a time. */
    @Test
    void defaultPoint_frameLatencyAndBuffers() {
        Scenario point = scenario();
        assertThat(ns("alpha_beta_frame_ns", point)).isEqualTo(237.030);
        assertThat(ns("md1_frame_ns", point)).isEqualTo(237.030 + 3.515 / 2, within(1e-9));
        assertThat(ns("mm1_frame_ns", point)).isEqualTo(237.030 + 3.515, within(1e-9));
        assertThat(ns("kingman_frame_ns", point)).isEqualTo(237.030 + 3.515 * 49 / 2, within(1e-9));
        assertThat(ns("batch_md1_voq_wait_ns", point)).isEqualTo(3.515 * 48.5, within(1e-9));
        assertThat(ns("dt_steady_queue_bytes", point)).isEqualTo(2.0 * 16_777_216 / 17, within(1e-6));
        assertThat(ns("dt_steady_buffer_bytes", point)).isEqualTo(8 * 2.0 * 16_777_216 / 17, within(1e-6));
        assertThat(predicted("regime", point)).isEqualTo("transition");
        assertThat(predicted("congested_onset", point)).isEqualTo(true);
        assertThat(predicted("verify_by_simulation", point)).isEqualTo(false);
        assertThat(reason("nddd1_voq_wait_ns", point)).isEqualTo("only for periodic messages of one frame to one host");
        assertThat(reason("sync_incast_voq_wait_ns", point)).contains("only for aligned senders");
        assertThat(reason("incast_onset_t_fill_ns", point)).contains("only for aligned senders");
        assertThat(reason("output_queued_voq_wait_ns", point)).contains("only for Bernoulli");
    }

    @Test
    void directLink_isAQueueAtTheNic() {
        Scenario point = scenario("topology.kind", "direct", "traffic.flows", "1");
        assertThat(ns("md1_message_ns", point)).isEqualTo(271.435 + S / 2, within(1e-9));
        assertThat(reason("concentrator_md1_voq_wait_ns", point)).isEqualTo("no switch, so no VOQ");
        assertThat(reason("md1k_message_ns", point)).isEqualTo("no switch, so no buffer");
        assertThat(reason("dt_steady_queue_bytes", point)).isEqualTo("no switch, so no buffer");
    }

    /** Eight flows at 50 GB/s fit a port of 400: sharing slows none of them; sixteen are slowed twofold. */
    @Test
    void slowNics_shareOnlyBeyondThePortsCapacity() {
        assertThat(ns("static_all_message_ns", scenario("link.bandwidth", "50 GB/s")))
                .isEqualTo(1604.195);
        assertThat(ns("static_all_message_ns", scenario("link.bandwidth", "50 GB/s", "traffic.flows", "16")))
                .isEqualTo(1604.195 + 1371.480, within(1e-9));
    }

    @Test
    void aligned_everyOtherFlowIsActive() {
        assertThat(ns("static_message_ns", scenario("traffic.arrivals", "once")))
                .isEqualTo(T_AB + M * 7, within(1e-9));
        assertThat(ns("static_message_ns", scenario("traffic.arrivals", "synchronized")))
                .isEqualTo(T_AB + M * 7, within(1e-9));
        assertThat(ns("astra_aware_message_ns", scenario("traffic.arrivals", "once")))
                .isEqualTo(230 + 2 * M + 3.5 * M, within(1e-9));
    }

    @Test
    void once_hasNoLoad_soNoQueueingModel_andIsLeftToTheSimulator() {
        Scenario point = scenario("traffic.arrivals", "once");
        assertThat(reason("md1_message_ns", point)).isEqualTo("the arrival process has no load");
        assertThat(reason("segmented_message_ns", point)).isEqualTo("the arrival process has no load");
        assertThat(reason("mm1k_frame_ns", point)).isEqualTo("the arrival process has no load");
        assertThat(predicted("regime", point)).isNull();
        assertThat(Models.predict(point).reasons()).containsKeys("regime", "congested_onset");
        assertThat(predicted("verify_by_simulation", point)).isEqualTo(true);
    }

    @Test
    void saturated_onlyFiniteQueuesAndBoundsAreLeft() {
        Scenario point = scenario("traffic.load", "1.25");
        for (String id :
                List.of("mm1", "md1", "mg1", "mg1_ps", "rr_messages", "kingman", "segmented", "segmented_auto")) {
            assertThat(reason(id + "_message_ns", point)).as(id).isEqualTo("load of 1 or more: no steady state");
        }
        assertThat(ns("md1k_lost_message_fraction", point)).isEqualTo(0.2, within(1e-9));
        assertThat(ns("segmented_plain_message_ns", point)).isEqualTo(8 * M, within(1e-9));
    }

    /** Thresholds belong to the regime above them. */
    @ParameterizedTest
    @CsvSource({
        "0.29, low, false, false",
        "0.3, transition, false, false",
        "0.5, transition, true, false",
        "0.69, transition, true, false",
        "0.7, congested, true, true",
        "1.5, congested, true, true"
    })
    void regime_byLoad(String load, String regime, boolean onset, boolean verify) {
        Scenario point = scenario("traffic.load", load);
        assertThat(predicted("regime", point)).isEqualTo(regime);
        assertThat(predicted("congested_onset", point)).isEqualTo(onset);
        assertThat(predicted("verify_by_simulation", point)).isEqualTo(verify);
    }

    @Test
    void segmented_regimes() {
        Scenario low = scenario("traffic.load", "0.2");
        assertThat(ns("segmented_message_ns", low)).isEqualTo(ns("static_message_ns", low));
        assertThat(ns("segmented_plain_message_ns", low)).isEqualTo(T_AB);
        Scenario high = scenario("traffic.load", "0.9");
        double flows = 1 + 7 * 0.9 / 8;
        assertThat(ns("segmented_message_ns", high)).isEqualTo(T_AB + M * (flows - 1) + 4.5 * S, within(1e-9));
        assertThat(ns("segmented_plain_message_ns", high)).isEqualTo(M * flows, within(1e-9));
        // A matching that cannot saturate: eta = (N-1)/N.
        Scenario islip1 = scenario(
                "traffic.load",
                "0.9",
                "traffic.pattern",
                "uniform",
                "traffic.self",
                "false",
                "switch.islip_iterations",
                "1");
        assertThat(ns("segmented_plain_message_ns", islip1)).isEqualTo(M * (1 + 6 * 0.9 / 7) * 8 / 7, within(1e-9));
    }

    @Test
    void segmentedAuto_thresholdsAreRootsOfTheirContention() {
        for (double a : new double[] {0, 0.5, 0.875, 1}) {
            for (double y : new double[] {1e-6, 0.1, 1, 50, 1e6}) {
                double rho = SegmentedAuto.loadAt(a, y);
                assertThat(rho).isBetween(0.0, 1.0);
                // The residue of a root that is only known to an ulp grows like 1/(1-rho)^2.
                assertThat(a * rho + rho / (2 * (1 - rho)))
                        .isEqualTo(y, within(1e-12 * y + 1e-15 / ((1 - rho) * (1 - rho))));
            }
        }
        // 1344 B over a long path: even at .6 contention is below 5% of T_ab.
        Scenario shortMessages = scenario("traffic.message", "1344 B", "traffic.load", "0.6");
        assertThat(ns("segmented_auto_message_ns", shortMessages)).isEqualTo(ns("static_message_ns", shortMessages));
    }

    /** c_a^2 of a merged stream: exact for Poisson; one source keeps its own; batches and frames multiply. */
    @Test
    void arrivalVariation_isKnownBeforeTheRun() {
        assertThat(Point.of(scenario()).arrivalScv(Target.MESSAGE)).isEqualTo(1, within(1e-15));
        assertThat(Point.of(scenario()).arrivalScv(Target.FRAME)).isEqualTo(49, within(1e-12));
        Scenario batches = scenario("traffic.arrivals", "batch", "traffic.batch", "4", "traffic.message", "1344 B");
        assertThat(Point.of(batches).arrivalScv(Target.FRAME)).isEqualTo(4, within(1e-12));
        Scenario one = scenario("traffic.arrivals", "hyperexponential", "traffic.flows", "1");
        assertThat(Point.of(one).arrivalScv(Target.MESSAGE)).isEqualTo(4, within(1e-12));
        Scenario many = scenario("traffic.arrivals", "hyperexponential", "traffic.flows", "8", "traffic.load", "0.5");
        assertThat(Point.of(many).arrivalScv(Target.MESSAGE)).isEqualTo(1 + 3.0 / 8, within(1e-12)); // w = 1/(1+7)
        Scenario volley = scenario("traffic.arrivals", "synchronized");
        assertThat(Point.of(volley).arrivalScv(Target.MESSAGE)).isEqualTo(7);
        assertThat(reason("kingman_message_ns", scenario("traffic.arrivals", "synchronized", "traffic.jitter", "1 us")))
                .isEqualTo("c_a^2 of these arrivals is not known before the run");
    }

    /** A burst of 1 MB flows into 4 MB at 50 GB/s and everything shared fills in 11.43 us at N = 8 and overflows from N = 6. */
    @ParameterizedTest
    @CsvSource({"5, false, 20000", "6, true, 16000", "8, true, 11428.571"})
    void incastOnset_ofTheDesignsExample(int flows, boolean collapse, double fillNs) {
        Scenario point = scenario(
                "traffic.flows",
                String.valueOf(flows),
                "traffic.arrivals",
                "once",
                "traffic.message",
                "1000000 B",
                "traffic.frame_payload_bytes",
                "1000000",
                "switch.frame_size_bytes",
                "auto",
                "switch.port_bandwidth_gb_per_s",
                "50",
                "switch.buffer_capacity_bytes",
                "4000300", // 4 MB and room for 4 headers of 62 B
                "switch.alpha",
                "1000000");
        assertThat(predicted("pred_incast_onset_collapse", point)).isEqualTo(collapse);
        assertThat(ns("incast_onset_t_fill_ns", point)).isEqualTo(fillNs, within(fillNs * 1e-4));
        assertThat(predicted("verify_by_simulation", point)).isEqualTo(true);
    }

    /** Each fixed point satisfies its own admission rule with equality when Q VOQs hold it. */
    @Test
    void dynamicThreshold_levelsAreFixedPointsOfAdmission() {
        double[][] published = {{1, 10666666.7}, {2, 6400000}, {8, 1882352.9}};
        for (double[] row : published) {
            Scenario point = scenario("switch.buffer_capacity_bytes", "16000000");
            assertThat(DynamicThreshold.queueLimitBytes(point.switchSpec(), row[0]))
                    .isEqualTo(row[1], within(0.05));
        }
        double capacity = 16_777_216;
        for (double queues : new double[] {1, 3, 64}) {
            double simplified = DynamicThreshold.queueLimitBytes(scenario().switchSpec(), queues);
            assertThat(simplified).isEqualTo(2 * (capacity - queues * simplified), within(1e-6));
            double active = DynamicThreshold.queueLimitBytes(
                    scenario("switch.admission", "active-queues").switchSpec(), queues);
            assertThat(active).isEqualTo(2 * (capacity - queues * active) / queues, within(1e-6));
            double reserved = DynamicThreshold.queueLimitBytes(
                    scenario("switch.admission", "reserved").switchSpec(), queues);
            assertThat(reserved).isEqualTo(131_072 + 2 * (capacity - queues * reserved), within(1e-6));
        }
        assertThat(DynamicThreshold.queueLimitBytes(
                        scenario("switch.admission", "reserved").switchSpec(), 1000))
                .isEqualTo(131_072);
        Scenario fixed = scenario("switch.admission", "static", "switch.static_limit_bytes", "1000000");
        assertThat(DynamicThreshold.queueLimitBytes(fixed.switchSpec(), 8)).isEqualTo(1_000_000);
        assertThat(DynamicThreshold.queueLimitBytes(fixed.switchSpec(), 32)).isEqualTo(capacity / 32);
    }

    @Test
    void columns_areNamedOnceAndDescribed() {
        List<Column> columns = Models.columns();
        assertThat(columns).extracting(Column::name).doesNotHaveDuplicates().allMatch(n -> n.matches("[a-z0-9_]+"));
        assertThat(columns).allSatisfy(c -> {
            assertThat(c.doc()).as(c.name()).isNotBlank();
            assertThat(c.source()).as(c.name()).isNotBlank();
        });
        assertThat(columns.subList(0, columns.size() - 3))
                .allMatch(c -> c.name().startsWith("pred_"));
        assertThat(Models.all()).extracting(m -> m.card().id()).doesNotHaveDuplicates();
    }

    /** Any point gives, for every column, a finite value of its type or a reason, and the same ones again. */
    @Test
    void predict_valueOrReason_overRandomPoints() {
        long seed = 31_337;
        RandomStream random = new RandomStream(seed);
        int points = 0;
        while (points < 4000) {
            Map<String, String> given = new LinkedHashMap<>();
            pick(
                    random,
                    given,
                    "traffic.pattern",
                    "incast",
                    "uniform",
                    "permutation",
                    "diagonal",
                    "hotspot",
                    "all-to-all",
                    "ring",
                    "recursive-doubling",
                    "pipeline",
                    "mix");
            pick(
                    random,
                    given,
                    "traffic.arrivals",
                    "once",
                    "periodic",
                    "poisson",
                    "bernoulli",
                    "synchronized",
                    "hyperexponential",
                    "erlang",
                    "on-off",
                    "batch");
            pick(random, given, "traffic.flows", "1", "2", "3", "8", "64", "1000", "65535");
            pick(
                    random,
                    given,
                    "traffic.load",
                    "0.000001",
                    "0.1",
                    "0.5",
                    "0.7",
                    "0.95",
                    "0.999999",
                    "1",
                    "1.000001",
                    "3",
                    "1000");
            pick(random, given, "traffic.message", "1 B", "1344 B", "1345 B", "64 KiB", "1 GiB");
            pick(random, given, "link.bandwidth", "unlimited", "400 GB/s", "1 GB/s", "3200 GB/s");
            pick(random, given, "switch.frame_size_bytes", "auto", "64", "1406", "9000");
            pick(random, given, "switch.egress_gate", "overlap", "busy");
            pick(random, given, "switch.admission", "simplified", "active-queues", "reserved");
            pick(random, given, "switch.alpha", "0", "0.5", "2", "1000");
            pick(random, given, "switch.buffer_capacity_bytes", "1", "2 MiB", "16 MiB");
            pick(random, given, "switch.islip_iterations", "1", "2");
            switch (given.get("traffic.pattern")) {
                case "all-to-all", "ring", "recursive-doubling" -> {
                    given.remove("traffic.arrivals");
                    given.remove("traffic.load");
                    // A schedule of thousands of hosts takes its time.
                    given.merge("traffic.flows", "64", (n, most) -> n.length() > 2 ? most : n);
                }
                case "pipeline" -> pick(random, given, "traffic.stages", "2", "4");
                case "mix" -> {
                    given.merge("traffic.flows", "64", (n, most) -> n.length() > 2 ? most : n);
                    pick(random, given, "traffic.foreground", "ring", "all-to-all", "pipeline");
                    pick(random, given, "traffic.background_hotspot", "0", "2");
                }
                default -> {}
            }
            if ("once".equals(given.get("traffic.arrivals"))) {
                given.remove("traffic.load");
            }
            Scenario scenario;
            try {
                scenario = Scenario.of(Params.parse(given));
            } catch (InvalidValueException notAPoint) {
                continue;
            }
            points++;
            Models.Predictions predictions = Models.predict(scenario);
            Row row = new Row(Models.columns(), predictions.values()); // refuses NaN, infinities, wrong types
            for (int i = 0; i < row.values().length; i++) {
                Column column = row.columns().get(i);
                Object value = row.values()[i];
                String reason = predictions.reasons().get(column.name());
                assertThat(value == null)
                        .as("%s of %s, seed %d", column.name(), given, seed)
                        .isEqualTo(reason != null);
                if (value instanceof Double number) {
                    assertThat(number)
                            .as("%s of %s, seed %d", column.name(), given, seed)
                            .isGreaterThanOrEqualTo(-1e-6);
                    if (column.name().endsWith("_message_ns")
                            && !column.name().startsWith("pred_astra")
                            && !column.name().startsWith("pred_segmented_plain")) {
                        double alone = (Double) row.get("pred_alpha_beta_message_ns");
                        assertThat(number)
                                .as("%s of %s", column.name(), given)
                                .isGreaterThanOrEqualTo(alone * (1 - 1e-9) - 1e-6);
                    }
                }
            }
            assertThat(Models.predict(scenario).values()).isEqualTo(row.values());
        }
    }

    private static void pick(RandomStream random, Map<String, String> given, String path, String... values) {
        given.put(path, values[random.nextInt(values.length)]);
    }
}
