package io.github.rhosweep.kernel;

import io.github.rhosweep.scenario.FlowControlSpec;
import io.github.rhosweep.scenario.SwitchSpec;
import java.util.Objects;

/**
 * Hop-by-hop flow control at work: word that ingresses send to whoever sends to them ({@link HopControl} decides when), and which
 * ends are held back by it, until they are let go or a watchdog loses patience.
 */
final class Pauses {
    /** Told of ends that may not send any more, or again. */
    interface Senders {
        void heldBack(int end, int group);

        void letGo(int end, int group, long now);
    }

    /** What ingresses hold, and whom that concerns. */
    final HopControl hops;

    /** Pauses that ingresses sent. */
    long sent;

    private final FabricState state;
    private final PacketPool packets;
    private final FabricEvents events;
    private final Senders senders;
    private final LinkBank signals;
    private final int groups;
    private final boolean pfc;
    private final boolean credits;
    private final long watchdogPs;
    /** Per end and group: since when it is held back, in ps. */
    private final long[] stoppedSincePs;
    /** Time for which ends were held back that are not any more, in ps. */
    private long stoppedPs;

    Pauses(FabricState state, Senders senders) {
        FlowControlSpec spec = state.scenario.flowControl();
        Cabling cabling = state.cabling;
        this.state = state;
        this.packets = state.packets;
        this.events = state.events;
        this.senders = senders;
        this.groups = state.groups;
        this.pfc = spec.kind() == FlowControlSpec.Kind.PFC;
        this.credits = spec.kind() == FlowControlSpec.Kind.CREDIT;
        this.watchdogPs = spec.watchdogPs();
        this.hops = new HopControl(
                spec,
                Objects.requireNonNull(state.scenario.switchSpec()),
                cabling,
                Math.max(
                        state.scenario.traffic().fullFrameWireBytes(),
                        state.scenario.transport().responseBytes()));
        this.signals = new LinkBank(cabling.ends(), packets);
        this.stoppedSincePs = new long[cabling.ends() * groups];
    }

    /** Whether ingresses say what they can take, instead of when they have had enough. */
    boolean areCredits() {
        return credits;
    }

    /** A frame has joined its VOQ: whether its upstream is told to stop now. */
    boolean arrived(int ingress, int group, int wireBytes, long now) {
        if (!hops.arrived(ingress, group, wireBytes)) {
            return false;
        }
        sent++;
        signal(ingress, FrameKind.STOP, 0, group, now);
        return true;
    }

    /** A frame leaves a switch: its ingress has room again, and the one that it goes to has less. */
    void left(int ingress, int egress, int group, int wireBytes, long now) {
        hops.left(ingress, group, wireBytes);
        if (credits) {
            signal(ingress, FrameKind.CREDIT, wireBytes, 0, now);
            int link = state.cabling.peer[egress];
            if (link >= state.hosts) {
                spend(egress, link, wireBytes, now);
            }
        }
    }

    /** An end sends a frame to an ingress: with credits it may have to wait from now on. */
    void spend(int end, int ingress, int wireBytes, long now) {
        if (credits && hops.spend(ingress, wireBytes)) {
            stop(end, 0, now);
        }
    }

    /** A switch has ticked: lets those go on for whom there is room again. */
    void ticked(int sw, long now) {
        if (pfc) {
            for (int at; (at = hops.nextToResume(sw)) >= 0; ) {
                signal(at / groups, FrameKind.GO, 0, at % groups, now);
            }
        }
    }

    /** An ingress sends word to its upstream. */
    private void signal(int ingress, byte kind, int bytes, int group, long now) {
        int packet = packets.take(bytes, 0);
        packets.kind[packet] = kind;
        packets.priority[packet] = (byte) group;
        long arrival = now
                + SwitchSpec.serialisationPs(FlowControlSpec.PAUSE_BYTES, state.cabling.bandwidth[ingress])
                + state.cabling.propagationPs[ingress];
        if (signals.push(ingress, packet, arrival)) {
            events.schedule(events.firstSignal + ingress, arrival);
        }
    }

    /** Word of an ingress has come to the end that sends to it. */
    void signalled(int ingress, long now) {
        int packet = signals.pop(ingress);
        events.schedule(events.firstSignal + ingress, signals.nextArrivalPs(ingress));
        byte kind = packets.kind[packet];
        int bytes = packets.wireBytes[packet];
        int group = packets.priority[packet];
        packets.free(packet);
        int sender = state.cabling.peer[ingress];
        int watched = events.firstWatchdog + sender * groups + group;
        if (kind == FrameKind.STOP) {
            stop(sender, group, now);
            if (watchdogPs != Long.MAX_VALUE) {
                events.schedule(watched, now + watchdogPs);
            }
        } else if (kind == FrameKind.GO) {
            if (watchdogPs != Long.MAX_VALUE) {
                events.schedule(watched, EventQueue.NEVER);
            }
            go(sender, group, now);
        } else if (hops.earn(ingress, bytes)) {
            go(sender, group, now);
        }
    }

    private void stop(int sender, int group, long now) {
        if ((state.stopped[sender] >>> group & 1) != 0) {
            return;
        }
        state.stopped[sender] |= 1 << group;
        stoppedSincePs[sender * groups + group] = now;
        senders.heldBack(sender, group);
    }

    private void go(int sender, int group, long now) {
        if ((state.stopped[sender] >>> group & 1) == 0) {
            return;
        }
        state.stopped[sender] &= ~(1 << group);
        stoppedPs += now - stoppedSincePs[sender * groups + group];
        senders.letGo(sender, group, now);
    }

    /** A sender was paused for too long: it goes on as if it had not been. */
    void watchdog(int number, long now) {
        events.schedule(events.firstWatchdog + number, EventQueue.NEVER);
        go(number / groups, number % groups, now);
    }

    /** Time for which ends were held back until now, in ps, of all ends and groups. */
    long stoppedPs(long now) {
        long sum = stoppedPs;
        for (int at = 0; at < stoppedSincePs.length; at++) {
            sum += (state.stopped[at / groups] >>> at % groups & 1) != 0 ? now - stoppedSincePs[at] : 0;
        }
        return sum;
    }

    /** Ends that are held back. */
    long stoppedEnds() {
        long stops = 0;
        for (int each : state.stopped) {
            stops += each == 0 ? 0 : 1;
        }
        return stops;
    }

    /** Pauses and credits under way; visits each. */
    long underWay() {
        return signals.frames();
    }
}
