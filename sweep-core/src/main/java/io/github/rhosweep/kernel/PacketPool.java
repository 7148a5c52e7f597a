package io.github.rhosweep.kernel;

import java.util.Arrays;

/**
 * Packets as ints: packet p's fields are element p of parallel arrays. Freed packets are reused, the arrays double when all are
 * taken, so that a run in steady state allocates nothing.
 *
 * <p>Who holds a packet may use {@link #next} to keep it in a list of its own: a VOQ, a link or the list of free packets, never two
 * at a time.
 */
public final class PacketPool {
    /** Ends a list. */
    static final int NONE = -1;

    /** The packet behind this one in the list that holds both. */
    int[] next;
    /** What the link carries and the buffer holds. */
    int[] wireBytes;
    /** What the message gains; 0 makes a control frame. */
    int[] payloadBytes;
    /** When it joined its VOQ, in ps. */
    long[] enqueuedPs;
    /** When the link that carries it delivers it, in ps. */
    long[] arrivalPs;
    /** When its sender began to transmit it, in ps. */
    long[] sentPs;
    /** The message that it is part of. */
    int[] message;
    /** Whether a switch marked it (ECN). */
    boolean[] marked;
    /** The flow that it belongs to, where there are flows. */
    int[] flow;
    /** Data: number of the frame in its flow. Response: what it acknowledges. */
    long[] psn;
    /** Response: what it asks for. Data: the hosts of its message that it goes to, a bit each. */
    long[] wants;
    /** What it is: a constant of its user. */
    byte[] kind;
    /** Its class at switches that tell more of them than data and control. */
    byte[] priority;

    private int firstFree = NONE;
    /** Packets from here on were never taken. */
    private int untouched;

    private int inUse;

    /** @param capacity packets that fit before the arrays grow, at least 1 */
    public PacketPool(int capacity) {
        next = new int[capacity];
        wireBytes = new int[capacity];
        payloadBytes = new int[capacity];
        enqueuedPs = new long[capacity];
        arrivalPs = new long[capacity];
        sentPs = new long[capacity];
        message = new int[capacity];
        marked = new boolean[capacity];
        flow = new int[capacity];
        psn = new long[capacity];
        wants = new long[capacity];
        kind = new byte[capacity];
        priority = new byte[capacity];
    }

    /** A packet of so many bytes, unmarked. */
    public int take(int wire, int payload) {
        int packet = firstFree;
        if (packet != NONE) {
            firstFree = next[packet];
        } else {
            if (untouched == next.length) {
                grow();
            }
            packet = untouched++;
        }
        inUse++;
        wireBytes[packet] = wire;
        payloadBytes[packet] = payload;
        marked[packet] = false;
        return packet;
    }

    /** Gives a packet back. */
    public void free(int packet) {
        next[packet] = firstFree;
        firstFree = packet;
        inUse--;
    }

    /** Adds the data frames of a list to {frames, wire bytes, packets}: a packet counts as a frame for each host that it goes to. */
    void addData(int first, long[] sums) {
        for (int packet = first; packet != NONE; packet = next[packet]) {
            if (payloadBytes[packet] > 0) {
                int hosts = Long.bitCount(wants[packet]);
                sums[0] += hosts;
                sums[1] += (long) hosts * wireBytes[packet];
                sums[2]++;
            }
        }
    }

    /** Packets of a list. */
    int length(int first) {
        int count = 0;
        for (int packet = first; packet != NONE; packet = next[packet]) {
            count++;
        }
        return count;
    }

    /** Packets taken and not given back. */
    public int inUse() {
        return inUse;
    }

    /** Whether a switch marked the packet. */
    public boolean isMarked(int packet) {
        return marked[packet];
    }

    /** When the packet joined the VOQ that it is in or was in last, in ps. */
    public long enqueuedPs(int packet) {
        return enqueuedPs[packet];
    }

    /** Takes all packets back, whoever holds them. */
    void reset() {
        firstFree = NONE;
        untouched = 0;
        inUse = 0;
    }

    private void grow() {
        int capacity = Math.multiplyExact(next.length, 2);
        next = Arrays.copyOf(next, capacity);
        wireBytes = Arrays.copyOf(wireBytes, capacity);
        payloadBytes = Arrays.copyOf(payloadBytes, capacity);
        enqueuedPs = Arrays.copyOf(enqueuedPs, capacity);
        arrivalPs = Arrays.copyOf(arrivalPs, capacity);
        sentPs = Arrays.copyOf(sentPs, capacity);
        message = Arrays.copyOf(message, capacity);
        marked = Arrays.copyOf(marked, capacity);
        flow = Arrays.copyOf(flow, capacity);
        psn = Arrays.copyOf(psn, capacity);
        wants = Arrays.copyOf(wants, capacity);
        kind = Arrays.copyOf(kind, capacity);
        priority = Arrays.copyOf(priority, capacity);
    }
}
