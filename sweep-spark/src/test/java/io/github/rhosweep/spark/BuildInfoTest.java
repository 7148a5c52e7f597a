package io.github.rhosweep.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class BuildInfoTest {
    @Test
    void command_isWhatCanBeRunWhereTheProgramWasCalled() {
        Path jar = Path.of("target", "rhosweep.jar").toAbsolutePath();
        assertThat(BuildInfo.command("scripts/rhosweep", false, "spark-submit", jar))
                .isEqualTo("scripts/rhosweep");
        assertThat(BuildInfo.command("my tools/rhosweep", false, "spark-submit", jar))
                .isEqualTo("'my tools/rhosweep'");
        assertThat(BuildInfo.command(null, true, "spark-submit", jar)).isEqualTo("spark-submit target/rhosweep.jar");
        assertThat(BuildInfo.command(null, true, "scripts/cluster spark-submit", Path.of("/opt/it's/rhosweep.jar")))
                .isEqualTo("scripts/cluster spark-submit '/opt/it'\\''s/rhosweep.jar'");
        assertThat(BuildInfo.command(null, false, "spark-submit", jar)).isEqualTo("java -jar target/rhosweep.jar");
        assertThat(BuildInfo.command(null, false, "spark-submit", null)).isEqualTo("rhosweep");
    }
}
