package io.github.rhosweep.math;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class JainIndexTest {
    @Test
    void equalSharesAreFair_oneOfManyIsNot_andNothingIsNeither() {
        assertThat(JainIndex.of(7, 7, 7)).isEqualTo(1);
        assertThat(JainIndex.of(5, 0, 0, 0)).isEqualTo(0.25);
        // Jain, Chiu, Hawe 1984: k of n users equally served gives k/n; here (1+3)^2 / (2 (1+9)).
        assertThat(JainIndex.of(1, 3)).isEqualTo(0.8);
        assertThat(JainIndex.of()).isNaN();
        assertThat(JainIndex.of(0, 0)).isNaN();
    }
}
