package io.github.rhosweep.topology;

import io.github.rhosweep.math.RandomStream;

/** Choices among several ways: pure functions of what a switch knows. Each gives an index into {@link Topology#ways}. */
public final class Routing {
    private static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L;

    private Routing() {}

    /**
     * The hash that ECMP chooses by: SplitMix64 (Steele, Lea, Flood 2014) over the five words,
     * {@code s = seed; for w in (src, dst, qp, switch): s = mix(s + (w + 1) * 0x9E3779B97F4A7C15)}: the generator's state moved on by
     * w + 1 steps, then its finalizer. The switch is a word of its own, so that choices at successive switches are independent.
     *
     * @param seed of the run
     * @param qp queue pair of the flow
     * @param node the switch that chooses
     */
    public static long ecmpHash(long seed, int source, int destination, int qp, int node) {
        long s = RandomStream.mix(seed + (source + 1L) * GOLDEN_GAMMA);
        s = RandomStream.mix(s + (destination + 1L) * GOLDEN_GAMMA);
        s = RandomStream.mix(s + (qp + 1L) * GOLDEN_GAMMA);
        return RandomStream.mix(s + (node + 1L) * GOLDEN_GAMMA);
    }

    /** The way that a hash stands for: its upper 32 bits scaled to 0 .. ways-1 (bias below ways / 2^32). */
    public static int ecmp(long hash, int ways) {
        return (int) (((hash >>> 32) * ways) >>> 32);
    }

    /**
     * Spraying: the ways in turn.
     *
     * @param start where the flow begins at this switch: {@link #ecmp}, so that flows do not all begin at one
     * @param frame frames of the flow before this one at this switch
     */
    public static int spray(int start, long frame, int ways) {
        return (int) ((start + frame) % ways);
    }

    /**
     * Adaptive routing: the way with fewest bytes queued, of equal ones the first from {@code start} on, going round.
     *
     * @param queuedBytes of each way at this switch, the first {@code ways} of it
     * @param start {@link #ecmp}, so that idle switches spread flows
     */
    public static int adaptive(long[] queuedBytes, int start, int ways) {
        int best = start;
        for (int i = 1; i < ways; i++) {
            int way = start + i < ways ? start + i : start + i - ways;
            if (queuedBytes[way] < queuedBytes[best]) {
                best = way;
            }
        }
        return best;
    }
}
