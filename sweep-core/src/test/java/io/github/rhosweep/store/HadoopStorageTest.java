package io.github.rhosweep.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
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

/** Results folders on HDFS and S3 keep what local ones promise. */
@Tag("integration")
class HadoopStorageTest {
    /** Where a lock is a file that its holder rewrites. */
    abstract static class HeartbeatPromises extends ResultsFolderPromises {
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
    class OnHdfs extends HeartbeatPromises {
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
    class OnS3 extends HeartbeatPromises {
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
}
