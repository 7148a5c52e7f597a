package io.github.rhosweep.fit;

/**
 * A fitted number and its 95% interval, which holds what the data leave open if the form is right; where the form is not, it says
 * nothing of how wrong that is: held-out errors do.
 *
 * @param name in the formula
 * @param value estimate
 * @param low lower end
 * @param high upper end
 */
public record Coefficient(String name, double value, double low, double high) {}
