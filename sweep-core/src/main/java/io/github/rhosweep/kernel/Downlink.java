package io.github.rhosweep.kernel;

import java.util.Arrays;

/**
 * The frames on a link to a host, in a ring: nothing is done as one of them arrives, but who asks is told how many have. Frames
 * must not overtake each other.
 */
final class Downlink {
    private static final int FIRST_CAPACITY = 64;

    /** A power of two of places each; frame n is at place n modulo their number. */
    private long[] arrivalPs = new long[FIRST_CAPACITY];

    private int[] wireBytes = new int[FIRST_CAPACITY];
    private long sent;
    /** Frames known to have arrived. */
    private long arrived;

    private long sentBytes;

    /**
     * Puts a frame on the link.
     *
     * @param arrivesPs when it arrives at the other end, in ps, not before the frame ahead of it
     * @param now in ps, never before an earlier call
     */
    void push(int wire, long arrivesPs, long now) {
        if (sent - arrived == arrivalPs.length) {
            makeRoom(now);
        }
        int place = (int) sent & arrivalPs.length - 1;
        arrivalPs[place] = arrivesPs;
        wireBytes[place] = wire;
        sentBytes += wire;
        sent++;
    }

    private void makeRoom(long now) {
        int old = arrivalPs.length;
        if (sent - arrived(now) <= old / 2) {
            return;
        }
        // Frame n moves to place n modulo twice the number: to where it was, or to the same place of the other half.
        arrivalPs = Arrays.copyOf(arrivalPs, 2 * old);
        wireBytes = Arrays.copyOf(wireBytes, 2 * old);
        System.arraycopy(arrivalPs, 0, arrivalPs, old, old);
        System.arraycopy(wireBytes, 0, wireBytes, old, old);
    }

    /**
     * Frames that have arrived since the run began.
     *
     * @param now in ps, never before an earlier call; what arrives at this moment has arrived
     */
    long arrived(long now) {
        while (arrived < sent && arrivalPs[(int) arrived & arrivalPs.length - 1] <= now) {
            arrived++;
        }
        return arrived;
    }

    /** Frames not known to have arrived. */
    long frames() {
        return sent - arrived;
    }

    /** Their wire bytes; visits each. */
    long bytes() {
        long sum = 0;
        for (long frame = arrived; frame < sent; frame++) {
            sum += wireBytes[(int) frame & wireBytes.length - 1];
        }
        return sum;
    }

    /** Wire bytes of all frames sent. */
    long sentBytes() {
        return sentBytes;
    }
}
