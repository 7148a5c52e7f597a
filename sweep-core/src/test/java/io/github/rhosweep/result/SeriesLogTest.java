package io.github.rhosweep.result;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SeriesLogTest {
    /** However long a run is, its series stay below the bound, cover it, and keep equal steps. */
    @Test
    void fullLog_doublesItsStep() {
        SeriesLog log = new SeriesLog(10, 100);
        for (long end = 100_000; log.nextPs() < end; log.sampled()) {
            long at = log.nextPs();
            log.add(1, "queue_bytes", at + 1, () -> "a");
            log.add(2, "queue_bytes", 0, () -> "never there");
        }
        assertThat(log.size()).isBetween(50, 100);
        long step = log.timePs(1) - log.timePs(0);
        for (int i = 0; i < log.size(); i++) {
            assertThat(log.timePs(i)).isEqualTo(i * step);
            assertThat(log.value(i)).isEqualTo(i * step + 1);
            assertThat(log.entity(i)).isEqualTo("a");
        }
        assertThat(log.timePs(log.size() - 1)).isGreaterThan(100_000 - 2 * step);
    }
}
