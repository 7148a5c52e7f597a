package io.github.rhosweep.kernel;

import java.util.Arrays;

/**
 * All virtual output queues of a switch: one FIFO per (ingress, egress, priority), a linked list through {@link PacketPool#next}.
 * Beside them, per egress, the set of ingresses that hold a frame for it: what an iSLIP request is made of.
 */
final class VoqBank {
    private final int ports;
    /** Priorities are numbered from 0, the lowest: a power of two of them. */
    private final int priorities;

    private final int shift;
    private final PacketPool pool;
    /** Per VOQ ({@link #voq}): first and last packet, and wire bytes of all. */
    private final int[] head;

    private final int[] tail;
    private final long[] bytes;

    /** Whether the priorities are matched apart; if not, both share the sets of requests of the first. */
    private final boolean separate;
    /** Per priority, a row per egress: ingresses with a frame for it. */
    private final PortSets[] requests;
    /** Per priority, one row: egresses with any request. */
    private final PortSets[] requested;

    private int activeVoqs;
    private int frames;

    /** @param separate whether priorities are matched apart */
    VoqBank(int ports, int priorities, boolean separate, PacketPool pool) {
        this.ports = ports;
        this.priorities = priorities;
        this.shift = Integer.numberOfTrailingZeros(priorities);
        this.pool = pool;
        int voqs = Math.multiplyExact(Math.multiplyExact(ports, ports), priorities);
        this.head = new int[voqs];
        this.tail = new int[voqs];
        this.bytes = new long[voqs];
        Arrays.fill(head, PacketPool.NONE);
        this.separate = separate;
        this.requests = new PortSets[priorities];
        this.requested = new PortSets[priorities];
        for (int priority = 0; priority < priorities; priority++) {
            boolean shared = priority > 0 && !separate;
            requests[priority] = shared ? requests[0] : new PortSets(ports, ports);
            requested[priority] = shared ? requested[0] : new PortSets(1, ports);
        }
    }

    /** Whether this is what a constructor with these arguments gives. */
    boolean fits(int wantedPorts, int wantedPriorities, boolean wantedSeparate) {
        return ports == wantedPorts && priorities == wantedPriorities && separate == wantedSeparate;
    }

    /** The number of a queue: those of one egress lie together, and the priorities of a pair side by side. */
    int voq(int ingress, int egress, int priority) {
        return (egress * ports + ingress << shift) + priority;
    }

    long bytes(int voq) {
        return bytes[voq];
    }

    boolean isEmpty(int voq) {
        return head[voq] == PacketPool.NONE;
    }

    /** VOQs that hold at least one frame. */
    int activeVoqs() {
        return activeVoqs;
    }

    /** Frames in all VOQs. */
    int frames() {
        return frames;
    }

    /** A row per egress: the ingresses that hold a frame for it of a priority, or of any if they are not matched apart. */
    PortSets requests(int priority) {
        return requests[priority];
    }

    /** One row: the egresses for which any ingress holds a frame of a priority, or of any if they are not matched apart. */
    PortSets requested(int priority) {
        return requested[priority];
    }

    void push(int ingress, int egress, int priority, int packet) {
        int voq = voq(ingress, egress, priority);
        pool.next[packet] = PacketPool.NONE;
        if (head[voq] == PacketPool.NONE) {
            head[voq] = packet;
            activeVoqs++;
            requests[priority].add(egress, ingress);
            requested[priority].add(0, egress);
        } else {
            pool.next[tail[voq]] = packet;
        }
        tail[voq] = packet;
        bytes[voq] += pool.wireBytes[packet];
        frames++;
    }

    /** Takes the first packet of a queue that is not empty. */
    int pop(int ingress, int egress, int priority) {
        int voq = voq(ingress, egress, priority);
        int packet = head[voq];
        int behind = pool.next[packet];
        head[voq] = behind;
        bytes[voq] -= pool.wireBytes[packet];
        frames--;
        if (behind == PacketPool.NONE) {
            activeVoqs--;
            // The pair still requests if another priority holds a frame and is not matched apart.
            if (separate || isPairEmpty(voq)) {
                requests[priority].remove(egress, ingress);
                if (requests[priority].isEmpty(egress)) {
                    requested[priority].remove(0, egress);
                }
            }
        }
        return packet;
    }

    private boolean isPairEmpty(int voq) {
        int first = voq & -priorities;
        for (int v = first; v < first + priorities; v++) {
            if (head[v] != PacketPool.NONE) {
                return false;
            }
        }
        return true;
    }

    /** Which priority of a matched pair goes first: the head enqueued earlier, on a tie the higher one (D-6). */
    int firstPriority(int ingress, int egress) {
        if (priorities > 2) {
            return firstPriority(ingress, egress, -1);
        }
        int voq = voq(ingress, egress, 0);
        int low = head[voq];
        int high = head[voq + 1];
        if (high == PacketPool.NONE) {
            return 0;
        }
        return low == PacketPool.NONE || pool.enqueuedPs[high] <= pool.enqueuedPs[low] ? 1 : 0;
    }

    /** As {@link #firstPriority(int, int)}, among the priorities whose bits are set. */
    int firstPriority(int ingress, int egress, int among) {
        int voq = voq(ingress, egress, 0);
        int first = 0;
        long earliest = Long.MAX_VALUE;
        for (int priority = 0; priority < priorities; priority++) {
            int packet = head[voq + priority];
            if (packet != PacketPool.NONE && (among >>> priority & 1) != 0 && pool.enqueuedPs[packet] <= earliest) {
                earliest = pool.enqueuedPs[packet];
                first = priority;
            }
        }
        return first;
    }

    /** Wire bytes in all queues of an egress; visits each. */
    long queuedBytes(int egress) {
        long sum = 0;
        int end = voq(0, egress + 1, 0);
        for (int voq = voq(0, egress, 0); voq < end; voq++) {
            sum += bytes[voq];
        }
        return sum;
    }

    /** Sum over all queued frames of the time since they joined, in ps; visits every frame. */
    long agesPs(long now) {
        long sum = 0;
        for (int first : head) {
            for (int packet = first; packet != PacketPool.NONE; packet = pool.next[packet]) {
                sum += now - pool.enqueuedPs[packet];
            }
        }
        return sum;
    }

    /** Forgets all frames; costs as much as there are queues in use. */
    void clear() {
        for (int c = 0; c < requests.length; c++) {
            for (int egress; (egress = requested[c].firstFrom(0, 0)) >= 0; ) {
                for (int ingress; (ingress = requests[c].firstFrom(egress, 0)) >= 0; ) {
                    for (int priority = 0; priority < priorities; priority++) {
                        int voq = voq(ingress, egress, priority);
                        head[voq] = PacketPool.NONE;
                        bytes[voq] = 0;
                    }
                    requests[c].remove(egress, ingress);
                }
                requested[c].remove(0, egress);
            }
        }
        activeVoqs = 0;
        frames = 0;
    }

    /** Data frames in all queues, and their wire bytes: {frames, bytes, packets}; visits every frame. */
    long[] data() {
        long[] sums = new long[3];
        for (int first : head) {
            pool.addData(first, sums);
        }
        return sums;
    }
}
