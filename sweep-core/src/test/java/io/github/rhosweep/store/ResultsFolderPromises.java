package io.github.rhosweep.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rhosweep.result.Column;
import io.github.rhosweep.result.Row;
import io.github.rhosweep.scenario.Parameter.ColumnType;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** What a results folder promises wherever it is: a shard is committed once, whole, by one attempt, and never touched again. */
abstract class ResultsFolderPromises {
    static final List<Column> KEY = List.of(new Column("key", ColumnType.STRING, "", "which", ""));

    private int folders;

    /** Where folders of this test can be made. */
    abstract Location root();

    ResultsFolder newFolder() throws IOException {
        ResultsFolder folder = new ResultsFolder(root().resolve("out ü " + folders++));
        assertThat(folder.manifest()).isNull();
        assertThat(folder.files(Table.RUNS)).isEmpty();
        return folder;
    }

    @Test
    void commit_showsAllTables_aLaterAttemptChangesNothing() throws IOException {
        ResultsFolder folder = newFolder();
        try (ShardWriter dropped = folder.attempt("1-0-9", "z")) {
            dropped.write(Table.RUNS, row("dropped"));
        }
        assertThat(folder.isCommitted("1-0-9")).isFalse();
        commit(folder, "1-0-9", "a", "k1", "k2");
        assertThat(folder.isCommitted("1-0-9")).isTrue();
        assertThat(folder.files(Table.RUNS))
                .containsExactly(folder.dir().resolve("runs").resolve("1-0-9.parquet"));
        commit(folder, "1-0-9", "b", "other");
        assertThat(keys(folder, Table.RUNS)).containsExactly("k1", "k2");
        assertThat(keys(folder, Table.POINTS)).containsExactly("k1", "k2");
        assertThat(folder.rows(Table.POINTS, "1-0-9")).isEqualTo(2);
        assertThat(folder.columns(Table.RUNS)).isEqualTo(KEY);
    }

    @Test
    void attemptsThatRace_commitOneOfThemWhole() throws Exception {
        ResultsFolder folder = newFolder();
        int attempts = 4;
        ExecutorService pool = Executors.newFixedThreadPool(attempts);
        try {
            for (int round = 0; round < 4; round++) {
                String shard = "1-" + round;
                CyclicBarrier barrier = new CyclicBarrier(attempts);
                List<Future<?>> all = new ArrayList<>();
                for (int a = 0; a < attempts; a++) {
                    String attempt = "attempt" + a;
                    all.add(pool.submit(() -> {
                        try (ShardWriter writer = folder.attempt(shard, attempt)) {
                            writer.write(Table.RUNS, row(attempt));
                            writer.write(Table.POINTS, row(attempt));
                            barrier.await();
                            writer.commit();
                            assertThat(folder.isCommitted(shard)).isTrue();
                        }
                        return null;
                    }));
                }
                for (Future<?> f : all) {
                    f.get();
                }
            }
        } finally {
            pool.shutdownNow();
        }
        assertThat(keys(folder, Table.RUNS)).hasSize(4).isEqualTo(keys(folder, Table.POINTS));
    }

    @Test
    void recovery_finishesWhatADeadAttemptHadDecided_andClearsWhatItHadNot() throws IOException {
        ResultsFolder folder = newFolder();
        Location temporary = folder.dir().resolve("_temporary");
        Storage storage = temporary.storage();
        Location decided = temporary.resolve("1-0-9.a");
        for (Table table : List.of(Table.RUNS, Table.POINTS)) {
            storage.makeFolder(decided);
            try (RowWriter writer = new RowWriter(decided.resolve(table.folder() + ".parquet"), KEY)) {
                writer.write(row("k1"));
            }
        }
        assertThat(storage.decide(decided, temporary.resolve("1-0-9.ready"))).isTrue();
        Location second = temporary.resolve("1-0-9.b");
        storage.makeFolder(second);
        storage.replace(second.resolve("runs.parquet"), new byte[] {1});
        assertThat(storage.decide(second, temporary.resolve("1-0-9.ready"))).isFalse();
        storage.makeFolder(temporary.resolve("1-10-19.c"));
        storage.replace(temporary.resolve("1-10-19.c").resolve("runs.parquet"), new byte[] {1});

        folder.recover();

        assertThat(keys(folder, Table.RUNS)).containsExactly("k1");
        assertThat(keys(folder, Table.POINTS)).containsExactly("k1");
        assertThat(storage.list(temporary)).isEmpty();
    }

    @Test
    void manifestAndTexts_areReplaced_absentOnesAreTold() throws IOException {
        ResultsFolder folder = newFolder();
        folder.dir().storage().makeFolder(folder.dir());
        folder.writeText("effective.yaml", "a");
        folder.writeText("effective.yaml", "bü");
        assertThat(folder.readText("effective.yaml")).isEqualTo("bü");
        assertThatThrownBy(() -> folder.readText("none")).isInstanceOf(NoSuchFileException.class);
        assertThatThrownBy(() -> RowReader.count(folder.dir().resolve("none.parquet")))
                .isInstanceOfAny(NoSuchFileException.class, FileNotFoundException.class);
        assertThatThrownBy(folder::lock)
                .isInstanceOf(FolderRefusedException.class)
                .hasMessageContaining("effective.yaml");
    }

    static void commit(ResultsFolder folder, String shard, String attempt, String... keys) throws IOException {
        try (ShardWriter writer = folder.attempt(shard, attempt)) {
            for (String key : keys) {
                writer.write(Table.RUNS, row(key));
                writer.write(Table.POINTS, row(key));
            }
            writer.commit();
        }
    }

    static Row row(String key) {
        return new Row(KEY, new Object[] {key});
    }

    static List<Object> keys(ResultsFolder folder, Table table) throws IOException {
        List<Object> keys = new ArrayList<>();
        for (Location file : folder.files(table)) {
            try (RowReader reader = new RowReader(file, KEY)) {
                for (Row row = reader.read(); row != null; row = reader.read()) {
                    keys.add(row.values()[0]);
                }
            }
        }
        return keys;
    }
}
