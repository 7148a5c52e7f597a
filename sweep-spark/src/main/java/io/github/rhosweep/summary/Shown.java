package io.github.rhosweep.summary;

import io.github.rhosweep.result.Metric;
import io.github.rhosweep.result.Row;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What summaries and reports show of a point; null where it does not exist.
 *
 * @param latency mean message latency, ns
 * @param halfWidth of its interval
 * @param p99 of message latency, ns
 * @param lost fraction of messages lost
 * @param dropped fraction of frames dropped
 * @param marked fraction of forwarded frames that were marked
 * @param goodput GB/s
 */
record Shown(
        @Nullable Double latency,
        @Nullable Double halfWidth,
        @Nullable Double p99,
        @Nullable Double lost,
        @Nullable Double dropped,
        @Nullable Double marked,
        @Nullable Double goodput) {
    private static final String HALF_WIDTH = "message_latency_half_width_ns";

    /** The columns that {@link #of} reads, by name. */
    static Set<String> columns() {
        return Stream.concat(
                        Stream.of(HALF_WIDTH),
                        Stream.of(
                                        Metric.MESSAGE_LATENCY_MEAN_NS,
                                        Metric.MESSAGE_LATENCY_P99_NS,
                                        Metric.LOST_MESSAGE_FRACTION,
                                        Metric.DROPPED_FRAMES,
                                        Metric.OFFERED_FRAMES,
                                        Metric.ECN_MARKED,
                                        Metric.PACKETS_FORWARDED,
                                        Metric.GOODPUT_GB_PER_S)
                                .map(m -> m.column().name()))
                .collect(Collectors.toUnmodifiableSet());
    }

    /** Of a row of {@code points}. */
    static Shown of(Row row) {
        return new Shown(
                number(row, Metric.MESSAGE_LATENCY_MEAN_NS),
                number(row, HALF_WIDTH),
                number(row, Metric.MESSAGE_LATENCY_P99_NS),
                number(row, Metric.LOST_MESSAGE_FRACTION),
                ratio(number(row, Metric.DROPPED_FRAMES), number(row, Metric.OFFERED_FRAMES)),
                ratio(number(row, Metric.ECN_MARKED), number(row, Metric.PACKETS_FORWARDED)),
                number(row, Metric.GOODPUT_GB_PER_S));
    }

    static @Nullable Double number(Row row, String column) {
        return row.get(column) instanceof Double d ? d : null;
    }

    private static @Nullable Double number(Row row, Metric metric) {
        return number(row, metric.column().name());
    }

    private static @Nullable Double ratio(@Nullable Double part, @Nullable Double whole) {
        return part == null || whole == null || whole == 0 ? null : part / whole;
    }
}
