package io.github.rhosweep.run;

import io.github.rhosweep.design.DesignPoint;
import io.github.rhosweep.design.ExperimentSpec;
import io.github.rhosweep.design.Plan;
import io.github.rhosweep.kernel.Simulation;
import io.github.rhosweep.scenario.Scenario;
import org.jspecify.annotations.Nullable;

/**
 * What the runs of an experiment would take, told from a few of its points that were run and timed.
 *
 * @param points that were timed
 * @param nsPerFrame wall time a frame over those points, one thread
 * @param processors of this machine
 * @param cpuSeconds of the least replicates of all points; null if the plan does not know the frames
 */
public record Price(
        int points,
        double nsPerFrame,
        int processors,
        @Nullable Double cpuSeconds) {
    private static final int MOST_TIMED_POINTS = 1000;
    private static final double WARM_UP_SHARE = 0.4;
    private static final double GOLDEN_RATIO = 0.6180339887498949;

    /**
     * Runs points spread over the design by multiples of the golden ratio, so that no axis is met in step. Those of the first seconds
     * warm the JVM up and do not count, unless there are no others.
     *
     * @param design whose points are simulated
     * @param plan of it
     * @param seconds to spend
     */
    public static Price of(ExperimentSpec design, Plan plan, double seconds) {
        PointRunner runner = new PointRunner(design, new Simulation()::run);
        double frames = 0;
        double ns = 0;
        int timed = 0;
        boolean warm = false;
        long start = System.nanoTime();
        for (int i = 0; i < MOST_TIMED_POINTS && secondsSince(start) < seconds; i++) {
            if (!warm && secondsSince(start) >= seconds * WARM_UP_SHARE) {
                warm = true;
                frames = 0;
                ns = 0;
                timed = 0;
            }
            DesignPoint point = design.point((long) (i * GOLDEN_RATIO % 1 * design.size()));
            Scenario scenario = point.scenario();
            long before = System.nanoTime();
            runner.once(point, 1);
            ns += System.nanoTime() - before;
            frames +=
                    (double) scenario.measure().messages() * scenario.traffic().framesPerMessage();
            timed++;
        }
        double nsPerFrame = ns / frames;
        Double all = plan.framesMin();
        return new Price(
                timed,
                nsPerFrame,
                Runtime.getRuntime().availableProcessors(),
                all == null ? null : Double.valueOf(all * nsPerFrame / 1e9));
    }

    /** Wall time of all on the processors of this machine, s; null if the plan does not know the frames. */
    public @Nullable Double seconds() {
        return cpuSeconds == null ? null : Double.valueOf(cpuSeconds / processors);
    }

    private static double secondsSince(long ns) {
        return (System.nanoTime() - ns) / 1e9;
    }
}
