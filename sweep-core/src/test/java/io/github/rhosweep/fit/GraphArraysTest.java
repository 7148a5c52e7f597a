package io.github.rhosweep.fit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.rhosweep.kernel.Points;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Graphs as arrays, with equal queues and links counted as one. */
class GraphArraysTest {
    @ParameterizedTest
    @CsvSource({
        "topology.kind=fat-tree topology.k=4 routing.kind=spray, 16, true",
        "topology.kind=leaf-spine topology.leaves=4 topology.spines=8 routing.kind=spray, 16, true",
        "topology.kind=rail-optimized topology.rails=4 topology.spines=4 routing.kind=spray, 16, true",
        "topology.kind=single-switch, 16, false",
        "topology.kind=dragonfly, 16, false",
    })
    void merged_everyFlowComesWhollyToEachPosition(String fabric, int hosts, boolean sprayed) {
        FabricGraph graph = FabricGraph.of(Points.of(
                ("traffic.pattern=random-matrix traffic.load=0.6 traffic.flows=" + hosts + " " + fabric).split(" ")));
        GraphArrays whole = GraphArrays.whole(graph);
        GraphArrays merged = GraphArrays.of(graph);
        assertThat(whole.visitCell()).hasSizeLessThanOrEqualTo(graph.visits().size());
        assertThat(whole.firstQueues()).hasSameSizeAs(graph.queues());
        if (sprayed) {
            assertThat(merged.visitCell().length).isLessThan(whole.visitCell().length / 2);
        }
        for (GraphArrays arrays : new GraphArrays[] {whole, merged}) {
            double[] share = new double[graph.flows().size() * FabricGraph.POSITIONS];
            double[] weight = new double[arrays.firstQueues().length];
            for (int v = 0; v < arrays.visitCell().length; v++) {
                share[(int) arrays.visitCell()[v]] += arrays.visitShare()[v];
                weight[(int) arrays.visitQueue()[v]] += arrays.visitWeight()[v];
            }
            for (int i = 0; i < share.length; i++) {
                boolean onWay = i % FabricGraph.POSITIONS
                        < graph.flows().get(i / FabricGraph.POSITIONS).positions();
                assertThat(share[i]).isEqualTo(onWay ? 1 : 0, within(1e-6));
            }
            assertThat(weight).containsOnly(new double[] {1}, within(1e-5));
            double[] ofLink = new double[arrays.firstLinks().length];
            for (int q = 0; q < weight.length; q++) {
                ofLink[(int) arrays.queueLink()[q]] += arrays.queueShare()[q];
            }
            assertThat(ofLink).containsOnly(new double[] {1}, within(1e-5));
        }
    }
}
