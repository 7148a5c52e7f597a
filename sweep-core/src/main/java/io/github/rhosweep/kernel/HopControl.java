package io.github.rhosweep.kernel;

import io.github.rhosweep.scenario.FlowControlSpec;
import io.github.rhosweep.scenario.SwitchSpec;
import java.util.Arrays;

/**
 * What each ingress of each switch holds, and what that means for whoever sends to it: PFC (IEEE 802.1Qbb: pause beyond XOFF, go on
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
    /** Per ingress: wire bytes of its frames in the switch. */
    private final long[] held;
    /** Per ingress: whether its upstream was told to stop. */
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
        this.sharedPool = sw.bufferCapacityBytes() - (double) sw.portCount() * spec.headroomBytes();
        this.share = sharedPool / sw.portCount();
        this.held = new long[cabling.ends()];
        this.paused = new boolean[cabling.ends()];
        this.heldBySwitch = new long[cabling.switches];
        this.pausedOf = new PortSets[cabling.switches];
        Arrays.setAll(pausedOf, s -> new PortSets(1, cabling.ports(s)));
        this.credit = new long[cabling.ends()];
        Arrays.fill(credit, spec.creditBytes());
    }

    boolean isPfc() {
        return spec.kind() == FlowControlSpec.Kind.PFC;
    }

    /** A frame has joined its VOQ: whether its upstream is to be told to stop now. */
    boolean arrived(int ingress, int wire) {
        held[ingress] += wire;
        int sw = cabling.switchOf[ingress];
        heldBySwitch[sw] += wire;
        if (!isPfc() || paused[ingress] || held[ingress] <= spec.xoffFraction() * share(sw)) {
            return false;
        }
        paused[ingress] = true;
        pausedOf[sw].add(0, cabling.portOf[ingress]);
        pausedCount++;
        return true;
    }

    /** A frame has left its VOQ. */
    void left(int ingress, int wire) {
        held[ingress] -= wire;
        heldBySwitch[cabling.switchOf[ingress]] -= wire;
    }

    /** An ingress of a switch whose upstream may go on, and counts as told so from now on; -1 if there is none. */
    int nextToResume(int sw) {
        PortSets set = pausedOf[sw];
        for (int w = 0; w < set.words; w++) {
            for (long rest = set.bits[w]; rest != 0; rest &= rest - 1) {
                int port = (w << 6) + Long.numberOfTrailingZeros(rest);
                int ingress = cabling.end(sw, port);
                if (held[ingress] < xon(sw)) {
                    resume(ingress);
                    return ingress;
                }
            }
        }
        return -1;
    }

    private void resume(int ingress) {
        paused[ingress] = false;
        pausedOf[cabling.switchOf[ingress]].remove(0, cabling.portOf[ingress]);
        pausedCount--;
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

    boolean isPaused(int ingress) {
        return paused[ingress];
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
        boolean[] stuck = new boolean[cabling.ends()];
        int left = 0;
        for (int end = cabling.hosts; end < stuck.length; end++) {
            stuck[end] = cabling.peer[end] >= cabling.hosts && (isPfc() ? paused[end] : credit[end] < frameBytes);
            left += stuck[end] ? 1 : 0;
        }
        for (boolean changed = true; changed && left > 0; ) {
            changed = false;
            for (int end = cabling.hosts; end < stuck.length; end++) {
                if (stuck[end] && !staysStuck(end, stuck, switches)) {
                    stuck[end] = false;
                    left--;
                    changed = true;
                }
            }
        }
        return left > 0;
    }

    private boolean staysStuck(int ingress, boolean[] stuck, Switch[] switches) {
        int sw = cabling.switchOf[ingress];
        long waits = 0;
        for (int port = 0; port < cabling.ports(sw); port++) {
            int next = cabling.peer[cabling.end(sw, port)];
            if (next >= cabling.hosts && stuck[next]) {
                waits += switches[sw].queuedForPair(cabling.portOf[ingress], port);
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
