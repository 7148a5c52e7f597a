package io.github.rhosweep.report;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.rhosweep.report.HtmlReport.Cell;
import io.github.rhosweep.report.HtmlReport.Chart;
import io.github.rhosweep.report.HtmlReport.Command;
import io.github.rhosweep.report.HtmlReport.Head;
import io.github.rhosweep.report.HtmlReport.Kind;
import io.github.rhosweep.report.HtmlReport.Line;
import io.github.rhosweep.report.HtmlReport.Listing;
import io.github.rhosweep.report.HtmlReport.Section;
import io.github.rhosweep.report.HtmlReport.Table;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HtmlReportTest {
    private static final String HOSTILE =
            "</script><script>alert(1)</script><!-- \" ' & ` {{x}} {{{y}}} \\ \u2028 \u202e \u05e9\u05dc\u05d5\u05dd \ud83d\ude00";

    private static HtmlReport report(String name, Double... values) {
        Cube cube = new Cube(
                new Cube.Scale(name, "ns", List.of("1", "2"), List.of(1.0, 2.0), false),
                Cube.Scale.ofNames(name, List.of(name)),
                List.of(new Cube.Quantity(name, false)),
                name,
                List.of(new Cube.Slice(
                        name,
                        List.of(List.of(Arrays.asList(values))),
                        List.of(List.of(Arrays.asList(0.5, null))),
                        List.of(List.of(name, name)))));
        Table table = new Table(
                name, true, List.of(new Head(name, true)), List.of(new Line(List.of(new Cell(name, false, "c")))));
        return new HtmlReport(
                name,
                name,
                List.of(new Section(
                        "s",
                        name,
                        List.of(name),
                        List.of(new Chart(Kind.CURVES, name, cube), new Chart(Kind.HEAT, name, cube)),
                        List.of(table),
                        List.of(new Command("c", name)),
                        List.of(new Listing(name, name)))));
    }

    private static List<String> scripts(String html) {
        return Pattern.compile("<script[^>]*>(.*?)</script>", Pattern.DOTALL)
                .matcher(html)
                .results()
                .map(m -> m.group(1))
                .toList();
    }

    @Test
    void hostileNames_openNoElementAndEndNoScript() {
        String plain = report("plain", 1.0, null).html();
        String hostile = report(HOSTILE, 1.0, null).html();

        // The same elements as with a plain name: nothing of the name became markup.
        assertThat(scripts(hostile)).hasSize(3).hasSameSizeAs(scripts(plain));
        assertThat(tags(hostile)).isEqualTo(tags(plain));
        assertThat(
                        hostile.contains(
                                "<title>&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;&lt;!-- &quot; &#39; &amp; &#x60; {{x}} {{{y}}}"))
                .as("the name as text, template markup and all")
                .isTrue();
    }

    private static List<String> tags(String html) {
        String page = html;
        for (String script : scripts(html)) {
            page = page.replace(script, "");
        }
        return Pattern.compile("<[a-z/!][a-z0-9]*")
                .matcher(page)
                .results()
                .map(m -> m.group())
                .toList();
    }

    @Test
    void numbersForCharts_readBackAsTheyWere_withoutAngleBrackets() throws Exception {
        String data = scripts(report(HOSTILE, 1.5, null).html()).get(0);

        assertThat(data).doesNotContain("<").doesNotContain(">").doesNotContain("&");
        JsonNode cube = new ObjectMapper().readTree(data).get("cubes").get(0);
        assertThat(cube.get("x").get("label").asText()).isEqualTo(HOSTILE);
        assertThat(cube.at("/slices/0/values/0/0").toString()).isEqualTo("[1.5,null]");
        assertThat(cube.at("/slices/0/halfWidths/0/0").toString()).isEqualTo("[0.5,null]");
    }

    @Test
    void numbersOfTwoChartsOfOneCube_areWrittenOnce() throws Exception {
        JsonNode data = new ObjectMapper()
                .readTree(scripts(report("n", 1.0, 2.0).html()).get(0));

        assertThat(data.get("cubes")).hasSize(1);
        assertThat(data.get("charts")).hasSize(2);
    }

    @Test
    void policy_namesExactlyTheScriptsThatThePageHas() throws Exception {
        String html = report("n", 1.0, 2.0).html();
        Matcher policy = Pattern.compile("Content-Security-Policy\" content=\"([^\"]*)\"")
                .matcher(html);
        assertThat(policy.find()).isTrue();
        String text = policy.group(1).replace("&#39;", "'").replace("&#x3D;", "=");

        List<String> scripts = scripts(html);
        for (String script : scripts.subList(1, 3)) {
            String hash = Base64.getEncoder()
                    .encodeToString(MessageDigest.getInstance("SHA-256").digest(script.getBytes(UTF_8)));
            assertThat(text).contains("'sha256-" + hash + "'");
        }
        assertThat(text).startsWith("default-src 'none'").doesNotContain("unsafe-eval");
    }

    @Test
    void written_replacesWhatWasThere_andLeavesNothingBeside(@TempDir Path dir) throws Exception {
        Path file = dir.resolve("report.html");
        Files.writeString(file, "old");

        report("n", 1.0, 2.0).write(file);

        assertThat(Files.readString(file)).startsWith("<!doctype html>");
        try (var files = Files.list(dir)) {
            assertThat(files).containsExactly(file);
        }
    }
}
