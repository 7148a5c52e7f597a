package io.github.rhosweep.bench;

import io.github.rhosweep.fit.Conditions;
import io.github.rhosweep.fit.CorrectionModel;
import io.github.rhosweep.fit.Forecast;
import io.github.rhosweep.fit.Predictor;
import io.github.rhosweep.scenario.Params;
import io.github.rhosweep.scenario.Scenario;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What a prediction costs one thread: of conditions that are kept, and of a scenario from scratch. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
@State(Scope.Thread)
public class PredictorBenchmark {
    private static final int SCENARIOS = 64; // so that nothing is folded into a constant

    private final Scenario[] scenarios = new Scenario[SCENARIOS];
    private final Conditions[] conditions = new Conditions[SCENARIOS];
    private Predictor predictor;
    private int next;

    @Setup
    public void load() throws IOException {
        Path file = Files.createTempFile("model", ".json");
        try {
            Files.writeString(file, MODEL, StandardCharsets.UTF_8);
            predictor = new Predictor(CorrectionModel.read(file));
        } finally {
            Files.delete(file);
        }
        for (int i = 0; i < SCENARIOS; i++) {
            scenarios[i] = Scenario.of(Params.parse(Map.of(
                    "traffic.flows", "" + (2 + i), "traffic.load", "0." + (10 + i), "traffic.message", "16 KiB")));
            conditions[i] = predictor.conditions(scenarios[i]);
        }
    }

    @Benchmark
    public Forecast conditionsKept() {
        return predictor.predict(conditions[next++ & SCENARIOS - 1]);
    }

    @Benchmark
    public Forecast scenarioFromScratch() {
        return predictor.predict(scenarios[next++ & SCENARIOS - 1]);
    }

    private static final String MODEL = """
            {"format": 1, "method": "rr_fitted", "formula": "", "target": "message_latency_mean_ns", "semanticsVersion": 1,
             "experiments": [], "dataset": {"sha256": "", "points": 0, "lossy": 0, "unstable": 0},
             "by": ["pattern", "iterations"],
             "groups": [{"name": "pattern=incast iterations=any", "points": 0, "fixed": {}, "mechanisms": [], "remarks": "",
               "domain": {"flows": {"low": 2, "high": 64}, "load": {"low": 0.05, "high": 0.95}},
               "state": {"table": null, "trees": null, "coefficients": [
                 {"name": "k1", "value": 0.84, "low": 0.8, "high": 0.9},
                 {"name": "k2", "value": 0.93, "low": 0.9, "high": 1},
                 {"name": "k3", "value": 0.99, "low": 0.9, "high": 1}]},
               "heldOut": [],
               "intervals": [{"regime": "low", "level": 0.95, "relative": 0.01, "n": 100, "coverage": 0.95}]}]}
            """;
}
