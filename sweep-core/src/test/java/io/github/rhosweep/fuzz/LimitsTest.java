package io.github.rhosweep.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.github.rhosweep.check.Claims;
import io.github.rhosweep.design.ExperimentSpec;
import io.github.rhosweep.design.Overrides;
import io.github.rhosweep.design.Where;
import io.github.rhosweep.fit.CorrectionModel;
import io.github.rhosweep.kernel.Replay;
import io.github.rhosweep.scenario.FlowFile;
import io.github.rhosweep.scenario.InputFile;
import io.github.rhosweep.scenario.InvalidValueException;
import io.github.rhosweep.scenario.MessageSizes;
import io.github.rhosweep.scenario.Params;
import io.github.rhosweep.scenario.Position;
import io.github.rhosweep.store.FolderRefusedException;
import io.github.rhosweep.store.ResultsFolder;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The limits that docs/security.md states: what is beyond them is refused in one line. */
class LimitsTest {
    private static final Path ENDLESS = Path.of("/dev/zero");

    @TempDir
    private Path folder;

    private static ExperimentSpec read(Path file) {
        return ExperimentSpec.read(file, Overrides.NONE, List.of());
    }

    private static void refused(ThrowingCallable reading, String message) {
        assertThatThrownBy(reading)
                .isInstanceOfAny(InvalidValueException.class, FolderRefusedException.class)
                .hasMessageContaining(message)
                .satisfies(refusal -> assertThat(Oracle.faultOf(refusal)).isNull());
    }

    /** A file of zeros that takes no room. */
    private Path file(String name, long bytes) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(folder.resolve(name).toFile(), "rw")) {
            file.setLength(bytes);
        }
        return folder.resolve(name);
    }

    private Path file(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }

    @Test
    void files_haveASize() throws IOException {
        long mib = 1 << 20;
        Path yaml = file("e.yaml", mib + 1);
        refused(() -> read(yaml), "found 1048577 bytes, expected at most 1 MiB");
        refused(() -> Claims.read(yaml), "found 1048577 bytes, expected at most 1 MiB");
        Path flows = file("flows.cm", 64 * mib + 1);
        refused(() -> InputFile.read(flows), "has 67108865 bytes, expected at most 64 MiB");
        file("switch.yaml", "switch: {port_count: 2}\n");
        file("trace.csv", 64 * mib + 1);
        refused(() -> Replay.read(folder), "trace.csv: found 67108865 bytes, expected at most 64 MiB");
        Path model = file("m.json", 16 * mib + 1);
        refused(() -> CorrectionModel.read(model), "found 16777217 bytes, expected at most 16 MiB");
        file("manifest.json", mib + 1);
        refused(() -> new ResultsFolder(folder).manifest(), "found more than 1048576 bytes, expected at most 1 MiB");
        file("effective.yaml", 16 * mib + 1);
        refused(() -> new ResultsFolder(folder).readText("effective.yaml"), "expected at most 16 MiB");
        String copy = "inputs/" + "0".repeat(64) + ".cm";
        Files.createDirectory(folder.resolve("inputs"));
        file(copy, 64 * mib + 1);
        refused(
                () -> new ResultsFolder(folder).inputFiles().find(copy, Position.of("effective.yaml")),
                "expected at most 64 MiB");
    }

    @Test
    void filesWithoutAnEnd_areRefused() throws IOException {
        assumeThat(ENDLESS).exists();
        Files.createSymbolicLink(folder.resolve("manifest.json"), ENDLESS);
        refused(() -> new ResultsFolder(folder).manifest(), "found more than 1048576 bytes, expected at most 1 MiB");
        refused(() -> read(ENDLESS), "found no end, expected at most 1 MiB");
        refused(() -> InputFile.read(ENDLESS), "has no end, expected at most 64 MiB");
        refused(() -> CorrectionModel.read(ENDLESS), "found no end, expected at most 16 MiB");
    }

    @Test
    void lines_haveALength() {
        byte[] line = "1 ".repeat(5001).getBytes(UTF_8);
        refused(() -> MessageSizes.of(InputFile.of("f", line)), "f:1: found a line of 10002 characters");
        refused(
                () -> FlowFile.of(InputFile.of("f", line), FlowFile.Format.HTSIM, BigDecimal.ONE),
                "f:1: found a line of 10002 characters");
    }

    @Test
    void designs_haveASize() throws IOException {
        Path nested = file("nested.yaml", "base: " + "[".repeat(40) + "]".repeat(40));
        refused(() -> read(nested), "nested more than 32 deep");
        Path blocks = file("blocks.yaml", "designs:\n" + "- {}\n".repeat(1001));
        refused(() -> read(blocks), "found 1001 blocks, expected at most 1000");
        Path values = file("values.yaml", "sweep: {traffic.load: {from: 0, to: 1, step: 0.000001}}");
        refused(() -> read(values), "found 1000001 values, expected at most 1000000 on an axis");
        Path twice = file("twice.yaml", "sweep: {switch.alpha: [1], a: [{switch.alpha: 1, traffic.flows: 2}]}");
        refused(() -> read(twice), "found on the axes `switch.alpha` (line 1) and `a`, expected on one");
        String axis = ": {from: 1, to: 40000, step: 1}";
        String four = "{traffic.flows" + axis + ", measure.messages" + axis
                + ", traffic.message: {from: 1 B, to: 40000 B, step: 1 B}" + ", switch.buffer_capacity_bytes" + axis
                + "}";
        Path points = file("points.yaml", "sweep: " + four);
        refused(() -> read(points), "found 2560000000000000000 points, expected at most 1000000000000000");
        // Counts beyond 2^63 must not come round again.
        Path sum = file("sum.yaml", "designs:\n" + ("- sweep: " + four + "\n").repeat(4));
        refused(() -> read(sum), "found 10240000000000000000 points, expected at most 1000000000000000");
    }

    @Test
    void numbers_haveALength() {
        refused(() -> Params.parse(Map.of("traffic.load", "9".repeat(100_000))), "is not a plain number");
        refused(() -> Where.condition("traffic.load < " + "9".repeat(9_000)), "is not a plain number");
    }

    @Test
    void conditions_haveALengthAndADepth() {
        refused(() -> Where.condition("1=1".repeat(4000)), "found 12000 characters, expected at most 10000");
        refused(() -> Where.condition("(".repeat(200) + "true" + ")".repeat(200)), "nested more than 100 deep");
        refused(() -> Where.condition("-".repeat(200) + "1 < 2"), "nested more than 100 deep");
    }

    @ParameterizedTest
    @CsvSource({
        "switch.port_count, 4097, 1 .. 4096",
        "traffic.flows, 65537, 1 .. 65536",
        "limits.events, 0, at least 1",
        "limits.in_flight_messages, 0, 1 .. 2147483647",
        "traffic.message, 2 TiB, 1 .. 1099511627776 B"
    })
    void parameters_haveARange(String path, String text, String expected) {
        refused(() -> Params.parse(Map.of(path, text)), path + ": ");
        assertThatThrownBy(() -> Params.parse(Map.of(path, text))).hasMessageContaining(expected);
    }

    @Test
    void copiesOfInputs_lieInTheirFolder() throws IOException {
        Path secret = file("secret", "x");
        Path results = Files.createDirectories(folder.resolve("results"));
        ResultsFolder here = new ResultsFolder(results);
        for (String name :
                List.of("../secret", "inputs/../../secret", secret.toString(), "inputs/" + "0".repeat(64) + "./../x")) {
            refused(() -> here.inputFiles().find(name, Position.of("effective.yaml")), "is no copy of a file");
        }
        InputFile copy = InputFile.of("a.cm", new byte[] {1, 2});
        here.write(copy);
        assertThat(here.inputFiles().find(copy.copyName(), Position.of("effective.yaml")))
                .isEqualTo(copy);
        Files.write(results.resolve(copy.copyName()), new byte[] {3});
        refused(
                () -> here.inputFiles().find(copy.copyName(), Position.of("effective.yaml")),
                "holds what its name does not say");
    }
}
