package io.github.rhosweep.kernel;

import io.github.rhosweep.scenario.SwitchSpec;
import org.jspecify.annotations.Nullable;

/**
 * The pool that all VOQs share, and who is let in. Choudhury and Hahne 1998: a queue may hold alpha x (pool - used). Differs: free
 * space is clamped at zero, and a frame may overrun the pool by less than itself (D-3).
 */
final class SharedBuffer {
    /** What becomes of an arriving frame. */
    enum Verdict {
        ADMITTED,
        DROPPED_DYNAMIC_THRESHOLD,
        DROPPED_CAPACITY
    }

    private final SwitchSpec.Admission admission;
    private final long capacity;
    private final double alpha;
    private final long reserved;
    private final long staticLimit;

    private final boolean lossless;

    private long used;
    private long peak;

    /** @param lossless whether flow control keeps frames away that do not fit, so that all others are let in */
    SharedBuffer(SwitchSpec spec, boolean lossless) {
        this.lossless = lossless;
        this.admission = spec.admission();
        this.capacity = spec.bufferCapacityBytes();
        this.alpha = spec.alpha();
        this.reserved = spec.reservedBytes();
        this.staticLimit = spec.staticLimitBytes();
    }

    /**
     * Decides on a frame and, if it is let in, counts it.
     *
     * @param queueBytes wire bytes in its own VOQ before it joins
     * @param wireBytes its own
     * @param activeVoqs VOQs that hold a frame before it joins
     */
    Verdict admit(long queueBytes, long wireBytes, int activeVoqs) {
        long wanted = queueBytes + wireBytes;
        Verdict verdict;
        if (lossless) {
            verdict = used + wireBytes > capacity ? Verdict.DROPPED_CAPACITY : Verdict.ADMITTED;
        } else if (admission == SwitchSpec.Admission.STATIC) {
            verdict = wanted > staticLimit
                    ? Verdict.DROPPED_DYNAMIC_THRESHOLD
                    : used + wireBytes > capacity ? Verdict.DROPPED_CAPACITY : Verdict.ADMITTED;
        } else {
            double allowed = alpha * Math.max(0, capacity - used);
            if (admission == SwitchSpec.Admission.RESERVED) {
                allowed = reserved + allowed;
            } else if (admission == SwitchSpec.Admission.ACTIVE_QUEUES) {
                allowed = allowed / sharers(queueBytes, activeVoqs);
            }
            verdict = wanted <= allowed ? Verdict.ADMITTED : Verdict.DROPPED_DYNAMIC_THRESHOLD;
        }
        if (verdict == Verdict.ADMITTED) {
            used += wireBytes;
            peak = Math.max(peak, used);
        }
        return verdict;
    }

    /** Wire bytes that a VOQ may hold, as {@link #admit} has it; null where it does not ask. */
    @Nullable
    Double allowed(long queueBytes, int activeVoqs) {
        if (lossless) {
            return null;
        }
        double dynamic = alpha * Math.max(0, capacity - used);
        return switch (admission) {
            case SIMPLIFIED -> dynamic;
            case ACTIVE_QUEUES -> dynamic / sharers(queueBytes, activeVoqs);
            case RESERVED -> reserved + dynamic;
            case STATIC -> (double) staticLimit;
        };
    }

    /** The same with its numbers, for people. */
    String rule(long queueBytes, int activeVoqs) {
        String dynamic = "alpha " + alpha + " x (capacity " + capacity + " - used " + used + ")";
        return switch (admission) {
            case SIMPLIFIED -> dynamic;
            case ACTIVE_QUEUES -> dynamic + " / " + sharers(queueBytes, activeVoqs) + " active VOQs";
            case RESERVED -> "reserved " + reserved + " + " + dynamic;
            case STATIC -> "limit " + staticLimit;
        };
    }

    private static int sharers(long queueBytes, int activeVoqs) {
        return queueBytes == 0 ? activeVoqs + 1 : activeVoqs;
    }

    void release(long wireBytes) {
        used -= wireBytes;
    }

    /** Wire bytes of all queued frames. */
    long used() {
        return used;
    }

    /** Largest {@link #used} right after an admission; may exceed the capacity (D-3). */
    long peak() {
        return peak;
    }

    long capacity() {
        return capacity;
    }
}
