package io.github.rhosweep.scenario;

/**
 * Collective operations as schedules. Ranks 0 .. p-1 are hosts; n is the payload of one rank's buffer. Algorithms: Thakur, Rabenseifner,
 * Gropp 2005 (Int. J. High Performance Computing Applications 19, 49-66).
 */
public final class Collectives {
    private Collectives() {}

    /** What a ring computes. */
    public enum Ring {
        /** Reduce-scatter, then all-gather: 2(p-1) steps. */
        ALL_REDUCE(2),
        /** p-1 steps. */
        ALL_GATHER(1),
        /** p-1 steps. */
        REDUCE_SCATTER(1);

        private final int passes;

        Ring(int passes) {
            this.passes = passes;
        }

        /** Steps among p ranks. */
        public int steps(int p) {
            return passes * (p - 1);
        }

        /** Bus bandwidth over n/time, as nccl-tests defines it (PERFORMANCE.md): 2(p-1)/p, or (p-1)/p. */
        public double busFactor(int p) {
            return passes * (p - 1.0) / p;
        }
    }

    /** Payload of a piece: one rank's p-th part, rounded up. */
    public static long piece(long n, int p) {
        return (n + p - 1) / p;
    }

    /**
     * A ring: in each step every rank sends one piece to the next; it sends the piece of step k+1 when that of step k has arrived.
     *
     * @param p ranks, at least 2
     * @param n payload of one rank's buffer, in bytes
     * @param chunks messages that a piece is cut into; each goes round on its own, so that steps overlap
     */
    public static void ring(Schedule.Builder to, Ring kind, int p, long n, int chunks, int tenant) {
        long piece = piece(n, p);
        int cut = (int) Math.min(chunks, piece);
        int steps = kind.steps(p);
        int base = to.size();
        for (int step = 0; step < steps; step++) {
            for (int rank = 0; rank < p; rank++) {
                for (int chunk = 0; chunk < cut; chunk++) {
                    int message = to.add(rank, (rank + 1) % p, part(piece, cut, chunk), 0, step, tenant);
                    if (step > 0) {
                        int previous = rank == 0 ? p - 1 : rank - 1;
                        to.order(base + ((step - 1) * p + previous) * cut + chunk, message);
                    }
                }
            }
        }
    }

    /** All-reduce by recursive doubling: in step k rank r exchanges its whole buffer with rank r xor 2^k. p is a power of two. */
    public static void recursiveDoubling(Schedule.Builder to, int p, long n, int chunks, int tenant) {
        if (Integer.bitCount(p) != 1) {
            throw new IllegalArgumentException(p + " ranks are no power of two");
        }
        int cut = (int) Math.min(chunks, n);
        int base = to.size();
        int steps = Integer.numberOfTrailingZeros(p);
        for (int step = 0; step < steps; step++) {
            for (int rank = 0; rank < p; rank++) {
                for (int chunk = 0; chunk < cut; chunk++) {
                    int message = to.add(rank, rank ^ 1 << step, part(n, cut, chunk), 0, step, tenant);
                    // What is sent on is the sum of what all partners so far sent: a fast one may be here before a slow
                    // one.
                    for (int before = 0; before < step; before++) {
                        to.order(base + (before * p + (rank ^ 1 << before)) * cut + chunk, message);
                    }
                }
            }
        }
    }

    /** Every rank to every other at once, a p-th part of its buffer each; to itself too if asked. */
    public static void allToAll(Schedule.Builder to, int p, long n, boolean self, int tenant) {
        long piece = piece(n, p);
        for (int rank = 0; rank < p; rank++) {
            for (int i = 0; i < p; i++) {
                int other = (rank + 1 + i) % p;
                if (self || other != rank) {
                    to.add(rank, other, piece, 0, 0, tenant);
                }
            }
        }
    }

    /**
     * Dispatch of a mixture of experts: rank d holds the expert of popularity rank d + 1, and of every rank's tokens a share of (d+1)^-s / sum
     * of k^-s goes there (Zipf). Parts are rounded up to bytes; s = 0 is {@link #allToAll}.
     */
    public static void mixtureOfExperts(Schedule.Builder to, int p, long n, double exponent, boolean self, int tenant) {
        long[] shares = expertShares(p, n, exponent);
        for (int rank = 0; rank < p; rank++) {
            for (int i = 0; i < p; i++) {
                int other = (rank + 1 + i) % p;
                if (self || other != rank) {
                    to.add(rank, other, shares[other], 0, 0, tenant);
                }
            }
        }
    }

    /** What each rank of {@link #mixtureOfExperts} receives from each, in bytes; never more than the one before. */
    static long[] expertShares(int p, long n, double exponent) {
        double[] weight = new double[p];
        double sum = 0;
        for (int d = p - 1; d >= 0; d--) { // smallest first: least rounding
            weight[d] = StrictMath.exp(-exponent * StrictMath.log(d + 1.0));
            sum += weight[d];
        }
        long[] shares = new long[p];
        for (int d = 0; d < p; d++) {
            shares[d] = (long) Math.max(1, Math.ceil(n * (weight[d] / sum)));
        }
        return shares;
    }

    /**
     * A pipeline: {@code width} hosts a stage; host j of stage i sends each micro-batch to host j of stage i + 1 as soon as it has it.
     *
     * @param n payload of a micro-batch, in bytes
     * @param chunks messages that a micro-batch is cut into; each goes on as soon as it has arrived
     * @param backward whether what has come to the last stage goes back to the first, as gradients do
     */
    public static void pipeline(
            Schedule.Builder to,
            int stages,
            int width,
            int microBatches,
            long n,
            int chunks,
            boolean backward,
            int tenant) {
        int cut = (int) Math.min(chunks, n);
        int perHost = microBatches * cut;
        int base = to.size();
        int forward = stages - 1;
        for (int step = 0; step < (backward ? 2 * forward : forward); step++) {
            int from = step < forward ? step : 2 * forward - step;
            int next = step < forward ? from + 1 : from - 1;
            for (int j = 0; j < width; j++) {
                for (int m = 0; m < perHost; m++) {
                    int message = to.add(from * width + j, next * width + j, part(n, cut, m % cut), 0, step, tenant);
                    if (step > 0) {
                        to.order(base + ((step - 1) * width + j) * perHost + m, message);
                    }
                }
            }
        }
    }

    /** The largest part of a size cut into at most so many. */
    public static long largestPart(long size, int chunks) {
        return part(size, (int) Math.min(chunks, size), 0);
    }

    /** Part i of a size cut into so many: parts differ by one byte at most, the larger ones first. */
    static long part(long size, int parts, int i) {
        return size / parts + (i < size % parts ? 1 : 0);
    }
}
