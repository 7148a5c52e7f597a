package io.github.rhosweep.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rhosweep.store.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * What the tests of faults break: several seconds of work in some 18 shards.
 *
 * @param file the experiment
 * @param planned keys of its points, sorted
 * @param undisturbed hashes of the rows of a run that nothing disturbed
 */
record LongSweep(Path file, List<String> planned, List<String> undisturbed) {
    private static final String EXPERIMENT = """
            name: long
            base: {transport.sender: dcqcn, traffic.message: 8 KiB, traffic.flows: 8, measure.messages: 10000}
            sweep:
              traffic.load: {from: 0.3, to: 0.9, step: 0.05}
              switch.alpha: [1, 2, 4]
              switch.islip_iterations: [1, 2]
            """;

    /** Writes the experiment into a folder and runs it there. */
    static LongSweep in(Path temp) throws IOException {
        Path file = Files.writeString(temp.resolve("long.yaml"), EXPERIMENT);
        Path dir = temp.resolve("undisturbed");
        Sweeps.run("run", file, "--out", dir, "--master", "local[2]", "--quiet").expect(0);
        return new LongSweep(file, Sweeps.plannedKeys(file), Sweeps.hashes(dir, Table.RUNS));
    }

    /** Asserts that a folder holds each planned point once, with the rows of the undisturbed run, and no remains. */
    void assertWhole(Path dir) throws IOException {
        assertThat(Sweeps.column(dir, Table.POINTS, "point_key")).isEqualTo(planned);
        assertThat(Sweeps.column(dir, Table.RUNS, "point_key")).isEqualTo(planned);
        assertThat(Sweeps.hashes(dir, Table.RUNS)).isEqualTo(undisturbed);
        assertThat(dir.resolve("_temporary")).doesNotExist();
    }
}
