package io.github.rhosweep.kernel;

/** What a packet of a fabric is: values of {@link PacketPool#kind}. */
final class FrameKind {
    static final byte DATA = 0;
    static final byte ACK = 1;
    /** Asks for what is missing. */
    static final byte NAK = 2;
    /** Notification of congestion (RoCEv2). */
    static final byte CNP = 3;
    /** A pause: from one neighbour to the other, like the two below. */
    static final byte STOP = 4;

    static final byte GO = 5;
    static final byte CREDIT = 6;
    /** Data on the link to its host, whose arrival somebody waits for. */
    static final byte AWAITED = 7;

    private FrameKind() {}
}
