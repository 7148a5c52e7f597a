package io.github.rhosweep.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rhosweep.result.Row;
import io.github.rhosweep.store.Location;
import io.github.rhosweep.store.ResultsFolder;
import io.github.rhosweep.store.RowReader;
import io.github.rhosweep.store.RowWriter;
import io.github.rhosweep.store.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code merge}, {@code compact}, {@code rerun}: rows of folders, none lost, none twice. */
@Tag("integration")
class FolderVerbsTest {
    private static final String MASTER = "local[2]";

    @TempDir
    private Path temp;

    private Path sweep(String name, String loads, int replicates) throws IOException {
        Path file = temp.resolve(name + ".yaml");
        Files.writeString(
                file,
                "name: " + name + "\nbase: {measure.messages: 100, traffic.message: 4 KiB}\nsweep:\n  traffic.load: ["
                        + loads + "]\n  switch.alpha: [1, 2]\nreplicates: " + replicates + "\n");
        Path out = temp.resolve("out-" + name);
        Sweeps.run("run", file, "--out", out, "--master", MASTER, "--quiet").expect(0);
        return out;
    }

    private static List<String> runs(Path... folders) throws IOException {
        TreeSet<String> keys = new TreeSet<>();
        for (Path folder : folders) {
            keys.addAll(Sweeps.column(folder, Table.RUNS, "run_key"));
        }
        return List.copyOf(keys);
    }

    @Test
    void merged_holdsEachRunOnce_canBeResumedVerifiedAndCompacted() throws IOException {
        Path a = sweep("a", "0.3, 0.5", 2);
        Path b = sweep("b", "0.5, 0.7", 3);
        Path c = temp.resolve("c");
        assertThat(Sweeps.run("merge", a, b, "--out", c, "--master", MASTER, "--json")
                        .expect(0)
                        .out())
                .isEqualTo("{\"out\":\"" + c + "\",\"runs\":16,\"points\":8,\"failures\":0,\"shared\":4}\n");
        assertThat(Sweeps.column(c, Table.RUNS, "run_key")).isEqualTo(runs(a, b));
        assertThat(Sweeps.hashes(c, Table.RUNS)).containsAll(Sweeps.hashes(a, Table.RUNS));

        List<String> before = Sweeps.hashes(c, Table.RUNS);
        assertThat(Sweeps.run("compact", c, "--json").expect(0).out()).contains("\"files_after\":2,\"rows\":24}");
        assertThat(Sweeps.hashes(c, Table.RUNS)).isEqualTo(before);
        assertThat(Sweeps.run("verify", c, "--master", MASTER, "--quiet")
                        .expect(0)
                        .out())
                .startsWith("16 of 16 rows run again")
                // Of the two points of both folders there is a row for two replicates and one for three.
                .endsWith("8 rows of points made again from their stored runs: all as stored\n");
        // Points of b have three replicates: what the merged file asks for, two, is there.
        Path effective = c.resolve("effective.yaml");
        assertThat(Sweeps.run("run", effective, "--out", c, "--master", MASTER, "--quiet", "--json")
                        .expect(0)
                        .out())
                .contains("\"planned\":6,\"done\":0,\"failed\":0,\"skipped\":6,\"runs\":0");
        assertThat(Sweeps.run("summary", c).expect(0).out()).contains("6 points simulated");
        // More of them go into files beside the rewritten ones.
        Files.writeString(effective, Files.readString(effective).replace("{min: 2, max: 2}", "{min: 4, max: 4}"));
        Sweeps.run("run", effective, "--out", c, "--master", MASTER, "--quiet").expect(0);
        assertThat(Sweeps.column(c, Table.RUNS, "run_key")).hasSize(24).doesNotHaveDuplicates();
        Sweeps.run("compact", c).expect(0);
        assertThat(Sweeps.column(c, Table.RUNS, "run_key")).hasSize(24).doesNotHaveDuplicates();
    }

    @Test
    void folderThatContradictsAnother_isRefusedAndNothingIsWritten() throws IOException {
        Path a = sweep("one", "0.5", 1);
        Path b = sweep("two", "0.5, 0.6", 1);
        Location file = new ResultsFolder(b).files(Table.RUNS).get(0);
        List<Row> rows = new ArrayList<>(Sweeps.rows(b, Table.RUNS));
        String changed = "";
        for (int r = 0; r < rows.size(); r++) {
            Row row = rows.get(r);
            if (runs(a).contains(row.get("run_key")) && changed.isEmpty()) {
                changed = String.valueOf(row.get("run_key"));
                Object[] values = row.values().clone();
                for (int i = 0; i < values.length; i++) {
                    if (row.columns().get(i).name().equals("goodput_gb_per_s")) {
                        values[i] = Math.nextDown((Double) values[i]);
                    }
                }
                rows.set(r, new Row(row.columns(), values));
            }
        }
        assertThat(new ResultsFolder(b).files(Table.RUNS)).hasSize(1);
        Files.delete(Path.of(file.toString()));
        try (RowWriter writer = new RowWriter(file, rows.get(0).columns())) {
            for (Row row : rows) {
                writer.write(row);
            }
        }
        assertThat(RowReader.count(file)).isEqualTo(4);
        Path c = temp.resolve("c");
        assertThat(Sweeps.run("merge", a, b, "--out", c, "--master", MASTER)
                        .expect(2)
                        .err())
                .startsWith("the folders hold different rows of one run, which equal settings cannot give: " + changed
                        + ". ")
                .hasLineCount(1);
        assertThat(c).doesNotExist();
        assertThat(Sweeps.run("merge", a, a, "--out", b, "--master", MASTER)
                        .expect(2)
                        .err())
                .contains("holds results already");
    }

    @Test
    void foldersOfOtherVersionsOfTheSimulator_areNotMerged() throws IOException {
        Path a = sweep("old", "0.5", 1);
        Path b = sweep("new", "0.6", 1);
        ResultsFolder old = new ResultsFolder(a);
        Path manifest = a.resolve("manifest.json");
        Files.writeString(manifest, Files.readString(manifest).replaceFirst("(\"semantics_version\" : )[0-9]+", "$19"));
        assertThat(old.manifest().semanticsVersion()).isEqualTo(9);
        Path c = temp.resolve("c");
        assertThat(Sweeps.run("merge", a, b, "--out", c, "--master", MASTER)
                        .expect(2)
                        .err())
                .startsWith(a + " holds results of version 9 of the simulator, " + b + " of version ")
                .endsWith(": their rows are not comparable\n")
                .hasLineCount(1);
        assertThat(c).doesNotExist();
    }

    @Test
    void pointsThatContradict_thoughTheirRunsAreEqual_areRefused() throws IOException {
        Path a = sweep("points", "0.5", 1);
        Path b = temp.resolve("out-changed");
        Sweeps.run("run", temp.resolve("points.yaml"), "--out", b, "--master", MASTER, "--quiet")
                .expect(0);
        Location file = new ResultsFolder(b).files(Table.POINTS).get(0);
        List<Row> rows = Sweeps.rows(b, Table.POINTS);
        Files.delete(file.path());
        try (RowWriter writer = new RowWriter(file, rows.get(0).columns())) {
            for (Row row : rows) {
                Object[] values = row.values().clone();
                for (int i = 0; i < values.length; i++) {
                    if (row == rows.get(0) && row.columns().get(i).name().equals("goodput_gb_per_s")) {
                        values[i] = Math.nextDown((Double) values[i]);
                    }
                }
                writer.write(new Row(row.columns(), values));
            }
        }
        assertThat(Sweeps.run("merge", a, b, "--out", temp.resolve("d"), "--master", MASTER)
                        .expect(2)
                        .err())
                .startsWith("the folders hold different rows of one point, though their runs are equal: "
                        + rows.get(0).get("point_key") + ". Its row is the mean of its runs")
                .hasLineCount(1);
        assertThat(Sweeps.run("verify", b, "--master", MASTER, "--quiet")
                        .expect(4)
                        .out())
                .contains("2 of 2 rows run again (seed 1): all came out as stored")
                .contains("2 rows of points made again from their stored runs: 1 DIFFER")
                .contains("point " + rows.get(0).get("point_key") + " of 1 runs: goodput_gb_per_s: stored ");
    }

    @Test
    void newAxis_runsOnlyItsNewValues() throws IOException {
        Path out = sweep("grown", "0.5", 1);
        Path file = temp.resolve("grown.yaml");
        // What an axis holds that was the default so far is there already.
        Files.writeString(file, Files.readString(file).replace("sweep:\n", "sweep:\n  traffic.flows: [8, 4]\n"));
        assertThat(Sweeps.run("run", file, "--out", out, "--master", MASTER, "--quiet", "--json")
                        .expect(0)
                        .out())
                .contains("\"planned\":4,\"done\":2,\"failed\":0,\"skipped\":2,\"runs\":2");
    }

    @Test
    void rerun_triesWhatFailed_andItsLaterSuccessCounts() throws IOException {
        Path file = temp.resolve("failing.yaml");
        Files.writeString(
                file,
                "base: {measure.messages: 100, limits.events: 2500}\nlimits: {failure_fraction: 1}\nsweep: {traffic.message: [1 KiB, 64 KiB]}\n");
        Path out = temp.resolve("failing");
        Sweeps.run("run", file, "--out", out, "--master", MASTER, "--quiet").expect(1);
        assertThat(Sweeps.rows(out, Table.POINTS)).hasSize(1);
        Sweeps.run("rerun", out, "--failed", "--master", MASTER, "--quiet").expect(1);
        assertThat(Sweeps.rows(out, Table.FAILURES)).hasSize(2);
        Path effective = out.resolve("effective.yaml");
        Files.writeString(
                effective, Files.readString(effective).replace("limits.events: 2500", "limits.events: 2500000"));
        assertThat(Sweeps.run("rerun", out, "--failed", "--master", MASTER, "--quiet", "--json")
                        .expect(0)
                        .out())
                .contains("\"planned\":2,\"done\":1,\"failed\":0,\"skipped\":1,\"runs\":1");
        assertThat(Sweeps.rows(out, Table.FAILURES)).hasSize(2);
        assertThat(Files.readString(out.resolve("experiment.yaml"))).isEqualTo(Files.readString(file));
        assertThat(Sweeps.run("rerun", out).expect(2).err()).startsWith("--failed is missing");
    }
}
