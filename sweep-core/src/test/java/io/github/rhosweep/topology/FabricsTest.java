package io.github.rhosweep.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rhosweep.math.RandomStream;
import io.github.rhosweep.scenario.InvalidValueException;
import io.github.rhosweep.scenario.Params;
import io.github.rhosweep.scenario.Scenario;
import java.math.BigDecimal;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Fabrics of several switches: arithmetic on node numbers against searches of the graph. */
class FabricsTest {

    private static Scenario scenario(String settings) {
        Map<String, String> given = new TreeMap<>(Map.of("traffic.pattern", "permutation"));
        for (String setting : settings.split(" ")) {
            String[] parts = setting.split("=");
            given.put(parts[0].contains(".") ? parts[0] : "topology." + parts[0], parts[1].replace('_', ' '));
        }
        given.putIfAbsent("traffic.flows", given.getOrDefault("topology.hosts", "8"));
        return Scenario.of(Params.parse(given));
    }

    private static Topology topology(String settings) {
        return Topology.of(scenario(settings));
    }

    /** Links that fewest-hop ways from every node to a host must take: breadth first from the host, links reversed. */
    private static int[] distancesTo(Graph graph, int host) {
        int[] distance = new int[graph.nodes()];
        Arrays.fill(distance, -1);
        distance[host] = 0;
        ArrayDeque<Integer> open = new ArrayDeque<>(List.of(host));
        while (!open.isEmpty()) {
            int node = open.remove();
            for (int next : graph.neighbours(node)) {
                if (distance[next] < 0 && (next >= graph.hosts() || next == host)) {
                    distance[next] = distance[node] + 1;
                    open.add(next);
                }
            }
        }
        return distance;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "kind=single-switch hosts=9",
                "kind=leaf-spine hosts=16",
                "kind=leaf-spine hosts=9",
                "kind=leaf-spine hosts=5 leaves=4 spines=3 hosts_per_leaf=2",
                "kind=leaf-spine hosts=24 leaves=6 spines=2 hosts_per_leaf=4 oversubscription=4",
                "kind=fat-tree hosts=16",
                "kind=fat-tree hosts=13",
                "kind=fat-tree hosts=2 k=2",
                "kind=fat-tree hosts=54 k=6",
                "kind=fat-tree hosts=100 k=8",
                "kind=rail-optimized hosts=32",
                "kind=rail-optimized hosts=21 rails=4 spines=2 spine_bandwidth=100_GB/s",
            })
    void ways_areAllShortestOnes(String settings) {
        Topology topology = topology(settings);
        Graph graph = topology.graph();
        int[] ports = new int[topology.mostWays()];
        for (int to = 0; to < graph.hosts(); to++) {
            int[] distance = distancesTo(graph, to);
            for (int node = graph.hosts(); node < graph.nodes(); node++) {
                int here = node;
                int[] shortest = IntStream.range(0, graph.ports(node))
                        .filter(p -> distance[graph.neighbour(here, p)] == distance[here] - 1)
                        .filter(p -> graph.neighbour(here, p) >= graph.hosts() || distance[here] == 1)
                        .toArray();
                int count = topology.ways(node, to, ports);
                assertThat(Arrays.copyOf(ports, count))
                        .as("%s: ways from %d to %d", settings, node, to)
                        .isEqualTo(shortest);
            }
            for (int from = 0; from < graph.hosts(); from++) {
                if (from != to) {
                    assertThat(topology.switchHops(from, to)).isEqualTo(distance[graph.neighbour(from, 0)]);
                }
            }
        }
    }

    /** Shortest ways with at most one global link, over (node, global links left), against the arithmetic. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "kind=dragonfly hosts=72",
                "kind=dragonfly hosts=40",
                "kind=dragonfly hosts=6 p=1 a=2 h=1",
                "kind=dragonfly hosts=8 p=4 a=1 h=1",
                "kind=dragonfly hosts=100 p=2 a=3 h=6"
            })
    void dragonfly_takesAShortestWayWithOneGlobalLink(String settings) {
        Scenario scenario = scenario(settings);
        Topology topology = Topology.of(scenario);
        Graph graph = topology.graph();
        var shape = (io.github.rhosweep.scenario.TopologySpec.Dragonfly)
                scenario.topology().shape();
        int a = shape.routersPerGroup();
        int hosts = graph.hosts();
        for (int to = 0; to < hosts; to++) {
            int home = graph.neighbour(to, 0);
            int[][] distance = new int[2][graph.nodes()]; // links to `home` with at most so many global ones
            for (int globals = 0; globals < 2; globals++) {
                Arrays.fill(distance[globals], 1000);
                distance[globals][home] = 0;
            }
            for (int round = 0; round < 4; round++) {
                for (int n = hosts; n < graph.nodes(); n++) {
                    for (int next : graph.neighbours(n)) {
                        if (next < hosts) {
                            continue;
                        }
                        boolean global = (n - hosts) / a != (next - hosts) / a;
                        for (int globals = global ? 1 : 0; globals < 2; globals++) {
                            distance[globals][n] =
                                    Math.min(distance[globals][n], 1 + distance[global ? globals - 1 : globals][next]);
                        }
                    }
                }
            }
            for (int from = 0; from < hosts; from++) {
                int shortest = distance[1][graph.neighbour(from, 0)] + 1;
                assertThat(topology.switchHops(from, to))
                        .as("%d to %d", from, to)
                        .isEqualTo(shortest);
                assertThat(topology.path(from, to).hops()).hasSize(shortest + 1);
            }
        }
    }

    /** Every way, whatever each switch chooses, ends at the host, over as many switches, with the delays of the first one. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "kind=leaf-spine hosts=24 leaves=6 spines=2 hosts_per_leaf=4 oversubscription=4",
                "kind=fat-tree hosts=16",
                "kind=rail-optimized hosts=16 rails=4 spines=2 spine_bandwidth=100_GB/s",
                "kind=dragonfly hosts=72"
            })
    void path_standsForEveryWay(String settings) {
        Topology topology = topology(settings);
        Graph graph = topology.graph();
        for (int from = 0; from < graph.hosts(); from++) {
            for (int to = 0; to < graph.hosts(); to++) {
                Path path = topology.path(from, to);
                assertThat(path.alphaPs())
                        .isEqualTo(100_000L * (topology.switchHops(from, to) + 1)
                                + 30_000L * topology.switchHops(from, to));
                List<List<Integer>> open = new ArrayList<>(List.of(List.of(graph.linkOf(from, 0))));
                while (!open.isEmpty()) {
                    List<Integer> links = open.remove(open.size() - 1);
                    int node = graph.to(links.get(links.size() - 1));
                    if (node < graph.hosts()) {
                        assertThat(node).isEqualTo(to);
                        assertThat(links.stream().map(graph::bandwidthGbPerS).toList())
                                .isEqualTo(path.hops().stream()
                                        .map(Hop::bandwidthGbPerS)
                                        .toList());
                        continue;
                    }
                    int[] ports = new int[topology.mostWays()];
                    int count = topology.ways(node, to, ports);
                    assertThat(count).isPositive();
                    for (int i = 0; i < count; i++) {
                        List<Integer> longer = new ArrayList<>(links);
                        longer.add(graph.linkOf(node, ports[i]));
                        open.add(longer);
                    }
                }
            }
        }
    }

    /** Switches, directed links, and ports by hand: k-ary fat-tree k^3/4 hosts, 5k^2/4 switches, 3k^3/4 cables. */
    @ParameterizedTest
    @CsvSource({
        "kind=leaf-spine hosts=16, 8, 64", // 4 + 4; 16 + 16 cables
        "kind=fat-tree hosts=16, 20, 96",
        "kind=fat-tree hosts=1024 k=16, 320, 6144",
        "kind=rail-optimized hosts=32, 12, 128", // 8 + 4; 32 + 32 cables
        "kind=dragonfly hosts=72, 36, 324", // 72 + 9 x 6 + 36 cables
        "kind=dragonfly hosts=1056 p=4 a=8 h=4, 264, 5016" // Kim 2008: 33 groups; 1056 + 33 x 28 + 33 x 32 / 2 cables
    })
    void graph_hasTheSizeOfTheBooks(String settings, int switches, int links) {
        Graph graph = topology(settings + " traffic.flows=2").graph();
        assertThat(graph.switches()).isEqualTo(switches);
        assertThat(graph.links()).isEqualTo(links);
    }

    @Test
    void graph_knowsTheWayBack() {
        Graph graph = topology("kind=fat-tree hosts=14").graph();
        for (int link = 0; link < graph.links(); link++) {
            int back = graph.back(link);
            assertThat(graph.from(back)).isEqualTo(graph.to(link));
            assertThat(graph.to(back)).isEqualTo(graph.from(link));
            assertThat(graph.neighbour(graph.to(link), graph.arrivalPort(link))).isEqualTo(graph.from(link));
            assertThat(graph.linkOf(graph.from(link), graph.portOf(link))).isEqualTo(link);
        }
    }

    /** Ports in the order of neighbours: hosts, then spines; the spine has leaf l on port l. */
    @Test
    void ports_areNumberedAsNeighboursAreGiven() {
        Graph graph = topology("kind=leaf-spine hosts=9 leaves=2 spines=3").graph();
        assertThat(graph.neighbours(9)).containsExactly(0, 1, 2, 3, 4, 11, 12, 13);
        assertThat(graph.neighbours(10)).containsExactly(5, 6, 7, 8, 11, 12, 13);
        assertThat(graph.neighbours(12)).containsExactly(9, 10);
    }

    /** Every link of every kind has the bandwidth of its serialiser (D-10), and spine links theirs. */
    @Test
    void links_haveTheBandwidthOfTheirSerialiser() {
        Graph graph = topology("kind=leaf-spine hosts=8 leaves=2 spines=2 link.bandwidth=50_GB/s oversubscription=4")
                .graph();
        for (int link = 0; link < graph.links(); link++) {
            int expected = graph.from(link) < 8 ? 50 : graph.to(link) < 8 ? 400 : 200; // 4 x 400 / (2 x 4)
            assertThat(graph.bandwidthGbPerS(link)).isEqualByComparingTo(BigDecimal.valueOf(expected));
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "kind=fat-tree k=5 | topology.k: `5` must be even",
                "kind=leaf-spine oversubscription=0 | topology.oversubscription: `0` must be 0.001 .. 1000",
                "kind=fat-tree hosts=17 | topology.hosts (17, for traffic.flows 17) exceeds the 16 hosts of a fat-tree of topology.k 4 (k^3/4)",
                "kind=dragonfly hosts=73 | topology.hosts (73, for traffic.flows 73) exceeds the 72 hosts of a dragonfly of topology.p 2, a 4, h 2 (p a (a h + 1))",
                "kind=leaf-spine hosts=9 leaves=2 hosts_per_leaf=4 | topology.hosts (9, for traffic.flows 9) exceeds the 8 hosts of topology.leaves 2 with topology.hosts_per_leaf 4",
                "kind=leaf-spine hosts=8 leaves=1 spines=4 oversubscription=1 | topology.oversubscription (1) with 8 hosts a leaf and 4 spines needs links of 800 GB/s, above switch.port_bandwidth_gb_per_s (400), the most a port sends",
                "kind=leaf-spine hosts=16 oversubscription=2 spine_bandwidth=400_GB/s | topology.oversubscription (2) and topology.spine_bandwidth (400 GB/s, which is an oversubscription of 1) contradict each other. Maybe give one",
                "kind=leaf-spine spine_bandwidth=500_GB/s | topology.spine_bandwidth is 500 GB/s, above switch.port_bandwidth_gb_per_s (400), the most a port sends",
                "kind=leaf-spine hosts=16 switch.port_count=7 | topology.kind leaf-spine of 16 hosts needs switches of 8 ports, switch.port_count is 7",
                "kind=rail-optimized routing.cross_rail=false | routing.cross_rail false leaves no route between rails, and traffic.pattern permutation sends across the 8 of topology.rails",
                "kind=rail-optimized routing.cross_rail=false rails=1 spines=2 | topology.spines does not apply here: it needs that topology.kind is leaf-spine, or rail-optimized with routing.cross_rail true",
                "kind=dragonfly routing.kind=spray | routing.kind does not apply here: it needs that the topology has several shortest ways",
                "kind=fat-tree topology.rails=4 | topology.rails does not apply here: it needs that topology.kind is rail-optimized",
                "kind=fat-tree hosts=8 routing.adaptive_min_bytes=1 | routing.adaptive_min_bytes does not apply here: it needs that routing.kind is adaptive",
            })
    void impossibleFabric_isRefusedInOneLine(String settings, String message) {
        assertThatThrownBy(() -> scenario(settings))
                .isInstanceOf(InvalidValueException.class)
                .hasMessage(message);
    }

    @Test
    void railsWithoutSpines_haveNoRouteAcross() {
        Topology topology = topology("kind=rail-optimized hosts=32 routing.cross_rail=false traffic.flows=1");
        assertThat(topology.hasRoute(1, 9)).isTrue();
        assertThat(topology.hasRoute(1, 8)).isFalse();
        assertThatThrownBy(() -> topology.path(1, 8))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("no route from host 1 (rail 1) to host 8 (rail 0): routing.cross_rail is false");
    }

    /** Ends of the parameters, each as the other gives it. */
    @Test
    void oversubscriptionAndSpineBandwidth_followFromEachOther() {
        Params ratio = scenario("kind=leaf-spine hosts=32 oversubscription=4").params();
        assertThat(ratio.get(io.github.rhosweep.scenario.TopologySpec.SPINE_BANDWIDTH))
                .isEqualByComparingTo("200");
        Params bandwidth =
                scenario("kind=leaf-spine hosts=32 spine_bandwidth=100_GB/s").params();
        assertThat(bandwidth.get(io.github.rhosweep.scenario.TopologySpec.OVERSUBSCRIPTION))
                .isEqualByComparingTo("8");
    }

    /**
     * Expected largest number of n flows on one of n links: 2.5972, 3.0782, 3.5329 for n = 8, 16, 32 (exact), from {@code trials}
     * volleys of different seeds; three standard errors.
     */
    @ParameterizedTest
    @CsvSource({"8, 2.5972", "16, 3.0782", "32, 3.5329"})
    void ecmp_collidesAsIndependentUniformChoicesDo(int n, double expected) {
        int trials = 20_000;
        double sum = 0;
        double squares = 0;
        for (int trial = 0; trial < trials; trial++) {
            int[] load = new int[n];
            int most = 0;
            for (int flow = 0; flow < n; flow++) {
                int way = Routing.ecmp(Routing.ecmpHash(trial, flow, n + flow, 0, 100), n);
                most = Math.max(most, ++load[way]);
            }
            sum += most;
            squares += (double) most * most;
        }
        double mean = sum / trials;
        double error = Math.sqrt((squares / trials - mean * mean) / trials);
        assertThat(mean).isCloseTo(expected, org.assertj.core.data.Offset.offset(3 * error));
    }

    /** The stated hash, written out from SplitMix64 as a generator: skip w + 1 steps, take one output. */
    @Test
    void ecmpHash_isAsStated() {
        long seed = 42;
        long state = seed;
        for (int word : new int[] {3, 17, 1, 20}) {
            RandomStream stream = new RandomStream(state);
            long out = 0;
            for (int step = 0; step <= word; step++) {
                out = stream.nextLong();
            }
            state = out;
        }
        assertThat(Routing.ecmpHash(seed, 3, 17, 1, 20)).isEqualTo(state);
    }

    /** Queue pairs and switches are words of the hash: choices over them are as good as independent (chi-squared, 16 cells). */
    @Test
    void ecmp_drawsAnewForEachQueuePairAndSwitch() {
        int[] cells = new int[16];
        int draws = 16_000;
        for (int flow = 0; flow < draws / 16; flow++) {
            for (int qp = 0; qp < 4; qp++) {
                for (int node = 0; node < 4; node++) {
                    int first = Routing.ecmp(Routing.ecmpHash(7, flow, 1, qp, node), 4);
                    int second = Routing.ecmp(Routing.ecmpHash(7, flow, 1, qp + (node + 1) % 2, node + 1), 4);
                    cells[first * 4 + second]++;
                }
            }
        }
        double chi2 = 0;
        for (int cell : cells) {
            chi2 += Math.pow(cell - draws / 16.0, 2) / (draws / 16.0);
        }
        assertThat(chi2).isLessThan(37.7); // 0.999 quantile at 15 degrees of freedom
    }

    @Test
    void spray_givesEveryWayItsTurn() {
        int[] count = new int[5];
        for (long frame = 0; frame < 1000; frame++) {
            count[Routing.spray(3, frame, 5)]++;
        }
        assertThat(count).containsOnly(200);
        assertThat(Routing.spray(3, 0, 5)).isEqualTo(3);
    }

    @Test
    void adaptive_takesTheShortestQueueAndStartsAtTheHash() {
        assertThat(Routing.adaptive(new long[] {5, 3, 3, 9}, 0, 4)).isEqualTo(1);
        assertThat(Routing.adaptive(new long[] {5, 3, 3, 9}, 2, 4)).isEqualTo(2);
        assertThat(Routing.adaptive(new long[] {0, 0, 0, 0}, 3, 4)).isEqualTo(3);
        assertThat(Routing.adaptive(new long[] {4, 4, 4, 0}, 0, 3)).isZero();
    }
}
