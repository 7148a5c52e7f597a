package io.github.rhosweep.check;

import io.github.rhosweep.kernel.Switch;
import io.github.rhosweep.math.RandomStream;
import io.github.rhosweep.scenario.SwitchSpec;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Queue;

/** A switch alone: iSLIP, Dynamic Threshold, RED and the egress, against what is known of each exactly. */
final class SwitchChecks {
    private static final long SLOT = 3515;
    private static final int FRAME = 1406;

    private SwitchChecks() {}

    /** Five backlogged pairs of three ports share evenly, since pointers move in the first round only (McKeown 1999, section 4). */
    static void islipStarvation(Findings to) {
        int[][] pairs = {{0, 0}, {1, 0}, {1, 1}, {1, 2}, {2, 0}};
        SwitchRig rig = new SwitchRig("port_count=3", "islip_iterations=2", "buffer_capacity_bytes=1 GiB");
        for (int slot = 0; slot < 600; slot++) {
            for (int[] pair : pairs) {
                rig.offer(pair[0], pair[1], FRAME, 0);
            }
        }
        long[][] served = new long[3][3];
        for (int slot = 0; slot < 600; slot++) {
            int matches = rig.sw.tick(slot * SLOT);
            for (int k = 0; k < matches; k++) {
                served[rig.sw.servedIngress(k)][rig.sw.servedEgress(k)]++;
            }
        }
        for (int[] pair : pairs) {
            to.exactly(
                    "frames from " + pair[0] + " to " + pair[1] + " in 600 slots", served[pair[0]][pair[1]], 200, "");
        }
    }

    /** All VOQs backlogged, pointers 0: one round matches 1, 2, ..., N pairs in the first N slots, then always N. */
    static void islipBacklog(Findings to) {
        for (int[] portsAndRounds : new int[][] {{8, 1}, {8, 2}, {8, 8}, {70, 1}, {70, 2}}) {
            int ports = portsAndRounds[0];
            int rounds = portsAndRounds[1];
            SwitchRig rig =
                    new SwitchRig("port_count=" + ports, "islip_iterations=" + rounds, "buffer_capacity_bytes=1 GiB");
            for (int copy = 0; copy < 2 * ports; copy++) {
                for (int ingress = 0; ingress < ports; ingress++) {
                    for (int egress = 0; egress < ports; egress++) {
                        rig.offer(ingress, egress, FRAME, 0);
                    }
                }
            }
            int lost = 0;
            for (int slot = 0; slot < 2 * ports; slot++) {
                lost += ports - rig.sw.tick(slot * SLOT);
            }
            to.exactly(
                    "slots lost of " + ports + " ports, " + rounds + (rounds == 1 ? " round" : " rounds"),
                    lost,
                    (ports - rounds) * (ports - rounds + 1) / 2.0,
                    "");
        }
    }

    /** Of two frames of one time in one pair the control frame goes first, however they came (D-6). */
    static void priorities(Findings to) {
        SwitchRig rig = new SwitchRig();
        rig.offer(0, 1, FRAME, 1344, 0);
        rig.offer(0, 1, 54, 0, 0);
        rig.sw.tick(0);
        to.exactly("bytes left after the first tick of a tie", rig.sw.queuedBytes(), FRAME, "bytes");
        rig.sw.tick(SLOT);
        rig.offer(0, 1, FRAME, 1344, 2 * SLOT);
        rig.offer(0, 1, 54, 0, 2 * SLOT + 1);
        rig.sw.tick(3 * SLOT);
        to.exactly("bytes left where the data frame came first", rig.sw.queuedBytes(), 54, "bytes");
    }

    /** Q queues that fill side by side stop at alpha B / (1 + alpha Q) each (Choudhury and Hahne 1998). */
    static void dynamicThreshold(Findings to) {
        double capacity = 16e6;
        for (int queues : new int[] {1, 2, 8}) {
            SwitchRig rig = new SwitchRig("alpha=2", "buffer_capacity_bytes=16000000");
            to.within(
                    "bytes in each of " + queues + " saturated queues, alpha 2",
                    fill(rig, queues) / queues,
                    2 * capacity / (1 + 2 * queues),
                    FRAME,
                    "bytes",
                    "a frame");
        }
        SwitchRig active = new SwitchRig("admission=active-queues", "alpha=2", "buffer_capacity_bytes=16000000");
        to.within(
                "bytes in each of 8, active-queues",
                fill(active, 8) / 8,
                2 * capacity / 8 / 3,
                FRAME,
                "bytes",
                "a frame");

        SwitchRig second = new SwitchRig("admission=active-queues", "alpha=1", "buffer_capacity_bytes=10000");
        second.offer(0, 0, 4000, 0);
        to.exactly("a second queue's first frame above its half admitted", second.offer(1, 0, 3001, 0) ? 1 : 0, 0, "");
        to.exactly("a second queue's first frame of its half admitted", second.offer(1, 0, 3000, 0) ? 1 : 0, 1, "");
    }

    /** However full the pool, every VOQ may hold its reservation: free space counts from zero (D-3). */
    static void reservations(Findings to) {
        SwitchRig rig = new SwitchRig(
                "admission=reserved", "reserved_bytes=2000", "alpha=1", "buffer_capacity_bytes=10000", "port_count=4");
        int[] held = new int[16];
        for (int queue = 0; queue < 16; queue++) {
            while (rig.offer(queue / 4, queue % 4, 500, 0)) {
                held[queue] += 500;
            }
        }
        to.exactly(
                "bytes of the poorest of 16 queues that reserve 2000 B each of 10000 B",
                Arrays.stream(held).min().orElseThrow(),
                2000,
                "bytes");
    }

    /** Offers frames to queues of different ingresses in turn until none is let in; gives the bytes let in. */
    private static double fill(SwitchRig rig, int queues) {
        double admitted = 0;
        for (boolean any = true; any; ) {
            any = false;
            for (int queue = 0; queue < queues; queue++) {
                if (rig.offer(queue, 0, FRAME, 0)) {
                    admitted += FRAME;
                    any = true;
                }
            }
        }
        return admitted;
    }

    /** The fill that decides is that before the frame leaves. */
    static void ecnLeavingFrame(Findings to) {
        SwitchRig rig = new SwitchRig("buffer_capacity_bytes=1000", "alpha=8", "ecn_kmin=0.5", "ecn_kmax=0.5");
        rig.offer(0, 1, 900, 0);
        rig.sw.tick(0);
        to.exactly("a frame of 900 B alone in 1000 B, threshold 0.5, marked", marked(rig), 1, "");
        SwitchRig low = new SwitchRig("buffer_capacity_bytes=10000", "ecn_kmin=0.5");
        low.offer(0, 1, 1000, 0);
        low.sw.tick(0);
        to.exactly("a frame of 1000 B alone in 10000 B, kmin 0.5, marked", marked(low), 0, "");
    }

    private static double marked(SwitchRig rig) {
        return rig.pool.isMarked(rig.sw.servedPacket(0)) ? 1 : 0;
    }

    /** A fill held constant is marked with probability pmax (fill - kmin) / (kmax - kmin); not at all below, always above. */
    static void ecnRamp(Findings to) {
        int draws = 20_000;
        for (double pmax : new double[] {1, 0.2}) {
            for (int percent : new int[] {49, 50, 55, 65, 79, 80, 81}) {
                SwitchRig rig = new SwitchRig(
                        "buffer_capacity_bytes=100000",
                        "alpha=1000",
                        "ecn_kmin=0.5",
                        "ecn_kmax=0.8",
                        "ecn_pmax=" + pmax);
                for (int k = 1; k < percent; k++) {
                    rig.offer(0, 0, 1000, 0);
                }
                int marked = 0;
                for (int slot = 0; slot < draws; slot++) {
                    rig.offer(0, 0, 1000, slot * SLOT);
                    int served = rig.sw.tick(slot * SLOT);
                    marked += (int) marked(rig);
                    rig.freeServed(served);
                }
                double p = percent < 50 ? 0 : percent > 80 ? 1 : pmax * (percent - 50) / 30;
                to.within(
                        "share marked at fill " + percent / 100.0 + ", 0.5 / 0.8 / " + pmax,
                        marked / (double) draws,
                        p,
                        4 * Math.sqrt(p * (1 - p) / draws),
                        "",
                        "4 standard deviations of a binomial share");
            }
        }
    }

    /** The generator's first draws are 0.994, 0.050, 0.257, and a certain frame draws nothing (D-9). */
    static void ecnDraws(Findings to) {
        String[] marks = {"0.04=000", "0.2=010", "0.3=011", "0.995=111"};
        for (String pmaxAndMarks : marks) {
            String[] parts = pmaxAndMarks.split("=", 2);
            // At fill kmax the probability is pmax.
            SwitchRig rig = new SwitchRig(
                    "buffer_capacity_bytes=1000", "alpha=8", "ecn_kmin=0", "ecn_kmax=0.5", "ecn_pmax=" + parts[0]);
            StringBuilder found = new StringBuilder();
            for (int k = 0; k < 3; k++) {
                rig.offer(0, 0, 500, k * SLOT);
                rig.freeServed(rig.sw.tick(k * SLOT));
                found.append((int) marked(rig));
            }
            to.exactly(
                    "first three frames marked, read as binary, P " + parts[0],
                    Integer.parseInt(found.toString(), 2),
                    Integer.parseInt(parts[1], 2),
                    "");
        }
    }

    /** Ticks are a slot apart, also after the switch has been idle for less than one (D-11). */
    static void ticks(Findings to) {
        SwitchRig rig = new SwitchRig();
        rig.offer(0, 1, FRAME, 1000);
        to.exactly("first tick after an arrival at 1 ns", rig.sw.nextTickPs() / 1000.0, 1, "ns");
        rig.sw.tick(1000);
        to.exactly("ticks due when all has left", rig.sw.nextTickPs() == Switch.NEVER ? 0 : 1, 0, "");
        rig.offer(0, 1, FRAME, 2000);
        to.exactly("tick of a frame that comes 1 ns after a tick", rig.sw.nextTickPs() / 1000.0, 4.515, "ns");
        // Two frames of one tick each: the second's wire follows the first's, forwarding overlaps.
        rig.sw.tick(4515);
        to.exactly("its last bit on the link", rig.sw.servedFinishPs(0) / 1000.0, 4.515 + 30 + 3.515, "ns");
    }

    /** Poisson frames of two lengths to one egress: Pollaczek and Khinchine. A tick every 3 ps leaves the wait to the port. */
    static void mg1(Findings to) {
        SwitchRig rig = new SwitchRig("frame_size_bytes=1", "buffer_capacity_bytes=1 GiB");
        int small = 1000;
        int large = 9000;
        double meanBytes = 0.75 * small + 0.25 * large;
        double squareBytes = 0.75 * small * small + 0.25 * large * large;
        double psPerByte = 2.5;
        double rho = 0.7;
        double gapPs = meanBytes * psPerByte / rho;
        RandomStream random = new RandomStream(20_260_401);
        int batches = 20;
        int perBatch = 40_000;
        double[] sums = new double[batches];
        Queue<Integer> queued = new ArrayDeque<>();
        double clock = 0;
        int frames = 0;
        while (frames < batches * perBatch) {
            clock += gapPs * random.nextExponential();
            long arrival = Math.round(clock);
            while (rig.sw.nextTickPs() < arrival) {
                long now = rig.sw.nextTickPs();
                int served = rig.sw.tick(now);
                for (int k = 0; k < served && frames < batches * perBatch; k++) {
                    int wire = queued.remove();
                    long serial = SwitchSpec.serialisationPs(wire, rig.spec.bandwidthGbPerS());
                    sums[frames++ / perBatch] += rig.sw.servedFinishPs(k)
                            - rig.spec.forwardingPs()
                            - serial
                            - rig.pool.enqueuedPs(rig.sw.servedPacket(k));
                }
                rig.freeServed(served);
            }
            int wire = random.nextDouble() < 0.75 ? small : large;
            queued.add(wire);
            rig.offer(0, 0, wire, arrival);
        }
        double mean = Arrays.stream(sums).sum() / (batches * perBatch);
        double squares = Arrays.stream(sums)
                .map(s -> s / perBatch - mean)
                .map(d -> d * d)
                .sum();
        double t19 = 2.093024;
        to.mean(
                "wait of Poisson frames of 1000 and 9000 B, load 0.7, for the port",
                mean,
                t19 * Math.sqrt(squares / (batches - 1) / batches),
                rho / (2 * (1 - rho)) * squareBytes / meanBytes * psPerByte);
    }
}
