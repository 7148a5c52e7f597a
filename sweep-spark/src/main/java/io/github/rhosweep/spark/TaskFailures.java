package io.github.rhosweep.spark;

import java.util.HashMap;
import java.util.Map;
import org.apache.spark.ExceptionFailure;
import org.apache.spark.SparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.jspecify.annotations.Nullable;

/**
 * Ends a job of which one task keeps throwing. Spark counts thrown exceptions and dead executors alike; here a sweep must outlive many
 * dead executors, so that Spark's own limit is set high and this one counts what was thrown.
 */
final class TaskFailures extends SparkListener {
    /** Spark's default of spark.task.maxFailures. */
    private static final int MOST = 4;

    private final SparkContext spark;
    private final String jobGroup;
    private final Map<String, Integer> thrown = new HashMap<>();
    private volatile @Nullable Throwable cause;

    TaskFailures(SparkContext spark, String jobGroup) {
        this.spark = spark;
        this.jobGroup = jobGroup;
    }

    /** Why the job was ended, null if it was not. */
    @Nullable
    Throwable cause() {
        return cause;
    }

    @Override
    public void onTaskEnd(SparkListenerTaskEnd end) {
        if (end.reason() instanceof ExceptionFailure failure
                && thrown.merge(end.stageId() + "." + end.taskInfo().index(), 1, Integer::sum) == MOST
                && cause == null) {
            cause = failure.exception().isDefined()
                    ? failure.exception().get()
                    : new IllegalStateException(failure.className() + ": " + failure.description());
            spark.cancelJobGroup(jobGroup);
        }
    }
}
