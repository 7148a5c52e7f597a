package io.github.rhosweep.fit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Numbers of longs, against a map of boxes. */
class NumberingTest {
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 100, 5000})
    void numbers_areThoseOfAMap(int expected) {
        long seed = 20240501L + expected;
        SplittableRandom random = new SplittableRandom(seed);
        Numbering numbering = new Numbering(expected);
        Map<Long, Integer> map = new HashMap<>();
        for (int i = 0; i < 20_000; i++) {
            // Few small ones, that come again and lie side by side; pairs of halves; any.
            long key = switch (i % 3) {
                case 0 -> random.nextLong(-50, 50);
                case 1 -> random.nextLong(40) << 32 | random.nextLong(40);
                default -> random.nextLong();
            };
            Integer known = map.putIfAbsent(key, map.size());
            assertThat(numbering.of(key))
                    .as("seed %d, draw %d", seed, i)
                    .isEqualTo(known == null ? map.size() - 1 : known);
            assertThat(numbering.size()).isEqualTo(map.size());
        }
        map.forEach((key, number) -> assertThat(numbering.of(key)).isEqualTo(number));
    }
}
