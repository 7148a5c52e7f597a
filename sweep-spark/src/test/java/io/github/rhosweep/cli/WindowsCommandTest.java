package io.github.rhosweep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.rhosweep.spark.Sweeps;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WindowsCommandTest {
    private static final Path SHIPPED = Path.of("..", "configs", "windows", "checkpoint.yaml");

    @TempDir
    private Path folder;

    private static List<Double> column(JsonNode transfer, String name) {
        List<Double> values = new ArrayList<>();
        transfer.get("starts")
                .forEach(start -> values.add(
                        start.get(name).isNull() ? null : start.get(name).asDouble()));
        return values;
    }

    @Test
    void shippedFile_ranksQuietWindowsFirst_asTableAndAsJson() throws IOException {
        JsonNode object = new ObjectMapper()
                .readTree(Sweeps.run("windows", SHIPPED, "--json").expect(0).out());
        assertThat(object.get("name").asText()).isEqualTo("checkpoint");
        JsonNode transfer = object.get("transfers").get(0);
        assertThat(transfer.get("starts")).hasSize(11);
        assertThat(column(transfer, "slowdown")).isSorted().allMatch(s -> s >= 1);
        assertThat(column(transfer, "start_ns")).startsWith(200_000.0, 300_000.0, 400_000.0, 1_000_000.0);
        assertThat(column(transfer, "rank")).startsWith(1.0, 2.0).endsWith(11.0);

        String byEnd = Sweeps.run("windows", SHIPPED, "--by", "end", "--best", "2", "--json")
                .expect(0)
                .out();
        assertThat(column(new ObjectMapper().readTree(byEnd).get("transfers").get(0), "start_ns"))
                .containsExactly(0.0, 100_000.0);

        assertThat(Sweeps.run("windows", SHIPPED, "--best", "1").expect(0).out())
                .contains("checkpoint of host 3: 8388608 B from host 3 to host 28", "slowdown")
                .contains("     1       200 ")
                .doesNotContain("     2 ");
    }

    @Test
    void flowsOfAFile_areCountedInWindows_andStartsWithoutAPredictionComeLastWithTheReason() throws IOException {
        Files.writeString(folder.resolve("flows.csv"), "start,src,dst,bytes\n1000,0,2,268800\n1000,1,2,268800\n");
        Path file = Files.writeString(folder.resolve("w.yaml"), """
                base: {traffic: {pattern: file, file: flows.csv}}
                window: 1 us
                transfers: [{src: 0, dst: 2, bytes: 1 MiB}]
                starts: [1 us, 0 us, 8 us]
                """);
        JsonNode transfer = new ObjectMapper()
                .readTree(Sweeps.run("windows", file, "--json").expect(0).out())
                .get("transfers")
                .get(0);
        assertThat(transfer.get("name").asText()).isEqualTo("0 to 2");
        assertThat(column(transfer, "start_ns")).containsExactly(8000.0, 0.0, 1000.0);
        assertThat(transfer.get("starts").get(0).get("duration_ns")).isEqualTo(transfer.get("idle_ns"));
        assertThat(transfer.get("starts").get(2).get("rank").isNull()).isTrue();
        assertThat(transfer.get("starts").get(2).get("null_reason").asText()).contains("no steady state");
        assertThat(Sweeps.run("windows", file).expect(0).out()).contains("     -         1         -");
    }

    @Test
    void mistakes_areToldAtOnceWithTheirLines() throws IOException {
        Path file = Files.writeString(folder.resolve("bad.yaml"), """
                base: {traffic: {pattern: uniform, flows: 4}}
                windows:
                - {from: 5 us, traffic.load: 0.5}
                - {from: 9 us, switch.alpha: 2}
                transfers:
                - {src: 0, dst: 0, bytes: 1 KiB}
                - {src: 0, dst: 1, bytes: 0}
                - {src: 0, bytes: many}
                starts: {from: 5 us, to: 1 us, step: 1 us}
                start: 3
                """);
        String err = Sweeps.run("windows", file).expect(2).err();
        assertThat(err.lines())
                .allMatch(line -> line.startsWith(file.toString()))
                .anyMatch(line -> line.contains("bad.yaml:6: transfers: found host 0 as src and dst"))
                .anyMatch(line -> line.contains("bad.yaml:7: transfers.bytes: found 0, expected 1 or more"))
                .anyMatch(line -> line.contains("bad.yaml:8: transfers: found no `dst`"))
                .anyMatch(line -> line.contains("bad.yaml:8: transfers.bytes: found `many`"))
                .anyMatch(line -> line.contains("bad.yaml:9: starts: "))
                .anyMatch(line -> line.contains("bad.yaml:10: found `start`") && line.contains("`starts`"));

        Files.writeString(file, """
                base: {traffic: {pattern: uniform, flows: 4}}
                windows:
                - {from: 5 us, traffic.load: 0.5}
                - {from: 0 us, traffic.load: much}
                - {from: 0 us, switch.alpha: 2}
                transfers: [{src: 0, dst: 1, bytes: 1}]
                starts: [0 us]
                """);
        assertThat(Sweeps.run("windows", file).expect(2).err())
                .contains("bad.yaml:3: windows.from: the first window begins at 0")
                .contains("bad.yaml:4: traffic.load: ")
                .contains("bad.yaml:5: windows: found `switch.alpha`, expected `from` and parameters of traffic");

        Files.writeString(file, """
                base: {traffic: {pattern: uniform, flows: 4}}
                windows: [{from: 0 us, traffic.load: 0.5}, {from: 1 us, traffic.flows: 8}]
                transfers: [{src: 0, dst: 9, bytes: 1}]
                starts: [0 us]
                """);
        assertThat(Sweeps.run("windows", file).expect(2).err()).contains("expected the same fabric");
        Files.writeString(file, Files.readString(file).replace(", {from: 1 us, traffic.flows: 8}", ""));
        assertThat(Sweeps.run("windows", file).expect(2).err())
                .contains("bad.yaml: no route from host 0 to host 9, hosts are 0 .. 3");
    }
}
