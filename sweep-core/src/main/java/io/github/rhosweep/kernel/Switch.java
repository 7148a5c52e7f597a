package io.github.rhosweep.kernel;

import io.github.rhosweep.kernel.SharedBuffer.Verdict;
import io.github.rhosweep.result.LinkUse;
import io.github.rhosweep.result.SwitchCounters;
import io.github.rhosweep.scenario.SwitchSpec;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A virtual-output-queued switch: Dynamic Threshold admission into a shared buffer, iSLIP matching once a time slot, RED-ECN marking
 * as frames leave. It holds no event queue: the caller delivers arrivals in the order of time and calls {@link #tick} at
 * {@link #nextTickPs}, arrivals before the tick at equal times (D-12).
 *
 * <p>Costs per frame do not depend on the number of queues; a tick costs as much as there are requested egresses in each round.
 */
public final class Switch {
    /** That of control frames, as the design numbers priorities. */
    private static final int HIGHEST_PRIORITY = 3;

    /** Stands for "no tick is pending". */
    public static final long NEVER = Long.MAX_VALUE;

    private final SwitchSpec spec;
    private final PacketPool pool;
    private final long slotPs;
    private final long forwardingPs;
    private final SwitchSpec.PriorityClasses classes;
    /** Per egress; ports of one bandwidth share theirs. */
    private final SerialisationTimes[] serialisation;

    private final VoqBank bank;
    /** One pool, or one for each ingress or egress. */
    private final SharedBuffer[] pools;

    private final SwitchSpec.BufferScope scope;
    /** Wire bytes in all pools. */
    private long used;

    /** Wire bytes queued for each egress; null where nobody asks. */
    private final long @Nullable [] queuedForEgress;

    private final boolean marksByEgress;
    private final Islip islip;
    private final EcnMarker marker;
    /** Port of each node, by node number; null where node and port numbers are the same. */
    private final int @Nullable [] portOfNode;

    private final long[] busyUntilPs;
    private final long @Nullable [] gate;

    private long nextTickPs = NEVER;
    /** No tick is nearer than a slot to the last one (D-11); before the first there is no such bound. */
    private long earliestTickPs = Long.MIN_VALUE;

    private final int[] servedPacket;
    private final long[] servedFinishPs;
    private final long[] servedSerialPs;

    private long arrivedFrames;
    private long arrivedBytes;
    private long droppedBytes;
    private long dropsDynamicThreshold;
    private long dropsCapacity;
    private long packetsForwarded;
    private long totalBytesForwarded;
    private long ecnMarked;
    private long ticks;
    private long voqWaitSumPs;
    private final long[] forwardedFramesOfIngress;
    private final long[] busyPsOfEgress;
    /** Sum over the frames that each egress sent of the time from their arrival to the end of their serialisation, and how many. */
    private final long[] passagePsOfEgress;

    private final long[] forwardedFramesOfEgress;

    /** Told of each decision; null: nobody asks. */
    private @Nullable Tracing tracing;

    /** Integral over time of the number of queued frames, up to the last change. */
    private long queueIntegralPs;

    private long lastChangePs;

    /**
     * A switch whose node numbers are its port numbers.
     *
     * @param seed of the marker's generator, not 0
     * @param pool holds the packets that pass through
     */
    public Switch(SwitchSpec spec, long seed, PacketPool pool) {
        this(spec, seed, pool, null);
    }

    /**
     * A switch with the given neighbours.
     *
     * @param seed of the marker's generator, not 0
     * @param pool holds the packets that pass through
     * @param neighbours node numbers: neighbour k is on port k; null if every node is on the port of its number
     * @throws IllegalArgumentException if there are more neighbours than ports, or a neighbour is named twice
     */
    public Switch(SwitchSpec spec, long seed, PacketPool pool, int @Nullable [] neighbours) {
        this(spec, seed, pool, neighbours, newBank(spec, separate(spec), pool));
    }

    private static VoqBank newBank(SwitchSpec spec, boolean separate, PacketPool pool) {
        return new VoqBank(spec.portCount(), spec.priorityClasses().count(), separate, pool);
    }

    /** @param bank empty, as {@link VoqBank#fits} the specification: the one part whose making costs the square of the ports */
    Switch(SwitchSpec spec, long seed, PacketPool pool, int @Nullable [] neighbours, VoqBank bank) {
        this(
                spec,
                seed,
                pool,
                neighbours,
                bank,
                Collections.nCopies(spec.portCount(), spec.bandwidthGbPerS()),
                false,
                false,
                false);
    }

    /**
     * A switch of a fabric.
     *
     * @param bandwidths of each egress, in GB/s
     * @param lossless whether flow control keeps frames away that do not fit
     * @param pausesClasses whether flow control may hold an egress back for single classes of frames
     * @param routesByQueue whether somebody will ask for {@link #queuedForEgress}
     */
    Switch(
            SwitchSpec spec,
            long seed,
            PacketPool pool,
            List<BigDecimal> bandwidths,
            boolean lossless,
            boolean pausesClasses,
            boolean routesByQueue) {
        this(
                spec,
                seed,
                pool,
                null,
                newBank(spec, pausesClasses || separate(spec), pool),
                bandwidths,
                lossless,
                pausesClasses,
                routesByQueue);
    }

    private Switch(
            SwitchSpec spec,
            long seed,
            PacketPool pool,
            int @Nullable [] neighbours,
            VoqBank bank,
            List<BigDecimal> bandwidths,
            boolean lossless,
            boolean pausesClasses,
            boolean routesByQueue) {
        this.spec = spec;
        this.pool = pool;
        this.bank = bank;
        int ports = spec.portCount();
        this.slotPs = spec.slotPs();
        this.forwardingPs = spec.forwardingPs();
        this.classes = spec.priorityClasses();
        this.serialisation = serialisations(bandwidths);
        this.scope = spec.bufferScope();
        this.pools = new SharedBuffer[scope == SwitchSpec.BufferScope.SHARED ? 1 : ports];
        for (int k = 0; k < pools.length; k++) {
            pools[k] = new SharedBuffer(spec, lossless);
        }
        this.marksByEgress = spec.ecnScope() == SwitchSpec.EcnScope.EGRESS;
        this.queuedForEgress = marksByEgress || routesByQueue ? new long[ports] : null;
        this.islip = new Islip(spec, seed, pausesClasses);
        this.marker = new EcnMarker(spec, seed);
        this.portOfNode = neighbours == null ? null : portsByNode(neighbours, ports);
        this.busyUntilPs = new long[ports];
        this.gate = spec.egressGate() == SwitchSpec.EgressGate.BUSY ? busyUntilPs : null;
        this.servedPacket = new int[ports];
        this.servedFinishPs = new long[ports];
        this.servedSerialPs = new long[ports];
        this.forwardedFramesOfIngress = new long[ports];
        this.busyPsOfEgress = new long[ports];
        this.passagePsOfEgress = new long[ports];
        this.forwardedFramesOfEgress = new long[ports];
    }

    private static SerialisationTimes[] serialisations(List<BigDecimal> bandwidths) {
        Map<BigDecimal, SerialisationTimes> known = new HashMap<>();
        return bandwidths.stream()
                .map(bandwidth -> known.computeIfAbsent(bandwidth, SerialisationTimes::new))
                .toArray(SerialisationTimes[]::new);
    }

    private SharedBuffer pool(int ingress, int egress) {
        return switch (scope) {
            case SHARED -> pools[0];
            case PER_INGRESS -> pools[ingress];
            case PER_EGRESS -> pools[egress];
        };
    }

    /** Whether the priorities are matched apart. */
    static boolean separate(SwitchSpec spec) {
        return spec.priorityMode() == SwitchSpec.PriorityMode.STRICT
                || spec.egressScheduler() == SwitchSpec.EgressScheduler.DWRR;
    }

    private static int[] portsByNode(int[] neighbours, int ports) {
        if (neighbours.length > ports) {
            throw new IllegalArgumentException(neighbours.length + " neighbours on " + ports + " ports");
        }
        int[] byNode = new int[Arrays.stream(neighbours).max().orElse(-1) + 1];
        Arrays.fill(byNode, -1);
        for (int port = 0; port < neighbours.length; port++) {
            if (byNode[neighbours[port]] >= 0) {
                throw new IllegalArgumentException("node " + neighbours[port] + " is on two ports");
            }
            byNode[neighbours[port]] = port;
        }
        return byNode;
    }

    /**
     * The port of a neighbour.
     *
     * @throws IllegalArgumentException if the node is no neighbour
     */
    public int portOf(int node) {
        int port = portOfNode == null ? node : node < portOfNode.length ? portOfNode[node] : -1;
        if (port < 0 || port >= spec.portCount()) {
            throw new IllegalArgumentException("node " + node + " is no neighbour");
        }
        return port;
    }

    /**
     * A frame arrives: it joins its VOQ or is dropped; then it stays the caller's. A drop schedules no tick.
     *
     * @param wireBytes of the packet, as the pool has it
     * @param now in ps, never before an earlier call
     * @return whether it was admitted
     */
    public boolean forward(int ingress, int egress, int wireBytes, int packet, long now) {
        int priority = pool.payloadBytes[packet] == 0
                ? classes.control()
                : classes == SwitchSpec.PriorityClasses.TWO ? 0 : pool.priority[packet];
        arrivedFrames++;
        arrivedBytes += wireBytes;
        SharedBuffer buffer = pool(ingress, egress);
        long queueBytes = bank.bytes(bank.voq(ingress, egress, priority));
        if (tracing != null) {
            tracing.before(buffer, queueBytes, wireBytes, bank.activeVoqs());
        }
        Verdict verdict = buffer.admit(queueBytes, wireBytes, bank.activeVoqs());
        if (tracing != null) {
            tracing.arrived(verdict, ingress, egress, priority, packet, now);
        }
        if (verdict != Verdict.ADMITTED) {
            droppedBytes += wireBytes;
            if (verdict == Verdict.DROPPED_CAPACITY) {
                dropsCapacity++;
            } else {
                dropsDynamicThreshold++;
            }
            return false;
        }
        integrateQueue(now);
        used += wireBytes;
        if (queuedForEgress != null) {
            queuedForEgress[egress] += wireBytes;
        }
        pool.enqueuedPs[packet] = now;
        bank.push(ingress, egress, priority, packet);
        if (nextTickPs == NEVER) {
            nextTickPs = Math.max(now, earliestTickPs);
        }
        return true;
    }

    /**
     * Matches and serves. The k-th frame served is {@link #servedPacket}, from {@link #servedIngress} to {@link #servedEgress}, with
     * its last bit on the outgoing link at {@link #servedFinishPs}; all hold until the next tick.
     *
     * @param now {@link #nextTickPs}
     * @return how many frames were served
     * @throws ArithmeticException if a time exceeds 2^63 ps
     */
    public int tick(long now) {
        ticks++;
        if (tracing != null) {
            islip.keepPointers();
        }
        int served = islip.match(bank, gate, now);
        integrateQueue(now);
        for (int k = 0; k < served; k++) {
            serve(k, now);
        }
        earliestTickPs = now + slotPs;
        nextTickPs = bank.frames() > 0 ? earliestTickPs : NEVER;
        return served;
    }

    /** Flow control holds an egress back: nothing is matched to it, and while all that is queued is for such no tick is due. */
    void close(int egress) {
        islip.close(egress);
        restIfClosed();
    }

    /** As {@link #close(int)}, for the frames of one class. */
    void close(int egress, int classOfFrames) {
        islip.close(egress, classOfFrames);
        restIfClosed();
    }

    /** As {@link #open(int, long)}, for the frames of one class. */
    void open(int egress, int classOfFrames, long now) {
        islip.open(egress, classOfFrames);
        resume(now);
    }

    /** Flow control lets an egress go on. */
    void open(int egress, long now) {
        islip.open(egress);
        resume(now);
    }

    private void resume(long now) {
        if (nextTickPs == NEVER && islip.hasOpenRequests(bank)) {
            nextTickPs = Math.max(now, earliestTickPs);
        }
    }

    /** After a tick of a switch with closed egresses: no tick is due while all that is queued is for such. */
    void restIfClosed() {
        if (nextTickPs != NEVER && !islip.hasOpenRequests(bank)) {
            nextTickPs = NEVER;
        }
    }

    /** Wire bytes queued for an egress, by a look at each queue. */
    long queuedNow(int egress) {
        return bank.queuedBytes(egress);
    }

    /** Wire bytes in all pools. */
    long usedBytes() {
        return used;
    }

    /** Wire bytes queued for an egress, counted as they come and go; only if the constructor was told that somebody will ask. */
    long queuedForEgress(int egress) {
        return Objects.requireNonNull(queuedForEgress)[egress];
    }

    /** Wire bytes of a pair of ports, of all classes. */
    long queuedForPair(int ingress, int egress) {
        long sum = 0;
        for (int c = 0; c < classes.count(); c++) {
            sum += queuedForPair(ingress, egress, c);
        }
        return sum;
    }

    /** Wire bytes of a pair of ports, of one class. */
    long queuedForPair(int ingress, int egress, int classOfFrames) {
        return bank.bytes(bank.voq(ingress, egress, classOfFrames));
    }

    private void serve(int k, long now) {
        int ingress = islip.ingress(k);
        int egress = islip.egress(k);
        int priority = islip.matchesClasses() ? islip.classOf(k) : bank.firstPriority(ingress, egress);
        SharedBuffer here = pool(ingress, egress);
        long fill = marksByEgress ? queuedForEgress(egress) : here.used();
        if (tracing != null) {
            tracing.leaves(ingress, egress, priority, fill);
        }
        int packet = bank.pop(ingress, egress, priority);
        int wire = pool.wireBytes[packet];
        here.release(wire);
        used -= wire;
        if (queuedForEgress != null) {
            queuedForEgress[egress] -= wire;
        }
        islip.served(egress, priority, wire);
        if (priority != classes.control() && marker.marks(fill)) {
            pool.marked[packet] = true;
            ecnMarked++;
        }
        long serial = serialisation[egress].ps(wire);
        // Forwarding overlaps with the service of later frames: the port is busy without it (D-7, D-10).
        long free = Math.addExact(Math.max(busyUntilPs[egress], now), serial);
        busyUntilPs[egress] = free;
        servedPacket[k] = packet;
        servedFinishPs[k] = Math.addExact(free, forwardingPs);
        servedSerialPs[k] = serial;
        long enqueued = pool.enqueuedPs[packet];
        voqWaitSumPs += now - enqueued;
        passagePsOfEgress[egress] += free - enqueued;
        forwardedFramesOfEgress[egress]++;
        packetsForwarded++;
        totalBytesForwarded += wire;
        forwardedFramesOfIngress[ingress]++;
        busyPsOfEgress[egress] += serial;
        if (tracing != null) {
            tracing.left(k, ingress, egress, priority, packet, now);
        }
    }

    /**
     * Has each decision from now on told. To be called before the first arrival, so that frames are numbered as they arrive.
     *
     * @param number of this switch, from 0
     */
    void trace(SwitchTrace to, int number) {
        tracing = new Tracing(to, number);
        islip.keepRounds();
    }

    /** What a traced switch remembers between a question and its answer. */
    private final class Tracing {
        private final SwitchTrace to;
        private final int number;
        /** Per packet in a VOQ: the number of its arrival. */
        private long[] frameOf = {};

        private long queueBytes;
        private long used;
        private @Nullable Double allowed;
        private String rule = "";
        private int wireBytes;
        private double probability;
        private double draw;
        private long markedBefore;
        private long capacity;

        Tracing(SwitchTrace to, int number) {
            this.to = to;
            this.number = number;
        }

        void before(SharedBuffer buffer, long inQueue, int wire, int activeVoqs) {
            queueBytes = inQueue;
            wireBytes = wire;
            used = buffer.used();
            capacity = buffer.capacity();
            allowed = buffer.allowed(inQueue, activeVoqs);
            rule = buffer.rule(inQueue, activeVoqs);
        }

        void arrived(Verdict verdict, int ingress, int egress, int priority, int packet, long now) {
            if (packet >= frameOf.length) {
                frameOf = Arrays.copyOf(frameOf, Math.max(64, 2 * packet));
            }
            frameOf[packet] = arrivedFrames;
            String reason = verdict == Verdict.DROPPED_CAPACITY || allowed == null
                    ? "used " + used + " + " + wireBytes + (verdict == Verdict.ADMITTED ? " <= " : " > ") + "capacity "
                            + capacity
                    : "queue " + queueBytes + " + " + wireBytes + (verdict == Verdict.ADMITTED ? " <= " : " > ") + rule;
            tell(
                    now,
                    verdict == Verdict.ADMITTED ? SwitchTrace.Kind.ADMIT : SwitchTrace.Kind.DROP,
                    ingress,
                    egress,
                    priority,
                    packet,
                    null,
                    null,
                    null,
                    switch (verdict) {
                        case ADMITTED -> reason;
                        case DROPPED_DYNAMIC_THRESHOLD -> "dynamic-threshold: " + reason;
                        case DROPPED_CAPACITY -> "capacity: " + reason;
                    });
        }

        void leaves(int ingress, int egress, int priority, long fill) {
            queueBytes = bank.bytes(bank.voq(ingress, egress, priority));
            used = fill;
            allowed = null;
            probability = marker.probability(fill);
            draw = marker.nextDraw();
            markedBefore = ecnMarked;
        }

        void left(int k, int ingress, int egress, int priority, int packet, long now) {
            wireBytes = pool.wireBytes[packet];
            int round = islip.round(k);
            tell(
                    now,
                    SwitchTrace.Kind.GRANT,
                    ingress,
                    egress,
                    priority,
                    packet,
                    round,
                    null,
                    null,
                    "round " + round + ": grant pointer " + islip.grantPointerBefore(k) + ", accept pointer "
                            + islip.acceptPointerBefore(k));
            boolean data = priority != classes.control();
            boolean marked = ecnMarked > markedBefore;
            boolean drawn = probability > 0 && probability < 1;
            tell(
                    now,
                    marked ? SwitchTrace.Kind.MARK : SwitchTrace.Kind.FORWARD,
                    ingress,
                    egress,
                    priority,
                    packet,
                    round,
                    data ? Double.valueOf(probability) : null,
                    servedFinishPs[k],
                    !data
                            ? "control frames are never marked"
                            : drawn
                                    ? "draw " + draw + (draw < probability ? " < " : " >= ") + "P"
                                    : marked ? "P = 1" : "P = 0");
        }

        private void tell(
                long now,
                SwitchTrace.Kind kind,
                int ingress,
                int egress,
                int priority,
                int packet,
                @Nullable Integer round,
                @Nullable Double p,
                @Nullable Long finishPs,
                String reason) {
            to.decided(new SwitchTrace.Event(
                    now,
                    number,
                    kind,
                    frameOf[packet],
                    ingress,
                    egress,
                    HIGHEST_PRIORITY - classes.control() + priority,
                    wireBytes,
                    queueBytes,
                    used,
                    allowed,
                    round,
                    p,
                    finishPs,
                    reason));
        }
    }

    private void integrateQueue(long now) {
        queueIntegralPs += bank.frames() * (now - lastChangePs);
        lastChangePs = now;
    }

    /** Whether a frame is queued. */
    public boolean hasPending() {
        return bank.frames() > 0;
    }

    /** When {@link #tick} is due, in ps; {@link #NEVER} when it is not. */
    public long nextTickPs() {
        return nextTickPs;
    }

    public int servedPacket(int k) {
        return servedPacket[k];
    }

    public int servedIngress(int k) {
        return islip.ingress(k);
    }

    public int servedEgress(int k) {
        return islip.egress(k);
    }

    /** Arrival at the next hop is this plus the link's propagation delay. */
    public long servedFinishPs(int k) {
        return servedFinishPs[k];
    }

    /** When the k-th frame served has its first bit on the outgoing link, in ps. */
    long servedStartPs(int k) {
        return servedFinishPs[k] - forwardingPs - servedSerialPs[k];
    }

    /** Serialisation time of the k-th frame served, in ps. */
    long servedSerialPs(int k) {
        return servedSerialPs[k];
    }

    /** Frames that wait in VOQs. */
    public int queuedFrames() {
        return bank.frames();
    }

    /** Wire bytes that wait in VOQs. */
    public long queuedBytes() {
        return used;
    }

    /** Data frames that wait in VOQs, and their wire bytes: {frames, bytes, packets}; visits every frame. */
    long[] queuedData() {
        return bank.data();
    }

    /** What was counted so far. */
    public SwitchCounters counters() {
        long peak = 0;
        for (SharedBuffer each : pools) {
            peak = Math.max(peak, each.peak());
        }
        return new SwitchCounters(
                packetsForwarded,
                dropsDynamicThreshold + dropsCapacity,
                ecnMarked,
                totalBytesForwarded,
                peak,
                pools[0].capacity(),
                spec.portCount(),
                ticks,
                dropsDynamicThreshold,
                dropsCapacity);
    }

    /** Frames forwarded from each ingress. */
    public long[] forwardedFramesOfIngress() {
        return forwardedFramesOfIngress.clone();
    }

    /** Sum of the serialisation times of what each egress sent, in ps. */
    public long[] busyPsOfEgress() {
        return busyPsOfEgress.clone();
    }

    /**
     * Adds what one egress sent to the use of a fabric's links.
     *
     * @param propagationPs of its link
     */
    void addUseOf(int egress, long propagationPs, LinkUse.Builder use) {
        use.add(
                busyPsOfEgress[egress],
                passagePsOfEgress[egress],
                forwardedFramesOfEgress[egress],
                forwardingPs + propagationPs);
    }

    /** Sum over all frames that left of the time from enqueue to dequeue, in ps. */
    public long voqWaitSumPs() {
        return voqWaitSumPs;
    }

    /** The design's counters under the keys {@code switch.{id}.name}. */
    public Map<String, Long> dumpStats(String id) {
        Map<String, Long> stats = new LinkedHashMap<>();
        counters().byDesignName().forEach((name, value) -> stats.put("switch." + id + "." + name, value));
        return stats;
    }

    /**
     * Checks that arrived = forwarded + dropped + queued, in frames and in bytes, and Little's law: the waits of all frames, those
     * still queued included, sum to the integral of the queue length. All three are exact.
     *
     * @throws IllegalStateException if one does not hold: a defect of the simulator
     */
    public void checkBalance(long now) {
        integrateQueue(now);
        long drops = dropsDynamicThreshold + dropsCapacity;
        requireEqual("frames arrived", arrivedFrames, packetsForwarded + drops + bank.frames());
        requireEqual("bytes arrived", arrivedBytes, totalBytesForwarded + droppedBytes + used);
        // Sums may wrap round at 2^64; equal sums wrap equally.
        requireEqual("integral of the queue length (Little's law)", queueIntegralPs, voqWaitSumPs + bank.agesPs(now));
    }

    /** @throws IllegalStateException if they differ: a defect of the simulator */
    static void requireEqual(String what, long left, long right) {
        if (left != right) {
            throw new IllegalStateException(
                    "switch does not balance: " + what + " " + left + ", accounted for " + right);
        }
    }
}
