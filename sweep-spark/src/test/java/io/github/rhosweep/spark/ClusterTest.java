package io.github.rhosweep.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.github.rhosweep.design.ExperimentSpec;
import io.github.rhosweep.math.RandomStream;
import io.github.rhosweep.result.Row;
import io.github.rhosweep.spark.halting.HaltingPlugin;
import io.github.rhosweep.store.Location;
import io.github.rhosweep.store.ResultsFolder;
import io.github.rhosweep.store.Table;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Faults on a real cluster: whatever dies, the points are exactly the plan's and their values those of a run that nothing disturbed. */
@Tag("integration")
@Tag("cluster")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ClusterTest {
    /** Several seconds of work in several shards. */
    private static final String LONG = """
            name: long
            base: {transport.sender: dcqcn, traffic.message: 8 KiB, traffic.flows: 8, measure.messages: 10000}
            sweep:
              traffic.load: {from: 0.3, to: 0.9, step: 0.05}
              switch.alpha: [1, 2, 4]
              switch.islip_iterations: [1, 2]
            """;

    private static final long SEED = 20_261_201;

    private Path temp;
    private Path file;
    private StandaloneCluster cluster;
    private List<String> planned;
    private List<String> undisturbed;
    private int runs;

    @BeforeAll
    void start(@TempDir Path folder) throws Exception {
        temp = folder;
        file = Files.writeString(temp.resolve("long.yaml"), LONG);
        planned = Sweeps.plannedKeys(file);
        Path local = temp.resolve("undisturbed");
        Sweeps.run("run", file, "--out", local, "--quiet").expect(0);
        undisturbed = Sweeps.hashes(local, Table.RUNS);
        cluster = new StandaloneCluster(Files.createDirectory(temp.resolve("cluster")));
    }

    @AfterAll
    void stop() throws Exception {
        if (cluster != null) {
            cluster.close();
            assertThat(cluster.status()).isNotZero();
        }
    }

    private Path newFolder() {
        return temp.resolve("out" + runs++);
    }

    private void assertWhole(Path dir) throws IOException {
        Sweeps.assertWhole(dir, planned, undisturbed);
    }

    /** Waits until some shards are committed and more are under way. */
    private static void awaitShards(StandaloneCluster.Run run, Path dir, int shards) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(3);
        while (new ResultsFolder(dir).files(Table.POINTS).size() < shards) {
            assertThat(run.driver().isAlive()).as(run.errors()).isTrue();
            assertThat(System.nanoTime()).as(run.errors()).isLessThan(deadline);
            Thread.sleep(20);
        }
    }

    @Test
    void speculation_commitsEachShardOnce_andTheDriversLogIsQuiet() throws Exception {
        Path dir = newFolder();
        List<String> eager = new ArrayList<>();
        for (String setting : List.of(
                "speculation=true",
                "speculation.interval=50ms",
                "speculation.multiplier=1.01",
                "speculation.quantile=0.05",
                "speculation.minTaskRuntime=50ms")) {
            eager.addAll(List.of("--conf", "spark." + setting));
        }
        StandaloneCluster.Run run =
                cluster.run(eager, file, "--out", dir, "--quiet").expect(0);
        assertWhole(dir);
        assertThat(run.errors()).doesNotContain(" INFO ");
        assertThat(cluster.executorLogs()).contains("Running task");
    }

    @Test
    void executorAndThenItsWorkerKilled_loseNothing() throws Exception {
        Path dir = newFolder();
        StandaloneCluster.Run run = cluster.run(List.of(), file, "--out", dir, "--quiet");
        awaitShards(run, dir, 1);
        cluster.executors().get(0).destroyForcibly();
        awaitShards(run, dir, 3);
        cluster.worker(2).destroyForcibly();
        run.expect(0);
        assertWhole(dir);
        assertThat(cluster.status()).isNotZero();
        cluster.up();
        assertThat(cluster.status()).isZero();
    }

    @Test
    void driverKilled_thenRunAgain_goesOnFromWhatIsCommitted() throws Exception {
        Path dir = newFolder();
        StandaloneCluster.Run run = cluster.run(List.of(), file, "--out", dir, "--quiet");
        awaitShards(run, dir, 2);
        run.driver().destroyForcibly().waitFor();
        Map<Path, String> before = Sweeps.committed(dir);
        assertThat(before.size()).isLessThan(2 * planned.size());
        Path left = Files.createDirectories(
                dir.resolve("_temporary").resolve("0001-000000000000-000000000009.of-the-dead"));
        Files.writeString(left.resolve("runs.parquet"), "half a fi");
        cluster.run(List.of(), file, "--out", dir, "--quiet").expect(0);
        assertWhole(dir);
        assertThat(Sweeps.committed(dir)).containsAllEntriesOf(before);
    }

    /** The first takes three deaths, as chance would hardly have it; where there was one the next is believed sooner. */
    @Test
    void pointsThatKillTheirExecutor_areQuarantined_theRestCompletes_andTheyCanBeTriedAgain() throws Exception {
        Path dir = newFolder();
        ExperimentSpec experiment = Sweeps.experiment(file);
        Shard shard = Shard.cut(experiment, 2).get(0);
        List<String> deadly = LongStream.range(shard.first(), shard.first() + 4)
                .mapToObj(index -> experiment.point(index).key())
                .toList();
        assertThat(shard.end() - shard.first()).isGreaterThan(4);
        Path plugin = temp.resolve("plugin");
        copyClass(HaltingPlugin.class, plugin);
        cluster.run(
                        List.of(
                                "--driver-class-path",
                                plugin.toString(),
                                "--conf",
                                "spark.executor.extraClassPath=" + plugin,
                                "--conf",
                                "spark.plugins=" + HaltingPlugin.class.getName(),
                                "--conf",
                                "spark.halting.keys=" + String.join(",", deadly)),
                        file,
                        "--out",
                        dir,
                        "--quiet")
                .expect(1);
        assertThat(Sweeps.column(dir, Table.FAILURES, "point_key"))
                .isEqualTo(deadly.stream().sorted().toList());
        assertThat(Sweeps.column(dir, Table.FAILURES, "kind")).containsOnly("executor_lost");
        List<String> rest = new ArrayList<>(planned);
        rest.removeAll(deadly);
        assertThat(Sweeps.column(dir, Table.POINTS, "point_key")).isEqualTo(rest);
        String logs = cluster.executorLogs();
        // The very first death finds nobody who takes notes.
        assertThat(deadly)
                .map(key -> logs.split("run " + key + " begins", -1).length - 1)
                .containsExactly(4, 2, 2, 1);
        for (Row failure : Sweeps.rows(dir, Table.FAILURES)) {
            assertThat(logs).contains("run " + failure.get("run_key") + " failed: executor_lost");
        }

        Sweeps.run("run", file, "--out", dir, "--quiet", "--retry-failed").expect(0);
        assertWhole(dir);
    }

    @Test
    void launcherWithTheMastersUrl_doesWhatSparkSubmitDoes() throws Exception {
        Path dir = newFolder();
        cluster.launch("run", file, "--out", dir, "--quiet", "--master", cluster.url())
                .expect(0);
        assertWhole(dir);
        assertThat(cluster.executorLogs()).contains("Running task");
    }

    /** Executors twice as often as drivers; {@code scripts/soak kills} is the long form. */
    @Test
    void killsAtRandomMoments_loseNothing() throws Exception {
        RandomStream random = new RandomStream(SEED);
        System.err.println("random moments: seed " + SEED);
        Path dir = newFolder();
        int kills = 0;
        while (kills < 4) {
            StandaloneCluster.Run run = cluster.run(List.of(), file, "--out", dir, "--quiet");
            while (kills < 4 && run.driver().isAlive()) {
                awaitShards(run, dir, new ResultsFolder(dir).files(Table.POINTS).size() + 1);
                Thread.sleep(random.nextInt(300));
                kills++;
                List<ProcessHandle> executors = cluster.executors();
                if (random.nextInt(3) == 0) {
                    run.driver().destroyForcibly().waitFor();
                } else if (!executors.isEmpty()) {
                    executors.get(random.nextInt(executors.size())).destroyForcibly();
                }
            }
            if (run.driver().isAlive()) {
                run.expect(0);
            }
        }
        cluster.run(List.of(), file, "--out", dir, "--quiet").expect(0);
        assertWhole(dir);
    }

    /** Its nested classes too. */
    private static void copyClass(Class<?> type, Path to) throws IOException {
        Path folder = Path.of(type.getResource(type.getSimpleName() + ".class").getPath())
                .getParent();
        Path target = Files.createDirectories(to.resolve(type.getPackageName().replace('.', '/')));
        try (var files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.copy(file, target.resolve(file.getFileName().toString()));
            }
        }
    }

    @Test
    void resultsOnHdfs_areThoseOnDisk_andAllReadersTakeThem() throws Exception {
        Configuration conf = new Configuration();
        conf.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, temp.resolve("hdfs").toString());
        MiniDFSCluster hdfs = new MiniDFSCluster.Builder(conf).numDataNodes(1).build();
        try {
            String out = "hdfs://127.0.0.1:" + hdfs.getNameNodePort() + "/à b/out";
            cluster.run(List.of(), file, "--out", out, "--quiet").expect(0);
            ResultsFolder folder = new ResultsFolder(Location.parse(out, Map.of()));
            assertThat(Sweeps.hashes(folder, Table.RUNS)).isEqualTo(undisturbed);
            assertThat(folder.manifest().status()).isEqualTo("complete");
            assertThat(Sweeps.run("run", file, "--out", out, "--json").expect(0).out())
                    .contains("\"done\":0", "\"skipped\":" + planned.size());
            assertThat(Sweeps.run("summary", out).expect(0).out()).contains("traffic.load");
            Path picture = temp.resolve("hdfs.svg");
            Sweeps.run("plot", out, "--x", "traffic.load", "--y", "message_latency_mean_ns", "-o", picture)
                    .expect(0);
            assertThat(picture).isNotEmptyFile();
            assertThat(Sweeps.run("verify", out, "--json").expect(0).out()).contains("\"differing\":0");
            assertThat(Sweeps.run("fit", out, "--out", temp.resolve("hdfs.json"))
                            .expect(0)
                            .out())
                    .contains("points");
        } finally {
            hdfs.shutdown(true);
        }
    }

    @Test
    void runThatHangs_isGivenUpByItsWallLimit_andNamedInTheExecutorsLog() throws Exception {
        Path dir = newFolder();
        Path hanging = Files.writeString(temp.resolve("hanging.yaml"), """
                name: hanging
                base: {traffic.message: 1 KiB, limits.wall: 2 s, limits.events: 1000000000000}
                sweep: {measure.messages: [1000, 2000, 1000000000]}
                """);
        cluster.run(List.of(), hanging, "--out", dir, "--quiet").expect(1);
        List<Row> failures = Sweeps.rows(dir, Table.FAILURES);
        assertThat(failures).hasSize(1);
        assertThat(failures.get(0).get("kind")).isEqualTo("wall_limit");
        assertThat(failures.get(0).get("measure_messages")).isEqualTo(1000000000L);
        assertThat(Sweeps.rows(dir, Table.POINTS)).hasSize(2);
        assertThat(cluster.executorLogs()).contains("run " + failures.get(0).get("run_key") + " failed: wall_limit");
    }

    @Test
    void fullDisk_isOneLine_exit3_andTheSweepGoesOnOnceThereIsRoom_readOnlyLikewise() throws Exception {
        Path disk = Files.createDirectory(temp.resolve("disk"));
        boolean mounted = mount("-t", "tmpfs", "-o", "size=500k", "tmpfs", disk.toString());
        if (!mounted) {
            System.err.println("NOT TESTED: a full disk under a cluster: mounting a tmpfs is not permitted");
        }
        assumeThat(mounted).as("mounting permitted").isTrue();
        try {
            Path dir = disk.resolve("out");
            StandaloneCluster.Run full =
                    cluster.run(List.of(), file, "--out", dir, "--quiet").expect(3);
            assertThat(lastLine(full)).contains("No space left on device");
            assertThat(remountReadOnly(disk)).isTrue();
            StandaloneCluster.Run readOnly =
                    cluster.run(List.of(), file, "--out", dir, "--quiet").expect(3);
            assertThat(lastLine(readOnly)).contains("Read-only file system");
            assertThat(mount("-o", "remount,rw,size=100m", disk.toString())).isTrue();
            cluster.run(List.of(), file, "--out", dir, "--quiet").expect(0);
            assertWhole(dir);
        } finally {
            new ProcessBuilder("umount", "-l", disk.toString()).start().waitFor();
        }
    }

    private static String lastLine(StandaloneCluster.Run run) throws IOException {
        List<String> lines = run.errors().lines().toList();
        return lines.isEmpty() ? "" : lines.get(lines.size() - 1);
    }

    /** Executors that outlive the driver for a moment may still hold a file open, and the disk is busy until they end. */
    private static boolean remountReadOnly(Path disk) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
        while (!mount("-o", "remount,ro", disk.toString())) {
            if (System.nanoTime() > deadline) {
                return false;
            }
            Thread.sleep(100);
        }
        return true;
    }

    private static boolean mount(String... arguments) throws InterruptedException {
        List<String> command = new ArrayList<>(List.of("mount"));
        command.addAll(List.of(arguments));
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            try (InputStream output = process.getInputStream()) {
                output.readAllBytes();
            }
            return process.waitFor() == 0;
        } catch (IOException noSuchProgram) {
            return false;
        }
    }
}
