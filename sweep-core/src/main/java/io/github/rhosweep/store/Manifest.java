package io.github.rhosweep.store;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What stands in {@code manifest.json}: which program filled the folder, and how the last invocation on it went.
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
 * @param status running (or killed), complete, incomplete (some points failed), gave_up (too many did), budget (spent before all was done), merged,
 *     stopped or broken
 * @param counts of the last invocation
 * @param selfCheck what the self-check said of this program on this JDK: passed or failed, with the digest of its values, or
 *     not_run
 * @param compacted which files count since they were rewritten; null: all
 * @param budget how an allowance of CPU time was spent; null: there was none
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
        Counts counts,
        String selfCheck,
        @Nullable Compacted compacted,
        @Nullable Budget budget) {
    /** The layout that this release writes. */
    public static final int SCHEMA_VERSION = 1;

    /**
     * Points of the design and what became of them.
     *
     * @param planned distinct points
     * @param done points finished by this invocation
     * @param failed points that failed, in this invocation or in an earlier one without being tried again
     * @param skipped points that were finished before this invocation
     * @param runs rows added to {@code runs} by this invocation
     */
    @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Counts(long planned, long done, long failed, long skipped, long runs) {}

    /**
     * What {@code compact} left: files of this generation stand for those of earlier ones and of all invocations up to one.
     *
     * @param generation number of the rewriting, from 1
     * @param through the last invocation whose files were rewritten
     */
    @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Compacted(int generation, int through) {}

    /**
     * How an allowance was spent.
     *
     * @param cpuSeconds allowed
     * @param usedCpuSeconds used by runs that were kept
     * @param notRun points without any run
     * @param intervalsNotMet points whose interval is wider than asked and that have fewer replicates than allowed
     */
    @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Budget(double cpuSeconds, double usedCpuSeconds, long notRun, long intervalsNotMet) {}

    /** The same at the end of an allowance. */
    public Manifest spent(Budget how, Counts all, String status) {
        return with(ended, status, all, compacted, how);
    }

    /** The same with other files that count. */
    public Manifest compacted(@Nullable Compacted which) {
        return with(ended, status, counts, which, budget);
    }

    /** The same invocation, further on. */
    public Manifest with(Counts now) {
        return with(ended, status, now, compacted, budget);
    }

    /** The same invocation, at its end. */
    public Manifest ended(String time, String how) {
        return with(time, how, counts, compacted, budget);
    }

    /** What it took by the clock on the wall, which may have been set back meanwhile; nothing while it runs. */
    public Duration took() {
        if (ended == null) {
            return Duration.ZERO;
        }
        Duration took = Duration.between(Instant.parse(started), Instant.parse(ended));
        return took.isNegative() ? Duration.ZERO : took;
    }

    private Manifest with(
            @Nullable String end, String how, Counts now, @Nullable Compacted which, @Nullable Budget allowance) {
        return new Manifest(
                schemaVersion,
                semanticsVersion,
                sweep,
                toolVersion,
                gitCommit,
                jdk,
                spark,
                invocation,
                started,
                end,
                how,
                now,
                selfCheck,
                which,
                allowance);
    }
}
