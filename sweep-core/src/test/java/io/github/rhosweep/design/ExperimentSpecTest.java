package io.github.rhosweep.design;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rhosweep.scenario.InputFiles;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExperimentSpecTest {
    static final List<String> METRICS = List.of("message_latency_mean_ns", "voq_wait_mean_ns");

    @TempDir
    private Path folder;

    private static final String EXAMPLE = """
            name: alpha-under-bursts
            base:
              traffic: {pattern: incast, message: 256 KiB, arrivals: synchronized}
              switch: {buffer_capacity_bytes: 4 MiB}
            sweep:
              switch.alpha: [0.25, 0.5, 1, 2, 8]
              ecn: [{switch.ecn_kmin: 0.3, switch.ecn_kmax: 0.8, switch.ecn_pmax: 0.2}, {switch.ecn_kmin: 0.5, switch.ecn_kmax: 0.8, switch.ecn_pmax: 1}]
              switch.islip_iterations: [1, 2, 4]
              traffic.flows: {powers_of: 2, from: 2, to: 64}
              traffic.load: {from: 0.05, to: 0.95, step: 0.05}
            where: "switch.ecn_kmin < switch.ecn_kmax and switch.islip_iterations <= traffic.flows"
            replicates: {min: 5, max: 40, until: {metric: message_latency_mean_ns, relative_ci: 0.05, confidence: 0.95}}
            random_numbers: independent
            """;

    @Test
    void documentedExample_hasTheseSizesAndPoints() throws IOException {
        ExperimentSpec experiment = read(EXAMPLE);
        // Of 3 x 6 pairs of iterations and flows, 4 > 2 alone is removed.
        assertThat(experiment.size()).isEqualTo(5L * 2 * 17 * 19).isEqualTo(experiment.points());
        assertThat(experiment.replicates())
                .isEqualTo(new Replicates(5, 40, new Replicates.Until("message_latency_mean_ns", 0.05, 0.95)));
        assertThat(experiment.point(0).axisValues())
                .containsEntry("switch.alpha", "0.25")
                .containsEntry("ecn", "switch.ecn_kmin=0.3 switch.ecn_kmax=0.8 switch.ecn_pmax=0.2")
                .containsEntry("traffic.load", "0.05");
        assertThat(experiment.point(experiment.size() - 1).axisValues()).containsEntry("traffic.load", "0.95");
        Set<String> keys = new HashSet<>();
        for (long i = 0; i < experiment.size(); i++) {
            DesignPoint point = experiment.point(i);
            assertThat(point.repeated()).isFalse();
            keys.add(point.key());
        }
        assertThat(keys).hasSize((int) experiment.size());
    }

    @Test
    void orderOfAxesKeysAndFormats_changesNoKey() throws IOException {
        ExperimentSpec one = read("""
                base: {traffic: {message: 64 KiB, flows: 4}}
                sweep:
                  switch.alpha: [1, 2]
                  traffic.load: {from: 0.1, to: 0.3, step: 0.1}
                """);
        ExperimentSpec other = read("""
                sweep:
                  traffic.load: [0.30, 2e-1, .1]
                  switch.alpha: [2.0, 1.0]
                base: {traffic.flows: 4.0, traffic.message: 65536 B, switch.ecn_kmin: 0.5}
                """);
        assertThat(keys(other)).isEqualTo(keys(one)).hasSize(6);
    }

    @Test
    void effectiveYaml_readsBackAsTheSamePoints_andSerializes() throws Exception {
        ExperimentSpec experiment = ExperimentSpec.read(
                write(EXAMPLE),
                new Overrides(
                        List.of("traffic.message=16 KiB", "traffic.arrivals=poisson"),
                        List.of(
                                "switch.alpha=1,2",
                                "switch.buffer_capacity_bytes={from: 1 MiB, to: 4 MiB, step: 1 MiB}")),
                METRICS);
        assertThat(experiment.size()).isEqualTo(2L * 2 * 17 * 19 * 4);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(experiment);
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            ExperimentSpec back = (ExperimentSpec) in.readObject();
            assertThat(back.effectiveYaml()).isEqualTo(experiment.effectiveYaml());
            assertThat(back.replicates()).isEqualTo(experiment.replicates());
            assertThat(back.randomNumbers()).isEqualTo(RandomNumbers.INDEPENDENT);
            for (long i = 0; i < experiment.size(); i += 97) {
                assertThat(back.point(i).key()).isEqualTo(experiment.point(i).key());
                assertThat(back.point(i).runSeed(2))
                        .isEqualTo(experiment.point(i).runSeed(2));
            }
        }
    }

    /** Written out, a long range is more text than a file may have. */
    @Test
    void longAxes_readBackToo() throws IOException {
        ExperimentSpec experiment = read("sweep: {switch.alpha: {from: 0.00001, to: 3, step: 0.00001}}");
        assertThat(experiment.effectiveYaml().length()).isGreaterThan(1 << 20);
        ExperimentSpec back = ExperimentSpec.ofEffective(experiment.effectiveYaml(), InputFiles.ON_DISK);
        assertThat(back.size()).isEqualTo(300_000);
        assertThat(back.point(123_456).key())
                .isEqualTo(experiment.point(123_456).key());
    }

    @Test
    void overlappingBlocks_countAndRunEachPointOnce() throws IOException {
        ExperimentSpec experiment = read("""
                designs:
                - name: wide
                  sweep:
                    switch.alpha: [1, 2, 4]
                    traffic.load: [0.1, 0.2, 0.3]
                  where: switch.alpha < 4 or traffic.load > 0.1
                - name: deep
                  base: {switch.ecn_kmin: 0.5}
                  sweep:
                    traffic.load: [0.30, 0.4]
                    switch.alpha: [4.0, 2, 16]
                - sweep: {switch.frame_size_bytes: [auto, 1406, 1500], traffic.load: [0.4]}
                """);
        assertThat(experiment.size()).isEqualTo(8 + 6 + 3);
        Set<String> keys = new HashSet<>();
        long repeated = 0;
        for (long i = 0; i < experiment.size(); i++) {
            DesignPoint point = experiment.point(i);
            assertThat(point.repeated()).as("index %s", i).isEqualTo(!keys.add(point.key()));
            repeated += point.repeated() ? 1 : 0;
        }
        // 0.3 x {4, 2} of the second block; auto = 1406 = the default, which the second has at alpha 2, load 0.4; 1406
        // again.
        assertThat(repeated).isEqualTo(4);
        assertThat(experiment.points()).isEqualTo(17 - 4);
    }

    private Set<String> keys(ExperimentSpec experiment) {
        Set<String> keys = new HashSet<>();
        for (long i = 0; i < experiment.size(); i++) {
            keys.add(experiment.point(i).key());
        }
        return keys;
    }

    private ExperimentSpec read(String yaml) throws IOException {
        return ExperimentSpec.read(write(yaml), Overrides.NONE, METRICS);
    }

    private Path write(String yaml) throws IOException {
        return Files.writeString(folder.resolve("experiment.yaml"), yaml);
    }
}
