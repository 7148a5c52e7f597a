package io.github.rhosweep.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.NavigableSet;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PortSetsTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 63, 64, 65, 128, 130, 1024})
    void operations_agreeWithTreeSets(int ports) {
        long seed = 7919L * ports;
        Random random = new Random(seed);
        PortSets sets = new PortSets(2, ports);
        @SuppressWarnings("unchecked")
        TreeSet<Integer>[] dull = new TreeSet[] {new TreeSet<Integer>(), new TreeSet<Integer>()};
        for (int step = 0; step < 3000; step++) {
            int row = random.nextInt(2);
            int port = random.nextInt(ports);
            switch (random.nextInt(20)) {
                case 0 -> {
                    sets.clear(row);
                    dull[row].clear();
                }
                case 1 -> {
                    sets.addAll(row);
                    for (int p = 0; p < ports; p++) {
                        dull[row].add(p);
                    }
                }
                case 2, 3, 4, 5, 6, 7, 8 -> {
                    sets.add(row, port);
                    dull[row].add(port);
                }
                default -> {
                    sets.remove(row, port);
                    dull[row].remove(port);
                }
            }
            int from = random.nextInt(ports);
            TreeSet<Integer> both = new TreeSet<>(dull[0]);
            both.retainAll(dull[1]);
            assertThat(sets.firstFrom(row, from))
                    .as("seed %d step %d", seed, step)
                    .isEqualTo(first(dull[row], from));
            assertThat(sets.firstCommon(0, sets, 1, from))
                    .as("seed %d step %d", seed, step)
                    .isEqualTo(first(both, from));
            assertThat(sets.isEmpty(row)).isEqualTo(dull[row].isEmpty());
            assertThat(sets.contains(row, from)).isEqualTo(dull[row].contains(from));
        }
    }

    private static int first(NavigableSet<Integer> set, int from) {
        Integer at = set.ceiling(from);
        return at != null ? at : set.isEmpty() ? -1 : set.first();
    }
}
