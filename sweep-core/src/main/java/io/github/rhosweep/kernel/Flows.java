package io.github.rhosweep.kernel;

import io.github.rhosweep.scenario.TrafficSpec;
import java.util.Arrays;

/**
 * The flows of a run, each a (source, destination, class of data, queue pair), as ints: what the sender has sent and knows to have arrived, and what
 * the receiver has. Frames of a flow are numbered from 0 (psn) through all its messages; psn ranges include the first and not the last.
 */
final class Flows {
    static final int NONE = -1;

    private final int hosts;
    private final int qps;
    /** Classes of data, each with flows of its own: frames of different ones may overtake each other. */
    private final int classes;

    private final MessagePool messages;
    private final int framePayload;
    private final int fullWire;
    /** Whether the sender keeps messages until they are acknowledged. */
    private final boolean keeps;
    /** Flow of each (source, destination, qp), {@link #NONE} before its first message. */
    private final int[] byEnds;

    private int count;

    // Who.
    int[] source = {};
    int[] destination = {};
    /** (destination, class, qp) as one number. */
    int[] local = {};

    // Sender.
    /** Message that holds the first frame not known to have arrived (or not sent, where nobody answers). */
    private int[] head = {};
    /** Message that holds the next new frame; {@link #NONE} if there is none. */
    private int[] current = {};

    private int[] tail = {};
    /** Message that was searched for last, and the frame behind it: still held if that is beyond the acknowledged ones. */
    private int[] found = {};

    private long[] foundEnd = {};
    /** All frames before it arrived. */
    long[] acked = {};
    /** Next frame to send, but for repetitions. */
    private long[] next = {};
    /** All frames from it on were never sent. */
    private long[] fresh = {};

    private long[] end = {};
    /** Wire bytes of frames sent and neither acknowledged nor given up. */
    long[] outstandingBytes = {};
    /** Single frames to be sent again, ascending. */
    private long[][] repeats = {};

    private int[] repeatsFrom = {};
    private int[] repeatsTo = {};
    /** When the last frame began to be sent, in ps, and its wire bytes; 0 before the first. */
    long[] lastStartPs = {};

    int[] lastWire = {};
    /** When the sender gives up waiting, and when it will look at that next, in ps; timeouts in a row. */
    long[] deadlinePs = {};

    long[] armedPs = {};
    int[] backoff = {};

    // Receiver.
    /** All frames before it arrived. */
    long[] expected = {};
    /** Frames that arrived beyond it: bit psn mod 64 x length. */
    private long[][] beyond = {};
    /** One more than the highest frame that arrived. */
    long[] highest = {};
    /** The frame that was out of order last, and the expected frame of the last NAK; -1 if there is none. */
    long[] lastOutOfOrder = {};

    long[] nakedFor = {};
    /** Frames and their wire bytes that arrived since the last ACK. */
    int[] unansweredFrames = {};

    long[] unansweredBytes = {};
    /** When the last CNP was sent, in ps; negative before the first. */
    long[] lastCnpPs = {};

    // Responses under way on their own channel: those that change something when they arrive, and those that are only
    // counted.
    int[] firstUnheeded = {};
    int[] lastUnheeded = {};
    int[] firstResponse = {};
    int[] lastResponse = {};
    long[] responseDelayPs = {};

    /** @param keeps whether frames may have to be sent again */
    Flows(int hosts, int classes, int qps, TrafficSpec traffic, MessagePool messages, boolean keeps) {
        this.hosts = hosts;
        this.classes = classes;
        this.qps = qps;
        this.messages = messages;
        this.framePayload = traffic.framePayloadBytes();
        this.fullWire = framePayload + traffic.headerBytes();
        this.keeps = keeps;
        this.byEnds = new int[Math.multiplyExact(Math.multiplyExact(hosts, hosts), classes * qps)];
        Arrays.fill(byEnds, NONE);
    }

    int count() {
        return count;
    }

    /** Numbers of flows that a host may have: destinations x classes x queue pairs. */
    int perHost() {
        return hosts * classes * qps;
    }

    /** The flow of a host by its number there; {@link #NONE} if it never had a message. */
    int at(int host, int numberAtHost) {
        return byEnds[host * perHost() + numberAtHost];
    }

    int qp(int flow) {
        return local[flow] % qps;
    }

    /** Class of its data, numbered from the lowest. */
    int classOf(int flow) {
        return classes == 1 ? 0 : classes - 1 - local[flow] / qps % classes;
    }

    /** The flow of two hosts, a class of data and a queue pair, made if it is new. */
    int of(int from, int to, int classOfData, int qp) {
        int number = (to * classes + classes - 1 - classOfData) * qps + qp;
        int key = from * perHost() + number;
        int flow = byEnds[key];
        if (flow == NONE) {
            flow = count++;
            if (flow >= source.length) {
                grow(Math.max(16, Math.multiplyExact(flow, 2)));
            }
            byEnds[key] = flow;
            source[flow] = from;
            destination[flow] = to;
            local[flow] = number;
            head[flow] = NONE;
            current[flow] = NONE;
            armedPs[flow] = EventQueue.NEVER;
            lastOutOfOrder[flow] = -1;
            nakedFor[flow] = -1;
            lastCnpPs[flow] = -1;
            firstResponse[flow] = NONE;
            firstUnheeded[flow] = NONE;
        }
        return flow;
    }

    private void grow(int capacity) {
        source = Arrays.copyOf(source, capacity);
        destination = Arrays.copyOf(destination, capacity);
        local = Arrays.copyOf(local, capacity);
        head = Arrays.copyOf(head, capacity);
        current = Arrays.copyOf(current, capacity);
        tail = Arrays.copyOf(tail, capacity);
        found = Arrays.copyOf(found, capacity);
        foundEnd = Arrays.copyOf(foundEnd, capacity);
        acked = Arrays.copyOf(acked, capacity);
        next = Arrays.copyOf(next, capacity);
        fresh = Arrays.copyOf(fresh, capacity);
        end = Arrays.copyOf(end, capacity);
        outstandingBytes = Arrays.copyOf(outstandingBytes, capacity);
        repeats = Arrays.copyOf(repeats, capacity);
        repeatsFrom = Arrays.copyOf(repeatsFrom, capacity);
        repeatsTo = Arrays.copyOf(repeatsTo, capacity);
        lastStartPs = Arrays.copyOf(lastStartPs, capacity);
        lastWire = Arrays.copyOf(lastWire, capacity);
        deadlinePs = Arrays.copyOf(deadlinePs, capacity);
        armedPs = Arrays.copyOf(armedPs, capacity);
        backoff = Arrays.copyOf(backoff, capacity);
        expected = Arrays.copyOf(expected, capacity);
        beyond = Arrays.copyOf(beyond, capacity);
        highest = Arrays.copyOf(highest, capacity);
        lastOutOfOrder = Arrays.copyOf(lastOutOfOrder, capacity);
        nakedFor = Arrays.copyOf(nakedFor, capacity);
        unansweredFrames = Arrays.copyOf(unansweredFrames, capacity);
        unansweredBytes = Arrays.copyOf(unansweredBytes, capacity);
        lastCnpPs = Arrays.copyOf(lastCnpPs, capacity);
        firstUnheeded = Arrays.copyOf(firstUnheeded, capacity);
        lastUnheeded = Arrays.copyOf(lastUnheeded, capacity);
        firstResponse = Arrays.copyOf(firstResponse, capacity);
        lastResponse = Arrays.copyOf(lastResponse, capacity);
        responseDelayPs = Arrays.copyOf(responseDelayPs, capacity);
    }

    /** Puts a message, with its payload and frames set, behind those of its flow. */
    void push(int flow, int message) {
        messages.firstPsn[message] = end[flow];
        end[flow] += messages.frames[message];
        if (head[flow] == NONE) {
            head[flow] = message;
        } else {
            messages.next[tail[flow]] = message;
        }
        tail[flow] = message;
        if (current[flow] == NONE) {
            current[flow] = message;
        }
    }

    /** Whether there is a frame to send. */
    boolean hasFrame(int flow) {
        return next[flow] < end[flow] || repeatsFrom[flow] < repeatsTo[flow];
    }

    /** Whether the next frame to send was never sent in this place of the sequence: it needs room in the window. */
    boolean nextIsNew(int flow) {
        return repeatsFrom[flow] == repeatsTo[flow];
    }

    /** The frame that {@link #take} would give. */
    long peek(int flow) {
        return repeatsFrom[flow] < repeatsTo[flow] ? repeats[flow][repeatsFrom[flow]] : next[flow];
    }

    /** Whether a frame was sent before. */
    boolean wasSent(int flow, long psn) {
        return psn < fresh[flow];
    }

    /** Whether frames were sent that are not known to have arrived. */
    boolean awaitsAck(int flow) {
        return acked[flow] < fresh[flow];
    }

    /** The message that holds a frame which is not acknowledged, or not sent where nobody answers. */
    int messageOf(int flow, long psn) {
        int message = head[flow];
        if (current[flow] != NONE && psn >= messages.firstPsn[current[flow]]) {
            message = current[flow];
        } else if (foundEnd[flow] > acked[flow] && psn >= messages.firstPsn[found[flow]]) {
            message = found[flow];
        }
        if (psn < messages.firstPsn[message] + messages.frames[message]) {
            return message;
        }
        do {
            message = messages.next[message];
        } while (psn >= messages.firstPsn[message] + messages.frames[message]);
        found[flow] = message;
        foundEnd[flow] = messages.firstPsn[message] + messages.frames[message];
        return message;
    }

    boolean isLast(int message, long psn) {
        return psn == messages.firstPsn[message] + messages.frames[message] - 1;
    }

    int payload(int message, long psn) {
        return isLast(message, psn)
                ? (int) (messages.payloadBytes[message] - (messages.frames[message] - 1L) * framePayload)
                : framePayload;
    }

    /** Takes the frame to send out of what is to be sent. */
    void take(int flow, int message, int wire) {
        if (repeatsFrom[flow] < repeatsTo[flow]) {
            repeatsFrom[flow]++;
            return;
        }
        long psn = next[flow]++;
        outstandingBytes[flow] += wire;
        fresh[flow] = Math.max(fresh[flow], psn + 1);
        if (isLast(message, psn)) {
            current[flow] = messages.next[message];
            if (!keeps) {
                head[flow] = current[flow];
            }
        }
    }

    /** All frames before {@code psn} are known to have arrived; messages wholly among them are given back. */
    void acknowledge(int flow, long psn) {
        if (psn <= acked[flow]) {
            return;
        }
        boolean passes = psn >= next[flow];
        outstandingBytes[flow] = passes ? 0 : outstandingBytes[flow] - wireBytes(flow, acked[flow], psn);
        while (head[flow] != NONE && psn >= messages.firstPsn[head[flow]] + messages.frames[head[flow]]) {
            int done = head[flow];
            head[flow] = messages.next[done];
            messages.free(done);
        }
        acked[flow] = psn;
        while (repeatsFrom[flow] < repeatsTo[flow] && repeats[flow][repeatsFrom[flow]] < psn) {
            repeatsFrom[flow]++;
        }
        if (passes) {
            next[flow] = psn;
            current[flow] = head[flow];
        }
    }

    /** The sender begins anew with the first frame that is not acknowledged. */
    void goBack(int flow) {
        next[flow] = acked[flow];
        current[flow] = head[flow];
        outstandingBytes[flow] = 0;
        repeatsFrom[flow] = 0;
        repeatsTo[flow] = 0;
    }

    /** The receiver misses frames: those not acknowledged and not to be sent anyway are to be sent again. */
    void repeat(int flow, long from, long to) {
        for (long psn = Math.max(from, acked[flow]); psn < Math.min(to, next[flow]); psn++) {
            if (repeatsFrom[flow] == repeatsTo[flow]) {
                repeatsFrom[flow] = 0;
                repeatsTo[flow] = 0;
            }
            long[] list = repeats[flow];
            if (list == null || repeatsTo[flow] == list.length) {
                list = list == null ? new long[16] : Arrays.copyOf(list, 2 * list.length);
                repeats[flow] = list;
            }
            list[repeatsTo[flow]++] = psn;
        }
    }

    /** Wire bytes of a range of frames of messages that the sender holds. */
    private long wireBytes(int flow, long from, long to) {
        long sum = 0;
        int message = messageOf(flow, from);
        for (long psn = from; psn < to; message = messages.next[message]) {
            long behind = messages.firstPsn[message] + messages.frames[message];
            long stop = Math.min(to, behind);
            sum += (stop - psn) * fullWire;
            if (stop == behind) {
                sum -= framePayload - payload(message, behind - 1);
            }
            psn = stop;
        }
        return sum;
    }

    /** Frames of all flows that were never sent, and their wire bytes; visits every message. */
    long[] unsent() {
        long frames = 0;
        long bytes = 0;
        for (int flow = 0; flow < count; flow++) {
            if (fresh[flow] < end[flow]) {
                frames += end[flow] - fresh[flow];
                bytes += wireBytes(flow, fresh[flow], end[flow]);
            }
        }
        return new long[] {frames, bytes};
    }

    /** Whether the receiver has a frame. */
    boolean has(int flow, long psn) {
        if (psn < expected[flow]) {
            return true;
        }
        long[] bits = beyond[flow];
        return psn < highest[flow] && bits != null && (bits[word(bits, psn)] >>> psn & 1) != 0;
    }

    /** The receiver keeps a frame that it has not yet. */
    void keep(int flow, long psn) {
        if (psn != expected[flow]) {
            long[] bits = room(flow, psn);
            bits[word(bits, psn)] |= 1L << psn;
            highest[flow] = Math.max(highest[flow], psn + 1);
            return;
        }
        highest[flow] = Math.max(highest[flow], psn + 1);
        long upTo = psn + 1;
        long[] bits = beyond[flow];
        if (bits != null) {
            for (; upTo < highest[flow] && (bits[word(bits, upTo)] >>> upTo & 1) != 0; upTo++) {
                bits[word(bits, upTo)] &= ~(1L << upTo);
            }
        }
        expected[flow] = upTo;
    }

    private static int word(long[] bits, long psn) {
        return (int) (psn >>> 6) & (bits.length - 1);
    }

    /** Bits for all frames from the expected to a given one. */
    private long[] room(int flow, long psn) {
        long[] bits = beyond[flow];
        if (bits == null) {
            bits = new long[1];
            beyond[flow] = bits;
        }
        // One word more than the distance needs, since it may begin anywhere within a word.
        long words = ((psn - expected[flow]) >>> 6) + 2;
        if (words > bits.length) {
            long[] wider = new long[(int) Long.highestOneBit(2 * words - 1)];
            for (long each = expected[flow]; each < highest[flow]; each++) {
                if ((bits[word(bits, each)] >>> each & 1) != 0) {
                    wider[word(wider, each)] |= 1L << each;
                }
            }
            bits = wider;
            beyond[flow] = bits;
        }
        return bits;
    }
}
