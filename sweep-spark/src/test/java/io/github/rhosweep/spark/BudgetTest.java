package io.github.rhosweep.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rhosweep.scenario.InvalidValueException;
import io.github.rhosweep.spark.BudgetedSweep.Unmet;
import io.github.rhosweep.store.FolderRefusedException;
import io.github.rhosweep.store.Manifest;
import io.github.rhosweep.store.ResultsFolder;
import io.github.rhosweep.store.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code run --budget}. */
class BudgetTest {
    private static final String MASTER = "local[2]";
    private static final String NOISY = """
            name: noisy
            base: {traffic.message: 4 KiB, measure.messages: 150}
            sweep: {traffic.load: [0.2, 0.5, 0.7, 0.9], switch.alpha: [1, 2]}
            replicates: {min: 2, max: 9, until: {metric: message_latency_mean_ns, relative_ci: 0.04}}
            """;

    @TempDir
    private Path temp;

    private Path file() throws IOException {
        Path file = temp.resolve("noisy.yaml");
        Files.writeString(file, NOISY);
        return file;
    }

    @Test
    void times_haveUnits() {
        assertThat(BudgetedSweep.seconds("30m")).isEqualTo(1800);
        assertThat(BudgetedSweep.seconds("1.5 h")).isEqualTo(5400);
        assertThat(BudgetedSweep.seconds("90s")).isEqualTo(90);
        for (String bad : List.of("30", "0s", "-1m", "soon", "3d")) {
            assertThatThrownBy(() -> BudgetedSweep.seconds(bad))
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessage("--budget: `" + bad + "`, expected CPU time such as 90s, 30m or 2h");
        }
    }

    @Test
    void widestIntervals_arePaidFirst() {
        List<Unmet> unmet = List.of(new Unmet(1.5, 4), new Unmet(9, 10), new Unmet(3, 4), new Unmet(2, 4));
        assertThat(BudgetedSweep.leastWidth(new ArrayList<>(unmet), 9)).isInfinite();
        assertThat(BudgetedSweep.leastWidth(new ArrayList<>(unmet), 10)).isEqualTo(9);
        assertThat(BudgetedSweep.leastWidth(new ArrayList<>(unmet), 17.9)).isEqualTo(3);
        assertThat(BudgetedSweep.leastWidth(new ArrayList<>(unmet), 22)).isZero();
        assertThat(BudgetedSweep.leastWidth(new ArrayList<>(), 22)).isInfinite();
    }

    @Test
    @Tag("integration")
    void enoughBudget_givesWhatARunWithoutOneGives_tooLittleTellsWhatIsMissing() throws Exception {
        Path file = file();
        Path plain = temp.resolve("plain");
        Sweeps.run("run", file, "--out", plain, "--master", MASTER, "--quiet").expect(0);
        Path rich = temp.resolve("rich");
        FutureTask<Manifest> next = new FutureTask<>(() -> whatTheNextFinds(rich));
        Thread waiting = new Thread(next, "next");
        waiting.start();
        Sweeps.Result richly =
                Sweeps.run("run", file, "--out", rich, "--master", MASTER, "--quiet", "--json", "--budget", "2h");
        // Rounds are invocations of their own; nobody came between them.
        assertThat(next.get(1, TimeUnit.MINUTES).invocation()).isGreaterThan(1);
        assertThat(next.get().budget()).isNotNull();
        assertThat(richly.expect(0).out())
                .contains("\"planned\":8,\"done\":8", "\"points_not_run\":0,\"intervals_not_met\":0");
        assertThat(Sweeps.hashes(rich, Table.RUNS)).isEqualTo(Sweeps.hashes(plain, Table.RUNS));
        assertThat(Files.readString(rich.resolve("effective.yaml")))
                .isEqualTo(Files.readString(plain.resolve("effective.yaml")));

        Path poor = temp.resolve("poor");
        assertThat(Sweeps.run("run", file, "--out", poor, "--master", MASTER, "--json", "--budget", "0.001s")
                        .expect(0)
                        .out())
                .contains("\"status\":\"budget\"")
                .doesNotContain("\"intervals_not_met\":0");
        assertThat(Sweeps.rows(poor, Table.RUNS)).hasSize(16);
        assertThat(Sweeps.run("summary", poor).expect(0).out()).contains("0 points not run, ", " wider than asked");
        assertThat(Files.readString(poor.resolve("manifest.json"))).contains("\"intervals_not_met\" : ");
        // What was left is done by a run without a budget.
        Sweeps.run("run", file, "--out", poor, "--master", MASTER, "--quiet").expect(0);
        assertThat(Sweeps.hashes(poor, Table.RUNS)).isEqualTo(Sweeps.hashes(plain, Table.RUNS));
    }

    /** The manifest as it is when the folder is free for the first time since a run began there. */
    private static Manifest whatTheNextFinds(Path dir) throws Exception {
        ResultsFolder folder = new ResultsFolder(dir);
        while (folder.manifest() == null) {
            Thread.sleep(1);
        }
        while (true) {
            try (ResultsFolder.Lock lock = folder.lock()) {
                return Objects.requireNonNull(folder.manifest());
            } catch (FolderRefusedException held) {
                Thread.sleep(1);
            }
        }
    }

    /** Half a second of five: the first shards are kept, the rest is told, and a later run goes on. */
    @Test
    @Tag("integration")
    void budgetThatEndsMidSweep_tellsWhatWasNotRun_andTheNextRunGoesOnFromThere() throws IOException {
        LongSweep sweep = LongSweep.in(temp);
        Path file = sweep.file();
        Path dir = temp.resolve("part");
        Sweeps.Result part = Sweeps.run("run", file, "--out", dir, "--master", MASTER, "--json", "--budget", "0.5s")
                .expect(0);
        List<String> done = Sweeps.column(dir, Table.POINTS, "point_key");
        assertThat(done).isNotEmpty().hasSizeLessThan(78).doesNotHaveDuplicates();
        int left = 78 - done.size();
        assertThat(part.err()).contains("so that not all points will be run", left + " points not run, ");
        assertThat(part.out())
                .contains("\"status\":\"budget\"", "\"done\":" + done.size() + ",")
                .contains("\"points_not_run\":" + left + ",");
        assertThat(Sweeps.run("summary", dir).expect(0).out()).contains(left + " points not run");
        assertThat(Sweeps.column(dir, Table.RUNS, "point_key")).isEqualTo(done);

        assertThat(Sweeps.run("run", file, "--out", dir, "--master", MASTER, "--json", "--budget", "2h")
                        .expect(0)
                        .out())
                .contains("\"status\":\"complete\"", "\"done\":" + left + ",", "\"skipped\":" + done.size() + ",")
                .contains("\"points_not_run\":0");
        sweep.assertWhole(dir);
    }
}
