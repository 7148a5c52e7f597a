package io.github.rhosweep.kernel;

import io.github.rhosweep.scenario.SwitchSpec;

/**
 * RED marking at dequeue over the fill of the whole buffer (Floyd and Jacobson 1993, without averaging). P = 0 below kmin, rising
 * to pmax at kmax, 1 beyond; kmin = kmax is a step (D-8).
 */
final class EcnMarker {
    private final double capacity;
    private final double kmin;
    private final double kmax;
    private final double pmax;
    /** Least bytes used at which P can be above 0: below, one integer comparison decides. */
    private final long markableFrom;

    private final Xorshift64 random;

    EcnMarker(SwitchSpec spec, long seed) {
        this.capacity = spec.bufferCapacityBytes();
        this.kmin = spec.ecnKmin();
        this.kmax = spec.ecnKmax();
        this.pmax = spec.ecnPmax();
        boolean marks = spec.frameFormat().carriesEcn();
        // Frames that cannot be marked draw nothing.
        this.markableFrom = marks ? leastAtOrAbove(kmin) : Long.MAX_VALUE;
        this.random = new Xorshift64(seed);
    }

    /**
     * Whether a leaving data frame is marked. A frame with P = 0 or P = 1 draws nothing (D-9).
     *
     * @param used wire bytes in the buffer, the leaving frame included
     */
    boolean marks(long used) {
        if (used < markableFrom) {
            return false;
        }
        double p = probability(used);
        return p >= 1 || (p > 0 && random.nextF64() < p);
    }

    /** What the next draw will give; nothing is drawn. */
    double nextDraw() {
        return random.peekF64();
    }

    double probability(long used) {
        double fill = used / capacity;
        if (fill < kmin) {
            return 0;
        }
        return fill > kmax || kmin == kmax ? 1 : pmax * (fill - kmin) / (kmax - kmin);
    }

    /** The least number of bytes whose fill, as computed above, is not below the given one: found by bisection, so exact. */
    private long leastAtOrAbove(double fill) {
        long below = -1;
        // Overcommit may fill the pool beyond its capacity, but a fill of 1 is reached there at the latest.
        long atOrAbove = (long) capacity;
        while (atOrAbove - below > 1) {
            long middle = below + (atOrAbove - below) / 2;
            if (middle / capacity < fill) {
                below = middle;
            } else {
                atOrAbove = middle;
            }
        }
        return atOrAbove;
    }
}
