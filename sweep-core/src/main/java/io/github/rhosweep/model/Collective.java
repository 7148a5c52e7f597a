package io.github.rhosweep.model;

import io.github.rhosweep.scenario.ClosedPattern;
import io.github.rhosweep.scenario.Collectives;
import io.github.rhosweep.scenario.Collectives.Ring;
import io.github.rhosweep.topology.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Cost models of collectives among p ranks, n the payload of one rank's buffer. Where Thakur, Rabenseifner and Gropp write alpha + n beta
 * for a transfer, these take T_ab of the message: alpha with the first frame's access serialisation, and n in wire bytes.
 */
final class Collective implements AnalyticModel {
    private static final String THAKUR = "Thakur, Rabenseifner, Gropp 2005, Int. J. High Perf. Comput. Appl. 19, 49-66";
    private static final String ALONE =
            "exact to a slot a step on an idle fabric without contention; other tenants are not seen; ";

    private final Card card;
    private final List<Target> targets;

    @SuppressWarnings("ImmutableEnumChecker")
    private final Function<Point, Prediction> time;

    private Collective(
            String id,
            String formula,
            String source,
            String validity,
            Target target,
            Function<Point, Prediction> time) {
        this.card = new Card(id, formula, "p, n, alpha, beta, frame payload", source, validity);
        this.targets = List.of(target);
        this.time = time;
    }

    @Override
    public Card card() {
        return card;
    }

    @Override
    public List<Target> targets() {
        return targets;
    }

    @Override
    public Prediction predict(Target target, Point point) {
        return time.apply(point);
    }

    static Collective ring() {
        return new Collective(
                "ring",
                "max(sum of T_ab over k hops, (k c - 1) S + T_ab) of m = n/(p c), k = 2(p-1) all-reduce, p-1 all-gather and reduce-scatter,"
                        + " c chunks; k T_ab where all hops are alike and c = 1",
                THAKUR,
                ALONE + "none for other patterns",
                Target.COMPLETION,
                point -> point.closed() instanceof ClosedPattern.RingCollective ring
                        ? Prediction.of(ringNs(point, ring))
                        : Prediction.none("only for traffic.pattern ring"));
    }

    /**
     * A piece goes on when it has arrived: the chain of hops behind each other. Where the chunks of the slowest pair take it longer to send
     * than the chain takes, they do, all k c of them.
     */
    private static double ringNs(Point point, ClosedPattern.RingCollective ring) {
        int p = point.traffic().flows();
        int steps = ring.operation().steps(p);
        long piece = Collectives.piece(ring.bufferBytes(), p);
        long chunk = Collectives.largestPart(piece, ring.chunks());
        double chunks = Math.min(ring.chunks(), piece);
        Map<Integer, Path> ways = new HashMap<>();
        double[] latency = new double[p];
        double slowest = 0;
        for (int rank = 0; rank < p; rank++) {
            Path way = way(point, ways, rank, (rank + 1) % p);
            latency[rank] = point.zeroLoadNs(way, chunk);
            double service = point.serviceNs(way, chunk);
            slowest = Math.max(slowest, (steps * chunks - 1) * service + latency[rank]);
        }
        double chain = 0;
        for (int step = 0; step < steps; step++) {
            chain += latency[step % p];
        }
        double longest = chain;
        for (int start = 1; start < p; start++) {
            chain += latency[(start + steps - 1) % p] - latency[start - 1];
            longest = Math.max(longest, chain);
        }
        return Math.max(longest + (chunks - 1) * point.serviceNs(chunk), slowest);
    }

    /** Ways of as many switches are alike. */
    private static Path way(Point point, Map<Integer, Path> known, int from, int to) {
        return known.computeIfAbsent(
                point.topology().switchHops(from, to), hops -> point.topology().path(from, to));
    }

    static Collective recursiveDoubling() {
        return new Collective(
                "recursive_doubling",
                "sum over log2 p steps of T_ab(n), the farthest pair's; of c chunks with the wait of the last behind the others",
                THAKUR,
                ALONE + "none for other patterns",
                Target.COMPLETION,
                point -> point.closed() instanceof ClosedPattern.RecursiveDoubling doubling
                        ? Prediction.of(doublingNs(point, doubling))
                        : Prediction.none("only for traffic.pattern recursive-doubling"));
    }

    private static double doublingNs(Point point, ClosedPattern.RecursiveDoubling doubling) {
        int p = point.traffic().flows();
        long chunk = Collectives.largestPart(doubling.bufferBytes(), doubling.chunks());
        double behind = (Math.min(doubling.chunks(), doubling.bufferBytes()) - 1) * point.serviceNs(chunk);
        Map<Integer, Path> ways = new HashMap<>();
        double chain = behind;
        double sends = 0;
        for (int width = 1; width < p; width *= 2) {
            double farthest = 0;
            for (int rank = 0; rank < p; rank++) {
                farthest = Math.max(farthest, point.zeroLoadNs(way(point, ways, rank, rank ^ width), chunk));
            }
            chain += farthest;
            sends += behind + (width * 2 < p ? point.serviceNs(chunk) : farthest);
        }
        return Math.max(chain, sends);
    }

    /** Reduce-scatter by recursive halving, all-gather by recursive doubling. */
    static Collective rabenseifner() {
        return new Collective(
                "rabenseifner",
                "2 sum over k = 1 .. log2 p of T_ab(n/2^k)",
                "Rabenseifner 2004, ICCS, LNCS 3036; " + THAKUR,
                "what an all-reduce of the same buffers would take so; none where p is no power of two, or for other patterns",
                Target.OTHER_COLLECTIVE,
                point -> {
                    int p = point.traffic().flows();
                    long n = allReduced(point.closed());
                    if (n == 0 || Integer.bitCount(p) != 1) {
                        return Prediction.none("only for all-reduce among a power of two of hosts");
                    }
                    double sum = 0;
                    for (int k = 2; k <= p; k *= 2) {
                        sum += point.zeroLoadNs(Collectives.piece(n, k));
                    }
                    return Prediction.of(2 * sum);
                });
    }

    /** n of an all-reduce; 0 for other patterns. */
    private static long allReduced(@Nullable ClosedPattern pattern) {
        if (pattern instanceof ClosedPattern.RingCollective ring && ring.operation() == Ring.ALL_REDUCE) {
            return ring.bufferBytes();
        }
        return pattern instanceof ClosedPattern.RecursiveDoubling doubling ? doubling.bufferBytes() : 0;
    }

    /** All pairs at once, and every port busy from its first frame to its last. */
    static Collective allToAllDirect() {
        return new Collective(
                "alltoall_direct",
                "T_ab(m) + (F-1) S(m), m the largest pair's part, F ranks that send to its port",
                "this project's own: one alpha, since no pair waits for another",
                "within a frame a rank on an idle non-blocking fabric; a lower bound where ways are shared; none for other patterns",
                Target.COMPLETION,
                point -> point.closed() instanceof ClosedPattern.AllToAll all
                        ? direct(point, all)
                        : Prediction.none("only for traffic.pattern all-to-all"));
    }

    private static Prediction direct(Point point, ClosedPattern.AllToAll all) {
        int p = point.traffic().flows();
        long part = all.messageBytes(p);
        return Prediction.of(point.zeroLoadNs(part) + (all.contenders(p) - 1) * point.serviceNs(part));
    }

    static Collective allToAllPairwise() {
        return new Collective(
                "alltoall_pairwise",
                "(p-1) T_ab(n/p)",
                THAKUR,
                "a step for each other rank, each with its alpha; what is simulated sends to all at once; none for skewed or other patterns",
                Target.COMPLETION,
                point -> {
                    int p = point.traffic().flows();
                    return point.closed() instanceof ClosedPattern.AllToAll all && all.zipf() == null
                            ? Prediction.of((p - 1) * point.zeroLoadNs(all.messageBytes(p)))
                            : Prediction.none("only for traffic.pattern all-to-all without skew");
                });
    }

    static Collective allToAllBruck() {
        return new Collective(
                "alltoall_bruck",
                "ceil(log2 p) T_ab(n/2)",
                "Bruck et al. 1997, IEEE Trans. Parallel Distrib. Syst. 8, 1143-1156",
                "what the same all-to-all would take so; a fewer bytes in the last step unless p is a power of two; none for skewed or"
                        + " other patterns",
                Target.OTHER_COLLECTIVE,
                point -> point.closed() instanceof ClosedPattern.AllToAll all && all.zipf() == null
                        ? Prediction.of(log2(point.traffic().flows())
                                * point.zeroLoadNs(Math.max(1, (all.bufferBytes() + 1) / 2)))
                        : Prediction.none("only for traffic.pattern all-to-all without skew"));
    }

    static Collective broadcastBinomial() {
        return new Collective(
                "broadcast_binomial",
                "ceil(log2 p) T_ab(n)",
                THAKUR,
                "what a broadcast of one rank's buffer would take so; none where no collective is run",
                Target.OTHER_COLLECTIVE,
                point -> {
                    long n = buffer(point.closed());
                    return n == 0
                            ? NO_COLLECTIVE
                            : Prediction.of(log2(point.traffic().flows()) * point.zeroLoadNs(n));
                });
    }

    /** Scatter down a binomial tree, then all-gather by a ring. */
    static Collective broadcastVanDeGeijn() {
        return new Collective(
                "broadcast_van_de_geijn",
                "sum over k = 1 .. ceil(log2 p) of T_ab(n/2^k) + (p-1) T_ab(n/p)",
                "Barnett et al. 1994 (InterCom), Scalable High-Performance Computing Conference; " + THAKUR,
                "what a broadcast of one rank's buffer would take so; none where no collective is run",
                Target.OTHER_COLLECTIVE,
                point -> {
                    long n = buffer(point.closed());
                    if (n == 0) {
                        return NO_COLLECTIVE;
                    }
                    int p = point.traffic().flows();
                    double sum = (p - 1) * point.zeroLoadNs(Collectives.piece(n, p));
                    long part = n;
                    for (int k = 0; k < log2(p); k++) {
                        part = Collectives.piece(part, 2);
                        sum += point.zeroLoadNs(part);
                    }
                    return Prediction.of(sum);
                });
    }

    private static final Prediction NO_COLLECTIVE = Prediction.none("no collective is run");

    /** n of a collective; 0 where none is run. */
    private static long buffer(@Nullable ClosedPattern pattern) {
        return pattern instanceof ClosedPattern.RingCollective ring
                ? ring.bufferBytes()
                : pattern instanceof ClosedPattern.RecursiveDoubling doubling
                        ? doubling.bufferBytes()
                        : pattern instanceof ClosedPattern.AllToAll all ? all.bufferBytes() : 0;
    }

    /** ceil(log2 p). */
    private static int log2(int p) {
        return 32 - Integer.numberOfLeadingZeros(p - 1);
    }
}
