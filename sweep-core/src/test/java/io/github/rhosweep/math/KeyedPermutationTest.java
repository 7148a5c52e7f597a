package io.github.rhosweep.math;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeyedPermutationTest {

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 16, 17, 100, 1023, 65537})
    void everyNumber_isTheImageOfOne(int n) {
        KeyedPermutation permutation = new KeyedPermutation(n * 31L, n);
        assertThat(IntStream.range(0, n).map(permutation::at).sorted())
                .containsExactly(IntStream.range(0, n).boxed().toArray(Integer[]::new));
    }

    /** Over 6000 keys each of the 6 permutations of 3 is expected 1000 times; chi-square with 5 degrees of freedom, 99.9%. */
    @Test
    void keys_drawAllPermutationsAlike() {
        int[] counts = new int[27];
        for (int key = 0; key < 6000; key++) {
            KeyedPermutation p = new KeyedPermutation(RandomStream.mix(key), 3);
            counts[p.at(0) * 9 + p.at(1) * 3 + p.at(2)]++;
        }
        double chiSquare = 0;
        for (int count : counts) {
            chiSquare += count == 0 ? 0 : (count - 1000.0) * (count - 1000.0) / 1000;
        }
        assertThat(chiSquare).isLessThan(20.5);
    }
}
