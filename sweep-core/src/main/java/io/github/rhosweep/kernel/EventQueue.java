package io.github.rhosweep.kernel;

import java.util.Arrays;

/**
 * The pending events: at most one per server (a link, a switch's ticks, a NIC, a source), as a tournament tree (Knuth, TAOCP 3,
 * 5.4.1) over servers. At equal times the server of the lower number wins, so that the order of events is (time, server) whatever
 * the order of scheduling. Scheduling costs the logarithm of the number of servers, however many frames are under way.
 */
final class EventQueue {
    /** The time of a server that has nothing to do. */
    static final long NEVER = Long.MAX_VALUE;

    /** Levels above the leaves, and so the bits of a key that hold the server, below those of the time. */
    private final int levels;

    private final int leaves;
    private final long latestPs;
    /**
     * Node k has the children 2k and 2k+1; server s is the leaf {@code leaves + s}, the root is 1. Each node holds the least key below
     * it, a key being time and server in one word: half the memory traffic of two arrays, and the tie-break comes with the comparison.
     */
    private final long[] key;

    private final int servers;

    EventQueue(int servers) {
        this.servers = servers;
        levels = Math.max(1, 32 - Integer.numberOfLeadingZeros(servers - 1));
        leaves = 1 << levels;
        latestPs = NEVER >> levels;
        key = new long[2 * leaves];
        clear();
    }

    /** Leaves no event pending. */
    void clear() {
        Arrays.fill(key, NEVER);
    }

    /**
     * Sets when the one event of a server is due, in ps; {@link #NEVER} if it has none.
     *
     * @throws ArithmeticException if the time is beyond what a key holds: 19 minutes with 1024 hosts, days with ten
     */
    void schedule(int server, long at) {
        long least = keyOf(server, at);
        int node = leaves + server;
        key[node] = least;
        // Which child wins is as good as random: a branch on it would cost more than all else here. Keys are 0 or more,
        // so
        // that no difference overflows.
        for (int level = 0; level < levels; level++) {
            long difference = key[node ^ 1] - least;
            least += difference & (difference >> 63);
            node >>= 1;
            key[node] = least;
        }
    }

    /**
     * The key of an event of a server: keys are in the order of (time, server). For events that are so frequent that the caller
     * compares them with {@link #nextKey} itself instead of scheduling them.
     *
     * @throws ArithmeticException as {@link #schedule}
     */
    long keyOf(int server, long at) {
        if (at < latestPs) {
            return at << levels | server;
        }
        if (at != NEVER) {
            throw new ArithmeticException("simulated time exceeds " + latestPs / 1_000_000_000_000L + " s");
        }
        return NEVER;
    }

    /** The key of the next event; {@link #NEVER} if none is pending. */
    long nextKey() {
        return key[1];
    }

    /** When the next event is due, in ps; {@link #NEVER} if none is pending. */
    long nextTime() {
        return timeOfKey(key[1]);
    }

    /** The server whose event is next, if any is pending. */
    int nextServer() {
        return serverOfKey(key[1]);
    }

    /** The server in a key. */
    int serverOfKey(long k) {
        return (int) k & (leaves - 1);
    }

    /**
     * Events that are pending; looks at all servers.
     *
     * @throws IllegalStateException if one is of no server: a defect of the simulator
     */
    int pending() {
        int count = 0;
        for (int leaf = 0; leaf < leaves; leaf++) {
            if (key[leaves + leaf] != NEVER) {
                count++;
                if (leaf >= servers) {
                    throw new IllegalStateException("an event is pending of server " + leaf + " of " + servers);
                }
            }
        }
        return count;
    }

    int servers() {
        return servers;
    }

    /** When the event of a server is due, in ps. */
    long timeOf(int server) {
        return timeOfKey(key[leaves + server]);
    }

    /** The time in a key, in ps. */
    long timeOfKey(long k) {
        return k == NEVER ? NEVER : k >> levels;
    }
}
