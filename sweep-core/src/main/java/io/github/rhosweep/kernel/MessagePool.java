package io.github.rhosweep.kernel;

import java.util.Arrays;

/** Messages as ints, like packets in {@link PacketPool}: parallel arrays that double when all are taken. */
final class MessagePool {
    /** Ends a list. */
    static final int NONE = -1;

    /** The message behind this one in the list that holds both. */
    int[] next;
    /** When it was offered, in ps. */
    long[] offerPs;
    /** What the control variate said at its offer, in ps. */
    long[] controlPs;

    /** When the NIC begins to transmit its next frame, in ps; only where that is known at the offer. */
    long[] startPs;

    int[] source;
    int[] destination;
    /** Frames that its NIC has not begun to transmit. */
    int[] unsent;
    /** Frames of which it is not known whether and when they arrive. */
    int[] unsettled;
    /** The frame that arrives last of those known to arrive, and when, in ps; before all time if there is none. */
    int[] lastPacket;

    long[] lastArrivalPs;
    /** Whether it is one of those that are measured. */
    boolean[] measured;
    /** Whether a frame was dropped. */
    boolean[] lost;
    /** Payload, where messages differ. */
    long[] payloadBytes;
    /** Frames, where messages differ. */
    int[] frames;
    /** Number of its first frame in its flow, where frames are numbered. */
    long[] firstPsn;
    /** Its number in the schedule, where there is one. */
    int[] scheduled;

    /** Its number in the log of flows; only where there is one and it is measured. */
    int[] logged;

    private int firstFree = NONE;
    /** Messages from here on were never taken. */
    private int untouched;

    MessagePool(int capacity) {
        next = new int[capacity];
        offerPs = new long[capacity];
        controlPs = new long[capacity];
        startPs = new long[capacity];
        source = new int[capacity];
        destination = new int[capacity];
        unsent = new int[capacity];
        unsettled = new int[capacity];
        lastPacket = new int[capacity];
        lastArrivalPs = new long[capacity];
        measured = new boolean[capacity];
        lost = new boolean[capacity];
        payloadBytes = new long[capacity];
        frames = new int[capacity];
        firstPsn = new long[capacity];
        scheduled = new int[capacity];
        logged = new int[capacity];
    }

    /** A message of so many frames, none of them sent. */
    int take(int frames) {
        int message = firstFree;
        if (message != NONE) {
            firstFree = next[message];
        } else {
            if (untouched == next.length) {
                grow();
            }
            message = untouched++;
        }
        next[message] = NONE;
        unsent[message] = frames;
        unsettled[message] = frames;
        lastArrivalPs[message] = Long.MIN_VALUE;
        lost[message] = false;
        return message;
    }

    void free(int message) {
        next[message] = firstFree;
        firstFree = message;
    }

    /** Takes all messages back, whoever holds them. */
    void reset() {
        firstFree = NONE;
        untouched = 0;
    }

    private void grow() {
        int capacity = Math.multiplyExact(next.length, 2);
        next = Arrays.copyOf(next, capacity);
        offerPs = Arrays.copyOf(offerPs, capacity);
        controlPs = Arrays.copyOf(controlPs, capacity);
        startPs = Arrays.copyOf(startPs, capacity);
        source = Arrays.copyOf(source, capacity);
        destination = Arrays.copyOf(destination, capacity);
        unsent = Arrays.copyOf(unsent, capacity);
        unsettled = Arrays.copyOf(unsettled, capacity);
        lastPacket = Arrays.copyOf(lastPacket, capacity);
        lastArrivalPs = Arrays.copyOf(lastArrivalPs, capacity);
        measured = Arrays.copyOf(measured, capacity);
        lost = Arrays.copyOf(lost, capacity);
        payloadBytes = Arrays.copyOf(payloadBytes, capacity);
        frames = Arrays.copyOf(frames, capacity);
        firstPsn = Arrays.copyOf(firstPsn, capacity);
        scheduled = Arrays.copyOf(scheduled, capacity);
        logged = Arrays.copyOf(logged, capacity);
    }
}
