package io.github.rhosweep.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.rhosweep.spark.Sweeps;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CompletionCommandTest {
    @Test
    void bash_completesVerbsAndOptions(@TempDir Path dir) throws IOException, InterruptedException {
        Path script = dir.resolve("completion");
        Files.writeString(script, Sweeps.run("completion").expect(0).out());

        assertThat(complete(script, "rhosweep", "rep"))
                .contains("replay", "report")
                .doesNotContain("run");
        assertThat(complete(script, "rhosweep", "report", "--o")).contains("--out");
    }

    /** What bash offers for the last of these words. */
    private static String complete(Path script, String... words) throws IOException, InterruptedException {
        String line = String.join(" ", words);
        Process bash = new ProcessBuilder(
                        "bash",
                        "-c",
                        "source \"$1\" && COMP_LINE=$2 && COMP_POINT=${#COMP_LINE} && COMP_WORDS=($2)"
                                + " && COMP_CWORD=$((${#COMP_WORDS[@]} - 1))"
                                + " && spec=$(complete -p rhosweep) && spec=${spec#*-F } && ${spec%% *} && printf '%s\\n' \"${COMPREPLY[@]}\"",
                        "bash",
                        script.toString(),
                        line)
                .redirectErrorStream(true)
                .start();
        String out = new String(bash.getInputStream().readAllBytes(), UTF_8);
        assertThat(bash.waitFor()).as("bash: %s", out).isZero();
        return out;
    }
}
