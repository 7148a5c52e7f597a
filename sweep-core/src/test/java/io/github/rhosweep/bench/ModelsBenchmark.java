package io.github.rhosweep.bench;

import io.github.rhosweep.model.Models;
import io.github.rhosweep.scenario.Params;
import io.github.rhosweep.scenario.Scenario;
import java.util.HashMap;
import java.util.Map;
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

/** All models at one point: what every row of a sweep pays for its predictions. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
@State(Scope.Thread)
public class ModelsBenchmark {
    @Param({"poisson", "periodic", "synchronized", "bernoulli"})
    public String arrivals = "";

    @Param({"0.5", "0.99", "1.2"})
    public String load = "";

    @Param({"8", "4096"})
    public String flows = "";

    private Scenario scenario = Scenario.of(new Params(path -> null));

    @Setup
    public void bind() {
        Map<String, String> given = new HashMap<>(Map.of(
                "traffic.arrivals",
                arrivals,
                "traffic.load",
                load,
                "traffic.flows",
                flows,
                "traffic.message",
                "1344 B"));
        scenario = Scenario.of(Params.parse(given));
    }

    @Benchmark
    public Models.Predictions predict() {
        return Models.predict(scenario);
    }
}
