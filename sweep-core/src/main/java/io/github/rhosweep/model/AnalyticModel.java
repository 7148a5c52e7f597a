package io.github.rhosweep.model;

import java.util.List;

/**
 * A closed form that predicts something a run measures.
 *
 * <p>A model gives no value, and says why, where its formula is undefined (no load, a load of 1 or more) or where what it is about
 * does not occur (aligned senders under Poisson arrivals). Where the formula is defined but its assumptions do not hold, it gives its
 * value all the same: how far off M/D/1 is for messages of many frames is what a comparison wants to know. {@link Card#validity}
 * tells the two apart: where the value is exact, where it approximates, where there is none.
 */
public interface AnalyticModel {
    /**
     * What a reader must know of a model.
     *
     * @param id snake_case, part of the columns' names
     * @param formula symbols and formula; waits in service times of one customer unless a unit is given
     * @param inputs what of the scenario enters
     * @param source paper or derivation
     * @param validity where exact, where an approximation, where no value is given
     */
    record Card(String id, String formula, String inputs, String source, String validity) {}

    /** What this model is. */
    Card card();

    /** What it predicts, in the order of columns. */
    List<Target> targets();

    /**
     * Its value at a point.
     *
     * @param target one of {@link #targets}
     * @param point what is known before the run
     */
    Prediction predict(Target target, Point point);
}
