package io.github.rhosweep.kernel;

import io.github.rhosweep.scenario.RoutingSpec;
import io.github.rhosweep.scenario.SwitchSpec;
import io.github.rhosweep.topology.Routing;
import java.util.Objects;

/** By which port a packet leaves each switch, and how long a response takes that goes beside the data. */
final class Routes {
    private final FabricState state;
    private final Cabling cabling;
    private final PacketPool packets;
    private final Flows flows;
    private final Switch[] switches;
    private final RoutingSpec.Kind kind;
    private final long adaptiveMinBytes;
    private final int[] ways;
    private final long[] queuedOfWays;

    Routes(FabricState state, Switch[] switches) {
        this.state = state;
        this.cabling = state.cabling;
        this.packets = state.packets;
        this.flows = state.flows;
        this.switches = switches;
        this.kind = state.scenario.routing().kind();
        this.adaptiveMinBytes = state.scenario.routing().adaptiveMinBytes();
        this.ways = new int[cabling.mostPorts];
        this.queuedOfWays = new long[cabling.mostPorts];
    }

    /** The port by which a packet for one host leaves a switch. */
    int port(int sw, int packet) {
        int flow = packets.flow[packet];
        return packets.kind[packet] == FrameKind.DATA
                ? port(sw, packet, flows.source[flow], flows.destination[flow])
                : port(sw, packet, flows.destination[flow], flows.source[flow]);
    }

    /** The port by which a packet leaves a switch on its way to one of its hosts. */
    int port(int sw, int packet, int from, int to) {
        int choices = cabling.ways.find(sw, to, ways);
        if (choices == 1) {
            return ways[0];
        }
        requireRoute(choices, from, to);
        int flow = packets.flow[packet];
        boolean data = packets.kind[packet] == FrameKind.DATA;
        // Hosts of one message share the way as long as they can: its hash is that of the first of them.
        int start = ecmp(sw, from, data ? flows.destination[flow] : to, flows.qp(flow), choices);
        if (kind == RoutingSpec.Kind.SPRAY) {
            // A switch sees the frames of a flow in the order in which they were sent, or nearly so.
            return ways[Routing.spray(start, packets.psn[packet], choices)];
        }
        if (kind == RoutingSpec.Kind.ADAPTIVE
                && data
                && state.messages.payloadBytes[packets.message[packet]] >= adaptiveMinBytes) {
            for (int way = 0; way < choices; way++) {
                queuedOfWays[way] = switches[sw].queuedForEgress(ways[way]);
            }
            return ways[Routing.adaptive(queuedOfWays, start, choices)];
        }
        return ways[start];
    }

    /**
     * Time of a response on its own channel, in ps: serialisation, forwarding and propagation of each hop, back by the way of ECMP.
     *
     * @param nicPs its serialisation at the NIC
     */
    long responseDelayPs(int flow, int wireBytes, long nicPs) {
        int end = flows.destination[flow];
        long delay = nicPs;
        while (true) {
            delay += cabling.propagationPs[end];
            int at = cabling.peer[end];
            if (at < state.hosts) {
                return delay;
            }
            int sw = cabling.switchOf[at];
            int choices = cabling.ways.find(sw, flows.source[flow], ways);
            requireRoute(choices, flows.destination[flow], flows.source[flow]);
            end = cabling.end(sw, ways[ecmp(sw, flows.destination[flow], flows.source[flow], flows.qp(flow), choices)]);
            delay += Objects.requireNonNull(state.scenario.switchSpec()).forwardingPs()
                    + SwitchSpec.serialisationPs(wireBytes, cabling.bandwidth[end]);
        }
    }

    private static void requireRoute(int choices, int source, int destination) {
        if (choices == 0) {
            throw new IllegalStateException("no route from host " + source + " to host " + destination);
        }
    }

    private int ecmp(int sw, int source, int destination, int qp, int choices) {
        return choices == 1
                ? 0
                : Routing.ecmp(Routing.ecmpHash(state.runSeed, source, destination, qp, state.hosts + sw), choices);
    }
}
