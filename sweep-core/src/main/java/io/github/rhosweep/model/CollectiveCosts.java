package io.github.rhosweep.model;

/**
 * What collectives take among p ranks: n bytes a rank's buffer on the wire, alpha a message's latency, beta the bandwidth of a link. Thakur,
 * Rabenseifner, Gropp 2005 (Int. J. High Performance Computing Applications 19, 49-66), without the cost of arithmetic. Times in ns, bytes, GB/s.
 */
public final class CollectiveCosts {
    private CollectiveCosts() {}

    /** 2(p-1) alpha + 2 (p-1)/p n/beta. */
    public static double ringAllReduce(int p, double n, double alpha, double beta) {
        return 2 * ringAllGather(p, n, alpha, beta);
    }

    /** (p-1) alpha + (p-1)/p n/beta; reduce-scatter takes as long. */
    public static double ringAllGather(int p, double n, double alpha, double beta) {
        return (p - 1) * (alpha + n / (p * beta));
    }

    /** (p-1)(alpha + n/(p beta)). */
    public static double pairwiseAllToAll(int p, double n, double alpha, double beta) {
        return (p - 1) * (alpha + n / (p * beta));
    }

    /** Bruck et al. 1997: log2 p (alpha + n/(2 beta)), p a power of two. */
    public static double bruckAllToAll(int p, double n, double alpha, double beta) {
        return log2(p) * (alpha + n / (2 * beta));
    }

    /** All-reduce by recursive doubling: log2 p (alpha + n/beta), p a power of two. */
    public static double recursiveDoubling(int p, double n, double alpha, double beta) {
        return log2(p) * (alpha + n / beta);
    }

    /** Recursive halving, then doubling: 2 log2 p alpha + 2 (p-1)/p n/beta, p a power of two. */
    public static double rabenseifnerAllReduce(int p, double n, double alpha, double beta) {
        return 2 * log2(p) * alpha + 2 * (p - 1.0) / p * n / beta;
    }

    /** Binomial tree: ceil(log2 p) (alpha + n/beta). */
    public static double binomialBroadcast(int p, double n, double alpha, double beta) {
        return Math.ceil(log2(p)) * (alpha + n / beta);
    }

    /** Van de Geijn: scatter, then ring all-gather: (ceil(log2 p) + p - 1) alpha + 2 (p-1)/p n/beta. */
    public static double vanDeGeijnBroadcast(int p, double n, double alpha, double beta) {
        return (Math.ceil(log2(p)) + p - 1) * alpha + 2 * (p - 1.0) / p * n / beta;
    }

    private static double log2(int p) {
        // exact for powers of two, whatever the logarithm's rounding
        return Integer.bitCount(p) == 1 ? Integer.numberOfTrailingZeros(p) : StrictMath.log(p) / StrictMath.log(2);
    }
}
