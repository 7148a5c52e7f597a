package io.github.rhosweep.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.rhosweep.kernel.ControlVariate;
import io.github.rhosweep.kernel.Simulation;
import io.github.rhosweep.result.Row;
import io.github.rhosweep.scenario.Params;
import io.github.rhosweep.scenario.Scenario;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Rows of what was kept of a run. */
class RecordedRowsTest {
    private static RecordedRows run(Map<String, String> more) {
        Map<String, String> given = new TreeMap<>(Map.of(
                "traffic.pattern", "random-matrix",
                "traffic.flows", "5",
                "traffic.fan_out", "2",
                "traffic.load", "0.9",
                "switch.buffer_capacity_bytes", "100000",
                "measure.messages", "2000"));
        given.putAll(more);
        Scenario scenario = Scenario.of(Params.parse(given));
        return new RecordedRows(
                "key-1",
                scenario.record(),
                Objects.requireNonNull(
                        Simulation.run(scenario, 7, ControlVariate.NONE).recording()));
    }

    /** Counted and averaged anew from the rows of single messages. */
    @Test
    void pairs_sumUpFlows() throws IOException {
        RecordedRows kept = run(Map.of("record.flows", "true", "record.pairs", "true"));
        Map<String, List<Row>> messages = new TreeMap<>();
        kept.flows(row -> messages.computeIfAbsent(row.get("src") + ">" + row.get("dst"), p -> new ArrayList<>())
                .add(row));
        List<Row> pairs = new ArrayList<>();
        kept.pairs(pairs::add);
        assertThat(pairs).hasSize(10).hasSize(messages.size());
        long lost = 0;
        for (int i = 0; i < pairs.size(); i++) {
            Row pair = pairs.get(i);
            assertThat(pair.get("flow")).isEqualTo((long) i);
            List<Row> own = Objects.requireNonNull(messages.get(pair.get("src") + ">" + pair.get("dst")));
            double[] latencies = own.stream()
                    .filter(row -> row.get("completion_ns") != null)
                    .mapToDouble(row -> (Double) number(row, "completion_ns") - (Double) number(row, "start_ns"))
                    .sorted()
                    .toArray();
            double mean = java.util.Arrays.stream(latencies).sum() / latencies.length;
            assertThat(pair.get("offered")).isEqualTo((long) own.size());
            assertThat(pair.get("delivered")).isEqualTo((long) latencies.length);
            long gone = own.stream()
                    .filter(row -> Boolean.TRUE.equals(row.get("lost")))
                    .count();
            assertThat(pair.get("lost")).isEqualTo(gone);
            lost += gone;
            assertThat((Double) number(pair, "latency_mean_ns")).isEqualTo(mean, within(1e-9 * mean));
            double p99 = (Double) number(pair, "latency_p99_ns");
            assertThat(p99).isEqualTo(latencies[(int) Math.ceil(0.99 * latencies.length) - 1], within(1e-3));
        }
        assertThat(lost).isPositive();
    }

    @Test
    void tables_areThoseAskedFor() throws IOException {
        List<Row> rows = new ArrayList<>();
        RecordedRows pairsOnly = run(Map.of("record.pairs", "true"));
        pairsOnly.flows(rows::add);
        assertThat(rows).isEmpty();
        RecordedRows fabric = run(Map.of("record.pairs", "true", "topology.kind", "fat-tree"));
        fabric.pairs(rows::add);
        assertThat(rows.stream().mapToLong(row -> (Long) number(row, "offered")).sum())
                .isEqualTo(2000);
        fabric.flows(row -> assertThat(row).isNull());
        rows.clear();
        RecordedRows flowsOnly = run(Map.of("record.flows", "true"));
        flowsOnly.pairs(rows::add);
        assertThat(rows).isEmpty();
        flowsOnly.flows(rows::add);
        assertThat(rows).hasSize(2000);
    }

    private static Object number(Row row, String column) {
        return Objects.requireNonNull(row.get(column));
    }
}
