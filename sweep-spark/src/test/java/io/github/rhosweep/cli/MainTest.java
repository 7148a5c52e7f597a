package io.github.rhosweep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class MainTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void version_namesReleaseCommitSparkAndJava() {
        assertThat(run("--version")).isZero();
        assertThat(out.toString())
                .containsPattern("rhosweep \\d+\\.\\d+\\.\\d+")
                .containsPattern("commit +([0-9a-f]{40}(-dirty)?|unknown)")
                .contains("Spark    4.2.")
                .contains("Java     " + Runtime.version());
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void noVerb_isBadInput() {
        assertThat(run()).isEqualTo(2);
        assertThat(err.toString()).startsWith("a command is missing").contains("Usage: rhosweep");
        assertThat(out.toString()).isEmpty();
    }

    private int run(String... args) {
        return Main.execute(args, new PrintWriter(out, true), new PrintWriter(err, true));
    }
}
