package io.github.rhosweep.kernel;

/** The design's generator: xorshift64 with shifts 13, 7, 17 (Marsaglia 2003), each draw first advancing the state (D-9). */
final class Xorshift64 {
    private static final double ULP_53 = 0x1.0p-53;

    private long x;

    /** @throws IllegalArgumentException if the seed is 0, from which the generator never moves */
    Xorshift64(long seed) {
        if (seed == 0) {
            throw new IllegalArgumentException("xorshift64 cannot start from seed 0");
        }
        x = seed;
    }

    /** Uniform on [0, 1) with 53 bits. */
    double nextF64() {
        x = after(x);
        return (x >>> 11) * ULP_53;
    }

    /** What {@link #nextF64} will give; the state stays. */
    double peekF64() {
        return (after(x) >>> 11) * ULP_53;
    }

    private static long after(long state) {
        long y = state;
        y ^= y << 13;
        y ^= y >>> 7;
        y ^= y << 17;
        return y;
    }
}
