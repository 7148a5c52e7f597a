package io.github.rhosweep.spark;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * What the folder already holds of a planned point, sent to the task that would run it.
 *
 * @param index of the point in the design
 * @param kind what is known
 * @param row values of one of its rows in {@code runs}; null unless {@code kind} is RUN
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Known(long index, Kind kind, @Nullable Object @Nullable [] row) implements Serializable {
    enum Kind {
        /** Nothing is left to do. */
        FINISHED,
        /** It failed earlier and is not to be tried again. */
        FAILED,
        /** It needs more replicates; its runs come as RUN. */
        UNFINISHED,
        /** One of the runs of an unfinished point. */
        RUN
    }

    static Known of(long index, Kind kind) {
        return new Known(index, kind, null);
    }
}
