package io.github.rhosweep.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rhosweep.result.Column;
import io.github.rhosweep.result.Row;
import io.github.rhosweep.scenario.Parameter.ColumnType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Readers see each row once, whatever step a rewriting dies at. */
class CompactionTest {
    private static final List<Column> COLUMNS = List.of(
            new Column("point_key", ColumnType.STRING, "", "key", ""), new Column("n", ColumnType.INT64, "", "n", ""));

    @TempDir
    private Path dir;

    private ResultsFolder folder;
    private final List<String> expected = new ArrayList<>();

    @BeforeEach
    void fill() throws IOException {
        folder = new ResultsFolder(dir.resolve("out"));
        try (ResultsFolder.Lock lock = folder.lock()) {
            assertThat(lock.isHeld()).isTrue();
            folder.write(manifest(2));
        }
        for (int shard = 0; shard < 7; shard++) {
            commit(shard < 4 ? 1 : 2, shard);
        }
    }

    private void commit(int invocation, int shard) throws IOException {
        try (ShardWriter writer = folder.attempt(String.format("%04d-%06d", invocation, shard), "a")) {
            for (long row = 0; row < 3; row++) {
                String key = "k" + shard + row;
                writer.write(Table.RUNS, new Row(COLUMNS, new Object[] {key, 1L}));
                writer.write(Table.POINTS, new Row(COLUMNS, new Object[] {key, 1L}));
                expected.add(key);
            }
            if (shard == 5) {
                writer.write(Table.FAILURES, new Row(COLUMNS, new Object[] {"failed", 1L}));
            }
            writer.commit();
        }
    }

    private static Manifest manifest(int invocation) {
        return new Manifest(
                1,
                2,
                "s",
                "0.1.0",
                "unknown",
                "17",
                "4.2.0",
                invocation,
                "t0",
                "t1",
                "complete",
                new Manifest.Counts(21, 21, 0, 0, 21),
                "not_run",
                null,
                null);
    }

    private List<String> keys(Table table) throws IOException {
        List<String> keys = new ArrayList<>();
        for (Location file : new ResultsFolder(dir.resolve("out")).files(table)) {
            try (RowReader reader = new RowReader(file, COLUMNS)) {
                for (Row row = reader.read(); row != null; row = reader.read()) {
                    keys.add(String.valueOf(row.get("point_key")));
                }
            }
        }
        return keys;
    }

    private void requireAll() throws IOException {
        assertThat(keys(Table.RUNS)).containsExactlyInAnyOrderElementsOf(expected);
        assertThat(keys(Table.POINTS)).containsExactlyInAnyOrderElementsOf(expected);
        assertThat(keys(Table.FAILURES)).containsExactly("failed");
        folder.requirePairs();
    }

    @Test
    void manySmallFiles_becomeFewLargeOnes_withTheSameRows() throws IOException {
        Compaction.Result result = new Compaction(folder, 9).run();
        assertThat(result).isEqualTo(new Compaction.Result(15, 7, 43));
        requireAll();
        assertThat(folder.files(Table.RUNS)).hasSize(3).allMatch(f -> f.name().startsWith("g0001-"));
        try (var files = Files.list(dir.resolve("out/runs"))) {
            assertThat(files).hasSize(3);
        }
        assertThat(keys(Table.RUNS)).isEqualTo(expected);
    }

    private static final class Crash extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    @Test
    void crashAtAnyStep_leavesEachRowOnce_andTheNextRunClearsUp() throws IOException {
        int crashes = 0;
        for (int step = 0; ; step++) {
            int[] left = {step};
            try {
                new Compaction(folder, 9, name -> {
                            if (left[0]-- == 0) {
                                throw new Crash();
                            }
                        })
                        .run();
                break;
            } catch (Crash crash) {
                crashes++;
                requireAll();
                folder.recover();
                requireAll();
            }
        }
        // three parts, the manifest, the removal
        assertThat(crashes).isEqualTo(5);
        requireAll();
        assertThat(folder.manifest().compacted()).isEqualTo(new Manifest.Compacted(2, 2));
    }

    @Test
    void crashAmidTheRemoval_leavesEachRowOnce() throws IOException {
        Files.createDirectories(dir.resolve("kept"));
        for (Location file : folder.files(Table.RUNS)) {
            Files.copy(file.path(), dir.resolve("kept").resolve(file.name()));
        }
        new Compaction(folder, 9).run();
        for (String name : List.of("0001-000002.parquet", "0002-000006.parquet")) {
            Files.copy(
                    dir.resolve("kept").resolve(name), dir.resolve("out/runs").resolve(name));
        }
        requireAll();
        folder.recover();
        assertThat(dir.resolve("out/runs/0001-000002.parquet")).doesNotExist();
        requireAll();
    }

    @Test
    void laterShards_countBesideAGeneration_andGoIntoTheNext() throws IOException {
        new Compaction(folder, 100).run();
        folder.write(folder.manifest().with(new Manifest.Counts(24, 3, 0, 21, 3)));
        commit(3, 7);
        requireAll();
        new Compaction(folder, 100).run();
        requireAll();
        assertThat(folder.files(Table.RUNS))
                .singleElement()
                .satisfies(f -> assertThat(f.name()).isEqualTo("g0002-000000.parquet"));
        assertThat(folder.manifest().compacted()).isEqualTo(new Manifest.Compacted(2, 3));
    }

    @Test
    void foreignFiles_areLeftAlone() throws IOException {
        Path mine = dir.resolve("out/runs/gnu.parquet");
        Files.copy(folder.files(Table.RUNS).get(0).path(), mine);
        byte[] before = Files.readAllBytes(mine);
        assertThatThrownBy(() -> new Compaction(folder, 9).run())
                .isInstanceOf(FolderRefusedException.class)
                .hasMessageContaining("gnu.parquet is there without points/gnu.parquet");
        Files.copy(mine, dir.resolve("out/points/gnu.parquet"));
        new Compaction(folder, 9).run();
        assertThat(Files.readAllBytes(mine)).isEqualTo(before);
    }

    @Test
    void whileARunWrites_itIsRefused() throws IOException {
        try (ResultsFolder.Lock lock = folder.lock()) {
            assertThat(lock.isHeld()).isTrue();
            assertThatThrownBy(() -> new Compaction(folder, 9).run()).isInstanceOf(FolderRefusedException.class);
        }
        requireAll();
    }
}
