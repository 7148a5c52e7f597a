package io.github.rhosweep.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.rhosweep.result.Metric;
import io.github.rhosweep.result.RunResult;
import io.github.rhosweep.scenario.Scenario;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Closed patterns as a file would ask for them, by the columns that they fill. */
class CollectiveRunsTest {
    private static RunResult run(String... fields) {
        return run(1, fields);
    }

    private static RunResult run(long seed, String... fields) {
        Scenario scenario = Points.of(fields);
        return Simulation.run(scenario, seed, ControlVariate.NONE);
    }

    private static double completionNs(RunResult result) {
        return (double) Metric.COMPLETION_NS.of(result);
    }

    /** 94 frames a step, 560.585 ns each: to the picosecond what one message alone takes, 14 times. */
    @Test
    void ringAllReduce_ofAMegabyteAmongEight_takesFourteenSteps() {
        RunResult result = run("traffic.pattern=ring", "traffic.message=1000000 B");
        assertThat(result.totals().offeredMessages()).isEqualTo(14 * 8);
        assertThat(result.totals().offeredFrames()).isEqualTo(14 * 8 * 94);
        assertThat(completionNs(result)).isEqualTo(7848.19, within(1e-6));
    }

    /** Every egress receives one frame a slot from the first on: alpha and the slots of p - 1 pieces. */
    @ParameterizedTest
    @CsvSource({"2", "8", "32"})
    void allToAll_onAnIdleCrossbar_isBoundByItsPorts(int p) {
        RunResult result = run(
                "traffic.pattern=all-to-all",
                "traffic.flows=" + p,
                "traffic.message=" + p * 49 * 1344L + " B",
                "switch.buffer_capacity_bytes=1 GiB");
        double slots = (p - 1) * 49;
        assertThat(completionNs(result)).isGreaterThanOrEqualTo(230 + 3.515 * (slots + 1));
        assertThat(completionNs(result)).isEqualTo(230 + 3.515 * (slots + 1), within(0.03 * 3.515 * slots));
    }
}
