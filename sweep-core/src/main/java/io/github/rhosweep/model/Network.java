package io.github.rhosweep.model;

import io.github.rhosweep.scenario.Load;
import io.github.rhosweep.scenario.SwitchSpec;
import io.github.rhosweep.scenario.TrafficSpec;
import io.github.rhosweep.topology.Graph;
import io.github.rhosweep.topology.LinkLoads;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/** Every serialiser of a point's fabric with what the traffic puts on it. Loads are in service times, as rho is. */
final class Network {
    private final LinkLoads loads;
    private final int sources;
    private final double frames;
    private final double[] frameServiceNs;
    private final double[] rho;

    Network(LinkLoads loads, TrafficSpec traffic, @Nullable SwitchSpec sw, Load load) {
        this.loads = loads;
        this.sources = traffic.flows();
        this.frames = load.framesPerMessage();
        Graph graph = loads.graph();
        this.frameServiceNs = frameServicesNs(graph, traffic.fullFrameWireBytes(), sw);
        this.rho = new double[graph.links()];
        for (int link = 0; link < rho.length; link++) {
            rho[link] = loads.perLink(link) * frames * frameServiceNs[link] / (load.meanGapPs() / 1e3);
        }
    }

    /** How long a frame of so many wire bytes keeps each link's serialiser, in ns. */
    static double[] frameServicesNs(Graph graph, int wire, @Nullable SwitchSpec sw) {
        double[] services = new double[graph.links()];
        BigDecimal timed = BigDecimal.ZERO;
        long serial = 0;
        for (int link = 0; link < services.length; link++) {
            BigDecimal bandwidth = graph.bandwidthGbPerS(link);
            // Nearly all have one of two: a division each would take longer than all models.
            if (bandwidth.compareTo(timed) != 0) {
                timed = bandwidth;
                serial = bandwidth.signum() == 0 ? 0 : SwitchSpec.serialisationPs(wire, bandwidth);
            }
            long slot = graph.from(link) < graph.hosts() || sw == null ? 0 : sw.slotPs();
            services[link] = Math.max(serial, slot) / 1e3;
        }
        return services;
    }

    LinkLoads loads() {
        return loads;
    }

    int links() {
        return rho.length;
    }

    /** Load of a link's serialiser; 0 where load is no input. */
    double rho(int link) {
        return rho[link];
    }

    double highestLoad() {
        double most = 0;
        for (double r : rho) {
            most = Math.max(most, r);
        }
        return most;
    }

    /** Times that a message crosses a link, on average over all messages. */
    double visits(int link) {
        return loads.perLink(link) / sources;
    }

    /** Service time of a customer at a link's serialiser: a full frame, or b of them. */
    double serviceNs(Target target, int link) {
        return target.ofFrames() ? frameServiceNs[link] : frames * frameServiceNs[link];
    }
}
