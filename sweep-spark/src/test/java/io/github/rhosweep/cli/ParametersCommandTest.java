package io.github.rhosweep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.rhosweep.design.ExperimentSpec;
import io.github.rhosweep.design.Overrides;
import io.github.rhosweep.scenario.Parameter;
import io.github.rhosweep.scenario.Parameters;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ParametersCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path dir;

    @Test
    void list_isYamlOfTheDefaults() throws IOException {
        assertThat(run("parameters")).isZero();
        String list = out.toString();

        assertThat(Parameters.all())
                .allSatisfy(p ->
                        assertThat(list).containsPattern("(?m)^#?" + p.path().replace(".", "\\.") + ": "));
        assertThat(key("base:\n" + list.indent(2))).isEqualTo(key("name: nothing given"));
    }

    @Test
    void text_selectsByNameAndMeaning() {
        assertThat(run("parameters", "ALPHA")).isZero();
        assertThat(out.toString()).contains("switch.alpha: 2").doesNotContain("traffic.load");
    }

    @Test
    void textThatOccursNowhere_isBadInput() {
        assertThat(run("parameters", "alfa")).isEqualTo(2);
        assertThat(err.toString()).contains("no parameter has `alfa`");
    }

    @Test
    void json_hasEveryParameter() throws IOException {
        assertThat(run("parameters", "--json")).isZero();
        JsonNode all = new ObjectMapper().readTree(out.toString());
        assertThat(all.fieldNames())
                .toIterable()
                .containsExactlyElementsOf(
                        Parameters.all().stream().map(Parameter::path).toList());
        assertThat(all.at("/switch.alpha/default").asText()).isEqualTo("2");
    }

    private String key(String experiment) throws IOException {
        Path file = Files.writeString(dir.resolve("experiment.yaml"), experiment);
        return ExperimentSpec.read(file, Overrides.NONE, List.of()).point(0).key();
    }

    private int run(String... args) {
        return Main.execute(args, new PrintWriter(out, true), new PrintWriter(err, true));
    }
}
