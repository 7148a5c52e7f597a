package io.github.rhosweep.fit;

import io.github.rhosweep.model.Target;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Gradient-boosted regression trees (Friedman 2001) of log(T/T_ab) on every {@link Feature} that exists at all points and varies. Trees
 * know steps only: between points they are constant, beyond them the edge goes on, and no pole at rho = 1 is in them but what the points
 * show.
 */
final class Surrogate implements Method {
    static final String ID = "surrogate";

    private static final int LEAST_POINTS = 50;

    private final @Nullable TreeTrainer trainer;

    /** @param trainer null where models are only restored */
    Surrogate(@Nullable TreeTrainer trainer) {
        this.trainer = trainer;
    }

    @Override
    public String id() {
        return ID;
    }

    @Override
    public String describe() {
        return "T = T_ab exp(sum of gradient-boosted regression trees over all features)";
    }

    @Override
    public Fitted fit(Target target, List<Observation> observations, long seed) {
        TreeTrainer growing = trainer;
        if (growing == null) {
            throw new NotIdentifiableException(ID + ": nothing here grows trees; `rhosweep fit` and `compare` do");
        }
        if (observations.size() < LEAST_POINTS) {
            throw new NotIdentifiableException(
                    ID + ": " + observations.size() + " points, at least " + LEAST_POINTS + " are needed");
        }
        List<Feature> features = new ArrayList<>();
        for (Feature feature : Feature.values()) {
            double[] values = observations.stream()
                    .mapToDouble(o -> o.conditions().get(feature))
                    .toArray();
            double first = values[0];
            if (Arrays.stream(values).allMatch(Double::isFinite)
                    && Arrays.stream(values).anyMatch(x -> Math.abs(x - first) > 1e-9 * Math.abs(first))) {
                features.add(feature);
            }
        }
        if (features.isEmpty()) {
            throw new NotIdentifiableException(ID + ": nothing varies among the points");
        }
        double[][] x = observations.stream()
                .map(o -> features.stream()
                        .mapToDouble(f -> o.conditions().get(f))
                        .toArray())
                .toArray(double[][]::new);
        double[] y = observations.stream()
                .mapToDouble(o -> StrictMath.log(o.value() / o.conditions().zeroLoadNs()))
                .toArray();
        // A point known to less than 1% weighs less; one known better is not worth more.
        double[] weights = observations.stream()
                .mapToDouble(o -> 1 / (1 + 1e4 * o.relativeError() * o.relativeError()))
                .toArray();
        return new Forest(growing.train(features.stream().map(Feature::id).toList(), x, y, weights, seed));
    }

    @Override
    public Fitted restore(Target target, State state) {
        State.Trees trees = state.trees();
        if (trees == null) {
            throw new IllegalArgumentException("a surrogate needs trees");
        }
        return new Forest(trees);
    }

    /** Trees flattened into arrays. */
    private static final class Forest implements Fitted {
        private final State.Trees trees;
        private final Feature[] features;
        private final int[] roots;
        private final double[] weights;
        private final int[] feature;
        private final double[] threshold;
        private final int[] left;
        private final int[] right;

        Forest(State.Trees trees) {
            this.trees = trees;
            this.features = trees.features().stream()
                    .map(id -> Arrays.stream(Feature.values())
                            .filter(f -> f.id().equals(id))
                            .findFirst()
                            .orElseThrow(() -> new IllegalArgumentException("unknown feature " + id)))
                    .toArray(Feature[]::new);
            this.roots = ints(trees.roots());
            this.weights =
                    trees.weights().stream().mapToDouble(Double::doubleValue).toArray();
            this.feature = ints(trees.feature());
            this.threshold =
                    trees.threshold().stream().mapToDouble(Double::doubleValue).toArray();
            this.left = ints(trees.left());
            this.right = ints(trees.right());
            check();
        }

        private static int[] ints(List<Integer> list) {
            return list.stream().mapToInt(Integer::intValue).toArray();
        }

        /** Children come after their parents, so that every walk ends. */
        private void check() {
            int nodes = feature.length;
            if (threshold.length != nodes || left.length != nodes || right.length != nodes) {
                throw new IllegalArgumentException("trees: feature, threshold, left and right differ in length");
            }
            if (weights.length != roots.length || Arrays.stream(roots).anyMatch(r -> r < 0 || r >= nodes)) {
                throw new IllegalArgumentException("trees: roots and weights do not fit the nodes");
            }
            for (int i = 0; i < nodes; i++) {
                boolean leaf = feature[i] < 0;
                if (!leaf
                        && (feature[i] >= features.length
                                || left[i] <= i
                                || right[i] <= i
                                || left[i] >= nodes
                                || right[i] >= nodes)) {
                    throw new IllegalArgumentException("trees: node " + i + " leads nowhere");
                }
            }
        }

        @Override
        public double predict(Conditions at) {
            if (at.load() >= 1) {
                return Double.NaN;
            }
            double sum = 0;
            for (int t = 0; t < roots.length; t++) {
                int node = roots[t];
                while (feature[node] >= 0) {
                    node = at.get(features[feature[node]]) <= threshold[node] ? left[node] : right[node];
                }
                sum += weights[t] * threshold[node];
            }
            return at.zeroLoadNs() * StrictMath.exp(sum);
        }

        @Override
        public State state() {
            return new State(List.of(), null, trees);
        }

        @Override
        public String remarks() {
            return roots.length + " trees of " + feature.length + " nodes over "
                    + trees.features().size() + " features";
        }
    }
}
