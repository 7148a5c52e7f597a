package io.github.rhosweep.model;

import io.github.rhosweep.scenario.Schedule;
import io.github.rhosweep.scenario.TrafficSpec;
import io.github.rhosweep.topology.LinkLoads;
import io.github.rhosweep.topology.Topology;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * A lower bound of a schedule's time, as synthesizers of collectives use it (SCCL: Cai et al. 2021; TACCL: Shah et al. 2023): no link carries
 * more than its bandwidth. Step by step: sum over steps of the busiest link's bytes/bandwidth; or, where chunks let steps overlap, the
 * busiest link's bytes/bandwidth of the whole. Latency comes on top.
 */
final class ScheduleBound {
    private ScheduleBound() {}

    /** Wire bytes of a message of so much payload. */
    static long wireBytes(long payload, int framePayloadBytes) {
        return payload + (payload + framePayloadBytes - 1) / framePayloadBytes * TrafficSpec.HEADER_BYTES;
    }

    /** Sum over steps of the busiest link's time, in ns; valid where every step waits for the one before it. */
    static double byStepsNs(Schedule schedule, Topology topology, int framePayloadBytes) {
        LinkLoads loads = LinkLoads.none(topology);
        Integer[] byStep = IntStream.range(0, schedule.size()).boxed().toArray(Integer[]::new);
        Arrays.sort(byStep, Comparator.comparingInt(schedule::step));
        double sum = 0;
        for (int i = 0; i < byStep.length; i++) {
            add(schedule, byStep[i], framePayloadBytes, loads);
            if (i + 1 == byStep.length || schedule.step(byStep[i + 1]) != schedule.step(byStep[i])) {
                sum += busiestNs(topology, loads);
                loads.clear();
            }
        }
        return sum;
    }

    /** The busiest link's time over the whole schedule, in ns; always valid. */
    static double overallNs(Schedule schedule, Topology topology, int framePayloadBytes) {
        LinkLoads loads = LinkLoads.none(topology);
        for (int m = 0; m < schedule.size(); m++) {
            add(schedule, m, framePayloadBytes, loads);
        }
        return busiestNs(topology, loads);
    }

    private static void add(Schedule schedule, int m, int framePayloadBytes, LinkLoads loads) {
        loads.add(
                schedule.source(m), schedule.destination(m), (double) wireBytes(schedule.bytes(m), framePayloadBytes));
    }

    private static double busiestNs(Topology topology, LinkLoads bytes) {
        double most = 0;
        for (int link = 0; link < topology.graph().links(); link++) {
            double bandwidth = topology.graph().bandwidthGbPerS(link).doubleValue();
            if (bandwidth > 0) {
                most = Math.max(most, bytes.perLink(link) / bandwidth);
            }
        }
        return most;
    }
}
