package io.github.rhosweep.kernel;

import java.util.Arrays;

/**
 * A table of sets of ports, one set a row, as bit masks: port p is bit {@code p & 63} of word {@code p >>> 6} of its row. Up to 64
 * ports a row is one word and every operation a few instructions; more ports only mean more words.
 */
final class PortSets {
    /** Words of a row. */
    final int words;

    /** Row r occupies words {@code r * words .. (r + 1) * words - 1}. */
    final long[] bits;

    private final int ports;

    PortSets(int rows, int ports) {
        this.ports = ports;
        this.words = (ports + 63) >>> 6;
        this.bits = new long[Math.multiplyExact(rows, words)];
    }

    void add(int row, int port) {
        bits[row * words + (port >>> 6)] |= 1L << port;
    }

    void remove(int row, int port) {
        bits[row * words + (port >>> 6)] &= ~(1L << port);
    }

    boolean contains(int row, int port) {
        return (bits[row * words + (port >>> 6)] >>> port & 1) != 0;
    }

    boolean isEmpty(int row) {
        for (int w = row * words; w < (row + 1) * words; w++) {
            if (bits[w] != 0) {
                return false;
            }
        }
        return true;
    }

    void clear(int row) {
        if (words == 1) {
            bits[row] = 0;
        } else {
            Arrays.fill(bits, row * words, (row + 1) * words, 0);
        }
    }

    /** Makes a row the set of all ports. */
    void addAll(int row) {
        Arrays.fill(bits, row * words, (row + 1) * words, -1L);
        if ((ports & 63) != 0) {
            bits[(row + 1) * words - 1] = (1L << ports) - 1;
        }
    }

    /** The first port of a row at or after {@code from}, going round; -1 if the row is empty. */
    int firstFrom(int row, int from) {
        return firstCommon(row, this, row, from);
    }

    /** The first port at or after {@code from}, going round, that is in a row here and in a row there; -1 if none is. */
    int firstCommon(int row, PortSets other, int otherRow, int from) {
        if (words == 1) {
            // Where the pointer stands is as good as random: a choice without a branch.
            long common = bits[row] & other.bits[otherRow];
            long ahead = common & (-1L << from);
            return common == 0 ? -1 : Long.numberOfTrailingZeros(ahead != 0 ? ahead : common);
        }
        return firstCommonOfMany(row * words, other.bits, otherRow * words, from);
    }

    private int firstCommonOfMany(int here, long[] otherBits, int there, int from) {
        int w = from >>> 6;
        long common = bits[here + w] & otherBits[there + w] & (-1L << from);
        // One word more than a row has: the word of `from` is seen twice, first from `from` on, at last whole.
        for (int left = words; common == 0; left--) {
            if (left == 0) {
                return -1;
            }
            w = w + 1 == words ? 0 : w + 1;
            common = bits[here + w] & otherBits[there + w];
        }
        return (w << 6) + Long.numberOfTrailingZeros(common);
    }
}
