package io.github.rhosweep.fit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.github.rhosweep.kernel.Points;
import io.github.rhosweep.scenario.Scenario;
import io.github.rhosweep.topology.LinkLoads;
import io.github.rhosweep.topology.Path;
import io.github.rhosweep.topology.Topology;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Points as graphs of flows, queues and links. */
class FabricGraphTest {
    private static final double[] ONE = {1};
    private static final String MATRIX = "traffic.pattern=random-matrix traffic.flows=16 traffic.load=0.8 ";

    private static Scenario scenario(String fields) {
        return Points.of(fields.split(" "));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "topology.kind=single-switch",
                "topology.kind=leaf-spine topology.leaves=4 routing.kind=spray",
                "topology.kind=rail-optimized topology.rails=4 topology.spines=2 routing.kind=spray",
                "topology.kind=fat-tree routing.kind=spray",
                "topology.kind=dragonfly",
            })
    void loads_areThoseOfThePattern(String fabric) {
        Scenario scenario = scenario(MATRIX + fabric);
        FabricGraph graph = FabricGraph.of(scenario);
        assertThat(graph.flows()).hasSize(64);

        // What each queue's visits bring is all of its load; each flow is once at each position of its way.
        double[] ofQueue = new double[graph.queues().size()];
        double[][] ofFlow = new double[graph.flows().size()][FabricGraph.POSITIONS];
        for (FabricGraph.Visit visit : graph.visits()) {
            ofQueue[visit.queue()] += graph.weight(visit);
            ofFlow[visit.flow()][visit.position()] += visit.share();
        }
        assertThat(ofQueue).containsOnly(ONE, within(1e-9));
        for (int i = 0; i < ofFlow.length; i++) {
            int positions = graph.flows().get(i).positions();
            assertThat(Arrays.copyOf(ofFlow[i], positions)).containsOnly(ONE, within(1e-9));
            assertThat(Arrays.stream(ofFlow[i], positions, FabricGraph.POSITIONS)
                            .sum())
                    .isZero();
        }

        // Ways of as many hops are told of by one of them.
        Topology topology = Topology.of(scenario);
        for (FabricGraph.Flow flow : graph.flows()) {
            Path path = topology.path(flow.source(), flow.destination());
            assertThat(flow.zeroLoadNs()).isEqualTo(path.zeroLoadPs(scenario.traffic()) / 1e3);
            assertThat(flow.positions()).isEqualTo(path.hops().size());
        }

        // Another part of the program says what crosses each link; the busiest host's link has the load asked for.
        LinkLoads loads = LinkLoads.of(
                topology, scenario.traffic().pattern(), scenario.traffic().flows());
        double busiest = scenario.traffic().pattern().busiestEgressShare(16);
        double toHosts = 0;
        for (FabricGraph.Link link : graph.links()) {
            if (link.to() < 16) {
                toHosts = Math.max(toHosts, link.load());
                assertThat(link.load() / loads.perLink(link.number()))
                        .isEqualTo(0.8 / busiest, within(0.05 * 0.8 / busiest));
            }
        }
        assertThat(toHosts).isEqualTo(0.8, within(0.04)); // the last frame of a message is shorter than the slot
    }

    @Test
    void units_areWaitsOfMd1() {
        FabricGraph graph = FabricGraph.of(scenario("traffic.flows=4 traffic.load=0.5 traffic.message=1344B"));
        double[] units = graph.meanUnits()[0];
        FabricGraph.Flow flow = graph.flows().get(0);
        double service = 1406 / 400.0; // ns at 400 GB/s, the default
        assertThat(units[1] * flow.zeroLoadNs() / service).isEqualTo(0.5, within(0.01)); // rho / (2 (1 - rho))
        assertThat(units[0]).isEqualTo(units[1] / 7, within(1e-4)); // a quarter of the load: (1/8) / (7/8) of 1
        assertThat(Arrays.stream(units, 2, units.length).sum()).isZero();
    }

    @Test
    void mechanism_andWhatIsNotTold() {
        assertThat(FabricGraph.of(scenario(MATRIX + "topology.kind=fat-tree routing.kind=spray"))
                        .mechanism())
                .isEqualTo("lossy open spray");
        assertThat(FabricGraph.of(scenario(MATRIX + "transport.sender=dcqcn switch.ecn_kmin=0.25 switch.ecn_kmax=0.5"))
                        .mechanism())
                .isEqualTo("lossy dcqcn 0.25..0.5");
        assertThat(FabricGraph.notTold(scenario(MATRIX + "traffic.message=4KiB")))
                .isEmpty();
        assertThat(FabricGraph.notTold(scenario(MATRIX + "switch.islip_iterations=1")))
                .containsExactly("switch.islip_iterations 1");
    }

    @Test
    void closedPatterns_haveNone() {
        assertThatThrownBy(() -> FabricGraph.of(scenario("traffic.pattern=ring")))
                .isInstanceOf(NotIdentifiableException.class)
                .hasMessage("no graph: messages of this pattern follow one another");
    }
}
