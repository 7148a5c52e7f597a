package io.github.rhosweep.scenario;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.rhosweep.scenario.FlowFile.Format;
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

    private static FlowFile read(Format format, BigDecimal unit, String... lines) {
        return FlowFile.of(file("f", String.join("\n", lines)), format, unit);
    }

    private static InputFile file(String name, String text) {
        return InputFile.of(name, text.getBytes(UTF_8));
    }

    @Test
    void htsim_readsConnectionsInTheOrderOfTheFile() {
        FlowFile file = read(
                Format.HTSIM,
                PS,
                "# a matrix",
                "Nodes 8",
                "Connections 3",
                "Triggers 0",
                "",
                "7->5 id 9 start 0 size 2000000  # a comment",
                "1->2 size 5 start 1e3",
                "0->7 start 2000.5 size 1000\r");
        Schedule messages = file.schedule();
        assertThat(file.hosts()).isEqualTo(8);
        assertThat(file.warnings()).isEmpty();
        assertThat(messages.size()).isEqualTo(3);
        assertThat(messages.startPs(2)).isEqualTo(2001);
        assertThat(messages.destination(0)).isEqualTo(5);
        assertThat(messages.bytes(0)).isEqualTo(2_000_000);
        assertThat(new long[] {file.id(0), file.id(1), file.id(2)}).containsExactly(9, 2, 3);
    }

    @Test
    void htsim_prioritiesAndFailuresAreReadOverWithAWarning() {
        FlowFile file = read(
                Format.HTSIM,
                PS,
                "Nodes 4",
                "Connections 2",
                "Failures 1",
                "0->1 start 0 size 1",
                "1->2 start 0 size 1 prio 3",
                "failure switch_type TOR switch_id 0 link_id 1");
        assertThat(file.warnings())
                .containsExactly(
                        "f:6: failures of links are not modelled: 1 lines are not obeyed",
                        "f:5: prio is not obeyed: all flows are of one class, the 1 that have one too");
    }

    /** A barrier of two, then a chain; the flow that waits stands before one that it waits for. */
    @Test
    void htsim_triggersBecomePredecessors() {
        FlowFile file = read(
                Format.HTSIM,
                PS,
                "Nodes 4",
                "Connections 4",
                "Triggers 2",
                "0->1 id 1 start 0 size 10 recv_done_trigger 7",
                "1->2 id 2 trigger 7 size 20 send_done_trigger 8",
                "2->3 id 3 start 5 size 30 recv_done_trigger 7",
                "3->0 id 4 trigger 8 size 40",
                "trigger id 7 barrier count 2",
                "trigger id 8 oneshot");
        Schedule s = file.schedule();
        assertThat(new long[] {file.id(0), file.id(1), file.id(2), file.id(3)}).containsExactly(1, 3, 2, 4);
        assertThat(new int[] {s.predecessors(0), s.predecessors(1), s.predecessors(2), s.predecessors(3)})
                .containsExactly(0, 0, 2, 1);
        assertThat(s.successor(s.firstSuccessor(0))).isEqualTo(2);
        assertThat(s.successor(s.firstSuccessor(2))).isEqualTo(3);
        assertThat(file.warnings()).hasSize(1).first().asString().startsWith("f:5: send_done_trigger fires when");
    }

    /** What is declared is read, the rest is warned of: a sample that goes on and ends in prose is usual. */
    @Test
    void hpcc_readsWhatIsDeclaredAndWarnsOfTheRest() {
        FlowFile file = read(
                Format.HPCC,
                SECONDS,
                "2",
                "2 1 3 100 200000000 2",
                "3 1 3 100 150 2.000001",
                "",
                "0 1 3 100 7 2",
                "First line: # of flows");
        assertThat(file.schedule().size()).isEqualTo(2);
        assertThat(file.hosts()).isEqualTo(4);
        assertThat(file.schedule().startPs(1)).isEqualTo(2_000_001_000_000L);
        assertThat(file.warnings()).containsExactly("f:5: line 1 declares 2 flows; 2 more lines are not read");
    }

    @Test
    void csv_readsColumnsByName() {
        FlowFile file = read(
                Format.CSV,
                new BigDecimal(1000),
                "\uFEFFbytes,src,dst,start,note,id",
                "10,0,1,0,x,4",
                "20,3,2,1.5,y,1",
                "");
        assertThat(file.schedule().size()).isEqualTo(2);
        assertThat(file.schedule().startPs(1)).isEqualTo(1500);
        assertThat(file.schedule().totalBytes()).isEqualTo(30);
        assertThat(file.schedule().source(1)).isEqualTo(3);
        assertThat(file.id(0)).isEqualTo(4);
        assertThat(file.warnings()).containsExactly("f:1: not read: the columns `note`");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "HTSIM | Nodes 4~Connections 1~0->4 start 0 size 1 | f:3: destination: there is no host 4, hosts are 0 .. 3",
                "HTSIM | Nodes 4~Connections 1~-1->2 start 0 size 1 | f:3: source: found `-1`, expected a whole number, 0 .. 3",
                "HTSIM | Nodes 4~Connections 1~99999999999->2 start 0 size 1 | f:3: source: there is no host 99999999999, hosts are 0 .. 3",
                "HTSIM | Nodes 4~Connections 1~0->1 start 0 size 0 | f:3: size: found `0`, expected a whole number, 1 .. 1099511627776",
                "HTSIM | Nodes 4~Connections 1~0->1 start 0 size 9223372036854775808 | f:3: size: found `9223372036854775808`, expected a whole number, 1 .. 1099511627776",
                "HTSIM | Nodes 4~Connections 2~0->1 start 0 size 1 | f:3: Connections says 2, the file has 1",
                "HTSIM | Nodes 4~0->1 start 0 size 1 | f:2: the file does not say how many Connections there are",
                "HTSIM | Connections 1~0->1 start 0 size 1 | f:2: a connection before `Nodes`: the file does not say how many hosts there are",
                "HTSIM | Nodes 4~Nodes 4~Connections 1~0->1 start 0 size 1 | f:2: `Nodes` is given twice",
                "HTSIM | Nodes 4~Connections 1~0->1 start -1 size 1 | f:3: start: found `-1`, expected a time from 0 to 1125 s, in units of 1 ps",
                "HTSIM | Nodes 4~Connections 1~0->1 start 1e99 size 1 | f:3: start: found `1e99`, expected a time from 0 to 1125 s, in units of 1 ps",
                "HTSIM | Nodes 4~Connections 1~0->1 start NaN size 1 | f:3: start: found `NaN`, expected a time from 0 to 1125 s, in units of 1 ps",
                "HTSIM | Nodes 4~Connections 2~0->1 start 5 size 1~0->1 start 4 size 1 | f:4: start goes back: the flow of line 3 begins later. Maybe sort the lines by start",
                "HTSIM | Nodes 4~Connections 1~0->1 start 0 sise 1 | f:3: found `sise`, expected one of id, start, size, prio, trigger, send_done_trigger, recv_done_trigger. Maybe `size`?",
                "HTSIM | Nodes 4~Connections 1~0->1 start 0 size | f:3: `size` has no value",
                "HTSIM | Nodes 4~Connections 1~0->1 start 0 size 1 size 2 | f:3: `size` is given twice",
                "HTSIM | Nodes 4~Connections 1~0->1 start 0 | f:3: a connection needs `size`, and `start` or `trigger`",
                "HTSIM | Nodes 4~Connections 1~1->1 start 0 size 1 | f:3: host 1 sends to itself",
                "HTSIM | Nodes 4~Connections 2~0->1 id 2 start 0 size 1~0->1 id 2 start 0 size 1 | f:4: id 2 is that of the flow of line 3 too (a flow without id has its number in the file, from 1)",
                "HTSIM | Nodes 4~Connections 2~0->1 start 0 size 1~0->1 id 1 start 0 size 1 | f:4: id 1 is that of the flow of line 3 too (a flow without id has its number in the file, from 1)",
                "HTSIM | Nodes 4~Connections 0 | f: has no flows",
                "HTSIM | Nodes 4~Connections 1~0->1 trigger 1 size 1 | f:3: there is no line `trigger id 1 ...`",
                "HTSIM | Nodes 4~Connections 1~Triggers 1~0->1 trigger 1 size 1~trigger id 1 oneshot | f:5: no connection fires trigger 1",
                "HTSIM | Nodes 4~Connections 2~Triggers 1~0->1 start 0 size 1 send_done_trigger 1~0->1 trigger 1 size 1~trigger id 1 barrier count 2 | f:6: trigger 1 fires after 2, but 1 connections fire it",
                "HTSIM | Nodes 4~Connections 1~Triggers 1~0->1 trigger 1 size 1 recv_done_trigger 1~trigger id 1 oneshot | f:4: this flow never starts: it waits for itself, by way of triggers",
                "HPCC | 2~0 1 3 100 10 1 | f:3: the file ends after 1 of the 2 flows that line 1 declares",
                "HPCC | 2~0 1 3 100 10 2~0 1 3 100 10 1 | f:3: start goes back: the flow of line 2 begins later. Maybe sort the lines by start",
                "HPCC | 1~0 1 3 100 10 | f:2: found 5 fields, expected 6: src dst pg port bytes start_s",
                "HPCC | x | f:1: count of flows: found `x`, expected a whole number, 0 .. 4000000",
                "CSV | src,dst,begin,bytes | f:1: found the header `src,dst,begin,bytes`, expected the columns start, src, dst, bytes (and id, if wanted)",
                "CSV | start,src,dst,bytes~0,0,65536,10 | f:2: dst: there is no host 65536, hosts are 0 .. 65535",
                "CSV | start,src,dst,bytes~5,0,1,10~4,0,1,10 | f:3: start goes back: the flow of line 2 begins later. Maybe sort the lines by start",
                "CSV | start,src,dst,bytes~0,0,1 | f:2: found 3 fields, expected 4: start,src,dst,bytes",
                "PARQUET | no | f: cannot be read as Parquet: it is too short to be one",
            })
    void badInput_isOneLineWithItsPlace(Format format, String text, String message) {
        assertThatThrownBy(() -> read(format, PS, text.split("~")))
                .isInstanceOf(InvalidFileException.class)
                .hasMessage(message);
    }

    @Test
    void everyProblem_isReported() {
        assertThatThrownBy(() -> read(Format.CSV, PS, "start,src,dst,bytes", "0,0,1,0", "x,0,1,5", "0,9,9,5"))
                .hasMessageContaining("f:2: ")
                .hasMessageContaining("f:3: ")
                .hasMessageContaining("f:4: ");
    }

    /** What a terminal would obey is shown as text: in names and in what the file holds. */
    @Test
    void hostileText_isShownAsText() {
        assertThatThrownBy(() -> FlowFile.of(file("a\u001b[2J\nb", "Nodes 4\n\u001b]0;x\u0007"), Format.HTSIM, PS))
                .hasMessageContaining("a\\u001b[2J\\u000ab:2: found `\\u001b]0;x\\u0007`")
                .satisfies(e -> assertThat(e.getMessage().chars().filter(c -> c < ' ' && c != '\n'))
                        .isEmpty());
        assertThatThrownBy(() -> FlowFile.of(InputFile.of("f", new byte[] {'N', '\n', (byte) 0xff}), Format.HTSIM, PS))
                .hasMessage("f:2: not UTF-8: found byte 0xff");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "# x~Nodes 4 | HTSIM",
                "0->1 start 0 size 1 | HTSIM",
                "2~0 1 3 | HPCC",
                "start,src | CSV",
                "hello |"
            })
    void format_isToldByTheContent(String text, Format format) {
        assertThat(FlowFile.formatOf(file("f.dat", text.replace('~', '\n')))).isEqualTo(format);
    }

    @Test
    void files_areEqualByContent() {
        assertThat(file("a/b.cm", "x")).isEqualTo(file("c", "x")).isNotEqualTo(file("a/b.cm", "y"));
        assertThat(InputFile.hashOfCopy(file("../b.CM", "x").copyName()))
                .isEqualTo(file("c", "x").sha256());
        assertThat(file("../b.CM", "x").copyName()).endsWith(".cm");
        assertThat(file("a.b/c", "x").copyName()).hasSize("inputs/".length() + 64);
    }

    /** Samples that others published, where they lie beside the repository. */
    @ParameterizedTest
    @ValueSource(strings = {"bidir.cm", "incast.cm", "one.cm", "perm_16n_16c_2MB.cm"})
    void publishedMatrices_areRead(String name) {
        InputFile file = InputFile.read(sample("htsim-cm/" + name));
        assertThat(FlowFile.formatOf(file)).isEqualTo(Format.HTSIM);
        FlowFile flows = FlowFile.of(file, Format.HTSIM, PS);
        assertThat(flows.hosts()).isEqualTo(16);
        assertThat(flows.warnings()).isEmpty();
        assertThat(flows.schedule().totalBytes())
                .isEqualTo(2_000_000L * flows.schedule().size());
    }

    @Test
    void publishedFlowFile_isReadAsFarAsItDeclares() {
        InputFile file = InputFile.read(sample("hpcc-flow.txt"));
        assertThat(FlowFile.formatOf(file)).isEqualTo(Format.HPCC);
        FlowFile flows = FlowFile.of(file, Format.HPCC, SECONDS);
        assertThat(flows.schedule().size()).isEqualTo(2);
        assertThat(flows.warnings()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"AliStorage2019.txt", "WebSearch_distribution.txt"})
    void publishedDistributions_areRead(String name) {
        MessageSizes sizes = MessageSizes.of(InputFile.read(sample("message-sizes/" + name)));
        double mean = 0;
        double frames = 0;
        double squares = 0;
        int n = 100_000;
        for (int i = 0; i < n; i++) {
            long bytes = sizes.quantile((i + 0.5) / n);
            double f = Math.ceil(bytes / 1344.0);
            mean += bytes / (double) n;
            frames += f / n;
            squares += f * f / n;
        }
        assertThat(mean).isEqualTo(sizes.meanBytes(), within(0.001 * sizes.meanBytes()));
        assertThat(sizes.meanFrames(1344)).isEqualTo(frames, within(0.001 * frames));
        assertThat(sizes.meanSquareFrames(1344)).isEqualTo(squares, within(0.001 * squares));
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
    void sizes_areInterpolated() {
        MessageSizes sizes = MessageSizes.of(file("f", "# sizes\n0 0\n100 50\n300 100\n"));
        assertThat(sizes.quantile(0)).isEqualTo(1);
        assertThat(sizes.quantile(0.25)).isEqualTo(50);
        assertThat(sizes.quantile(0.5)).isEqualTo(100);
        assertThat(sizes.quantile(0.75)).isEqualTo(200);
        assertThat(sizes.quantile(0x1.fffffffffffffp-1)).isEqualTo(300);
        assertThat(sizes.meanBytes()).isEqualTo(0.5 * 50 + 0.5 * 200);
        assertThat(sizes.largest()).isEqualTo(300);
        // Frames of 100 bytes: half of the messages have one, a quarter two, a quarter three.
        assertThat(sizes.meanFrames(100)).isEqualTo(1.75, within(1e-12));
        assertThat(sizes.meanSquareFrames(100)).isEqualTo(0.5 + 0.25 * 4 + 0.25 * 9, within(1e-12));
        assertThat(sizes.meanFrames(1000)).isEqualTo(1);
        // A step: a tenth of all messages has exactly 64 bytes.
        MessageSizes step = MessageSizes.of(file("f", "64 10\n128 100\n"));
        assertThat(step.quantile(0.05)).isEqualTo(64);
        assertThat(step.meanBytes()).isEqualTo(92.8, within(1e-9));
        assertThat(step.meanFrames(64)).isEqualTo(1.9, within(1e-12));
        assertThat(step.meanSquareFrames(64)).isEqualTo(0.1 + 0.9 * 4, within(1e-12));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0 0~100 50~90 100 | f:3: found `90 100` after `100 50`: neither may fall",
                "0 0~100 99 | f:2: ends at 99 percent, expected 100",
                "0 0~100 101 | f:2: found `100 101`, expected `bytes percent`: bytes 0 .. 2^40, percent 0 .. 100",
                "100 | f:1: found `100`, expected `bytes percent`: bytes 0 .. 2^40, percent 0 .. 100",
                "# nothing | f:1: found no line `bytes percent`",
                "0 100 | f:1: no message has any bytes",
            })
    void badSizes_areOneLineWithTheirPlace(String text, String message) {
        assertThatThrownBy(() -> MessageSizes.of(file("f", text.replace('~', '\n'))))
                .isInstanceOf(InvalidFileException.class)
                .hasMessage(message);
    }
}
