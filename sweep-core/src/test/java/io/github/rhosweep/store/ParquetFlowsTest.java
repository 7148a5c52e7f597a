package io.github.rhosweep.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rhosweep.result.Column;
import io.github.rhosweep.result.Row;
import io.github.rhosweep.scenario.FlowFile;
import io.github.rhosweep.scenario.FlowFile.Format;
import io.github.rhosweep.scenario.InputFile;
import io.github.rhosweep.scenario.InvalidFileException;
import io.github.rhosweep.scenario.Parameter.ColumnType;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tables of flows in Parquet. */
class ParquetFlowsTest {
    private static final List<Column> NUMBERS = Stream.of("start", "src", "dst", "bytes")
            .map(name -> new Column(name, ColumnType.INT64, "", "", ""))
            .toList();

    @TempDir
    Path dir;

    private FlowFile read(Path file) {
        InputFile input = InputFile.read(file);
        assertThat(FlowFile.formatOf(input)).isEqualTo(Format.PARQUET);
        return FlowFile.of(input, Format.PARQUET, new BigDecimal(1000));
    }

    @Test
    void table_isReadAsFlows() throws Exception {
        List<Column> columns = List.of(
                new Column("src", ColumnType.INT64, "", "", ""),
                new Column("dst", ColumnType.INT64, "", "", ""),
                new Column("note", ColumnType.STRING, "", "", ""),
                new Column("bytes", ColumnType.INT64, "", "", ""),
                new Column("start", ColumnType.DOUBLE, "", "", ""));
        Path file = dir.resolve("flows");
        try (RowWriter out = new RowWriter(Location.of(file), columns)) {
            out.write(new Row(columns, new Object[] {0L, 3L, "x", 1000L, 0.0}));
            out.write(new Row(columns, new Object[] {2L, 1L, null, 20_000_000_000L, 1.5}));
        }
        FlowFile flows = read(file);
        assertThat(flows.hosts()).isEqualTo(4);
        assertThat(flows.schedule().size()).isEqualTo(2);
        assertThat(flows.schedule().startPs(1)).isEqualTo(1500);
        assertThat(flows.schedule().bytes(1)).isEqualTo(20_000_000_000L);
        assertThat(flows.id(1)).isEqualTo(2);
    }

    @Test
    void mistakes_areToldWithTheirRows() throws Exception {
        Path bad = dir.resolve("bad.parquet");
        try (RowWriter out = new RowWriter(Location.of(bad), NUMBERS)) {
            out.write(new Row(NUMBERS, new Object[] {0L, 0L, 1L, 5L}));
            out.write(new Row(NUMBERS, new Object[] {1L, null, 1L, 5L}));
            out.write(new Row(NUMBERS, new Object[] {2L, 0L, 1L, 0L}));
        }
        // The names of the columns count as line 1, as in CSV.
        assertThatThrownBy(() -> read(bad))
                .isInstanceOf(InvalidFileException.class)
                .hasMessage(bad + ":3: src: found `null`, expected a whole number, 0 .. 65535\n" + bad
                        + ":4: bytes: found `0`, expected a whole number, 1 .. 1099511627776");

        List<Column> words = List.of(new Column("src", ColumnType.STRING, "", "", ""));
        Path text = dir.resolve("text.parquet");
        try (RowWriter out = new RowWriter(Location.of(text), words)) {
            out.write(new Row(words, new Object[] {"a"}));
        }
        assertThatThrownBy(() -> read(text))
                .isInstanceOf(InvalidFileException.class)
                .hasMessageStartingWith(text + ": cannot be read as Parquet: the column is ")
                .hasMessageEndingWith("expected plain numbers");

        byte[] whole = Files.readAllBytes(bad);
        InputFile cut = InputFile.of("cut", Arrays.copyOf(whole, whole.length - 9));
        assertThatThrownBy(() -> FlowFile.of(cut, Format.PARQUET, BigDecimal.ONE))
                .isInstanceOf(InvalidFileException.class)
                .hasMessageStartingWith("cut: cannot be read as Parquet: ");
    }
}
