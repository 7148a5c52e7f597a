package io.github.rhosweep.result;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a switch counted, in frames, wire bytes and ticks.
 *
 * @param packetsForwarded frames that left
 * @param drops frames not admitted, in all
 * @param ecnMarked data frames marked as they left
 * @param totalBytesForwarded wire bytes that left
 * @param bufferPeakBytes most wire bytes in the pool right after an admission; may exceed the capacity (D-3)
 * @param bufferCapacityBytes the pool
 * @param portCount ports
 * @param ticks scheduling ticks, empty ones included
 * @param dropsDynamicThreshold drops by the queue's threshold
 * @param dropsCapacity drops by the capacity (static admission alone)
 */
public record SwitchCounters(
        long packetsForwarded,
        long drops,
        long ecnMarked,
        long totalBytesForwarded,
        long bufferPeakBytes,
        long bufferCapacityBytes,
        int portCount,
        long ticks,
        long dropsDynamicThreshold,
        long dropsCapacity) {
    /** Those of this switch and another: sums, but for the peak and the pool, which are the larger ones. */
    public SwitchCounters plus(SwitchCounters other) {
        return new SwitchCounters(
                packetsForwarded + other.packetsForwarded,
                drops + other.drops,
                ecnMarked + other.ecnMarked,
                totalBytesForwarded + other.totalBytesForwarded,
                Math.max(bufferPeakBytes, other.bufferPeakBytes),
                Math.max(bufferCapacityBytes, other.bufferCapacityBytes),
                portCount + other.portCount,
                ticks + other.ticks,
                dropsDynamicThreshold + other.dropsDynamicThreshold,
                dropsCapacity + other.dropsCapacity);
    }

    /** By how much the pool was overrun at most, in bytes. */
    public long bufferOvercommitPeakBytes() {
        return Math.max(0, bufferPeakBytes - bufferCapacityBytes);
    }

    /** All counters by name, in the order of {@code counters.json}. */
    public Map<String, Long> byName() {
        Map<String, Long> values = new LinkedHashMap<>(byDesignName());
        values.put("ticks", ticks);
        values.put("drops_dynamic_threshold", dropsDynamicThreshold);
        values.put("drops_capacity", dropsCapacity);
        values.put("buffer_overcommit_peak_bytes", bufferOvercommitPeakBytes());
        return values;
    }

    /** The seven counters of the design by name. */
    public Map<String, Long> byDesignName() {
        Map<String, Long> values = new LinkedHashMap<>();
        values.put("packets_forwarded", packetsForwarded);
        values.put("drops", drops);
        values.put("ecn_marked", ecnMarked);
        values.put("total_bytes_forwarded", totalBytesForwarded);
        values.put("buffer_peak_bytes", bufferPeakBytes);
        values.put("buffer_capacity_bytes", bufferCapacityBytes);
        values.put("port_count", (long) portCount);
        return values;
    }
}
