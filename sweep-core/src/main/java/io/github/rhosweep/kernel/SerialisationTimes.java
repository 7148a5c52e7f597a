package io.github.rhosweep.kernel;

import io.github.rhosweep.scenario.SwitchSpec;
import java.math.BigDecimal;
import java.util.Arrays;

/**
 * Serialisation times at one bandwidth (D-1), each computed exactly once: few sizes occur in a run, and the exact rational costs a
 * hundred times what a frame does.
 */
final class SerialisationTimes {
    private static final int REMEMBERED_SIZES = 2048;

    private final BigDecimal gbPerS;
    /** By wire bytes, in ps; -1 where not yet asked for. */
    private final long[] knownPs = new long[REMEMBERED_SIZES];

    /** @param gbPerS bandwidth in GB/s, positive */
    SerialisationTimes(BigDecimal gbPerS) {
        this.gbPerS = gbPerS;
        Arrays.fill(knownPs, -1);
    }

    /** Time on the wire of a frame of so many bytes, in ps. */
    long ps(int wireBytes) {
        if (wireBytes < REMEMBERED_SIZES) {
            long known = knownPs[wireBytes];
            if (known >= 0) {
                return known;
            }
        }
        long time = SwitchSpec.serialisationPs(wireBytes, gbPerS);
        if (wireBytes < REMEMBERED_SIZES) {
            knownPs[wireBytes] = time;
        }
        return time;
    }
}
