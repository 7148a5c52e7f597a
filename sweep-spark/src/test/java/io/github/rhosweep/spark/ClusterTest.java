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
import java.util.Arrays;
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
    private static final long SEED = 20_261_201;
    private static final int RANDOM_KILLS = 4;

    private Path temp;
    private LongSweep sweep;
    private StandaloneCluster cluster;
    private int runs;

    @BeforeAll
    void start(@TempDir Path folder) throws Exception {
        temp = folder;
        sweep = LongSweep.in(temp);
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

    /** Waits until so many shards are committed; false if the driver ends before. */
    private static boolean haveShards(StandaloneCluster.Run run, Path dir, int shards) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(3);
        while (new ResultsFolder(dir).files(Table.POINTS).size() < shards) {
            if (!run.driver().isAlive()) {
                return false;
            }
            assertThat(System.nanoTime()).as(run.errors()).isLessThan(deadline);
            Thread.sleep(20);
        }
        return true;
    }

    private static void awaitShards(StandaloneCluster.Run run, Path dir, int shards) throws Exception {
        assertThat(haveShards(run, dir, shards)).as(run.errors()).isTrue();
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
                cluster.run(eager, sweep.file(), "--out", dir, "--quiet").expect(0);
        sweep.assertWhole(dir);
        assertThat(run.errors()).doesNotContain(" INFO ");
        assertThat(cluster.executorLogs()).contains("Running task");
    }

    @Test
    void executorAndThenItsWorkerKilled_loseNothing() throws Exception {
        Path dir = newFolder();
        StandaloneCluster.Run run = cluster.run(List.of(), sweep.file(), "--out", dir, "--quiet");
        awaitShards(run, dir, 1);
        cluster.executors().get(0).destroyForcibly();
        awaitShards(run, dir, 3);
        cluster.worker(2).destroyForcibly();
        run.expect(0);
        sweep.assertWhole(dir);
        assertThat(cluster.status()).isNotZero();
        cluster.up();
        assertThat(cluster.status()).isZero();
    }

    @Test
    void driverKilled_aCutFileIsRefused_restoredTheLauncherGoesOnFromWhatIsCommitted() throws Exception {
        Path dir = newFolder();
        StandaloneCluster.Run run = cluster.run(List.of(), sweep.file(), "--out", dir, "--quiet");
        awaitShards(run, dir, 2);
        run.driver().destroyForcibly().waitFor();
        assertThat(Sweeps.rows(dir, Table.POINTS).size())
                .isLessThan(sweep.planned().size());
        Path left = Files.createDirectories(
                dir.resolve("_temporary").resolve("0001-000000000000-000000000009.of-the-dead"));
        Files.writeString(left.resolve("runs.parquet"), "half a fi");
        Path cut = new ResultsFolder(dir).files(Table.RUNS).get(0).path();
        byte[] whole = Files.readAllBytes(cut);
        Files.write(cut, Arrays.copyOf(whole, whole.length / 2));
        assertThat(cluster.here(Map.of(), sweep.file(), "--out", dir, "--quiet")
                        .expect(3)
                        .err()
                        .strip())
                .startsWith(cut + " cannot be read as Parquet")
                .doesNotContain("\n");
        Files.write(cut, whole);
        Map<Path, String> before = Sweeps.committed(dir);
        // What spark-submit does, scripts/rhosweep with the master's URL does too.
        cluster.launch("run", sweep.file(), "--out", dir, "--quiet", "--master", cluster.url())
                .expect(0);
        sweep.assertWhole(dir);
        assertThat(Sweeps.committed(dir)).containsAllEntriesOf(before);
    }

    /** The first takes three deaths, as chance would hardly have it; where there was one the next is believed sooner. */
    @Test
    void pointsThatKillTheirExecutor_areQuarantined_theRestCompletes_andTheyCanBeTriedAgain() throws Exception {
        Path dir = newFolder();
        ExperimentSpec experiment = Sweeps.experiment(sweep.file());
        Shard shard = Shard.cut(experiment, 2).get(0);
        List<String> deadly = LongStream.range(shard.first(), shard.first() + 4)
                .mapToObj(index -> experiment.point(index).key())
                .toList();
        assertThat(shard.end() - shard.first()).isGreaterThan(4);
        Path plugin = temp.resolve("plugin");
        copyClass(HaltingPlugin.class, plugin);
        // Executors of other tests, killed too, may have begun these points again.
        String earlier = cluster.executorLogs();
        cluster.here(
                        Map.of(
                                "spark.executor.extraClassPath",
                                plugin.toString(),
                                "spark.plugins",
                                HaltingPlugin.class.getName(),
                                "spark.halting.keys",
                                String.join(",", deadly)),
                        sweep.file(),
                        "--out",
                        dir,
                        "--quiet")
                .expect(1);
        assertThat(Sweeps.column(dir, Table.FAILURES, "point_key"))
                .isEqualTo(deadly.stream().sorted().toList());
        assertThat(Sweeps.column(dir, Table.FAILURES, "kind")).containsOnly("executor_lost");
        List<String> rest = new ArrayList<>(sweep.planned());
        rest.removeAll(deadly);
        assertThat(Sweeps.column(dir, Table.POINTS, "point_key")).isEqualTo(rest);
        String logs = cluster.executorLogs();
        // The very first death finds nobody who takes notes.
        assertThat(deadly)
                .map(key -> beginnings(key, logs) - beginnings(key, earlier))
                .containsExactly(4, 2, 2, 1);
        for (Row failure : Sweeps.rows(dir, Table.FAILURES)) {
            assertThat(logs).contains("run " + failure.get("run_key") + " failed: executor_lost");
        }

        Sweeps.run("run", sweep.file(), "--out", dir, "--quiet", "--retry-failed")
                .expect(0);
        sweep.assertWhole(dir);
    }

    private static int beginnings(String key, String logs) {
        return logs.split("run " + key + " begins", -1).length - 1;
    }

    /** Executors twice as often as drivers; {@code scripts/soak kills} is the long form. */
    @Test
    void killsAtRandomMoments_loseNothing() throws Exception {
        RandomStream random = new RandomStream(SEED);
        System.err.println("random moments: seed " + SEED);
        int kills = 0;
        while (kills < RANDOM_KILLS) { // a sweep more where one was faster than the killer
            Path dir = newFolder();
            boolean driverDied = true;
            while (driverDied) {
                driverDied = false;
                StandaloneCluster.Run run = cluster.run(List.of(), sweep.file(), "--out", dir, "--quiet");
                while (kills < RANDOM_KILLS
                        && !driverDied
                        && haveShards(
                                run,
                                dir,
                                new ResultsFolder(dir).files(Table.POINTS).size() + 1)) {
                    Thread.sleep(random.nextInt(300));
                    kills++;
                    List<ProcessHandle> executors = cluster.executors();
                    if (random.nextInt(3) == 0) {
                        run.driver().destroyForcibly().waitFor();
                        driverDied = true;
                    } else if (!executors.isEmpty()) {
                        executors.get(random.nextInt(executors.size())).destroyForcibly();
                    }
                }
                if (!driverDied) {
                    run.expect(0);
                }
            }
            sweep.assertWhole(dir);
        }
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
            cluster.here(Map.of(), sweep.file(), "--out", out, "--quiet").expect(0);
            ResultsFolder folder = new ResultsFolder(Location.parse(out, Map.of()));
            assertThat(Sweeps.hashes(folder, Table.RUNS)).isEqualTo(sweep.undisturbed());
            assertThat(folder.manifest().status()).isEqualTo("complete");
            assertThat(Sweeps.run("run", sweep.file(), "--out", out, "--json")
                            .expect(0)
                            .out())
                    .contains("\"done\":0", "\"skipped\":" + sweep.planned().size());
            assertThat(Sweeps.run("summary", out).expect(0).out()).contains("traffic.load");
            Path picture = temp.resolve("hdfs.svg");
            Sweeps.run("plot", out, "--x", "traffic.load", "--y", "message_latency_mean_ns", "-o", picture)
                    .expect(0);
            assertThat(picture).isNotEmptyFile();
            assertThat(Sweeps.run("verify", out, "--sample", 10, "--json")
                            .expect(0)
                            .out())
                    .contains("\"differing\":0");
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
        cluster.here(Map.of("spark.cores.max", "1"), hanging, "--out", dir, "--quiet")
                .expect(1);
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
            Sweeps.Result full = cluster.here(Map.of(), sweep.file(), "--out", dir, "--quiet");
            assertThat(full.expect(3).err().strip())
                    .contains("No space left on device")
                    .doesNotContain("\n");
            assertThat(remountReadOnly(disk)).isTrue();
            Sweeps.Result readOnly = cluster.here(Map.of(), sweep.file(), "--out", dir, "--quiet");
            assertThat(readOnly.expect(3).err().strip())
                    .contains("Read-only file system")
                    .doesNotContain("\n");
            assertThat(mount("-o", "remount,rw,size=100m", disk.toString())).isTrue();
            cluster.here(Map.of(), sweep.file(), "--out", dir, "--quiet").expect(0);
            sweep.assertWhole(dir);
        } finally {
            new ProcessBuilder("umount", "-l", disk.toString()).start().waitFor();
        }
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
