package io.github.rhosweep.kernel;

import io.github.rhosweep.math.RandomStream;
import io.github.rhosweep.result.LinkUse;
import io.github.rhosweep.result.Recording;
import io.github.rhosweep.result.RunRecorder;
import io.github.rhosweep.result.RunResult;
import io.github.rhosweep.result.RunTotals;
import io.github.rhosweep.result.SeriesLog;
import io.github.rhosweep.result.SwitchCounters;
import io.github.rhosweep.result.TransportCounters;
import io.github.rhosweep.scenario.ClosedPattern;
import io.github.rhosweep.scenario.FlowControlSpec;
import io.github.rhosweep.scenario.Pattern;
import io.github.rhosweep.scenario.RoutingSpec;
import io.github.rhosweep.scenario.Scenario;
import io.github.rhosweep.scenario.Schedule;
import io.github.rhosweep.scenario.SwitchSpec;
import io.github.rhosweep.scenario.TopologySpec;
import io.github.rhosweep.scenario.TrafficSpec;
import io.github.rhosweep.topology.Topology;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One run of any fabric: switches and hosts as {@link Cabling} joins them, flows with windows, rates and recovery, responses, hop-by-hop
 * flow control. What {@link Simulation} does for one switch and plain senders this does too, with the same result and at a higher
 * price.
 *
 * <p>Here are the clock, the switches and the end; {@link Workload} offers messages and knows their fates, {@link SendingHosts} and
 * {@link ReceivingHosts} are the two sides of hosts, {@link Pauses} what neighbours tell each other, {@link Routes} the ways.
 *
 * <h2>Events</h2>
 *
 * Each server has at most one event pending, and servers are numbered so that at equal times the order is that of (class, node, port,
 * flow): frames that arrive at hosts and at ports of switches, pauses and credits that arrive at senders, responses that arrive at
 * hosts; ticks; sources, timers of hosts, NICs. A host's timers and responses are one server each, with its flows in the order of
 * (time, destination, queue pair).
 */
final class Fabric {
    private static final long DEADLINE_EVERY = 1L << 16;
    private static final int FIRST_CAPACITY = 1024;

    private final Scenario scenario;
    private final ControlVariate control;
    private final FabricState state;
    private final PacketPool packets;
    private final MessagePool messages;
    private final Flows flows;
    private final LinkBank links;
    private final FabricEvents events;
    private final Cabling cabling;
    private final RunRecorder recorder;
    private final int hosts;
    private final int members;
    private final int busiestEgress;
    private final long slotPs;
    private final boolean recovers;

    /** All switches, for whoever looks at a run from outside. */
    final Switch[] switches;

    private final Routes routes;
    private final @Nullable Pauses pauses;
    private final SendingHosts senders;
    private final Workload workload;
    private final ReceivingHosts receivers;

    private final @Nullable SeriesLog series;
    /** Per host of a frame: the port by which it is reached. */
    private final int[] egressOfMember;

    private long now;
    /** Count of events above which the limits are looked at again. */
    private long checkAbove;

    private long droppedFrames;
    private long droppedBytes;
    private long responsesDropped;
    private long hostsOfDrops;

    /** Whether a scenario needs more than one switch with plain senders, whatever its transport. */
    static boolean isNeededFor(Scenario scenario) {
        return scenario.flowControl().kind() != FlowControlSpec.Kind.LOSSY
                || scenario.traffic().multicast() > 1
                || scenario.switchSpec() != null
                        && scenario.switchSpec().priorityClasses() != SwitchSpec.PriorityClasses.TWO
                || scenario.topology().kind().compareTo(TopologySpec.Kind.SINGLE_SWITCH) > 0
                || scenario.traffic().pattern() instanceof ClosedPattern
                || scenario.traffic().pattern() instanceof Pattern.Pipeline
                || scenario.traffic().sizes() != null;
    }

    Fabric(Scenario scenario, long runSeed, ControlVariate control, Cabling cabling, RunRecorder recorder) {
        this(scenario, runSeed, control, cabling, recorder, scenario.traffic().schedule(runSeed));
    }

    /** @param schedule what is offered in place of the scenario's messages, but for the open background of a mix; null: nothing is */
    Fabric(
            Scenario scenario,
            long runSeed,
            ControlVariate control,
            Cabling cabling,
            RunRecorder recorder,
            @Nullable Schedule schedule) {
        this(
                scenario,
                runSeed,
                control,
                cabling,
                recorder,
                schedule,
                new PacketPool(FIRST_CAPACITY),
                new MessagePool(FIRST_CAPACITY));
    }

    /** As above, with the memory of earlier runs: packets and messages are taken back from whoever holds them. */
    Fabric(
            Scenario scenario,
            long runSeed,
            ControlVariate control,
            Cabling cabling,
            RunRecorder recorder,
            @Nullable Schedule schedule,
            PacketPool packets,
            MessagePool messages) {
        this.scenario = scenario;
        this.control = control;
        this.state = new FabricState(scenario, runSeed, cabling, recorder, packets, messages);
        this.packets = packets;
        this.messages = messages;
        this.flows = state.flows;
        this.links = state.links;
        this.events = state.events;
        this.cabling = cabling;
        this.recorder = recorder;
        this.hosts = state.hosts;
        this.members = state.members;
        this.busiestEgress = state.busiestEgress;
        this.recovers = state.recovers;
        this.egressOfMember = new int[members];
        SwitchSpec spec = scenario.switchSpec();
        this.slotPs = spec == null ? 0 : spec.slotPs();
        boolean lossless = scenario.flowControl().kind() != FlowControlSpec.Kind.LOSSY;
        this.switches = new Switch[cabling.switches];
        for (int s = 0; s < switches.length; s++) {
            switches[s] = newSwitch(Objects.requireNonNull(spec), s, lossless);
        }
        this.routes = new Routes(state, switches);
        this.pauses = lossless ? new Pauses(state, new HeldBack()) : null;
        this.senders = new SendingHosts(state, pauses);
        this.workload = new Workload(state, control, schedule, senders);
        this.receivers = new ReceivingHosts(state, senders, workload, routes);
        this.series =
                scenario.record().series() ? new SeriesLog(scenario.record().seriesIntervalPs()) : null;
    }

    private Switch newSwitch(SwitchSpec spec, int number, boolean lossless) {
        long seed = RandomStream.named(state.runSeed, "switch", number).nextLong();
        return new Switch(
                spec,
                seed == 0 ? SwitchSpec.DEFAULT_RNG_SEED : seed,
                packets,
                cabling.bandwidths(number, spec.portCount()),
                lossless,
                state.groups > 1,
                scenario.routing().kind() == RoutingSpec.Kind.ADAPTIVE);
    }

    /** Ends of both kinds, as flow control holds them back. */
    private final class HeldBack implements Pauses.Senders {
        @Override
        public void heldBack(int end, int group) {
            if (end < hosts) {
                senders.heldBack(end);
                return;
            }
            Switch here = switches[cabling.switchOf[end]];
            if (state.groups == 1) {
                here.close(cabling.portOf[end]);
            } else {
                here.close(cabling.portOf[end], group);
            }
            scheduleTick(cabling.switchOf[end]);
        }

        @Override
        public void letGo(int end, int group, long at) {
            if (end < hosts) {
                senders.letGo(end, at);
                return;
            }
            Switch here = switches[cabling.switchOf[end]];
            if (state.groups == 1) {
                here.open(cabling.portOf[end], at);
            } else {
                here.open(cabling.portOf[end], group, at);
            }
            scheduleTick(cabling.switchOf[end]);
        }
    }

    /** Has each decision of the switches told. */
    Fabric traced(SwitchTrace trace) {
        for (int s = 0; s < switches.length; s++) {
            switches[s].trace(trace, s);
        }
        return this;
    }

    /** Frames, responses and pauses under way or queued. */
    int packetsInUse() {
        return packets.inUse();
    }

    /** The rates of all flows; null without DCQCN. */
    @Nullable
    Dcqcn dcqcn() {
        return senders.dcqcn;
    }

    /** When the first notification of congestion arrived, in ps. */
    long firstCutPs() {
        return senders.firstCutPs;
    }

    /** How far the schedule is; null without one. */
    @Nullable
    ScheduleProgress progress() {
        return workload.progress;
    }

    /**
     * Runs to the end.
     *
     * @throws RunLimitException if it exceeds one of {@code limits}, or the deadline has passed
     * @throws RunFailedException if flow control drops a frame, or buffers wait for each other in a circle
     * @throws IllegalStateException if it does not balance: a defect of the simulator
     */
    RunResult toEnd(BooleanSupplier deadlinePassed) {
        recorder.start(scenario, control.meanPs());
        long limit = scenario.measure().maxEvents();
        checkAbove = Math.min(limit, DEADLINE_EVERY);
        int server = hosts;
        while (!workload.isDone()) {
            long key = events.nextKey();
            if (key == EventQueue.NEVER) {
                break;
            }
            long time = events.timeOfKey(key);
            if (series != null) {
                sampleUntil(series, time);
            }
            now = time;
            server = events.serverOfKey(key);
            handle(server);
            if (++events.handled > checkAbove) {
                checkLimits(limit, deadlinePassed);
            }
        }
        // A run ends with the fate of a frame, before the responses of that very moment arrive.
        receivers.takeArrived(now, server);
        receivers.takeUnheeded(now);
        checkEvents(limit);
        if (!workload.isDone()) {
            checkDeadlock();
            throw new IllegalStateException("nothing is left to happen, but only " + workload.measuredSettled + " of "
                    + workload.wanted + " messages are done");
        }
        return result();
    }

    /** Takes the samples that are due before the next event, which is at {@code time}: state does not change in between. */
    private void sampleUntil(SeriesLog log, long time) {
        for (long at = log.nextPs(); at <= time; at = log.nextPs()) {
            for (int s = 0; s < switches.length; s++) {
                int number = s;
                log.add(SeriesKeys.fill(s), "buffer_bytes", (double) switches[s].usedBytes(), () -> "switch " + number);
                for (int port = 0; port < cabling.ports(s); port++) {
                    if (cabling.peer[cabling.end(s, port)] != Cabling.NONE) {
                        int egress = port;
                        log.add(
                                SeriesKeys.queue(cabling.end(s, port)),
                                "queue_bytes",
                                (double) switches[s].queuedNow(port),
                                () -> "switch " + number + " egress " + egress);
                    }
                }
            }
            Dcqcn dcqcn = senders.dcqcn;
            if (dcqcn != null) {
                for (int flow = 0; flow < flows.count(); flow++) {
                    // What is due at this very time may yet be overtaken by a notification.
                    dcqcn.catchUp(flow, at - 1);
                    int number = flow;
                    log.add(SeriesKeys.rate(flow), "rate_gb_per_s", dcqcn.rate(flow), () -> name(number));
                }
            }
            if (pauses != null) {
                log.add(SeriesKeys.STOPPED, "stopped_senders", (double) pauses.stoppedEnds(), () -> "fabric");
                log.add(SeriesKeys.PAUSES, "pauses_sent", (double) pauses.sent, () -> "fabric");
            }
            log.sampled();
        }
    }

    private String name(int flow) {
        return "flow " + flows.source[flow] + "->" + flows.destination[flow]
                + (flows.perHost() == hosts ? "" : " qp " + flows.qp(flow));
    }

    private void handle(int server) {
        if (server < events.firstSignal) {
            if (server < hosts) {
                receivers.arrive(server, now);
            } else {
                arriveAtSwitch(server);
            }
        } else if (server < events.firstResponse) {
            Objects.requireNonNull(pauses).signalled(server - events.firstSignal, now);
        } else if (server < events.firstTick) {
            receivers.responseArrives(server - events.firstResponse, now);
        } else if (server < events.scheduler) {
            tick(server - events.firstTick);
        } else if (server == events.scheduler) {
            workload.offerScheduled(now);
        } else if (server < events.firstTimer) {
            workload.offer(server - events.firstSource, now);
        } else if (server < events.firstNic) {
            senders.timer(server - events.firstTimer, now);
        } else if (server < events.firstWatchdog) {
            senders.transmit(server - events.firstNic, now);
        } else {
            Objects.requireNonNull(pauses).watchdog(server - events.firstWatchdog, now);
        }
    }

    /**
     * Events pending: one a server that has something to do, whether that is a link, a switch, a NIC, a source or the channel on which the
     * receiver of a flow answers; and one a flow whose sender waits. Never one a frame.
     *
     * @throws IllegalStateException if there are more than that: a defect of the simulator
     */
    int pendingEvents() {
        int pending = events.pending() + receivers.pendingEvents() + senders.pending();
        requireFewPending(pending, events.servers() + (state.separate ? flows.count() : 0), flows.count());
        return pending;
    }

    static void requireFewPending(int pending, int servers, int flows) {
        if (pending > servers + flows) {
            throw new IllegalStateException(
                    pending + " events are pending, more than servers (" + servers + ") + flows (" + flows + ")");
        }
    }

    private void checkLimits(long limit, BooleanSupplier deadlinePassed) {
        checkEvents(limit);
        checkDeadlock();
        pendingEvents();
        checkAbove = Math.min(limit, events.handled + DEADLINE_EVERY);
        if (deadlinePassed.getAsBoolean()) {
            throw new RunLimitException(
                    RunLimitException.Limit.WALL,
                    "the run takes longer than limits.wall ("
                            + scenario.measure().maxWallNs() / 1_000_000 + " ms); " + workload.measuredSettled + " of "
                            + workload.wanted
                            + " messages were done after " + events.handled + " events" + repeats());
        }
    }

    private void checkEvents(long limit) {
        if (events.handled > limit) {
            throw new RunLimitException(
                    RunLimitException.Limit.EVENTS,
                    "the run needs more than limits.events (" + limit + ") events; " + workload.measuredSettled + " of "
                            + workload.wanted + " messages were done at " + now / 1000 + " ns" + repeats());
        }
    }

    /** What recovery from loss has to do with a run that does not end. */
    private String repeats() {
        if (senders.retransmittedFrames == 0) {
            return "";
        }
        return ", " + senders.retransmittedFrames + " frames were sent again, after " + senders.timeouts
                + " timeouts, beside the " + workload.offeredFrames + " that were offered"
                + (senders.retransmittedFrames > workload.offeredFrames
                        ? ". Maybe what is sent again keeps the network overloaded: take transport.recovery selective, a window"
                                + " (transport.credits) or transport.sender dcqcn"
                        : "");
    }

    private void checkDeadlock() {
        if (pauses != null
                && scenario.flowControl().watchdogPs() == Long.MAX_VALUE
                && pauses.hops.isDeadlocked(switches)) {
            throw new RunFailedException(
                    RunFailedException.Reason.DEADLOCK,
                    "buffers wait for each other in a circle at " + now / 1000 + " ns; " + workload.measuredSettled
                            + " of " + workload.wanted
                            + " messages were done. Maybe choose routes without cycles, or a pfc.watchdog");
        }
    }

    // Switches.

    private void arriveAtSwitch(int end) {
        int packet = links.pop(end);
        events.schedule(end, links.nextArrivalPs(end));
        int sw = cabling.switchOf[end];
        if (members > 1) {
            copy(packet, sw, end);
        } else {
            enter(packet, sw, end, routes.port(sw, packet));
        }
    }

    /** A frame for several hosts arrives at a switch: a copy of it goes to each port by which any of them is reached. */
    private void copy(int packet, int sw, int end) {
        int flow = packets.flow[packet];
        int source = flows.source[flow];
        long hostsLeft = packets.wants[packet];
        // All ways are found before a copy joins a queue, for where queues stand may decide on them.
        for (long left = hostsLeft; left != 0; left &= left - 1) {
            int k = Long.numberOfTrailingZeros(left);
            egressOfMember[k] =
                    routes.port(sw, packet, source, scenario.traffic().member(source, flows.destination[flow], k));
        }
        while (hostsLeft != 0) {
            int egress = egressOfMember[Long.numberOfTrailingZeros(hostsLeft)];
            long here = 0;
            for (long left = hostsLeft; left != 0; left &= left - 1) {
                int k = Long.numberOfTrailingZeros(left);
                here |= egressOfMember[k] == egress ? 1L << k : 0;
            }
            hostsLeft ^= here;
            int copied = packet;
            if (hostsLeft != 0) {
                copied = packets.take(packets.wireBytes[packet], packets.payloadBytes[packet]);
                packets.kind[copied] = FrameKind.DATA;
                packets.priority[copied] = packets.priority[packet];
                packets.flow[copied] = flow;
                packets.psn[copied] = packets.psn[packet];
                packets.message[copied] = packets.message[packet];
                packets.sentPs[copied] = packets.sentPs[packet];
                packets.marked[copied] = packets.marked[packet];
            }
            packets.wants[copied] = here;
            enter(copied, sw, end, egress);
        }
    }

    private void enter(int packet, int sw, int end, int egress) {
        int wire = packets.wireBytes[packet];
        boolean admitted = switches[sw].forward(cabling.portOf[end], egress, wire, packet, now);
        if (admitted) {
            if (pauses != null
                    && pauses.arrived(end, state.groupOf(packets.priority[packet]), wire, now)
                    && cabling.peer[end] >= hosts
                    && pauses.hops.hasPauses()) {
                checkDeadlock();
            }
            scheduleTick(sw);
        }
        if (cabling.peer[cabling.end(sw, egress)] == busiestEgress) {
            recorder.bottleneckArrival(now);
        }
        if (!admitted) {
            drop(packet, end);
        }
    }

    private void scheduleTick(int sw) {
        events.scheduleTick(sw, switches[sw].nextTickPs());
    }

    private void drop(int packet, int end) {
        FlowControlSpec flowControl = scenario.flowControl();
        if (pauses != null && flowControl.watchdogPs() == Long.MAX_VALUE) {
            throw new RunFailedException(
                    RunFailedException.Reason.DROP_UNDER_FLOW_CONTROL,
                    "switch " + cabling.switchOf[end] + " dropped a frame that came in by port " + cabling.portOf[end]
                            + " at " + now / 1000
                            + " ns under flow_control.kind "
                            + (flowControl.kind() == FlowControlSpec.Kind.PFC
                                    ? "pfc: the headroom did not hold. Maybe raise pfc.headroom"
                                    : "credit"));
        }
        int flow = packets.flow[packet];
        if (packets.kind[packet] != FrameKind.DATA) {
            responsesDropped++;
            receivers.pending--;
            if (packets.kind[packet] == FrameKind.ACK && !recovers) {
                senders.returnWindow(flow, packets.psn[packet], now);
            }
            packets.free(packet);
            return;
        }
        int wire = packets.wireBytes[packet];
        int hostsMissed = Long.bitCount(packets.wants[packet]);
        droppedFrames += hostsMissed;
        hostsOfDrops += hostsMissed - 1;
        droppedBytes += (long) wire * hostsMissed;
        int message = packets.message[packet];
        packets.free(packet);
        if (!recovers) {
            receivers.lose(message, flow, hostsMissed, now);
            // Without recovery nobody else would ever give back what a lost frame holds of the window.
            senders.returnWindow(flow, wire, now);
        }
    }

    /** A switch matches and serves; each frame served is on its way to the next node. */
    private void tick(int sw) {
        Switch here = switches[sw];
        int served = here.tick(now);
        for (int k = 0; k < served; k++) {
            int packet = here.servedPacket(k);
            int end = cabling.end(sw, here.servedEgress(k));
            int link = cabling.peer[end];
            long arrival = here.servedFinishPs(k) + cabling.propagationPs[end];
            if (packets.kind[packet] == FrameKind.DATA && isHeld(packet)) {
                int message = packets.message[packet];
                if (messages.measured[message]) {
                    recorder.voqLeft(
                            messages.offerPs[message], now - packets.enqueuedPs[packet], messages.controlPs[message]);
                }
            }
            if (link == busiestEgress) {
                long serial = here.servedSerialPs(k);
                recorder.bottleneckService(here.servedStartPs(k), serial, Math.max(serial, slotPs));
            }
            if (pauses != null) {
                pauses.left(
                        cabling.end(sw, here.servedIngress(k)),
                        end,
                        state.groupOf(packets.priority[packet]),
                        packets.wireBytes[packet],
                        now);
            }
            if (link < hosts) {
                receivers.expect(link, packet, arrival);
            } else if (links.push(link, packet, arrival)) {
                events.schedule(link, arrival);
            }
        }
        if (pauses != null) {
            here.restIfClosed();
            pauses.ticked(sw, now);
        }
        scheduleTick(sw);
    }

    /** Whether the sender still holds the message of a data frame, so that its record is its own. */
    private boolean isHeld(int packet) {
        return !recovers || packets.psn[packet] >= flows.acked[packets.flow[packet]];
    }

    // The end.

    private RunResult result() {
        pendingEvents();
        // Counted where frames are, not by subtraction, so that the balance can fail.
        long[] unsent = flows.unsent();
        long[] sums = links.data();
        long queued = 0;
        for (Switch each : switches) {
            long[] here = each.queuedData();
            sums[0] += here[0];
            sums[1] += here[1];
            sums[2] += here[2];
            queued += each.queuedFrames();
            each.checkBalance(now);
        }
        long signals = pauses == null ? 0 : pauses.underWay();
        long found = links.frames() + queued + signals + receivers.underWay() + senders.waitingResponses();
        if (found != packets.inUse() || found - sums[2] - signals != receivers.pending) {
            throw new IllegalStateException("run does not balance: " + packets.inUse() + " packets in use, " + found
                    + " found, of which " + sums[2] + " carry data; " + receivers.pending + " responses under way");
        }
        RunTotals totals = new RunTotals(
                workload.offered,
                workload.delivered,
                workload.lost,
                workload.offered - workload.delivered - workload.lost,
                workload.offeredFrames,
                receivers.deliveredFrames,
                droppedFrames,
                unsent[0] * members + sums[0],
                workload.offeredBytes,
                receivers.deliveredBytes,
                droppedBytes,
                unsent[1] * members + sums[1],
                senders.retransmittedFrames,
                senders.retransmittedBytes,
                receivers.discardedFrames,
                receivers.discardedBytes,
                workload.measuredSettled,
                workload.measuredLost,
                events.handled,
                now);
        TransportCounters counters = new TransportCounters(
                receivers.acksSent,
                receivers.naksSent,
                receivers.cnpsSent,
                senders.cnpsReceived,
                responsesDropped,
                hostsOfDrops,
                senders.timeouts,
                senders.rateLimitedPs(now),
                pauses == null ? 0 : pauses.sent,
                pauses == null ? 0 : pauses.stoppedPs(now));
        workload.logNeverOffered();
        return recorder.finish(
                totals,
                counters,
                switchCounters(),
                workload.payloadOfPairs(),
                forwardedOfHosts(),
                linkUse(),
                workload.progress == null ? -1 : workload.progress.stragglerSpreadPs(),
                zeroLoadPs(),
                Recording.of(state.flowLog, series));
    }

    /** Latency of a message from the first host to the last that it can reach, in an idle network, in ps; 0 where sizes differ. */
    private long zeroLoadPs() {
        TrafficSpec traffic = scenario.traffic();
        if (!traffic.oneSize()) {
            return 0;
        }
        Topology topology = Topology.of(scenario);
        int far = hosts - 1;
        while (far > 0 && !topology.hasRoute(0, far)) {
            far--;
        }
        return topology.path(0, far).zeroLoadPs(traffic);
    }

    private LinkUse linkUse() {
        LinkUse.Builder use = new LinkUse.Builder();
        for (int end = hosts; end < cabling.ends(); end++) {
            if (cabling.peer[end] != Cabling.NONE) {
                switches[cabling.switchOf[end]].addUseOf(cabling.portOf[end], cabling.propagationPs[end], use);
            }
        }
        return use.build();
    }

    /** Those of all switches: sums, but for the peak, which is that of the fullest. */
    private @Nullable SwitchCounters switchCounters() {
        SwitchCounters all = null;
        for (Switch each : switches) {
            SwitchCounters here = each.counters();
            all = all == null ? here : all.plus(here);
        }
        return all;
    }

    /** Frames forwarded from the port of each host that sends. */
    private long[] forwardedOfHosts() {
        if (switches.length == 0) {
            return new long[0];
        }
        long[][] ofSwitch = new long[switches.length][];
        long[] forwarded = new long[scenario.traffic().flows()];
        for (int host = 0; host < forwarded.length; host++) {
            int end = cabling.peer[host];
            int sw = cabling.switchOf[end];
            if (ofSwitch[sw] == null) {
                ofSwitch[sw] = switches[sw].forwardedFramesOfIngress();
            }
            forwarded[host] = ofSwitch[sw][cabling.portOf[end]];
        }
        return forwarded;
    }
}
