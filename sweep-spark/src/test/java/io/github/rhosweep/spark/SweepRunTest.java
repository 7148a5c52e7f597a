package io.github.rhosweep.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.github.rhosweep.store.ResultsFolder;
import io.github.rhosweep.store.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whole sweeps on Spark: the same rows however they are run, and nothing lost or doubled whatever happens. */
@Tag("integration")
class SweepRunTest {
    /** Two blocks that share points, several arrivals and patterns, drops and marks: 62 distinct points. */
    private static final String MIXED = """
            name: mixed
            base:
              measure.messages: 300
            designs:
            - name: load
              base: {traffic.message: 4 KiB}
              sweep:
                traffic.load: [0.3, 0.6, 0.9]
                traffic.flows: [2, 4, 8]
                traffic.arrivals: [poisson, periodic, hyperexponential]
            - name: overlap
              base: {traffic.message: 4 KiB, traffic.arrivals: poisson}
              sweep:
                traffic.load: [0.6, 0.7]
                traffic.flows: [4, 8]
                switch.alpha: [2, 8]
            - name: bursts
              base:
                traffic: {pattern: incast, arrivals: synchronized, message: 64 KiB, flows: 8, load: 0.8}
                switch.buffer_capacity_bytes: 256 KiB
              sweep:
                switch.alpha: [0.25, 0.5, 1, 2, 8]
                switch.ecn_kmin: [0.1, 0.3]
            - name: uniform
              base: {traffic.pattern: uniform, traffic.message: 4 KiB, traffic.load: 0.7}
              sweep:
                traffic.flows: [2, 4, 8, 16]
                switch.islip_iterations: [1, 2, 4]
            - name: volley
              base: {traffic.arrivals: once, traffic.flows: 8, measure.messages: 8}
              sweep: {traffic.message: [1 KiB, 4 KiB]}
            replicates: {min: 2, max: 6, until: {metric: message_latency_mean_ns, relative_ci: 0.05, confidence: 0.95}}
            """;

    /** Several seconds of work in several shards. */
    private static final String LONG = """
            name: long
            base: {traffic.message: 8 KiB, traffic.flows: 8, measure.messages: 100000}
            sweep:
              traffic.load: {from: 0.3, to: 0.9, step: 0.05}
              switch.alpha: [1, 2, 4]
              switch.islip_iterations: [1, 2]
            """;

    @TempDir
    private Path temp;

    private Path file;

    @BeforeEach
    void write() throws IOException {
        file = temp.resolve("experiment ü.yaml");
        Files.writeString(file, MIXED);
    }

    @Test
    void sameRows_onOneCore_onFour_andOnAnotherJdk() throws Exception {
        Path one = temp.resolve("one");
        Path four = temp.resolve("vier ü");
        Sweeps.run("run", file, "--out", one, "--master", "local[1]").expect(0);
        Sweeps.run("run", file, "--out", four, "--master", "local[4]", "--quiet")
                .expect(0);
        assertThat(Sweeps.column(one, Table.POINTS, "point_key")).isEqualTo(Sweeps.plannedKeys(file));
        assertThat(Sweeps.hashes(four, Table.RUNS)).isEqualTo(Sweeps.hashes(one, Table.RUNS));
        assertThat(Sweeps.hashes(four, Table.POINTS)).isEqualTo(Sweeps.hashes(one, Table.POINTS));
        assertThat(Sweeps.column(one, Table.POINTS, "stopped_by")).contains("interval", "deterministic");

        Path otherJdk = otherJdk();
        if (otherJdk == null) {
            System.err.println("NOT TESTED: that another JDK gives the same rows: no second JDK, 17 or later, was found"
                    + " beside " + Sweeps.javaHome() + ". Name one in OTHER_JAVA_HOME.");
        }
        assumeThat(otherJdk).as("a second JDK").isNotNull();
        Path other = temp.resolve("other");
        Path log = temp.resolve("other.log");
        Process process = Sweeps.fork(otherJdk, log, "run", file, "--out", other, "--master", "local[2]", "--quiet");
        assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue()).as(Files.readString(log)).isZero();
        assertThat(new ResultsFolder(other).manifest().jdk())
                .isNotEqualTo(new ResultsFolder(one).manifest().jdk());
        assertThat(Sweeps.hashes(other, Table.RUNS)).isEqualTo(Sweeps.hashes(one, Table.RUNS));
        assertThat(Sweeps.hashes(other, Table.POINTS)).isEqualTo(Sweeps.hashes(one, Table.POINTS));
    }

    /** Another JDK of another feature release, 17 or later: OTHER_JAVA_HOME, JAVA_HOME_x of CI images, or beside this one. */
    private static Path otherJdk() throws IOException {
        List<Path> candidates = new ArrayList<>();
        System.getenv().forEach((name, value) -> {
            if (name.equals("OTHER_JAVA_HOME") || name.startsWith("JAVA_HOME") && !value.isBlank()) {
                candidates.add(Path.of(value));
            }
        });
        for (Path parent : List.of(Path.of("/usr/lib/jvm"), Sweeps.javaHome().getParent())) {
            if (Files.isDirectory(parent)) {
                try (Stream<Path> siblings = Files.list(parent)) {
                    siblings.sorted().forEach(candidates::add);
                }
            }
        }
        for (Path home : candidates) {
            Path release = home.resolve("release");
            if (Files.isExecutable(home.resolve("bin").resolve("java")) && Files.exists(release)) {
                String version = Files.readString(release)
                        .lines()
                        .filter(line -> line.startsWith("JAVA_VERSION="))
                        .map(line -> line.replaceAll("[^0-9.]", "").replaceAll("\\..*", ""))
                        .findFirst()
                        .orElse("0");
                if (Integer.parseInt(version) >= 17
                        && Integer.parseInt(version) != Runtime.version().feature()) {
                    return home;
                }
            }
        }
        return null;
    }

    @Test
    void killedInTheMiddle_thenRunAgain_hasEveryPointOnce_andLeavesCommittedFilesAlone() throws Exception {
        Files.writeString(file, LONG);
        Path dir = temp.resolve("killed");
        Path log = temp.resolve("log");
        Process process =
                Sweeps.fork(Sweeps.javaHome(), log, "run", file, "--out", dir, "--master", "local[2]", "--quiet");
        long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(3);
        while (new ResultsFolder(dir).files(Table.POINTS).size() < 3 && process.isAlive()) {
            assertThat(System.nanoTime()).as(Files.readString(log)).isLessThan(deadline);
            Thread.sleep(20);
        }
        process.destroyForcibly().waitFor(); // SIGKILL
        Map<Path, String> before = Sweeps.committed(dir);
        int points = Sweeps.rows(dir, Table.POINTS).size();
        List<String> planned = Sweeps.plannedKeys(file);
        assertThat(points).as("killed in the middle; %s", Files.readString(log)).isBetween(1, planned.size() - 1);
        assertThat(new ResultsFolder(dir).manifest().status()).isEqualTo("running");

        Sweeps.Result again = Sweeps.run("run", file, "--out", dir, "--master", "local[2]", "--json")
                .expect(0);
        assertThat(again.out()).contains("\"planned\":78").contains("\"failed\":0");
        assertThat(Sweeps.column(dir, Table.POINTS, "point_key")).isEqualTo(planned);
        assertThat(Sweeps.column(dir, Table.RUNS, "point_key")).isEqualTo(planned);
        assertThat(Sweeps.committed(dir)).containsAllEntriesOf(before);
        assertThat(dir.resolve("_temporary")).doesNotExist();

        Path undisturbed = temp.resolve("undisturbed");
        Sweeps.run("run", file, "--out", undisturbed, "--master", "local[2]", "--quiet")
                .expect(0);
        assertThat(Sweeps.hashes(dir, Table.RUNS)).isEqualTo(Sweeps.hashes(undisturbed, Table.RUNS));
    }

    @Test
    void stopped_endsWith143_andGoesOnFromThere() throws Exception {
        Files.writeString(file, LONG);
        Path dir = temp.resolve("stopped");
        Path log = temp.resolve("log");
        Process process =
                Sweeps.fork(Sweeps.javaHome(), log, "run", file, "--out", dir, "--master", "local[2]", "--quiet");
        while (new ResultsFolder(dir).files(Table.POINTS).isEmpty() && process.isAlive()) {
            Thread.sleep(20);
        }
        process.destroy(); // SIGTERM
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue()).as(Files.readString(log)).isEqualTo(143);
        assertThat(Files.readString(log)).contains("goes on from there").doesNotContain("\tat ", "Exception");
        assertThat(new ResultsFolder(dir).manifest().status()).isEqualTo("stopped");
        Sweeps.run("run", file, "--out", dir, "--quiet").expect(0);
        assertThat(Sweeps.column(dir, Table.RUNS, "point_key")).isEqualTo(Sweeps.plannedKeys(file));
    }

    @Test
    void secondRunOnAFolder_isRefused_whileTheFirstGoesOn() throws Exception {
        Files.writeString(file, LONG);
        Path dir = temp.resolve("busy");
        Path log = temp.resolve("log");
        Process first = Sweeps.fork(Sweeps.javaHome(), log, "run", file, "--out", dir, "--quiet");
        while (!Files.exists(dir.resolve("effective.yaml")) && first.isAlive()) {
            Thread.sleep(20);
        }
        Sweeps.Result second = Sweeps.run("run", file, "--out", dir).expect(2);
        assertThat(second.err().strip()).contains("another run").doesNotContain("\n");
        assertThat(first.waitFor(5, TimeUnit.MINUTES)).isTrue();
        assertThat(first.exitValue()).as(Files.readString(log)).isZero();
        assertThat(Sweeps.column(dir, Table.RUNS, "point_key")).isEqualTo(Sweeps.plannedKeys(file));
    }

    @Test
    void grownAxis_runsOnlyWhatIsNew_andNothingIsRunTwice() throws IOException {
        Path dir = temp.resolve("grown");
        Sweeps.run("run", file, "--out", dir, "--quiet").expect(0);
        Map<Path, String> before = Sweeps.committed(dir);
        List<String> keys = Sweeps.plannedKeys(file);
        assertThat(Sweeps.run("run", file, "--out", dir, "--json").expect(0).out())
                .contains("\"done\":0", "\"skipped\":" + keys.size(), "\"runs\":0");
        assertThat(Sweeps.committed(dir)).isEqualTo(before);

        Files.writeString(file, MIXED.replace("[0.3, 0.6, 0.9]", "[0.3, 0.4, 0.6, 0.9]"));
        List<String> grown = Sweeps.plannedKeys(file);
        assertThat(grown).hasSize(keys.size() + 9);
        assertThat(Sweeps.run("run", file, "--out", dir, "--json").expect(0).out())
                .contains("\"done\":9,", "\"skipped\":" + keys.size());
        assertThat(Sweeps.column(dir, Table.POINTS, "point_key")).isEqualTo(grown);
        assertThat(Sweeps.committed(dir)).containsAllEntriesOf(before);

        Path afresh = temp.resolve("afresh");
        Sweeps.run("run", file, "--out", afresh, "--quiet").expect(0);
        assertThat(Sweeps.hashes(dir, Table.RUNS)).isEqualTo(Sweeps.hashes(afresh, Table.RUNS));
    }

    @Test
    void moreReplicates_continueFromThoseThere_andGiveWhatOneGoGives() throws IOException {
        Path dir = temp.resolve("more");
        Path afresh = temp.resolve("afresh");
        String few = MIXED.replaceAll("replicates: .*", "replicates: {min: 2, max: 2}");
        String many = MIXED.replaceAll("replicates: .*", "replicates: {min: 5, max: 5}");
        Files.writeString(file, few);
        Sweeps.run("run", file, "--out", dir, "--quiet").expect(0);
        long two = Sweeps.rows(dir, Table.RUNS).size();
        Files.writeString(file, many);
        Sweeps.run("run", file, "--out", dir, "--quiet").expect(0);
        Sweeps.run("run", file, "--out", afresh, "--quiet").expect(0);
        assertThat(Sweeps.rows(dir, Table.RUNS).size()).isGreaterThan((int) two);
        assertThat(Sweeps.hashes(dir, Table.RUNS)).isEqualTo(Sweeps.hashes(afresh, Table.RUNS));
        assertThat(Sweeps.hashes(dir, Table.POINTS)).containsAll(Sweeps.hashes(afresh, Table.POINTS));
        assertThat(Sweeps.run("run", file, "--out", dir, "--json").expect(0).out())
                .contains("\"done\":0");
    }

    @Test
    void truncatedFile_isNamed_andOnceItAndItsPairAreRemovedTheirPointsRunAgain() throws IOException {
        Path dir = temp.resolve("truncated");
        Sweeps.run("run", file, "--out", dir, "--quiet").expect(0);
        List<String> whole = Sweeps.hashes(dir, Table.RUNS);
        for (Table table : List.of(Table.RUNS, Table.POINTS)) {
            Path cut = new ResultsFolder(dir).files(table).get(0).path();
            byte[] bytes = Files.readAllBytes(cut);
            Files.write(cut, java.util.Arrays.copyOf(bytes, bytes.length / 2));
            Sweeps.Result refused =
                    Sweeps.run("run", file, "--out", dir, "--quiet").expect(3);
            assertThat(refused.err().strip())
                    .contains(cut.toString(), "Parquet")
                    .doesNotContain("\n");
            for (Table pair : List.of(Table.RUNS, Table.POINTS)) {
                Files.delete(dir.resolve(pair.folder()).resolve(cut.getFileName()));
            }
            Sweeps.run("run", file, "--out", dir, "--quiet").expect(0);
            assertThat(Sweeps.hashes(dir, Table.RUNS)).isEqualTo(whole);
            assertThat(Sweeps.column(dir, Table.POINTS, "point_key")).isEqualTo(Sweeps.plannedKeys(file));
        }
    }

    @Test
    void looserRule_findsItMet_andCountsThePointsAsDoneBefore() throws IOException {
        Path dir = temp.resolve("looser");
        String rule = """
                base: {measure.messages: 500, traffic.message: 1 KiB}
                sweep: {traffic.load: [0.2, 0.4]}
                replicates: {min: 3, max: 5, until: {metric: message_latency_mean_ns, relative_ci: 0.2}}
                """;
        Files.writeString(file, rule);
        Sweeps.run("run", file, "--out", dir, "--quiet").expect(0);
        int runs = Sweeps.rows(dir, Table.RUNS).size();
        Files.writeString(file, rule.replace("0.2}}", "0.3}}"));
        assertThat(Sweeps.run("run", file, "--out", dir, "--json").expect(0).out())
                .contains("\"planned\":2,\"done\":0,\"failed\":0,\"skipped\":2,");
        assertThat(Sweeps.rows(dir, Table.RUNS)).hasSize(runs);
    }

    @Test
    void higherFidelity_simulatesWhatWasOnlyPredicted() throws IOException {
        Path dir = temp.resolve("fidelity");
        String fixed = MIXED.replaceAll("replicates: .*", "replicates: {min: 1, max: 1}");
        for (String fidelity : List.of("models", "auto", "simulate")) {
            Files.writeString(file, fixed + "fidelity: " + fidelity + "\n");
            Sweeps.Result result = Sweeps.run("run", file, "--out", dir).expect(0);
            // The query offered to a person must find files.
            assertThat(result.out())
                    .contains(dir.resolve(fidelity.equals("models") ? "points" : "runs") + "/*.parquet'");
            List<String> simulated = Sweeps.rows(dir, Table.POINTS).stream()
                    .filter(row -> row.get("fidelity").equals("simulate"))
                    .map(row -> (String) row.get("point_key"))
                    .sorted()
                    .toList();
            assertThat(Sweeps.column(dir, Table.RUNS, "point_key")).isEqualTo(simulated);
            switch (fidelity) {
                case "models" -> assertThat(simulated).isEmpty();
                case "auto" -> assertThat(simulated).isNotEmpty().hasSizeLessThan(62);
                default -> assertThat(simulated).isEqualTo(Sweeps.plannedKeys(file));
            }
        }
    }

    @Test
    void failingPoints_areRows_theOthersGoOn_andExitIs1() throws IOException {
        Path dir = temp.resolve("failing");
        // Runs of 16 hosts need more events than those of 2.
        Files.writeString(
                file,
                MIXED.replace("  measure.messages: 300", "  measure.messages: 300\n  limits.events: 6000")
                        + "limits: {failure_fraction: 1}\n");
        Sweeps.Result result = Sweeps.run("run", file, "--out", dir).expect(1);
        assertThat(result.out()).contains("failed").contains("events_limit").contains("--retry-failed");
        List<String> failed = Sweeps.column(dir, Table.FAILURES, "point_key");
        List<String> done = Sweeps.column(dir, Table.POINTS, "point_key");
        assertThat(failed).isNotEmpty().doesNotContainAnyElementsOf(done);
        assertThat(done).isNotEmpty();
        List<String> all = new ArrayList<>(failed);
        all.addAll(done);
        assertThat(all).hasSameElementsAs(Sweeps.plannedKeys(file)).doesNotHaveDuplicates();
        assertThat(Sweeps.column(dir, Table.RUNS, "point_key")).doesNotContainAnyElementsOf(failed);

        assertThat(Sweeps.run("run", file, "--out", dir, "--json").expect(1).out())
                .contains("\"done\":0", "\"failed\":" + failed.size());
        Files.writeString(file, MIXED);
        assertThat(Sweeps.run("run", file, "--out", dir, "--json", "--retry-failed")
                        .expect(0)
                        .out())
                .contains("\"done\":" + failed.size(), "\"failed\":0");
        assertThat(Sweeps.column(dir, Table.POINTS, "point_key")).isEqualTo(Sweeps.plannedKeys(file));
    }

    @Test
    void tooManyFailures_stopTheSweepEarly_reasonsGrouped() throws IOException {
        Path dir = temp.resolve("hopeless");
        Files.writeString(
                file, LONG.replace("measure.messages: 100000", "measure.messages: 100000, limits.events: 100000"));
        Sweeps.Result result =
                Sweeps.run("run", file, "--out", dir, "--master", "local[1]").expect(1);
        assertThat(result.out()).contains("Stopped early").contains("limits.events");
        assertThat(new ResultsFolder(dir).manifest().status()).isEqualTo("gave_up");
        assertThat(Sweeps.rows(dir, Table.FAILURES).size()).isBetween(20, 77);
    }

    @Test
    void folderOfAnotherSemanticsOrAnUnreadableManifest_isRefusedAndLeftAlone() throws IOException {
        Path dir = temp.resolve("other");
        Files.createDirectories(dir);
        Files.writeString(dir.resolve("manifest.json"), "{ half");
        Sweeps.Result unreadable = Sweeps.run("run", file, "--out", dir).expect(2);
        assertThat(unreadable.err().strip()).contains("manifest.json").doesNotContain("\n");
        assertThat(dir.resolve("manifest.json")).hasContent("{ half");
        assertThat(dir.resolve("experiment.yaml")).doesNotExist();
        Files.delete(dir.resolve("manifest.json"));

        Files.writeString(file, MIXED.replaceAll("(?s)- name: overlap.*replicates: .*", ""));
        Sweeps.run("run", file, "--out", dir, "--quiet").expect(0);
        String manifest = Files.readString(dir.resolve("manifest.json"));
        Files.writeString(
                dir.resolve("manifest.json"),
                manifest.replaceFirst("\"semantics_version\" : \\d+", "\"semantics_version\" : 999"));
        Sweeps.Result other = Sweeps.run("run", file, "--out", dir).expect(2);
        assertThat(other.err().strip()).contains("999", "--any-semantics").doesNotContain("\n");
        Sweeps.run("run", file, "--out", dir, "--any-semantics", "--quiet").expect(0);
    }

    @Test
    void windowsLineEnds_byteOrderMark_spacesAndUmlautsInPaths_work() throws IOException {
        Path input = Files.createDirectories(temp.resolve("à b")).resolve("Größe 1.yaml");
        Files.writeString(
                input,
                "\uFEFFname: größe\r\nbase:\r\n  measure.messages: 100\r\nsweep:\r\n  traffic.flows: [2, 4]\r\n");
        Path dir = temp.resolve("aus gäbe ✓");
        Sweeps.run("run", input, "--out", dir, "--quiet").expect(0);
        assertThat(Sweeps.column(dir, Table.RUNS, "sweep")).containsOnly("größe");
        assertThat(Sweeps.run("summary", dir).expect(0).out()).contains("größe", "traffic.flows");
    }

    @Test
    void summary_namesInertAxes_andGivesMeansOfEachValue() throws IOException {
        // With one egress all iterations of iSLIP match alike; alpha matters to the bursts that overflow, not to the
        // others.
        Files.writeString(file, """
                name: inert
                base:
                  traffic: {pattern: incast, arrivals: synchronized, message: 64 KiB, load: 0.8}
                  switch.buffer_capacity_bytes: 512 KiB
                  measure.messages: 64
                sweep:
                  traffic.flows: [2, 16]
                  switch.alpha: [0.5, 8]
                  switch.islip_iterations: [1, 2, 4]
                """);
        Path dir = temp.resolve("inert");
        Sweeps.run("run", file, "--out", dir, "--quiet").expect(0);
        String text = Sweeps.run("summary", dir).expect(0).out();
        assertThat(text)
                .contains("inert: 12 points simulated")
                .contains("switch.islip_iterations changed nothing at 12 of 12 points")
                .contains("switch.alpha changed nothing at 6 of 12 points")
                .contains("traffic.flows changed something at all 12 points");
        String json = Sweeps.run("summary", dir, "--json").expect(0).out();
        assertThat(json)
                .hasLineCount(1)
                .contains("{\"block\":\"all\",\"axis\":\"switch.alpha\",\"points_compared\":12,\"points_inert\":6");

        double mean = Sweeps.rows(dir, Table.POINTS).stream()
                .filter(row -> row.get("traffic_flows").equals(2L))
                .mapToDouble(row -> (Double) row.get("message_latency_mean_ns"))
                .average()
                .orElseThrow();
        assertThat(json).containsPattern("\"value\":\"2\",\"points\":6,\"message_latency_mean_ns\":" + (long) mean);
    }
}
