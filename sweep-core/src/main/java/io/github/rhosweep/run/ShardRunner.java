package io.github.rhosweep.run;

import io.github.rhosweep.design.DesignPoint;
import io.github.rhosweep.design.ExperimentSpec;
import io.github.rhosweep.result.Row;
import java.io.IOException;
import java.util.List;
import java.util.function.LongFunction;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/** Runs a range of an experiment's points in their order. */
public final class ShardRunner {
    private final ExperimentSpec experiment;
    private final PointRunner points;

    /** A runner of ranges; for one thread. */
    public ShardRunner(ExperimentSpec experiment, Simulator simulator) {
        this.experiment = experiment;
        this.points = new PointRunner(experiment, simulator);
    }

    /** Takes what each point yields. */
    @FunctionalInterface
    public interface Sink {
        void accept(PointOutcome outcome) throws IOException;
    }

    /** Asked before a point is run. */
    @FunctionalInterface
    public interface Gate {
        /** Null if the point is to be run, else why its processes are given up: it becomes a failure. */
        @Nullable
        String refuses(DesignPoint point) throws IOException;
    }

    /**
     * Runs the points of a range that are not done; a point whose key an earlier index has too is left to that one.
     *
     * @param first index of the first point
     * @param end index after the last
     * @param done tells by index which points to leave out
     * @param earlier gives by index the rows of runs that a point already has
     * @param gate asked before each point
     * @throws IOException as the sink and the gate do
     */
    public void run(long first, long end, LongPredicate done, LongFunction<List<Row>> earlier, Gate gate, Sink sink)
            throws IOException {
        for (long index = first; index < end; index++) {
            if (done.test(index)) {
                continue;
            }
            DesignPoint point = experiment.point(index);
            if (!point.repeated()) {
                String lost = gate.refuses(point);
                sink.accept(lost == null ? points.run(point, earlier.apply(index)) : points.lost(point, lost));
            }
        }
    }
}
