package io.github.rhosweep.result;

import java.util.Arrays;

/** What became of each measured message of a run: its ends, when it was offered, when it was complete. Parallel arrays, in order of offers. */
public final class FlowLog {
    private static final long NEVER = -1;

    private int size;
    private long[] id = new long[64];
    private int[] source = new int[64];
    private int[] destination = new int[64];
    private long[] bytes = new long[64];
    private long[] startPs = new long[64];
    private long[] completionPs = new long[64];
    private long[] retransmitted = new long[64];
    private boolean[] lost = new boolean[64];

    /**
     * A message is offered.
     *
     * @param id what its workload calls it
     * @return its number here
     */
    public int offered(long id, int from, int to, long payload, long nowPs) {
        if (size == source.length) {
            int capacity = Math.multiplyExact(size, 2);
            this.id = Arrays.copyOf(this.id, capacity);
            source = Arrays.copyOf(source, capacity);
            destination = Arrays.copyOf(destination, capacity);
            bytes = Arrays.copyOf(bytes, capacity);
            startPs = Arrays.copyOf(startPs, capacity);
            completionPs = Arrays.copyOf(completionPs, capacity);
            retransmitted = Arrays.copyOf(retransmitted, capacity);
            lost = Arrays.copyOf(lost, capacity);
        }
        this.id[size] = id;
        source[size] = from;
        destination[size] = to;
        bytes[size] = payload;
        startPs[size] = nowPs;
        completionPs[size] = NEVER;
        return size++;
    }

    /** A message that what it waited for never let start. */
    public void neverOffered(long id, int from, int to, long payload) {
        offered(id, from, to, payload, NEVER);
    }

    /** The last frame of a message has arrived. */
    public void completed(int number, long nowPs) {
        completionPs[number] = nowPs;
    }

    /** A frame of a message was dropped for good. */
    public void lost(int number) {
        lost[number] = true;
    }

    /** A frame of a message is sent once more. */
    public void retransmitted(int number) {
        retransmitted[number]++;
    }

    /** How many there are. */
    public int size() {
        return size;
    }

    /** What the workload calls it: a file's own id, else its number in the order of offers, from 1. */
    public long id(int number) {
        return id[number];
    }

    /** The host that sends. */
    public int source(int number) {
        return source[number];
    }

    /** The host that receives. */
    public int destination(int number) {
        return destination[number];
    }

    /** Payload, in bytes. */
    public long bytes(int number) {
        return bytes[number];
    }

    /** When it was offered, in ps; negative if it never was. */
    public long startPs(int number) {
        return startPs[number];
    }

    /** When its last frame arrived, in ps; negative if it did not. */
    public long completionPs(int number) {
        return completionPs[number];
    }

    /** Frames of it that were sent once more. */
    public long retransmittedFrames(int number) {
        return retransmitted[number];
    }

    /** Whether it was lost. */
    public boolean isLost(int number) {
        return lost[number];
    }
}
