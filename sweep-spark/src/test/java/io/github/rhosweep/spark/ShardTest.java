package io.github.rhosweep.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rhosweep.design.ExperimentSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ShardTest {
    @TempDir
    private Path temp;

    /** Designs of 1 to 10^9 points, of cheap and of dear ones. */
    @ParameterizedTest
    @CsvSource({"1,1,1", "7,1,1", "50,100,1", "50,100,7", "1000,1000,1000"})
    void shards_coverEveryIndexOnce_fewEnoughToHold_longestFirst(int loads, int alphas, int fractions)
            throws IOException {
        Path file = temp.resolve("experiment.yaml");
        Files.writeString(
                file,
                "sweep:\n" + axis("traffic.load", loads) + axis("switch.alpha", alphas)
                        + axis("switch.ecn_pmax", fractions));
        ExperimentSpec experiment = Sweeps.experiment(file);
        assertThat(experiment.size()).isEqualTo((long) loads * alphas * fractions);
        for (int cores : new int[] {1, 64}) {
            List<Shard> shards = Shard.cut(experiment, cores);
            assertThat(shards).hasSizeLessThanOrEqualTo(25_000);
            assertThat(shards).isSortedAccordingTo(Comparator.comparingDouble((Shard s) -> -s.seconds()));
            long next = 0;
            for (Shard shard : shards.stream()
                    .sorted(Comparator.comparingLong(Shard::first))
                    .toList()) {
                assertThat(shard.first()).isEqualTo(next);
                assertThat(shard.end()).isGreaterThan(next);
                next = shard.end();
            }
            assertThat(next).isEqualTo(experiment.size());
            assertThat(shards).extracting(Shard::id).doesNotHaveDuplicates();
            assertThat(shards).extracting(s -> s.name(1)).doesNotHaveDuplicates();
        }
    }

    private static String axis(String path, int values) {
        StringBuilder list = new StringBuilder("  " + path + ": [");
        for (int i = 1; i <= values; i++) {
            list.append(i == 1 ? "" : ", ").append(String.format(java.util.Locale.ROOT, "%.4f", i / 2000.0));
        }
        return list.append("]\n").toString();
    }

    /** Runs of 1 ms: half a second would be 500 rows, a file of 2000 takes two. Runs of a second are tasks by themselves. */
    @Test
    void shortRuns_shareAFileOf2000Rows_longOnesDoNotWait() throws IOException {
        Path file = temp.resolve("experiment.yaml");
        Files.writeString(
                file,
                "base: {measure.messages: 3000, traffic.message: 1 KiB}\nsweep:\n" + axis("traffic.load", 200)
                        + axis("switch.alpha", 100));
        assertThat(Shard.cut(Sweeps.experiment(file), 2))
                .allSatisfy(shard -> assertThat(shard.end() - shard.first()).isGreaterThanOrEqualTo(1900));
        Files.writeString(file, "base: {measure.messages: 4000000}\nsweep:\n" + axis("traffic.load", 100));
        assertThat(Shard.cut(Sweeps.experiment(file), 64)).hasSize(100);
    }
}
