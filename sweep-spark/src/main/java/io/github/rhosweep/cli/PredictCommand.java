package io.github.rhosweep.cli;

import io.github.rhosweep.fit.Conditions;
import io.github.rhosweep.fit.CorrectionModel;
import io.github.rhosweep.fit.Forecast;
import io.github.rhosweep.fit.GraphPredictor;
import io.github.rhosweep.fit.NotIdentifiableException;
import io.github.rhosweep.fit.Predictor;
import io.github.rhosweep.report.Json;
import io.github.rhosweep.report.TextTable;
import io.github.rhosweep.scenario.InvalidValueException;
import io.github.rhosweep.scenario.Parameter;
import io.github.rhosweep.scenario.Params;
import io.github.rhosweep.scenario.RoutingSpec;
import io.github.rhosweep.scenario.Scenario;
import io.github.rhosweep.scenario.SemanticsVersion;
import io.github.rhosweep.scenario.TrafficSpec;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code predict}: what a model says of one scenario. */
@Command(
        name = "predict",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Predicts the latency of one scenario from a model of `rhosweep fit`, with a 95%% interval from points that were",
            "held out. Parameters not given are those of the points fitted to where these had one value, else defaults.",
            "From a graph network (docs/surrogate.md) it predicts mean and p99 of a fabric under a random matrix.",
            "Outside of what was fitted to it refuses (exit 2) unless told to --extrapolate."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  ${ROOT-COMMAND-NAME} predict models/incast.json --flows 12 --load 0.63 --message 100KiB",
            "  ${ROOT-COMMAND-NAME} predict models/uniform.json --set traffic.flows=24 --set switch.islip_iterations=2 --json",
            "  ${ROOT-COMMAND-NAME} predict models/surrogate_gnn.json --flows 16 --load 0.6 --message 4KiB --set topology.kind=leaf-spine"
        })
final class PredictCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @SuppressWarnings("NullAway.Init") // required
    @Parameters(paramLabel = "MODEL", description = "A model file.")
    private Path file;

    @Option(names = "--flows", paramLabel = "N", description = "traffic.flows")
    private @Nullable String flows;

    @Option(names = "--load", paramLabel = "RHO", description = "traffic.load, in time slots")
    private @Nullable String load;

    @Option(names = "--message", paramLabel = "SIZE", description = "traffic.message, for instance 64KiB")
    private @Nullable String message;

    @Option(names = "--pattern", paramLabel = "NAME", description = "traffic.pattern")
    private @Nullable String pattern;

    @Option(names = "--set", paramLabel = "PATH=VALUE", description = "Any other parameter.")
    private Map<String, String> set = new TreeMap<>();

    @Option(names = "--extrapolate", description = "Predict outside of what was fitted to as well, and say so.")
    private boolean extrapolate;

    @Option(names = "--json", description = "Print one JSON object.")
    private boolean json;

    @Override
    public Integer call() throws IOException {
        if (GraphPredictor.isModel(file)) {
            return network(GraphPredictor.load(file));
        }
        Predictor predictor = Predictor.load(file);
        Scenario scenario = scenario(predictor.model());
        Conditions conditions = predictor.conditions(scenario);
        Forecast forecast = predictor.predict(conditions);
        List<String> outside = predictor.whyOutside(conditions);
        if (forecast.outsideDomain() && (!extrapolate || Double.isNaN(forecast.valueNs()))) {
            throw new InvalidValueException(file + ": outside of what was fitted to: " + String.join("; ", outside)
                    + (Double.isNaN(forecast.valueNs()) ? "" : ". Maybe --extrapolate, or `rhosweep once`"));
        }
        if (Double.isNaN(forecast.valueNs())) {
            throw new InvalidValueException(file + ": no prediction from a load of 1: there is no steady state");
        }
        PrintWriter out = spec.commandLine().getOut();
        CorrectionModel model = predictor.model();
        warnOfSemantics(model.semanticsVersion());
        if (json) {
            Map<String, @Nullable Object> object = new LinkedHashMap<>();
            object.put("target", model.target());
            object.put("method", model.method());
            object.put("value_ns", forecast.valueNs());
            object.put("low_ns", finite(forecast.lowNs()));
            object.put("high_ns", finite(forecast.highNs()));
            object.put("zero_load_ns", conditions.zeroLoadNs());
            object.put("regime", forecast.regime().id());
            object.put("verify_by_simulation", forecast.verifyBySimulation());
            object.put("outside_domain", forecast.outsideDomain());
            object.put("outside", outside);
            out.println(Json.of(object));
            return 0;
        }
        out.println(model.target() + " = " + TextTable.number(forecast.valueNs()) + " ns"
                + (Double.isNaN(forecast.lowNs())
                        ? ", no interval: too few points were held out"
                        : ", 95% interval " + TextTable.number(forecast.lowNs()) + " .. "
                                + TextTable.number(forecast.highNs()))
                + " (" + model.method() + ")");
        out.println("  idle: " + TextTable.number(conditions.zeroLoadNs()) + " ns; regime "
                + forecast.regime().id() + (forecast.verifyBySimulation() ? "; verify by simulation" : ""));
        outside.forEach(reason -> out.println("  extrapolated: " + reason));
        return 0;
    }

    private void warnOfSemantics(int version) {
        if (version != SemanticsVersion.CURRENT) {
            spec.commandLine()
                    .getErr()
                    .println(
                            file + ": fitted to version " + version + " of the simulator's semantics, this release has "
                                    + SemanticsVersion.CURRENT + ". Maybe fit again");
        }
    }

    private int network(GraphPredictor predictor) {
        // As of other models: what is not given is what it learnt from, where that was one thing.
        Map<String, String> texts = given();
        List<String> taken = new ArrayList<>();
        if (texts.putIfAbsent(TrafficSpec.PATTERN.path(), "random-matrix") == null) {
            taken.add("traffic.pattern random-matrix");
        }
        if (Params.parse(texts).applies(RoutingSpec.KIND)
                && texts.putIfAbsent(RoutingSpec.KIND.path(), "spray") == null) {
            taken.add("routing.kind spray");
        }
        Scenario scenario = Scenario.of(Params.parse(texts));
        GraphPredictor.GraphForecast forecast;
        try {
            forecast = predictor.predict(scenario);
        } catch (NotIdentifiableException none) {
            throw new InvalidValueException(file + ": " + none.getMessage());
        }
        List<String> outside = forecast.outside();
        if (!outside.isEmpty() && !extrapolate) {
            throw new InvalidValueException(file + ": outside of what it learnt from: " + String.join("; ", outside)
                    + ". Maybe --extrapolate, or `rhosweep once`");
        }
        warnOfSemantics(predictor.semanticsVersion());
        Map<String, GraphPredictor.Interval> said = new LinkedHashMap<>();
        said.put("message_latency_mean_ns", forecast.mean());
        said.put("message_latency_p99_ns", forecast.p99());
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            Map<String, @Nullable Object> object = new LinkedHashMap<>();
            object.put("method", "surrogate_gnn");
            said.forEach((target, interval) -> {
                String stem = target.replaceFirst("_ns$", "");
                object.put(target, interval.valueNs());
                object.put(stem + "_low_ns", finite(interval.lowNs()));
                object.put(stem + "_high_ns", finite(interval.highNs()));
            });
            object.put("zero_load_ns", forecast.zeroLoadNs());
            object.put("regime", forecast.regime().id());
            object.put("outside_domain", !outside.isEmpty());
            object.put("outside", outside);
            object.put("flows", forecast.flows());
            out.println(Json.of(object));
            return 0;
        }
        said.forEach((target, interval) -> out.println(target + " = " + TextTable.number(interval.valueNs()) + " ns"
                + (Double.isNaN(interval.lowNs())
                        ? ", no interval: no flow of this regime was held out"
                        : ", 95% interval " + TextTable.number(interval.lowNs()) + " .. "
                                + TextTable.number(interval.highNs()))
                + " (surrogate_gnn, " + predictor.members() + " networks)"));
        out.println("  idle: " + TextTable.number(forecast.zeroLoadNs()) + " ns; regime "
                + forecast.regime().id() + "; " + forecast.flows().size() + " flows, each with --json");
        if (!taken.isEmpty()) {
            out.println("  as learnt from, since not given: " + String.join(", ", taken));
        }
        outside.forEach(reason -> out.println("  extrapolated: " + reason));
        return 0;
    }

    private static @Nullable Double finite(double x) {
        return Double.isNaN(x) ? null : Double.valueOf(x);
    }

    /** What was given; else what all points fitted to have in common, where it applies and is the default of nothing given. */
    private Scenario scenario(CorrectionModel model) {
        Map<String, String> given = given();
        Map<String, String> texts = new TreeMap<>(common(model, given));
        texts.putAll(given);
        // Room for all hosts follows from the flows, as it did at the points fitted to.
        Params params = Params.parse(texts);
        texts.keySet().removeIf(path -> {
            Parameter<?> parameter = io.github.rhosweep.scenario.Parameters.named(path);
            return !given.containsKey(path) && !params.applies(parameter);
        });
        return Scenario.of(Params.parse(texts));
    }

    /** Of several groups the parameters of the first whose pattern is the one asked for. */
    private static Map<String, String> common(CorrectionModel model, Map<String, String> given) {
        String path = TrafficSpec.PATTERN.path();
        for (CorrectionModel.Group group : model.groups()) {
            boolean fits = group.fixed().entrySet().stream()
                    .filter(e -> e.getKey().equals(path) || e.getKey().equals("switch.islip_iterations"))
                    .allMatch(e -> given.getOrDefault(e.getKey(), e.getValue()).equals(e.getValue()));
            if (fits) {
                return group.fixed();
            }
        }
        return Map.of();
    }

    private Map<String, String> given() {
        Map<String, String> given = new TreeMap<>(set);
        put(given, "traffic.flows", flows);
        put(given, "traffic.load", load);
        put(given, "traffic.message", message);
        put(given, "traffic.pattern", pattern);
        return given;
    }

    private static void put(Map<String, String> given, String path, @Nullable String value) {
        if (value != null && given.put(path, value) != null) {
            throw new InvalidValueException("--set " + path + ": given twice");
        }
    }
}
