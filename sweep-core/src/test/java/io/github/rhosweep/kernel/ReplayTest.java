package io.github.rhosweep.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rhosweep.scenario.InvalidValueException;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Replay against traces with the exact outcome of every frame, and against files that are not as they must be. */
class ReplayTest {
    private static final String CONFIG = "switch:\n  port_count: 4\n";
    private static final String HEADER = "time_ns,ingress,egress,wire_bytes,payload_bytes\n";

    @TempDir
    Path dir;

    static Path vectors() throws URISyntaxException {
        return Path.of(Objects.requireNonNull(ReplayTest.class.getResource("/vectors/switch"))
                .toURI());
    }

    static Stream<String> cases() throws IOException, URISyntaxException {
        List<String> names;
        try (Stream<Path> dirs = Files.list(vectors())) {
            names = dirs.map(d -> d.getFileName().toString()).sorted().toList();
        }
        assertThat(names).hasSize(34);
        return names.stream();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void vector_isReproducedByteForByte(String name) throws Exception {
        Path vector = vectors().resolve(name);
        Replay.replayAll(List.of(vector), dir);
        assertThat(dir.resolve(name).resolve("outcome.csv")).hasSameTextualContentAs(vector.resolve("expected.csv"));
        assertThat(Files.readAllBytes(dir.resolve(name).resolve("outcome.csv")))
                .isEqualTo(Files.readAllBytes(vector.resolve("expected.csv")));
        assertThat(Files.readString(dir.resolve(name).resolve("counters.json")).strip())
                .isEqualTo(Files.readString(vector.resolve("counters.json")).strip());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        -1,0,1,1406,1344        | time_ns `-1`
        1.2345,0,1,1406,1344    | time_ns `1.2345`
        1e3,0,1,1406,1344       | time_ns `1e3`
        1.,0,1,1406,1344        | time_ns `1.`
        1,4,1,1406,1344         | ingress `4`, expected a whole number from 0 to 3
        1,0,-1,1406,1344        | egress `-1`, expected a whole number from 0 to 3
        1,0,1,0,0               | wire_bytes `0`
        1,0,1,64,65             | payload_bytes `65`, expected a whole number from 0 to 64
        1,0,1,64                | expected 5 fields
        1,0,1,64,2,9            | expected 5 fields
        1, 0,1,64,2             | ingress ` 0`
        0.999,0,1,64,2          | time_ns 0.999 is earlier than the line before
        """)
    void badLine_isRefusedWithItsNumber(String line, String message) throws IOException {
        write(CONFIG, HEADER + "1.000,0,1,1406,1344\n" + line + "\n");
        assertThatThrownBy(() -> Replay.read(dir))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageStartingWith(dir.resolve("trace.csv") + ":3: ")
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        alhpa: 2               | 3 | Maybe `switch.alpha`?
        alpha: -1              | 3 | switch.alpha
        alpha: .nan            | 3 | switch.alpha
        port_count: 4          | 3 | given twice
        rng_seed: 0            | 3 | switch.rng_seed
        islip_iterations: 0    | 3 | switch.islip_iterations
        alpha: [1, 2]          | 3 | found a list, expected a plain number
        frame_size_bytes: auto |   | auto
        ecn_kmin: 0.9          |   | must not exceed switch.ecn_kmax
        admission: static      |   | needs switch.static_limit_bytes
        "alpha: [1"            | 4 | not YAML
        """)
    void badConfig_isRefusedWithItsLine(String field, String line, String message) throws IOException {
        write(CONFIG + "  " + field + "\n", HEADER);
        String start = dir.resolve("switch.yaml") + (line == null ? ": " : ":" + line + ": ");
        assertThatThrownBy(() -> Replay.read(dir))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageStartingWith(start)
                .hasMessageContaining(message);
    }

    @Test
    void rootKey_isSwitchAlone() throws IOException {
        write(CONFIG + "sweep:\n  a: 1\n", HEADER);
        assertThatThrownBy(() -> Replay.read(dir)).hasMessageContaining("switch.yaml:3: unknown key `sweep`");
        write("alpha: 2\n", HEADER);
        assertThatThrownBy(() -> Replay.read(dir)).hasMessageContaining("unknown key `alpha`");
        write("", HEADER);
        assertThatThrownBy(() -> Replay.read(dir)).hasMessageContaining("empty");
    }

    @Test
    void missingFile_isNamed() {
        assertThatThrownBy(() -> Replay.read(dir))
                .isInstanceOf(InvalidValueException.class)
                .hasMessage(dir.resolve("switch.yaml") + ": no such file");
    }

    @Test
    void everyProblemOfATrace_isReported() throws IOException {
        write(CONFIG, HEADER + "x,0,1,64,2\n0,9,1,64,2\n0,0,1,64,2\n");
        assertThatThrownBy(() -> Replay.read(dir))
                .hasMessageContaining("trace.csv:2: ")
                .hasMessageContaining("trace.csv:3: ");
    }

    @Test
    void byteOrderMarkAndCrLf_changeNothing() throws IOException {
        write(
                "\uFEFF" + CONFIG.replace("\n", "\r\n"),
                "\uFEFF" + HEADER.replace("\n", "\r\n") + "0.5,0,1,1406,1344\r\n");
        assertThat(Replay.read(dir).run().csv())
                .isEqualTo("accepted,dequeue_ns,finish_ns,ecn_marked\ntrue,0.500,34.015,false\n");
    }

    @Test
    void equalNames_areRefusedBeforeAnythingIsWritten() throws IOException {
        Path out = dir.resolve("out");
        assertThatThrownBy(() -> Replay.replayAll(List.of(Path.of("a/x"), Path.of("b/x")), out))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContaining("two cases are named `x`");
        assertThat(out).doesNotExist();
    }

    @Test
    void badCase_leavesNothingOfTheGoodOnes() throws Exception {
        Path out = dir.resolve("out");
        assertThatThrownBy(() -> Replay.replayAll(List.of(vectors().resolve("single-packet"), dir), out))
                .isInstanceOf(InvalidValueException.class);
        assertThat(out).doesNotExist();
    }

    private void write(String config, String trace) throws IOException {
        Files.writeString(dir.resolve("switch.yaml"), config);
        Files.writeString(dir.resolve("trace.csv"), trace);
    }
}
