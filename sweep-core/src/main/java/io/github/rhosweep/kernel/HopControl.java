package io.github.rhosweep.kernel;

import io.github.rhosweep.scenario.FlowControlSpec;
import io.github.rhosweep.scenario.SwitchSpec;
import java.util.Arrays;

/**
 * What each ingress of each switch holds, class by class where PFC pauses classes, and what that means for whoever sends to it: PFC (IEEE 802.1Qbb: pause beyond XOFF, go on
 * below XON) or credits (a sender may have as much under way as the ingress advertises). Ingresses have the numbers of their ends
 * ({@link Cabling}).
 */
final class HopControl {
    private final FlowControlSpec spec;
    private final Cabling cabling;
    /** Bytes of each ingress's pool less the headrooms of all. */
    private final double sharedPool;

    private final double share;
    private final long frameBytes;
    /** What is held and paused by itself at an ingress: the classes of frames, or 1 if the port is. */
    final int groups;
    /** Per ingress and group: wire bytes of its frames in the switch. */
    private final long[] held;
    /** Per ingress and group: whether its upstream was told to stop. */
    private final boolean[] paused;
    /** Per switch: bytes held by all, and ingresses that are paused. */
    private final long[] heldBySwitch;

    private final PortSets[] pausedOf;
    /** Per ingress: bytes that its upstream may still send. */
    private final long[] credit;

    private int pausedCount;

    /** @param frameBytes wire bytes of the largest frame: a sender with less credit waits */
    HopControl(FlowControlSpec spec, SwitchSpec sw, Cabling cabling, long frameBytes) {
        this.spec = spec;
        this.cabling = cabling;
        this.frameBytes = frameBytes;
        this.groups = spec.pausedClasses() == 1 ? 1 : sw.priorityClasses().count();
        double shares = (double) sw.portCount() * spec.pausedClasses();
        this.sharedPool = sw.bufferCapacityBytes() - shares * spec.headroomBytes();
        this.share = sharedPool / shares;
        this.held = new long[cabling.ends() * groups];
        this.paused = new boolean[cabling.ends() * groups];
        this.heldBySwitch = new long[cabling.switches];
        this.pausedOf = new PortSets[cabling.switches];
        Arrays.setAll(pausedOf, s -> new PortSets(1, cabling.ports(s) * groups));
        this.credit = new long[cabling.ends()];
        Arrays.fill(credit, spec.creditBytes());
    }

    boolean isPfc() {
        return spec.kind() == FlowControlSpec.Kind.PFC;
    }

    /** A frame has joined its VOQ: whether its upstream is to be told to stop now. */
    boolean arrived(int ingress, int group, int wire) {
        int at = ingress * groups + group;
        held[at] += wire;
        int sw = cabling.switchOf[ingress];
        heldBySwitch[sw] += wire;
        if (!isPfc() || paused[at] || held[at] <= spec.xoffFraction() * share(sw)) {
            return false;
        }
        paused[at] = true;
        pausedOf[sw].add(0, cabling.portOf[ingress] * groups + group);
        pausedCount++;
        return true;
    }

    /** A frame has left its VOQ. */
    void left(int ingress, int group, int wire) {
        held[ingress * groups + group] -= wire;
        heldBySwitch[cabling.switchOf[ingress]] -= wire;
    }

    /** An ingress x groups + group of a switch whose upstream may go on, and counts as told so from now on; -1 if there is none. */
    int nextToResume(int sw) {
        PortSets set = pausedOf[sw];
        for (int w = 0; w < set.words; w++) {
            for (long rest = set.bits[w]; rest != 0; rest &= rest - 1) {
                int number = (w << 6) + Long.numberOfTrailingZeros(rest);
                int at = cabling.end(sw, 0) * groups + number;
                if (held[at] < xon(sw)) {
                    paused[at] = false;
                    set.remove(0, number);
                    pausedCount--;
                    return at;
                }
            }
        }
        return -1;
    }

    private double share(int sw) {
        return spec.threshold() == FlowControlSpec.Threshold.STATIC
                ? share
                : spec.alpha() * Math.max(0, sharedPool - heldBySwitch[sw]);
    }

    /** Below the pause by the same factor; at least a byte, so that an empty ingress never stays paused. */
    private double xon(int sw) {
        return Math.max(1, spec.xonFraction() * share(sw));
    }

    /** Whether there are as many pauses as it takes to make a circle. */
    boolean hasPauses() {
        return pausedCount > 1;
    }

    /** A frame goes to an ingress: whether its sender has to wait for credit now. */
    boolean spend(int ingress, int wire) {
        credit[ingress] -= wire;
        return credit[ingress] < frameBytes;
    }

    /** Credit comes back to the sender of an ingress: whether it had to wait and need not any more. */
    boolean earn(int ingress, int wire) {
        boolean waited = credit[ingress] < frameBytes;
        credit[ingress] += wire;
        return waited && credit[ingress] >= frameBytes;
    }

    /**
     * Whether some ingresses can never let their upstream go on. Starting from all that hold theirs back, those are struck out whose
     * frames for egresses that are not held back by one of the rest will leave, and take what they hold below the mark; what remains
     * waits in a circle (Dally and Seitz 1987: a cycle in the channel dependency graph, here one that is full).
     */
    boolean isDeadlocked(Switch[] switches) {
        boolean[] stuck = new boolean[cabling.ends() * groups];
        int left = 0;
        for (int at = cabling.hosts * groups; at < stuck.length; at++) {
            int end = at / groups;
            stuck[at] = cabling.peer[end] >= cabling.hosts && (isPfc() ? paused[at] : credit[end] < frameBytes);
            left += stuck[at] ? 1 : 0;
        }
        for (boolean changed = true; changed && left > 0; ) {
            changed = false;
            for (int at = cabling.hosts * groups; at < stuck.length; at++) {
                if (stuck[at] && !staysStuck(at / groups, at % groups, stuck, switches)) {
                    stuck[at] = false;
                    left--;
                    changed = true;
                }
            }
        }
        return left > 0;
    }

    private boolean staysStuck(int ingress, int group, boolean[] stuck, Switch[] switches) {
        int sw = cabling.switchOf[ingress];
        long waits = 0;
        for (int port = 0; port < cabling.ports(sw); port++) {
            int next = cabling.peer[cabling.end(sw, port)];
            if (next >= cabling.hosts && stuck[next * groups + group]) {
                waits += groups == 1
                        ? switches[sw].queuedForPair(cabling.portOf[ingress], port)
                        : switches[sw].queuedForPair(cabling.portOf[ingress], port, group);
            }
        }
        if (!isPfc()) {
            return spec.creditBytes() - waits < frameBytes;
        }
        double mark = spec.threshold() == FlowControlSpec.Threshold.STATIC
                ? xon(sw)
                // The most that it can become when all else has left.
                : Math.max(1, spec.xonFraction() * spec.alpha() * Math.max(0, sharedPool - waits));
        return waits > 0 && waits >= mark;
    }
}
