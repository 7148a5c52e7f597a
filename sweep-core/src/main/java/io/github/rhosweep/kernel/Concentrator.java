package io.github.rhosweep.kernel;

import io.github.rhosweep.kernel.SharedBuffer.Verdict;
import io.github.rhosweep.result.LinkUse;
import io.github.rhosweep.result.RunRecorder;
import io.github.rhosweep.result.RunResult;
import io.github.rhosweep.result.SwitchCounters;
import io.github.rhosweep.scenario.Scenario;
import io.github.rhosweep.scenario.SwitchSpec;
import io.github.rhosweep.scenario.TransportSpec;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.BooleanSupplier;

/**
 * An incast: hosts that each send one flow through a switch to one egress. It gives what {@link Switch} and the events of
 * {@link Simulation} give, to the last bit, and does less for it:
 *
 * <ul>
 *   <li>No later offer can come between the frames of a message. So it is known at the offer when each will be sent, and NICs
 *       have no events.
 *   <li>A VOQ per ingress is all there is, so that iSLIP comes down to a round robin of those that are not empty, and a frame to the
 *       time at which it joined and the number of its message.
 *   <li>One host receives. Nothing is done as a frame arrives there, but for the one that settles a message.
 *   <li>An ACK that meets no queue and that nobody heeds is a time at which it arrives: none is a packet, or an event.
 * </ul>
 */
final class Concentrator extends OpenRun {
    private final SwitchSpec spec;
    private final int ports;
    private final long forwardingPs;
    private final long fullServicePs;
    private final long lastServicePs;
    private final boolean gated;
    private final boolean marksByEgress;

    private final Ingress[] ingresses;
    /** One pool, or one for each ingress. */
    private final SharedBuffer[] pools;

    private final boolean poolPerIngress;
    private final EcnMarker marker;
    /** Ingresses whose VOQ is not empty, and how many they are. */
    private final PortSets waiting;

    private int activeVoqs;
    /** The ingress that is served next by preference. */
    private int pointer;

    private final Downlink downlink = new Downlink();
    /** Frames that one ACK answers; 0 without ACKs. */
    private final int ackEvery;
    /** From the arrival of a frame to that of its ACK, in ps. */
    private final long ackDelayPs;
    /** ACKs by their arrival at their senders, of all flows: all take as long. */
    private final Downlink acks = new Downlink();
    /** Messages of which nothing is left to come but frames on the downlink, by the arrival of their last frame, as a list. */
    private int settlingFirst = MessagePool.NONE;

    private int settlingLast = MessagePool.NONE;
    /** Frames on the downlink whose arrival was counted as an event. */
    private long countedFrames;

    private long countedAcks;

    // Pending events. At equal times the order is: settlement, arrivals by ingress, tick, offers by host.
    private long settlementPs = EventQueue.NEVER;
    private final EventQueue arrivals;
    private long tickPs = EventQueue.NEVER;
    private final EventQueue offers;

    /** No tick is nearer than a slot to the last one (D-11); before the first there is no such bound. */
    private long earliestTickPs = Long.MIN_VALUE;

    private long busyUntilPs;

    private long arrivedFrames;
    private long arrivedBytes;
    private long dropsDynamicThreshold;
    private long dropsCapacity;
    private long droppedBytes;
    private long forwardedFrames;
    private long forwardedBytes;
    private long queuedFrames;
    private long queuedBytes;
    private long ecnMarked;
    private long ticks;
    private long busyPs;
    /** Sum over the frames forwarded of the time from their arrival to the end of their serialisation. */
    private long passagePs;

    private long voqWaitSumPs;
    /** Integral over time of the number of queued frames, up to the last change. */
    private long queueIntegralPs;

    private long lastChangePs;

    /** A NIC, its link to the switch, and the VOQ at the other end. */
    private static final class Ingress {
        private static final int FIRST_CAPACITY = 64;

        /** Messages of which a frame has not arrived at the switch, as a list. */
        int firstMessage = MessagePool.NONE;

        int lastMessage = MessagePool.NONE;
        /** When the NIC has sent all that it was given, in ps. */
        long nicFreePs;

        /** A ring of a power of two of places: when a frame joined the VOQ, in ps. */
        private long[] joinedPs = new long[FIRST_CAPACITY];
        /** And its message, doubled, plus 1 for the last frame of the message. */
        private int[] frame = new int[FIRST_CAPACITY];
        /** Frames that ever left and joined, modulo 2^32. */
        private int head;

        private int tail;
        long queuedBytes;
        long forwardedFrames;
        /** Frames forwarded since one that an ACK answers. */
        int unansweredFrames;

        boolean isEmpty() {
            return head == tail;
        }

        void push(long now, int joining) {
            if (tail - head == frame.length) {
                grow();
            }
            int place = tail++ & frame.length - 1;
            joinedPs[place] = now;
            frame[place] = joining;
        }

        private void grow() {
            int old = frame.length;
            joinedPs = Arrays.copyOf(joinedPs, 2 * old);
            frame = Arrays.copyOf(frame, 2 * old);
            System.arraycopy(joinedPs, 0, joinedPs, old, old);
            System.arraycopy(frame, 0, frame, old, old);
        }

        /** The sum over the queued frames of the time since they joined, in ps. */
        long agesPs(long now) {
            long sum = 0;
            for (int k = head; k != tail; k++) {
                sum += now - joinedPs[k & frame.length - 1];
            }
            return sum;
        }
    }

    /** Whether a point is such an incast. All its frames are of one class, so that it does not matter how classes are matched. */
    static boolean suits(Scenario scenario) {
        return scenario.switchSpec() != null
                && scenario.transport().isHeedless()
                && !scenario.link().unlimited()
                && scenario.traffic()
                                .pattern()
                                .activeEgresses(scenario.traffic().flows())
                        == 1;
    }

    /**
     * A run of a point that {@link #suits}.
     *
     * @param seed of the switch, not 0
     */
    Concentrator(
            Scenario scenario,
            long seed,
            ControlVariate control,
            RunRecorder recorder,
            MessagePool messages,
            Senders senders) {
        super(scenario, control, recorder, messages, senders);
        this.spec = Objects.requireNonNull(scenario.switchSpec());
        this.ports = spec.portCount();
        this.forwardingPs = spec.forwardingPs();
        this.fullServicePs = SwitchSpec.serialisationPs(fullWire, spec.bandwidthGbPerS());
        this.lastServicePs = SwitchSpec.serialisationPs(lastWire, spec.bandwidthGbPerS());
        this.gated = spec.egressGate() == SwitchSpec.EgressGate.BUSY;
        this.marksByEgress = spec.ecnScope() == SwitchSpec.EcnScope.EGRESS;
        int sources = traffic.flows();
        this.ingresses = new Ingress[sources];
        Arrays.setAll(ingresses, ingress -> new Ingress());
        this.poolPerIngress = spec.bufferScope() == SwitchSpec.BufferScope.PER_INGRESS;
        this.pools = new SharedBuffer[poolPerIngress ? sources : 1];
        Arrays.setAll(pools, pool -> new SharedBuffer(spec, false));
        this.marker = new EcnMarker(spec, seed);
        this.waiting = new PortSets(1, ports);
        this.pointer = spec.pointerInit() == SwitchSpec.PointerInit.RANDOM
                ? new Islip(spec, seed, false).grantPointer(busiestEgress)
                : 0;
        TransportSpec transport = scenario.transport();
        this.ackEvery = transport.acks() ? transport.ackEvery() : 0;
        this.ackDelayPs = ackDelayPs(scenario);
        this.arrivals = new EventQueue(sources);
        this.offers = new EventQueue(sources);
    }

    /** An ACK pays NIC, link, switch and link, and waits for nothing. */
    private static long ackDelayPs(Scenario scenario) {
        int wire = scenario.transport().responseBytes();
        if (wire == 0) {
            return 0;
        }
        SwitchSpec spec = Objects.requireNonNull(scenario.switchSpec());
        return SwitchSpec.serialisationPs(wire, scenario.link().bandwidthGbPerS())
                + scenario.link().propagationPs()
                + spec.forwardingPs()
                + SwitchSpec.serialisationPs(wire, spec.bandwidthGbPerS())
                + scenario.link().propagationPs();
    }

    @Override
    void scheduleOffer(int host, long atPs) {
        offers.schedule(host, atPs);
    }

    @Override
    RunResult toEnd(BooleanSupplier deadlinePassed) {
        while (!isDone()) {
            long arrivalPs = arrivals.nextTime();
            long offerPs = offers.nextTime();
            long next = Math.min(Math.min(settlementPs, arrivalPs), Math.min(tickPs, offerPs));
            if (next == EventQueue.NEVER) {
                break;
            }
            if (series != null) {
                sampleUntil(series, next);
            }
            now = next;
            if (settlementPs == next) {
                settleFirst();
            } else if (arrivalPs == next) {
                arrive(arrivals.nextServer());
            } else if (tickPs == next) {
                tick();
            } else {
                offer(offers.nextServer());
            }
            if (++handled > checkAbove) {
                checkLimits(deadlinePassed);
            }
        }
        handled += begunUnseen();
        handled += downlink.arrived(now) - countedFrames;
        countAcks();
        checkLimits(() -> false);
        return result();
    }

    @Override
    long bufferedBytes() {
        return queuedBytes;
    }

    @Override
    long queuedBytes(int egress) {
        return egress == busiestEgress ? queuedBytes : 0;
    }

    /** Sets when the frames of a message will be sent, which no later offer changes. */
    @Override
    void accept(int host, int message) {
        if (messages.destination[message] != busiestEgress) {
            throw new IllegalStateException(
                    "a message for host " + messages.destination[message] + " in an incast to host " + busiestEgress);
        }
        Ingress in = ingresses[host];
        long start = Math.max(now, in.nicFreePs);
        messages.startPs[message] = start;
        in.nicFreePs = start + (framesPerMessage - 1) * fullSerialPs + lastSerialPs;
        if (messages.measured[message]) {
            recorder.sourceLeft(now, start - now, fullSerialPs, framesPerMessage);
        }
        if (in.firstMessage == MessagePool.NONE) {
            in.firstMessage = message;
            arrivals.schedule(host, firstArrivalPs(message));
        } else {
            messages.next[in.lastMessage] = message;
        }
        in.lastMessage = message;
    }

    /** When the first frame of a message arrives at the switch, in ps. */
    private long firstArrivalPs(int message) {
        return messages.startPs[message] + (framesPerMessage == 1 ? lastSerialPs : fullSerialPs) + propagationPs;
    }

    /** The next frame of a host arrives at the switch: it is admitted or dropped. */
    private void arrive(int host) {
        Ingress in = ingresses[host];
        int message = in.firstMessage;
        int left = --messages.unsent[message];
        if (left == framesPerMessage - 1 || ackEvery > 0) {
            handled++; // the NIC's choice of the message, or of each frame where there are ACKs, counts as the event
            // that it is elsewhere
        }
        int frame = message << 1;
        int wire = fullWire;
        if (left == 0) {
            frame++;
            wire = lastWire;
            int next = messages.next[message];
            in.firstMessage = next;
            arrivals.schedule(host, next == MessagePool.NONE ? EventQueue.NEVER : firstArrivalPs(next));
        } else {
            arrivals.schedule(host, now + (left == 1 ? lastSerialPs : fullSerialPs));
        }
        arrivedFrames++;
        arrivedBytes += wire;
        Verdict verdict = pools[poolPerIngress ? host : 0].admit(in.queuedBytes, wire, activeVoqs);
        if (verdict == Verdict.ADMITTED) {
            integrateQueue();
            if (in.isEmpty()) {
                activeVoqs++;
                waiting.add(0, host);
            }
            in.push(now, frame);
            in.queuedBytes += wire;
            queuedFrames++;
            queuedBytes += wire;
            if (tickPs == EventQueue.NEVER) {
                tickPs = Math.max(now, earliestTickPs);
            }
        } else {
            drop(verdict, message, wire);
        }
        recorder.bottleneckArrival(now);
    }

    private void drop(Verdict verdict, int message, int wire) {
        if (verdict == Verdict.DROPPED_CAPACITY) {
            dropsCapacity++;
        } else {
            dropsDynamicThreshold++;
        }
        droppedBytes += wire;
        if (drop(message, wire)) {
            if (messages.lastArrivalPs[message] <= now) {
                settle(message);
            } else {
                settleLater(message);
            }
        }
    }

    /** A slot begins: a frame is served, unless the egress is held back for being busy. */
    private void tick() {
        ticks++;
        integrateQueue();
        if (!gated || busyUntilPs <= now) {
            serve();
        }
        earliestTickPs = now + slotPs;
        tickPs = queuedFrames > 0 ? earliestTickPs : EventQueue.NEVER;
    }

    private void serve() {
        int ingress = waiting.firstFrom(0, pointer);
        pointer = ingress + 1 == ports ? 0 : ingress + 1;
        Ingress in = ingresses[ingress];
        int place = in.head++ & in.frame.length - 1;
        long joinedPs = in.joinedPs[place];
        int frame = in.frame[place];
        if (in.isEmpty()) {
            activeVoqs--;
            waiting.remove(0, ingress);
        }
        int message = frame >>> 1;
        boolean last = (frame & 1) != 0;
        int wire = last ? lastWire : fullWire;
        SharedBuffer pool = pools[poolPerIngress ? ingress : 0];
        if (marker.marks(marksByEgress ? queuedBytes : pool.used())) {
            ecnMarked++;
        }
        pool.release(wire);
        in.queuedBytes -= wire;
        queuedBytes -= wire;
        queuedFrames--;
        in.forwardedFrames++;
        forwardedFrames++;
        forwardedBytes += wire;

        long servicePs = last ? lastServicePs : fullServicePs;
        long startPs = Math.max(busyUntilPs, now);
        // Forwarding overlaps with the service of later frames: the port is busy without it (D-7, D-10).
        long freePs = Math.addExact(startPs, servicePs);
        busyUntilPs = freePs;
        busyPs += servicePs;
        passagePs += freePs - joinedPs;
        long waitPs = now - joinedPs;
        voqWaitSumPs += waitPs;
        long arrivalPs = Math.addExact(freePs, forwardingPs) + propagationPs;
        if (messages.measured[message]) {
            long offerPs = messages.offerPs[message];
            long controlPs = messages.controlPs[message];
            long sentPs = joinedPs - propagationPs - (last ? lastSerialPs : fullSerialPs);
            recorder.voqLeft(offerPs, waitPs, controlPs);
            recorder.frameDelivered(offerPs, arrivalPs - sentPs, controlPs);
        }
        recorder.bottleneckService(startPs, servicePs, Math.max(servicePs, slotPs));
        downlink.push(wire, arrivalPs, now);
        if (ackEvery > 0 && (++in.unansweredFrames >= ackEvery || last)) {
            in.unansweredFrames = 0;
            acks.push(0, arrivalPs + ackDelayPs, now - 1);
        }
        messages.lastArrivalPs[message] = arrivalPs;
        if (--messages.unsettled[message] == 0) {
            settleLater(message);
        }
    }

    /** A message is settled when its last frame arrives; frames behind that, of other messages, may settle theirs. */
    private void settleLater(int message) {
        long atPs = messages.lastArrivalPs[message];
        int ahead = MessagePool.NONE;
        int behind = MessagePool.NONE;
        if (settlingFirst != MessagePool.NONE && messages.lastArrivalPs[settlingLast] < atPs) {
            ahead = settlingLast;
        } else {
            // The last of its frames on the downlink is not the last there: only where what followed was dropped.
            behind = settlingFirst;
            while (behind != MessagePool.NONE && messages.lastArrivalPs[behind] < atPs) {
                ahead = behind;
                behind = messages.next[behind];
            }
        }
        messages.next[message] = behind;
        if (behind == MessagePool.NONE) {
            settlingLast = message;
        }
        if (ahead == MessagePool.NONE) {
            settlingFirst = message;
            settlementPs = atPs;
        } else {
            messages.next[ahead] = message;
        }
    }

    /** The frame that settles a message arrives at its host, after all that are before it on the link. */
    private void settleFirst() {
        // The event that is handled here is that of the last frame; those before it had none.
        long arrived = downlink.arrived(now);
        handled += arrived - countedFrames - 1;
        countedFrames = arrived;
        countAcks();
        int message = settlingFirst;
        settlingFirst = messages.next[message];
        settlementPs = settlingFirst == MessagePool.NONE ? EventQueue.NEVER : messages.lastArrivalPs[settlingFirst];
        settle(message);
    }

    /** Counts ACKs as events that arrived before now: a run ends with the fate of a frame, before the ACKs of that very moment arrive. */
    private void countAcks() {
        long arrived = acks.arrived(now - 1);
        handled += arrived - countedAcks;
        countedAcks = arrived;
    }

    private void integrateQueue() {
        queueIntegralPs += queuedFrames * (now - lastChangePs);
        lastChangePs = now;
    }

    /** Messages of which no frame has arrived at the switch, though the NIC has begun to send; with ACKs, such frames. */
    private long begunUnseen() {
        long count = 0;
        for (Ingress in : ingresses) {
            for (int message = in.firstMessage; message != MessagePool.NONE; message = messages.next[message]) {
                int seen = framesPerMessage - messages.unsent[message];
                if (ackEvery > 0) {
                    long begun = Math.floorDiv(now - 1 - messages.startPs[message], fullSerialPs) + 1;
                    count += Math.max(0, Math.min(framesPerMessage, begun) - seen);
                } else if (seen == 0 && messages.startPs[message] < now) {
                    count++;
                }
            }
        }
        return count;
    }

    private RunResult result() {
        // Counted where frames are, not by subtraction, so that the balance can fail.
        long unsentFrames = 0;
        long unsentLast = 0;
        long heldBytes = 0;
        long agesPs = 0;
        long[] forwardedOfIngresses = new long[ingresses.length];
        integrateQueue();
        for (int k = 0; k < ingresses.length; k++) {
            Ingress in = ingresses[k];
            for (int message = in.firstMessage; message != MessagePool.NONE; message = messages.next[message]) {
                unsentFrames += messages.unsent[message];
                unsentLast++;
            }
            heldBytes += in.queuedBytes;
            agesPs += in.agesPs(now);
            forwardedOfIngresses[k] = in.forwardedFrames;
        }
        long drops = dropsDynamicThreshold + dropsCapacity;
        Switch.requireEqual("frames arrived", arrivedFrames, forwardedFrames + drops + queuedFrames);
        Switch.requireEqual("bytes arrived", arrivedBytes, forwardedBytes + droppedBytes + heldBytes);
        // Sums may wrap round at 2^64; equal sums wrap equally.
        Switch.requireEqual("integral of the queue length (Little's law)", queueIntegralPs, voqWaitSumPs + agesPs);
        return result(
                downlink.arrived(now),
                downlink.sentBytes() - downlink.bytes(),
                unsentFrames,
                unsentLast,
                queuedFrames + downlink.frames(),
                heldBytes + downlink.bytes(),
                acks.arrived(now + ackDelayPs),
                counters(),
                forwardedOfIngresses,
                linkUse());
    }

    private SwitchCounters counters() {
        return new SwitchCounters(
                forwardedFrames,
                dropsDynamicThreshold + dropsCapacity,
                ecnMarked,
                forwardedBytes,
                Arrays.stream(pools).mapToLong(SharedBuffer::peak).max().orElse(0),
                pools[0].capacity(),
                ports,
                ticks,
                dropsDynamicThreshold,
                dropsCapacity);
    }

    private LinkUse linkUse() {
        LinkUse.Builder use = new LinkUse.Builder();
        for (int port = 0; port < hosts; port++) {
            boolean used = port == busiestEgress;
            use.add(used ? busyPs : 0, used ? passagePs : 0, used ? forwardedFrames : 0, forwardingPs + propagationPs);
        }
        return use.build();
    }
}
