package io.github.rhosweep.scenario;

import java.util.Arrays;

/**
 * The messages of a workload that ends: some are offered at given times, the others when all that they wait for has been delivered.
 * Messages are numbered in the order in which they were added; parallel arrays, since collectives of a thousand hosts have millions.
 */
public final class Schedule {
    /** The tenant whose completion is the workload's. */
    public static final int FOREGROUND = 0;

    private final int size;
    private final int[] source;
    private final int[] destination;
    private final long[] bytes;
    private final long[] startPs;
    private final int[] step;
    private final int[] tenant;
    private final int[] predecessors;
    /** Successors of message m: next[m's first], in the order in which they were added. */
    private final int[] firstSuccessor;

    private final int[] successor;
    /** Messages without predecessors by start, equal starts by number. */
    private final int[] startOrder;

    private Schedule(Builder b) {
        this.size = b.size;
        this.source = Arrays.copyOf(b.source, size);
        this.destination = Arrays.copyOf(b.destination, size);
        this.bytes = Arrays.copyOf(b.bytes, size);
        this.startPs = Arrays.copyOf(b.startPs, size);
        this.step = Arrays.copyOf(b.step, size);
        this.tenant = Arrays.copyOf(b.tenant, size);
        this.predecessors = new int[size];
        this.firstSuccessor = new int[size + 1];
        for (int i = 0; i < b.edges; i++) {
            firstSuccessor[b.before[i] + 1]++;
            predecessors[b.after[i]]++;
        }
        for (int m = 0; m < size; m++) {
            firstSuccessor[m + 1] += firstSuccessor[m];
        }
        this.successor = new int[b.edges];
        int[] fill = firstSuccessor.clone();
        for (int i = 0; i < b.edges; i++) {
            successor[fill[b.before[i]]++] = b.after[i];
        }
        for (int m = 0; b.delayPs > 0 && m < size; m++) {
            startPs[m] += predecessors[m] == 0 ? b.delayPs : 0;
        }
        this.startOrder = startOrder();
    }

    /** Stable by start: heapless, since most schedules are already in order. */
    private int[] startOrder() {
        int count = 0;
        int[] order = new int[size];
        boolean sorted = true;
        for (int m = 0; m < size; m++) {
            if (predecessors[m] == 0) {
                sorted &= count == 0 || startPs[order[count - 1]] <= startPs[m];
                order[count++] = m;
            }
        }
        int[] starts = Arrays.copyOf(order, count);
        if (sorted) {
            return starts;
        }
        Integer[] boxed = Arrays.stream(starts).boxed().toArray(Integer[]::new);
        Arrays.sort(boxed, (x, y) -> Long.compare(startPs[x], startPs[y]));
        return Arrays.stream(boxed).mapToInt(Integer::intValue).toArray();
    }

    /** How many messages there are. */
    public int size() {
        return size;
    }

    /** The host that sends. */
    public int source(int message) {
        return source[message];
    }

    /** The host that receives. */
    public int destination(int message) {
        return destination[message];
    }

    /** Payload, in bytes. */
    public long bytes(int message) {
        return bytes[message];
    }

    /** When it is offered, in ps; with predecessors, how long after the delivery of the last of them. */
    public long startPs(int message) {
        return startPs[message];
    }

    /** Which step of its collective it belongs to, from 0. */
    public int step(int message) {
        return step[message];
    }

    /** Whose it is: {@link #FOREGROUND}, or the number of a background tenant. */
    public int tenant(int message) {
        return tenant[message];
    }

    /** How many messages must have been delivered before it is offered. */
    public int predecessors(int message) {
        return predecessors[message];
    }

    /** Those that wait for a message are {@code successor(firstSuccessor(m)) .. successor(firstSuccessor(m + 1) - 1)}. */
    public int firstSuccessor(int message) {
        return firstSuccessor[message];
    }

    /** See {@link #firstSuccessor}. */
    public int successor(int index) {
        return successor[index];
    }

    /** How many messages are offered at a given time. */
    public int starts() {
        return startOrder.length;
    }

    /** The i-th message that is offered at a given time, in the order of times, then of numbers. */
    public int start(int i) {
        return startOrder[i];
    }

    /** Steps: the largest, and one. 0 if there is no message. */
    public int steps() {
        return Arrays.stream(step).max().orElse(-1) + 1;
    }

    /** Messages of the foreground. */
    public int foreground() {
        return (int) Arrays.stream(tenant).filter(t -> t == FOREGROUND).count();
    }

    /** Sum of payloads. */
    public long totalBytes() {
        long sum = 0;
        for (long b : bytes) {
            sum = Math.addExact(sum, b);
        }
        return sum;
    }

    /** Adds all messages to another schedule, behind those that it has, as those of a tenant. */
    void addTo(Builder to, int ofTenant) {
        int first = to.size();
        for (int m = 0; m < size; m++) {
            to.add(source[m], destination[m], bytes[m], startPs[m], step[m], ofTenant);
        }
        for (int m = 0; m < size; m++) {
            for (int i = firstSuccessor[m]; i < firstSuccessor[m + 1]; i++) {
                to.order(first + m, first + successor[i]);
            }
        }
    }

    /** Collects messages. */
    public static final class Builder {
        private int size;
        private long delayPs;
        private int[] source = new int[16];
        private int[] destination = new int[16];
        private long[] bytes = new long[16];
        private long[] startPs = new long[16];
        private int[] step = new int[16];
        private int[] tenant = new int[16];
        private int edges;
        private int[] before = new int[16];
        private int[] after = new int[16];

        /** How many messages there are so far: the number of the next one. */
        public int size() {
            return size;
        }

        /**
         * Adds a foreground message.
         *
         * @param startPs when it is offered, in ps; for a message with predecessors, how long after the last of them
         * @return its number
         * @throws IllegalArgumentException if it has no bytes or would start before 0
         */
        public int add(int src, int dst, long payloadBytes, long startPs, int step) {
            return add(src, dst, payloadBytes, startPs, step, FOREGROUND);
        }

        /** As {@link #add(int, int, long, long, int)}, for a tenant. */
        public int add(int src, int dst, long payloadBytes, long start, int ofStep, int ofTenant) {
            if (payloadBytes < 1 || start < 0) {
                throw new IllegalArgumentException(payloadBytes + " bytes at " + start + " ps");
            }
            if (size == source.length) {
                int capacity = Math.multiplyExact(size, 2);
                source = Arrays.copyOf(source, capacity);
                destination = Arrays.copyOf(destination, capacity);
                bytes = Arrays.copyOf(bytes, capacity);
                startPs = Arrays.copyOf(startPs, capacity);
                step = Arrays.copyOf(step, capacity);
                tenant = Arrays.copyOf(tenant, capacity);
            }
            source[size] = src;
            destination[size] = dst;
            bytes[size] = payloadBytes;
            startPs[size] = start;
            step[size] = ofStep;
            tenant[size] = ofTenant;
            return size++;
        }

        /** Message {@code second} is not offered before message {@code first}, an earlier one, is delivered. */
        public void order(int first, int second) {
            if (first < 0 || first >= second || second >= size) {
                throw new IllegalArgumentException("message " + second + " cannot wait for message " + first);
            }
            if (edges == before.length) {
                before = Arrays.copyOf(before, 2 * edges);
                after = Arrays.copyOf(after, 2 * edges);
            }
            before[edges] = first;
            after[edges++] = second;
        }

        /** All that starts by the clock starts so much later, in ps. */
        public Builder delay(long ps) {
            delayPs = ps;
            return this;
        }

        /** The schedule of all that was added. */
        public Schedule build() {
            return new Schedule(this);
        }
    }
}
