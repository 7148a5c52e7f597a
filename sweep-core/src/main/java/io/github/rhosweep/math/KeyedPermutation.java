package io.github.rhosweep.math;

/**
 * A permutation of 0 .. n-1 that is computed place by place and never held: a balanced Feistel network (Luby and Rackoff 1988) over
 * the next even power of two, walked on until it falls below n (Black and Rogaway 2002, "Ciphers with arbitrary finite domains").
 */
public final class KeyedPermutation {
    private static final int ROUNDS = 6;

    private final int n;
    private final int halfBits;
    private final long[] keys = new long[ROUNDS];

    /**
     * One of the permutations.
     *
     * @param key which; equal keys give equal ones
     * @throws IllegalArgumentException if n is below 1
     */
    public KeyedPermutation(long key, int n) {
        if (n < 1) {
            throw new IllegalArgumentException(n + " is not at least 1");
        }
        this.n = n;
        int bits = Integer.SIZE - Integer.numberOfLeadingZeros(n - 1);
        this.halfBits = Math.max(1, (bits + 1) / 2);
        RandomStream stream = new RandomStream(key);
        for (int round = 0; round < ROUNDS; round++) {
            keys[round] = stream.nextLong();
        }
    }

    /** Where {@code i} goes. The walk takes fewer than four steps on average. */
    public int at(int i) {
        if (i < 0 || i >= n) {
            throw new IndexOutOfBoundsException(i + " of " + n);
        }
        long place = i;
        do {
            place = encrypt(place);
        } while (place >= n);
        return (int) place;
    }

    private long encrypt(long block) {
        long mask = (1L << halfBits) - 1;
        long left = block >>> halfBits;
        long right = block & mask;
        for (long key : keys) {
            long next = left ^ (RandomStream.mix(key + right) & mask);
            left = right;
            right = next;
        }
        return left << halfBits | right;
    }
}
