package io.github.rhosweep.kernel;

import java.util.Arrays;

/** Links with the frames on them: each a FIFO through {@link PacketPool#next}, since what enters a link last leaves it last. */
final class LinkBank {
    private final PacketPool pool;
    private final int[] head;
    private final int[] tail;

    LinkBank(int links, PacketPool pool) {
        this.pool = pool;
        this.head = new int[links];
        this.tail = new int[links];
        clear();
    }

    /** Forgets all frames. */
    void clear() {
        Arrays.fill(head, PacketPool.NONE);
    }

    /**
     * Puts a frame on a link.
     *
     * @param arrivalPs when it arrives at the other end, not before the frame ahead of it
     * @return whether the link was empty, so that this frame is its next event
     */
    boolean push(int link, int packet, long arrivalPs) {
        pool.arrivalPs[packet] = arrivalPs;
        pool.next[packet] = PacketPool.NONE;
        boolean empty = head[link] == PacketPool.NONE;
        if (empty) {
            head[link] = packet;
        } else {
            pool.next[tail[link]] = packet;
        }
        tail[link] = packet;
        return empty;
    }

    /** Takes the frame that arrives first. */
    int pop(int link) {
        int packet = head[link];
        head[link] = pool.next[packet];
        return packet;
    }

    /** When the first frame of a link arrives, in ps; {@link EventQueue#NEVER} if there is none. */
    long nextArrivalPs(int link) {
        int first = head[link];
        return first == PacketPool.NONE ? EventQueue.NEVER : pool.arrivalPs[first];
    }

    /** When the first packet of a kind arrives, in ps; {@link EventQueue#NEVER} if there is none. */
    long nextArrivalPs(int link, byte kind) {
        int packet = head[link];
        while (packet != PacketPool.NONE && pool.kind[packet] != kind) {
            packet = pool.next[packet];
        }
        return packet == PacketPool.NONE ? EventQueue.NEVER : pool.arrivalPs[packet];
    }

    /** When the first frame of a link arrives that has a message, in ps; {@link EventQueue#NEVER} if there is none. */
    long nextSettlementPs(int link) {
        int packet = head[link];
        while (packet != PacketPool.NONE && pool.message[packet] == MessagePool.NONE) {
            packet = pool.next[packet];
        }
        return packet == PacketPool.NONE ? EventQueue.NEVER : pool.arrivalPs[packet];
    }

    /** Wire bytes of all frames on all links; visits every frame. */
    long bytes() {
        long sum = 0;
        for (int first : head) {
            for (int packet = first; packet != PacketPool.NONE; packet = pool.next[packet]) {
                sum += pool.wireBytes[packet];
            }
        }
        return sum;
    }

    /** Frames on all links; visits every frame. */
    long frames() {
        long count = 0;
        for (int first : head) {
            for (int packet = first; packet != PacketPool.NONE; packet = pool.next[packet]) {
                count++;
            }
        }
        return count;
    }

    /** Data frames on all links, and their wire bytes: {frames, bytes, packets}; visits every frame. */
    long[] data() {
        long[] sums = new long[3];
        for (int first : head) {
            pool.addData(first, sums);
        }
        return sums;
    }
}
