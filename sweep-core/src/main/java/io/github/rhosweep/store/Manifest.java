package io.github.rhosweep.store;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import org.jspecify.annotations.Nullable;

/**
 * What stands in {@code manifest.json}: which program filled the folder, and the counts of the last invocation on it.
 *
 * @param schemaVersion of the folder's layout
 * @param semanticsVersion of the simulator; rows of different ones are not comparable
 * @param sweep name of the experiment
 * @param toolVersion release that ran last
 * @param gitCommit its commit, or unknown
 * @param jdk that ran last
 * @param spark version of Spark
 * @param invocation how many invocations wrote here
 * @param started ISO-8601, of the last invocation
 * @param ended the same; null while it runs or if it was killed
 * @param status running, complete, incomplete (some failed), stopped or gave_up (too many failures)
 * @param planned points of the design
 * @param done points finished by this invocation
 * @param failed points of the design that have failed, now or earlier
 * @param skipped points that were finished before this invocation
 * @param runs rows added to {@code runs} by this invocation
 * @param selfCheck passed or not_run
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
@JsonIgnoreProperties(ignoreUnknown = true) // a later release may add fields
public record Manifest(
        int schemaVersion,
        int semanticsVersion,
        String sweep,
        String toolVersion,
        String gitCommit,
        String jdk,
        String spark,
        int invocation,
        String started,
        @Nullable String ended,
        String status,
        long planned,
        long done,
        long failed,
        long skipped,
        long runs,
        String selfCheck) {
    /** The layout that this release writes. */
    public static final int SCHEMA_VERSION = 1;
}
