package io.github.rhosweep.fit;

import java.util.Arrays;

/** Numbers of longs, from 0 in the order in which they first come: a hash table with linear probing that boxes nothing. */
final class Numbering {
    private static final int NONE = -1;

    private long[] keys;
    private int[] numbers;
    private int size;

    /** @param expected keys; more are taken too */
    Numbering(int expected) {
        int slots = Integer.highestOneBit(Math.max(8, expected)) << 2; // at most half of them are taken
        this.keys = new long[slots];
        this.numbers = none(slots);
    }

    /** The number of a key; {@link #size} as it was before if the key is new. */
    int of(long key) {
        int slot = slot(key);
        if (numbers[slot] == NONE) {
            if (2 * size >= keys.length) {
                grow();
                slot = slot(key);
            }
            keys[slot] = key;
            numbers[slot] = size++;
        }
        return numbers[slot];
    }

    /** Keys that came so far. */
    int size() {
        return size;
    }

    /** Where a key is, or would be. */
    private int slot(long key) {
        long hash = key * 0x9E3779B97F4A7C15L; // 2^64 over the golden ratio (Knuth, TAOCP 3, 6.4)
        int slot = (int) (hash >>> Long.numberOfLeadingZeros(keys.length - 1L));
        while (numbers[slot] != NONE && keys[slot] != key) {
            slot = (slot + 1) & (keys.length - 1);
        }
        return slot;
    }

    private void grow() {
        long[] oldKeys = keys;
        int[] oldNumbers = numbers;
        keys = new long[2 * oldKeys.length];
        numbers = none(keys.length);
        for (int i = 0; i < oldKeys.length; i++) {
            if (oldNumbers[i] != NONE) {
                int slot = slot(oldKeys[i]);
                keys[slot] = oldKeys[i];
                numbers[slot] = oldNumbers[i];
            }
        }
    }

    private static int[] none(int slots) {
        int[] numbers = new int[slots];
        Arrays.fill(numbers, NONE);
        return numbers;
    }
}
