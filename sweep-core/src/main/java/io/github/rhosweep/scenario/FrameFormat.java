package io.github.rhosweep.scenario;

import org.jspecify.annotations.Nullable;

/** What a frame carries besides its payload. All formats take 1344 B of payload and more. */
public enum FrameFormat {
    /** 12 MAC, 4 VLAN, 2 type, 20 IP, 8 UDP, 8 RH, 4 ICRC, 4 FCS: 1406 B with 1344 B of payload. */
    STANDARD(62, 54L),
    /** 1370 B with 1344 B of payload. */
    AFH_GEN1(26, 26L),
    /** 1370 B with 1344 B of payload. */
    AFH_GEN2_16B(26, 26L),
    /** 1360 B with 1344 B of payload. The size of an ACK is not known. */
    AFH_LITE(16, null);

    private final int headerBytes;
    private final @Nullable Long ackBytes;

    FrameFormat(int headerBytes, @Nullable Long ackBytes) {
        this.headerBytes = headerBytes;
        this.ackBytes = ackBytes;
    }

    /** Wire bytes that are no payload. */
    public int headerBytes() {
        return headerBytes;
    }

    /** Wire bytes of an ACK; null where they are not known. */
    public @Nullable Long ackBytes() {
        return ackBytes;
    }

    /** Whether frames have an IP header, in which a switch can mark them (ECN). */
    public boolean carriesEcn() {
        return this == STANDARD;
    }
}
