package io.github.rhosweep.kernel;

import io.github.rhosweep.math.RandomStream;
import io.github.rhosweep.result.FlowLog;
import io.github.rhosweep.result.LinkUse;
import io.github.rhosweep.result.Recording;
import io.github.rhosweep.result.RunRecorder;
import io.github.rhosweep.result.RunResult;
import io.github.rhosweep.result.RunTotals;
import io.github.rhosweep.result.SeriesLog;
import io.github.rhosweep.result.SwitchCounters;
import io.github.rhosweep.result.TransportCounters;
import io.github.rhosweep.scenario.ArrivalProcess;
import io.github.rhosweep.scenario.ClosedPattern;
import io.github.rhosweep.scenario.DcqcnSpec;
import io.github.rhosweep.scenario.FlowControlSpec;
import io.github.rhosweep.scenario.Load;
import io.github.rhosweep.scenario.MeasureSpec;
import io.github.rhosweep.scenario.MessageSizes;
import io.github.rhosweep.scenario.Pattern;
import io.github.rhosweep.scenario.RoutingSpec;
import io.github.rhosweep.scenario.Scenario;
import io.github.rhosweep.scenario.Schedule;
import io.github.rhosweep.scenario.SwitchSpec;
import io.github.rhosweep.scenario.TopologySpec;
import io.github.rhosweep.scenario.TrafficSpec;
import io.github.rhosweep.scenario.TransportSpec;
import io.github.rhosweep.scenario.TransportSpec.Recovery;
import io.github.rhosweep.topology.Routing;
import io.github.rhosweep.topology.Topology;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One run of any fabric: switches and hosts as {@link Cabling} joins them, flows with windows, rates and recovery, responses, hop-by-hop
 * flow control. What {@link Simulation} does for one switch and plain senders this does too, with the same result and at a higher
 * price.
 *
 * <h2>Events</h2>
 *
 * Each server has at most one event pending, and servers are numbered so that at equal times the order is that of (class, node, port,
 * flow): frames that arrive at hosts and at ports of switches, pauses and credits that arrive at senders, responses that arrive at
 * hosts; ticks; sources, timers of hosts, NICs. A host's timers and responses are one server each, with its flows in the order of
 * (time, destination, queue pair).
 *
 * <p>Where ACKs change nothing when they arrive they have no event: they are taken, and counted as events, when the next one of their
 * flow is sent, or at the end. What DCQCN's timers do while nobody asks is made up for later ({@link Dcqcn}), and a retransmission timer that was put off
 * looks again when it would have expired first: so that neither costs an event for each frame.
 */
final class Fabric {
    private static final long DEADLINE_EVERY = 1L << 16;
    private static final int FIRST_CAPACITY = 1024;
    private static final int NO_HOST = -1;
    /** Timeouts in a row beyond which the time to wait does not double any more. */
    private static final int MOST_DOUBLINGS = 6;

    private static final byte DATA = 0;
    private static final byte ACK = 1;
    private static final byte NAK = 2;
    private static final byte CNP = 3;
    private static final byte STOP = 4;
    private static final byte GO = 5;
    private static final byte CREDIT = 6;

    /** In place of a message's number in the schedule. */
    private static final int NOT_SCHEDULED = -1;

    /** What a flow waits for. */
    private static final byte IDLE = 0;

    private static final byte READY = 1;
    private static final byte LIMITED = 2;

    private final Scenario scenario;
    private final TrafficSpec traffic;
    private final TransportSpec transport;
    private final ControlVariate control;
    private final Cabling cabling;
    private final RunRecorder recorder;
    private final long runSeed;

    private final PacketPool packets = new PacketPool(FIRST_CAPACITY);
    private final MessagePool messages = new MessagePool(FIRST_CAPACITY);
    private final Flows flows;
    /** Queue pairs of a connection of each tenant. */
    private final int qps;

    private final int tenants;
    final @Nullable Dcqcn dcqcn;
    private final Recovery recovery;
    private final boolean recovers;
    private final long window;
    private final long cnpIntervalPs;
    private final boolean separate;
    /** Whether ACKs change nothing when they arrive: then they have no events, and are taken when it is convenient. */
    private final boolean unheeded;

    private final int responseBytes;
    private final SwitchSpec.PriorityClasses priorities;

    /** All switches, for whoever looks at a run from outside. */
    final Switch[] switches;

    private final @Nullable HopControl hops;
    /** Classes that flow control stops each by itself; 1 if it stops a port. */
    private final int groups;

    private final boolean pfc;
    private final boolean credits;
    private final long watchdogPs;
    private final LinkBank links;
    private final LinkBank signals;

    // Servers.
    private final EventQueue events;
    private final int firstSignal;
    private final int firstResponse;
    private final int firstTick;
    private final int scheduler;
    private final int firstSource;
    private final int firstTimer;
    private final int firstNic;
    private final int firstWatchdog;

    // Hosts.
    private final int hosts;
    private final boolean unlimited;
    private final SerialisationTimes nicSerialisation;
    private final long[] nicFreePs;
    /** A row per host: numbers of its flows that may send now. */
    private final PortSets ready;

    private final int[] readyFlows;
    private final int[] limitedFlows;
    /** Since when a NIC is free and only rates hold frames back, in ps; negative: it is not so. */
    private final long[] limitedSincePs;

    private final int[] turn;
    private byte[] state = {};
    private final FlowHeaps timers;
    private final FlowHeaps responses;
    /** Per host: responses that wait for the NIC. */
    private final int[] firstWaiting;

    private final int[] lastWaiting;
    private final @Nullable ArrivalProcess.Source[] sources;
    private final RandomStream[] destinations;
    private final RandomStream[] sizes;
    private final @Nullable RandomStream[] classes;
    /** Per pair of hosts: messages offered, and payload delivered. */
    private final int[] offeredOfPair;

    private final long[] payloadOfPair;

    /** Per end that sends: what flow control stops, a bit each group. */
    private final int[] stopped;

    /** Per end and group: since when, in ps. */
    private final long[] stoppedSincePs;

    private final @Nullable FlowLog flowLog;
    private final @Nullable SeriesLog series;

    private final @Nullable Schedule schedule;
    private final @Nullable ScheduleProgress progress;
    /** Messages of the schedule that were released and are to be offered, by (time, number). */
    private final FlowHeaps due = new FlowHeaps(1);

    // What the hot methods need, out of records and interfaces.
    private final Pattern pattern;
    /** What a source offers by the arrival process, in bytes; 0 if none does. */
    private final long offeredPayload;

    private final int headerBytes;
    /** Hosts that a message goes to; a frame counts once for each of them. */
    private final int members;

    private final int[] egressOfMember;
    private final long slotPs;
    private final int busiestEgress;
    private final long wanted;
    private final boolean finite;
    private final int[] ways;
    private final long[] queuedOfWays;
    private final RoutingSpec.Kind routing;
    private final long adaptiveMin;

    /** The host whose timer is being handled: what that schedules is put into the queue once, at its end. */
    private int timed = NO_HOST;

    private long now;
    private long handled;
    /** Count of events above which the limits are looked at again. */
    private long checkAbove;
    /** Key of the next tick of the only switch: with one switch it does not go through the queue, because it changes with every frame. */
    private long soleTickKey = EventQueue.NEVER;

    private int pendingResponses;
    private long offered;
    private long measuredOffered;
    private long delivered;
    private long lost;
    private long measuredLost;
    private long measuredSettled;
    private long offeredFrames;
    private long offeredBytes;
    private long deliveredFrames;
    private long deliveredBytes;
    private long droppedFrames;
    private long droppedBytes;
    private long retransmittedFrames;
    private long retransmittedBytes;
    private long discardedFrames;
    private long discardedBytes;
    private long acksSent;
    private long naksSent;
    private long cnpsSent;
    private long cnpsReceived;
    /** When the first notification arrived, in ps. */
    long firstCutPs;

    private long responsesDropped;
    private long hostsOfDrops;
    private long timeouts;
    private long rateLimitedPs;
    private long pausesSent;
    private long stoppedPs;

    /** Whether a scenario needs more than one switch with plain senders. */
    static boolean isNeededFor(Scenario scenario) {
        return !scenario.transport().isPlain()
                || scenario.flowControl().kind() != FlowControlSpec.Kind.LOSSY
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
        this.scenario = scenario;
        this.traffic = scenario.traffic();
        this.transport = scenario.transport();
        this.control = control;
        this.cabling = cabling;
        this.recorder = recorder;
        this.runSeed = runSeed;
        this.hosts = cabling.hosts;
        this.routing = scenario.routing().kind();
        this.recovery = transport.recovery();
        this.recovers = recovery != Recovery.NONE;
        this.window = transport.creditBytes() == 0 ? Long.MAX_VALUE : transport.creditBytes();
        this.separate = transport.responseChannel() == TransportSpec.ResponseChannel.SEPARATE;
        this.unheeded = separate && !recovers && window == Long.MAX_VALUE;
        this.responseBytes = transport.responseBytes();
        SwitchSpec spec = scenario.switchSpec();
        this.priorities = spec == null ? SwitchSpec.PriorityClasses.TWO : spec.priorityClasses();
        this.qps = transport.qpsPerConnection();
        this.tenants = traffic.pattern() instanceof ClosedPattern closed ? closed.tenants() : 1;
        this.flows =
                new Flows(hosts, priorities.ofData(), Math.multiplyExact(qps, tenants), traffic, messages, recovers);
        DcqcnSpec rates = transport.dcqcn();
        this.dcqcn = rates == null
                ? null
                : new Dcqcn(rates, scenario.link().bandwidthGbPerS().doubleValue());
        this.cnpIntervalPs = rates == null ? 0 : rates.cnpIntervalPs();

        this.pattern = traffic.pattern();
        this.headerBytes = traffic.headerBytes();
        this.members = traffic.multicast();
        this.egressOfMember = new int[members];
        FlowControlSpec flowControl = scenario.flowControl();
        this.pfc = flowControl.kind() == FlowControlSpec.Kind.PFC;
        this.credits = flowControl.kind() == FlowControlSpec.Kind.CREDIT;
        this.watchdogPs = flowControl.watchdogPs();
        this.hops = pfc || credits
                ? new HopControl(
                        flowControl,
                        Objects.requireNonNull(spec),
                        cabling,
                        Math.max(traffic.fullFrameWireBytes(), transport.responseBytes()))
                : null;
        this.groups = hops == null ? 1 : hops.groups;
        this.switches = new Switch[cabling.switches];
        for (int s = 0; s < switches.length; s++) {
            switches[s] = newSwitch(Objects.requireNonNull(spec), s);
        }
        this.slotPs = spec == null ? 0 : spec.slotPs();
        int ends = cabling.ends();
        this.links = new LinkBank(ends, packets);
        this.signals = new LinkBank(hops == null ? 0 : ends, packets);

        this.firstSignal = ends;
        this.firstResponse = firstSignal + (hops == null ? 0 : ends);
        this.firstTick = firstResponse + hosts;
        this.scheduler = firstTick + cabling.switches;
        this.firstSource = scheduler + 1;
        this.firstTimer = firstSource + hosts;
        this.firstNic = firstTimer + hosts;
        this.firstWatchdog = firstNic + hosts;
        this.events = new EventQueue(firstWatchdog + (watchdogPs == Long.MAX_VALUE ? 0 : ends * groups));

        this.unlimited = scenario.link().unlimited();
        this.nicSerialisation = new SerialisationTimes(
                unlimited ? java.math.BigDecimal.ONE : scenario.link().bandwidthGbPerS());
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
        this.responses = new FlowHeaps(hosts);
        this.firstWaiting = new int[hosts];
        this.lastWaiting = new int[hosts];
        Arrays.fill(firstWaiting, PacketPool.NONE);
        this.sources = new ArrivalProcess.Source[hosts];
        this.destinations = new RandomStream[hosts];
        this.sizes = new RandomStream[hosts];
        this.classes = new RandomStream[hosts];
        if (traffic.rspShare() + traffic.restShare() > 0) {
            Arrays.setAll(classes, host -> RandomStream.named(runSeed, "classes", host));
        }
        this.offeredOfPair = new int[Math.multiplyExact(hosts, hosts)];
        this.payloadOfPair = new long[hosts * hosts];
        this.stopped = new int[ends];
        this.stoppedSincePs = new long[ends * groups];

        this.busiestEgress = traffic.pattern().busiestEgress(traffic.flows());
        this.progress = schedule == null ? null : new ScheduleProgress(schedule, hosts);
        this.schedule = schedule;
        this.flowLog = scenario.record().flows() ? new FlowLog() : null;
        this.series =
                scenario.record().series() ? new SeriesLog(scenario.record().seriesIntervalPs()) : null;
        this.wanted = schedule == null ? scenario.measure().messages() : schedule.foreground();
        this.finite = scenario.measure().kind() == MeasureSpec.Kind.FINITE;
        this.ways = new int[cabling.mostPorts];
        this.queuedOfWays = new long[cabling.mostPorts];
        this.adaptiveMin = scenario.routing().adaptiveMinBytes();
        this.offeredPayload = traffic.offeredBytes();
        if (offeredPayload > 0 && (schedule == null || pattern instanceof ClosedPattern)) {
            startSources();
        }
        if (schedule != null) {
            for (int m = 0; m < schedule.size(); m++) {
                due.add(m, m);
            }
            events.schedule(scheduler, nextScheduledPs());
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

    /** How far the schedule is; null without one. */
    @Nullable
    ScheduleProgress progress() {
        return progress;
    }

    private Switch newSwitch(SwitchSpec spec, int number) {
        long seed = RandomStream.named(runSeed, "switch", number).nextLong();
        return new Switch(
                spec,
                seed == 0 ? SwitchSpec.DEFAULT_RNG_SEED : seed,
                packets,
                cabling.bandwidths(number, spec.portCount()),
                hops != null,
                groups > 1,
                routing == RoutingSpec.Kind.ADAPTIVE);
    }

    private void startSources() {
        double gapPs = Load.of(scenario).meanGapPs();
        for (int host = 0; host < pattern.sources(traffic.flows()); host++) {
            destinations[host] = RandomStream.named(runSeed, "destinations", host);
            sizes[host] = RandomStream.named(runSeed, "sizes", host);
            ArrivalProcess.Source source =
                    traffic.arrivals().start(gapPs, slotPs, RandomStream.named(runSeed, "arrivals", host));
            sources[host] = source;
            events.schedule(firstSource + host, source.nextPs());
        }
    }

    /**
     * Runs to the end.
     *
     * @throws RunLimitException if it needs more events than {@code limits.events}, or the deadline has passed
     * @throws RunFailedException if flow control drops a frame, or buffers wait for each other in a circle
     * @throws IllegalStateException if it does not balance: a defect of the simulator
     */
    RunResult toEnd(BooleanSupplier deadlinePassed) {
        recorder.start(scenario, control.meanPs());
        long limit = scenario.measure().maxEvents();
        checkAbove = Math.min(limit, DEADLINE_EVERY);
        while (!isDone()) {
            long key = events.nextKey();
            boolean isTick = soleTickKey < key;
            if (isTick) {
                key = soleTickKey;
            } else if (key == EventQueue.NEVER) {
                break;
            }
            long time = events.timeOfKey(key);
            if (series != null) {
                sampleUntil(series, time);
            }
            now = time;
            if (isTick) {
                tick(0);
            } else {
                handle(events.nextServer());
            }
            if (++handled > checkAbove) {
                checkLimits(limit, deadlinePassed);
            }
        }
        // A run ends with the fate of a frame, before the responses of that very moment arrive.
        for (int flow = 0; flow < flows.count(); flow++) {
            takeUnheeded(flow);
        }
        checkEvents(limit);
        if (!isDone()) {
            checkDeadlock();
        }
        if (!isDone()) {
            throw new IllegalStateException(
                    "nothing is left to happen, but only " + measuredSettled + " of " + wanted + " messages are done");
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
            if (dcqcn != null) {
                for (int flow = 0; flow < flows.count(); flow++) {
                    // What is due at this very time may yet be overtaken by a notification.
                    dcqcn.catchUp(flow, at - 1);
                    int number = flow;
                    log.add(SeriesKeys.rate(flow), "rate_gb_per_s", dcqcn.rate(flow), () -> name(number));
                }
            }
            if (hops != null) {
                long stops = 0;
                for (int each : stopped) {
                    stops += each == 0 ? 0 : 1;
                }
                log.add(SeriesKeys.STOPPED, "stopped_senders", (double) stops, () -> "fabric");
                log.add(SeriesKeys.PAUSES, "pauses_sent", (double) pausesSent, () -> "fabric");
            }
            log.sampled();
        }
    }

    private String name(int flow) {
        return "flow " + flows.source[flow] + "->" + flows.destination[flow]
                + (flows.perHost() == hosts ? "" : " qp " + flows.qp(flow));
    }

    private boolean isDone() {
        // A finite run whose messages have all settled ends there: what is under way are answers and frames sent twice.
        return measuredSettled >= wanted || measuredLost > 0 && isStuck();
    }

    /** Whether all that was offered of a schedule has settled, and what is left waits for lost messages. */
    private boolean isStuck() {
        return schedule != null && measuredSettled == measuredOffered && nextScheduledPs() == EventQueue.NEVER;
    }

    private void handle(int server) {
        if (server < firstSignal) {
            if (server < hosts) {
                arriveAtHost(server);
            } else {
                arriveAtSwitch(server);
            }
        } else if (server < firstResponse) {
            signalled(server - firstSignal);
        } else if (server < firstTick) {
            responseArrives(server - firstResponse);
        } else if (server < scheduler) {
            tick(server - firstTick);
        } else if (server == scheduler) {
            offerScheduled(Objects.requireNonNull(schedule), Objects.requireNonNull(progress));
        } else if (server < firstTimer) {
            offer(server - firstSource);
        } else if (server < firstNic) {
            timer(server - firstTimer);
        } else if (server < firstWatchdog) {
            transmit(server - firstNic);
        } else {
            watchdog(server - firstWatchdog);
        }
    }

    /**
     * Events pending: one a server that has something to do, whether that is a link, a switch, a NIC, a source or the channel on which the
     * receiver of a flow answers; and one a flow whose sender waits. Never one a frame.
     *
     * @throws IllegalStateException if there are more than that: a defect of the simulator
     */
    int pendingEvents() {
        int ticks = soleTickKey == EventQueue.NEVER ? 0 : 1;
        int pending = events.pending() + ticks + responses.size() + timers.size();
        requireFewPending(pending, events.servers() + (separate ? flows.count() : 0), flows.count());
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
        checkAbove = Math.min(limit, handled + DEADLINE_EVERY);
        if (deadlinePassed.getAsBoolean()) {
            throw new RunLimitException(
                    "the run takes longer than limits.wall ("
                            + scenario.measure().maxWallNs() / 1_000_000 + " ms); " + measuredSettled + " of " + wanted
                            + " messages were done after " + handled + " events",
                    false);
        }
    }

    private void checkEvents(long limit) {
        if (handled > limit) {
            throw new RunLimitException(
                    "the run needs more than limits.events (" + limit + ") events; " + measuredSettled + " of " + wanted
                            + " messages were done at " + now / 1000 + " ns",
                    true);
        }
    }

    private void checkDeadlock() {
        if (hops != null && watchdogPs == Long.MAX_VALUE && hops.isDeadlocked(switches)) {
            throw new RunFailedException(
                    RunFailedException.Reason.DEADLOCK,
                    "buffers wait for each other in a circle at " + now / 1000 + " ns; " + measuredSettled + " of "
                            + wanted + " messages were done. Maybe choose routes without cycles, or a pfc.watchdog");
        }
    }

    // Hosts, sending.

    /** A source offers a message. */
    private void offer(int host) {
        int destination = pattern.destination(host, traffic.flows(), destinations[host]);
        MessageSizes drawn = traffic.sizes();
        long payload = drawn == null ? offeredPayload : drawn.quantile(sizes[host].nextDouble());
        offer(host, destination, payload, NOT_SCHEDULED);
        events.schedule(
                firstSource + host, Objects.requireNonNull(sources[host]).nextPs());
        if (finite && schedule == null && offered >= wanted) {
            for (int source = 0; source < pattern.sources(traffic.flows()); source++) {
                events.schedule(firstSource + source, EventQueue.NEVER);
            }
        }
    }

    private long nextScheduledPs() {
        return Math.min(Objects.requireNonNull(progress).nextStartPs(), due.firstPs(0));
    }

    private void offerScheduled(Schedule plan, ScheduleProgress at) {
        while (at.nextStartPs() <= now) {
            due.set(0, at.takeStart(), now);
        }
        while (due.firstPs(0) <= now) {
            int m = due.first(0);
            due.set(0, m, EventQueue.NEVER);
            offer(plan.source(m), plan.destination(m), plan.bytes(m), m);
        }
        events.schedule(scheduler, nextScheduledPs());
    }

    /** @param scheduled number of the message in the schedule */
    private void offer(int host, int destination, long payload, int scheduled) {
        int frames = Math.toIntExact((payload + traffic.framePayloadBytes() - 1) / traffic.framePayloadBytes());
        int message = messages.take(frames);
        messages.unsettled[message] = Math.multiplyExact(frames, members);
        messages.scheduled[message] = scheduled;
        messages.frames[message] = frames;
        messages.payloadBytes[message] = payload;
        messages.offerPs[message] = now;
        messages.controlPs[message] = control.observePs(now, destination, frames);
        messages.source[message] = host;
        messages.destination[message] = destination;
        boolean measured = schedule == null
                ? measuredOffered < wanted
                : scheduled != NOT_SCHEDULED && schedule.tenant(scheduled) == Schedule.FOREGROUND;
        messages.measured[message] = measured;
        if (flowLog != null && measured) {
            long id = schedule == null ? measuredOffered + 1 : traffic.idOf(scheduled);
            messages.logged[message] = flowLog.offered(id, host, destination, payload, now);
        }
        if (measured && ++measuredOffered == wanted) {
            recorder.lastMeasuredOffer(now);
        }
        int pair = host * hosts + destination;
        int qp = qps == 1 ? 0 : offeredOfPair[pair] % qps;
        if (tenants > 1) {
            // The open background is the last tenant.
            qp += qps
                    * (scheduled == NOT_SCHEDULED
                            ? tenants - 1
                            : Objects.requireNonNull(schedule).tenant(scheduled));
        }
        offeredOfPair[pair]++;
        offered++;
        offeredFrames += (long) frames * members;
        offeredBytes += (payload + (long) frames * headerBytes) * members;
        int flow = flow(host, destination, classOfData(host, measured), qp);
        flows.push(flow, message);
        refresh(flow);
    }

    /** The class of a message that is being offered; background tenants of a schedule have the lowest. */
    private int classOfData(int host, boolean measured) {
        int highest = priorities.ofData() - 1;
        if (highest == 0) {
            return 0;
        }
        if (schedule != null && !measured) {
            return 0;
        }
        RandomStream random = classes[host];
        double drawn = random == null ? 1 : random.nextDouble();
        return drawn < traffic.restShare() ? 0 : drawn < traffic.restShare() + traffic.rspShare() ? 1 : highest;
    }

    private int flow(int source, int destination, int classOfData, int qp) {
        int before = flows.count();
        int flow = flows.of(source, destination, classOfData, qp);
        if (flows.count() > before) {
            if (flow >= state.length) {
                state = Arrays.copyOf(state, Math.max(16, 2 * flow));
            }
            timers.add(flow, flows.local[flow]);
            responses.add(flow, flows.local[flow]);
            if (dcqcn != null) {
                dcqcn.add(flow);
            }
            if (separate && (transport.acks() || dcqcn != null)) {
                flows.responseDelayPs[flow] = responseDelayPs(flow);
            }
        }
        return flow;
    }

    /** Time of a response on its own channel: serialisation, forwarding and propagation of each hop, back by the way of ECMP. */
    private long responseDelayPs(int flow) {
        int wire = transport.responseBytes();
        int end = flows.destination[flow];
        long delay = nicSerialPs(wire);
        while (true) {
            delay += cabling.propagationPs[end];
            int at = cabling.peer[end];
            if (at < hosts) {
                return delay;
            }
            int sw = cabling.switchOf[at];
            int choices = cabling.ways.find(sw, flows.source[flow], ways);
            requireRoute(choices, flows.destination[flow], flows.source[flow]);
            end = cabling.end(sw, ways[ecmp(sw, flows.destination[flow], flows.source[flow], flows.qp(flow), choices)]);
            delay += Objects.requireNonNull(scenario.switchSpec()).forwardingPs()
                    + SwitchSpec.serialisationPs(wire, cabling.bandwidth[end]);
        }
    }

    private static void requireRoute(int choices, int source, int destination) {
        if (choices == 0) {
            throw new IllegalStateException("no route from host " + source + " to host " + destination);
        }
    }

    private int ecmp(int sw, int source, int destination, int qp, int choices) {
        return choices == 1 ? 0 : Routing.ecmp(Routing.ecmpHash(runSeed, source, destination, qp, hosts + sw), choices);
    }

    private long nicSerialPs(int wire) {
        return unlimited ? 0 : nicSerialisation.ps(wire);
    }

    /** Finds out whether a flow may send now, and sees to it that it will be looked at when that changes. */
    private void refresh(int flow) {
        int host = flows.source[flow];
        byte before = state[flow];
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
            state[flow] = after;
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
            bookLimit(host);
        }
        if (after == READY) {
            wakeNic(host);
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
            events.schedule(firstTimer + host, timers.firstPs(host));
        }
    }

    /** Keeps the books on how long a NIC was free while rates alone held frames back. */
    private void bookLimit(int host) {
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

    private void wakeNic(int host) {
        int nic = firstNic + host;
        if (host != timed && events.timeOf(nic) == EventQueue.NEVER && (stopped[host] == 0 || mayTransmit(host))) {
            events.schedule(nic, Math.max(now, nicFreePs[host]));
        }
    }

    /** Whether a NIC has anything that flow control does not stop. */
    private boolean mayTransmit(int host) {
        int stops = stopped[host];
        if (stops == 0 || groups == 1) {
            return stops == 0 && (readyFlows[host] > 0 || firstWaiting[host] != PacketPool.NONE);
        }
        return firstWaiting[host] != PacketPool.NONE && mayRespond(host) || nextReady(host) >= 0;
    }

    /** Whether flow control lets a NIC send responses. */
    private boolean mayRespond(int host) {
        return (stopped[host] >>> groupOf(priorities.control()) & 1) == 0;
    }

    /** The number at its host of the flow whose turn it is to send; -1 if none may. */
    private int nextReady(int host) {
        int number = ready.firstFrom(host, turn[host]);
        int stops = stopped[host];
        for (int left = readyFlows[host]; stops != 0 && left > 0; left--) {
            if ((stops >>> groupOf(flows.classOf(flows.at(host, number))) & 1) == 0) {
                return number;
            }
            number = ready.firstFrom(host, number + 1 == flows.perHost() ? 0 : number + 1);
        }
        return stops == 0 ? number : -1;
    }

    /** What flow control stops together with a class. */
    private int groupOf(int classOfFrames) {
        return groups == 1 ? 0 : classOfFrames;
    }

    /** A timer of a host's flow: a rate that may have risen, a frame that its rate lets go, or an answer that did not come. */
    private void timer(int host) {
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
                    restartTimeout(flow);
                }
                flows.armedPs[flow] = flows.deadlinePs[flow];
            }
        }
        refresh(flow);
        if (state[flow] == READY
                && nicFreePs[host] <= now
                && timers.firstPs(host) > now
                && events.timeOf(firstNic + host) == EventQueue.NEVER
                && mayTransmit(host)) {
            // The NIC's event would be at this time too, and nothing that may come before it concerns this host.
            handled++;
            transmit(host);
        }
        timed = NO_HOST;
        if (state[flow] == READY) {
            wakeNic(host);
        }
        if (events.timeOf(firstTimer + host) != timers.firstPs(host)) {
            events.schedule(firstTimer + host, timers.firstPs(host));
        }
    }

    private void restartTimeout(int flow) {
        flows.deadlinePs[flow] = Math.addExact(now, transport.rtoPs() << flows.backoff[flow]);
    }

    /** A NIC is free and holds something: it begins to transmit the next frame, a response before data. */
    private void transmit(int host) {
        int nic = firstNic + host;
        if (firstWaiting[host] != PacketPool.NONE && mayRespond(host)) {
            int packet = firstWaiting[host];
            firstWaiting[host] = packets.next[packet];
            put(host, packet);
        } else if (unlimited) {
            // Everything leaves at once: in the order of flows, and of frames within each.
            while (readyFlows[host] > 0) {
                send(host, flows.at(host, ready.firstFrom(host, 0)));
            }
        } else if (readyFlows[host] > 0) {
            int number = nextReady(host);
            if (number >= 0) {
                turn[host] = number + 1 == flows.perHost() ? 0 : number + 1;
                send(host, flows.at(host, number));
            }
        }
        bookLimit(host);
        long next = mayTransmit(host) ? nicFreePs[host] : EventQueue.NEVER;
        if (next != events.timeOf(nic)) {
            events.schedule(nic, next);
        }
    }

    /** Sends the next frame of a flow. */
    private void send(int host, int flow) {
        long psn = flows.peek(flow);
        int message = flows.messageOf(flow, psn);
        int payload = flows.payload(message, psn);
        int wire = payload + headerBytes;
        boolean again = flows.wasSent(flow, psn);
        if (recovers) {
            if (!flows.awaitsAck(flow)) {
                flows.backoff[flow] = 0;
                restartTimeout(flow);
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
        packets.kind[packet] = DATA;
        packets.priority[packet] = (byte) flows.classOf(flow);
        packets.flow[packet] = flow;
        packets.psn[packet] = psn;
        packets.message[packet] = message;
        packets.sentPs[packet] = now;
        packets.wants[packet] = -1L >>> 64 - members;
        if (dcqcn != null) {
            dcqcn.catchUp(flow, now);
            dcqcn.sent(flow, wire);
        }
        if (messages.measured[message] && !unlimited && !again) {
            recorder.sourceLeft(messages.offerPs[message], now - messages.offerPs[message]);
        }
        put(host, packet);
        refresh(flow);
    }

    /** Puts a frame on a host's link; its NIC is busy until it has left. */
    private void put(int host, int packet) {
        int wire = packets.wireBytes[packet];
        long serial = nicSerialPs(wire);
        int link = cabling.peer[host];
        long arrival = now + serial + cabling.propagationPs[host];
        nicFreePs[host] = now + serial;
        if (link < hosts) {
            if (link == busiestEgress) {
                recorder.bottleneckArrival(now);
                recorder.bottleneckService(now, serial, serial);
            }
        } else if (credits && Objects.requireNonNull(hops).spend(link, wire)) {
            stop(host, 0);
        }
        if (links.push(link, packet, arrival)) {
            events.schedule(link, arrival);
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
            enter(packet, sw, end, route(sw, packet));
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
            egressOfMember[k] = route(sw, packet, source, traffic.member(source, flows.destination[flow], k));
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
                packets.kind[copied] = DATA;
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
        Switch here = switches[sw];
        int wire = packets.wireBytes[packet];
        if (here.forward(cabling.portOf[end], egress, wire, packet, now)) {
            if (hops != null && hops.arrived(end, groupOf(packets.priority[packet]), wire)) {
                pausesSent++;
                signal(end, STOP, 0, groupOf(packets.priority[packet]));
                if (cabling.peer[end] >= hosts && hops.hasPauses()) {
                    checkDeadlock();
                }
            }
            scheduleTick(sw);
            if (cabling.peer[cabling.end(sw, egress)] == busiestEgress) {
                recorder.bottleneckArrival(now);
            }
        } else {
            if (cabling.peer[cabling.end(sw, egress)] == busiestEgress) {
                recorder.bottleneckArrival(now);
            }
            drop(packet, end);
        }
    }

    private void scheduleTick(int sw) {
        if (switches.length == 1) {
            soleTickKey = events.keyOf(firstTick, switches[0].nextTickPs());
        } else if (events.timeOf(firstTick + sw) != switches[sw].nextTickPs()) {
            events.schedule(firstTick + sw, switches[sw].nextTickPs());
        }
    }

    /** The port by which a frame leaves a switch. */
    private int route(int sw, int packet) {
        int flow = packets.flow[packet];
        boolean data = packets.kind[packet] == DATA;
        return data
                ? route(sw, packet, flows.source[flow], flows.destination[flow])
                : route(sw, packet, flows.destination[flow], flows.source[flow]);
    }

    private int route(int sw, int packet, int from, int to) {
        int choices = cabling.ways.find(sw, to, ways);
        if (choices == 1) {
            return ways[0];
        }
        requireRoute(choices, from, to);
        int flow = packets.flow[packet];
        boolean data = packets.kind[packet] == DATA;
        // Hosts of one message share the way as long as they can: its hash is that of the first of them.
        int start = ecmp(sw, from, data ? flows.destination[flow] : to, flows.qp(flow), choices);
        if (routing == RoutingSpec.Kind.SPRAY) {
            // A switch sees the frames of a flow in the order in which they were sent, or nearly so.
            return ways[Routing.spray(start, packets.psn[packet], choices)];
        }
        if (routing == RoutingSpec.Kind.ADAPTIVE
                && data
                && messages.payloadBytes[packets.message[packet]] >= adaptiveMin) {
            for (int way = 0; way < choices; way++) {
                queuedOfWays[way] = switches[sw].queuedForEgress(ways[way]);
            }
            return ways[Routing.adaptive(queuedOfWays, start, choices)];
        }
        return ways[start];
    }

    private void drop(int packet, int end) {
        if (hops != null && watchdogPs == Long.MAX_VALUE) {
            throw new RunFailedException(
                    RunFailedException.Reason.DROP_UNDER_FLOW_CONTROL,
                    "switch " + cabling.switchOf[end] + " dropped a frame that came in by port " + cabling.portOf[end]
                            + " at " + now / 1000
                            + " ns under flow_control.kind "
                            + (pfc ? "pfc: the headroom did not hold. Maybe raise pfc.headroom" : "credit"));
        }
        int flow = packets.flow[packet];
        if (packets.kind[packet] != DATA) {
            responsesDropped++;
            pendingResponses--;
            if (packets.kind[packet] == ACK && !recovers) {
                returnWindow(flow, packets.psn[packet]);
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
        if (recovers) {
            return;
        }
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
        settleFrame(message, flow, hostsMissed);
        // Without recovery nobody else would ever give back what a lost frame holds of the window.
        returnWindow(flow, wire);
    }

    private void returnWindow(int flow, long bytes) {
        if (window != Long.MAX_VALUE) {
            flows.outstandingBytes[flow] -= bytes;
            refresh(flow);
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
            int wire = packets.wireBytes[packet];
            long arrival = here.servedFinishPs(k) + cabling.propagationPs[end];
            if (packets.kind[packet] == DATA && isHeld(packet)) {
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
            if (hops != null) {
                leaves(cabling.end(sw, here.servedIngress(k)), end, groupOf(packets.priority[packet]), wire);
            }
            if (links.push(link, packet, arrival)) {
                events.schedule(link, arrival);
            }
        }
        if (hops != null) {
            here.restIfClosed();
            if (pfc) {
                for (int at; (at = hops.nextToResume(sw)) >= 0; ) {
                    signal(at / groups, GO, 0, at % groups);
                }
            }
        }
        scheduleTick(sw);
    }

    /** Whether the sender still holds the message of a data frame, so that its record is its own. */
    private boolean isHeld(int packet) {
        return !recovers || packets.psn[packet] >= flows.acked[packets.flow[packet]];
    }

    // Flow control between neighbours.

    private void leaves(int ingress, int egress, int group, int wire) {
        HopControl control = Objects.requireNonNull(hops);
        control.left(ingress, group, wire);
        if (credits) {
            signal(ingress, CREDIT, wire, 0);
            int link = cabling.peer[egress];
            if (link >= hosts && control.spend(link, wire)) {
                stop(egress, 0);
            }
        }
    }

    /** An ingress sends word to its upstream. */
    private void signal(int ingress, byte kind, int bytes, int group) {
        int packet = packets.take(bytes, 0);
        packets.kind[packet] = kind;
        packets.priority[packet] = (byte) group;
        long arrival = now
                + SwitchSpec.serialisationPs(FlowControlSpec.PAUSE_BYTES, cabling.bandwidth[ingress])
                + cabling.propagationPs[ingress];
        if (signals.push(ingress, packet, arrival)) {
            events.schedule(firstSignal + ingress, arrival);
        }
    }

    /** Word of an ingress has come to the end that sends to it. */
    private void signalled(int ingress) {
        int packet = signals.pop(ingress);
        events.schedule(firstSignal + ingress, signals.nextArrivalPs(ingress));
        byte kind = packets.kind[packet];
        int bytes = packets.wireBytes[packet];
        int group = packets.priority[packet];
        packets.free(packet);
        int sender = cabling.peer[ingress];
        int watched = firstWatchdog + sender * groups + group;
        if (kind == STOP) {
            stop(sender, group);
            if (watchdogPs != Long.MAX_VALUE) {
                events.schedule(watched, now + watchdogPs);
            }
        } else if (kind == GO) {
            if (watchdogPs != Long.MAX_VALUE) {
                events.schedule(watched, EventQueue.NEVER);
            }
            go(sender, group);
        } else if (Objects.requireNonNull(hops).earn(ingress, bytes)) {
            go(sender, group);
        }
    }

    private void stop(int sender, int group) {
        if ((stopped[sender] >>> group & 1) != 0) {
            return;
        }
        stopped[sender] |= 1 << group;
        stoppedSincePs[sender * groups + group] = now;
        if (sender < hosts) {
            if (!mayTransmit(sender)) {
                events.schedule(firstNic + sender, EventQueue.NEVER);
            }
        } else {
            int sw = cabling.switchOf[sender];
            if (groups == 1) {
                switches[sw].close(cabling.portOf[sender]);
            } else {
                switches[sw].close(cabling.portOf[sender], group);
            }
            scheduleTick(sw);
        }
    }

    private void go(int sender, int group) {
        if ((stopped[sender] >>> group & 1) == 0) {
            return;
        }
        stopped[sender] &= ~(1 << group);
        stoppedPs += now - stoppedSincePs[sender * groups + group];
        if (sender < hosts) {
            if (mayTransmit(sender)) {
                wakeNic(sender);
            }
        } else {
            int sw = cabling.switchOf[sender];
            if (groups == 1) {
                switches[sw].open(cabling.portOf[sender], now);
            } else {
                switches[sw].open(cabling.portOf[sender], group, now);
            }
            scheduleTick(sw);
        }
    }

    /** A sender was paused for too long: it goes on as if it had not been. */
    private void watchdog(int number) {
        events.schedule(firstWatchdog + number, EventQueue.NEVER);
        go(number / groups, number % groups);
    }

    // Hosts, receiving.

    private void arriveAtHost(int host) {
        int packet = links.pop(host);
        events.schedule(host, links.nextArrivalPs(host));
        if (packets.kind[packet] != DATA) {
            answered(packet);
            return;
        }
        int flow = packets.flow[packet];
        long psn = packets.psn[packet];
        int wire = packets.wireBytes[packet];
        if (packets.marked[packet] && dcqcn != null) {
            notifyCongestion(flow);
        }
        if (recovers && !isTaken(flow, psn)) {
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
        if (transport.acks()) {
            boolean last = flows.isLast(message, psn);
            flows.unansweredFrames[flow]++;
            flows.unansweredBytes[flow] += wire;
            if (last || flows.unansweredFrames[flow] >= transport.ackEvery() || psn + 1 < flows.expected[flow]) {
                acknowledge(flow);
            }
        }
        settleFrame(message, flow, 1);
    }

    /** Whether a receiver that recovers losses takes a frame, and if it does not what it answers. */
    private boolean isTaken(int flow, long psn) {
        long expected = flows.expected[flow];
        if (recovery == Recovery.GO_BACK_N) {
            if (psn == expected) {
                flows.expected[flow]++;
                return true;
            }
            if (psn < expected) {
                acknowledge(flow);
                return false;
            }
            // One NAK for each gap; another when frames come round again and the first of them was lost once more.
            if (flows.nakedFor[flow] != expected || psn <= flows.lastOutOfOrder[flow]) {
                flows.nakedFor[flow] = expected;
                respond(flow, NAK, expected, 0);
            }
            flows.lastOutOfOrder[flow] = psn;
            return false;
        }
        if (flows.has(flow, psn)) {
            acknowledge(flow);
            return false;
        }
        long gapFrom = Math.max(expected, flows.highest[flow]);
        flows.keep(flow, psn);
        if (recovery == Recovery.SELECTIVE && psn > gapFrom) {
            // What is missing: from the highest frame so far to this one.
            respond(flow, NAK, flows.expected[flow], gapFrom << 20 | Math.min(psn - gapFrom, (1 << 20) - 1));
        }
        return true;
    }

    private void notifyCongestion(int flow) {
        long last = flows.lastCnpPs[flow];
        if (last < 0 || now - last >= cnpIntervalPs) {
            flows.lastCnpPs[flow] = now;
            respond(flow, CNP, 0, 0);
        }
    }

    private void acknowledge(int flow) {
        respond(flow, ACK, recovers ? flows.expected[flow] : flows.unansweredBytes[flow], 0);
        flows.unansweredFrames[flow] = 0;
        flows.unansweredBytes[flow] = 0;
    }

    private void respond(int flow, byte kind, long psn, long wants) {
        if (kind == ACK) {
            acksSent++;
        } else if (kind == NAK) {
            naksSent++;
        } else {
            cnpsSent++;
        }
        pendingResponses++;
        if (kind == ACK && unheeded) {
            takeUnheeded(flow);
            int packet = packets.take(responseBytes, 0);
            packets.arrivalPs[packet] = now + flows.responseDelayPs[flow];
            packets.next[packet] = PacketPool.NONE;
            if (flows.firstUnheeded[flow] == PacketPool.NONE) {
                flows.firstUnheeded[flow] = packet;
            } else {
                packets.next[flows.lastUnheeded[flow]] = packet;
            }
            flows.lastUnheeded[flow] = packet;
            return;
        }
        int packet = packets.take(responseBytes, 0);
        packets.kind[packet] = kind;
        packets.priority[packet] = (byte) priorities.control();
        packets.flow[packet] = flow;
        packets.psn[packet] = psn;
        packets.wants[packet] = wants;
        packets.next[packet] = PacketPool.NONE;
        if (separate) {
            packets.arrivalPs[packet] = now + flows.responseDelayPs[flow];
            if (flows.firstResponse[flow] == PacketPool.NONE) {
                flows.firstResponse[flow] = packet;
                dueResponse(flows.source[flow], flow, packets.arrivalPs[packet]);
            } else {
                packets.next[flows.lastResponse[flow]] = packet;
            }
            flows.lastResponse[flow] = packet;
        } else {
            int host = flows.destination[flow];
            if (firstWaiting[host] == PacketPool.NONE) {
                firstWaiting[host] = packet;
            } else {
                packets.next[lastWaiting[host]] = packet;
            }
            lastWaiting[host] = packet;
            bookLimit(host);
            wakeNic(host);
        }
    }

    /** Takes the ACKs of a flow that have arrived by now and that nobody waits for. */
    private void takeUnheeded(int flow) {
        int packet = flows.firstUnheeded[flow];
        while (packet != PacketPool.NONE && packets.arrivalPs[packet] < now) {
            int behind = packets.next[packet];
            packets.free(packet);
            pendingResponses--;
            handled++;
            packet = behind;
        }
        flows.firstUnheeded[flow] = packet;
    }

    private void dueResponse(int host, int flow, long at) {
        responses.set(host, flow, at);
        if (events.timeOf(firstResponse + host) != responses.firstPs(host)) {
            events.schedule(firstResponse + host, responses.firstPs(host));
        }
    }

    private void responseArrives(int host) {
        int flow = responses.first(host);
        int packet = flows.firstResponse[flow];
        int behind = packets.next[packet];
        flows.firstResponse[flow] = behind;
        dueResponse(host, flow, behind == PacketPool.NONE ? EventQueue.NEVER : packets.arrivalPs[behind]);
        answered(packet);
    }

    /** A response has come to the sender. */
    private void answered(int packet) {
        int flow = packets.flow[packet];
        byte kind = packets.kind[packet];
        long psn = packets.psn[packet];
        long wants = packets.wants[packet];
        packets.free(packet);
        pendingResponses--;
        if (kind == CNP) {
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
                restartTimeout(flow);
            }
            if (kind == NAK && recovery == Recovery.GO_BACK_N) {
                if (psn == flows.acked[flow]) {
                    flows.goBack(flow);
                }
            } else if (kind == NAK) {
                long from = wants >>> 20;
                flows.repeat(flow, from, from + (wants & (1 << 20) - 1));
            }
        }
        refresh(flow);
    }

    /** One more frame of a message, for so many of its hosts, has arrived or was lost for good; with the last one the message's fate is known. */
    private void settleFrame(int message, int flow, int hostsOfFrame) {
        messages.unsettled[message] -= hostsOfFrame;
        if (messages.unsettled[message] > 0) {
            return;
        }
        boolean measured = messages.measured[message];
        if (measured) {
            measuredSettled++;
        }
        if (!messages.lost[message]) {
            delivered++;
            int next = pattern.next(flows.destination[flow], traffic.flows());
            if (next >= 0) {
                offer(flows.destination[flow], next, messages.payloadBytes[message], NOT_SCHEDULED);
            }
            if (progress != null && messages.scheduled[message] != NOT_SCHEDULED) {
                progress.delivered(
                        messages.scheduled[message],
                        now,
                        released -> due.set(
                                0,
                                released,
                                now + Objects.requireNonNull(schedule).startPs(released)));
                events.schedule(scheduler, Math.max(now, nextScheduledPs()));
            }
            payloadOfPair[flows.source[flow] * hosts + flows.destination[flow]] += messages.payloadBytes[message];
            recorder.payloadDelivered(now, messages.payloadBytes[message] * members);
            if (measured) {
                long offerPs = messages.offerPs[message];
                recorder.messageDelivered(offerPs, now - offerPs, messages.controlPs[message]);
                if (flowLog != null) {
                    flowLog.completed(messages.logged[message], now);
                }
            }
        }
        if (!recovers) {
            messages.free(message);
        }
    }

    // The end.

    private RunResult result() {
        pendingEvents();
        for (int host = 0; host < hosts; host++) {
            if (limitedSincePs[host] >= 0) {
                rateLimitedPs += Math.max(0, now - limitedSincePs[host]);
            }
        }
        for (int at = 0; at < stoppedSincePs.length; at++) {
            stoppedPs += (stopped[at / groups] >>> at % groups & 1) != 0 ? now - stoppedSincePs[at] : 0;
        }
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
        long elsewhere = signals.frames();
        for (int flow = 0; flow < flows.count(); flow++) {
            elsewhere += packets.length(flows.firstResponse[flow]) + packets.length(flows.firstUnheeded[flow]);
        }
        for (int host = 0; host < hosts; host++) {
            elsewhere += packets.length(firstWaiting[host]);
        }
        long found = links.frames() + queued + elsewhere;
        if (found != packets.inUse() || found - sums[2] - signals.frames() != pendingResponses) {
            throw new IllegalStateException("run does not balance: " + packets.inUse() + " packets in use, " + found
                    + " found, of which " + sums[2] + " carry data; " + pendingResponses + " responses under way");
        }
        RunTotals totals = new RunTotals(
                offered,
                delivered,
                lost,
                offered - delivered - lost,
                offeredFrames,
                deliveredFrames,
                droppedFrames,
                unsent[0] * members + sums[0],
                offeredBytes,
                deliveredBytes,
                droppedBytes,
                unsent[1] * members + sums[1],
                retransmittedFrames,
                retransmittedBytes,
                discardedFrames,
                discardedBytes,
                measuredSettled,
                measuredLost,
                handled,
                now);
        TransportCounters counters = new TransportCounters(
                acksSent,
                naksSent,
                cnpsSent,
                cnpsReceived,
                responsesDropped,
                hostsOfDrops,
                timeouts,
                rateLimitedPs,
                pausesSent,
                stoppedPs);
        Topology topology = Topology.of(scenario);
        int far = hosts - 1;
        while (far > 0 && !topology.hasRoute(0, far)) {
            far--;
        }
        long zeroLoadPs = traffic.oneSize() ? topology.path(0, far).zeroLoadPs(traffic) : 0;
        return recorder.finish(
                        totals,
                        counters,
                        switchCounters(),
                        payloadOfPairs(),
                        forwardedOfHosts(),
                        linkUse(),
                        progress == null ? -1 : progress.stragglerSpreadPs(),
                        zeroLoadPs)
                .with(recording());
    }

    private @Nullable Recording recording() {
        if (flowLog != null && progress != null && schedule != null) {
            progress.neverOffered(m -> {
                if (schedule.tenant(m) == Schedule.FOREGROUND) {
                    flowLog.neverOffered(
                            traffic.idOf(m), schedule.source(m), schedule.destination(m), schedule.bytes(m));
                }
            });
        }
        return flowLog == null && series == null ? null : new Recording(flowLog, series);
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

    private long[] payloadOfPairs() {
        long[] payload = new long[offeredOfPair.length];
        int pairs = 0;
        for (int pair = 0; pair < payload.length; pair++) {
            if (offeredOfPair[pair] > 0) {
                payload[pairs++] = payloadOfPair[pair];
            }
        }
        return Arrays.copyOf(payload, pairs);
    }

    /** Frames forwarded from the port of each host that sends. */
    private long[] forwardedOfHosts() {
        if (switches.length == 0) {
            return new long[0];
        }
        long[][] ofSwitch = new long[switches.length][];
        long[] forwarded = new long[traffic.flows()];
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
