package io.github.rhosweep.bench;

import io.github.rhosweep.fit.FabricGraph;
import io.github.rhosweep.fit.GraphArrays;
import io.github.rhosweep.fit.GraphPredictor;
import io.github.rhosweep.scenario.Params;
import io.github.rhosweep.scenario.Scenario;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What a prediction of the graph network costs one thread, from a scenario: all of it, and making its graph alone. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
@State(Scope.Thread)
public class GraphPredictorBenchmark {
    @Param({"single-switch", "leaf-spine", "fat-tree"})
    public String topology;

    @Param({"2", "4"})
    public String fanOut;

    private GraphPredictor predictor;
    private Scenario scenario;

    @Setup
    public void load() throws IOException {
        Path here = Path.of("models/surrogate_gnn.json"); // from the root, as scripts/bench runs it
        predictor =
                GraphPredictor.load(Files.exists(here) ? here : Path.of("..").resolve(here));
        Map<String, String> given = new TreeMap<>(Map.of(
                "traffic.pattern", "random-matrix",
                "traffic.flows", "128",
                "traffic.fan_out", fanOut,
                "traffic.load", "0.7",
                "traffic.message", "4 KiB",
                "topology.kind", topology));
        if (topology.equals("leaf-spine")) {
            given.putAll(Map.of("topology.leaves", "8", "topology.spines", "16", "routing.kind", "spray"));
        } else if (topology.equals("fat-tree")) {
            given.putAll(Map.of("topology.k", "8", "routing.kind", "spray"));
        }
        scenario = Scenario.of(Params.parse(given));
    }

    @Benchmark
    public GraphPredictor.GraphForecast predict() {
        return predictor.predict(scenario);
    }

    @Benchmark
    public GraphArrays graphAlone() {
        return GraphArrays.of(FabricGraph.of(scenario));
    }
}
