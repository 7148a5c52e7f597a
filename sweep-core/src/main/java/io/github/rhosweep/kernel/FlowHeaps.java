package io.github.rhosweep.kernel;

import java.util.Arrays;

/**
 * Per host, the flows that have something due, by (time, number of the flow at its host): a binary heap that knows where each flow
 * stands (Knuth, TAOCP 3, 5.2.3), so that its time can change. The order does not depend on how it came about.
 */
final class FlowHeaps {
    private static final int NOWHERE = -1;

    private final int[][] heap;
    private final int[] size;
    /** Per flow. */
    private int[] position = {};

    private long[] time = {};
    /** Per flow: its number at its host, which breaks ties. */
    private int[] local = {};

    FlowHeaps(int hosts) {
        heap = new int[hosts][1];
        size = new int[hosts];
    }

    /** Makes a flow known; it has nothing due. */
    void add(int flow, int numberAtHost) {
        if (flow >= position.length) {
            int capacity = Math.max(16, Math.multiplyExact(flow, 2));
            position = Arrays.copyOf(position, capacity);
            time = Arrays.copyOf(time, capacity);
            local = Arrays.copyOf(local, capacity);
        }
        position[flow] = NOWHERE;
        time[flow] = EventQueue.NEVER;
        local[flow] = numberAtHost;
    }

    /** Flows of all hosts that have something due. */
    int size() {
        int sum = 0;
        for (int each : size) {
            sum += each;
        }
        return sum;
    }

    /** When the first flow of a host is due, in ps; {@link EventQueue#NEVER} if none is. */
    long firstPs(int host) {
        return size[host] == 0 ? EventQueue.NEVER : time[heap[host][0]];
    }

    /** The flow that is due first at a host that has one. */
    int first(int host) {
        return heap[host][0];
    }

    /** When a flow is due, in ps; {@link EventQueue#NEVER} if it is not. */
    long timeOf(int flow) {
        return time[flow];
    }

    /** Sets when a flow of a host is due; {@link EventQueue#NEVER} if it is not. */
    void set(int host, int flow, long at) {
        long before = time[flow];
        if (before == at) {
            return;
        }
        time[flow] = at;
        int[] flows = heap[host];
        if (before == EventQueue.NEVER) {
            if (size[host] == flows.length) {
                flows = Arrays.copyOf(flows, 2 * flows.length);
                heap[host] = flows;
            }
            up(flows, size[host]++, flow);
        } else if (at == EventQueue.NEVER) {
            int hole = position[flow];
            position[flow] = NOWHERE;
            int last = flows[--size[host]];
            if (last != flow) {
                place(flows, size[host], hole, last);
            }
        } else {
            place(flows, size[host], position[flow], flow);
        }
    }

    private void place(int[] flows, int count, int hole, int flow) {
        if (hole > 0 && before(flow, flows[(hole - 1) >> 1])) {
            up(flows, hole, flow);
        } else {
            down(flows, count, hole, flow);
        }
    }

    private void up(int[] flows, int from, int flow) {
        int hole = from;
        while (hole > 0) {
            int parent = (hole - 1) >> 1;
            if (!before(flow, flows[parent])) {
                break;
            }
            flows[hole] = flows[parent];
            position[flows[hole]] = hole;
            hole = parent;
        }
        flows[hole] = flow;
        position[flow] = hole;
    }

    private void down(int[] flows, int count, int from, int flow) {
        int hole = from;
        for (int child; (child = 2 * hole + 1) < count; ) {
            if (child + 1 < count && before(flows[child + 1], flows[child])) {
                child++;
            }
            if (!before(flows[child], flow)) {
                break;
            }
            flows[hole] = flows[child];
            position[flows[hole]] = hole;
            hole = child;
        }
        flows[hole] = flow;
        position[flow] = hole;
    }

    private boolean before(int a, int b) {
        return time[a] != time[b] ? time[a] < time[b] : local[a] < local[b];
    }
}
