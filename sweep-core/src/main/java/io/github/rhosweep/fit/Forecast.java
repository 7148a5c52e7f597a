package io.github.rhosweep.fit;

/**
 * What a predictor says of a scenario.
 *
 * @param valueNs predicted, in ns; NaN if there is none: the group is not in the model, or there is no steady state
 * @param lowNs lower end of its 95% interval, from held-out errors in its regime; NaN if too few were held out
 * @param highNs upper end
 * @param regime of its load
 * @param verifyBySimulation whether it should not be trusted alone: no value, outside the domain, or an interval wider than a fifth
 * @param outsideDomain whether the scenario has something that no point behind the model had; {@link Predictor#whyOutside} tells what
 */
public record Forecast(
        double valueNs,
        double lowNs,
        double highNs,
        Regime regime,
        boolean verifyBySimulation,
        boolean outsideDomain) {}
