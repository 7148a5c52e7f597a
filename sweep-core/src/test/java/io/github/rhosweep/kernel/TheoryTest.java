package io.github.rhosweep.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.rhosweep.result.Estimate;
import io.github.rhosweep.result.RunResult;
import io.github.rhosweep.scenario.Scenario;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Raw measured waits against queueing theory. A tolerance is three half-widths of the run's own 95% interval; seeds are fixed, so
 * that a test that passes goes on passing. Formulas stand here once more, apart from the models that users see.
 */
class TheoryTest {
    private static final double SLOT = 3515;

    private static RunResult run(String... fields) {
        return Simulation.run(Points.of(fields), 1, ControlVariate.NONE);
    }

    private static double md1(double rho) {
        return rho / (2 * (1 - rho));
    }

    private static void assertWaitInSlots(RunResult result, double expected) {
        Estimate wait = result.voqWait();
        assertThat(result.totals().droppedFrames()).isZero();
        assertThat(wait.halfWidthPs() / SLOT).as("precision").isLessThan(0.1 * expected);
        assertThat(wait.meanPs() / SLOT).isEqualTo(expected, within(3 * wait.halfWidthPs() / SLOT));
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.3, 0.5, 0.7, 0.9})
    void md1_meanWait_matchesPollaczekKhinchine(double rho) {
        assertWaitInSlots(
                run(
                        "traffic.load=" + rho,
                        "traffic.message=1344 B",
                        "link.bandwidth=unlimited",
                        "measure.messages=400000"),
                md1(rho));
    }

    @ParameterizedTest
    @CsvSource({"0.3, 8", "0.5, 8", "0.7, 8", "0.9, 8", "0.9, 2", "0.7, 32"})
    void concentrator_meanWait_isMd1LessWhatTheAccessLinksHold(double rho, int flows) {
        assertWaitInSlots(
                run(
                        "traffic.load=" + rho,
                        "traffic.flows=" + flows,
                        "traffic.message=1344 B",
                        "measure.messages=400000"),
                md1(rho) - md1(rho / flows));
    }

    @ParameterizedTest
    @CsvSource({"0.3, 4", "0.5, 4", "0.8, 4", "0.7, 10"})
    void batchMd1_meanWait_matchesTheBatchFormula(double rho, int frames) {
        assertWaitInSlots(
                run(
                        "traffic.load=" + rho,
                        "traffic.message=" + 1344 * frames + " B",
                        "link.bandwidth=unlimited",
                        "measure.messages=100000"),
                (frames - 1 + rho) / (2 * (1 - rho)));
    }

    /** Sources at one constant rate with random phases: each replicate has one set, so the interval is across replicates. */
    @ParameterizedTest
    @CsvSource({"4, 0.444", "8, 0.722372", "16, 1.01516562264"})
    void nddd1_meanWait_matchesTheExactFormula(int flows, double expected) {
        Scenario scenario = Points.of(
                "traffic.load=0.8",
                "traffic.flows=" + flows,
                "traffic.message=1344 B",
                "traffic.arrivals=periodic",
                "link.bandwidth=unlimited",
                "measure.warmup=1 us",
                "measure.messages=" + 60 * flows);
        Simulation simulation = new Simulation();
        int replicates = 400;
        double sum = 0;
        double squares = 0;
        for (int replicate = 0; replicate < replicates; replicate++) {
            double wait = simulation
                            .run(scenario, replicate, ControlVariate.NONE, () -> false)
                            .voqWait()
                            .meanPs()
                    / SLOT;
            sum += wait;
            squares += wait * wait;
        }
        double mean = sum / replicates;
        double halfWidth = 1.96 * Math.sqrt((squares / replicates - mean * mean) / (replicates - 1.0));
        assertThat(halfWidth).isLessThan(0.1 * expected);
        assertThat(mean).isEqualTo(expected, within(3 * halfWidth));
    }

    /** Check values of an independent simulator, standard error at most 0.3%. */
    @ParameterizedTest
    @CsvSource({"true, 0.8, 2, 3.876", "false, 0.8, 4, 3.63"})
    void uniformBernoulli_waitsMatchAnIndependentSimulator(boolean self, double load, int iterations, double expected) {
        assertUniformWait(self, load, iterations, expected, 600_000);
    }

    @Tag("integration")
    @ParameterizedTest
    @CsvSource({
        "true, 0.8, 1, 22.10",
        "true, 0.8, 4, 3.579",
        "true, 0.9, 1, 57.9",
        "true, 0.9, 2, 12.81",
        "true, 0.9, 4, 9.90",
        "false, 0.8, 1, 48.2",
        "false, 0.8, 2, 3.90",
        "false, 0.9, 2, 15.3",
        "false, 0.9, 4, 10.75"
    })
    void uniformBernoulliAtLength_waitsMatchAnIndependentSimulator(
            boolean self, double load, int iterations, double expected) {
        assertUniformWait(self, load, iterations, expected, 8_000_000);
    }

    private static void assertUniformWait(boolean self, double load, int iterations, double expected, int messages) {
        RunResult result = run(
                "traffic.pattern=uniform",
                "traffic.self=" + self,
                "traffic.load=" + load,
                "traffic.arrivals=bernoulli",
                "traffic.message=1344 B",
                "switch.islip_iterations=" + iterations,
                "switch.buffer_capacity_bytes=1 GiB",
                "measure.messages=" + messages);
        assertThat(result.voqWait().meanPs() / SLOT).isEqualTo(expected, within(0.03 * expected));
    }

    @ParameterizedTest
    @CsvSource({"true, true", "false, false"})
    void oneIteration_saturatesWithoutSelfTraffic(boolean self, boolean stable) {
        RunResult result = run(
                "traffic.pattern=uniform",
                "traffic.self=" + self,
                "traffic.load=0.9",
                "traffic.arrivals=bernoulli",
                "traffic.message=1344 B",
                "switch.islip_iterations=1",
                "switch.buffer_capacity_bytes=1 GiB",
                "measure.messages=400000");
        assertThat(result.stable()).isEqualTo(stable);
    }
}
