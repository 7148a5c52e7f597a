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
        x ^= x << 13;
        x ^= x >>> 7;
        x ^= x << 17;
        return (x >>> 11) * ULP_53;
    }
}
