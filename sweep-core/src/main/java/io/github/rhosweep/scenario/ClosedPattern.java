package io.github.rhosweep.scenario;

import io.github.rhosweep.scenario.Collectives.Ring;
import org.jspecify.annotations.Nullable;

/**
 * A pattern whose messages are known before the run: they start at given times or when others have arrived, and the run ends with the
 * last of them. It takes no load. {@code traffic.message} is n, the buffer of one rank, of which a message carries a part.
 */
public sealed interface ClosedPattern extends Pattern {
    /** All its messages among so many hosts. */
    Schedule schedule(int flows);

    /** Payload of its largest message, in bytes. */
    long messageBytes(int flows);

    /** Frames of all its messages. */
    double frames(int flows, int framePayloadBytes);

    /**
     * Bytes that, over the time of completion, give the bus bandwidth as nccl-tests defines it (its PERFORMANCE.md); NaN where it defines
     * none.
     */
    double busBytes(int flows);

    @Override
    default int destination(int source, int flows, java.util.random.RandomGenerator random) {
        throw new IllegalStateException("messages of a closed pattern are those of its schedule");
    }

    /** Frames of one message. */
    private static double framesOf(long bytes, int framePayloadBytes) {
        return Math.ceil((double) bytes / framePayloadBytes);
    }

    /**
     * Every rank to every other at once: complete when the slowest pair is.
     *
     * @param bufferBytes n, of which each pair carries a p-th part
     * @param zipf exponent by which destinations differ in popularity, as experts of a mixture do; null: all alike
     * @param self whether a rank sends to itself too
     */
    record AllToAll(long bufferBytes, @Nullable Double zipf, boolean self) implements ClosedPattern {
        @Override
        public Schedule schedule(int flows) {
            Schedule.Builder to = new Schedule.Builder();
            addTo(to, flows, Schedule.FOREGROUND);
            return to.build();
        }

        void addTo(Schedule.Builder to, int flows, int tenant) {
            if (zipf == null) {
                Collectives.allToAll(to, flows, bufferBytes, self, tenant);
            } else {
                Collectives.mixtureOfExperts(to, flows, bufferBytes, zipf, self, tenant);
            }
        }

        @Override
        public long messageBytes(int flows) {
            return zipf == null
                    ? Collectives.piece(bufferBytes, flows)
                    : Collectives.expertShares(flows, bufferBytes, zipf)[0];
        }

        @Override
        public double frames(int flows, int framePayloadBytes) {
            int senders = self ? flows : flows - 1;
            if (zipf == null) {
                return (double) flows * senders * framesOf(messageBytes(flows), framePayloadBytes);
            }
            double sum = 0;
            for (long bytes : Collectives.expertShares(flows, bufferBytes, zipf)) {
                sum += senders * framesOf(bytes, framePayloadBytes);
            }
            return sum;
        }

        @Override
        public double busBytes(int flows) {
            return bufferBytes * (flows - 1.0) / flows;
        }

        /** As a share of what the average host receives; the busiest is that of the most popular expert. */
        @Override
        public double busiestEgressShare(int flows) {
            if (zipf == null) {
                return 1;
            }
            double sum = 0;
            long[] shares = Collectives.expertShares(flows, bufferBytes, zipf);
            for (long share : shares) {
                sum += share;
            }
            return flows * shares[0] / sum;
        }

        @Override
        public int contenders(int flows) {
            return self ? flows : flows - 1;
        }
    }

    /**
     * A ring of all hosts: each sends to the next, step after step.
     *
     * @param bufferBytes n, of which each step carries a p-th part
     * @param chunks messages that such a part is cut into, each going round on its own
     */
    record RingCollective(Ring operation, long bufferBytes, int chunks) implements ClosedPattern {
        @Override
        public Schedule schedule(int flows) {
            Schedule.Builder to = new Schedule.Builder();
            Collectives.ring(to, operation, flows, bufferBytes, chunks, Schedule.FOREGROUND);
            return to.build();
        }

        @Override
        public long messageBytes(int flows) {
            return Collectives.largestPart(Collectives.piece(bufferBytes, flows), chunks);
        }

        @Override
        public double frames(int flows, int framePayloadBytes) {
            return (double) operation.steps(flows)
                    * flows
                    * framesOfParts(Collectives.piece(bufferBytes, flows), chunks, framePayloadBytes);
        }

        @Override
        public double busBytes(int flows) {
            return bufferBytes * operation.busFactor(flows);
        }

        @Override
        public int contenders(int flows) {
            return 1;
        }
    }

    /**
     * All-reduce by recursive doubling among a power of two of hosts.
     *
     * @param bufferBytes n, which every step carries whole
     * @param chunks messages that it is cut into
     */
    record RecursiveDoubling(long bufferBytes, int chunks) implements ClosedPattern {
        @Override
        public Schedule schedule(int flows) {
            Schedule.Builder to = new Schedule.Builder();
            Collectives.recursiveDoubling(to, flows, bufferBytes, chunks, Schedule.FOREGROUND);
            return to.build();
        }

        @Override
        public long messageBytes(int flows) {
            return Collectives.largestPart(bufferBytes, chunks);
        }

        @Override
        public double frames(int flows, int framePayloadBytes) {
            return (double) flows
                    * Integer.numberOfTrailingZeros(flows)
                    * framesOfParts(bufferBytes, chunks, framePayloadBytes);
        }

        @Override
        public double busBytes(int flows) {
            return bufferBytes * Ring.ALL_REDUCE.busFactor(flows);
        }

        @Override
        public int contenders(int flows) {
            return 1;
        }
    }

    /** Frames of a size cut into parts that differ by one byte at most. */
    private static double framesOfParts(long size, int chunks, int framePayloadBytes) {
        long parts = Math.min(chunks, size);
        long larger = size % parts;
        return larger * framesOf(size / parts + 1, framePayloadBytes)
                + (parts - larger) * framesOf(size / parts, framePayloadBytes);
    }
}
