package io.github.rhosweep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rhosweep.design.ExperimentSpec;
import io.github.rhosweep.result.Row;
import io.github.rhosweep.spark.Progress;
import io.github.rhosweep.spark.SweepJob;
import io.github.rhosweep.spark.Sweeps;
import io.github.rhosweep.store.Location;
import io.github.rhosweep.store.ResultsFolder;
import io.github.rhosweep.store.Table;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Workloads from files, and what is kept of their runs, by the command line. */
class WorkloadFilesTest {
    private static final String MATRIX = """
            Nodes 4
            Connections 3
            0->3 id 7 start 0 size 100000
            1->3 id 8 start 0 size 100000 prio 1
            2->3 id 9 start 5000000 size 1000
            """;

    @TempDir
    private Path temp;

    private Path file;

    @BeforeEach
    void write() throws IOException {
        Files.createDirectories(temp.resolve("cm"));
        Files.writeString(temp.resolve("cm/a.cm"), MATRIX);
        Files.writeString(temp.resolve("cm/b.cm"), MATRIX.replace("5000000", "6000000"));
        file = temp.resolve("matrix.yaml");
        Files.writeString(file, "base: {traffic: {pattern: file, file: cm/a.cm}}\n");
    }

    @Test
    void once_writesALineAFlow() throws IOException {
        Path csv = temp.resolve("flows.csv");
        Sweeps.Result result =
                Sweeps.run("once", file, "--flows", csv, "--json").expect(0);
        assertThat(result.err())
                .isEqualTo("warning: " + temp.resolve("cm/a.cm")
                        + ":4: prio is not obeyed: all flows are of one class, the 1 that have one too\n");
        List<String> lines = Files.readAllLines(csv);
        assertThat(lines.get(0)).isEqualTo("id,src,dst,bytes,start_ns,completion_ns,retransmitted_frames,lost");
        assertThat(lines).hasSize(4);
        assertThat(lines.get(1)).matches("7,0,3,100000,0,[0-9.]+,0,false");
        assertThat(lines.get(3)).matches("9,2,3,1000,5000,[0-9.]+,0,false");
        assertThat(result.out()).contains("\"completion_ns\":" + lines.get(3).split(",")[5]);

        // What was written can be read: as a workload, in ns.
        Files.writeString(temp.resolve("again.csv"), String.join("\n", lines).replace("start_ns", "start"));
        Sweeps.Result again = Sweeps.run(
                        "once", file, "--set", "traffic.file=" + temp.resolve("again.csv"), "--flows", csv, "--json")
                .expect(0);
        assertThat(Files.readAllLines(csv)).isEqualTo(lines);
        assertThat(again.err()).contains("again.csv:1: not read: the columns");
    }

    @Test
    void once_writesSeries() throws IOException {
        Path csv = temp.resolve("series.csv");
        Sweeps.run("once", file, "--series", csv, "--set", "record.series_interval=100 ns")
                .expect(0);
        assertThat(Files.readAllLines(csv)).first().isEqualTo("t_ns,entity,metric,value");
        assertThat(Files.readAllLines(csv))
                .anyMatch(line -> line.matches("[0-9]+,switch 0 egress 3,queue_bytes,[0-9]+"));
    }

    @Test
    void badFiles_endWithOneLine() throws IOException {
        Files.writeString(temp.resolve("cm/a.cm"), MATRIX.replace("0->3", "0->4"));
        assertThat(Sweeps.run("once", file).expect(2).err())
                .isEqualTo(temp.resolve("cm/a.cm") + ":3: destination: there is no host 4, hosts are 0 .. 3\n");
        Files.writeString(temp.resolve("cm/a.cm"), MATRIX);
        assertThat(Sweeps.run("plan", file, "--set", "traffic.file=no\u001b[2J.cm")
                        .expect(2)
                        .err())
                .isEqualTo("--set traffic.file=no\\u001b[2J.cm: traffic.file: there is no file `no\\u001b[2J.cm`\n");
    }

    /** Equal content is an equal point, whatever it is called. */
    @Test
    void identity_isTheContent() throws IOException {
        List<String> keys = Sweeps.plannedKeys(file);
        Files.move(temp.resolve("cm/a.cm"), temp.resolve("other.txt"));
        Files.writeString(file, "base: {traffic: {pattern: file, file: other.txt}}\n");
        assertThat(Sweeps.plannedKeys(file)).isEqualTo(keys);
        Files.writeString(file, "base: {traffic: {pattern: file, file: cm/b.cm}}\n");
        assertThat(Sweeps.plannedKeys(file)).isNotEqualTo(keys);
    }

    /** Executors get what the files hold; the folder goes on without them; flows and series are there once. */
    @Test
    @Tag("integration")
    void sweep_carriesItsFilesAndKeepsFlows() throws IOException {
        Files.writeString(file, """
                base: {traffic.pattern: file, switch.ecn_kmin: 0.000001}
                sweep:
                  traffic.file: [cm/a.cm, cm/b.cm]
                  switch.ecn_pmax: [0, 1]
                replicates: 2
                record: {flows: true, series: true, series_interval: 100 ns}
                """);
        Path out = temp.resolve("out");
        Sweeps.run("run", file, "--out", out, "--master", "local[2]").expect(0);
        int runs = Sweeps.rows(out, Table.RUNS).size();
        assertThat(runs).isGreaterThanOrEqualTo(4);
        List<Row> flows = Sweeps.rows(out, Table.FLOWS);
        assertThat(flows).hasSize(3 * runs);
        assertThat(flows.stream().map(r -> r.get("run_key") + " " + r.get("id")).distinct())
                .hasSize(3 * runs);
        assertThat(flows.stream().map(r -> r.get("run_key")).distinct().sorted().toList())
                .isEqualTo(Sweeps.column(out, Table.RUNS, "run_key"));
        assertThat(Sweeps.rows(out, Table.SERIES)).isNotEmpty();
        Map<Path, String> before = Sweeps.committed(out);
        Sweeps.run("run", file, "--out", out, "--master", "local[2]").expect(0);
        assertThat(Sweeps.committed(out)).isEqualTo(before);

        // Without the files, and elsewhere.
        Files.delete(temp.resolve("cm/a.cm"));
        Files.delete(temp.resolve("cm/b.cm"));
        Path moved = Files.move(out, temp.resolve("moved"));
        Sweeps.run("summary", moved).expect(0);
        Path again = temp.resolve("again");
        Sweeps.run("run", moved.resolve("effective.yaml"), "--out", again, "--master", "local[1]")
                .expect(0);
        for (Table table : List.of(Table.RUNS, Table.POINTS, Table.FLOWS, Table.SERIES)) {
            assertThat(Sweeps.hashes(again, table)).as("%s", table).isEqualTo(Sweeps.hashes(moved, table));
        }
        Sweeps.run("verify", moved).expect(0);
    }

    /** Executors are other machines: what a task runs must come with it, whatever files there are. */
    @Test
    @Tag("integration")
    void filesThatAreGoneOnceTheDriverHasReadThem_areNotMissed() throws Exception {
        Files.writeString(temp.resolve("sizes.txt"), "1000 0\n2000 50\n64000 100\n");
        Files.createDirectories(temp.resolve("presets"));
        Files.writeString(temp.resolve("presets/ours.yaml"), "switch.alpha: 2\n");
        Files.writeString(file, """
                presets: [ours]
                designs:
                - {name: flows, base: {traffic.pattern: file}, sweep: {traffic.file: [cm/a.cm, cm/b.cm]}}
                - {name: sizes, base: {traffic.message_cdf: sizes.txt, measure.messages: 200}}
                """);
        Path calm = temp.resolve("calm");
        Sweeps.run("run", file, "--out", calm, "--master", "local[2]", "--quiet")
                .expect(0);

        ByteArrayOutputStream sent = new ByteArrayOutputStream();
        try (ObjectOutputStream stream = new ObjectOutputStream(sent)) {
            stream.writeObject(Sweeps.experiment(file));
        }
        for (String gone : List.of("matrix.yaml", "cm/a.cm", "cm/b.cm", "sizes.txt", "presets/ours.yaml")) {
            Files.delete(temp.resolve(gone));
        }
        ExperimentSpec received;
        try (ObjectInputStream stream = new ObjectInputStream(new ByteArrayInputStream(sent.toByteArray()))) {
            received = (ExperimentSpec) stream.readObject();
        }
        Path out = temp.resolve("gone");
        SweepJob.Options options =
                new SweepJob.Options(Location.of(out), "local[2]", false, Progress.Style.NONE, false, false, null);
        try (ResultsFolder.Lock lock = new ResultsFolder(out).lock()) {
            new SweepJob(received, options, new PrintWriter(new StringWriter())).run(lock);
        }
        assertThat(Sweeps.rows(out, Table.RUNS)).hasSize(3);
        assertThat(Sweeps.hashes(out, Table.RUNS)).isEqualTo(Sweeps.hashes(calm, Table.RUNS));
    }
}
