package io.github.rhosweep.model;

import io.github.rhosweep.result.Column;
import io.github.rhosweep.scenario.ModelSpec;
import io.github.rhosweep.scenario.Parameter.ColumnType;
import io.github.rhosweep.scenario.Scenario;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The list of models, and the prediction columns of a row. */
public final class Models {
    private static final List<AnalyticModel> ALL = List.of(
            new AlphaBeta(),
            new StaticSharing(),
            new StaticAll(),
            new FlowsDivisor(),
            new AstraUnaware(),
            new AstraAware(),
            new Mm1(),
            new Md1(),
            new Mg1(),
            new Mg1Ps(),
            new RrMessages(),
            new ConcentratorMd1(),
            new Mm1k(),
            new Md1k(),
            new Kingman(),
            new Klb(),
            new Marchal(),
            new BatchMd1(),
            new Nddd1(),
            new SyncIncast(),
            new IncastOnset(),
            new OutputQueued(),
            new Segmented(),
            new SegmentedPlain(),
            new SegmentedAuto(),
            new SegmentedBurst(),
            new DynamicThreshold(),
            new FluidMaxMin(),
            Jackson.plain(),
            Jackson.withSafety("jackson_safety", 1.5),
            Jackson.withSafety("jackson_safety_2", 2),
            new Qna(),
            new Alma(),
            Collective.ring(),
            Collective.recursiveDoubling(),
            Collective.rabenseifner(),
            Collective.allToAllDirect(),
            Collective.allToAllPairwise(),
            Collective.allToAllBruck(),
            Collective.broadcastBinomial(),
            Collective.broadcastVanDeGeijn(),
            new ScheduleBound(),
            new PipelineBubble(),
            new DcqcnFixedPoint());

    private static final String SIZES_DIFFER = "messages differ in size: the models know one";

    private static final List<Column> COLUMNS = findColumns();

    private Models() {}

    /** All models, in the order of columns. */
    public static List<AnalyticModel> all() {
        return ALL;
    }

    /** Columns of {@link #predict}: every model's targets, then regime, congested_onset, verify_by_simulation. */
    public static List<Column> columns() {
        return COLUMNS;
    }

    /** The name of a prediction's column. */
    public static String column(AnalyticModel model, Target target) {
        return "pred_" + model.card().id() + "_" + target.suffix();
    }

    /**
     * What all models say of a point.
     *
     * @param values one for each of {@link #columns}: Double, Boolean or String, null where a model gives none
     * @param reasons why, by column, for those that are null
     */
    @SuppressWarnings("ArrayRecordComponent") // goes straight into a row; never compared
    public record Predictions(@Nullable Object[] values, Map<String, String> reasons) {}

    /** Predicts a point. */
    public static Predictions predict(Scenario scenario) {
        Point point = Point.of(scenario);
        boolean oneSize = scenario.traffic().oneSize();
        @Nullable Object[] values = new @Nullable Object[COLUMNS.size()];
        Map<String, String> reasons = new LinkedHashMap<>();
        boolean multicast = scenario.traffic().multicast() > 1;
        int i = 0;
        for (AnalyticModel model : ALL) {
            for (Target target : model.targets()) {
                Prediction prediction = multicast
                        ? Prediction.none("no model knows multicast")
                        : oneSize ? model.predict(target, point) : Prediction.none(SIZES_DIFFER);
                String reason = prediction.reason();
                if (reason != null) {
                    reasons.put(COLUMNS.get(i).name(), reason);
                } else {
                    values[i] = target.columnType() == ColumnType.BOOLEAN
                            ? (Object) (prediction.value() != 0)
                            : (Object) prediction.value();
                }
                i++;
            }
        }
        ModelSpec thresholds = scenario.model();
        double rho = point.rho();
        boolean known = !Double.isNaN(rho);
        if (known) {
            values[i] = rho < thresholds.lowThresholdRho()
                    ? "low"
                    : rho < thresholds.saturationThresholdRho() ? "transition" : "congested";
            values[i + 1] = rho >= thresholds.congestionThresholdRho();
        } else {
            reasons.put("regime", Point.NO_LOAD);
            reasons.put("congested_onset", Point.NO_LOAD);
        }
        // What no formula covers is left to the simulator as well: no load to go by, or a volley that overflows.
        values[i + 2] = !known
                || multicast
                || rho >= thresholds.saturationThresholdRho()
                || point.aligned() && point.incast() && IncastOnset.overflows(point);
        return new Predictions(values, reasons);
    }

    private static List<Column> findColumns() {
        List<Column> columns = new ArrayList<>();
        for (AnalyticModel model : ALL) {
            AnalyticModel.Card card = model.card();
            for (Target target : model.targets()) {
                columns.add(new Column(
                        column(model, target),
                        target.columnType(),
                        target.unit(),
                        target.doc() + " by " + card.id() + ": " + card.formula() + " (" + card.validity() + ")",
                        card.source()));
            }
        }
        columns.add(new Column(
                "regime",
                ColumnType.STRING,
                "",
                "low, transition or congested, by load",
                "model.low_threshold_rho, model.saturation_threshold_rho"));
        columns.add(new Column(
                "congested_onset",
                ColumnType.BOOLEAN,
                "",
                "Whether the load has reached the onset of congestion",
                "model.congestion_threshold_rho"));
        columns.add(new Column(
                "verify_by_simulation",
                ColumnType.BOOLEAN,
                "",
                "Whether models should not be trusted alone: regime congested, no load known, or an aligned burst beyond the buffer",
                "model.saturation_threshold_rho, incast_onset"));
        return List.copyOf(columns);
    }
}
