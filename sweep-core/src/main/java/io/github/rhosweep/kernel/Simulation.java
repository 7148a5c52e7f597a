package io.github.rhosweep.kernel;

import io.github.rhosweep.math.RandomStream;
import io.github.rhosweep.result.FlowLog;
import io.github.rhosweep.result.LinkUse;
import io.github.rhosweep.result.Recording;
import io.github.rhosweep.result.RunRecorder;
import io.github.rhosweep.result.RunResult;
import io.github.rhosweep.result.RunTotals;
import io.github.rhosweep.result.SeriesLog;
import io.github.rhosweep.result.TransportCounters;
import io.github.rhosweep.scenario.ArrivalProcess;
import io.github.rhosweep.scenario.Load;
import io.github.rhosweep.scenario.MeasureSpec;
import io.github.rhosweep.scenario.Scenario;
import io.github.rhosweep.scenario.SwitchSpec;
import io.github.rhosweep.scenario.TrafficSpec;
import io.github.rhosweep.topology.Topology;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Hosts, links and a switch (or two hosts and a link) under open senders: one point, run once.
 *
 * <p>An instance may be used for many runs, one after another, and then keeps its memory; nothing that a run leaves behind shows in
 * the next. It is not safe for use by several threads at once.
 *
 * <h2>Events</h2>
 *
 * Each server has at most one event pending. Servers are numbered so that at equal times the order is that of (class, node, port):
 * arrivals at hosts, arrivals at the switch, the switch's tick, offers of sources, NICs that choose a frame. Within a link frames
 * are in the order of flow and sequence number. So the order of events depends on what happens alone, never on how it was
 * scheduled, and all offers of a time are in their queues before any NIC chooses.
 *
 * <p>Nothing depends on when a frame arrives at its host but the count of frames delivered and, with the last frame of a message,
 * the fate of the message. So a frame is recorded as soon as its arrival is known, when the switch serves it; a host is only
 * visited when a message is settled, and then takes all frames up to that one. The count of events is that of one for each frame.
 */
public final class Simulation {
    /** How often the deadline is looked at, in events: a power of two. */
    private static final long DEADLINE_EVERY = 1L << 16;

    private static final int FIRST_CAPACITY = 1024;

    private final RunRecorder recorder = new RunRecorder();
    private final PacketPool packets = new PacketPool(FIRST_CAPACITY);
    private final MessagePool messages = new MessagePool(FIRST_CAPACITY);
    /** All whose size follows from the number of hosts; made anew when that changes. */
    private Hosts fabric = new Hosts(1, packets, messages);

    private @Nullable VoqBank bank;
    private final @Nullable SwitchTrace trace;

    /** Runs are not traced. */
    public Simulation() {
        this(null);
    }

    /** @param trace told of each decision of the switches; null: nobody asks */
    public Simulation(@Nullable SwitchTrace trace) {
        this.trace = trace;
    }

    /** State sized by the number of hosts. */
    private static final class Hosts {
        final int count;
        final EventQueue events;
        final LinkBank uplinks;
        final LinkBank downlinks;
        final SourceQueues queues;
        /** When the NIC of each host has sent what it has chosen, in ps. */
        final long[] nicFreePs;

        final ArrivalProcess.Source[] sources;
        final RandomStream[] destinations;
        /** Per flow, source x hosts + destination: messages offered, and delivered whole. */
        final int[] offeredOfFlow;

        final int[] deliveredOfFlow;

        Hosts(int count, PacketPool packets, MessagePool messages) {
            this.count = count;
            this.events = new EventQueue(4 * count + 1);
            this.uplinks = new LinkBank(count, packets);
            this.downlinks = new LinkBank(count, packets);
            this.queues = new SourceQueues(count, messages);
            this.nicFreePs = new long[count];
            this.sources = new ArrivalProcess.Source[count];
            this.destinations = new RandomStream[count];
            this.offeredOfFlow = new int[Math.multiplyExact(count, count)];
            this.deliveredOfFlow = new int[count * count];
        }

        void clear() {
            events.clear();
            uplinks.clear();
            downlinks.clear();
            queues.clear();
            Arrays.fill(nicFreePs, 0);
            Arrays.fill(offeredOfFlow, 0);
            Arrays.fill(deliveredOfFlow, 0);
        }
    }

    /**
     * Runs a point once.
     *
     * @param runSeed from which all random streams of the run derive
     * @throws RunLimitException if it needs more events than {@code limits.events}
     * @throws IllegalStateException if it does not balance: a defect of the simulator
     */
    public static RunResult run(Scenario scenario, long runSeed, ControlVariate control) {
        return new Simulation().run(scenario, runSeed, control, () -> false);
    }

    /**
     * Runs a point once, with the memory of earlier runs.
     *
     * @param runSeed from which all random streams of the run derive
     * @param deadlinePassed asked now and then; the run is given up when it says true
     * @throws RunLimitException if it needs more events than {@code limits.events}, or the deadline has passed
     * @throws IllegalStateException if it does not balance: a defect of the simulator
     */
    public RunResult run(Scenario scenario, long runSeed, ControlVariate control, BooleanSupplier deadlinePassed) {
        if (Fabric.isNeededFor(scenario)) {
            Fabric run = new Fabric(scenario, runSeed, control, Cabling.of(Topology.of(scenario)), recorder);
            return (trace == null ? run : run.traced(trace)).toEnd(deadlinePassed);
        }
        int hosts = scenario.topology().hosts();
        if (hosts == fabric.count) {
            fabric.clear();
        } else {
            fabric = new Hosts(hosts, packets, messages);
        }
        packets.reset();
        messages.reset();
        SwitchSpec spec = scenario.switchSpec();
        Switch sw = spec == null ? null : newSwitch(spec, runSeed);
        return new Run(scenario, runSeed, control, sw).toEnd(deadlinePassed);
    }

    private Switch newSwitch(SwitchSpec spec, long runSeed) {
        VoqBank queues = bank;
        int classes = spec.priorityClasses().count();
        if (queues == null || !queues.fits(spec.portCount(), classes, Switch.separate(spec))) {
            queues = new VoqBank(spec.portCount(), classes, Switch.separate(spec), packets);
            bank = queues;
        }
        queues.clear();
        long seed = RandomStream.named(runSeed, "switch", 0).nextLong();
        Switch sw = new Switch(spec, seed == 0 ? SwitchSpec.DEFAULT_RNG_SEED : seed, packets, null, queues);
        if (trace != null) {
            sw.trace(trace, 0);
        }
        return sw;
    }

    /** One run: the clock, the counts, and what happens at each kind of event. */
    private final class Run {
        private final Scenario scenario;
        private final TrafficSpec traffic;
        private final ControlVariate control;
        private final @Nullable Switch sw;

        // What the hot methods need, out of records and interfaces.
        private final PacketPool packets = Simulation.this.packets;
        private final MessagePool messages = Simulation.this.messages;
        private final RunRecorder recorder = Simulation.this.recorder;
        private final Hosts at = fabric;
        private final EventQueue events = fabric.events;
        private final int hosts = fabric.count;
        private final int firstUplink = hosts;
        private final int ticks = 2 * hosts;
        private final int firstSource = 2 * hosts + 1;
        private final int firstNic = 3 * hosts + 1;
        private final int framesPerMessage;
        private final int fullWire;
        private final int fullPayload;
        private final int lastWire;
        private final int lastPayload;
        private final boolean unlimited;
        private final long fullSerialPs;
        private final long lastSerialPs;
        private final long propagationPs;
        private final long slotPs;
        private final int busiestEgress;
        /**
         * Whether each NIC serves one flow into a switch: no later offer can then come between the frames of a message, so that it is
         * known at the offer when each of them will be sent. Then messages are in their queue until their frames have arrived at
         * the switch, NICs need no event, and nothing else changes.
         */
        private final boolean oneFlowPerHost;

        private final @Nullable FlowLog flowLog;
        private final @Nullable SeriesLog series;

        private final long wanted;
        private final boolean finite;

        private long now;
        private long handled;
        /** Event count above which the limits are looked at again. */
        private long checkAbove;
        /** Key of the switch's next tick: it does not go through the queue, because it changes with every frame. */
        private long tickKey = EventQueue.NEVER;

        private long offered;
        private long delivered;
        private long lost;
        private long measuredLost;
        private long measuredSettled;
        private long deliveredFrames;
        private long deliveredBytes;
        private long droppedFrames;
        private long droppedBytes;

        Run(Scenario scenario, long runSeed, ControlVariate control, @Nullable Switch sw) {
            this.scenario = scenario;
            this.traffic = scenario.traffic();
            this.control = control;
            this.sw = sw;
            this.framesPerMessage = Math.toIntExact(traffic.framesPerMessage());
            this.fullWire = traffic.fullFrameWireBytes();
            this.fullPayload = fullWire - traffic.headerBytes();
            this.lastWire = traffic.lastFrameWireBytes();
            this.lastPayload = traffic.lastFramePayloadBytes();
            this.unlimited = scenario.link().unlimited();
            this.fullSerialPs = unlimited
                    ? 0
                    : SwitchSpec.serialisationPs(fullWire, scenario.link().bandwidthGbPerS());
            this.lastSerialPs = unlimited
                    ? 0
                    : SwitchSpec.serialisationPs(lastWire, scenario.link().bandwidthGbPerS());
            this.propagationPs = scenario.link().propagationPs();
            this.slotPs =
                    scenario.switchSpec() == null ? 0 : scenario.switchSpec().slotPs();
            this.busiestEgress = traffic.pattern().busiestEgress(traffic.flows());
            this.oneFlowPerHost = sw != null && !unlimited && traffic.pattern().activeEgresses(traffic.flows()) == 1;
            this.wanted = scenario.measure().messages();
            this.finite = scenario.measure().kind() == MeasureSpec.Kind.FINITE;
            this.flowLog = scenario.record().messages() ? new FlowLog() : null;
            this.series =
                    scenario.record().series() ? new SeriesLog(scenario.record().seriesIntervalPs()) : null;
            startSources(runSeed);
        }

        private void startSources(long runSeed) {
            double gapPs = Load.of(scenario).meanGapPs();
            for (int host = 0; host < traffic.flows(); host++) {
                at.destinations[host] = RandomStream.named(runSeed, "destinations", host);
                at.sources[host] =
                        traffic.arrivals().start(gapPs, slotPs, RandomStream.named(runSeed, "arrivals", host));
                events.schedule(firstSource + host, at.sources[host].nextPs());
            }
        }

        RunResult toEnd(BooleanSupplier deadlinePassed) {
            recorder.start(scenario, control.meanPs());
            long limit = scenario.measure().maxEvents();
            checkAbove = Math.min(limit, DEADLINE_EVERY);
            int server = 0;
            while (finite || measuredSettled < wanted) {
                long key = events.nextKey();
                if (series != null) {
                    sampleUntil(series, events.timeOfKey(Math.min(tickKey, key)));
                }
                if (tickKey < key) {
                    server = ticks;
                    now = events.timeOfKey(tickKey);
                    tick();
                } else if (key != EventQueue.NEVER) {
                    now = events.timeOfKey(key);
                    server = events.nextServer();
                    if (server < firstUplink) {
                        arriveAtHost(server);
                    } else if (server < ticks) {
                        arriveAtSwitch(server - firstUplink);
                    } else if (server < firstNic) {
                        offer(server - firstSource);
                    } else {
                        transmit(server - firstNic);
                    }
                } else {
                    break;
                }
                if (++handled > checkAbove) {
                    checkLimits(limit, deadlinePassed);
                }
            }
            handled += begunUnseen();
            takeArrived(server < firstUplink ? server : hosts);
            checkLimits(limit, () -> false);
            return result();
        }

        /** Takes the samples that are due before the next event, which is at {@code time}: state does not change in between. */
        private void sampleUntil(SeriesLog log, long time) {
            for (long at = log.nextPs(); at <= time && time != EventQueue.NEVER; at = log.nextPs()) {
                if (sw != null) {
                    log.add(SeriesKeys.fill(0), "buffer_bytes", (double) sw.usedBytes(), () -> "switch 0");
                    for (int port = 0; port < hosts; port++) {
                        int egress = port;
                        log.add(
                                SeriesKeys.queue(port),
                                "queue_bytes",
                                (double) sw.queuedNow(port),
                                () -> "switch 0 egress " + egress);
                    }
                }
                log.sampled();
            }
        }

        private void checkLimits(long limit, BooleanSupplier deadlinePassed) {
            if (handled > limit) {
                throw new RunLimitException(
                        "the run needs more than limits.events (" + limit + ") events; " + measuredSettled + " of "
                                + wanted + " messages were done at " + now / 1000 + " ns",
                        true);
            }
            if (deadlinePassed.getAsBoolean()) {
                throw new RunLimitException(
                        "the run takes longer than limits.wall ("
                                + scenario.measure().maxWallNs() / 1_000_000 + " ms); " + measuredSettled + " of "
                                + wanted + " messages were done after " + handled + " events",
                        false);
            }
            checkAbove = Math.min(limit, handled + DEADLINE_EVERY);
        }

        /** A source offers a message: it joins the queue of its flow, and an idle NIC will look at it. */
        private void offer(int host) {
            int destination = traffic.pattern().destination(host, traffic.flows(), at.destinations[host]);
            int message = messages.take(framesPerMessage);
            messages.offerPs[message] = now;
            messages.controlPs[message] = control.observePs(now, destination, framesPerMessage);
            messages.source[message] = host;
            messages.destination[message] = destination;
            messages.measured[message] = offered < wanted;
            if (flowLog != null && offered < wanted) {
                messages.logged[message] = flowLog.offered(offered + 1, host, destination, traffic.messageBytes(), now);
            }
            at.offeredOfFlow[host * hosts + destination]++;
            at.queues.push(message);
            int nic = firstNic + host;
            if (oneFlowPerHost) {
                plan(host, message, destination);
            } else if (events.timeOf(nic) == EventQueue.NEVER) {
                events.schedule(nic, Math.max(now, at.nicFreePs[host]));
            }
            events.schedule(firstSource + host, at.sources[host].nextPs());
            if (++offered == wanted) {
                recorder.lastMeasuredOffer(now);
                if (finite) {
                    for (int source = 0; source < traffic.flows(); source++) {
                        events.schedule(firstSource + source, EventQueue.NEVER);
                    }
                }
            }
        }

        /** Where a NIC has one flow: sets when the frames of the message offered now will be sent. */
        private void plan(int host, int message, int destination) {
            long start = Math.max(now, at.nicFreePs[host]);
            messages.startPs[message] = start;
            at.nicFreePs[host] = start + (framesPerMessage - 1) * fullSerialPs + lastSerialPs;
            if (messages.measured[message]) {
                long waitPs = start - now;
                for (int frame = 0; frame < framesPerMessage; frame++) {
                    recorder.sourceLeft(now, waitPs + frame * fullSerialPs);
                }
            }
            if (at.queues.first(host, destination) == message) {
                events.schedule(firstUplink + host, start + serialPs(message) + propagationPs);
            }
        }

        /** Serialisation time at the NIC of the next frame of a message, in ps. */
        private long serialPs(int message) {
            return messages.unsent[message] == 1 ? lastSerialPs : fullSerialPs;
        }

        /** Where a NIC has one flow: the next frame of its first message arrives at the switch. */
        private int arrivePlanned(int host) {
            int destination = at.queues.firstDestination(host);
            int message = at.queues.first(host, destination);
            if (messages.unsent[message] == framesPerMessage) {
                handled++; // the NIC's choice of the message counts as an event here, as it does elsewhere
            }
            boolean last = messages.unsent[message] == 1;
            int packet = packets.take(last ? lastWire : fullWire, last ? lastPayload : fullPayload);
            packets.message[packet] = message;
            packets.sentPs[packet] = messages.startPs[message];
            messages.startPs[message] += fullSerialPs;
            at.queues.takeFrame(host, destination);
            int next = last ? at.queues.first(host, destination) : message;
            events.schedule(
                    firstUplink + host,
                    next == MessagePool.NONE
                            ? EventQueue.NEVER
                            : messages.startPs[next] + serialPs(next) + propagationPs);
            return packet;
        }

        /** Messages of which no frame has arrived at the switch, though the NIC has begun to send. */
        private long begunUnseen() {
            long count = 0;
            for (int host = 0; oneFlowPerHost && host < hosts; host++) {
                int destination = at.queues.firstDestination(host);
                int message = destination < 0 ? MessagePool.NONE : at.queues.first(host, destination);
                for (; message != MessagePool.NONE; message = messages.next[message]) {
                    if (messages.unsent[message] == framesPerMessage && messages.startPs[message] < now) {
                        count++;
                    }
                }
            }
            return count;
        }

        /** A NIC is free and holds something: it begins to transmit. */
        private void transmit(int host) {
            int nic = firstNic + host;
            if (unlimited) {
                // Everything leaves at once: in the order of flows, and of frames within each.
                for (int to; (to = at.queues.firstDestination(host)) >= 0; ) {
                    send(host, at.queues.takeFrame(host, to));
                }
                events.schedule(nic, EventQueue.NEVER);
                return;
            }
            int destination = at.queues.takeTurn(host);
            int message = at.queues.takeFrame(host, destination);
            if (messages.measured[message]) {
                recorder.sourceLeft(messages.offerPs[message], now - messages.offerPs[message]);
            }
            long free = now + send(host, message);
            at.nicFreePs[host] = free;
            events.schedule(nic, at.queues.isEmpty(host) ? EventQueue.NEVER : free);
        }

        /** Puts the frame just taken from a message on the link; gives its serialisation time, in ps. */
        private long send(int host, int message) {
            boolean last = messages.unsent[message] == 0;
            long serialPs = last ? lastSerialPs : fullSerialPs;
            int packet = packets.take(last ? lastWire : fullWire, last ? lastPayload : fullPayload);
            packets.message[packet] = message;
            packets.sentPs[packet] = now;
            long arrivalPs = now + serialPs + propagationPs;
            if (sw == null) {
                recorder.bottleneckArrival(now);
                recorder.bottleneckService(now, serialPs, serialPs);
                leave(packet, messages.destination[message], arrivalPs);
            } else if (at.uplinks.push(host, packet, arrivalPs)) {
                events.schedule(firstUplink + host, arrivalPs);
            }
            return serialPs;
        }

        /** A frame arrives at the switch: it is admitted or dropped. */
        private void arriveAtSwitch(int host) {
            Switch here = Objects.requireNonNull(sw);
            int packet;
            if (oneFlowPerHost) {
                packet = arrivePlanned(host);
            } else {
                packet = at.uplinks.pop(host);
                events.schedule(firstUplink + host, at.uplinks.nextArrivalPs(host));
            }
            int message = packets.message[packet];
            int egress = messages.destination[message];
            if (!here.forward(host, egress, packets.wireBytes[packet], packet, now)) {
                drop(packet, message);
            } else if (tickKey == EventQueue.NEVER) {
                tickKey = events.keyOf(ticks, here.nextTickPs());
            }
            if (egress == busiestEgress) {
                recorder.bottleneckArrival(now);
            }
        }

        private void drop(int packet, int message) {
            droppedFrames++;
            droppedBytes += packets.wireBytes[packet];
            packets.free(packet);
            if (!messages.lost[message]) {
                messages.lost[message] = true;
                lost++;
                if (messages.measured[message]) {
                    if (flowLog != null) {
                        flowLog.lost(messages.logged[message]);
                    }
                    measuredLost++;
                }
            }
            if (--messages.unsettled[message] > 0) {
                return;
            }
            long lastPs = messages.lastArrivalPs[message];
            if (lastPs <= now) {
                settle(message);
            } else {
                int host = messages.destination[message];
                packets.message[messages.lastPacket[message]] = message;
                events.schedule(host, Math.min(events.timeOf(host), lastPs));
            }
        }

        /** The switch matches and serves; each frame served is on its way to its host. */
        private void tick() {
            Switch here = Objects.requireNonNull(sw);
            int served = here.tick(now);
            tickKey = events.keyOf(ticks, here.nextTickPs());
            for (int k = 0; k < served; k++) {
                int packet = here.servedPacket(k);
                int egress = here.servedEgress(k);
                int message = packets.message[packet];
                if (messages.measured[message]) {
                    recorder.voqLeft(
                            messages.offerPs[message], now - packets.enqueuedPs[packet], messages.controlPs[message]);
                }
                leave(packet, egress, here.servedFinishPs(k) + propagationPs);
                if (egress == busiestEgress) {
                    long serialPs = here.servedSerialPs(k);
                    recorder.bottleneckService(here.servedStartPs(k), serialPs, Math.max(serialPs, slotPs));
                }
            }
        }

        /** A frame goes on the link to its host; with the last frame of a message it is known when the host has to look. */
        private void leave(int packet, int host, long arrivalPs) {
            int message = packets.message[packet];
            if (messages.measured[message]) {
                recorder.frameDelivered(
                        messages.offerPs[message], arrivalPs - packets.sentPs[packet], messages.controlPs[message]);
            }
            at.downlinks.push(host, packet, arrivalPs);
            if (--messages.unsettled[message] > 0) {
                packets.message[packet] = MessagePool.NONE;
                messages.lastPacket[message] = packet;
                messages.lastArrivalPs[message] = arrivalPs;
            } else if (events.timeOf(host) == EventQueue.NEVER) {
                events.schedule(host, arrivalPs);
            }
        }

        /** The frame that settles a message arrives at its host, after all that are before it on the link. */
        private void arriveAtHost(int host) {
            int message;
            // The event that is handled here is the last frame's; those before it had none.
            while ((message = takeFrame(host)) == MessagePool.NONE) {
                handled++;
            }
            settle(message);
            events.schedule(host, at.downlinks.nextSettlementPs(host));
        }

        /** Takes the next frame off the link to a host; gives the message that it settles, if any. */
        private int takeFrame(int host) {
            int packet = at.downlinks.pop(host);
            deliveredFrames++;
            deliveredBytes += packets.wireBytes[packet];
            packets.free(packet);
            return packets.message[packet];
        }

        /**
         * Takes what has arrived and settled nothing, at the end of the run.
         *
         * @param before host from which on arrivals of this very moment were still to come
         */
        private void takeArrived(int before) {
            for (int host = 0; host < hosts; host++) {
                while (at.downlinks.nextArrivalPs(host) < now
                        || (host < before && at.downlinks.nextArrivalPs(host) == now)) {
                    takeFrame(host);
                    handled++;
                }
            }
        }

        /** The fate of every frame of a message is known and has come. */
        private void settle(int message) {
            boolean measured = messages.measured[message];
            if (measured) {
                measuredSettled++;
            }
            if (!messages.lost[message]) {
                delivered++;
                at.deliveredOfFlow[messages.source[message] * hosts + messages.destination[message]]++;
                recorder.payloadDelivered(now, traffic.messageBytes());
                if (measured) {
                    long offerPs = messages.offerPs[message];
                    recorder.messageDelivered(offerPs, now - offerPs, messages.controlPs[message]);
                    if (flowLog != null) {
                        flowLog.completed(messages.logged[message], now);
                    }
                }
            }
            messages.free(message);
        }

        private RunResult result() {
            // Counted where frames are, not by subtraction, so that the balance can fail.
            long[] unsent = at.queues.unsentFrames();
            long queuedFrames = sw == null ? 0 : sw.queuedFrames();
            long inFlightFrames = unsent[0] + at.uplinks.frames() + queuedFrames + at.downlinks.frames();
            long inFlightBytes = (unsent[0] - unsent[1]) * fullWire
                    + unsent[1] * lastWire
                    + at.uplinks.bytes()
                    + (sw == null ? 0 : sw.queuedBytes())
                    + at.downlinks.bytes();
            if (inFlightFrames - unsent[0] != packets.inUse()) {
                throw new IllegalStateException("run does not balance: " + packets.inUse() + " packets in use, "
                        + (inFlightFrames - unsent[0]) + " on links and in VOQs");
            }
            events.pending();
            if (sw != null) {
                sw.checkBalance(now);
            }
            RunTotals totals = new RunTotals(
                    offered,
                    delivered,
                    lost,
                    offered - delivered - lost,
                    offered * framesPerMessage,
                    deliveredFrames,
                    droppedFrames,
                    inFlightFrames,
                    offered * traffic.messageWireBytes(),
                    deliveredBytes,
                    droppedBytes,
                    inFlightBytes,
                    measuredSettled,
                    measuredLost,
                    handled,
                    now);
            long zeroLoadPs = Topology.of(scenario).path(0, hosts - 1).zeroLoadPs(traffic);
            return recorder.finish(
                            totals,
                            TransportCounters.NONE,
                            sw == null ? null : sw.counters(),
                            payloadOfFlows(),
                            forwardedOfIngresses(),
                            linkUse(),
                            -1,
                            zeroLoadPs)
                    .with(flowLog == null && series == null ? null : new Recording(flowLog, series));
        }

        private long[] payloadOfFlows() {
            long[] payload = new long[at.offeredOfFlow.length];
            int flows = 0;
            for (int flow = 0; flow < payload.length; flow++) {
                if (at.offeredOfFlow[flow] > 0) {
                    payload[flows++] = at.deliveredOfFlow[flow] * traffic.messageBytes();
                }
            }
            return Arrays.copyOf(payload, flows);
        }

        private LinkUse linkUse() {
            LinkUse.Builder use = new LinkUse.Builder();
            for (int port = 0; sw != null && port < hosts; port++) {
                sw.addUseOf(port, propagationPs, use);
            }
            return use.build();
        }

        private long[] forwardedOfIngresses() {
            return sw == null ? new long[0] : Arrays.copyOf(sw.forwardedFramesOfIngress(), traffic.flows());
        }
    }
}
