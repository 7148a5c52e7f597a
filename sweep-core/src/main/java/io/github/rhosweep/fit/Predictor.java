package io.github.rhosweep.fit;

import io.github.rhosweep.model.Target;
import io.github.rhosweep.scenario.InvalidValueException;
import io.github.rhosweep.scenario.Scenario;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Predictions from a model file, for programs that embed them:
 *
 * <pre>{@code
 * Predictor predictor = Predictor.load(Path.of("models/incast.json"));
 * Forecast forecast = predictor.predict(scenario);
 * }</pre>
 *
 * Immutable, so safe for any number of threads. Who asks about one scenario again and again keeps its {@link Conditions}.
 */
public final class Predictor {
    private static final Feature[] FEATURES = Feature.values();

    /** An interval is wide from value / 1.2 .. value * 1.2 on. */
    private static final double WIDE = 0.2;

    private final CorrectionModel model;
    private final Target target;
    private final Set<Grouping> by;
    private final Group[] groups;

    /**
     * A predictor of a model.
     *
     * @throws InvalidValueException if its method, target, groups or numbers are none that this release knows
     */
    public Predictor(CorrectionModel model) {
        this.model = model;
        this.target = Dataset.target(model.target());
        this.by = Grouping.of(model.by());
        Method method = Methods.named(target, model.method());
        List<Group> restored = new ArrayList<>();
        for (CorrectionModel.Group group : model.groups()) {
            try {
                restored.add(new Group(group, method.restore(target, group.state())));
            } catch (IllegalArgumentException wrong) {
                throw new InvalidValueException("groups." + group.name() + ".state: " + wrong.getMessage());
            }
        }
        this.groups = restored.toArray(Group[]::new);
    }

    /**
     * Reads a model file.
     *
     * @throws InvalidValueException if it is none; names file and key
     * @throws IOException if it cannot be read
     */
    public static Predictor load(Path file) throws IOException {
        CorrectionModel model = CorrectionModel.read(file);
        try {
            return new Predictor(model);
        } catch (InvalidValueException wrong) {
            throw new InvalidValueException(file + ": " + wrong.getMessage());
        }
    }

    /** The model, with its evidence. */
    public CorrectionModel model() {
        return model;
    }

    /** What is predicted. */
    public Target target() {
        return target;
    }

    /** The prediction for a scenario. */
    public Forecast predict(Scenario scenario) {
        return predict(conditions(scenario));
    }

    /** What this predictor looks at in a scenario. */
    public Conditions conditions(Scenario scenario) {
        return Conditions.of(scenario, target);
    }

    /** The prediction for conditions that {@link #conditions} gave. */
    public Forecast predict(Conditions at) {
        Regime regime = at.regime();
        Group group = group(at);
        if (group == null) {
            return new Forecast(Double.NaN, Double.NaN, Double.NaN, regime, true, true);
        }
        boolean outside = group.firstOutside(at) >= 0 || !group.mechanisms.contains(at.mechanisms());
        double value = group.fitted.predict(at);
        double width = group.widths[regime.ordinal()];
        return new Forecast(
                value,
                value / (1 + width),
                value * (1 + width),
                regime,
                outside || !(width <= WIDE) || Double.isNaN(value),
                outside);
    }

    private @Nullable Group group(Conditions at) {
        if (groups.length == 1 && groups[0].isOf(at)) {
            return groups[0];
        }
        for (Group group : groups) {
            if (group.isOf(at)) {
                return group;
            }
        }
        return null;
    }

    /** What lies outside the domain, one line each; empty if nothing does. */
    public List<String> whyOutside(Conditions at) {
        Group group = group(at);
        if (group == null) {
            return List.of("no group " + Grouping.group(by, at) + " in the model: it has "
                    + String.join(", ", Arrays.stream(groups).map(g -> g.name).toList()));
        }
        List<String> reasons = new ArrayList<>();
        for (Feature feature : FEATURES) {
            if (group.outside(feature, at)) {
                double x = at.get(feature);
                CorrectionModel.Range range = group.domain[feature.ordinal()];
                reasons.add(String.format(
                        Locale.ROOT,
                        "%s %s: fitted to %s",
                        feature.id(),
                        Double.isNaN(x) ? "does not exist here" : Double.toString(x),
                        range == null ? "points where it does not exist" : range.low() + " .. " + range.high()));
            }
        }
        if (!group.mechanisms.contains(at.mechanisms())) {
            reasons.add("frames are admitted, sent, paused or routed as at no point fitted to: " + at.mechanisms());
        }
        return reasons;
    }

    private final class Group {
        private final String name;
        private final String pattern;
        private final String topology;
        private final double iterations;
        private final Fitted fitted;
        private final List<String> mechanisms;
        private final CorrectionModel.@Nullable Range[] domain = new CorrectionModel.@Nullable Range[FEATURES.length];
        private final double[] widths = new double[Regime.values().length];

        Group(CorrectionModel.Group group, Fitted fitted) {
            this.name = group.name();
            this.fitted = fitted;
            this.mechanisms = List.copyOf(group.mechanisms());
            for (Map.Entry<String, CorrectionModel.Range> e : group.domain().entrySet()) {
                Feature feature = Arrays.stream(FEATURES)
                        .filter(f -> f.id().equals(e.getKey()))
                        .findFirst()
                        .orElseThrow(() -> new IllegalArgumentException("unknown feature " + e.getKey()));
                domain[feature.ordinal()] = e.getValue();
            }
            Arrays.fill(widths, Double.NaN);
            for (Evaluation.Interval interval : group.intervals()) {
                Double relative = interval.relative();
                if (relative != null) {
                    widths[Regime.named(interval.regime()).ordinal()] = relative;
                }
            }
            this.pattern = part("pattern=");
            this.topology = part("topology=");
            String rounds = part("iterations=");
            this.iterations = rounds.equals("any") || rounds.isEmpty() ? Double.NaN : Double.parseDouble(rounds);
        }

        private String part(String key) {
            for (String part : name.split(" ")) {
                if (part.startsWith(key)) {
                    return part.substring(key.length());
                }
            }
            return "";
        }

        /** {@link Grouping#group} without making text. */
        boolean isOf(Conditions at) {
            return (pattern.isEmpty() || pattern.equals(at.pattern()))
                    && (topology.isEmpty() || topology.equals(at.topology()))
                    && (!by.contains(Grouping.ITERATIONS)
                            || Double.compare(iterations, at.get(Feature.ISLIP_ITERATIONS)) == 0);
        }

        boolean outside(Feature feature, Conditions at) {
            double x = at.get(feature);
            CorrectionModel.Range range = domain[feature.ordinal()];
            return Double.isNaN(x) ? range != null : range == null || !range.holds(x, feature.openAbove());
        }

        /** Ordinal of a feature that is outside, or -1. */
        int firstOutside(Conditions at) {
            for (Feature feature : FEATURES) {
                if (outside(feature, at)) {
                    return feature.ordinal();
                }
            }
            return -1;
        }
    }
}
