package io.github.rhosweep.model;

import static io.github.rhosweep.model.ModelsTest.ns;
import static io.github.rhosweep.model.ModelsTest.reason;
import static io.github.rhosweep.model.ModelsTest.scenario;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.rhosweep.math.RandomStream;
import io.github.rhosweep.scenario.Pattern;
import io.github.rhosweep.scenario.Scenario;
import io.github.rhosweep.topology.LinkLoads;
import io.github.rhosweep.topology.Topology;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Models of several hops: published values, closed forms by hand, dull second opinions. */
class NetworkModelsTest {
    private static final double T_AB = 404.950; // 64 KiB through the default switch
    private static final double S = 49 * 3.515;

    /** Default point: NICs at rho/8 each, one egress at rho: M/M/1 at both. */
    @Test
    void jackson_addsUpTheHops() {
        Scenario point = scenario();
        double nic = 0.0625 / 0.9375 * 49 * 3.515;
        assertThat(ns("jackson_message_ns", point)).isEqualTo(T_AB + S + nic, within(1e-6));
        assertThat(ns("jackson_safety_message_ns", point)).isEqualTo(T_AB + 1.5 * (S + nic), within(1e-6));
        assertThat(ns("jackson_safety_2_message_ns", point)).isEqualTo(T_AB + 2 * (S + nic), within(1e-6));
        // A frame's latency begins after the NIC.
        assertThat(ns("jackson_frame_ns", point)).isEqualTo(237.030 + 3.515, within(1e-6));
        assertThat(reason("jackson_message_ns", scenario("traffic.arrivals", "once")))
                .isEqualTo("the arrival process has no load");
        assertThat(reason("jackson_message_ns", scenario("traffic.load", "1.2")))
                .contains("load of 1 or more");
    }

    /** One stage: NIC W(rho/N), egress W(rho) - W(rho/N): together M/D/1, which is exact for single frames. */
    @Test
    void alma_isTheConcentratorThroughOneSwitch() {
        Scenario frames = scenario("traffic.message", "1344 B", "traffic.load", "0.8");
        assertThat(ns("alma_message_ns", frames)).isEqualTo(237.030 + 3.515 * 2, within(1e-6));
        assertThat(ns("alma_frame_ns", frames))
                .isEqualTo(237.030 + 3.515 * (Md1.meanWait(0.8) - Md1.meanWait(0.1)), within(1e-6));
        // Links without limit serialise nothing.
        assertThat(ns("alma_frame_ns", scenario("traffic.message", "1344 B", "link.bandwidth", "unlimited")))
                .isEqualTo(233.515 + 3.515 / 2, within(1e-6));
    }

    /** Trap: the second hop of an equal-rate tandem waits exactly 0, which alma knows and a network of M/M/1 does not. */
    @Test
    void tandemWithoutCrossTraffic_waitsOnce() {
        Scenario tandem = scenario(
                "traffic.pattern",
                "permutation",
                "traffic.flows",
                "4",
                "topology.kind",
                "leaf-spine",
                "topology.leaves",
                "4",
                "topology.spines",
                "1",
                "traffic.message",
                "1344 B");
        double alpha = 4 * 100 + 3 * 30;
        double zeroLoad = alpha + 4 * 3.515;
        assertThat(ns("alpha_beta_message_ns", tandem)).isEqualTo(zeroLoad, within(1e-9));
        assertThat(ns("alma_message_ns", tandem)).isEqualTo(zeroLoad + 3.515 / 2, within(1e-6)); // the NIC's, once
        assertThat(ns("alma_frame_ns", tandem)).isEqualTo(zeroLoad, within(1e-6));
        assertThat(ns("jackson_message_ns", tandem)).isEqualTo(zeroLoad + 4 * 3.515, within(1e-6));
        assertThat(ns("qna_message_ns", tandem)).isGreaterThan(zeroLoad + 3.515 / 2);
    }

    /** QNA by hand: c_d^2 of M/D/1 is 1 - rho^2; N of them merged with w = 1/(1 + 4(1-rho)^2(N-1)). */
    @Test
    void qna_matchesWhittsEquationsByHand() {
        double rho = 0.8;
        double nic = 0.1;
        double leaves = 1 - nic * nic;
        double w = 1 / (1 + 4 * 0.04 * 7);
        double merged = w * leaves + 1 - w;
        double klb = rho
                / (1 - rho)
                * merged
                / 2
                * Math.exp(-2 * (1 - rho) * (1 - merged) * (1 - merged) / (3 * rho * merged));
        Scenario frames = scenario("traffic.message", "1344 B", "traffic.load", "0.8");
        assertThat(ns("qna_frame_ns", frames)).isEqualTo(237.030 + 3.515 * klb, within(1e-6));
        assertThat(ns("qna_message_ns", frames)).isEqualTo(237.030 + 3.515 * (klb + nic / (1 - nic) / 2), within(1e-6));
        assertThat(reason("qna_message_ns", scenario("traffic.arrivals", "synchronized")))
                .contains("c_a^2");
    }

    /** Links of a fat-tree under uniform traffic: host links carry rho, trunks what leaves the switch or pod, evenly split. */
    @Test
    void linkLoads_ofUniformTrafficOnAFatTree() {
        Scenario point = scenario(
                "traffic.pattern",
                "uniform",
                "traffic.flows",
                "16",
                "topology.kind",
                "fat-tree",
                "traffic.load",
                "0.6");
        Network network = Point.of(point).network();
        var graph = network.loads().graph();
        for (int link = 0; link < graph.links(); link++) {
            int from = graph.from(link);
            int to = graph.to(link);
            boolean core = Math.max(from, to) >= 16 + 16;
            double expected = from < 16 || to < 16 ? 1 : core ? 12 / 16.0 : 14 / 16.0;
            assertThat(network.rho(link)).as("%d to %d", from, to).isEqualTo(0.6 * expected, within(1e-12));
        }
    }

    /** The even split, by following single messages with coin tosses; five standard errors. */
    @ParameterizedTest
    @ValueSource(strings = {"leaf-spine", "fat-tree", "rail-optimized", "dragonfly"})
    void linkLoads_matchRandomWalks(String kind) {
        Scenario point = scenario("topology.kind", kind, "traffic.pattern", "hotspot", "traffic.flows", "11");
        Topology topology = Topology.of(point);
        Pattern pattern = point.traffic().pattern();
        LinkLoads loads = LinkLoads.of(topology, pattern, 11);
        var graph = topology.graph();
        RandomStream random = new RandomStream(99);
        int messages = 40_000;
        int[] crossed = new int[graph.links()];
        int[] ports = new int[topology.mostWays()];
        for (int m = 0; m < messages; m++) {
            int from = random.nextInt(11);
            int to = pattern.destination(from, 11, random);
            int link = graph.linkOf(from, 0);
            crossed[link]++;
            while (graph.to(link) != to) {
                int ways = topology.ways(graph.to(link), to, ports);
                link = graph.linkOf(graph.to(link), ports[random.nextInt(ways)]);
                crossed[link]++;
            }
        }
        for (int link = 0; link < graph.links(); link++) {
            double p = loads.perLink(link) / 11;
            assertThat(crossed[link] / (double) messages)
                    .as("%s, %d to %d", kind, graph.from(link), graph.to(link))
                    .isEqualTo(p, within(5 * Math.sqrt(p * (1 - p) / messages) + 1e-15));
        }
        double pairs = 0;
        for (int hops = 0; hops <= Topology.MOST_SWITCHES; hops++) {
            pairs += loads.withHops(hops);
            if (loads.withHops(hops) > 0) {
                assertThat(loads.pathWithHops(hops).hops()).hasSize(hops + 1);
            }
        }
        assertThat(pairs).isEqualTo(11, within(1e-9));
    }

    /** The probabilities that patterns state are those that they draw. */
    @Test
    void patterns_drawWhatTheyState() {
        RandomStream random = new RandomStream(5);
        int n = 6;
        int draws = 60_000;
        for (Pattern pattern : new Pattern[] {
            new Pattern.Incast(),
            new Pattern.Uniform(true),
            new Pattern.Uniform(false),
            new Pattern.Permutation(),
            new Pattern.Diagonal(),
            new Pattern.Hotspot(0.3),
            scenario("traffic.pattern", "random-matrix", "traffic.flows", "6")
                    .traffic()
                    .pattern()
        }) {
            for (int source : new int[] {0, 5}) {
                for (int to = 0; to <= n; to++) {
                    int egress = to;
                    assertThat(pattern.egressShare(to, n))
                            .isEqualTo(
                                    IntStream.range(0, n)
                                            .mapToDouble(from -> pattern.share(from, egress, n))
                                            .sum(),
                                    within(1e-12));
                }
                int[] count = new int[n + 1];
                for (int i = 0; i < draws; i++) {
                    count[pattern.destination(source, n, random)]++;
                }
                for (int to = 0; to <= n; to++) {
                    double p = pattern.share(source, to, n);
                    assertThat(count[to] / (double) draws)
                            .as("%s from %d to %d", pattern, source, to)
                            .isEqualTo(p, within(5 * Math.sqrt(p * (1 - p) / draws) + 1e-15));
                }
            }
        }
    }

    /** Bertsekas and Gallager, figure 6.13's network, all capacities 1: 2/3, 1/3, 1/3, 1/3, and the rest takes what is left. */
    @Test
    void maxMin_fillsAsInTheBook() {
        int[][] links = {{0, 1}, {1}, {1}, {1, 2}, {2}};
        double[][] whole = Arrays.stream(links).map(l -> new double[l.length]).toArray(double[][]::new);
        for (double[] w : whole) {
            Arrays.fill(w, 1);
        }
        double[] rates =
                MaxMinFair.rates(new double[] {1, 1, 1}, links, whole, new boolean[] {true, true, true, true, true});
        assertThat(rates).containsExactly(new double[] {0.25, 0.25, 0.25, 0.25, 0.75}, within(1e-12));
    }

    /** Definition of max-min over random fabrics: feasible, and every flow has a full link on which none is faster. */
    @Test
    void maxMin_everyFlowHasABottleneck() {
        RandomStream random = new RandomStream(17);
        for (int trial = 0; trial < 300; trial++) {
            int nLinks = 1 + random.nextInt(8);
            int nFlows = 1 + random.nextInt(10);
            double[] capacity = new double[nLinks];
            Arrays.setAll(capacity, i -> 0.1 + random.nextDouble());
            int[][] links = new int[nFlows][];
            double[][] fractions = new double[nFlows][];
            for (int f = 0; f < nFlows; f++) {
                links[f] = random.ints(0, nLinks)
                        .distinct()
                        .limit(1 + random.nextInt(nLinks))
                        .toArray();
                fractions[f] = new double[links[f].length];
                Arrays.fill(fractions[f], 1);
            }
            boolean[] active = new boolean[nFlows];
            Arrays.fill(active, true);
            double[] rates = MaxMinFair.rates(capacity, links, fractions, active);
            double[] used = new double[nLinks];
            double[] fastest = new double[nLinks];
            for (int f = 0; f < nFlows; f++) {
                for (int l : links[f]) {
                    used[l] += rates[f];
                    fastest[l] = Math.max(fastest[l], rates[f]);
                }
            }
            for (int f = 0; f < nFlows; f++) {
                int flow = f;
                assertThat(Arrays.stream(links[f])
                                .anyMatch(l -> used[l] > capacity[l] - 1e-9 && rates[flow] > fastest[l] - 1e-9))
                        .as("trial %d, flow %d", trial, f)
                        .isTrue();
            }
            for (int l = 0; l < nLinks; l++) {
                assertThat(used[l]).isLessThan(capacity[l] + 1e-9);
            }
        }
    }

    /** Two flows of 1 and 3 share a link of 1: the first is done at 2, the second alone at 4. */
    @Test
    void completions_shareAnewWhenAFlowEnds() {
        double[] done = MaxMinFair.completions(
                new double[] {1}, new int[][] {{0}, {0}}, new double[][] {{1}, {1}}, new double[] {1, 3});
        assertThat(done).containsExactly(new double[] {2, 4}, within(1e-12));
    }

    /** N aligned senders to one host: all done at N b slots as fluid, T = T_ab + (N-1) b slots; across spines likewise. */
    @Test
    void fluidMaxMin_ofAnIncast() {
        Scenario incast = scenario("traffic.arrivals", "once");
        assertThat(ns("fluid_maxmin_message_ns", incast)).isEqualTo(T_AB + 7 * S, within(1e-6));
        assertThat(ns("fluid_maxmin_message_max_ns", incast)).isEqualTo(T_AB + 7 * S, within(1e-6));
        Scenario crossing = scenario(
                "traffic.arrivals",
                "once",
                "traffic.pattern",
                "permutation",
                "traffic.flows",
                "2",
                "topology.kind",
                "leaf-spine",
                "topology.leaves",
                "2",
                "topology.spines",
                "1",
                "topology.spine_bandwidth",
                "50 GB/s");
        // A frame on the first of two links of 50 GB/s, all on the second.
        double zeroLoad = 4 * 100 + 3 * 30 + 3.515 + 28.12 + 68574 / 50.0 + 1086 / 400.0;
        assertThat(ns("fluid_maxmin_message_ns", crossing)).isEqualTo(zeroLoad, within(1e-6));
        assertThat(reason("fluid_maxmin_message_ns", scenario())).contains("only for aligned");
    }

    /** Where loads of links are not known before the run, no model of several hops guesses them. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "topology.kind=leaf-spine | hashes",
                "topology.kind=leaf-spine,routing.kind=adaptive | adaptive",
                "flow_control.kind=pfc | flow_control.kind",
                "flow_control.kind=credit | flow_control.kind",
                "traffic.pattern=pipeline | pipeline",
            })
    void unknownLoads_giveNoValueAndAReason(String settings, String why) {
        Scenario point = scenario(settings.split("[=,]"));
        for (String model : List.of("jackson", "jackson_safety", "jackson_safety_2", "qna", "alma")) {
            assertThat(reason(model + "_message_ns", point)).as(model).contains(why);
        }
    }

    /** A pipeline of three stages: every message crosses its hosts' links once, and none leaves the last stage. */
    @ParameterizedTest
    @ValueSource(strings = {"single-switch", "fat-tree"})
    void linkLoads_ofAPipeline(String kind) {
        Scenario point = scenario("topology.kind", kind, "traffic.pattern", "uniform", "traffic.flows", "12");
        var loads = LinkLoads.of(Topology.of(point), new Pattern.Pipeline(3), 12);
        var graph = loads.graph();
        for (int link = 0; link < graph.links(); link++) {
            if (graph.from(link) < graph.hosts()) {
                assertThat(loads.perLink(link)).isEqualTo(graph.from(link) < 8 ? 1 : 0);
            } else if (graph.to(link) < graph.hosts()) {
                boolean receives = graph.to(link) >= 4 && graph.to(link) < 12;
                assertThat(loads.perLink(link)).isEqualTo(receives ? 1 : 0, within(1e-12));
            }
        }
    }

    /** Spraying splits evenly: all links below the hosts' loads have values. */
    @Test
    void spraying_hasLoadsOfLinks() {
        Scenario spray = scenario("topology.kind", "leaf-spine", "routing.kind", "spray", "traffic.load", "0.6");
        assertThat(ns("alma_message_ns", spray)).isGreaterThan(ns("alpha_beta_message_ns", spray));
    }

    /** Messages from leaves near and far: T_ab is that of the mean message. */
    @Test
    void zeroLoad_isTheMeanOverPairs() {
        Scenario incast = scenario(
                "topology.kind",
                "leaf-spine",
                "topology.leaves",
                "2",
                "topology.hosts",
                "16",
                "traffic.flows",
                "15",
                "traffic.message",
                "1344 B");
        double near = 2 * 100 + 30 + 2 * 3.515; // host 15's leaf has 7 of the 15 senders
        double far = 4 * 100 + 3 * 30 + 4 * 3.515;
        assertThat(ns("alpha_beta_message_ns", incast)).isEqualTo((7 * near + 8 * far) / 15, within(1e-6));
    }
}
