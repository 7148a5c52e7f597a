package io.github.rhosweep.fit;

/**
 * A point that was not fitted to, and what was predicted of it.
 *
 * @param kind how it was held out
 * @param observation what was measured
 * @param predicted in ns; NaN if the method gave none or could not be fitted without these points
 */
public record HeldOutPoint(HeldOut kind, Observation observation, double predicted) {
    /** (predicted - measured)/measured. */
    public double error() {
        return predicted / observation.value() - 1;
    }
}
