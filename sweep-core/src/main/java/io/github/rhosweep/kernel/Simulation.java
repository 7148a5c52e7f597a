package io.github.rhosweep.kernel;

import io.github.rhosweep.math.RandomStream;
import io.github.rhosweep.result.LinkUse;
import io.github.rhosweep.result.RunRecorder;
import io.github.rhosweep.result.RunResult;
import io.github.rhosweep.scenario.Scenario;
import io.github.rhosweep.scenario.SwitchSpec;
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
 *
 * <p>What is said here of hosts and a switch holds for incasts too, which a {@link Concentrator} runs unless somebody traces them.
 */
public final class Simulation {
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

        final OpenRun.Senders senders;

        Hosts(int count, PacketPool packets, MessagePool messages) {
            this.count = count;
            this.events = new EventQueue(4 * count + 1);
            this.uplinks = new LinkBank(count, packets);
            this.downlinks = new LinkBank(count, packets);
            this.queues = new SourceQueues(count, messages);
            this.nicFreePs = new long[count];
            this.senders = new OpenRun.Senders(count);
        }

        void clear() {
            events.clear();
            uplinks.clear();
            downlinks.clear();
            queues.clear();
            Arrays.fill(nicFreePs, 0);
            senders.clear();
        }
    }

    /**
     * Runs a point once.
     *
     * @param runSeed from which all random streams of the run derive
     * @throws RunLimitException if it exceeds one of {@code limits}
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
     * @throws RunLimitException if it exceeds one of {@code limits}, or the deadline has passed
     * @throws IllegalStateException if it does not balance: a defect of the simulator
     */
    public RunResult run(Scenario scenario, long runSeed, ControlVariate control, BooleanSupplier deadlinePassed) {
        if (Fabric.isNeededFor(scenario)
                || !scenario.transport().isPlain() && (trace != null || !Concentrator.suits(scenario))) {
            Fabric run = new Fabric(
                    scenario,
                    runSeed,
                    control,
                    Cabling.of(Topology.of(scenario)),
                    recorder,
                    scenario.traffic().schedule(runSeed),
                    packets,
                    messages);
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
        if (trace == null && Concentrator.suits(scenario)) {
            OpenRun run = new Concentrator(scenario, switchSeed(runSeed), control, recorder, messages, fabric.senders);
            run.start(runSeed);
            return run.toEnd(deadlinePassed);
        }
        Switch sw = spec == null ? null : newSwitch(spec, runSeed);
        OpenRun run = new Run(scenario, control, sw);
        run.start(runSeed);
        return run.toEnd(deadlinePassed);
    }

    private static long switchSeed(long runSeed) {
        long seed = RandomStream.named(runSeed, "switch", 0).nextLong();
        return seed == 0 ? SwitchSpec.DEFAULT_RNG_SEED : seed;
    }

    private Switch newSwitch(SwitchSpec spec, long runSeed) {
        VoqBank queues = bank;
        int classes = spec.priorityClasses().count();
        if (queues == null || !queues.fits(spec.portCount(), classes, Switch.separate(spec))) {
            queues = new VoqBank(spec.portCount(), classes, Switch.separate(spec), packets);
            bank = queues;
        }
        queues.clear();
        Switch sw = new Switch(spec, switchSeed(runSeed), packets, null, queues);
        if (trace != null) {
            sw.trace(trace, 0);
        }
        return sw;
    }

    /** Any number of egresses: the clock, and what happens at each kind of event. */
    private final class Run extends OpenRun {
        private final @Nullable Switch sw;

        // What the hot methods need, out of records and interfaces.
        private final PacketPool packets = Simulation.this.packets;
        private final Hosts at = fabric;
        private final EventQueue events = fabric.events;
        private final int firstUplink = hosts;
        private final int ticks = 2 * hosts;
        private final int firstSource = 2 * hosts + 1;
        private final int firstNic = 3 * hosts + 1;
        private final int fullPayload;
        private final int lastPayload;
        /** Whether NICs count an event a message, as in a {@link Concentrator}: runs that are traced count as those that are not. */
        private final boolean concentrates;

        /** Key of the switch's next tick: it does not go through the queue, because it changes with every frame. */
        private long tickKey = EventQueue.NEVER;

        private long deliveredFrames;
        private long deliveredBytes;

        Run(Scenario scenario, ControlVariate control, @Nullable Switch sw) {
            super(scenario, control, Simulation.this.recorder, Simulation.this.messages, fabric.senders);
            this.sw = sw;
            this.fullPayload = fullWire - traffic.headerBytes();
            this.lastPayload = traffic.lastFramePayloadBytes();
            this.concentrates = Concentrator.suits(scenario);
        }

        @Override
        void scheduleOffer(int host, long atPs) {
            events.schedule(firstSource + host, atPs);
        }

        @Override
        void accept(int host, int message) {
            at.queues.push(message);
            int nic = firstNic + host;
            if (events.timeOf(nic) == EventQueue.NEVER) {
                events.schedule(nic, Math.max(now, at.nicFreePs[host]));
            }
        }

        @Override
        RunResult toEnd(BooleanSupplier deadlinePassed) {
            int server = 0;
            while (!isDone()) {
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
                    checkLimits(deadlinePassed);
                }
            }
            takeArrived(server < firstUplink ? server : hosts);
            checkLimits(() -> false);
            return result();
        }

        @Override
        long bufferedBytes() {
            return Objects.requireNonNull(sw).usedBytes();
        }

        @Override
        long queuedBytes(int egress) {
            return Objects.requireNonNull(sw).queuedNow(egress);
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
            if (concentrates && messages.unsent[message] < framesPerMessage - 1) {
                handled--;
            }
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
            int packet = at.uplinks.pop(host);
            events.schedule(firstUplink + host, at.uplinks.nextArrivalPs(host));
            int message = packets.message[packet];
            int egress = messages.destination[message];
            if (!here.forward(host, egress, packets.wireBytes[packet], packet, now)) {
                dropPacket(packet, message);
            } else if (tickKey == EventQueue.NEVER) {
                tickKey = events.keyOf(ticks, here.nextTickPs());
            }
            if (egress == busiestEgress) {
                recorder.bottleneckArrival(now);
            }
        }

        private void dropPacket(int packet, int message) {
            int wireBytes = packets.wireBytes[packet];
            packets.free(packet);
            if (!drop(message, wireBytes)) {
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

        private RunResult result() {
            // Counted where frames are, not by subtraction, so that the balance can fail.
            long[] unsent = at.queues.unsentFrames();
            long heldFrames = at.uplinks.frames() + (sw == null ? 0 : sw.queuedFrames()) + at.downlinks.frames();
            if (heldFrames != packets.inUse()) {
                throw new IllegalStateException("run does not balance: " + packets.inUse() + " packets in use, "
                        + heldFrames + " on links and in VOQs");
            }
            events.pending();
            if (sw != null) {
                sw.checkBalance(now);
            }
            return result(
                    deliveredFrames,
                    deliveredBytes,
                    unsent[0],
                    unsent[1],
                    heldFrames,
                    at.uplinks.bytes() + (sw == null ? 0 : sw.queuedBytes()) + at.downlinks.bytes(),
                    0,
                    sw == null ? null : sw.counters(),
                    forwardedOfIngresses(),
                    linkUse());
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
