package io.github.rhosweep.fit;

import io.github.rhosweep.model.AnalyticModel;
import io.github.rhosweep.model.Prediction;
import io.github.rhosweep.model.Target;
import java.util.List;

/** A model with nothing fitted, for comparison. */
final class ClosedForm implements Method {
    private final AnalyticModel model;

    ClosedForm(AnalyticModel model) {
        this.model = model;
    }

    @Override
    public String id() {
        return model.card().id();
    }

    @Override
    public String describe() {
        return model.card().formula();
    }

    @Override
    public boolean fits() {
        return false;
    }

    @Override
    public Fitted fit(Target target, List<Observation> observations, long seed) {
        return of(target);
    }

    @Override
    public Fitted restore(Target target, State state) {
        return of(target);
    }

    private Fitted of(Target target) {
        if (!model.targets().contains(target)) {
            throw new NotIdentifiableException(id() + ": does not predict " + target.measuredColumn());
        }
        return new Fitted() {
            @Override
            public double predict(Conditions conditions) {
                Prediction prediction = model.predict(target, conditions.point());
                return prediction.exists() ? prediction.value() : Double.NaN;
            }
        };
    }
}
