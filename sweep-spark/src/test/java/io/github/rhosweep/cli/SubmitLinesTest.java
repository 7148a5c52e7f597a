package io.github.rhosweep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.spark.deploy.SparkSubmitArguments;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import scala.jdk.javaapi.CollectionConverters;

/** What the documents tell to submit is understood by Spark and by us, and what the image copies is there. */
class SubmitLinesTest {
    private static final Path ROOT = Path.of("").toAbsolutePath().getParent();

    @Test
    void submitLines_areUnderstoodBySpark_andTheirRestByUs() throws IOException {
        List<String> masters = new ArrayList<>();
        for (String document : List.of("README.md", "docs/cluster.md")) {
            for (String line : Files.readAllLines(ROOT.resolve(document))) {
                if (line.matches("(scripts/cluster )?spark-submit .*")) {
                    masters.add(check(line.replaceFirst("^scripts/cluster ", "")));
                }
            }
        }
        assertThat(masters)
                .contains("spark://127.0.0.1:7077", "spark://HOST:7077", "yarn", "k8s://https://HOST:6443")
                .hasSizeGreaterThanOrEqualTo(5);
    }

    private static String check(String line) {
        List<String> words = Arrays.asList(line.split(" "));
        var env = scala.collection.immutable.Map.from(
                CollectionConverters.asScala(Map.of("HADOOP_CONF_DIR", "/etc/hadoop")));
        SparkSubmitArguments spark = new SparkSubmitArguments(
                CollectionConverters.asScala(words.subList(1, words.size())).toSeq(), env);
        assertThat(spark.primaryResource()).as(line).endsWith("rhosweep.jar");
        String[] ours = CollectionConverters.asJava(spark.childArgs()).toArray(String[]::new);
        CommandLine.ParseResult parsed = Main.commandLine().parseArgs(ours);
        assertThat(parsed.subcommand().commandSpec().name()).as(line).isEqualTo("run");
        return (String) spark.maybeMaster().getOrElse(() -> "");
    }

    @Test
    void image_copiesWhatIsThere() throws IOException {
        List<String> copies;
        try (Stream<String> lines = Files.lines(ROOT.resolve("scripts/Dockerfile"))) {
            copies = lines.filter(l -> l.startsWith("COPY "))
                    .map(l -> l.split(" ")[1])
                    .toList();
        }
        assertThat(copies).hasSize(2);
        for (String source : copies) {
            // The jar is built after the unit tests; its module is there.
            Path path = ROOT.resolve(source.replaceFirst("/target/.*", ""));
            assertThat(path).as(source).exists();
        }
    }
}
