package io.github.rhosweep.design;

import java.io.Serializable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * When, with fidelity {@code auto}, models are not believed although they do not ask for simulation: where they disagree.
 *
 * @param models ids of models whose predictions of message latency are compared; each rests on other assumptions
 * @param disagree largest over smallest prediction, less 1, from which on the point is simulated
 */
public record Screen(List<String> models, double disagree) implements Serializable {
    /** The rule of {@code screen} where a file has none: FIFO, two moments of the arrivals, round robin of messages. */
    public static final Screen USUAL = new Screen(List.of("mg1", "kingman", "rr_messages"), 0.25);

    public Screen {
        models = List.copyOf(models);
    }

    /** The column of a model's prediction. */
    public static String column(String model) {
        return "pred_" + model + "_message_ns";
    }

    /** Whether predictions differ by as much; one alone contradicts nobody. */
    public boolean disagrees(Iterable<? extends @Nullable Object> predictions) {
        double least = Double.POSITIVE_INFINITY;
        double most = 0;
        for (Object prediction : predictions) {
            if (prediction instanceof Double value) {
                least = Math.min(least, value);
                most = Math.max(most, value);
            }
        }
        return most > 0 && most >= least * (1 + disagree) && most > least;
    }
}
