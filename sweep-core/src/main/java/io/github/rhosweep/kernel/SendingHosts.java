package io.github.rhosweep.kernel;

import io.github.rhosweep.result.FlowLog;
import io.github.rhosweep.result.RunRecorder;
import io.github.rhosweep.scenario.DcqcnSpec;
import io.github.rhosweep.scenario.Scenario;
import io.github.rhosweep.scenario.TransportSpec;
import io.github.rhosweep.scenario.TransportSpec.Recovery;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The sending side of hosts: flows with windows, rates and timers, and NICs that serve those of them that may send in turn, after
 * the responses that wait. What comes back for a flow is told to {@link #answered}.
 *
 * <p>What DCQCN's timers do while nobody asks is made up for later ({@link Dcqcn}), and a retransmission timer that was put off looks
 * again when it would have expired first: so that neither costs an event for each frame.
 */
final class SendingHosts {
    private static final int NO_HOST = -1;
    /** Timeouts in a row beyond which the time to wait does not double any more. */
    private static final int MOST_DOUBLINGS = 6;

    /** What a flow waits for. */
    private static final byte IDLE = 0;

    private static final byte READY = 1;
    private static final byte LIMITED = 2;

    final @Nullable Dcqcn dcqcn;

    long retransmittedFrames;
    long retransmittedBytes;
    long timeouts;
    long cnpsReceived;
    /** When the first notification arrived, in ps. */
    long firstCutPs;

    private final FabricState state;
    private final PacketPool packets;
    private final MessagePool messages;
    private final Flows flows;
    private final LinkBank links;
    private final FabricEvents events;
    private final Cabling cabling;
    private final RunRecorder recorder;
    private final @Nullable FlowLog flowLog;
    private final @Nullable Pauses pauses;
    private final int hosts;
    private final int headerBytes;
    private final int busiestEgress;
    private final Recovery recovery;
    private final boolean recovers;
    private final long window;
    private final long rtoPs;
    private final boolean unlimited;
    private final SerialisationTimes serialisation;
    /** The hosts of a frame, a bit each. */
    private final long allMembers;

    private final long[] nicFreePs;
    /** A row per host: numbers of its flows that may send now. */
    private final PortSets ready;

    private final int[] readyFlows;
    private final int[] limitedFlows;
    /** Since when a NIC is free and only rates hold frames back, in ps; negative: it is not so. */
    private final long[] limitedSincePs;

    private final int[] turn;
    private byte[] waitsFor = {};
    private final FlowHeaps timers;
    /** Per host: responses that wait for the NIC. */
    private final int[] firstWaiting;

    private final int[] lastWaiting;
    private final int[] stopped;
    /** Group of responses. */
    private final int controlGroup;

    private long rateLimitedPs;
    /** The host whose timer is being handled: what that schedules is put into the queue once, at its end. */
    private int timed = NO_HOST;

    /** @param pauses what holds NICs back; null: nothing does */
    SendingHosts(FabricState state, @Nullable Pauses pauses) {
        Scenario scenario = state.scenario;
        TransportSpec transport = scenario.transport();
        this.state = state;
        this.packets = state.packets;
        this.messages = state.messages;
        this.flows = state.flows;
        this.links = state.links;
        this.events = state.events;
        this.cabling = state.cabling;
        this.recorder = state.recorder;
        this.flowLog = state.flowLog;
        this.pauses = pauses;
        this.hosts = state.hosts;
        this.headerBytes = state.headerBytes;
        this.busiestEgress = state.busiestEgress;
        this.recovery = transport.recovery();
        this.recovers = state.recovers;
        this.window = state.window;
        this.rtoPs = transport.rtoPs();
        this.unlimited = scenario.link().unlimited();
        this.serialisation = new SerialisationTimes(
                unlimited ? BigDecimal.ONE : scenario.link().bandwidthGbPerS());
        this.allMembers = -1L >>> 64 - state.members;
        DcqcnSpec rates = transport.dcqcn();
        this.dcqcn = rates == null
                ? null
                : new Dcqcn(rates, scenario.link().bandwidthGbPerS().doubleValue());
        this.nicFreePs = new long[hosts];
        this.ready = new PortSets(hosts, flows.perHost());
        this.readyFlows = new int[hosts];
        this.limitedFlows = new int[hosts];
        this.limitedSincePs = new long[hosts];
        Arrays.fill(limitedSincePs, -1);
        this.turn = new int[hosts];
        for (int host = 0; host < hosts; host++) {
            turn[host] = (host + 1) % hosts * (flows.perHost() / hosts);
        }
        this.timers = new FlowHeaps(hosts);
        this.firstWaiting = new int[hosts];
        this.lastWaiting = new int[hosts];
        Arrays.fill(firstWaiting, PacketPool.NONE);
        this.stopped = state.stopped;
        this.controlGroup = state.groupOf(state.priorities.control());
    }

    /** Flows that wait for a time. */
    int pending() {
        return timers.size();
    }

    /** Time on the wire from a NIC, in ps. */
    long serialPs(int wireBytes) {
        return unlimited ? 0 : serialisation.ps(wireBytes);
    }

    /** Puts a message behind those of its flow. */
    void push(int source, int destination, int classOfData, int qp, int message, long now) {
        int before = flows.count();
        int flow = flows.of(source, destination, classOfData, qp);
        if (flows.count() > before) {
            if (flow >= waitsFor.length) {
                waitsFor = Arrays.copyOf(waitsFor, Math.max(16, 2 * flow));
            }
            timers.add(flow, flows.local[flow]);
            if (dcqcn != null) {
                dcqcn.add(flow);
            }
        }
        flows.push(flow, message);
        refresh(flow, now);
    }

    /** Finds out whether a flow may send now, and sees to it that it will be looked at when that changes. */
    private void refresh(int flow, long now) {
        int host = flows.source[flow];
        byte before = waitsFor[flow];
        byte after = IDLE;
        long wake = EventQueue.NEVER;
        if (flows.hasFrame(flow) && hasWindow(flow)) {
            long eligible = eligiblePs(flow);
            if (eligible <= now) {
                after = READY;
            } else {
                after = LIMITED;
                wake = Math.max(
                        now, Math.min(eligible, Objects.requireNonNull(dcqcn).nextRaisePs(flow)));
            }
        }
        if (recovers || dcqcn != null) {
            setTimer(host, flow, Math.min(wake, flows.armedPs[flow]));
        }
        if (before != after) {
            waitsFor[flow] = after;
            if (before == READY) {
                ready.remove(host, flows.local[flow]);
                readyFlows[host]--;
            } else if (before == LIMITED) {
                limitedFlows[host]--;
            }
            if (after == READY) {
                ready.add(host, flows.local[flow]);
                readyFlows[host]++;
            } else if (after == LIMITED) {
                limitedFlows[host]++;
            }
            bookLimit(host, now);
        }
        if (after == READY) {
            wakeNic(host, now);
        }
    }

    private boolean hasWindow(int flow) {
        if (window == Long.MAX_VALUE || !flows.nextIsNew(flow)) {
            return true;
        }
        long psn = flows.peek(flow);
        int wire = flows.payload(flows.messageOf(flow, psn), psn) + headerBytes;
        return flows.outstandingBytes[flow] + wire <= window;
    }

    /** When the rate of a flow lets its next frame go, in ps. */
    private long eligiblePs(int flow) {
        return dcqcn == null || dcqcn.atLineRate(flow)
                ? 0
                : flows.lastStartPs[flow] + dcqcn.gapPs(flow, flows.lastWire[flow]);
    }

    private void setTimer(int host, int flow, long at) {
        if (at == timers.timeOf(flow)) {
            return;
        }
        long before = timers.firstPs(host);
        timers.set(host, flow, at);
        if (host != timed && timers.firstPs(host) != before) {
            events.schedule(events.firstTimer + host, timers.firstPs(host));
        }
    }

    /** Keeps the books on how long a NIC was free while rates alone held frames back. */
    private void bookLimit(int host, long now) {
        if (dcqcn == null) {
            return;
        }
        boolean blocked = readyFlows[host] == 0 && limitedFlows[host] > 0 && firstWaiting[host] == PacketPool.NONE;
        if (blocked) {
            if (limitedSincePs[host] < 0) {
                limitedSincePs[host] = Math.max(now, nicFreePs[host]);
            }
        } else if (limitedSincePs[host] >= 0) {
            rateLimitedPs += Math.max(0, now - limitedSincePs[host]);
            limitedSincePs[host] = -1;
        }
    }

    /** Time until now for which NICs were free while rates alone held frames back, in ps, of all hosts. */
    long rateLimitedPs(long now) {
        long sum = rateLimitedPs;
        for (int host = 0; host < hosts; host++) {
            if (limitedSincePs[host] >= 0) {
                sum += Math.max(0, now - limitedSincePs[host]);
            }
        }
        return sum;
    }

    private void wakeNic(int host, long now) {
        int nic = events.firstNic + host;
        if (host != timed && events.timeOf(nic) == EventQueue.NEVER && (stopped[host] == 0 || mayTransmit(host))) {
            events.schedule(nic, Math.max(now, nicFreePs[host]));
        }
    }

    /** Flow control lets a NIC send no more of something. */
    void heldBack(int host) {
        if (!mayTransmit(host)) {
            events.schedule(events.firstNic + host, EventQueue.NEVER);
        }
    }

    /** Flow control lets a NIC go on. */
    void letGo(int host, long now) {
        if (mayTransmit(host)) {
            wakeNic(host, now);
        }
    }

    /** Whether a NIC has anything that flow control does not stop. */
    private boolean mayTransmit(int host) {
        int stops = stopped[host];
        if (stops == 0 || state.groups == 1) {
            return stops == 0 && (readyFlows[host] > 0 || firstWaiting[host] != PacketPool.NONE);
        }
        return firstWaiting[host] != PacketPool.NONE && mayRespond(host) || nextReady(host) >= 0;
    }

    /** Whether flow control lets a NIC send responses. */
    private boolean mayRespond(int host) {
        return (stopped[host] >>> controlGroup & 1) == 0;
    }

    /** The number at its host of the flow whose turn it is to send; -1 if none may. */
    private int nextReady(int host) {
        int number = ready.firstFrom(host, turn[host]);
        int stops = stopped[host];
        for (int left = readyFlows[host]; stops != 0 && left > 0; left--) {
            if ((stops >>> state.groupOf(flows.classOf(flows.at(host, number))) & 1) == 0) {
                return number;
            }
            number = ready.firstFrom(host, number + 1 == flows.perHost() ? 0 : number + 1);
        }
        return stops == 0 ? number : -1;
    }

    /** A timer of a host's flow: a rate that may have risen, a frame that its rate lets go, or an answer that did not come. */
    void timer(int host, long now) {
        int flow = timers.first(host);
        timed = host;
        if (dcqcn != null) {
            dcqcn.catchUp(flow, now);
        }
        if (flows.armedPs[flow] <= now) {
            if (!flows.awaitsAck(flow)) {
                flows.armedPs[flow] = EventQueue.NEVER;
            } else {
                if (flows.deadlinePs[flow] <= now) {
                    timeouts++;
                    flows.backoff[flow] = Math.min(MOST_DOUBLINGS, flows.backoff[flow] + 1);
                    flows.goBack(flow);
                    restartTimeout(flow, now);
                }
                flows.armedPs[flow] = flows.deadlinePs[flow];
            }
        }
        refresh(flow, now);
        if (waitsFor[flow] == READY
                && nicFreePs[host] <= now
                && timers.firstPs(host) > now
                && events.timeOf(events.firstNic + host) == EventQueue.NEVER
                && mayTransmit(host)) {
            // The NIC's event would be at this time too, and nothing that may come before it concerns this host.
            events.handled++;
            transmit(host, now);
        }
        timed = NO_HOST;
        if (waitsFor[flow] == READY) {
            wakeNic(host, now);
        }
        if (events.timeOf(events.firstTimer + host) != timers.firstPs(host)) {
            events.schedule(events.firstTimer + host, timers.firstPs(host));
        }
    }

    private void restartTimeout(int flow, long now) {
        flows.deadlinePs[flow] = Math.addExact(now, rtoPs << flows.backoff[flow]);
    }

    /** A NIC is free and holds something: it begins to transmit the next frame, a response before data. */
    void transmit(int host, long now) {
        int nic = events.firstNic + host;
        if (firstWaiting[host] != PacketPool.NONE && mayRespond(host)) {
            int packet = firstWaiting[host];
            firstWaiting[host] = packets.next[packet];
            put(host, packet, now);
        } else if (unlimited) {
            // Everything leaves at once: in the order of flows, and of frames within each.
            while (readyFlows[host] > 0) {
                send(host, flows.at(host, ready.firstFrom(host, 0)), now);
            }
        } else if (readyFlows[host] > 0) {
            int number = nextReady(host);
            if (number >= 0) {
                turn[host] = number + 1 == flows.perHost() ? 0 : number + 1;
                send(host, flows.at(host, number), now);
            }
        }
        bookLimit(host, now);
        long next = mayTransmit(host) ? nicFreePs[host] : EventQueue.NEVER;
        if (next != events.timeOf(nic)) {
            events.schedule(nic, next);
        }
    }

    /** Sends the next frame of a flow. */
    private void send(int host, int flow, long now) {
        long psn = flows.peek(flow);
        int message = flows.messageOf(flow, psn);
        int payload = flows.payload(message, psn);
        int wire = payload + headerBytes;
        boolean again = flows.wasSent(flow, psn);
        if (recovers) {
            if (!flows.awaitsAck(flow)) {
                flows.backoff[flow] = 0;
                restartTimeout(flow, now);
            }
            if (flows.armedPs[flow] == EventQueue.NEVER) {
                flows.armedPs[flow] = flows.deadlinePs[flow];
            }
        }
        if (again) {
            retransmittedFrames++;
            retransmittedBytes += wire;
            if (flowLog != null && messages.measured[message]) {
                flowLog.retransmitted(messages.logged[message]);
            }
        }
        flows.take(flow, message, wire);
        flows.lastStartPs[flow] = now;
        flows.lastWire[flow] = wire;
        int packet = packets.take(wire, payload);
        packets.kind[packet] = FrameKind.DATA;
        packets.priority[packet] = (byte) flows.classOf(flow);
        packets.flow[packet] = flow;
        packets.psn[packet] = psn;
        packets.message[packet] = message;
        packets.sentPs[packet] = now;
        packets.wants[packet] = allMembers;
        if (dcqcn != null) {
            dcqcn.catchUp(flow, now);
            dcqcn.sent(flow, wire);
        }
        if (messages.measured[message] && !unlimited && !again) {
            recorder.sourceLeft(messages.offerPs[message], now - messages.offerPs[message]);
        }
        put(host, packet, now);
        refresh(flow, now);
    }

    /** Puts a frame on a host's link; its NIC is busy until it has left. */
    private void put(int host, int packet, long now) {
        int wire = packets.wireBytes[packet];
        long serial = serialPs(wire);
        int link = cabling.peer[host];
        long arrival = now + serial + cabling.propagationPs[host];
        nicFreePs[host] = now + serial;
        if (link < hosts) {
            if (link == busiestEgress) {
                recorder.bottleneckArrival(now);
                recorder.bottleneckService(now, serial, serial);
            }
        } else if (pauses != null) {
            pauses.spend(host, link, wire, now);
        }
        if (links.push(link, packet, arrival)) {
            events.schedule(link, arrival);
        }
    }

    /** A response joins those that wait for the NIC of a host. */
    void respond(int host, int packet, long now) {
        packets.next[packet] = PacketPool.NONE;
        if (firstWaiting[host] == PacketPool.NONE) {
            firstWaiting[host] = packet;
        } else {
            packets.next[lastWaiting[host]] = packet;
        }
        lastWaiting[host] = packet;
        bookLimit(host, now);
        wakeNic(host, now);
    }

    /** Responses that wait for NICs; visits each. */
    long waitingResponses() {
        long sum = 0;
        for (int first : firstWaiting) {
            sum += packets.length(first);
        }
        return sum;
    }

    /** A response has come to the sender. */
    void answered(int packet, long now) {
        int flow = packets.flow[packet];
        byte kind = packets.kind[packet];
        long psn = packets.psn[packet];
        long wants = packets.wants[packet];
        packets.free(packet);
        if (kind == FrameKind.CNP) {
            if (cnpsReceived++ == 0) {
                firstCutPs = now;
            }
            Objects.requireNonNull(dcqcn).notified(flow, now);
        } else if (!recovers) {
            flows.outstandingBytes[flow] -= psn;
            if (window == Long.MAX_VALUE) {
                return; // It has come through VOQs, and nobody waits for it.
            }
        } else {
            if (psn > flows.acked[flow]) {
                flows.acknowledge(flow, psn);
                flows.backoff[flow] = 0;
                restartTimeout(flow, now);
            }
            if (kind == FrameKind.NAK && recovery == Recovery.GO_BACK_N) {
                if (psn == flows.acked[flow]) {
                    flows.goBack(flow);
                }
            } else if (kind == FrameKind.NAK) {
                long from = wants >>> 20;
                flows.repeat(flow, from, from + (wants & (1 << 20) - 1));
            }
        }
        refresh(flow, now);
    }

    /** What was lost, or its ACK, holds no more of the window of its flow. */
    void returnWindow(int flow, long bytes, long now) {
        if (window != Long.MAX_VALUE) {
            flows.outstandingBytes[flow] -= bytes;
            refresh(flow, now);
        }
    }
}
