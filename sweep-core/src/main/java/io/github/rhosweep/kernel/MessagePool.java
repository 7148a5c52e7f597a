package io.github.rhosweep.kernel;

import java.util.Arrays;

/** Messages as ints, like packets in {@link PacketPool}: parallel arrays that double when all are taken. */
class MessagePool {
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

    private static final String UNSTABLE =
            ". Maybe the load is above what the network carries, so that they pile up without an end; else ";

    private final int firstCapacity;
    private int firstFree = NONE;
    private int most = Integer.MAX_VALUE - 8;
    /** As many as may be taken before the arrays grow. */
    private int grownTo;
    /** Messages from here on were never taken. */
    private int untouched;

    MessagePool(int capacity) {
        this.firstCapacity = capacity;
        allocate(capacity);
    }

    private void allocate(int capacity) {
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
        grownTo = Math.min(most, capacity);
    }

    /** Messages that may be taken at once, until the next call. */
    void limit(int messages) {
        most = messages;
        grownTo = Math.min(most, next.length);
    }

    /**
     * A message of so many frames, none of them sent.
     *
     * @param now in ps, for the message of what is thrown
     * @throws RunLimitException if too many are taken, or no more fit the heap
     */
    int take(int frames, long now) {
        int message = firstFree;
        if (message != NONE) {
            firstFree = next[message];
        } else {
            if (untouched == grownTo) {
                grow(now);
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

    /** None is free. */
    private void grow(long now) {
        if (untouched == most) {
            throw new RunLimitException(
                    RunLimitException.Limit.MESSAGES,
                    "more than limits.in_flight_messages (" + most + ") messages are in flight at " + now / 1000 + " ns"
                            + UNSTABLE + "raise the limit");
        }
        int capacity = (int) Math.min(2L * next.length, Integer.MAX_VALUE - 8);
        try {
            grow(capacity);
        } catch (OutOfMemoryError full) {
            int taken = untouched;
            reset();
            allocate(firstCapacity); // what it takes to go on with other runs
            throw new RunLimitException(
                    RunLimitException.Limit.HEAP,
                    "the " + taken + " messages in flight at " + now / 1000 + " ns fill a heap of "
                            + (Runtime.getRuntime().maxMemory() >> 20) + " MiB" + UNSTABLE + "allow a larger one");
        }
        grownTo = Math.min(most, capacity);
    }

    /** Seen by a test that has no heap to fill. */
    void grow(int capacity) {
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
