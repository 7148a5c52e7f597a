package io.github.rhosweep.design;

import io.github.rhosweep.scenario.InvalidFileException;
import io.github.rhosweep.scenario.Parameter;
import io.github.rhosweep.scenario.Parameters;
import io.github.rhosweep.scenario.Position;
import io.github.rhosweep.scenario.Problems;
import io.github.rhosweep.scenario.Rule;
import io.github.rhosweep.scenario.Scenario;
import io.github.rhosweep.scenario.ScenarioTree.Setting;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Finds points that cannot be, without visiting points: every rule, and whether each given parameter applies, is asked only over
 * the axes that it reads.
 */
final class PointRules {
    /** Combinations listed of one rule before the rest is only counted. */
    private static final int LISTED = 5;

    private final Problems problems;

    PointRules(Problems problems) {
        this.problems = problems;
    }

    void check(List<Block> blocks) {
        for (Block block : blocks) {
            if (block.size() > 0) {
                check(block);
            }
        }
    }

    private void check(Block block) {
        Set<String> given = new TreeSet<>(block.base().settings().keySet());
        block.axes().forEach(axis -> axis.parameters().forEach(p -> given.add(p.path())));
        for (String path : given) {
            Parameter<?> parameter = Parameters.named(path);
            Setting setting = block.base().settings().get(path);
            Position position =
                    setting == null ? block.axes().get(block.axisOf(path)).position() : setting.position();
            check(block, params -> params.applies(parameter) ? "" : Scenario.inapplicable(parameter), position);
        }
        for (Rule rule : Parameters.rules()) {
            check(block, params -> Objects.requireNonNullElse(rule.violation(params), ""), null);
        }
    }

    /** @param violation empty where there is none */
    private void check(Block block, Block.Question<String> violation, @Nullable Position position) {
        List<String> seen = new ArrayList<>();
        long[] more = new long[1];
        Position[] last = new Position[1];
        Block.Question<String> asked = params -> {
            try {
                return violation.answer(params);
            } catch (InvalidFileException file) {
                // A workload that is wrong is so wherever it is asked about; its lines have places of their own.
                problems.addAll(file);
                return "";
            }
        };
        try {
            block.explore(asked, (digits, message, points) -> {
                if (!message.isEmpty()) {
                    if (seen.size() < LISTED) {
                        seen.add(message);
                        Position at = position == null ? place(block, digits, message) : position;
                        last[0] = at;
                        String where = block.describe(digits);
                        problems.add(at, message + (where.isEmpty() ? "" : " (where " + where + ")"));
                    } else {
                        more[0]++;
                    }
                }
            });
        } catch (Block.TooManyCombinations tooMany) {
            problems.add(
                    block.position(),
                    "the block " + block.name() + " cannot be checked: a rule depends on more than "
                            + Block.MAX_COMBINATIONS + " combinations of the axes " + tooMany.getMessage()
                            + ". Maybe split it into `designs` of fewer values");
        }
        if (more[0] > 0 && last[0] != null) {
            problems.add(last[0], "... and " + more[0] + " more such combinations");
        }
    }

    /** The last axis that takes part; without one, the setting that the message names first. */
    private static Position place(Block block, int[] digits, String message) {
        for (int a = digits.length - 1; a >= 0; a--) {
            if (digits[a] >= 0) {
                return block.axes().get(a).position();
            }
        }
        Position place = block.position();
        int first = Integer.MAX_VALUE;
        for (Setting setting : block.base().settings().values()) {
            int at = message.indexOf(setting.parameter().path());
            if (at >= 0 && at < first) {
                first = at;
                place = setting.position();
            }
        }
        return place;
    }
}
