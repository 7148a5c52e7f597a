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

    private final int leaves;
    /** Node k has the children 2k and 2k+1; server s is the leaf {@code leaves + s}, the root is 1. Time of each node's winner. */
    private final long[] time;
    /** The server that wins at each node. */
    private final int[] winner;

    EventQueue(int servers) {
        leaves = Math.max(2, Integer.highestOneBit(Math.max(1, servers - 1)) << 1);
        time = new long[2 * leaves];
        winner = new int[2 * leaves];
        clear();
    }

    /** Leaves no event pending. */
    void clear() {
        Arrays.fill(time, NEVER);
        for (int server = 0; server < leaves; server++) {
            winner[leaves + server] = server;
        }
        for (int node = leaves - 1; node > 0; node--) {
            winner[node] = winner[2 * node];
        }
    }

    /** Sets when the one event of a server is due, in ps; {@link #NEVER} if it has none. */
    void schedule(int server, long at) {
        int node = leaves + server;
        time[node] = at;
        long bestTime = at;
        int best = server;
        // Which side wins is as good as random: a branch on it would cost more than all else here. Times are 0 or more,
        // so
        // that no difference overflows.
        while (node > 1) {
            int sibling = node ^ 1;
            long siblingTime = time[sibling];
            // All ones if the sibling wins: it is earlier, or as early and to the left of an odd (right) node.
            long siblingWins = (siblingTime - (node & 1) - bestTime) >> 63;
            bestTime ^= (bestTime ^ siblingTime) & siblingWins;
            best ^= (best ^ winner[sibling]) & (int) siblingWins;
            node >>= 1;
            time[node] = bestTime;
            winner[node] = best;
        }
    }

    /** When the next event is due, in ps; {@link #NEVER} if none is pending. */
    long nextTime() {
        return time[1];
    }

    /** The server whose event is next. */
    int nextServer() {
        return winner[1];
    }

    /** When the event of a server is due, in ps. */
    long timeOf(int server) {
        return time[leaves + server];
    }
}
