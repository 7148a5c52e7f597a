package io.github.rhosweep.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.github.rhosweep.result.RunResult;
import io.github.rhosweep.scenario.FrameFormat;
import io.github.rhosweep.scenario.SwitchSpec;
import java.math.BigDecimal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Frames of the four formats: sizes of the design's tables, and what they do to a run. */
class FrameFormatTest {
    @ParameterizedTest
    @CsvSource({"STANDARD, 1406, 95.6", "AFH_GEN1, 1370, 98.1", "AFH_GEN2_16B, 1370, 98.1", "AFH_LITE, 1360, 98.8"})
    void fullFrames_areAsLargeAndEfficientAsTheDesignSays(FrameFormat format, int wire, double percent) {
        assertThat(1344 + format.headerBytes()).isEqualTo(wire);
        assertThat(100.0 * 1344 / wire).isEqualTo(percent, within(0.05));
    }

    @ParameterizedTest
    @CsvSource({
        "1406, 12.5, 112480", "1406, 25, 56240", "1406, 50, 28120",
        "1360, 12.5, 108800", "1360, 25, 54400", "1360, 50, 27200",
        "54, 12.5, 4320", "54, 25, 2160", "54, 50, 1080",
        "26, 12.5, 2080", "26, 25, 1040", "26, 50, 520",
    })
    void serialisation_isThatOfTheDesignsTable(int wire, BigDecimal gbPerS, long ps) {
        assertThat(SwitchSpec.serialisationPs(wire, gbPerS)).isEqualTo(ps);
    }

    /** 64 KiB are 48 full frames and one of 1024 B in each format; only the headers differ. */
    @ParameterizedTest
    @CsvSource({"standard, 62", "afh-gen1, 26", "afh-gen2-16b, 26", "afh-lite, 16"})
    void message_takesHockneysTimeInItsOwnWireBytes(String format, int header) {
        RunResult result = Simulation.run(
                Points.of(
                        "traffic.flows=1",
                        "traffic.arrivals=once",
                        "switch.frame_format=" + format,
                        "switch.frame_size_bytes=auto"),
                1,
                ControlVariate.NONE);
        assertThat(result.totals().deliveredFrames()).isEqualTo(49);
        assertThat(result.totals().deliveredBytes()).isEqualTo(65536 + 49 * header);
        // NIC, two links, forwarding and the port that sends the last frame once more.
        double full = Math.round((1344 + header) * 2.5);
        double last = Math.round((1024 + header) * 2.5);
        assertThat(result.messageLatency().maxPs()).isEqualTo(230_000 + 49 * full + last);
        assertThat(result.zeroLoadMessagePs()).isEqualTo((long) (230_000 + 49 * full + last));
    }

    @ParameterizedTest
    @CsvSource({"afh-gen1, 26", "afh-gen2-16b, 26", "standard, 54"})
    void acks_areAsLargeAsTheFormatsSay(String format, int wire) {
        RunResult result = Simulation.run(
                Points.of(
                        "traffic.pattern=permutation",
                        "traffic.flows=2",
                        "traffic.arrivals=once",
                        "transport.acks=true",
                        "transport.response_channel=voq",
                        "switch.frame_format=" + format),
                1,
                ControlVariate.NONE);
        long acks = result.transport().acksSent();
        assertThat(acks).isEqualTo(2 * 49);
        // The run ends with its last message: the switch has seen all of it, and all answers but the last few.
        long answered = result.switchCounters().packetsForwarded() - 2 * 49;
        long bytes =
                result.switchCounters().totalBytesForwarded() - result.totals().deliveredBytes();
        assertThat(answered).isPositive();
        assertThat(bytes).isEqualTo(answered * wire);
    }

    @Test
    void withoutAnIpHeader_nothingIsMarked() {
        String[] incast = {
            "traffic.flows=16",
            "traffic.arrivals=once",
            "traffic.message=256 KiB",
            "switch.buffer_capacity_bytes=8 MiB",
            "switch.alpha=8",
            "switch.ecn_kmin=0.01",
            ""
        };
        incast[6] = "switch.frame_format=standard";
        assertThat(Simulation.run(Points.of(incast), 1, ControlVariate.NONE)
                        .switchCounters()
                        .ecnMarked())
                .isPositive();
        incast[6] = "switch.frame_format=afh-gen1";
        assertThat(Simulation.run(Points.of(incast), 1, ControlVariate.NONE)
                        .switchCounters()
                        .ecnMarked())
                .isZero();
    }

    @Test
    void whatAFormatCannotDo_isRefused() {
        assertThatThrownBy(() -> Points.of("switch.frame_format=afh-gen1", "transport.sender=dcqcn"))
                .hasMessageContaining("without an IP header");
        assertThatThrownBy(() -> Points.of("switch.frame_format=afh-lite", "transport.acks=true"))
                .hasMessageContaining("give transport.response_bytes");
        assertThat(Points.of("switch.frame_format=afh-lite", "transport.acks=true", "transport.response_bytes=16 B")
                        .transport()
                        .responseBytes())
                .isEqualTo(16);
    }
}
