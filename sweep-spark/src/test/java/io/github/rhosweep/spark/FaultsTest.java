package io.github.rhosweep.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.github.rhosweep.math.RandomStream;
import io.github.rhosweep.result.Row;
import io.github.rhosweep.store.Location;
import io.github.rhosweep.store.Manifest;
import io.github.rhosweep.store.ResultsFolder;
import io.github.rhosweep.store.Table;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.SparkConf;
import org.apache.spark.memory.UnifiedMemoryManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** What breaks a sweep on one machine, at random moments and at every write: the rows end up those of a run that nothing disturbed. */
@Tag("integration")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FaultsTest {
    private static final long SEED = 20_261_201;
    private static final String MASTER = "local[2]";

    private static final String SHORT = """
            name: short
            base: {traffic.message: 4 KiB, measure.messages: 200}
            sweep: {traffic.load: [0.2, 0.4, 0.6, 0.8], traffic.flows: [2, 4, 8], switch.alpha: [1, 2]}
            """;

    private final List<Process> started = new ArrayList<>();
    private Path temp;
    private LongSweep sweep;
    private int folders;

    @BeforeAll
    void runUndisturbed(@TempDir Path folder) throws IOException {
        temp = folder;
        sweep = LongSweep.in(temp);
    }

    @AfterEach
    void end() throws InterruptedException {
        for (Process process : started) {
            process.destroyForcibly().waitFor();
        }
    }

    private Path newFolder() {
        return temp.resolve("out" + folders++);
    }

    /** A sweep in a JVM of its own; what it prints goes to a file beside the folder. */
    private Process start(Path dir) throws IOException {
        Process process = Sweeps.fork(
                Sweeps.javaHome(), log(dir), "run", sweep.file(), "--out", dir, "--master", MASTER, "--quiet");
        started.add(process);
        return process;
    }

    private static Path log(Path dir) {
        return dir.resolveSibling(dir.getFileName() + ".log");
    }

    private static int shards(Path dir) throws IOException {
        return new ResultsFolder(dir).files(Table.POINTS).size();
    }

    /** Waits until more shards are committed than there were. */
    private static void awaitShards(Process process, Path dir, int before) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(3);
        while (shards(dir) <= before && process.isAlive()) {
            assertThat(System.nanoTime()).as(Files.readString(log(dir))).isLessThan(deadline);
            Thread.sleep(10);
        }
    }

    private void runAgain(Path dir) throws IOException {
        Sweeps.run("run", sweep.file(), "--out", dir, "--master", MASTER, "--quiet")
                .expect(0);
        sweep.assertWhole(dir);
    }

    /** All that readers see is whole, and no point is there without its runs. */
    private void assertReadable(Path dir) throws IOException {
        List<String> points = Sweeps.column(dir, Table.POINTS, "point_key");
        assertThat(Sweeps.column(dir, Table.RUNS, "point_key")).isEqualTo(points);
        assertThat(sweep.planned()).containsAll(points);
        assertThat(sweep.undisturbed()).containsAll(Sweeps.hashes(dir, Table.RUNS));
    }

    @Test
    void killedAtRandomMoments_loseNothing() throws Exception {
        RandomStream random = new RandomStream(SEED);
        System.err.println("random moments: seed " + SEED);
        Path dir = newFolder();
        for (int kill = 1; kill <= 3; kill++) {
            Process process = start(dir);
            awaitShards(process, dir, shards(dir));
            Thread.sleep(random.nextInt(700));
            process.destroyForcibly().waitFor(); // SIGKILL
            assertReadable(dir);
        }
        runAgain(dir);
    }

    private static boolean ignoresSigint() throws IOException {
        Path status = Path.of("/proc/self/status");
        return Files.exists(status)
                && Files.readAllLines(status).stream()
                        .filter(line -> line.startsWith("SigIgn:"))
                        .anyMatch(line ->
                                (Long.parseUnsignedLong(line.substring(7).strip(), 16) & 2) != 0);
    }

    @Test
    void ctrlC_endsWith130_nothingIsHalfWritten_andTheNextRunGoesOn() throws Exception {
        assumeThat(ignoresSigint())
                .as("a shell that starts a job with & lets it and all its children ignore SIGINT")
                .isFalse();
        Path dir = newFolder();
        Process process = start(dir);
        awaitShards(process, dir, 0);
        assertThat(new ProcessBuilder("kill", "-INT", Long.toString(process.pid()))
                        .start()
                        .waitFor())
                .isZero();
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        String told = Files.readString(log(dir));
        assertThat(process.exitValue()).as(told).isEqualTo(130);
        assertThat(told).contains("goes on from there").doesNotContain("\tat ", "Exception");
        Manifest manifest = new ResultsFolder(dir).manifest();
        assertThat(manifest.status()).isEqualTo("stopped");
        assertThat(manifest.counts().done())
                .isEqualTo(Sweeps.rows(dir, Table.POINTS).size());
        assertReadable(dir);
        runAgain(dir);
    }

    @Test
    void twoRunsAtOnce_oneIsRefused_andALockThatWasKilledDoesNotStay() throws Exception {
        Path dir = newFolder();
        Process one = start(dir);
        Path other = temp.resolve("other.log");
        Process two =
                Sweeps.fork(Sweeps.javaHome(), other, "run", sweep.file(), "--out", dir, "--master", MASTER, "--quiet");
        started.add(two);
        // Whoever was later ends at once.
        while (one.isAlive() && two.isAlive()) {
            Thread.sleep(20);
        }
        Process refused = one.isAlive() ? two : one;
        Process holder = one.isAlive() ? one : two;
        String told = Files.readString(refused == one ? log(dir) : other);
        assertThat(refused.exitValue()).as(told).isEqualTo(2);
        assertThat(told.strip()).contains("another run is writing to").doesNotContain("\n");
        holder.destroyForcibly().waitFor();
        assertThat(dir.resolve(".lock")).exists();
        runAgain(dir);
    }

    /** Permissions that go away while a sweep runs, which even root obeys without the capability to override them. */
    @Test
    void permissionLostHalfWay_isOneLine_exit3_andTheSweepGoesOnOnceItIsBack() throws Exception {
        Path dir = newFolder();
        List<String> command = new ArrayList<>();
        if (new ProcessBuilder("id", "-u").start().inputReader().readLine().equals("0")) {
            command.addAll(List.of("setpriv", "--bounding-set", "-dac_override,-dac_read_search"));
            List<String> trial = new ArrayList<>(command);
            trial.add("true");
            boolean able = works(trial);
            if (!able) {
                System.err.println("NOT TESTED: lost permission: root has it always, and setpriv cannot take it away");
            }
            assumeThat(able).as("setpriv").isTrue();
        }
        command.addAll(
                Sweeps.command(Sweeps.javaHome(), "run", sweep.file(), "--out", dir, "--master", MASTER, "--quiet"));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log(dir).toFile())
                .start();
        started.add(process);
        awaitShards(process, dir, 0);
        List<Path> closed = List.of(dir.resolve("points"), dir.resolve("runs"), dir.resolve("_temporary"), dir);
        for (Path folder : closed) {
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("r-xr-xr-x"));
        }
        assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
        for (Path folder : closed) {
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
        String told = Files.readString(log(dir));
        assertThat(process.exitValue()).as(told).isEqualTo(3);
        assertThat(told.strip()).endsWith("permission denied").doesNotContain("\n");
        assertReadable(dir);
        runAgain(dir);
    }

    private static boolean works(List<String> command) throws InterruptedException {
        try {
            return new ProcessBuilder(command).start().waitFor() == 0;
        } catch (IOException noSuchProgram) {
            return false;
        }
    }

    /** The folder's first file, a shard's first, its commit, the manifest's end: whatever is written when the disk is full. */
    @Test
    void diskFullAtEveryWrite_isOneLine_exit3_andNothingIsLost() throws Exception {
        Path disk = Files.createDirectory(temp.resolve("disk"));
        boolean mounted = works(List.of("mount", "-t", "tmpfs", "-o", "size=4k", "tmpfs", disk.toString()));
        if (!mounted) {
            System.err.println("NOT TESTED: disks full at every write: mounting a tmpfs is not permitted");
        }
        assumeThat(mounted).as("mounting permitted").isTrue();
        try {
            Path little = Files.writeString(temp.resolve("short.yaml"), SHORT);
            Path calm = newFolder();
            Sweeps.run("run", little, "--out", calm, "--master", MASTER, "--quiet")
                    .expect(0);
            Path dir = disk.resolve("out");
            int full = 0;
            for (int kib = 4; ; kib += 20) {
                assertThat(works(List.of("mount", "-o", "remount,size=" + kib + "k", disk.toString())))
                        .isTrue();
                Sweeps.Result result = Sweeps.run("run", little, "--out", dir, "--master", MASTER, "--quiet");
                if (result.exit() == 0) {
                    break;
                }
                result.expect(3);
                assertThat(result.err().strip())
                        .as("with %d KiB", kib)
                        .contains("No space left on device")
                        .doesNotContain("\n");
                full++;
            }
            assertThat(full).isGreaterThan(3);
            assertThat(Sweeps.column(dir, Table.POINTS, "point_key")).isEqualTo(Sweeps.plannedKeys(little));
            assertThat(Sweeps.hashes(dir, Table.RUNS)).isEqualTo(Sweeps.hashes(calm, Table.RUNS));
        } finally {
            new ProcessBuilder("umount", "-l", disk.toString()).start().waitFor();
        }
    }

    /** Nothing but what people read depends on the clock on the wall; all else measures time that passes. */
    @Test
    void clockThatGoesBack_changesNothing() throws IOException {
        AtomicInteger asked = new AtomicInteger();
        InstantSource back =
                () -> Instant.parse("2026-12-01T00:00:00Z").minus(Duration.ofHours(asked.getAndIncrement()));
        Path little = Files.writeString(temp.resolve("short.yaml"), SHORT);
        Path dir = newFolder();
        Path calm = newFolder();
        for (Path out : List.of(dir, dir, calm)) {
            Manifest manifest;
            try (ResultsFolder.Lock lock = new ResultsFolder(out).lock()) {
                manifest = new SweepJob(
                                Sweeps.experiment(little),
                                new SweepJob.Options(
                                        Location.of(out), MASTER, false, Progress.Style.NONE, false, false, null),
                                new PrintWriter(new StringWriter()),
                                out == dir ? back : InstantSource.system())
                        .run(lock);
            }
            assertThat(manifest.status()).isEqualTo("complete");
            assertThat(manifest.took()).isGreaterThanOrEqualTo(Duration.ZERO);
        }
        assertThat(asked.get()).isGreaterThanOrEqualTo(4);
        assertThat(new ResultsFolder(dir).manifest().invocation()).isEqualTo(2);
        assertThat(Sweeps.column(dir, Table.POINTS, "point_key")).isEqualTo(Sweeps.plannedKeys(little));
        assertThat(Sweeps.hashes(dir, Table.RUNS)).isEqualTo(Sweeps.hashes(calm, Table.RUNS));
    }

    @Test
    void heapTooSmallForSpark_isOneLine_exit2_andNothingIsWritten() throws Exception {
        Path dir = newFolder();
        List<String> command = Sweeps.command(Sweeps.javaHome(), "run", sweep.file(), "--out", dir, "--quiet");
        command.add(1, "-Xmx300m");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log(dir).toFile())
                .start();
        started.add(process);
        assertThat(process.waitFor(3, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue()).isEqualTo(2);
        assertThat(Files.readString(log(dir)))
                .matches("the heap of this JVM is 2\\d\\d MiB, Spark takes at least 450 MiB\\. Maybe allow more:"
                        + " RHOSWEEP_JAVA_OPTS=-Xmx512m \\(spark-submit: --driver-memory 512m\\)\n");
        assertThat(dir).doesNotExist();
    }

    @Test
    void leastMemory_isThatOfSpark() {
        SparkConf settings = SparkSetup.settings("x", "local[1]", false);
        long least = 450L << 20;
        SparkSetup.requireMemory(settings, least);
        assertThatThrownBy(() -> SparkSetup.requireMemory(settings, least - 1)).hasMessageContaining("449 MiB");
        // What Spark itself says of it, which a later version may change.
        SparkConf measured = settings.clone().set("spark.testing.memory", Long.toString(least));
        assertThat(UnifiedMemoryManager.apply(measured, 1)).isNotNull();
        SparkConf below = settings.clone().set("spark.testing.memory", Long.toString(least - 1));
        assertThatThrownBy(() -> UnifiedMemoryManager.apply(below, 1)).hasMessageContaining("INVALID_DRIVER_MEMORY");
        settings.set("spark.executor.memory", "400m");
        assertThatThrownBy(() -> SparkSetup.requireMemory(settings, least))
                .hasMessage("spark.executor.memory is 400 MiB, Spark takes at least 450 MiB. Maybe allow more: 512m");
    }

    @Test
    void runThatDoesNotFitTheHeap_isAFailure_andTheOthersAreThere() throws Exception {
        Path hungry = Files.writeString(temp.resolve("hungry.yaml"), """
                name: hungry
                base: {traffic: {pattern: all-to-all, message: 1 MiB}}
                sweep: {traffic.flows: [4, 8, 5000, 16]}
                """);
        Path dir = newFolder();
        List<String> command = Sweeps.command(
                Sweeps.javaHome(), "run", hungry, "--out", dir, "--master", "local[1]", "--quiet", "--json");
        command.add(1, "-Xmx480m"); // the least that Spark takes is 450
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log(dir).toFile())
                .start();
        started.add(process);
        assertThat(process.waitFor(3, TimeUnit.MINUTES)).isTrue();
        String told = Files.readString(log(dir));
        assertThat(process.exitValue()).as(told).isEqualTo(1);
        List<Row> failures = Sweeps.rows(dir, Table.FAILURES);
        assertThat(failures).hasSize(1);
        assertThat(failures.get(0).get("traffic_flows")).isEqualTo(5000L);
        assertThat((String) failures.get(0).get("reason")).contains("java.lang.OutOfMemoryError");
        assertThat(Sweeps.rows(dir, Table.POINTS)).hasSize(3);
        assertThat(told).contains("\"done\":3,\"failed\":1").doesNotContain("\tat ");
    }
}
