package io.github.rhosweep.fit;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The numbers of a fitted method as they stand in a model file; what a method does not have is null there.
 *
 * @param coefficients of a formula, or of a regression's terms
 * @param table of a lookup
 * @param trees of a surrogate
 */
public record State(
        List<Coefficient> coefficients,
        @Nullable Table table,
        @Nullable Trees trees) {
    static State of(List<Coefficient> coefficients) {
        return new State(coefficients, null, null);
    }

    /**
     * A grid: {@code values[(i * frames.size + j) * load.size + k]} belongs to the i-th flows, j-th frames and k-th load.
     *
     * @param flows values of N, ascending
     * @param frames values of b, ascending
     * @param load values of rho, ascending
     * @param values (T - T_ab) (1 - rho) / S
     * @param filled how many of them had no point of their own and were interpolated
     */
    public record Table(List<Double> flows, List<Double> frames, List<Double> load, List<Double> values, int filled) {}

    /**
     * Regression trees whose weighted leaves are summed up to {@code log(T/T_ab)}. Node i: goes to {@code left[i]} if the feature is at
     * most the threshold, else to {@code right[i]}; a leaf has feature -1 and its value in {@code threshold}.
     *
     * @param features in the order of {@code feature}
     * @param roots first node of each tree
     * @param weights of each tree
     * @param feature index of each node's feature, -1 for a leaf
     * @param threshold of each node, or the leaf's value
     * @param left child of each node
     * @param right child of each node
     */
    public record Trees(
            List<String> features,
            List<Integer> roots,
            List<Double> weights,
            List<Integer> feature,
            List<Double> threshold,
            List<Integer> left,
            List<Integer> right) {}
}
