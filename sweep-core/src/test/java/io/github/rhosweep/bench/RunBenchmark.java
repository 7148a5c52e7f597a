package io.github.rhosweep.bench;

import io.github.rhosweep.kernel.ControlVariate;
import io.github.rhosweep.kernel.Points;
import io.github.rhosweep.kernel.Simulation;
import io.github.rhosweep.result.RunResult;
import io.github.rhosweep.scenario.Scenario;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.AuxCounters;
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

/**
 * Whole runs with hosts, links, event queue and measurement, in data packets per second. {@code incast} is 8 to 1 in 64 KiB
 * messages at 0.8; {@code frames} the same in single frames; {@code uniform} 16 hosts in 64 KiB messages; {@code short} a run of a
 * thousand single frames, where what a run costs besides its packets shows; {@code acks8} and {@code acks32} are incasts with an ACK
 * for each data packet that nobody heeds, {@code window8} one whose ACKs open a window, {@code dcqcn} bursts that DCQCN cuts, {@code fat-tree} 128 hosts, mostly six hops apart.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class RunBenchmark {
    /** The point. */
    @State(Scope.Thread)
    public static class Point {
        @Param({"incast", "frames", "uniform", "short", "acks8", "acks32", "window8", "dcqcn", "fat-tree"})
        public String point = "";

        final Simulation simulation = new Simulation();
        Scenario scenario = Points.of();
        long seed;

        @Setup
        public void bind() {
            scenario = switch (point) {
                case "incast" -> Points.of("traffic.load=0.8", "measure.messages=20000");
                case "frames" -> Points.of("traffic.load=0.8", "traffic.message=1344 B", "measure.messages=1000000");
                case "uniform" ->
                    Points.of(
                            "traffic.pattern=uniform",
                            "traffic.flows=16",
                            "traffic.load=0.7",
                            "measure.messages=20000",
                            "switch.buffer_capacity_bytes=1 GiB");
                case "short" -> Points.of("traffic.load=0.8", "traffic.message=1344 B", "measure.messages=1000");
                case "acks8" -> Points.of("traffic.load=0.8", "transport.acks=true", "measure.messages=20000");
                case "acks32" ->
                    Points.of("traffic.flows=32", "traffic.load=0.8", "transport.acks=true", "measure.messages=20000");
                case "window8" -> Points.of("traffic.load=0.8", "transport.credits=1 MiB", "measure.messages=20000");
                case "dcqcn" ->
                    Points.of(
                            "traffic.load=0.95",
                            "traffic.arrivals=on-off",
                            "transport.sender=dcqcn",
                            "transport.acks=true",
                            "switch.ecn_kmin=0.0003",
                            "switch.ecn_kmax=0.0119",
                            "switch.ecn_pmax=0.01",
                            "measure.messages=20000");
                case "fat-tree" ->
                    Points.of(
                            "topology.kind=fat-tree",
                            "topology.k=8",
                            "traffic.pattern=uniform",
                            "traffic.flows=128",
                            "traffic.load=0.5",
                            "measure.messages=5000");
                default -> throw new IllegalArgumentException(point);
            };
        }
    }

    /** Counts frames and runs: JMH turns the fields into rates. */
    @AuxCounters
    @State(Scope.Thread)
    public static class Counts {
        public long packets;
    }

    @Benchmark
    public RunResult run(Point point, Counts counts) {
        RunResult result = point.simulation.run(point.scenario, point.seed++, ControlVariate.NONE, () -> false);
        counts.packets += result.totals().deliveredFrames();
        return result;
    }
}
