package io.github.rhosweep.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.github.rhosweep.result.Column;
import io.github.rhosweep.result.Row;
import io.github.rhosweep.scenario.Parameter.ColumnType;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Results folders on HDFS and S3 keep what local ones promise: a shard is committed once, whole, by one attempt, and never touched again. */
@Tag("integration")
class HadoopStorageTest {
    private static final List<Column> KEY = List.of(new Column("key", ColumnType.STRING, "", "which", ""));

    abstract static class Promises {
        private int folders;

        /** Where folders of this test can be made. */
        abstract Location root();

        private ResultsFolder newFolder() throws IOException {
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
            assertThat(storage.decide(decided, temporary.resolve("1-0-9.ready")))
                    .isTrue();
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
            folder.writeText("effective.yaml", "a");
            folder.writeText("effective.yaml", "bü");
            assertThat(folder.readText("effective.yaml")).isEqualTo("bü");
            assertThatThrownBy(() -> folder.readText("none")).isInstanceOf(NoSuchFileException.class);
            assertThatThrownBy(() -> RowReader.count(folder.dir().resolve("none.parquet")))
                    .isInstanceOf(NoSuchFileException.class);
            assertThatThrownBy(folder::lock)
                    .isInstanceOf(FolderRefusedException.class)
                    .hasMessageContaining("effective.yaml");
        }

        @Test
        void lock_isRefusedWhileHeld_freeWhenGivenBack_andTakenOverFromTheDead() throws IOException {
            ResultsFolder folder = newFolder();
            try (ResultsFolder.Lock held = folder.lock()) {
                assertThat(held.isHeld()).isTrue();
                assertThatThrownBy(folder::lock)
                        .isInstanceOf(FolderRefusedException.class)
                        .hasMessageContaining("another run");
                assertThat(held.isHeld()).isTrue();
            }
            folder.lock().close();
            Location file = folder.dir().resolve(".lock");
            file.storage().replace(file, "of one who died beat 7\n".getBytes(java.nio.charset.StandardCharsets.UTF_8));
            long before = System.nanoTime();
            folder.lock().close();
            assertThat(System.nanoTime() - before).isGreaterThanOrEqualTo(HeartbeatLock.LAPSE_NS);
        }
    }

    @Nested
    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    class OnHdfs extends Promises {
        private MiniDFSCluster hdfs;

        @BeforeAll
        void start(@TempDir Path temp) throws IOException {
            Configuration conf = new Configuration();
            conf.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, temp.toString());
            hdfs = new MiniDFSCluster.Builder(conf).numDataNodes(1).build();
        }

        @AfterAll
        void stop() {
            if (hdfs != null) {
                hdfs.shutdown(true);
            }
        }

        @Override
        Location root() {
            return Location.parse("hdfs://127.0.0.1:" + hdfs.getNameNodePort() + "/tests/", Map.of());
        }
    }

    /** Against moto, a server in Python that speaks S3. */
    @Nested
    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    class OnS3 extends Promises {
        private Process server;
        private int port;

        @BeforeAll
        void start(@TempDir Path temp) throws Exception {
            Path program = Path.of("..", ".venv", "bin", "moto_server")
                    .toAbsolutePath()
                    .normalize();
            if (!Files.isExecutable(program)) {
                System.err.println("NOT TESTED: results on S3: no " + program
                        + ". Maybe: python3 -m venv .venv && .venv/bin/pip install -r scripts/requirements-test.txt");
            }
            assumeThat(program).as("moto").isExecutable();
            try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                port = free.getLocalPort();
            }
            server = new ProcessBuilder(program.toString(), "-H", "127.0.0.1", "-p", String.valueOf(port))
                    .redirectErrorStream(true)
                    .redirectOutput(temp.resolve("moto.log").toFile())
                    .start();
            long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(3);
            while (!listens()) {
                assertThat(System.nanoTime())
                        .as(Files.readString(temp.resolve("moto.log")))
                        .isLessThan(deadline);
                assertThat(server.isAlive())
                        .as(Files.readString(temp.resolve("moto.log")))
                        .isTrue();
                Thread.sleep(100);
            }
            HttpRequest bucket = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/bucket"))
                    .PUT(HttpRequest.BodyPublishers.noBody())
                    .build();
            assertThat(HttpClient.newHttpClient()
                            .send(bucket, HttpResponse.BodyHandlers.ofString())
                            .statusCode())
                    .isEqualTo(200);
        }

        private boolean listens() {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                return socket.isConnected();
            } catch (IOException notYet) {
                return false;
            }
        }

        @AfterAll
        void stop() throws InterruptedException {
            if (server != null) {
                server.destroy();
                server.waitFor();
            }
        }

        @Override
        Location root() {
            return Location.parse(
                    "s3a://bucket/tests",
                    Map.of(
                            "fs.s3a.endpoint", "http://127.0.0.1:" + port,
                            "fs.s3a.endpoint.region", "us-east-1",
                            "fs.s3a.path.style.access", "true",
                            "fs.s3a.access.key", "a",
                            "fs.s3a.secret.key", "b",
                            "fs.s3a.connection.ssl.enabled", "false"));
        }
    }

    private static void commit(ResultsFolder folder, String shard, String attempt, String... keys) throws IOException {
        try (ShardWriter writer = folder.attempt(shard, attempt)) {
            for (String key : keys) {
                writer.write(Table.RUNS, row(key));
                writer.write(Table.POINTS, row(key));
            }
            writer.commit();
        }
    }

    private static Row row(String key) {
        return new Row(KEY, new Object[] {key});
    }

    private static List<Object> keys(ResultsFolder folder, Table table) throws IOException {
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
