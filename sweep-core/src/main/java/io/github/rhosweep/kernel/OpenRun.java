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
import io.github.rhosweep.scenario.Load;
import io.github.rhosweep.scenario.MeasureSpec;
import io.github.rhosweep.scenario.Scenario;
import io.github.rhosweep.scenario.SwitchSpec;
import io.github.rhosweep.scenario.TrafficSpec;
import io.github.rhosweep.topology.Topology;
import java.util.Arrays;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** One run of open senders: what they offer and what becomes of their messages. How frames pass is a subclass's. */
abstract class OpenRun {
    /** How often the deadline is looked at, in events: a power of two. */
    private static final long DEADLINE_EVERY = 1L << 16;

    final Scenario scenario;
    final TrafficSpec traffic;
    private final ControlVariate control;
    final RunRecorder recorder;
    final MessagePool messages;
    private final Senders senders;
    final int hosts;
    final int framesPerMessage;
    final int fullWire;
    final int lastWire;
    final boolean unlimited;
    final long fullSerialPs;
    final long lastSerialPs;
    final long propagationPs;
    final long slotPs;
    final int busiestEgress;

    private final @Nullable FlowLog flowLog;
    final @Nullable SeriesLog series;

    private final long wanted;
    final boolean finite;

    long now;
    long handled;
    /** Event count above which the limits are looked at again. */
    long checkAbove;

    private long offered;
    private long delivered;
    private long lost;
    private long measuredLost;
    private long measuredSettled;
    private long droppedFrames;
    private long droppedBytes;

    /** The sources of all hosts and what they count, kept from run to run. */
    static final class Senders {
        final int hosts;
        final ArrivalProcess.Source[] sources;
        final RandomStream[] destinations;
        /** Per flow, source x hosts + destination: messages offered, and delivered whole. */
        final int[] offeredOfFlow;

        final int[] deliveredOfFlow;

        Senders(int hosts) {
            this.hosts = hosts;
            this.sources = new ArrivalProcess.Source[hosts];
            this.destinations = new RandomStream[hosts];
            this.offeredOfFlow = new int[Math.multiplyExact(hosts, hosts)];
            this.deliveredOfFlow = new int[hosts * hosts];
        }

        void clear() {
            Arrays.fill(offeredOfFlow, 0);
            Arrays.fill(deliveredOfFlow, 0);
        }
    }

    OpenRun(Scenario scenario, ControlVariate control, RunRecorder recorder, MessagePool messages, Senders senders) {
        this.scenario = scenario;
        this.traffic = scenario.traffic();
        this.control = control;
        this.recorder = recorder;
        this.messages = messages;
        this.senders = senders;
        this.hosts = senders.hosts;
        this.framesPerMessage = Math.toIntExact(traffic.framesPerMessage());
        this.fullWire = traffic.fullFrameWireBytes();
        this.lastWire = traffic.lastFrameWireBytes();
        this.unlimited = scenario.link().unlimited();
        this.fullSerialPs = unlimited
                ? 0
                : SwitchSpec.serialisationPs(fullWire, scenario.link().bandwidthGbPerS());
        this.lastSerialPs = unlimited
                ? 0
                : SwitchSpec.serialisationPs(lastWire, scenario.link().bandwidthGbPerS());
        this.propagationPs = scenario.link().propagationPs();
        this.slotPs = scenario.switchSpec() == null ? 0 : scenario.switchSpec().slotPs();
        this.busiestEgress = traffic.pattern().busiestEgress(traffic.flows());
        this.wanted = scenario.measure().messages();
        this.finite = scenario.measure().kind() == MeasureSpec.Kind.FINITE;
        this.flowLog = scenario.record().messages() ? new FlowLog() : null;
        messages.limit(scenario.measure().maxMessages());
        this.series =
                scenario.record().series() ? new SeriesLog(scenario.record().seriesIntervalPs()) : null;
    }

    /** Sets when the source of a host offers its next message, in ps; {@link EventQueue#NEVER} if it does not. */
    abstract void scheduleOffer(int host, long atPs);

    /** The NIC of a host is given a message, which is in no list. */
    abstract void accept(int host, int message);

    /** Wire bytes in the switch. */
    abstract long bufferedBytes();

    /** Wire bytes in the switch for an egress. */
    abstract long queuedBytes(int egress);

    /** Runs to the end. */
    abstract RunResult toEnd(BooleanSupplier deadlinePassed);

    final void start(long runSeed) {
        double gapPs = Load.of(scenario).meanGapPs();
        for (int host = 0; host < traffic.flows(); host++) {
            senders.destinations[host] = RandomStream.named(runSeed, "destinations", host);
            senders.sources[host] =
                    traffic.arrivals().start(gapPs, slotPs, RandomStream.named(runSeed, "arrivals", host));
            scheduleOffer(host, senders.sources[host].nextPs());
        }
        recorder.start(scenario, control.meanPs());
        checkAbove = Math.min(scenario.measure().maxEvents(), DEADLINE_EVERY);
    }

    /** Whether all is known that was asked for; a finite run goes on until nothing happens any more. */
    final boolean isDone() {
        return !finite && measuredSettled >= wanted;
    }

    /** Takes the samples that are due before the next event, which is at {@code time}: state does not change in between. */
    final void sampleUntil(SeriesLog log, long time) {
        for (long at = log.nextPs(); at <= time && time != EventQueue.NEVER; at = log.nextPs()) {
            if (scenario.switchSpec() != null) {
                log.add(SeriesKeys.fill(0), "buffer_bytes", (double) bufferedBytes(), () -> "switch 0");
                for (int port = 0; port < hosts; port++) {
                    int egress = port;
                    log.add(
                            SeriesKeys.queue(port),
                            "queue_bytes",
                            (double) queuedBytes(port),
                            () -> "switch 0 egress " + egress);
                }
            }
            log.sampled();
        }
    }

    /** To be called when {@link #handled} is above {@link #checkAbove}, and at the end. */
    final void checkLimits(BooleanSupplier deadlinePassed) {
        long limit = scenario.measure().maxEvents();
        if (handled > limit) {
            throw new RunLimitException(
                    RunLimitException.Limit.EVENTS,
                    "the run needs more than limits.events (" + limit + ") events; " + measuredSettled + " of " + wanted
                            + " messages were done at " + now / 1000 + " ns");
        }
        if (deadlinePassed.getAsBoolean()) {
            throw new RunLimitException(
                    RunLimitException.Limit.WALL,
                    "the run takes longer than limits.wall ("
                            + scenario.measure().maxWallNs() / 1_000_000 + " ms); " + measuredSettled + " of "
                            + wanted + " messages were done after " + handled + " events");
        }
        checkAbove = Math.min(limit, handled + DEADLINE_EVERY);
    }

    /** A source offers a message: it joins the queue of its flow, and an idle NIC will look at it. */
    final void offer(int host) {
        int destination = traffic.pattern().destination(host, traffic.flows(), senders.destinations[host]);
        int message = messages.take(framesPerMessage, now);
        messages.offerPs[message] = now;
        messages.controlPs[message] = control.observePs(now, destination, framesPerMessage);
        messages.source[message] = host;
        messages.destination[message] = destination;
        messages.measured[message] = offered < wanted;
        if (flowLog != null && offered < wanted) {
            messages.logged[message] = flowLog.offered(offered + 1, host, destination, traffic.messageBytes(), now);
        }
        senders.offeredOfFlow[host * hosts + destination]++;
        accept(host, message);
        scheduleOffer(host, senders.sources[host].nextPs());
        if (++offered == wanted) {
            recorder.lastMeasuredOffer(now);
            if (finite) {
                for (int source = 0; source < traffic.flows(); source++) {
                    scheduleOffer(source, EventQueue.NEVER);
                }
            }
        }
    }

    /**
     * The switch drops a frame of a message, which then is lost.
     *
     * @return whether nothing is left to come of the message but frames that are on their way to the host, if any
     */
    final boolean drop(int message, int wireBytes) {
        droppedFrames++;
        droppedBytes += wireBytes;
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
        return --messages.unsettled[message] == 0;
    }

    /** The fate of every frame of a message is known and has come. */
    final void settle(int message) {
        boolean measured = messages.measured[message];
        if (measured) {
            measuredSettled++;
        }
        if (!messages.lost[message]) {
            delivered++;
            senders.deliveredOfFlow[messages.source[message] * hosts + messages.destination[message]]++;
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

    /**
     * What was measured.
     *
     * @param unsentFrames frames in source queues
     * @param unsentLast how many of them are the last of their message
     * @param sentInFlightFrames frames sent that have neither arrived nor been dropped
     * @param sentInFlightBytes their wire bytes
     * @param acksSent ACKs that the receivers of what was delivered have sent
     */
    final RunResult result(
            long deliveredFrames,
            long deliveredBytes,
            long unsentFrames,
            long unsentLast,
            long sentInFlightFrames,
            long sentInFlightBytes,
            long acksSent,
            @Nullable SwitchCounters counters,
            long[] forwardedOfIngresses,
            LinkUse linkUse) {
        RunTotals totals = new RunTotals(
                offered,
                delivered,
                lost,
                offered - delivered - lost,
                offered * framesPerMessage,
                deliveredFrames,
                droppedFrames,
                unsentFrames + sentInFlightFrames,
                offered * traffic.messageWireBytes(),
                deliveredBytes,
                droppedBytes,
                (unsentFrames - unsentLast) * fullWire + unsentLast * lastWire + sentInFlightBytes,
                // Nothing is sent twice.
                0,
                0,
                0,
                0,
                measuredSettled,
                measuredLost,
                handled,
                now);
        long zeroLoadPs = Topology.of(scenario).path(0, hosts - 1).zeroLoadPs(traffic);
        return recorder.finish(
                totals,
                TransportCounters.ofAcks(acksSent),
                counters,
                payloadOfFlows(),
                forwardedOfIngresses,
                linkUse,
                -1,
                zeroLoadPs,
                Recording.of(flowLog, series));
    }

    private long[] payloadOfFlows() {
        long[] payload = new long[senders.offeredOfFlow.length];
        int flows = 0;
        for (int flow = 0; flow < payload.length; flow++) {
            if (senders.offeredOfFlow[flow] > 0) {
                payload[flows++] = senders.deliveredOfFlow[flow] * traffic.messageBytes();
            }
        }
        return Arrays.copyOf(payload, flows);
    }
}
