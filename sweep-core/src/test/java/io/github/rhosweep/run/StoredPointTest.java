package io.github.rhosweep.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rhosweep.design.DesignPoint;
import io.github.rhosweep.design.ExperimentSpec;
import io.github.rhosweep.design.Overrides;
import io.github.rhosweep.kernel.Simulation;
import io.github.rhosweep.result.Row;
import io.github.rhosweep.scenario.InvalidValueException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A row's columns are enough to run it again. */
class StoredPointTest {

    @TempDir
    private Path dir;

    private ExperimentSpec experiment(String yaml) throws IOException {
        Path file = dir.resolve("stored.yaml");
        Files.writeString(file, yaml);
        return ExperimentSpec.read(file, Overrides.NONE, List.of());
    }

    private static Row row(ExperimentSpec experiment, DesignPoint point, int replicate) {
        return new PointRunner(experiment, new Simulation()::run)
                .once(point, replicate)
                .row();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "base: {measure.messages: 50}\nsweep: {traffic.load: [0.1, 0.30000000000000004, 0.7]}",
                "base: {measure.messages: 50, link.bandwidth: unlimited}\nsweep: {traffic.flows: [2, 3]}",
                "base: {measure.messages: 50, topology.kind: direct, traffic.flows: 1, link.bandwidth: 50 GB/s}",
                "base: {measure: {messages: 8, kind: finite}, traffic.arrivals: once}\nrandom_numbers: independent",
                "base: {measure.messages: 50, topology: {kind: leaf-spine, leaves: 2, hosts_per_leaf: 3, spines: 7},"
                        + " traffic.flows: 3, switch.port_count: 16, topology.spine_bandwidth: 111 GB/s}",
                "base: {measure.messages: 50, topology: {kind: leaf-spine, leaves: 2, hosts_per_leaf: 3, spines: 7},"
                        + " traffic.flows: 3, switch.port_count: 16, topology.oversubscription: 1.7}",
                "base: {measure.messages: 50, limits.events: 123456789}"
            })
    void rowOfAnyPoint_runsAgainBitForBit(String yaml) throws IOException {
        ExperimentSpec experiment = experiment(yaml);
        for (long index = 0; index < experiment.size(); index++) {
            Row stored = row(experiment, experiment.point(index), 3);
            DesignPoint found = StoredPoint.of(stored, hash -> null);
            Row again = row(experiment, found, 3);
            assertThat(StoredPoint.differences(stored, again)).isEmpty();
        }
    }

    @Test
    void changedParameter_isToldByTheKey() throws IOException {
        ExperimentSpec experiment = experiment("base: {measure.messages: 50}");
        Row stored = row(experiment, experiment.point(0), 1);
        Object[] values = stored.values().clone();
        values[column("switch_alpha")] = 7.0;
        assertThatThrownBy(() -> StoredPoint.of(new Row(stored.columns(), values), hash -> null))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContaining(experiment.point(0).key());
    }

    @Test
    void lastBitOfAMeasurement_isADifference_costIsNot() throws IOException {
        ExperimentSpec experiment = experiment("base: {measure.messages: 50}");
        Row stored = row(experiment, experiment.point(0), 1);
        Object[] values = stored.values().clone();
        values[column("wall_ns")] = 1L;
        int mean = column("message_latency_mean_ns");
        values[mean] = Math.nextUp((Double) values[mean]);
        assertThat(StoredPoint.differences(new Row(stored.columns(), values), stored))
                .singleElement()
                .asString()
                .startsWith("message_latency_mean_ns: stored ");
    }

    private static int column(String name) {
        return IntStream.range(0, Tables.RUNS.size())
                .filter(i -> Tables.RUNS.get(i).name().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
