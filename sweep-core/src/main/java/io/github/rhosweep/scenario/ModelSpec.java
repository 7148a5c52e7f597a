package io.github.rhosweep.scenario;

import java.math.BigDecimal;
import java.util.List;

/**
 * Thresholds of the segmented models and of the regime. They change no measurement and are outside a point's key.
 *
 * @param lowThresholdRho below: regime low
 * @param saturationThresholdRho from here: regime congested
 * @param congestionThresholdRho from here {@code congested_onset} is set, and nothing else
 * @param burstArrivalScv squared coefficient of variation that {@code segmented_burst} assumes
 */
public record ModelSpec(
        double lowThresholdRho, double saturationThresholdRho, double congestionThresholdRho, double burstArrivalScv) {
    public static final Parameter<BigDecimal> LOW_THRESHOLD = Parameter.real("model.low_threshold_rho")
            .between("0", "1")
            .byDefault("0.3")
            .outsideKey()
            .doc("Load below which the segmented models add no queueing");
    public static final Parameter<BigDecimal> SATURATION_THRESHOLD = Parameter.real("model.saturation_threshold_rho")
            .between("0", "1")
            .byDefault("0.7")
            .outsideKey()
            .doc("Load from which the segmented models bound by saturated throughput and ask for simulation");
    public static final Parameter<BigDecimal> CONGESTION_THRESHOLD = Parameter.real("model.congestion_threshold_rho")
            .between("0", "1")
            .byDefault("0.5")
            .outsideKey()
            .doc("Load from which congested_onset is set");
    public static final Parameter<BigDecimal> BURST_ARRIVAL_SCV = Parameter.real("model.arrival_cv_sq")
            .between("0", "1000000")
            .byDefault("4")
            .outsideKey()
            .doc("Squared coefficient of variation of arrivals that segmented_burst assumes");

    static final List<Parameter<?>> PARAMETERS =
            List.of(LOW_THRESHOLD, SATURATION_THRESHOLD, CONGESTION_THRESHOLD, BURST_ARRIVAL_SCV);

    static final List<Rule> RULES = List.of(Rule.ordered(LOW_THRESHOLD, SATURATION_THRESHOLD));

    static ModelSpec bind(Params p) {
        return new ModelSpec(
                p.get(LOW_THRESHOLD).doubleValue(),
                p.get(SATURATION_THRESHOLD).doubleValue(),
                p.get(CONGESTION_THRESHOLD).doubleValue(),
                p.get(BURST_ARRIVAL_SCV).doubleValue());
    }
}
