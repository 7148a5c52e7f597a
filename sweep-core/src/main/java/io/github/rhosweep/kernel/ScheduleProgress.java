package io.github.rhosweep.kernel;

import io.github.rhosweep.scenario.Schedule;
import java.util.Arrays;
import java.util.function.IntConsumer;

/**
 * How far a run is through a {@link Schedule}: which message starts next by the clock, and which ones a delivery releases. The engine keeps
 * one pending event, at {@link #nextStartPs}.
 */
final class ScheduleProgress {
    /** Nothing more starts by the clock. */
    static final long NEVER = EventQueue.NEVER;

    private final Schedule schedule;
    private final int[] waitingFor;
    private int started;
    private int foregroundLeft;
    private long foregroundDonePs = -1;
    /** Per host: when it received the last foreground message so far; -1 if none. */
    private final long[] hostDonePs;

    ScheduleProgress(Schedule schedule, int hosts) {
        this.schedule = schedule;
        this.waitingFor = new int[schedule.size()];
        this.hostDonePs = new long[hosts];
        Arrays.fill(hostDonePs, -1);
        for (int m = 0; m < waitingFor.length; m++) {
            waitingFor[m] = schedule.predecessors(m);
            if (schedule.tenant(m) == Schedule.FOREGROUND) {
                foregroundLeft++;
            }
        }
    }

    /** When the next message starts by the clock, in ps; {@link #NEVER} if none does. */
    long nextStartPs() {
        return started == schedule.starts() ? NEVER : schedule.startPs(schedule.start(started));
    }

    /** The message that starts at {@link #nextStartPs}; the one after it is next. */
    int takeStart() {
        return schedule.start(started++);
    }

    /**
     * A message is delivered whole.
     *
     * @param released is told each message that may now be offered, in the order of numbers; {@link Schedule#startPs} after now
     */
    void delivered(int message, long now, IntConsumer released) {
        if (schedule.tenant(message) == Schedule.FOREGROUND) {
            hostDonePs[schedule.destination(message)] = now;
            if (--foregroundLeft == 0) {
                foregroundDonePs = now;
            }
        }
        int end = schedule.firstSuccessor(message + 1);
        for (int i = schedule.firstSuccessor(message); i < end; i++) {
            int next = schedule.successor(i);
            if (--waitingFor[next] == 0) {
                released.accept(next);
            }
        }
    }

    /** Tells of each message that still waits for another, in the order of numbers. */
    void neverOffered(IntConsumer message) {
        for (int m = 0; m < waitingFor.length; m++) {
            if (waitingFor[m] > 0) {
                message.accept(m);
            }
        }
    }

    /** When the last foreground message was delivered, in ps; -1 while one is not. */
    long foregroundDonePs() {
        return foregroundDonePs;
    }

    /** Between the first and the last host to receive all of its foreground messages, in ps; -1 if the foreground is not done. */
    long stragglerSpreadPs() {
        if (foregroundDonePs < 0) {
            return -1;
        }
        long first = Long.MAX_VALUE;
        for (long done : hostDonePs) {
            if (done >= 0) {
                first = Math.min(first, done);
            }
        }
        return foregroundDonePs - first;
    }
}
