package io.github.rhosweep.kernel;

import java.util.Arrays;

/**
 * What waits at the hosts: a FIFO of messages per flow (source, destination), and per host the round robin in which its flows share
 * the NIC, a frame at a time. A host's turn starts at the destination after itself and moves past the flow served: if all hosts
 * started at 0, a one-shot all-to-all would first meet at one port.
 */
final class SourceQueues {
    private final int hosts;
    private final MessagePool messages;
    /** Per flow, source x hosts + destination. */
    private final int[] head;

    private final int[] tail;
    /** A row per host: destinations for which it holds a message. */
    private final PortSets waiting;
    /** Per host: the destination whose turn it is. */
    private final int[] turn;

    SourceQueues(int hosts, MessagePool messages) {
        this.hosts = hosts;
        this.messages = messages;
        int flows = Math.multiplyExact(hosts, hosts);
        this.head = new int[flows];
        this.tail = new int[flows];
        this.waiting = new PortSets(hosts, hosts);
        this.turn = new int[hosts];
        Arrays.fill(head, MessagePool.NONE);
        clear();
    }

    /** Forgets all messages; costs as much as there are flows in use. */
    void clear() {
        for (int host = 0; host < hosts; host++) {
            for (int destination; (destination = waiting.firstFrom(host, 0)) >= 0; ) {
                head[host * hosts + destination] = MessagePool.NONE;
                waiting.remove(host, destination);
            }
            turn[host] = host + 1 == hosts ? 0 : host + 1;
        }
    }

    /** Puts a message behind those of its flow. */
    void push(int message) {
        int host = messages.source[message];
        int destination = messages.destination[message];
        int flow = host * hosts + destination;
        if (head[flow] == MessagePool.NONE) {
            head[flow] = message;
            waiting.add(host, destination);
        } else {
            messages.next[tail[flow]] = message;
        }
        tail[flow] = message;
    }

    boolean isEmpty(int host) {
        return waiting.isEmpty(host);
    }

    /** The destination whose turn it is among those for which the host, which is not empty, holds a message; the turn moves on. */
    int takeTurn(int host) {
        int destination = waiting.firstFrom(host, turn[host]);
        turn[host] = destination + 1 == hosts ? 0 : destination + 1;
        return destination;
    }

    /** The first destination for which the host holds a message, -1 if it holds none. */
    int firstDestination(int host) {
        return waiting.firstFrom(host, 0);
    }

    /** Takes one frame of the first message of a flow, and the message out of the queue with its last frame. */
    int takeFrame(int host, int destination) {
        int flow = host * hosts + destination;
        int message = head[flow];
        if (--messages.unsent[message] == 0) {
            head[flow] = messages.next[message];
            if (head[flow] == MessagePool.NONE) {
                waiting.remove(host, destination);
            }
        }
        return message;
    }

    /** Frames not yet taken, and how many of them are the last of their message: {frames, last frames}; visits every message. */
    long[] unsentFrames() {
        long frames = 0;
        long lastFrames = 0;
        for (int first : head) {
            for (int message = first; message != MessagePool.NONE; message = messages.next[message]) {
                frames += messages.unsent[message];
                lastFrames++;
            }
        }
        return new long[] {frames, lastFrames};
    }
}
