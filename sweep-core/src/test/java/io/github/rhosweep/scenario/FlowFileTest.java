package io.github.rhosweep.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.rhosweep.scenario.FlowFile.Format;
import java.io.IOException;
import java.io.StringReader;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Foreign workloads: what is read, and what is said of bad input. */
class FlowFileTest {
    private static final BigDecimal PS = BigDecimal.ONE;
    private static final BigDecimal SECONDS = BigDecimal.TEN.pow(12);

    private static FlowFile read(Format format, int hosts, BigDecimal unit, String... lines) throws IOException {
        return FlowFile.read(new StringReader(String.join("\n", lines)), "f", format, hosts, unit);
    }

    @Test
    void htsim_readsConnectionsInTheOrderOfTheFile() throws IOException {
        FlowFile file = read(
                Format.HTSIM,
                16,
                PS,
                "# a matrix",
                "Nodes 8",
                "Connections 3",
                "Triggers 0",
                "",
                "0->7 start 2000.5 size 1000",
                "7->5 id 1 start 0 size 2000000 prio 3  # a comment",
                "1->2 size 5 start 1e3");
        Schedule messages = file.messages();
        assertThat(file.hosts()).isEqualTo(8);
        assertThat(file.warnings()).isEmpty();
        assertThat(messages.size()).isEqualTo(3);
        assertThat(messages.startPs(0)).isEqualTo(2001);
        assertThat(messages.destination(1)).isEqualTo(5);
        assertThat(messages.bytes(1)).isEqualTo(2_000_000);
        // They start by time, not by line.
        assertThat(new int[] {messages.start(0), messages.start(1), messages.start(2)})
                .containsExactly(1, 2, 0);
    }

    /** What is declared is read, the rest is warned of: a sample that goes on and ends in prose is usual. */
    @Test
    void hpcc_readsWhatIsDeclaredAndWarnsOfTheRest() throws IOException {
        FlowFile file = read(
                Format.HPCC,
                4,
                SECONDS,
                "2",
                "2 1 3 100 200000000 2",
                "3 1 3 100 150 2.000001",
                "0 1 3 100 7 2",
                "",
                "First line: # of flows");
        assertThat(file.messages().size()).isEqualTo(2);
        assertThat(file.messages().startPs(1)).isEqualTo(2_000_001_000_000L);
        assertThat(file.warnings()).containsExactly("f:4: line 1 declares 2 flows; 2 more lines are not read");
    }

    @Test
    void csv_readsRows() throws IOException {
        FlowFile file = read(Format.CSV, 4, new BigDecimal(1000), "start,src,dst,bytes", "0,0,1,10", "1.5,3,2,20", "");
        assertThat(file.messages().size()).isEqualTo(2);
        assertThat(file.messages().startPs(1)).isEqualTo(1500);
        assertThat(file.messages().totalBytes()).isEqualTo(30);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "HTSIM | Nodes 4~Connections 1~0->4 start 0 size 1 | f:3: destination: there is no host 4, hosts are 0 .. 3",
                "HTSIM | Nodes 4~Connections 1~0->1 start 0 size 0 | f:3: size: found `0`, expected a whole number, 1 .. 9223372036854775807",
                "HTSIM | Nodes 4~Connections 1~0->1 start 0 size 9223372036854775808 | f:3: size: found `9223372036854775808`, expected a whole number, 1 .. 9223372036854775807",
                "HTSIM | Nodes 4~Connections 2~0->1 start 0 size 1 | f:3: Connections says 2, the file has 1",
                "HTSIM | Nodes 9~Connections 1~0->1 start 0 size 1 | f:1: Nodes 9 are more than the 8 of topology.hosts",
                "HTSIM | Nodes 4~Connections 1~0->1 start -1 size 1 | f:3: start: found `-1`, expected a time of at least 0 that ends before 2^62 ps",
                "HTSIM | Nodes 4~Connections 1~0->1 start 0 sise 1 | f:3: found `sise`, expected one of start, size, id, prio. Maybe `size`?",
                "HTSIM | Nodes 4~Connections 1~0->1 trigger 1 size 1 | f:3: `trigger`: triggers are not read, a flow begins at its start",
                "HTSIM | Nodes 4~Connections 1~0->1 start 0 size | f:3: `size` has no value",
                "HTSIM | Nodes 4~Connections 1~0->1 start 0 | f:3: a connection needs `start` and `size`",
                "HTSIM | Nodes 4~Connections 1~1->1 start 0 size 1 | f:3: host 1 sends to itself",
                "HTSIM | Nodes 4~hello | f:2: found `hello`, expected Nodes, Connections or SRC->DST start TIME size BYTES",
                "HPCC | 2~0 1 3 100 10 1 | f:3: the file ends after 1 of the 2 flows that line 1 declares",
                "HPCC | 2~0 1 3 100 10 2~0 1 3 100 10 1 | f:3: start goes back: line 2 begins later. Maybe sort the file by start",
                "HPCC | 1~0 1 3 100 10 | f:2: found 5 fields, expected 6: src dst pg port bytes start_s",
                "HPCC | x | f:1: count of flows: found `x`, expected a whole number, 0 .. 2147483647",
                "CSV | src,dst,start,bytes | f:1: found `src,dst,start,bytes`, expected the header `start,src,dst,bytes`",
                "CSV | start,src,dst,bytes~0,0,8,10 | f:2: dst: there is no host 8, hosts are 0 .. 7",
                "CSV | start,src,dst,bytes~5,0,1,10~4,0,1,10 | f:3: start goes back: line 2 begins later. Maybe sort the file by start",
                "CSV | start,src,dst,bytes~0,0,1 | f:2: found 3 fields, expected 4: start,src,dst,bytes",
            })
    void badInput_isOneLineWithItsPlace(Format format, String text, String message) {
        assertThatThrownBy(() -> read(format, 8, PS, text.split("~")))
                .isInstanceOf(InvalidFileException.class)
                .hasMessage(message);
    }

    @Test
    void everyProblem_isReported() {
        assertThatThrownBy(() -> read(Format.CSV, 4, PS, "start,src,dst,bytes", "0,0,1,0", "x,0,1,5", "0,9,1,5"))
                .hasMessageContaining("f:2: ")
                .hasMessageContaining("f:3: ")
                .hasMessageContaining("f:4: ");
    }

    /** Samples that others published, where they lie beside the repository. */
    @ParameterizedTest
    @ValueSource(strings = {"bidir.cm", "incast.cm", "one.cm", "perm_16n_16c_2MB.cm"})
    void publishedMatrices_areRead(String name) throws IOException {
        Path file = sample("htsim-cm/" + name);
        try (var in = Files.newBufferedReader(file)) {
            FlowFile flows = FlowFile.read(in, name, Format.HTSIM, 16, PS);
            assertThat(flows.hosts()).isEqualTo(16);
            assertThat(flows.messages().totalBytes())
                    .isEqualTo(2_000_000L * flows.messages().size());
        }
    }

    @Test
    void publishedFlowFile_isReadAsFarAsItDeclares() throws IOException {
        try (var in = Files.newBufferedReader(sample("hpcc-flow.txt"))) {
            FlowFile flows = FlowFile.read(in, "hpcc-flow.txt", Format.HPCC, 320, SECONDS);
            assertThat(flows.messages().size()).isEqualTo(2);
            assertThat(flows.warnings()).hasSize(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"AliStorage2019.txt", "WebSearch_distribution.txt"})
    void publishedDistributions_areRead(String name) throws IOException {
        try (var in = Files.newBufferedReader(sample("message-sizes/" + name))) {
            MessageSizes sizes = MessageSizes.read(in, name);
            double mean = 0;
            int n = 100_000;
            for (int i = 0; i < n; i++) {
                mean += sizes.quantile((i + 0.5) / n) / (double) n;
            }
            assertThat(mean).isEqualTo(sizes.meanBytes(), within(0.01 * sizes.meanBytes()));
        }
    }

    private static Path sample(String name) {
        Path folder = Path.of("").toAbsolutePath();
        while (folder != null && !Files.exists(folder.resolve("../shared/data").resolve(name))) {
            folder = folder.getParent();
        }
        assumeTrue(folder != null, "no folder of samples here");
        return folder.resolve("../shared/data").resolve(name);
    }

    /** Linear between points, by hand: half of the messages at most 100 B, the other half up to 300. */
    @Test
    void sizes_areInterpolated() throws IOException {
        MessageSizes sizes = MessageSizes.read(new StringReader("# sizes\n0 0\n100 50\n300 100\n"), "f");
        assertThat(sizes.quantile(0)).isEqualTo(1);
        assertThat(sizes.quantile(0.25)).isEqualTo(50);
        assertThat(sizes.quantile(0.5)).isEqualTo(100);
        assertThat(sizes.quantile(0.75)).isEqualTo(200);
        assertThat(sizes.quantile(0x1.fffffffffffffp-1)).isEqualTo(300);
        assertThat(sizes.meanBytes()).isEqualTo(0.5 * 50 + 0.5 * 200);
        // A step: a tenth of all messages has exactly 64 bytes.
        MessageSizes step = MessageSizes.read(new StringReader("64 10\n128 100\n"), "f");
        assertThat(step.quantile(0.05)).isEqualTo(64);
        assertThat(step.meanBytes()).isEqualTo(92.8, within(1e-9));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0 0~100 50~90 100 | f:3: found `90 100` after `100 50`: neither may fall",
                "0 0~100 99 | f:2: ends at 99 percent, expected 100",
                "0 0~100 101 | f:2: found `100 101`, expected `bytes percent`, percent 0 .. 100",
                "100 | f:1: found `100`, expected `bytes percent`, percent 0 .. 100",
                "# nothing | f:1: found no line `bytes percent`",
                "0 100 | f:1: no message has any bytes",
            })
    void badSizes_areOneLineWithTheirPlace(String text, String message) {
        assertThatThrownBy(() -> MessageSizes.read(new StringReader(text.replace('~', '\n')), "f"))
                .isInstanceOf(InvalidFileException.class)
                .hasMessage(message);
    }
}
