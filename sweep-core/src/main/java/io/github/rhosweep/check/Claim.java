package io.github.rhosweep.check;

import io.github.rhosweep.design.ExperimentSpec;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A statement that simulation can test.
 *
 * @param id short name
 * @param statement what is claimed, in a sentence
 * @param source where it is claimed
 * @param experiment a block for each point, named after it, then, for each value of {@code plotX}, all points again
 * @param points their names
 * @param measure the value that the claim is about
 * @param low least value claimed; minus infinity where there is none
 * @param high largest value claimed; infinity where there is none
 * @param margin by which a value may miss these and still count as the same
 * @param closedForm what theory says of the value; null where it says nothing in figures
 * @param theory the same in words: formula or reason
 * @param condition when the claim holds, or what holds in its place
 * @param pinned the verdict last time; null for a claim that never had one
 * @param plotX parameter drawn along in a picture; null where there is none
 * @param plotValues of that parameter: how many
 */
public record Claim(
        String id,
        String statement,
        String source,
        ExperimentSpec experiment,
        List<String> points,
        Formula measure,
        double low,
        double high,
        double margin,
        @Nullable Formula closedForm,
        String theory,
        String condition,
        @Nullable Verdict pinned,
        @Nullable String plotX,
        int plotValues) {
    /** How many indices of the experiment the verdict needs: the first ones. */
    public int size() {
        return points.size();
    }
}
