package io.github.rhosweep.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

class SelfCheckTest {
    /** These are run, with all others, where mutations are sought. */
    private static final String SLOW = "DCQCN_FIXED_POINT|OUTPUT_QUEUED|MD1|CONCENTRATOR_MD1|BATCH_MD1|NDDD1";

    @ParameterizedTest
    @EnumSource(mode = Mode.MATCH_NONE, names = SLOW)
    void check_passes(SelfCheck check) {
        assertThat(check.run())
                .isNotEmpty()
                .allMatch(Finding::passed)
                .allMatch(f -> f.check().equals(check.id()));
    }

    @Test
    void digest_tellsOfTheLastBit() {
        List<Finding> found = SelfCheck.ECN_RAMP.run();
        List<Finding> again = new ArrayList<>(SelfCheck.ECN_RAMP.run());
        assertThat(SelfCheck.digest(again)).isEqualTo(SelfCheck.digest(found)).hasSize(16);
        Finding f = again.get(0);
        again.set(
                0,
                new Finding(
                        f.check(),
                        f.what(),
                        Math.nextUp(f.value()),
                        f.low(),
                        f.high(),
                        f.expected(),
                        f.unit(),
                        f.tolerance()));
        assertThat(SelfCheck.digest(again)).isNotEqualTo(SelfCheck.digest(found));
    }

    /** A value that does not exist passes nothing. */
    @Test
    void missingValue_fails() {
        Findings findings = new Findings("x");
        findings.mean("no interval", 5, Double.NaN, 5);
        findings.mean("an interval as wide as the value", 5, 5, 5);
        findings.exactly("no value", Double.NaN, 5, "");
        findings.atLeast("none", Double.NaN, 0, "");
        assertThat(findings.list()).noneMatch(Finding::passed);
    }
}
