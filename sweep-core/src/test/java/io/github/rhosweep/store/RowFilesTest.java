package io.github.rhosweep.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rhosweep.result.Column;
import io.github.rhosweep.result.Row;
import io.github.rhosweep.scenario.Parameter.ColumnType;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RowFilesTest {
    private static final Column FLAG = new Column("stable", ColumnType.BOOLEAN, "", "no growth", "");
    private static final Column COUNT = new Column("drops", ColumnType.INT64, "packets", "lost at admission", "D-5");
    private static final Column MEAN = new Column("wait_mean_ns", ColumnType.DOUBLE, "ns", "mean \"wait\", µ", "W = λ");
    private static final Column NAME = new Column("regime", ColumnType.STRING, "", "low to congested", "");
    private static final List<Column> ALL = List.of(FLAG, COUNT, MEAN, NAME);

    @TempDir
    private Path dir;

    @Test
    void rows_comeBackAsWritten_nullsExtremesAndUnicodeIncluded() throws IOException {
        long seed = 20240611;
        SplittableRandom random = new SplittableRandom(seed);
        List<Object[]> written = new ArrayList<>();
        written.add(new Object[] {null, null, null, null});
        written.add(new Object[] {true, Long.MIN_VALUE, -0.0, ""});
        written.add(new Object[] {false, Long.MAX_VALUE, Double.MIN_VALUE, "naïve, 東京 \u0000 🦑"});
        for (int i = 0; i < 5000; i++) {
            written.add(new Object[] {
                random.nextBoolean() ? random.nextBoolean() : null,
                random.nextInt(4) > 0 ? random.nextLong() : null,
                random.nextInt(4) > 0 ? random.nextDouble() : null,
                random.nextInt(4) > 0 ? "r" + random.nextInt(9) : null
            });
        }
        Path file = write("a b ü.parquet", ALL, written);

        assertThat(read(file, ALL))
                .as("seed %d", seed)
                .usingRecursiveComparison()
                .isEqualTo(written);
        assertThat(RowReader.count(Location.of(file))).isEqualTo(written.size());
    }

    @Test
    void footer_carriesTheCatalogue() throws IOException {
        Path file = write("x.parquet", ALL, List.of());
        assertThat(RowReader.columnsOf(Location.of(file))).isEqualTo(ALL);
    }

    @Test
    void reader_givesWantedColumnsInWantedOrder_andNullForThoseAnOlderFileLacks() throws IOException {
        Path old = write("old.parquet", List.of(MEAN, COUNT), List.<Object[]>of(new Object[] {1.5, 7L}));
        assertThat(read(old, List.of(COUNT, NAME, MEAN)))
                .usingRecursiveComparison()
                .isEqualTo(List.<Object[]>of(new Object[] {7L, null, 1.5}));
        assertThat(read(old, List.of(NAME))).usingRecursiveComparison().isEqualTo(List.<Object[]>of(new Object[1]));
    }

    @Test
    void reader_refusesARetypedColumn_namingIt() throws IOException {
        Path file = write("x.parquet", List.of(COUNT), List.<Object[]>of(new Object[] {7L}));
        Column retyped = new Column("drops", ColumnType.DOUBLE, "", "", "");
        assertThatThrownBy(() -> read(file, List.of(retyped)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("drops")
                .hasMessageContaining("x.parquet");
    }

    @Test
    void damagedFiles_areNamed() throws IOException {
        Path file = write("x.parquet", ALL, List.<Object[]>of(new Object[] {true, 1L, 1.0, "a"}));
        byte[] bytes = Files.readAllBytes(file);
        Path half = dir.resolve("half.parquet");
        Files.write(half, java.util.Arrays.copyOf(bytes, bytes.length / 2));
        Path empty = Files.createFile(dir.resolve("empty.parquet"));
        for (Path damaged : List.of(half, empty)) {
            assertThatThrownBy(() -> RowReader.columnsOf(Location.of(damaged)))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(damaged.getFileName().toString());
            assertThatThrownBy(() -> read(damaged, ALL))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(damaged.getFileName().toString());
        }
    }

    @Test
    void writer_neverOverwrites_andLeavesNoSideFiles() throws IOException {
        Path file = write("x.parquet", ALL, List.of());
        assertThatThrownBy(() -> new RowWriter(Location.of(file), ALL)).isInstanceOf(FileAlreadyExistsException.class);
        try (var files = Files.list(dir)) {
            assertThat(files).containsExactly(file);
        }
    }

    private Path write(String name, List<Column> columns, List<Object[]> rows) throws IOException {
        Path file = dir.resolve(name);
        try (RowWriter writer = new RowWriter(Location.of(file), columns)) {
            for (Object[] row : rows) {
                writer.write(new Row(columns, row));
            }
        }
        return file;
    }

    private static List<Object[]> read(Path file, List<Column> columns) throws IOException {
        List<Object[]> rows = new ArrayList<>();
        try (RowReader reader = new RowReader(Location.of(file), columns)) {
            for (Row row = reader.read(); row != null; row = reader.read()) {
                rows.add(row.values());
            }
        }
        return rows;
    }
}
