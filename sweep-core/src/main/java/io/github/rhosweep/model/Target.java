package io.github.rhosweep.model;

import io.github.rhosweep.scenario.Parameter.ColumnType;

/** What a model can predict, and the measured column to set it against. */
public enum Target {
    MESSAGE("message_ns", "ns", "message_latency_mean_ns", "Mean message latency"),
    MESSAGE_P50(0.5, "message_p50_ns", "message_latency_p50_ns", "Median message latency"),
    MESSAGE_P90(0.9, "message_p90_ns", "message_latency_p90_ns", "0.9-quantile of message latency"),
    MESSAGE_P99(0.99, "message_p99_ns", "message_latency_p99_ns", "0.99-quantile of message latency"),
    MESSAGE_P999(0.999, "message_p999_ns", "message_latency_p999_ns", "0.999-quantile of message latency"),
    MESSAGE_MAX("message_max_ns", "ns", "message_latency_max_ns", "Largest message latency"),
    FRAME("frame_ns", "ns", "frame_latency_mean_ns", "Mean frame latency"),
    FRAME_P50(0.5, "frame_p50_ns", "frame_latency_p50_ns", "Median frame latency"),
    FRAME_P90(0.9, "frame_p90_ns", "frame_latency_p90_ns", "0.9-quantile of frame latency"),
    FRAME_P99(0.99, "frame_p99_ns", "frame_latency_p99_ns", "0.99-quantile of frame latency"),
    FRAME_P999(0.999, "frame_p999_ns", "frame_latency_p999_ns", "0.999-quantile of frame latency"),
    VOQ_WAIT("voq_wait_ns", "ns", "voq_wait_mean_ns", "Mean wait of a frame in its VOQ"),
    VOQ_WAIT_MAX("voq_wait_max_ns", "ns", "voq_wait_max_ns", "Longest wait of a frame in its VOQ"),
    COMPLETION("completion_ns", "ns", "completion_ns", "Completion of a closed pattern"),
    OTHER_COLLECTIVE(
            "time_ns", "ns", "", "Time that a collective which is not run here would take with the same buffers"),
    BUBBLE(
            "ns",
            "ns",
            "pipeline_bubble_ns",
            "By how much a closed pipeline takes longer than its busiest NIC has to send"),
    LOST_MESSAGES("lost_message_fraction", "", "lost_message_fraction", "Fraction of messages lost"),
    FILL_TIME("t_fill_ns", "ns", "", "Time from the start of a burst until the buffer that it may use is full"),
    COLLAPSE("collapse", "", "", "Whether a burst outlasts the buffer, so that frames are dropped"),
    MARKING("mark_probability", "", "", "Probability that a frame is marked"),
    QUEUE("queue_bytes", "bytes", "", "Bytes queued for the port"),
    QUEUE_LIMIT("queue_bytes", "bytes", "", "Bytes that each of the saturated VOQs settles at"),
    BUFFER_LIMIT("buffer_bytes", "bytes", "buffer_peak_bytes", "Bytes that all saturated VOQs together settle at");

    private final double quantile;
    private final String suffix;
    private final String unit;
    private final String measured;
    private final String doc;

    Target(String suffix, String unit, String measured, String doc) {
        this.quantile = Double.NaN;
        this.suffix = suffix;
        this.unit = unit;
        this.measured = measured;
        this.doc = doc;
    }

    Target(double quantile, String suffix, String measured, String doc) {
        this.quantile = quantile;
        this.suffix = suffix;
        this.unit = "ns";
        this.measured = measured;
        this.doc = doc;
    }

    /** Order of the quantile, NaN if this is none. */
    double quantile() {
        return quantile;
    }

    /** The end of the column's name: {@code pred_<model>_<suffix>}. */
    public String suffix() {
        return suffix;
    }

    /** ns, bytes or empty. */
    public String unit() {
        return unit;
    }

    /** The measured column that the prediction is to be compared with; empty if none is. */
    public String measuredColumn() {
        return measured;
    }

    /** What it is, for people. */
    public String doc() {
        return doc;
    }

    ColumnType columnType() {
        return this == COLLAPSE ? ColumnType.BOOLEAN : ColumnType.DOUBLE;
    }

    /** Whether a customer is a frame; else it is a message. */
    public boolean ofFrames() {
        return switch (this) {
            case FRAME, FRAME_P50, FRAME_P90, FRAME_P99, FRAME_P999, VOQ_WAIT, VOQ_WAIT_MAX -> true;
            default -> false;
        };
    }
}
