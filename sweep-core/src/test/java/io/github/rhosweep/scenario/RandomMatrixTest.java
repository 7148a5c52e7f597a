package io.github.rhosweep.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.HashSet;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Traffic matrices drawn from a seed. */
class RandomMatrixTest {
    @ParameterizedTest
    @CsvSource({"2, 1", "5, 4", "16, 4", "33, 1", "64, 7"})
    void balanced_allSendAndReceiveEquallyMuch(int hosts, int fanOut) {
        for (long seed = 0; seed < 20; seed++) {
            RandomMatrix matrix = new RandomMatrix(hosts, fanOut, seed, true);
            for (int host = 0; host < hosts; host++) {
                int h = host;
                assertThat(matrix.share(h, h, hosts)).as("seed %d", seed).isZero();
                assertThat(IntStream.range(0, hosts)
                                .mapToDouble(to -> matrix.share(h, to, hosts))
                                .sum())
                        .as("seed %d", seed)
                        .isEqualTo(1, within(1e-12));
                assertThat(matrix.egressShare(h, hosts)).as("seed %d", seed).isEqualTo(1, within(1e-12));
                assertThat(IntStream.range(0, hosts).filter(to -> matrix.share(h, to, hosts) > 0))
                        .as("seed %d", seed)
                        .hasSize(fanOut);
            }
            assertThat(matrix.contenders(hosts)).isEqualTo(fanOut);
            assertThat(matrix.activeEgresses(hosts)).isEqualTo(hosts);
        }
    }

    @Test
    void seeds_tellMatricesApart() {
        for (boolean balanced : new boolean[] {false, true}) {
            Set<Double> shares = new HashSet<>();
            for (long seed = 0; seed < 50; seed++) {
                RandomMatrix matrix = new RandomMatrix(3, 2, seed, balanced);
                shares.add(matrix.share(0, 1, 3));
                assertThat(new RandomMatrix(3, 2, seed, balanced).share(0, 1, 3))
                        .isEqualTo(matrix.share(0, 1, 3));
            }
            assertThat(shares).hasSize(50);
        }
    }

    @Test
    void unbalanced_theLoadIsThatOfTheBusiest() {
        RandomMatrix matrix = new RandomMatrix(16, 4, 1, false);
        double most = IntStream.range(0, 16)
                .mapToDouble(to -> matrix.egressShare(to, 16))
                .max()
                .orElseThrow();
        assertThat(matrix.busiestEgressShare(16)).isEqualTo(most).isGreaterThan(1.2);
    }
}
