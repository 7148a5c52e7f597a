package io.github.rhosweep.result;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rhosweep.scenario.MeasureSpec;
import io.github.rhosweep.scenario.Parameter.ColumnType;
import io.github.rhosweep.scenario.Parameters;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class MetricTest {
    /** A run without a switch in which nothing was measured: as many values as can be do not exist. */
    private static final RunResult EMPTY = new RunResult(
            MeasureSpec.Kind.STEADY,
            new RunTotals(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
            TransportCounters.NONE,
            null,
            Estimate.NONE,
            Estimate.NONE,
            Estimate.NONE,
            Estimate.NONE,
            0,
            0,
            0,
            0,
            0,
            0,
            null,
            null,
            null,
            null,
            LinkUse.NONE,
            null,
            1,
            false,
            false,
            null,
            null);

    @Test
    void names_thatScriptsRelyOn_areThere() {
        assertThat(Metric.columns())
                .extracting(Column::name)
                .doesNotHaveDuplicates()
                .contains(
                        "voq_wait_mean_ns",
                        "frame_latency_mean_ns",
                        "message_latency_mean_ns",
                        "message_latency_mean_cv_ns",
                        "message_latency_mean_cv_half_width_ns",
                        "message_latency_p50_ns",
                        "message_latency_p99_ns",
                        "message_latency_p999_ns",
                        "message_latency_n",
                        "message_latency_half_width_ns",
                        "voq_wait_half_width_ns",
                        "packets_forwarded",
                        "drops",
                        "drops_dynamic_threshold",
                        "ecn_marked",
                        "buffer_peak_bytes",
                        "lost_message_fraction",
                        "goodput_gb_per_s",
                        "utilisation",
                        "arrival_scv",
                        "service_scv",
                        "jain_flows",
                        "jain_ingresses",
                        "stable",
                        "run_kind",
                        "null_reason")
                .doesNotContainAnyElementsOf(
                        Parameters.all().stream().map(p -> p.column()).toList());
    }

    @Test
    void everyColumn_saysItsUnitInItsName_andWhatItMeans() {
        for (Column column : Metric.columns()) {
            assertThat(column.name()).matches("[a-z][a-z0-9_]*");
            assertThat(column.doc()).as(column.name()).isNotEmpty();
            if (!column.unit().isEmpty()) {
                assertThat(column.name()).contains(column.unit());
            } else {
                assertThat(column.name()).doesNotEndWith("_ns").doesNotEndWith("_gb_per_s");
            }
            assertThat(column.name().endsWith("_ns"))
                    .as(column.name())
                    .isEqualTo(column.unit().equals("ns"));
        }
    }

    @Test
    void values_fitTheirColumns_evenOfARunThatMeasuredNothing() {
        Object[] values = Arrays.stream(Metric.values()).map(m -> m.of(EMPTY)).toArray();
        Row row = new Row(Metric.columns(), values); // refuses NaN and wrong types
        assertThat(row.get("lost_message_fraction")).isNull();
        assertThat(row.get("drops")).isNull();
        assertThat(row.get("voq_wait_n")).isNull();
        assertThat(row.get("message_latency_n")).isEqualTo(0L);
        assertThat(row.get("message_latency_mean_ns")).isNull();
        assertThat(row.get("utilisation")).isNull();
        assertThat(row.get("run_kind")).isEqualTo("steady");
    }

    /** Each column of an estimate reads its own field: the values are all different. */
    @Test
    void columnsOfEstimates_readTheirOwnField() {
        Estimate[] estimates = new Estimate[3];
        for (int k = 0; k < 3; k++) {
            double base = 1000 * 100 * (k + 1);
            estimates[k] = new Estimate(
                    k + 1,
                    base + 1000,
                    base + 2000,
                    base + 3000,
                    base + 4000,
                    base + 5000,
                    base + 6000,
                    base + 7000,
                    base + 8000,
                    base + 9000,
                    base + 10_000);
        }
        RunResult run = new RunResult(
                EMPTY.kind(),
                EMPTY.totals(),
                TransportCounters.NONE,
                new SwitchCounters(1, 0, 2, 3, 4, 1, 5, 6, 0, 0),
                estimates[0],
                estimates[1],
                estimates[2],
                Estimate.NONE,
                0,
                0,
                0,
                0,
                0,
                0,
                null,
                null,
                null,
                null,
                new LinkUse(1.0, 2.0, 3.0),
                new RunResult.Closed(4000L, 5.0, 6000L),
                1000,
                true,
                false,
                null,
                null);
        List<String> names = List.of("message_latency", "frame_latency", "voq_wait");
        List<String> fields = List.of(
                "mean_ns",
                "std_ns",
                "p50_ns",
                "p90_ns",
                "p99_ns",
                "p999_ns",
                "max_ns",
                "half_width_ns",
                "mean_cv_ns",
                "mean_cv_half_width_ns");
        for (int k = 0; k < 3; k++) {
            for (int f = 0; f < fields.size(); f++) {
                String name = names.get(k) + "_" + fields.get(f);
                assertThat(valueOf(name, run)).as(name).isEqualTo(100.0 * (k + 1) + f + 1);
            }
            assertThat(valueOf(names.get(k) + "_n", run)).isEqualTo(k + 1L);
        }
        assertThat(valueOf("slowdown_vs_idle", run)).isEqualTo(101.0);
        assertThat(valueOf("hotspot_ratio", run)).isEqualTo(1.0);
        assertThat(valueOf("hop_inflation_max", run)).isEqualTo(2.0);
        assertThat(valueOf("hop_inflation_mean", run)).isEqualTo(3.0);
        assertThat(valueOf("straggler_spread_ns", run)).isEqualTo(4.0);
        assertThat(valueOf("bus_bandwidth_gb_per_s", run)).as("not completed").isNull();
        assertThat(valueOf("packets_forwarded", run)).isEqualTo(1L);
        assertThat(valueOf("ecn_marked", run)).isEqualTo(2L);
        assertThat(valueOf("total_bytes_forwarded", run)).isEqualTo(3L);
        assertThat(valueOf("buffer_peak_bytes", run)).isEqualTo(4L);
        assertThat(valueOf("buffer_overcommit_peak_bytes", run)).isEqualTo(3L);
        assertThat(valueOf("ticks", run)).isEqualTo(6L);
    }

    private static Object valueOf(String name, RunResult run) {
        return Metric.valueOf(name.toUpperCase(java.util.Locale.ROOT)).of(run);
    }

    @Test
    void countsAreWhole_andTimesAreReal() {
        for (Column column : Metric.columns()) {
            if (column.unit().equals("bytes")) {
                assertThat(column.type()).isEqualTo(ColumnType.INT64);
            }
            if (column.unit().equals("ns")) {
                assertThat(column.type()).isEqualTo(ColumnType.DOUBLE);
            }
        }
    }
}
