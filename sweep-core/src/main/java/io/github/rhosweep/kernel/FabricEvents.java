package io.github.rhosweep.kernel;

/**
 * The pending events of a fabric and how its servers are numbered: each has at most one event, and at equal times their numbers are
 * their order. Links come first (a link is numbered as the end at which it arrives, hosts before ports), then pauses and credits,
 * responses, ticks, the schedule, sources, timers, NICs, watchdogs.
 */
final class FabricEvents {
    /** The links' numbers begin at 0. */
    final int firstSignal;

    final int firstResponse;
    final int firstTick;
    final int scheduler;
    final int firstSource;
    final int firstTimer;
    final int firstNic;
    final int firstWatchdog;

    /** Events that have happened, those without a place in the queue included. */
    long handled;

    private final EventQueue queue;
    private final boolean oneSwitch;
    /** Key of the next tick of the only switch: with one switch it does not go through the queue, because it changes with every frame. */
    private long soleTickKey = EventQueue.NEVER;

    /**
     * @param signals ends that send word to their neighbours
     * @param watchdogs what is watched for too long a pause
     */
    FabricEvents(int hosts, int switches, int ends, int signals, int watchdogs) {
        this.oneSwitch = switches == 1;
        this.firstSignal = ends;
        this.firstResponse = firstSignal + signals;
        this.firstTick = firstResponse + hosts;
        this.scheduler = firstTick + switches;
        this.firstSource = scheduler + 1;
        this.firstTimer = firstSource + hosts;
        this.firstNic = firstTimer + hosts;
        this.firstWatchdog = firstNic + hosts;
        this.queue = new EventQueue(firstWatchdog + watchdogs);
    }

    /** Sets when the one event of a server is due, in ps; {@link EventQueue#NEVER} if it has none. */
    void schedule(int server, long at) {
        queue.schedule(server, at);
    }

    /** When the event of a server is due, in ps. */
    long timeOf(int server) {
        return queue.timeOf(server);
    }

    /** Sets when a switch ticks next, in ps. */
    void scheduleTick(int sw, long at) {
        if (oneSwitch) {
            soleTickKey = queue.keyOf(firstTick, at);
        } else if (queue.timeOf(firstTick + sw) != at) {
            queue.schedule(firstTick + sw, at);
        }
    }

    /** The key of the next event; {@link EventQueue#NEVER} if none is pending. */
    long nextKey() {
        return Math.min(soleTickKey, queue.nextKey());
    }

    /** The time in a key, in ps. */
    long timeOfKey(long key) {
        return queue.timeOfKey(key);
    }

    /** The server in a key. */
    int serverOfKey(long key) {
        return queue.serverOfKey(key);
    }

    /** Events pending; looks at all servers. */
    int pending() {
        return queue.pending() + (soleTickKey == EventQueue.NEVER ? 0 : 1);
    }

    int servers() {
        return queue.servers();
    }
}
