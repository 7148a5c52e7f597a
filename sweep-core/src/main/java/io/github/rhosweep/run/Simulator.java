package io.github.rhosweep.run;

import io.github.rhosweep.kernel.ControlVariate;
import io.github.rhosweep.result.RunResult;
import io.github.rhosweep.scenario.Scenario;
import java.util.function.BooleanSupplier;

/** What runs a scenario once: the kernel, or in tests something that fails on demand. */
@FunctionalInterface
public interface Simulator {
    /**
     * Runs one replicate; equal arguments give equal results.
     *
     * @param deadlinePassed asked now and then; the run is given up when it says true
     */
    RunResult run(Scenario scenario, long runSeed, ControlVariate control, BooleanSupplier deadlinePassed);
}
