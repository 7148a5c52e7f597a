package io.github.rhosweep.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.github.rhosweep.scenario.InvalidValueException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FormulaTest {
    private static final Map<String, Double> VALUES = Map.of("a.x", 3.0, "b.x", 5.0, "y", 2.0);

    private static double value(String text) {
        return Formula.parse(text).value(name -> VALUES.getOrDefault(name, Double.NaN));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        1 + 2 * 3              | 7
        (1 + 2) * 3            | 9
        7 - 2 - 1              | 4
        8 / 4 / 2              | 1
        2 ^ 3 ^ 2              | 512
        -2 ^ 2                 | 4
        2 * -3                 | -6
        1.5e2 + .5             | 150.5
        a.x * b.x - y          | 13
        min(a.x, b.x, y)       | 2
        max(a.x, b.x, y)       | 5
        abs(a.x - b.x)         | 2
        sqrt(16) + exp(0)      | 5
        log(8) / log(2)        | 3
        """)
    void arithmetic_isAsWritten(String text, double expected) {
        assertThat(value(text)).isEqualTo(expected, within(1e-12));
    }

    /** What does not exist makes no value, not even of the least of several. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"none", "min(a.x, none)", "max(none, a.x)", "0 * none"})
    void missingValue_spreads(String text) {
        assertThat(value(text)).isNaN();
    }

    @Test
    void names_areThoseUsed() {
        assertThat(Formula.parse("a.x / min(b.x, 2) + y").names()).containsExactly("a.x", "b.x", "y");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        1 +            | found the end
        (1             | found the end, expected `)`
        1 2            | found `2`, expected an operator
        1 )            | found `)`
        sin(1)         | expected one of min, max
        abs(1, 2)      | abs takes one value, found 2
        a.x & 1        | found `& 1`
        ''             | found the end
        """)
    void mistakes_areTold(String text, String told) {
        assertThatThrownBy(() -> Formula.parse(text))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContaining(told);
    }
}
