package io.github.rhosweep.kernel;

import io.github.rhosweep.math.RandomStream;
import io.github.rhosweep.result.FlowLog;
import io.github.rhosweep.result.RunRecorder;
import io.github.rhosweep.scenario.ArrivalProcess;
import io.github.rhosweep.scenario.ClosedPattern;
import io.github.rhosweep.scenario.Load;
import io.github.rhosweep.scenario.MeasureSpec;
import io.github.rhosweep.scenario.MessageSizes;
import io.github.rhosweep.scenario.Pattern;
import io.github.rhosweep.scenario.Schedule;
import io.github.rhosweep.scenario.TrafficSpec;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The messages of a run of a fabric from their offer, by sources, by a schedule or by the arrival of another, to their fate; and when
 * enough of them have met it.
 */
final class Workload {
    /** In place of a message's number in the schedule. */
    private static final int NOT_SCHEDULED = -1;

    /** Messages that are to be measured. */
    final long wanted;

    final @Nullable ScheduleProgress progress;

    // All messages, and the measured ones among them; data frames count once for each host.
    long offered;
    long offeredFrames;
    long offeredBytes;
    long delivered;
    long lost;
    long measuredLost;
    long measuredSettled;

    private final FabricState state;
    private final TrafficSpec traffic;
    private final Pattern pattern;
    private final MessagePool messages;
    private final Flows flows;
    private final FabricEvents events;
    private final RunRecorder recorder;
    private final @Nullable FlowLog flowLog;
    private final ControlVariate control;
    private final SendingHosts senders;
    private final int hosts;
    private final int members;
    private final int tenants;
    /** Queue pairs of a connection of each tenant. */
    private final int qps;

    private final boolean finite;
    /** What a source offers by the arrival process, in bytes; 0 if none does. */
    private final long offeredPayload;

    private final @Nullable Schedule schedule;
    /** Messages of the schedule that were released and are to be offered, by (time, number). */
    private final FlowHeaps due = new FlowHeaps(1);

    private final @Nullable ArrivalProcess.Source[] sources;
    private final RandomStream[] destinations;
    private final RandomStream[] sizes;
    private final @Nullable RandomStream[] classes;
    /** Per pair of hosts: messages offered, and payload delivered. */
    private final int[] offeredOfPair;

    private final long[] payloadOfPair;
    private long measuredOffered;

    /** @param schedule what is offered in place of the scenario's messages, but for the open background of a mix; null: nothing is */
    Workload(FabricState state, ControlVariate control, @Nullable Schedule schedule, SendingHosts senders) {
        this.state = state;
        this.traffic = state.scenario.traffic();
        this.pattern = traffic.pattern();
        this.messages = state.messages;
        this.flows = state.flows;
        this.events = state.events;
        this.recorder = state.recorder;
        this.flowLog = state.flowLog;
        this.control = control;
        this.senders = senders;
        this.hosts = state.hosts;
        this.members = state.members;
        this.tenants = state.tenants;
        this.qps = state.scenario.transport().qpsPerConnection();
        this.finite = state.scenario.measure().kind() == MeasureSpec.Kind.FINITE;
        this.schedule = schedule;
        this.progress = schedule == null ? null : new ScheduleProgress(schedule, hosts);
        this.wanted = schedule == null ? state.scenario.measure().messages() : schedule.foreground();
        this.offeredPayload = traffic.offeredBytes();
        this.sources = new ArrivalProcess.Source[hosts];
        this.destinations = new RandomStream[hosts];
        this.sizes = new RandomStream[hosts];
        this.classes = new RandomStream[hosts];
        if (traffic.rspShare() + traffic.restShare() > 0) {
            Arrays.setAll(classes, host -> RandomStream.named(state.runSeed, "classes", host));
        }
        this.offeredOfPair = new int[Math.multiplyExact(hosts, hosts)];
        this.payloadOfPair = new long[hosts * hosts];
        if (offeredPayload > 0 && (schedule == null || pattern instanceof ClosedPattern)) {
            startSources();
        }
        if (schedule != null) {
            for (int m = 0; m < schedule.size(); m++) {
                due.add(m, m);
            }
            events.schedule(events.scheduler, nextScheduledPs());
        }
    }

    private void startSources() {
        double gapPs = Load.of(state.scenario).meanGapPs();
        long slotPs = state.scenario.switchSpec() == null
                ? 0
                : state.scenario.switchSpec().slotPs();
        for (int host = 0; host < pattern.sources(traffic.flows()); host++) {
            destinations[host] = RandomStream.named(state.runSeed, "destinations", host);
            sizes[host] = RandomStream.named(state.runSeed, "sizes", host);
            ArrivalProcess.Source source =
                    traffic.arrivals().start(gapPs, slotPs, RandomStream.named(state.runSeed, "arrivals", host));
            sources[host] = source;
            events.schedule(events.firstSource + host, source.nextPs());
        }
    }

    /** Whether the fates of all measured messages are known. */
    boolean isDone() {
        // A finite run whose messages have all settled ends there: what is under way are answers and frames sent twice.
        return measuredSettled >= wanted || measuredLost > 0 && isStuck();
    }

    /** Whether all that was offered of a schedule has settled, and what is left waits for lost messages. */
    private boolean isStuck() {
        return schedule != null && measuredSettled == measuredOffered && nextScheduledPs() == EventQueue.NEVER;
    }

    private long nextScheduledPs() {
        return Math.min(Objects.requireNonNull(progress).nextStartPs(), due.firstPs(0));
    }

    /** A source offers a message. */
    void offer(int host, long now) {
        int destination = pattern.destination(host, traffic.flows(), destinations[host]);
        MessageSizes drawn = traffic.sizes();
        long payload = drawn == null ? offeredPayload : drawn.quantile(sizes[host].nextDouble());
        offer(host, destination, payload, NOT_SCHEDULED, now);
        events.schedule(
                events.firstSource + host, Objects.requireNonNull(sources[host]).nextPs());
        if (finite && schedule == null && offered >= wanted) {
            for (int source = 0; source < pattern.sources(traffic.flows()); source++) {
                events.schedule(events.firstSource + source, EventQueue.NEVER);
            }
        }
    }

    /** Messages of the schedule are offered. */
    void offerScheduled(long now) {
        Schedule plan = Objects.requireNonNull(schedule);
        ScheduleProgress at = Objects.requireNonNull(progress);
        while (at.nextStartPs() <= now) {
            due.set(0, at.takeStart(), now);
        }
        while (due.firstPs(0) <= now) {
            int m = due.first(0);
            due.set(0, m, EventQueue.NEVER);
            offer(plan.source(m), plan.destination(m), plan.bytes(m), m, now);
        }
        events.schedule(events.scheduler, nextScheduledPs());
    }

    /** @param scheduled number of the message in the schedule */
    private void offer(int host, int destination, long payload, int scheduled, long now) {
        int frames = Math.toIntExact((payload + traffic.framePayloadBytes() - 1) / traffic.framePayloadBytes());
        int message = messages.take(frames, now);
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
        offeredBytes += (payload + (long) frames * state.headerBytes) * members;
        senders.push(host, destination, classOfData(host, measured), qp, message, now);
    }

    /** The class of a message that is being offered; background tenants of a schedule have the lowest. */
    private int classOfData(int host, boolean measured) {
        int highest = state.priorities.ofData() - 1;
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

    /** Frames of a message, for so many of its hosts, were lost for good. */
    void lose(int message, int flow, int hostsOfFrame, long now) {
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
        settle(message, flow, hostsOfFrame, now);
    }

    /** One more frame of a message, for so many of its hosts, has arrived or was lost for good; with the last one the message's fate is known. */
    void settle(int message, int flow, int hostsOfFrame, long now) {
        messages.unsettled[message] -= hostsOfFrame;
        if (messages.unsettled[message] > 0) {
            return;
        }
        boolean measured = messages.measured[message];
        if (measured) {
            measuredSettled++;
        }
        if (!messages.lost[message]) {
            arrived(message, flow, measured, now);
        }
        if (!state.recovers) {
            messages.free(message);
        }
    }

    /** A message has arrived whole. */
    private void arrived(int message, int flow, boolean measured, long now) {
        delivered++;
        int next = pattern.next(flows.destination[flow], traffic.flows());
        if (next >= 0) {
            offer(flows.destination[flow], next, messages.payloadBytes[message], NOT_SCHEDULED, now);
        }
        if (progress != null && messages.scheduled[message] != NOT_SCHEDULED) {
            progress.delivered(
                    messages.scheduled[message],
                    now,
                    released -> due.set(
                            0, released, now + Objects.requireNonNull(schedule).startPs(released)));
            events.schedule(events.scheduler, Math.max(now, nextScheduledPs()));
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

    /** Has those of the schedule logged that were never offered. */
    void logNeverOffered() {
        if (flowLog != null && progress != null && schedule != null) {
            progress.neverOffered(m -> {
                if (schedule.tenant(m) == Schedule.FOREGROUND) {
                    flowLog.neverOffered(
                            traffic.idOf(m), schedule.source(m), schedule.destination(m), schedule.bytes(m));
                }
            });
        }
    }

    /** Payload delivered, in bytes, of each pair of hosts that was offered any. */
    long[] payloadOfPairs() {
        long[] payload = new long[offeredOfPair.length];
        int pairs = 0;
        for (int pair = 0; pair < payload.length; pair++) {
            if (offeredOfPair[pair] > 0) {
                payload[pairs++] = payloadOfPair[pair];
            }
        }
        return Arrays.copyOf(payload, pairs);
    }
}
