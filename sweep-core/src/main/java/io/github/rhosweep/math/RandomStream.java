package io.github.rhosweep.math;

import java.util.random.RandomGenerator;

/**
 * One named stream of random numbers: SplitMix64 (Steele, Lea, Flood 2014, "Fast splittable pseudorandom number
 * generators"). Streams of different names are independent for all practical purposes, so that switching one consumer off
 * leaves what the others draw unchanged.
 *
 * <p>Written out here, and not taken from {@code java.util}, because the JDK does not promise the same sequence for ever; every
 * result of the simulator depends on this one.
 */
public final class RandomStream implements RandomGenerator {
    private static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L;
    private static final double ULP_53 = 0x1.0p-53;

    private long state;

    /** A stream that starts from the given seed; equal seeds give equal streams. */
    public RandomStream(long seed) {
        this.state = seed;
    }

    /** The stream of a purpose ("arrivals", "destinations", ...) and a number (a host, a switch) under a run's seed. */
    public static RandomStream named(long runSeed, String purpose, int number) {
        long hash = 0xCBF29CE484222325L;
        for (int i = 0; i < purpose.length(); i++) {
            hash = (hash ^ purpose.charAt(i)) * 0x100000001B3L;
        }
        return new RandomStream(mix(mix(runSeed ^ hash) + GOLDEN_GAMMA * (number + 1L)));
    }

    /** The next 64 bits. */
    @Override
    public long nextLong() {
        state += GOLDEN_GAMMA;
        return mix(state);
    }

    /** Uniform on [0, 1) with 53 bits. */
    @Override
    public double nextDouble() {
        return (nextLong() >>> 11) * ULP_53;
    }

    /** Uniform on 0 .. bound-1 without modulo bias worth speaking of (Lemire 2019; bias below bound / 2^32). */
    @Override
    public int nextInt(int bound) {
        return (int) (((nextLong() >>> 32) * bound) >>> 32);
    }

    /** Exponential with mean 1, never infinite: {@code -log(1 - u)} with u below 1. */
    @Override
    public double nextExponential() {
        return -StrictMath.log(1.0 - nextDouble());
    }

    /** The SplitMix64 finalizer: a bijection of 64-bit words that scatters every input bit. */
    public static long mix(long z) {
        long x = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        x = (x ^ (x >>> 27)) * 0x94D049BB133111EBL;
        return x ^ (x >>> 31);
    }
}
