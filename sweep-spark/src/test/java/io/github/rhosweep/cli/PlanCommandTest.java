package io.github.rhosweep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlanCommandTest {
    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void json_hasPointsRunsAxesAndLints() throws IOException {
        assertThat(run("plan", experiment(), "--json")).as(err.toString()).isZero();
        JsonNode plan = new ObjectMapper().readTree(out.toString());
        assertThat(plan.get("points").asLong()).isEqualTo(2 * 3 * 2);
        assertThat(plan.get("runs_min").asLong()).isEqualTo(12 * 5);
        assertThat(plan.get("runs_max").asLong()).isEqualTo(12 * 40);
        assertThat(plan.get("frames_min").asDouble()).isEqualTo(60.0 * 1000 * 49);
        assertThat(plan.get("axes").toString())
                .isEqualTo(
                        "{\"traffic.load\":[0.5,0.9],\"switch.islip_iterations\":[1,2,3],\"traffic.pattern\":[\"incast\",\"uniform\"]}");
        assertThat(plan.get("lints")).hasSize(1);
        assertThat(plan.get("lints").get(0).get("id").asText()).isEqualTo("iterations-inert");
        assertThat(plan.get("lints").get(0).get("points").asLong()).isEqualTo(6);
    }

    @Test
    void table_tellsAxesAndWarnings_andOptionsChangeThem() throws IOException {
        assertThat(run("plan", experiment(), "--sweep", "traffic.load=0.1,0.2,0.3", "--set", "measure.messages=10"))
                .as(err.toString())
                .isZero();
        assertThat(out.toString())
                .startsWith("e: 18 points, 90 to 720 runs, at least 44,100 frames")
                .contains(
                        "traffic.load",
                        "0.1, 0.2, 0.3",
                        "warning [iterations-inert]",
                        "at 9 of 18 points, such as traffic.pattern = incast");
    }

    @Test
    void time_pricesTheRuns() throws IOException {
        assertThat(run("plan", experiment(), "--time", "--json", "--set", "measure.messages=100"))
                .as(err.toString())
                .isZero();
        JsonNode plan = new ObjectMapper().readTree(out.toString());
        assertThat(plan.get("seconds_estimated").asDouble()).isPositive();
        assertThat(plan.get("ns_per_frame").asDouble()).isPositive();
    }

    @Test
    void badInput_isOneLineAProblem_exitCode2_andWritesNothing() throws IOException {
        String file = experiment("nmae: x\nsweep: {switch.alhpa: [1]}\n");
        assertThat(run("plan", file)).isEqualTo(2);
        assertThat(err.toString().lines())
                .containsExactly(
                        file + ":1: unknown key `nmae`. Maybe `name`?",
                        file + ":2: unknown parameter `switch.alhpa`. Maybe `switch.alpha`?");
        assertThat(out.toString()).isEmpty();
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).hasSize(1);
        }
    }

    private String experiment() throws IOException {
        return experiment("""
                base: {measure.messages: 1000, traffic.flows: 4}
                sweep:
                  traffic.load: [0.5, 0.9]
                  switch.islip_iterations: [1, 2, 3]
                  traffic.pattern: [incast, uniform]
                replicates: {max: 40, until: {metric: message_latency_mean_ns, relative_ci: 0.05}}
                """);
    }

    private String experiment(String yaml) throws IOException {
        return Files.writeString(folder.resolve("e.yaml"), yaml).toString();
    }

    private int run(String... args) {
        return Main.execute(args, new PrintWriter(out, true), new PrintWriter(err, true));
    }
}
