package io.github.rhosweep.fit;

import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import io.github.rhosweep.model.Target;
import io.github.rhosweep.scenario.InvalidValueException;
import io.github.rhosweep.scenario.Parameter;
import io.github.rhosweep.scenario.Scenario;
import io.github.rhosweep.scenario.SwitchSpec;
import io.github.rhosweep.scenario.TrafficSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.commons.math3.special.Gamma;
import org.jspecify.annotations.Nullable;

/**
 * {@code surrogate_gnn}: an ensemble of graph networks that predicts mean and 99th percentile of every flow of a fabric, after
 * RouteNet-Fermi (Ferriol-Galmes and others 2023). Immutable, so safe for any number of threads.
 */
public final class GraphPredictor {
    private static final double TAIL = 0.01;

    /** Most of a Weibull distribution's 1/shape: beyond, its 0.99-quantile over its mean falls again. */
    private static final double MOST_INVERSE_SHAPE = 4;

    private static final double LOG_LOG_TAIL = StrictMath.log(-StrictMath.log(TAIL));

    /** exp(-exp(x)) is below 1e-14 from here. */
    private static final double NOTHING = 3.5;

    /** Steps of 1/shape; one of them moves the quantile of a mixture by less than a thousandth. */
    private static final int RATIOS = 2000;

    private static final double[] LOG_RATIOS = logRatios();

    private final GraphModel model;
    private final GraphNetwork network;
    private final Set<String> learnt;

    private GraphPredictor(GraphModel model, GraphNetwork network) {
        this.model = model;
        this.network = network;
        this.learnt = new HashSet<>(model.learnt());
    }

    /**
     * A latency.
     *
     * @param valueNs mean over the ensemble, in ns
     * @param lowNs the least of its members, and by what it was off where it did not learn (95%) below that
     * @param highNs likewise above
     */
    public record Interval(double valueNs, double lowNs, double highNs) {}

    /**
     * What a network says of a scenario.
     *
     * @param mean latency of all messages
     * @param p99 of all messages: that of a mixture of flows whose waits are Weibull with the mean and the 99th percentile predicted
     * @param zeroLoadNs T_ab, over all messages
     * @param regime of the load
     * @param outside what lies outside of its domain, one line each
     * @param flows one a pair of hosts
     */
    public record GraphForecast(
            Interval mean, Interval p99, double zeroLoadNs, Regime regime, List<String> outside, List<Flow> flows) {}

    /**
     * What it says of two hosts of which one sends to the other.
     *
     * @param meanNs over the ensemble, in ns
     * @param p99Ns likewise
     */
    @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
    public record Flow(int source, int destination, double zeroLoadNs, double meanNs, double p99Ns) {}

    /**
     * Whether a file says that it is such a model.
     *
     * @throws InvalidValueException if there is no such file
     * @throws IOException if it cannot be read
     */
    public static boolean isModel(Path file) throws IOException {
        return GraphModel.isOne(file);
    }

    /**
     * Reads a model and the weights beside it.
     *
     * @throws InvalidValueException if either is missing, broken or foreign; names the file
     * @throws IOException if it cannot be read
     */
    public static GraphPredictor load(Path file) throws IOException {
        GraphModel model = GraphModel.read(file);
        byte[] weights = model.readWeights(file);
        try {
            return new GraphPredictor(model, GraphNetwork.of(weights));
        } catch (IllegalArgumentException foreign) {
            throw new InvalidValueException(file.resolveSibling(model.weights()) + ": " + foreign.getMessage());
        }
    }

    /** Of the simulator that measured what it learnt from. */
    public int semanticsVersion() {
        return model.semanticsVersion();
    }

    /** Networks of the ensemble. */
    public int members() {
        return model.members().size();
    }

    /** CPU time of its training, in s. */
    public double trainingCpuS() {
        return model.members().stream().mapToDouble(GraphModel.Member::cpuS).sum();
    }

    /** What is not as it was where it learnt and was tested, one line each; empty if nothing is. */
    public List<String> whyOutside(Scenario scenario) {
        return whyOutside(scenario, FabricGraph.of(scenario));
    }

    private List<String> whyOutside(Scenario scenario, FabricGraph graph) {
        GraphModel.Domain domain = model.domain();
        TrafficSpec traffic = scenario.traffic();
        SwitchSpec sw = Objects.requireNonNull(scenario.switchSpec(), "a graph has switches");
        List<String> reasons = new ArrayList<>();
        among(
                reasons,
                "traffic.pattern",
                Parameter.label(scenario.params().get(TrafficSpec.PATTERN)),
                domain.patterns());
        among(reasons, "topology.kind", Parameter.label(scenario.topology().kind()), domain.topologies());
        among(reasons, "flow control, senders and routes", graph.mechanism(), domain.mechanisms());
        within(reasons, "hosts", scenario.topology().hosts(), domain.hosts());
        within(reasons, "switches on the longest way", graph.switchHops(), domain.switchHops());
        within(reasons, "traffic.load", Objects.requireNonNull(traffic.load(), "a graph has a load"), domain.load());
        within(reasons, "frames of a message", (double) traffic.framesPerMessage(), domain.frames());
        within(
                reasons,
                "messages that a switch's buffer holds",
                (double) sw.bufferCapacityBytes() / traffic.messageWireBytes(),
                domain.bufferMessages());
        double least = Double.POSITIVE_INFINITY;
        double most = 0;
        for (FabricGraph.Flow flow : graph.flows()) {
            double services = flow.zeroLoadNs() / graph.serviceNs();
            least = Math.min(least, services);
            most = Math.max(most, services);
        }
        within(reasons, "idle latency over a message's time on the wire", least, domain.idleServices());
        if (most != least) {
            within(reasons, "idle latency over a message's time on the wire", most, domain.idleServices());
        }
        FabricGraph.notTold(scenario).forEach(p -> reasons.add(p + ": at its default where it learnt"));
        return reasons;
    }

    private static void among(List<String> reasons, String what, String value, List<String> known) {
        if (!known.contains(value)) {
            reasons.add(what + " " + value + ": known are " + String.join(", ", known));
        }
    }

    private static void within(List<String> reasons, String what, double value, CorrectionModel.Range range) {
        double slack = 1e-4 * Math.abs(value); // features are floats
        if (!(value >= range.low() - slack && value <= range.high() + slack)) {
            reasons.add(String.format(
                    Locale.ROOT, "%s %.6g: known from %.6g .. %.6g", what, value, range.low(), range.high()));
        }
    }

    /**
     * The prediction for a scenario; also outside of the domain, which it then says.
     *
     * @throws NotIdentifiableException saying why, if the scenario has no graph or no steady state
     */
    public GraphForecast predict(Scenario scenario) {
        FabricGraph graph = FabricGraph.of(scenario);
        if (graph.mostLoad() >= 1) {
            throw new NotIdentifiableException(String.format(
                    Locale.ROOT,
                    "no prediction: a link has a load of %.3f, from 1 there is no steady state",
                    graph.mostLoad()));
        }
        float[][][] said = network.run(GraphArrays.of(graph));
        Regime regime =
                Regime.of(Objects.requireNonNull(scenario.traffic().load(), "a graph has one"), scenario.model());
        Map<String, Double> widths = model.intervals().getOrDefault(regime.id(), Map.of());
        float[][] mean = average(said);
        List<FabricGraph.Flow> flows = graph.flows();
        List<Flow> each = new ArrayList<>();
        for (int i = 0; i < flows.size(); i++) {
            FabricGraph.Flow flow = flows.get(i);
            each.add(new Flow(
                    flow.source(),
                    flow.destination(),
                    flow.zeroLoadNs(),
                    flow.zeroLoadNs() * StrictMath.exp(mean[i][0]),
                    flow.zeroLoadNs() * StrictMath.exp(mean[i][1])));
        }
        double[] means = new double[said.length];
        double[] tails = new double[said.length];
        for (int m = 0; m < said.length; m++) {
            means[m] = mean(flows, said[m]);
            tails[m] = tail(flows, said[m]);
        }
        return new GraphForecast(
                interval(mean(flows, mean), means, widths.get("log_mean")),
                interval(tail(flows, mean), tails, widths.get("log_p99")),
                graph.meanZeroLoadNs(),
                regime,
                whyOutside(scenario, graph),
                List.copyOf(each));
    }

    private static Interval interval(double value, double[] members, @Nullable Double width) {
        if (width == null) {
            return new Interval(value, Double.NaN, Double.NaN);
        }
        double low = value;
        double high = value;
        for (double member : members) {
            low = Math.min(low, member);
            high = Math.max(high, member);
        }
        return new Interval(value, low * StrictMath.exp(-width), high * StrictMath.exp(width));
    }

    /** Members averaged in logarithms, as they were when their errors were measured. */
    private static float[][] average(float[][][] said) {
        float[][] mean = new float[said[0].length][2];
        for (int i = 0; i < mean.length; i++) {
            for (int k = 0; k < 2; k++) {
                double sum = 0;
                for (float[][] member : said) {
                    sum += member[i][k];
                }
                mean[i][k] = (float) (sum / said.length);
            }
        }
        return mean;
    }

    private static double mean(List<FabricGraph.Flow> flows, float[][] said) {
        double sum = 0;
        double weight = 0;
        for (int i = 0; i < said.length; i++) {
            FabricGraph.Flow flow = flows.get(i);
            sum += flow.share() * flow.zeroLoadNs() * StrictMath.exp(said[i][0]);
            weight += flow.share();
        }
        return sum / weight;
    }

    /** The 99th percentile of all flows' messages together. */
    private static double tail(List<FabricGraph.Flow> flows, float[][] said) {
        int n = said.length;
        double[] idle = new double[n];
        double[] logScale = new double[n];
        double[] shape = new double[n];
        double[] share = new double[n];
        double weight = 0;
        double high = 0;
        double low = Double.POSITIVE_INFINITY;
        for (int i = 0; i < n; i++) {
            FabricGraph.Flow flow = flows.get(i);
            idle[i] = flow.zeroLoadNs();
            double wait = idle[i] * StrictMath.expm1(Math.max(1e-9, said[i][0]));
            double late = idle[i] * StrictMath.expm1(Math.max(1e-9, said[i][1]));
            double inverse = inverseShape(late / wait);
            shape[i] = 1 / inverse;
            // The quantile is met exactly, the mean as far as the shape can.
            logScale[i] = StrictMath.log(late) - inverse * LOG_LOG_TAIL;
            share[i] = flow.share();
            weight += share[i];
            low = Math.min(low, idle[i] + late);
            high = Math.max(high, idle[i] + late);
        }
        // The quantile of a mixture lies between those of its parts, and the logarithm of what is beyond is nearly a
        // line: false position
        // after Dowell and Jarratt 1971.
        double above = beyond(low, idle, logScale, shape, share, weight);
        double below = beyond(high, idle, logScale, shape, share, weight);
        for (int step = 0; step < 50 && high - low > 1e-6 * high && above > 0 && below < 0; step++) {
            double middle = (low * below - high * above) / (below - above);
            double there = beyond(middle, idle, logScale, shape, share, weight);
            if (there > 0) {
                low = middle;
                above = there;
                below /= 2;
            } else {
                high = middle;
                below = there;
                above /= 2;
            }
        }
        return Math.abs(above) < Math.abs(below) ? low : high;
    }

    /** ln of the part of messages that take longer, over the part that may. */
    private static double beyond(
            double ns, double[] idle, double[] logScale, double[] shape, double[] share, double weight) {
        double sum = 0;
        double asIdle = Double.NaN;
        double logWait = 0;
        for (int i = 0; i < idle.length; i++) {
            if (ns <= idle[i]) {
                sum += share[i];
                continue;
            }
            if (idle[i] != asIdle) { // mostly it is the flow before's: one for each number of hops
                asIdle = idle[i];
                logWait = StrictMath.log(ns - asIdle);
            }
            double x = shape[i] * (logWait - logScale[i]);
            if (x < NOTHING) {
                sum += share[i] * StrictMath.exp(-StrictMath.exp(x));
            }
        }
        return StrictMath.log(sum / (TAIL * weight));
    }

    private static double[] logRatios() {
        double[] ratios = new double[RATIOS];
        for (int i = 0; i < RATIOS; i++) {
            double inverse = (double) (i + 1) / RATIOS * MOST_INVERSE_SHAPE;
            ratios[i] = inverse * LOG_LOG_TAIL - Gamma.logGamma(1 + inverse);
        }
        return ratios;
    }

    /** 1/k of the Weibull distribution whose 0.99-quantile is so many times its mean: (ln 100)^(1/k) / Gamma(1 + 1/k). */
    private static double inverseShape(double ratio) {
        int found = Arrays.binarySearch(LOG_RATIOS, StrictMath.log(ratio));
        int at = found >= 0 ? found : Math.min(RATIOS - 1, -found - 1);
        return (double) (at + 1) / RATIOS * MOST_INVERSE_SHAPE;
    }

    /** As one of the methods that are compared: nothing is fitted, and at points that it learnt from it says nothing. */
    public Method method() {
        return new Method() {
            @Override
            public String id() {
                return GraphModel.KIND;
            }

            @Override
            public String describe() {
                return "T = T_ab (1 + sum over the way of M/D/1 waits times factors of a graph network over flows, queues and links)";
            }

            @Override
            public boolean fits() {
                return false;
            }

            @Override
            public double fittedBeforeNs() {
                return trainingCpuS() * 1e9;
            }

            @Override
            public boolean learntFrom(Observation observation) {
                return learnt.contains(observation.key());
            }

            @Override
            public Fitted fit(Target target, List<Observation> observations, long seed) {
                return of(target);
            }

            @Override
            public Fitted restore(Target target, State state) {
                return of(target);
            }
        };
    }

    private Fitted of(Target target) {
        if (target != Target.MESSAGE && target != Target.MESSAGE_P99) {
            throw new NotIdentifiableException(GraphModel.KIND + ": does not predict " + target.measuredColumn());
        }
        return new Fitted() {
            @Override
            public double predict(Conditions conditions) {
                Scenario scenario = conditions.point().scenario();
                if (FabricGraph.reason(scenario) != null) {
                    return Double.NaN;
                }
                FabricGraph graph = FabricGraph.of(scenario);
                if (graph.mostLoad() >= 1) {
                    return Double.NaN;
                }
                float[][] said = average(network.run(GraphArrays.of(graph)));
                return target == Target.MESSAGE ? mean(graph.flows(), said) : tail(graph.flows(), said);
            }

            @Override
            public String remarks() {
                return members() + " networks, trained before on " + model.graphs() + " graphs of " + model.flows()
                        + " flows";
            }
        };
    }
}
