package io.github.rhosweep.result;

import io.github.rhosweep.scenario.Parameter;
import io.github.rhosweep.scenario.Parameter.ColumnType;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The catalogue of what is counted and measured: one constant a column, whose name in lower case is the column's. Tables, files and
 * documentation come from here. A value that does not exist is null.
 */
@SuppressWarnings("ImmutableEnumChecker") // the functions are stateless
public enum Metric {
    PACKETS_FORWARDED(counter("", "Frames that left the switch", "", SwitchCounters::packetsForwarded)),
    DROPS(counter("", "Frames that the switch did not admit", "", SwitchCounters::drops)),
    DROPS_DYNAMIC_THRESHOLD(counter(
            "",
            "Drops by the limit of the frame's own VOQ",
            "Choudhury and Hahne 1998",
            SwitchCounters::dropsDynamicThreshold)),
    DROPS_CAPACITY(counter(
            "", "Drops by the capacity of the pool (static admission alone)", "", SwitchCounters::dropsCapacity)),
    ECN_MARKED(counter("", "Data frames marked as they left the switch", "D-8, D-9", SwitchCounters::ecnMarked)),
    TOTAL_BYTES_FORWARDED(counter("bytes", "Wire bytes that left the switch", "", SwitchCounters::totalBytesForwarded)),
    BUFFER_PEAK_BYTES(counter(
            "bytes",
            "Most wire bytes in the pool right after an admission; may exceed the capacity",
            "D-3",
            SwitchCounters::bufferPeakBytes)),
    BUFFER_OVERCOMMIT_PEAK_BYTES(counter(
            "bytes",
            "By how much the pool was overrun at most",
            "max(0, buffer_peak_bytes - switch_buffer_capacity_bytes), D-3",
            SwitchCounters::bufferOvercommitPeakBytes)),
    TICKS(counter("", "Scheduling ticks of the switch, empty ones included", "", SwitchCounters::ticks)),

    OFFERED_MESSAGES(total("", "Messages offered in the whole run", RunTotals::offeredMessages)),
    DELIVERED_MESSAGES(total("", "Messages whose every frame arrived", RunTotals::deliveredMessages)),
    LOST_MESSAGES(total("", "Messages of which a frame was dropped", RunTotals::lostMessages)),
    IN_FLIGHT_MESSAGES(
            total("", "Messages neither delivered nor lost when the run ended", RunTotals::inFlightMessages)),
    OFFERED_FRAMES(total("", "Frames of all messages offered", RunTotals::offeredFrames)),
    DELIVERED_FRAMES(total("", "Frames that arrived at their destination", RunTotals::deliveredFrames)),
    DROPPED_FRAMES(total("", "Frames dropped", RunTotals::droppedFrames)),
    IN_FLIGHT_FRAMES(
            total("", "Frames in source queues, links or switches when the run ended", RunTotals::inFlightFrames)),
    OFFERED_BYTES(total("bytes", "Wire bytes of the frames offered", RunTotals::offeredBytes)),
    DELIVERED_BYTES(total("bytes", "Wire bytes of the frames that arrived", RunTotals::deliveredBytes)),
    DROPPED_BYTES(total("bytes", "Wire bytes of the frames dropped", RunTotals::droppedBytes)),
    IN_FLIGHT_BYTES(total("bytes", "Wire bytes of the frames in flight when the run ended", RunTotals::inFlightBytes)),
    RETRANSMITTED_FRAMES(total("", "Frames sent again, as many times as they were", RunTotals::retransmittedFrames)),
    RETRANSMITTED_BYTES(total("bytes", "Wire bytes of the frames sent again", RunTotals::retransmittedBytes)),
    DISCARDED_FRAMES(total(
            "",
            "Frames that arrived and were not taken: their receiver had them, or takes frames in order only",
            RunTotals::discardedFrames)),
    DISCARDED_BYTES(total("bytes", "Wire bytes of the frames discarded", RunTotals::discardedBytes)),
    TIMEOUTS(transport("", "Times that a sender waited in vain and went back", TransportCounters::timeouts)),
    ACKS_SENT(transport("", "ACKs sent by receivers", TransportCounters::acksSent)),
    NAKS_SENT(transport("", "NAKs sent by receivers", TransportCounters::naksSent)),
    CNPS_SENT(transport("", "Congestion notifications sent by receivers", TransportCounters::cnpsSent)),
    CNPS_RECEIVED(transport("", "Congestion notifications that arrived at senders", TransportCounters::cnpsReceived)),
    RESPONSES_DROPPED(
            transport("", "ACKs, NAKs and CNPs that a switch did not admit", TransportCounters::responsesDropped)),
    RATE_LIMITED_NS(ns(
            "Time in which a NIC was free and held a frame back for its flow's rate alone,",
            " all hosts together, whole run",
            "",
            r -> (double) r.transport().rateLimitedPs())),
    PAUSES_SENT(transport("", "Pauses that switches sent to their upstreams (PFC)", TransportCounters::pausesSent)),
    STOPPED_NS(ns(
            "Time in which hosts and ports of switches were stopped by flow control,",
            " all together, whole run",
            "",
            r -> (double) r.transport().stoppedPs())),
    MEASURED_MESSAGES(total(
            "", "Messages that count as samples, lost ones and the warm-up's included", RunTotals::measuredMessages)),
    LOST_MESSAGE_FRACTION(real(
            "",
            "Measured messages that were lost; latencies are those of the others",
            "lost / measured messages, warm-up included",
            r -> ratio(r.totals().measuredLostMessages(), r.totals().measuredMessages()))),
    EVENTS(total("", "Events that the simulator handled", RunTotals::events)),

    MESSAGE_LATENCY_MEAN_NS(
            ns(Text.MEAN, Text.MESSAGE, "", r -> r.messageLatency().meanPs())),
    MESSAGE_LATENCY_MEAN_CV_NS(
            ns(Text.MEAN_CV, Text.MESSAGE, Text.CV, r -> r.messageLatency().controlledMeanPs())),
    MESSAGE_LATENCY_MEAN_CV_HALF_WIDTH_NS(ns(
            Text.CV_HALF_WIDTH, Text.MESSAGE, Text.CV, r -> r.messageLatency().controlledHalfWidthPs())),
    MESSAGE_LATENCY_STD_NS(
            ns(Text.STD, Text.MESSAGE, "", r -> r.messageLatency().stdPs())),
    MESSAGE_LATENCY_P50_NS(
            ns(Text.P50, Text.MESSAGE, Text.QUANTILE, r -> r.messageLatency().p50Ps())),
    MESSAGE_LATENCY_P90_NS(
            ns(Text.P90, Text.MESSAGE, Text.QUANTILE, r -> r.messageLatency().p90Ps())),
    MESSAGE_LATENCY_P99_NS(
            ns(Text.P99, Text.MESSAGE, Text.QUANTILE, r -> r.messageLatency().p99Ps())),
    MESSAGE_LATENCY_P999_NS(
            ns(Text.P999, Text.MESSAGE, Text.QUANTILE, r -> r.messageLatency().p999Ps())),
    MESSAGE_LATENCY_MAX_NS(
            ns(Text.MAX, Text.MESSAGE, "", r -> r.messageLatency().maxPs())),
    MESSAGE_LATENCY_HALF_WIDTH_NS(ns(
            Text.HALF_WIDTH, Text.MESSAGE, Text.BATCHES, r -> r.messageLatency().halfWidthPs())),
    MESSAGE_LATENCY_N(count(Text.N + Text.MESSAGE, r -> r.messageLatency().n())),

    FRAME_LATENCY_MEAN_NS(ns(Text.MEAN, Text.FRAME, "", r -> r.frameLatency().meanPs())),
    FRAME_LATENCY_MEAN_CV_NS(
            ns(Text.MEAN_CV, Text.FRAME, Text.CV, r -> r.frameLatency().controlledMeanPs())),
    FRAME_LATENCY_MEAN_CV_HALF_WIDTH_NS(
            ns(Text.CV_HALF_WIDTH, Text.FRAME, Text.CV, r -> r.frameLatency().controlledHalfWidthPs())),
    FRAME_LATENCY_STD_NS(ns(Text.STD, Text.FRAME, "", r -> r.frameLatency().stdPs())),
    FRAME_LATENCY_P50_NS(
            ns(Text.P50, Text.FRAME, Text.QUANTILE, r -> r.frameLatency().p50Ps())),
    FRAME_LATENCY_P90_NS(
            ns(Text.P90, Text.FRAME, Text.QUANTILE, r -> r.frameLatency().p90Ps())),
    FRAME_LATENCY_P99_NS(
            ns(Text.P99, Text.FRAME, Text.QUANTILE, r -> r.frameLatency().p99Ps())),
    FRAME_LATENCY_P999_NS(
            ns(Text.P999, Text.FRAME, Text.QUANTILE, r -> r.frameLatency().p999Ps())),
    FRAME_LATENCY_MAX_NS(ns(Text.MAX, Text.FRAME, "", r -> r.frameLatency().maxPs())),
    FRAME_LATENCY_HALF_WIDTH_NS(
            ns(Text.HALF_WIDTH, Text.FRAME, Text.BATCHES, r -> r.frameLatency().halfWidthPs())),
    FRAME_LATENCY_N(count(Text.N + Text.FRAME, r -> r.frameLatency().n())),

    VOQ_WAIT_MEAN_NS(ns(Text.MEAN, Text.VOQ, "", r -> r.voqWait().meanPs())),
    VOQ_WAIT_MEAN_CV_NS(ns(Text.MEAN_CV, Text.VOQ, Text.CV, r -> r.voqWait().controlledMeanPs())),
    VOQ_WAIT_MEAN_CV_HALF_WIDTH_NS(
            ns(Text.CV_HALF_WIDTH, Text.VOQ, Text.CV, r -> r.voqWait().controlledHalfWidthPs())),
    VOQ_WAIT_STD_NS(ns(Text.STD, Text.VOQ, "", r -> r.voqWait().stdPs())),
    VOQ_WAIT_P50_NS(ns(Text.P50, Text.VOQ, Text.QUANTILE, r -> r.voqWait().p50Ps())),
    VOQ_WAIT_P90_NS(ns(Text.P90, Text.VOQ, Text.QUANTILE, r -> r.voqWait().p90Ps())),
    VOQ_WAIT_P99_NS(ns(Text.P99, Text.VOQ, Text.QUANTILE, r -> r.voqWait().p99Ps())),
    VOQ_WAIT_P999_NS(ns(Text.P999, Text.VOQ, Text.QUANTILE, r -> r.voqWait().p999Ps())),
    VOQ_WAIT_MAX_NS(ns(Text.MAX, Text.VOQ, "", r -> r.voqWait().maxPs())),
    VOQ_WAIT_HALF_WIDTH_NS(
            ns(Text.HALF_WIDTH, Text.VOQ, Text.BATCHES, r -> r.voqWait().halfWidthPs())),
    VOQ_WAIT_N(count(
            Text.N + Text.VOQ,
            r -> r.switchCounters() == null ? null : r.voqWait().n())),

    SOURCE_QUEUE_WAIT_MEAN_NS(ns(
            Text.MEAN,
            "the time from the offer of a frame's message to the start of its transmission by the NIC",
            "",
            r -> r.sourceWait().meanPs())),
    SLOWDOWN_VS_IDLE(real(
            "",
            "Mean message latency over that in an idle network",
            "message_latency_mean_ns / zero-load latency of a message",
            r -> r.messageLatency().meanPs() == null || r.zeroLoadMessagePs() == 0
                    ? null
                    : r.messageLatency().meanPs() / r.zeroLoadMessagePs())),
    GOODPUT_GB_PER_S(real(
            "gb_per_s",
            "Payload of the messages completed within the measured time over that time, all destinations together",
            "",
            r -> r.measuredPs() == 0 ? null : r.deliveredPayloadBytes() * 1000.0 / r.measuredPs())),
    UTILISATION(real(
            "",
            "Share of the measured time in which the bottleneck egress was sending",
            "time on the wire of what it sent / measured time",
            r -> ratio(r.bottleneckBusyPs(), r.measuredPs()))),
    LOAD_SLOTS(real(
            "",
            "Load of the bottleneck egress in time slots: each frame takes one tick however short it is",
            "frames that arrived for it x time slot / measured time",
            r -> r.slotPs() == 0 || r.measuredPs() == 0
                    ? null
                    : (double) r.bottleneckFrames() * r.slotPs() / r.measuredPs())),
    ARRIVAL_SCV(real(
            "",
            "Squared coefficient of variation of the gaps between frames that arrive for the bottleneck egress",
            "variance / mean^2",
            RunResult::arrivalScv)),
    SERVICE_SCV(real(
            "",
            "Squared coefficient of variation of the service times of the frames that the bottleneck egress sent",
            "of max(serialisation, time slot); variance / mean^2",
            RunResult::serviceScv)),
    JAIN_FLOWS(real(
            "",
            "Fairness of the payload delivered to flows (source, destination) that offered any, whole run: 1/n .. 1",
            "Jain, Chiu, Hawe 1984: (sum x)^2 / (n sum x^2)",
            RunResult::jainFlows)),
    JAIN_INGRESSES(real(
            "",
            "Fairness of the frames forwarded from ingresses at which any arrived, whole run: 1/n .. 1",
            "Jain, Chiu, Hawe 1984: (sum x)^2 / (n sum x^2)",
            RunResult::jainIngresses)),
    HOTSPOT_RATIO(real(
            "",
            "Utilisation of the busiest link that leaves a switch over the mean of all such links, idle ones included, whole run",
            "max / mean of the time on the wire",
            r -> r.linkUse().hotspotRatio())),
    HOP_INFLATION_MAX(real(
            "",
            "Largest, over links that leave switches, of the mean time of a hop over that in an idle network, whole run",
            "a hop is from a frame's arrival at a switch to its arrival at the next node",
            r -> r.linkUse().hopInflationMax())),
    HOP_INFLATION_MEAN(real(
            "",
            "Mean time of the hops of all frames over that in an idle network, whole run",
            "sum of hop times / sum of forwarding, serialisation and propagation",
            r -> r.linkUse().hopInflationMean())),
    COMPLETION_NS(ns(
            "Time of the last delivery of a finite run; of a mix that of its foreground, from when that starts;",
            " null if a message was lost, or in a steady run",
            "",
            r -> doubled(r.completionPs()))),
    STRAGGLER_SPREAD_NS(ns(
            "Between the first and the last host to have received all that a closed pattern has for it;",
            " null for other patterns, and if a message was lost",
            "",
            r -> r.closed() == null ? null : doubled(r.closed().stragglerSpreadPs()))),
    BUS_BANDWIDTH_GB_PER_S(real(
            "gb_per_s",
            "Bus bandwidth of a collective: what its busiest link would carry of the payload; null for other patterns",
            "nccl-tests PERFORMANCE.md: n/completion_ns times 2(p-1)/p for all-reduce, (p-1)/p for all-gather, reduce-scatter,"
                    + " all-to-all; n is traffic.message",
            r -> {
                Long completion = r.completionPs();
                Double bytes = r.closed() == null ? null : r.closed().busBytes();
                return completion == null || bytes == null ? null : bytes * 1000 / completion;
            })),
    PIPELINE_BUBBLE_NS(ns(
            "By how much a closed pipeline takes longer than its busiest NIC has to send;",
            " null for other patterns",
            "completion_ns - frames of that NIC x max(serialisation, time slot), the last one's serialisation alone",
            r -> {
                Long completion = r.completionPs();
                Long floor = r.closed() == null ? null : r.closed().pipelineFloorPs();
                return completion == null || floor == null ? null : (double) (completion - floor);
            })),
    WARMUP_REMOVED_NS(ns(
            "Offers before this time are no samples: the warm-up given, or found by",
            " MSER over 256 time slices of message latency",
            "White 1997; White, Cobb, Spratt 2000; nothing is cut that lies above the rest",
            r -> (double) r.measuredFromPs())),
    RUN_KIND(new Spec(
            ColumnType.STRING,
            "",
            "steady (warm-up removed, a steady-state mean is sought) or finite (everything counts)",
            "",
            r -> Parameter.label(r.kind()))),
    STABLE(new Spec(
            ColumnType.BOOLEAN,
            "",
            "Whether a steady run had a steady state: load below 1, and latency did not grow throughout; null for a finite run",
            "grew: a rising line over the offer time explains over half of the variance of the means of the time slices",
            RunResult::stable)),
    LINK_UNLIMITED(new Spec(
            ColumnType.BOOLEAN,
            "",
            "Whether NICs take no time: all frames of a message arrive at the switch together (link_bandwidth_gb_per_s is null)",
            "",
            RunResult::linkUnlimited)),
    NULL_REASON(
            new Spec(ColumnType.STRING, "", "Why values that one would expect are null", "", RunResult::nullReason));

    /** Phrases that several columns share. */
    private static final class Text {
        static final String MEAN = "Mean of ";
        static final String MEAN_CV = "Mean, with a control variate, of ";
        static final String CV_HALF_WIDTH = "Half-width of the 95% interval of the mean, with a control variate, of ";
        static final String STD = "Sample standard deviation of ";
        static final String P50 = "Median of ";
        static final String P90 = "0.9-quantile of ";
        static final String P99 = "0.99-quantile of ";
        static final String P999 = "0.999-quantile of ";
        static final String MAX = "Maximum of ";
        static final String HALF_WIDTH = "Half-width of the 95% interval, from this run alone, of the mean of ";
        static final String N = "Samples of ";

        static final String MESSAGE = "the latency of a message, from its offer to the arrival of its last frame";
        static final String FRAME =
                "the latency of a frame, from the start of its transmission by the NIC to its arrival";
        static final String VOQ = "the wait of a frame in its VOQ, from enqueue to dequeue";

        static final String CV =
                "Lavenberg and Welch 1981; control: M/D/1 workload found at each offer, mean r S/(2(1-r))";
        static final String QUANTILE = "the ceil(q n)-th smallest, to 1/1024 of its value";
        static final String BATCHES = "batch means, 16 batches, AR(1) correction as in Tafazzoli and Wilson 2011";

        private Text() {}
    }

    /** What a constant says of its column. */
    private record Spec(
            ColumnType type, String unit, String doc, String source, Function<RunResult, @Nullable Object> value) {}

    private final Column column;
    private final Function<RunResult, @Nullable Object> value;

    Metric(Spec spec) {
        this.column = new Column(name().toLowerCase(Locale.ROOT), spec.type, spec.unit, spec.doc, spec.source);
        this.value = spec.value;
    }

    /** Name, type, unit and meaning. */
    public Column column() {
        return column;
    }

    /** The value in a run: Boolean, Long, Double or String, by the column's type, or null. */
    public @Nullable Object of(RunResult run) {
        return value.apply(run);
    }

    /** All columns in order. */
    public static List<Column> columns() {
        return Arrays.stream(values()).map(Metric::column).toList();
    }

    private static Spec counter(String unit, String doc, String source, Function<SwitchCounters, Long> value) {
        return new Spec(ColumnType.INT64, unit, doc, source, r -> {
            SwitchCounters counters = r.switchCounters();
            return counters == null ? null : value.apply(counters);
        });
    }

    private static Spec total(String unit, String doc, Function<RunTotals, Long> value) {
        return new Spec(ColumnType.INT64, unit, doc, "", r -> value.apply(r.totals()));
    }

    private static Spec transport(String unit, String doc, Function<TransportCounters, Long> value) {
        return new Spec(ColumnType.INT64, unit, doc, "", r -> value.apply(r.transport()));
    }

    private static Spec count(String doc, Function<RunResult, @Nullable Long> value) {
        return new Spec(ColumnType.INT64, "", doc, "", value::apply);
    }

    private static Spec real(String unit, String doc, String source, Function<RunResult, @Nullable Double> value) {
        return new Spec(ColumnType.DOUBLE, unit, doc, source, value::apply);
    }

    private static Spec ns(String what, String of, String source, Function<RunResult, @Nullable Double> valuePs) {
        return new Spec(ColumnType.DOUBLE, "ns", what + of, source, r -> {
            Double ps = valuePs.apply(r);
            return ps == null ? null : ps / 1000;
        });
    }

    private static @Nullable Double doubled(@Nullable Long value) {
        return value == null ? null : Double.valueOf(value);
    }

    private static @Nullable Double ratio(long part, long whole) {
        return whole == 0 ? null : (double) part / whole;
    }
}
