package io.github.rhosweep.scenario;

import io.github.rhosweep.scenario.Collectives.Ring;
import java.util.function.LongUnaryOperator;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A pattern whose messages are known before the run: they start at given times or when others have arrived, and the run ends with the
 * last of them. It takes no load. {@code traffic.message} is n, the buffer of one rank, of which a message carries a part.
 */
public sealed interface ClosedPattern extends Pattern {
    /** All its messages among so many hosts. */
    default Schedule schedule(int flows) {
        Schedule.Builder to = new Schedule.Builder();
        addTo(to, flows, Schedule.FOREGROUND);
        return to.delay(startPs()).build();
    }

    /** Adds its messages as those of a tenant. */
    void addTo(Schedule.Builder to, int flows, int tenant);

    /** Payload of its largest message, in bytes. */
    long messageBytes(int flows);

    /** Payload of the largest message of whoever else shares the network, in bytes; 0 if nobody does. */
    default long otherBytes(int flows) {
        return 0;
    }

    /** What is measured: this, but of a mix the pattern in front. */
    default ClosedPattern foreground() {
        return this;
    }

    /** Who shares the network, each with queue pairs of its own; the foreground is the first. */
    default int tenants() {
        return 1;
    }

    /** When the foreground starts, in ps; its completion counts from then. */
    default long startPs() {
        return 0;
    }

    /** Payload of what sources offer by the arrival process meanwhile, in bytes; 0 if they offer nothing. */
    default long offeredBytes(int flows) {
        return 0;
    }

    /** How many messages its schedule has. */
    double messages(int flows);

    /** Frames of all its messages, and of background collectives; open background traffic left out. */
    double frames(int flows, int framePayloadBytes);

    /**
     * Bytes that, over the time of completion, give the bus bandwidth as nccl-tests defines it (its PERFORMANCE.md); NaN where it defines
     * none.
     */
    double busBytes(int flows);

    @Override
    default int destination(int source, int flows, RandomGenerator random) {
        throw new IllegalStateException("messages of a closed pattern are those of its schedule");
    }

    @Override
    default double share(int source, int destination, int flows) {
        throw new IllegalStateException("a closed pattern draws no destinations");
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
        public void addTo(Schedule.Builder to, int flows, int tenant) {
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
        public double messages(int flows) {
            return (double) flows * contenders(flows);
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
        public void addTo(Schedule.Builder to, int flows, int tenant) {
            Collectives.ring(to, operation, flows, bufferBytes, chunks, tenant);
        }

        @Override
        public long messageBytes(int flows) {
            return Collectives.largestPart(Collectives.piece(bufferBytes, flows), chunks);
        }

        @Override
        public double messages(int flows) {
            return (double) operation.steps(flows) * flows * Math.min(chunks, Collectives.piece(bufferBytes, flows));
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
        public void addTo(Schedule.Builder to, int flows, int tenant) {
            Collectives.recursiveDoubling(to, flows, bufferBytes, chunks, tenant);
        }

        @Override
        public long messageBytes(int flows) {
            return Collectives.largestPart(bufferBytes, chunks);
        }

        @Override
        public double messages(int flows) {
            return (double) flows * Integer.numberOfTrailingZeros(flows) * Math.min(chunks, bufferBytes);
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

    /**
     * A pipeline of a given number of micro-batches, all at the first stage from the start.
     *
     * @param stages of flows / stages hosts each
     * @param batchBytes payload of a micro-batch
     * @param chunks messages that a micro-batch is cut into
     * @param backward whether micro-batches go back to the first stage
     * @param overlap what all hosts exchange meanwhile; the pipeline's end is the run's
     */
    record Pipeline(
            int stages,
            int microBatches,
            long batchBytes,
            int chunks,
            boolean backward,
            @Nullable ClosedPattern overlap)
            implements ClosedPattern {
        @Override
        public void addTo(Schedule.Builder to, int flows, int tenant) {
            Collectives.pipeline(to, stages, flows / stages, microBatches, batchBytes, chunks, backward, tenant);
            if (overlap != null) {
                overlap.addTo(to, flows, tenant + 1);
            }
        }

        /** Transfers, one after the other, of a micro-batch. */
        public int transfers() {
            return backward ? 2 * (stages - 1) : stages - 1;
        }

        /** Times that one NIC sends a micro-batch: a stage in the middle of both ways does so twice. */
        public int transfersOfBusiestNic() {
            return backward && stages > 2 ? 2 : 1;
        }

        /** Messages that one NIC sends at most. */
        public long messagesOfBusiestNic() {
            return (long) transfersOfBusiestNic() * microBatches * Math.min(chunks, batchBytes);
        }

        /**
         * What the busiest NIC takes to send all its messages.
         *
         * @param messagePs time of a message of so much payload, in ps
         */
        public long busiestNicPs(LongUnaryOperator messagePs) {
            long parts = Math.min(chunks, batchBytes);
            long larger = batchBytes % parts;
            long batchPs = (parts - larger) * messagePs.applyAsLong(lastMessageBytes())
                    + (larger == 0 ? 0 : larger * messagePs.applyAsLong(lastMessageBytes() + 1));
            return Math.multiplyExact((long) transfersOfBusiestNic() * microBatches, batchPs);
        }

        /** Payload of a micro-batch's last message, in bytes; those before it may have one byte more. */
        public long lastMessageBytes() {
            return batchBytes / Math.min(chunks, batchBytes);
        }

        @Override
        public int tenants() {
            return overlap == null ? 1 : 2;
        }

        @Override
        public long messageBytes(int flows) {
            return Collectives.largestPart(batchBytes, chunks);
        }

        @Override
        public long otherBytes(int flows) {
            return overlap == null ? 0 : overlap.messageBytes(flows);
        }

        @Override
        public double messages(int flows) {
            long rows = flows / stages;
            double own = (double) transfers() * rows * microBatches * Math.min(chunks, batchBytes);
            return overlap == null ? own : own + overlap.messages(flows);
        }

        @Override
        public double frames(int flows, int framePayloadBytes) {
            long rows = flows / stages;
            double own =
                    (double) transfers() * rows * microBatches * framesOfParts(batchBytes, chunks, framePayloadBytes);
            return overlap == null ? own : own + overlap.frames(flows, framePayloadBytes);
        }

        @Override
        public double busBytes(int flows) {
            return Double.NaN;
        }

        @Override
        public int contenders(int flows) {
            return overlap == null ? 1 : flows - 1;
        }
    }

    /**
     * A closed pattern in the foreground, whose end is the run's, under the open traffic of other tenants: each host offers their messages by
     * the arrival process, to destinations drawn by weight from three open patterns.
     *
     * @param startPs when the foreground starts; the others do at 0
     * @param uniform weight of messages to any other host
     * @param permutation weight of messages to the next host
     * @param hotspot weight of messages that are as those of {@link Pattern.Hotspot} with {@code hotspotFraction}
     * @param backgroundBytes payload of their messages
     */
    record Mix(
            ClosedPattern foreground,
            long startPs,
            double uniform,
            double permutation,
            double hotspot,
            double hotspotFraction,
            long backgroundBytes)
            implements ClosedPattern {
        @Override
        public void addTo(Schedule.Builder to, int flows, int tenant) {
            foreground.addTo(to, flows, tenant);
        }

        @Override
        public int tenants() {
            return foreground.tenants() + 1;
        }

        @Override
        public int destination(int source, int flows, RandomGenerator random) {
            double drawn = random.nextDouble() * (uniform + permutation + hotspot);
            Pattern tenant = drawn < hotspot
                    ? new Hotspot(hotspotFraction)
                    : drawn < hotspot + permutation ? new Permutation() : new Uniform(false);
            return tenant.destination(source, flows, random);
        }

        @Override
        public long messageBytes(int flows) {
            return foreground.messageBytes(flows);
        }

        @Override
        public long otherBytes(int flows) {
            return Math.max(backgroundBytes, foreground.otherBytes(flows));
        }

        @Override
        public long offeredBytes(int flows) {
            return backgroundBytes;
        }

        @Override
        public double messages(int flows) {
            return foreground.messages(flows);
        }

        @Override
        public double frames(int flows, int framePayloadBytes) {
            return foreground.frames(flows, framePayloadBytes);
        }

        @Override
        public double busBytes(int flows) {
            return foreground.busBytes(flows);
        }

        /** Of the background. */
        @Override
        public double busiestEgressShare(int flows) {
            double hot = new Hotspot(hotspotFraction).busiestEgressShare(flows);
            return (uniform + permutation + hotspot * hot) / (uniform + permutation + hotspot);
        }

        @Override
        public int contenders(int flows) {
            return flows - 1;
        }
    }

    /** Frames of a size cut into parts that differ by one byte at most. */
    private static double framesOfParts(long size, int chunks, int framePayloadBytes) {
        long parts = Math.min(chunks, size);
        long larger = size % parts;
        return larger * framesOf(size / parts + 1, framePayloadBytes)
                + (parts - larger) * framesOf(size / parts, framePayloadBytes);
    }

    /**
     * Flows of a file.
     *
     * @param file what it holds
     */
    record FromFile(FlowFile file) implements ClosedPattern {
        @Override
        public Schedule schedule(int flows) {
            return file.schedule();
        }

        @Override
        public void addTo(Schedule.Builder to, int flows, int tenant) {
            file.schedule().addTo(to, tenant);
        }

        @Override
        public long messageBytes(int flows) {
            return file.largestBytes();
        }

        @Override
        public double messages(int flows) {
            return file.schedule().size();
        }

        @Override
        public double frames(int flows, int framePayloadBytes) {
            double sum = 0;
            Schedule all = file.schedule();
            for (int m = 0; m < all.size(); m++) {
                sum += framesOf(all.bytes(m), framePayloadBytes);
            }
            return sum;
        }

        /** nccl-tests knows no such thing. */
        @Override
        public double busBytes(int flows) {
            return Double.NaN;
        }

        /** The host that receives most; of several the first. */
        @Override
        public int busiestEgress(int flows) {
            return file.busiestDestination();
        }

        @Override
        public int contenders(int flows) {
            return file.sendersToBusiest();
        }

        @Override
        public int activeEgresses(int flows) {
            return file.destinations();
        }

        boolean oneSize() {
            return file.smallestBytes() == file.largestBytes();
        }
    }
}
