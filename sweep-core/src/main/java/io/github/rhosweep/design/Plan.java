package io.github.rhosweep.design;

import io.github.rhosweep.scenario.Params;
import io.github.rhosweep.scenario.TrafficSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What an experiment will do, found without visiting its points.
 *
 * @param points distinct points
 * @param runsMin simulated runs at least: points that draw no random number run once. With fidelity {@code models} none is
 *     simulated and this is the points, a row each; with {@code auto} the models decide, and this is the points too
 * @param runsMax runs at most
 * @param framesMin frames that {@code runsMin} runs offer, as far as {@code measure.messages} says; null if that depends on too many
 *     combinations of axes to add up
 * @param lints what is suspicious
 * @param unchecked lints, with their block, that depend on too many combinations of axes to look through
 */
public record Plan(
        long points,
        long runsMin,
        long runsMax,
        @Nullable Double framesMin,
        List<Finding> lints,
        List<String> unchecked) {
    /** Advice is not worth more looking than this. */
    private static final int MAX_LINT_COMBINATIONS = 100_000;

    /**
     * One suspicion about one block.
     *
     * @param points of the block that it concerns
     * @param of points of the block
     * @param example the values of axes at one of them; empty if it holds whatever the axes
     */
    public record Finding(Lint lint, String block, long points, long of, String example) {}

    /** Plans an experiment. */
    public static Plan of(ExperimentSpec experiment) {
        Counter counter = new Counter(experiment);
        List<Finding> findings = new ArrayList<>();
        List<String> unchecked = new ArrayList<>();
        for (Block block : experiment.blocks()) {
            counter.add(block);
            for (Lint lint : Lint.values()) {
                Finding finding = lint.concerns(block) ? find(lint, block, unchecked) : null;
                if (finding != null) {
                    findings.add(finding);
                }
            }
        }
        counter.subtractRepeated();
        Fidelity fidelity = experiment.fidelity();
        long points = experiment.points();
        return new Plan(
                points,
                fidelity == Fidelity.SIMULATE
                        ? counter.runs(experiment.replicates().min())
                        : points,
                fidelity == Fidelity.MODELS
                        ? points
                        : counter.runs(experiment.replicates().max()),
                fidelity == Fidelity.SIMULATE ? counter.frames : Double.valueOf(0),
                List.copyOf(findings),
                List.copyOf(unchecked));
    }

    private static @Nullable Finding find(Lint lint, Block block, List<String> unchecked) {
        long[] suspicious = new long[1];
        String[] example = new String[1];
        try {
            block.explore(lint::suspects, MAX_LINT_COMBINATIONS, (digits, suspected, points) -> {
                if (suspected) {
                    if (suspicious[0] == 0) {
                        example[0] = block.describe(digits);
                    }
                    suspicious[0] += points;
                }
            });
        } catch (Block.TooManyCombinations tooMany) {
            unchecked.add(lint.id() + " in " + block.name() + " (axes " + tooMany.getMessage() + ")");
            return null;
        }
        return suspicious[0] == 0
                ? null
                : new Finding(lint, block.name(), suspicious[0], block.size(), String.valueOf(example[0]));
    }

    /** Adds up runs and frames over blocks. */
    private static final class Counter {
        private final ExperimentSpec experiment;
        private long drawing;
        private long fixed;
        private @Nullable Double frames = 0.0;

        Counter(ExperimentSpec experiment) {
            this.experiment = experiment;
        }

        void add(Block block) {
            try {
                long[] found = new long[2];
                block.explore(RandomDraws::drawnBy, (digits, draws, points) -> found[draws ? 1 : 0] += points);
                fixed += found[0];
                drawing += found[1];
            } catch (Block.TooManyCombinations tooMany) {
                drawing += block.size(); // at most too many runs are announced
            }
            try {
                double[] found = new double[1];
                block.explore(this::framesMin, (digits, perPoint, points) -> found[0] += perPoint * points);
                frames = frames == null ? null : Double.valueOf(frames + found[0]);
            } catch (Block.TooManyCombinations tooMany) {
                frames = null;
            }
        }

        void subtractRepeated() {
            experiment.repeats().visit(params -> {
                if (RandomDraws.drawnBy(params)) {
                    drawing--;
                } else {
                    fixed--;
                }
                frames = frames == null ? null : Double.valueOf(frames - framesMin(params));
            });
        }

        long runs(int replicates) {
            return fixed + Math.multiplyExact(drawing, (long) replicates);
        }

        private double framesMin(Params p) {
            double perRun = TrafficSpec.frames(p);
            int replicates = experiment.replicates().min();
            return replicates == 1 || !RandomDraws.drawnBy(p) ? perRun : perRun * replicates;
        }
    }

    /** From the name of each axis to its values as written; over several blocks, all values in the order met. */
    public static Map<String, Set<String>> axes(List<Block> blocks) {
        Map<String, Set<String>> axes = new LinkedHashMap<>();
        for (Block block : blocks) {
            for (Axis axis : block.axes()) {
                Set<String> values = axes.computeIfAbsent(axis.name(), name -> new LinkedHashSet<>());
                values.addAll(axis.groups());
            }
        }
        return axes;
    }
}
