package io.github.rhosweep.fit;

import io.github.rhosweep.model.AnalyticModel;
import io.github.rhosweep.model.Models;
import io.github.rhosweep.model.Point;
import io.github.rhosweep.model.Prediction;
import io.github.rhosweep.model.Target;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a closed pattern takes alone on an idle fabric: the cost model of the pattern that is run, in which T_ab stands for alpha + n beta.
 * To corrections of completions it is what T_ab is to those of messages, and so it goes by the same name.
 */
final class Idle implements Method {
    private static final List<String> COST_MODELS =
            List.of("ring", "recursive_doubling", "alltoall_direct", "pipeline_bubble");

    @Override
    public String id() {
        return "alpha_beta";
    }

    @Override
    public String describe() {
        return "the cost model of the pattern alone: " + String.join(", ", COST_MODELS);
    }

    @Override
    public boolean fits() {
        return false;
    }

    /** In ns; NaN if no model knows the pattern. */
    static double ns(Point point) {
        for (String id : COST_MODELS) {
            AnalyticModel model = model(id);
            if (model != null) {
                Prediction prediction = model.predict(Target.COMPLETION, point);
                if (prediction.exists()) {
                    return prediction.value();
                }
            }
        }
        return Double.NaN;
    }

    private static @Nullable AnalyticModel model(String id) {
        return Models.all().stream()
                .filter(m -> m.card().id().equals(id) && m.targets().contains(Target.COMPLETION))
                .findFirst()
                .orElse(null);
    }

    @Override
    public Fitted fit(Target target, List<Observation> observations, long seed) {
        return restore(target, State.of(List.of()));
    }

    @Override
    public Fitted restore(Target target, State state) {
        return new Fitted() {
            @Override
            public double predict(Conditions conditions) {
                return conditions.zeroLoadNs();
            }
        };
    }
}
