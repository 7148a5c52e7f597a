package io.github.rhosweep.fit;

import java.util.List;

/** Grows the trees of a {@link Surrogate}; the core predicts from them but has no library to grow them with. */
@FunctionalInterface
public interface TreeTrainer {
    /**
     * Grows trees whose weighted leaves sum up to the response; the same for the same arguments.
     *
     * @param features names, in the order of a row of x
     * @param x one row a point
     * @param y response of each point
     * @param weights of each point
     * @param seed of whatever is drawn
     */
    State.Trees train(List<String> features, double[][] x, double[] y, double[] weights, long seed);
}
