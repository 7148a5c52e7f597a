package io.github.rhosweep.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.github.rhosweep.store.ResultsFolder;
import io.github.rhosweep.store.Table;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A disk that is full or read-only is one clear line and exit code 3, and what was committed stays readable. */
@Tag("integration")
class DiskTest {
    @TempDir
    private Path temp;

    private Path disk;
    private Path file;

    /** The disk is a small tmpfs in a mount namespace of its own, which takes the right to make one. */
    @BeforeEach
    void prepare() throws IOException, InterruptedException {
        disk = Files.createDirectory(temp.resolve("disk"));
        file = temp.resolve("experiment.yaml");
        Files.writeString(
                file,
                "base: {measure.messages: 60000, traffic.message: 8 KiB}\n"
                        + "sweep: {traffic.load: {from: 0.1, to: 0.9, step: 0.02}}\n");
        boolean allowed = false;
        try {
            allowed = new ProcessBuilder(
                                    "unshare",
                                    "-m",
                                    "mount",
                                    "-t",
                                    "tmpfs",
                                    "-o",
                                    "size=100k",
                                    "tmpfs",
                                    disk.toString())
                            .redirectErrorStream(true)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException noSuchProgram) {
            System.err.println(noSuchProgram.getMessage());
        }
        if (!allowed) {
            System.err.println(
                    "NOT TESTED: full and read-only disks: mounting a tmpfs in a namespace is not permitted");
        }
        assumeThat(allowed).as("mounting permitted").isTrue();
    }

    @Test
    void fullDisk_isOneLine_exit3_andWhatIsCommittedCanBeRead() throws Exception {
        Path out = disk.resolve("out");
        Path copy = temp.resolve("copy");
        List<String> lines = onSmallDisk(
                "size=150k",
                Sweeps.command(Sweeps.javaHome(), "run", file, "--out", out, "--quiet"),
                "; echo exit=$?; cp -r " + out + " " + copy);
        assertThat(lines).as(String.join("\n", lines)).hasSize(2).last().isEqualTo("exit=3");
        assertThat(lines.get(0)).contains("No space left on device").hasSizeLessThan(300);

        int rows = Sweeps.rows(copy, Table.POINTS).size();
        assertThat(Sweeps.column(copy, Table.RUNS, "point_key"))
                .isEqualTo(Sweeps.column(copy, Table.POINTS, "point_key"));
        assertThat(rows).isLessThan(Sweeps.plannedKeys(file).size());
        assertThat(new ResultsFolder(copy).manifest()).isNotNull();
        Sweeps.run("run", file, "--out", copy, "--quiet").expect(0);
        assertThat(Sweeps.column(copy, Table.RUNS, "point_key")).isEqualTo(Sweeps.plannedKeys(file));
    }

    @Test
    void readOnlyDisk_isOneLine_exit3() throws Exception {
        List<String> lines = onSmallDisk(
                "ro",
                Sweeps.command(Sweeps.javaHome(), "run", file, "--out", disk.resolve("out"), "--quiet"),
                "; echo exit=$?");
        assertThat(lines).as(String.join("\n", lines)).hasSize(2).last().isEqualTo("exit=3");
        assertThat(lines.get(0)).contains("Read-only file system");
    }

    private List<String> onSmallDisk(String options, List<String> command, String after) throws Exception {
        List<String> quoted = new ArrayList<>();
        command.forEach(word -> quoted.add("'" + word + "'"));
        Process process = new ProcessBuilder(
                        "unshare",
                        "-m",
                        "sh",
                        "-c",
                        "mount -t tmpfs -o " + options + " tmpfs " + disk + " && " + String.join(" ", quoted) + after)
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return output.lines().toList();
    }

    @Test
    void resultsThatStandardOutputDoesNotTake_areAFailure_butAReaderThatHasSeenEnoughIsNone() throws Exception {
        Path full = Path.of("/dev/full");
        assumeThat(full).exists();
        Path errors = temp.resolve("errors");
        ProcessBuilder toFull = new ProcessBuilder(Sweeps.command(Path.of(System.getProperty("java.home")), "columns"));
        toFull.redirectOutput(full.toFile()).redirectError(errors.toFile());
        assertThat(toFull.start().waitFor()).isEqualTo(3);
        assertThat(errors).content().startsWith("standard output: ").hasLineCount(1);

        ProcessBuilder toPipe = new ProcessBuilder(Sweeps.command(Path.of(System.getProperty("java.home")), "columns"));
        Process process = toPipe.redirectError(errors.toFile()).start();
        process.getInputStream().close();
        assertThat(process.waitFor()).isZero();
        assertThat(errors).isEmptyFile();
    }
}
