package io.github.rhosweep.kernel;

import io.github.rhosweep.result.RunRecorder;
import io.github.rhosweep.scenario.TransportSpec;
import io.github.rhosweep.scenario.TransportSpec.Recovery;

/**
 * The receiving side of hosts: which frames are taken, what is answered (ACKs, NAKs, notifications of congestion), and the way of the
 * answers where that is a channel of their own. A host's responses are one server, with its flows in the order of (time, destination,
 * queue pair).
 *
 * <p>Where answers have no effect on senders, only the arrival of a message's last frame and of a marked one matters to anybody. Then
 * a host is visited for those, and takes all that has arrived since; each frame counts as an event all the same.
 *
 * <p>Where ACKs change nothing when they arrive they have no event: they are taken, and counted as events, when the next one of their
 * flow is sent, or at the end.
 */
final class ReceivingHosts {
    /** Frames after which a host is visited anyway, so that those on links do not pile up. */
    private static final int MOST_UNVISITED = 32;

    long deliveredFrames;
    long deliveredBytes;
    long discardedFrames;
    long discardedBytes;
    long acksSent;
    long naksSent;
    long cnpsSent;
    /** Responses that have been sent and neither arrived nor were dropped. */
    long pending;

    private final PacketPool packets;
    private final MessagePool messages;
    private final Flows flows;
    private final LinkBank links;
    private final FabricEvents events;
    private final RunRecorder recorder;
    private final SendingHosts senders;
    private final Workload workload;
    private final Routes routes;
    private final Recovery recovery;
    private final boolean recovers;
    private final boolean acks;
    private final int ackEvery;
    private final boolean notifies;
    private final long cnpIntervalPs;
    private final boolean separate;
    /** Whether ACKs change nothing when they arrive: then they have no events, and are taken when it is convenient. */
    private final boolean unheeded;
    /** Whether hosts are visited for awaited frames only. */
    private final boolean seldomVisited;
    /** Per host: frames put on its link since the last that is awaited. */
    private final int[] unvisited;

    private final int responseBytes;
    private final byte responsePriority;
    private final FlowHeaps responses;
    /** Flows that {@link #responses} knows. */
    private int known;

    ReceivingHosts(FabricState state, SendingHosts senders, Workload workload, Routes routes) {
        TransportSpec transport = state.scenario.transport();
        this.packets = state.packets;
        this.messages = state.messages;
        this.flows = state.flows;
        this.links = state.links;
        this.events = state.events;
        this.recorder = state.recorder;
        this.senders = senders;
        this.workload = workload;
        this.routes = routes;
        this.recovery = transport.recovery();
        this.recovers = state.recovers;
        this.acks = transport.acks();
        this.ackEvery = transport.ackEvery();
        this.notifies = transport.dcqcn() != null;
        this.cnpIntervalPs = transport.dcqcn() == null ? 0 : transport.dcqcn().cnpIntervalPs();
        this.separate = state.separate;
        this.unheeded = separate && !recovers && state.window == Long.MAX_VALUE;
        this.seldomVisited = (separate || !acks && !notifies)
                && !recovers
                && state.window == Long.MAX_VALUE
                && state.members == 1
                && state.cabling.joinsHostsToSwitches();
        this.unvisited = new int[state.hosts];
        this.responseBytes = transport.responseBytes();
        this.responsePriority = (byte) state.priorities.control();
        this.responses = new FlowHeaps(state.hosts);
    }

    /** Flows with a response under way on its own channel that has an event. */
    int pendingEvents() {
        return responses.size();
    }

    /** A switch puts a packet on the link to a host. */
    void expect(int host, int packet, long arrivalPs) {
        boolean first = links.push(host, packet, arrivalPs);
        if (!seldomVisited) {
            if (first) {
                events.schedule(host, arrivalPs);
            }
            return;
        }
        int message = packets.message[packet];
        messages.lastPacket[message] = packet;
        boolean last = --messages.unsent[message] == 0;
        if (last || ++unvisited[host] == MOST_UNVISITED || notifies && packets.marked[packet]) {
            await(host, packet);
        }
    }

    private void await(int host, int packet) {
        unvisited[host] = 0;
        packets.kind[packet] = FrameKind.AWAITED;
        if (packets.arrivalPs[packet] < events.timeOf(host)) {
            events.schedule(host, packets.arrivalPs[packet]);
        }
    }

    /** A frame of a message, for so many of its hosts, was lost for good. */
    void lose(int message, int flow, int hostsOfFrame, long now) {
        if (!seldomVisited) {
            workload.lose(message, flow, hostsOfFrame, now);
            return;
        }
        int host = flows.destination[flow];
        takeArrived(host, now, true);
        boolean restIsOnLink = --messages.unsent[message] == 0 && messages.unsettled[message] > 1;
        workload.lose(message, flow, hostsOfFrame, now);
        if (restIsOnLink) {
            await(host, messages.lastPacket[message]);
        }
    }

    /** Takes what has arrived at all hosts before the event of a server, by the order of events. */
    void takeArrived(long now, int server) {
        if (seldomVisited) {
            for (int host = 0; host < unvisited.length; host++) {
                takeArrived(host, now, host < server);
            }
        }
    }

    private void takeArrived(int host, long now, boolean atNow) {
        long before = atNow ? now + 1 : now;
        while (links.nextArrivalPs(host) < before) {
            int packet = links.pop(host);
            events.handled++;
            take(packet, packets.arrivalPs[packet]);
        }
    }

    /** The first packet of a host's link has arrived, or the first that is awaited. */
    void arrive(int host, long now) {
        if (!seldomVisited) {
            int packet = links.pop(host);
            events.schedule(host, links.nextArrivalPs(host));
            take(packet, now);
            return;
        }
        int packet = links.pop(host);
        while (packets.kind[packet] != FrameKind.AWAITED) {
            events.handled++;
            take(packet, packets.arrivalPs[packet]);
            packet = links.pop(host);
        }
        events.schedule(host, links.nextArrivalPs(host, FrameKind.AWAITED));
        take(packet, now);
    }

    private void take(int packet, long now) {
        if (packets.payloadBytes[packet] == 0) {
            pending--;
            senders.answered(packet, now);
            return;
        }
        int flow = packets.flow[packet];
        long psn = packets.psn[packet];
        int wire = packets.wireBytes[packet];
        if (packets.marked[packet] && notifies) {
            notifyCongestion(flow, now);
        }
        if (recovers && !isTaken(flow, psn, now)) {
            discardedFrames++;
            discardedBytes += wire;
            packets.free(packet);
            return;
        }
        int message = packets.message[packet];
        deliveredFrames++;
        deliveredBytes += wire;
        if (messages.measured[message]) {
            recorder.frameDelivered(
                    messages.offerPs[message], now - packets.sentPs[packet], messages.controlPs[message]);
        }
        packets.free(packet);
        if (acks) {
            boolean last = flows.isLast(message, psn);
            flows.unansweredFrames[flow]++;
            flows.unansweredBytes[flow] += wire;
            if (last || flows.unansweredFrames[flow] >= ackEvery || psn + 1 < flows.expected[flow]) {
                acknowledge(flow, now);
            }
        }
        workload.settle(message, flow, 1, now);
    }

    /** Whether a receiver that recovers losses takes a frame, and if it does not what it answers. */
    private boolean isTaken(int flow, long psn, long now) {
        long expected = flows.expected[flow];
        if (recovery == Recovery.GO_BACK_N) {
            if (psn == expected) {
                flows.expected[flow]++;
                return true;
            }
            if (psn < expected) {
                acknowledge(flow, now);
                return false;
            }
            // One NAK for each gap; another when frames come round again and the first of them was lost once more.
            if (flows.nakedFor[flow] != expected || psn <= flows.lastOutOfOrder[flow]) {
                flows.nakedFor[flow] = expected;
                askAgain(flow, expected, 0, now);
            }
            flows.lastOutOfOrder[flow] = psn;
            return false;
        }
        if (flows.has(flow, psn)) {
            acknowledge(flow, now);
            return false;
        }
        long gapFrom = Math.max(expected, flows.highest[flow]);
        flows.keep(flow, psn);
        if (recovery == Recovery.SELECTIVE && psn > gapFrom) {
            // What is missing: from the highest frame so far to this one.
            askAgain(flow, flows.expected[flow], gapFrom << 20 | Math.min(psn - gapFrom, (1 << 20) - 1), now);
        }
        return true;
    }

    private void notifyCongestion(int flow, long now) {
        long last = flows.lastCnpPs[flow];
        if (last < 0 || now - last >= cnpIntervalPs) {
            flows.lastCnpPs[flow] = now;
            cnpsSent++;
            respond(flow, FrameKind.CNP, 0, 0, now);
        }
    }

    private void askAgain(int flow, long expected, long wants, long now) {
        naksSent++;
        respond(flow, FrameKind.NAK, expected, wants, now);
    }

    private void acknowledge(int flow, long now) {
        acksSent++;
        if (unheeded) {
            respondUnheeded(flow, now);
        } else {
            respond(flow, FrameKind.ACK, recovers ? flows.expected[flow] : flows.unansweredBytes[flow], 0, now);
        }
        flows.unansweredFrames[flow] = 0;
        flows.unansweredBytes[flow] = 0;
    }

    private void respond(int flow, byte kind, long psn, long wants, long now) {
        pending++;
        int packet = packets.take(responseBytes, 0);
        packets.kind[packet] = kind;
        packets.priority[packet] = responsePriority;
        packets.flow[packet] = flow;
        packets.psn[packet] = psn;
        packets.wants[packet] = wants;
        if (!separate) {
            senders.respond(flows.destination[flow], packet, now);
            return;
        }
        packets.next[packet] = PacketPool.NONE;
        packets.arrivalPs[packet] = now + delayPs(flow);
        if (flows.firstResponse[flow] == PacketPool.NONE) {
            flows.firstResponse[flow] = packet;
            for (; known <= flow; known++) {
                responses.add(known, flows.local[known]);
            }
            due(flows.source[flow], flow, packets.arrivalPs[packet]);
        } else {
            packets.next[flows.lastResponse[flow]] = packet;
        }
        flows.lastResponse[flow] = packet;
    }

    private void respondUnheeded(int flow, long now) {
        pending++;
        takeUnheeded(flow, now);
        int packet = packets.take(responseBytes, 0);
        packets.arrivalPs[packet] = now + delayPs(flow);
        packets.next[packet] = PacketPool.NONE;
        if (flows.firstUnheeded[flow] == PacketPool.NONE) {
            flows.firstUnheeded[flow] = packet;
        } else {
            packets.next[flows.lastUnheeded[flow]] = packet;
        }
        flows.lastUnheeded[flow] = packet;
    }

    private long delayPs(int flow) {
        if (flows.responseDelayPs[flow] == 0) {
            flows.responseDelayPs[flow] = routes.responseDelayPs(flow, responseBytes, senders.serialPs(responseBytes));
        }
        return flows.responseDelayPs[flow];
    }

    /** Takes the ACKs of all flows that have arrived before now and that nobody waits for. */
    void takeUnheeded(long now) {
        for (int flow = 0; flow < flows.count(); flow++) {
            takeUnheeded(flow, now);
        }
    }

    private void takeUnheeded(int flow, long now) {
        int packet = flows.firstUnheeded[flow];
        while (packet != PacketPool.NONE && packets.arrivalPs[packet] < now) {
            int behind = packets.next[packet];
            packets.free(packet);
            pending--;
            events.handled++;
            packet = behind;
        }
        flows.firstUnheeded[flow] = packet;
    }

    private void due(int host, int flow, long at) {
        responses.set(host, flow, at);
        if (events.timeOf(events.firstResponse + host) != responses.firstPs(host)) {
            events.schedule(events.firstResponse + host, responses.firstPs(host));
        }
    }

    /** A response has come to a host on its own channel. */
    void responseArrives(int host, long now) {
        int flow = responses.first(host);
        int packet = flows.firstResponse[flow];
        int behind = packets.next[packet];
        flows.firstResponse[flow] = behind;
        due(host, flow, behind == PacketPool.NONE ? EventQueue.NEVER : packets.arrivalPs[behind]);
        pending--;
        senders.answered(packet, now);
    }

    /** Responses under way on their own channel; visits each. */
    long underWay() {
        long sum = 0;
        for (int flow = 0; flow < flows.count(); flow++) {
            sum += packets.length(flows.firstResponse[flow]) + packets.length(flows.firstUnheeded[flow]);
        }
        return sum;
    }
}
