package io.github.rhosweep.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rhosweep.result.Column;
import io.github.rhosweep.result.Row;
import io.github.rhosweep.scenario.Parameter.ColumnType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultsFolderTest extends ResultsFolderPromises {
    private static final List<Column> REPLICATES = List.of(new Column("n", ColumnType.INT64, "", "replicates", ""));

    @TempDir
    private Path temp;

    private Path dir;
    private ResultsFolder folder;

    @BeforeEach
    void name() {
        dir = temp.resolve("out ü 1");
        folder = new ResultsFolder(dir);
    }

    @Override
    Location root() {
        return Location.of(temp);
    }

    @Test
    void namingAFolder_makesNothing() throws IOException {
        assertThat(folder.manifest()).isNull();
        assertThat(folder.files(Table.RUNS)).isEmpty();
        assertThat(dir).doesNotExist();
    }

    @Test
    void uncommittedRows_areNeverVisible_andLeaveNothing() throws IOException {
        try (ShardWriter shard = folder.attempt("1-0-9", "a")) {
            shard.write(Table.RUNS, row("k"));
            assertThat(folder.files(Table.RUNS)).isEmpty();
        }
        assertThat(folder.files(Table.RUNS)).isEmpty();
        assertThat(folder.isCommitted("1-0-9")).isFalse();
        assertThat(dir.resolve("_temporary")).isEmptyDirectory();
    }

    @Test
    void aLostFile_isTold_whicheverOfThePairItIs() throws IOException {
        for (long replicates : new long[] {0, 2}) {
            try (ShardWriter shard = folder.attempt("000" + replicates + "-0-9", "a")) {
                if (replicates > 0) {
                    shard.write(Table.RUNS, row("k"));
                }
                shard.write(Table.POINTS, new Row(REPLICATES, new Object[] {replicates}));
                shard.commit();
            }
        }
        folder.requirePairs(); // predictions alone have no runs

        Path runs = dir.resolve("runs/0002-0-9.parquet");
        Path points = dir.resolve("points/0002-0-9.parquet");
        byte[] lost = Files.readAllBytes(runs);
        Files.delete(runs);
        assertThatThrownBy(folder::requirePairs)
                .isInstanceOf(FolderRefusedException.class)
                .hasMessageContaining(points + " is there without runs/0002-0-9.parquet");
        Files.write(runs, lost);
        Files.delete(points);
        assertThatThrownBy(folder::requirePairs)
                .isInstanceOf(FolderRefusedException.class)
                .hasMessageContaining(runs + " is there without points/0002-0-9.parquet");
    }

    @Test
    void lastInvocation_isReadFromTheNamesOfFiles() throws IOException {
        assertThat(folder.lastInvocation()).isZero();
        commit("0007-000-009", "a", "k1");
        commit("0003-000-009", "a", "k1");
        Files.createFile(dir.resolve("runs/mine.parquet"));
        Files.createFile(dir.resolve("runs/copy-9.parquet"));
        assertThat(folder.lastInvocation()).isEqualTo(7);
    }

    @Test
    void laterAttempt_changesNothing() throws IOException {
        commit("1-0-9", "a", "k1");
        Path file = folder.files(Table.RUNS).get(0).path();
        byte[] before = Files.readAllBytes(file);
        Object inode = Files.readAttributes(file, java.nio.file.attribute.BasicFileAttributes.class)
                .fileKey();
        commit("1-0-9", "b", "k1", "other");
        assertThat(Files.readAllBytes(file)).isEqualTo(before);
        assertThat(Files.readAttributes(file, java.nio.file.attribute.BasicFileAttributes.class)
                        .fileKey())
                .isEqualTo(inode);
        assertThat(keys(Table.POINTS)).containsExactly("k1");
    }

    @Test
    void crashBetweenTwoTables_isFinishedByRecovery_withoutLossOrDouble() throws IOException {
        commit("1-0-9", "a", "k1", "k2");
        // As if the machine had died after `runs` was linked and before `points` was.
        Path ready = Files.createDirectories(dir.resolve("_temporary").resolve("1-0-9.ready"));
        Files.move(folder.files(Table.POINTS).get(0).path(), ready.resolve("points.parquet"));
        Files.createLink(
                ready.resolve("runs.parquet"), folder.files(Table.RUNS).get(0).path());
        Files.createDirectories(dir.resolve("_temporary").resolve("1-10-19.b"));
        Files.writeString(dir.resolve("_temporary").resolve("1-10-19.b").resolve("runs.parquet"), "half a fi");

        folder.recover();

        assertThat(keys(Table.RUNS)).containsExactly("k1", "k2");
        assertThat(keys(Table.POINTS)).containsExactly("k1", "k2");
        assertThat(dir.resolve("_temporary")).doesNotExist();
    }

    @Test
    void retry_finishesWhatADeadAttemptHadDecided() throws IOException {
        Path ready = Files.createDirectories(dir.resolve("_temporary").resolve("1-0-9.ready"));
        write(ready.resolve("runs.parquet"), "first");
        write(ready.resolve("points.parquet"), "first");
        commit("1-0-9", "second", "second");
        assertThat(keys(Table.RUNS)).containsExactly("first");
        assertThat(keys(Table.POINTS)).containsExactly("first");
    }

    @Test
    void decidedShards_thatNoRunCanHaveLeft_areRefusedAndStay_andRealOnesAreNotLost() throws IOException {
        Path temporary = dir.resolve("_temporary");
        Path real = Files.createDirectories(temporary.resolve("0001-0-9.ready"));
        write(real.resolve("runs.parquet"), "k1");
        write(real.resolve("points.parquet"), "k1");
        Path stray = Files.createDirectories(temporary.resolve("x.ready"));
        write(stray.resolve("points.parquet"), "of another");
        assertThatThrownBy(folder::recover)
                .isInstanceOf(FolderRefusedException.class)
                .hasMessageStartingWith(stray + ": a finished shard, but this program gives no such name");
        assertThat(stray.resolve("points.parquet")).exists();
        assertThat(folder.files(Table.POINTS)).isEmpty();

        Path cut = temporary.resolve("0002-0-9.ready");
        Files.move(stray, cut);
        byte[] whole = Files.readAllBytes(cut.resolve("points.parquet"));
        Files.write(cut.resolve("points.parquet"), java.util.Arrays.copyOf(whole, whole.length / 2));
        assertThatThrownBy(folder::recover)
                .isInstanceOf(FolderRefusedException.class)
                .hasMessageStartingWith(cut.resolve("points.parquet") + " is no whole Parquet file")
                .hasMessageContaining("Maybe move " + cut + " elsewhere");
        assertThat(folder.files(Table.POINTS)).isEmpty();

        Files.move(cut.resolve("points.parquet"), cut.resolve("runs.parquet"));
        Files.write(cut.resolve("runs.parquet"), whole);
        assertThatThrownBy(folder::recover).hasMessageStartingWith(cut + " holds runs without their points, which no");
        Files.delete(cut.resolve("runs.parquet"));
        try (RowWriter writer = new RowWriter(Location.of(cut.resolve("points.parquet")), REPLICATES)) {
            writer.write(new Row(REPLICATES, new Object[] {2L}));
        }
        assertThatThrownBy(folder::recover).hasMessageStartingWith(cut + " holds points without their runs, which no");
        assertThat(folder.files(Table.POINTS)).isEmpty();

        Files.move(cut, temp.resolve("elsewhere"));
        Files.writeString(temporary.resolve("y.ready"), "a file is no shard");
        folder.recover();
        assertThat(keys(Table.RUNS)).containsExactly("k1");
        assertThat(keys(Table.POINTS)).containsExactly("k1");
        assertThat(temporary).doesNotExist();
    }

    @Test
    void linksToNothing_areNamed_andNothingIsMade() throws IOException {
        Path gone = temp.resolve("gone");
        for (String name : List.of("runs", "points", "_temporary")) {
            Files.createDirectories(dir);
            Path link = Files.createSymbolicLink(dir.resolve(name), gone);
            folder.write(manifest(Manifest.SCHEMA_VERSION));
            assertThatThrownBy(folder::lock)
                    .isInstanceOf(FolderRefusedException.class)
                    .hasMessage(link + " is a link to " + gone
                            + ", which does not exist. Maybe make or mount that, or remove the link");
            if (!name.startsWith("_")) {
                assertThatThrownBy(() -> folder.files(Table.valueOf(name.toUpperCase(java.util.Locale.ROOT))))
                        .hasMessageStartingWith(link + " is a link to");
            }
            Files.delete(link);
        }
        Path link = Files.createSymbolicLink(temp.resolve("link"), gone);
        assertThatThrownBy(() -> new ResultsFolder(link).lock()).hasMessageStartingWith(link + " is a link to " + gone);
        assertThatThrownBy(() -> new ResultsFolder(link.resolve("below")).lock())
                .hasMessageStartingWith(link + " is a link to " + gone);
        assertThat(gone).doesNotExist();
        Files.createDirectory(gone);
        new ResultsFolder(link).lock().close(); // one that leads somewhere is as good as a folder
    }

    @Test
    void wholeShards_leaveOutWhatIsBeingCommitted_andRefuseWhatWasLost() throws IOException {
        commit("0001-0-9", "a", "k1");
        commit("0002-0-9", "a", "k2");
        // As between the links of the second shard: its runs have their place, its points not yet.
        Path points = dir.resolve("points/0002-0-9.parquet");
        Path ready = Files.createDirectories(dir.resolve("_temporary/0002-0-9.ready"));
        Files.move(points, ready.resolve("points.parquet"));
        for (Table table : List.of(Table.RUNS, Table.POINTS)) {
            assertThat(folder.wholeShards().get(table))
                    .extracting(Location::name)
                    .containsExactly("0001-0-9.parquet");
        }
        Files.delete(ready.resolve("points.parquet"));
        Files.delete(ready);
        assertThatThrownBy(folder::wholeShards)
                .isInstanceOf(FolderRefusedException.class)
                .hasMessageContaining("0002-0-9.parquet is there without points/");
    }

    @Test
    void secondLock_isRefused_alsoInOneProcess_andFreeAfterClose() throws IOException {
        try (var held = folder.lock()) {
            assertThat(held).isNotNull();
            assertThatThrownBy(() -> new ResultsFolder(dir).lock())
                    .isInstanceOf(FolderRefusedException.class)
                    .hasMessageContaining("another run");
        }
        folder.lock().close();
    }

    @Test
    void lock_refusesAFile_andAFolderWithForeignFilesUnderOurNames() throws IOException {
        Path file = Files.writeString(temp.resolve("file"), "x");
        assertThatThrownBy(() -> new ResultsFolder(file).lock())
                .isInstanceOf(FolderRefusedException.class)
                .hasMessageContaining("is a file");
        assertThatThrownBy(() -> new ResultsFolder(file.resolve("below")).lock())
                .isInstanceOf(FolderRefusedException.class)
                .hasMessageContaining("is a file");
        Files.writeString(temp.resolve("experiment.yaml"), "name: mine");
        assertThatThrownBy(() -> new ResultsFolder(temp).lock())
                .isInstanceOf(FolderRefusedException.class)
                .hasMessageContaining("experiment.yaml");
        assertThat(temp.resolve(".lock")).doesNotExist();
    }

    @Test
    void manifest_comesBackAsWritten_unknownFieldsIgnored() throws IOException {
        folder.lock().close();
        Manifest manifest = manifest(Manifest.SCHEMA_VERSION);
        folder.write(manifest);
        assertThat(folder.manifest()).isEqualTo(manifest);
        Path json = dir.resolve("manifest.json");
        Files.writeString(json, Files.readString(json).replaceFirst("\\{", "{\"of_a_later_release\": [1],"));
        assertThat(folder.manifest()).isEqualTo(manifest);
    }

    @Test
    void manifest_thatCannotBeUnderstood_isRefusedAndLeftAlone() throws IOException {
        folder.lock().close();
        folder.write(manifest(Manifest.SCHEMA_VERSION + 1));
        String newer = Files.readString(dir.resolve("manifest.json"));
        for (String text : List.of("", "{", "null", "[]", "{}", "{\"schema_version\": 1}", newer)) {
            Files.writeString(dir.resolve("manifest.json"), text);
            assertThatThrownBy(folder::manifest)
                    .as(text)
                    .isInstanceOf(FolderRefusedException.class)
                    .hasMessageContaining("manifest.json")
                    .message()
                    .doesNotContain("\n", "DeserializationFeature", "io.github");
            assertThat(dir.resolve("manifest.json")).hasContent(text);
        }
    }

    private static Manifest manifest(int schema) {
        return new Manifest(
                schema,
                1,
                "näme",
                "0.1.0",
                "unknown",
                "17",
                "4.2.0",
                3,
                "t0",
                null,
                "running",
                new Manifest.Counts(10, 1, 2, 3, 4),
                "not_run",
                null,
                null);
    }

    private void commit(String shard, String attempt, String... keys) throws IOException {
        commit(folder, shard, attempt, keys);
    }

    private static void write(Path file, String key) throws IOException {
        try (RowWriter writer = new RowWriter(Location.of(file), KEY)) {
            writer.write(row(key));
        }
    }

    private List<Object> keys(Table table) throws IOException {
        return keys(folder, table);
    }
}
