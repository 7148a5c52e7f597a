package io.github.rhosweep.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.rhosweep.result.Column;
import io.github.rhosweep.scenario.Parameter.ColumnType;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ReplicateStatisticsTest {
    private static final List<Column> COLUMNS = List.of(
            new Column("count", ColumnType.INT64, "", "", ""),
            new Column("mean_ns", ColumnType.DOUBLE, "ns", "", ""),
            new Column("stable", ColumnType.BOOLEAN, "", "", ""),
            new Column("kind", ColumnType.STRING, "", "", ""));

    private final ReplicateStatistics statistics = new ReplicateStatistics(COLUMNS, new StudentQuantiles());

    /** Student's table: t(0.975; 4) = 2.776445, t(0.95; 4) = 2.131847; the sample 1..5 has s = 1.5811. */
    @Test
    void halfWidth_isStudents() {
        for (long i = 1; i <= 5; i++) {
            statistics.add(new Object[] {i, (double) i, true, "steady"});
        }
        assertThat(statistics.mean(0)).isEqualTo(3.0);
        assertThat(statistics.halfWidth(0, 0.95)).isCloseTo(2.776445 * Math.sqrt(2.5 / 5), within(1e-6));
        assertThat(statistics.halfWidth(1, 0.90)).isCloseTo(2.131847 * Math.sqrt(2.5 / 5), within(1e-6));
    }

    @Test
    void nullsCountForNothing() {
        statistics.add(new Object[] {null, 1.0, null, null});
        statistics.add(new Object[] {null, null, true, "steady"});
        statistics.add(new Object[] {null, 3.0, null, "steady"});
        assertThat(statistics.n()).isEqualTo(3);
        assertThat(statistics.n(1)).isEqualTo(2);
        assertThat(statistics.mean(0)).isNull();
        assertThat(statistics.halfWidth(0, 0.95)).isNull();
        assertThat(statistics.mean(1)).isEqualTo(2.0);
        assertThat(statistics.summary(2)).isEqualTo(true);
        assertThat(statistics.summary(3)).isEqualTo("steady");
    }

    @Test
    void oneValue_hasNoInterval_equalValuesOneOfNoWidth() {
        statistics.add(new Object[] {7L, 0.1, true, "a"});
        assertThat(statistics.halfWidth(0, 0.95)).isNull();
        statistics.add(new Object[] {7L, 0.1, false, "b"});
        statistics.add(new Object[] {7L, 0.1, true, "b"});
        assertThat(statistics.halfWidth(1, 0.95)).isZero();
        assertThat(statistics.summary(2)).isEqualTo(false);
        assertThat(statistics.summary(3)).isEqualTo("mixed");
    }

    /** 95% intervals cover the truth in 95% of 4000 samples of 5 normal values: within four standard errors of that. */
    @Test
    void interval_coversAsOftenAsItSays() {
        SplittableRandom random = new SplittableRandom(7);
        java.util.Random normal = new java.util.Random(random.nextLong());
        int repetitions = 4000;
        int covered = 0;
        for (int i = 0; i < repetitions; i++) {
            ReplicateStatistics sample = new ReplicateStatistics(COLUMNS, new StudentQuantiles());
            for (int k = 0; k < 5; k++) {
                sample.add(new Object[] {null, 10 + normal.nextGaussian(), null, null});
            }
            if (Math.abs(sample.mean(1) - 10) <= sample.halfWidth(1, 0.95)) {
                covered++;
            }
        }
        double standardError = Math.sqrt(0.95 * 0.05 / repetitions);
        assertThat((double) covered / repetitions).as("seed 7").isCloseTo(0.95, within(4 * standardError));
    }
}
