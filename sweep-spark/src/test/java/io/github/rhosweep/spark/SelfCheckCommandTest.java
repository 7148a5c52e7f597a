package io.github.rhosweep.spark;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SelfCheckCommandTest {
    @TempDir
    Path dir;

    private SelfCheckCache cache(String program, String jdk) {
        return new SelfCheckCache(dir.resolve("cache"), program, jdk);
    }

    @Test
    void outcome_isKnownForThatProgramAndJdkAlone() throws Exception {
        assertThat(cache("a", "17").state()).isEqualTo("not_run");
        cache("a", "17").remember(true, "0123456789abcdef");
        cache("b", "17").remember(false, "fedcba9876543210");
        assertThat(cache("a", "17").state()).isEqualTo("passed 0123456789abcdef");
        assertThat(cache("a", "17").isFailed()).isFalse();
        assertThat(cache("b", "17").state()).isEqualTo("failed fedcba9876543210");
        assertThat(cache("b", "17").isFailed()).isTrue();
        assertThat(cache("a", "21").state()).isEqualTo("not_run");
        cache("b", "17").remember(true, "0123456789abcdef");
        assertThat(cache("b", "17").state()).isEqualTo("passed 0123456789abcdef");
    }

    @Test
    void brokenOrForeignFile_countsAsNotRun() throws Exception {
        cache("a", "17").remember(true, "0123456789abcdef");
        Path file = onlyFile(dir.resolve("cache"));
        String whole = Files.readString(file);
        for (String text : List.of(
                "",
                whole.substring(0, whole.length() / 2),
                "[]",
                whole.replace("\"a\"", "\"z\""),
                whole.replace("true", "\"yes\""),
                whole.replace("0123456789abcdef", "../../passed"))) {
            assertThat(text).isNotEqualTo(whole);
            Files.writeString(file, text);
            assertThat(cache("a", "17").state()).as(text).isEqualTo("not_run");
        }
    }

    @Test
    void programsHash_tellsOfEveryByteAndName() throws Exception {
        Path classes =
                Files.createDirectories(dir.resolve("classes").resolve("p")).getParent();
        Files.writeString(classes.resolve("p").resolve("A.class"), "a");
        String before = SelfCheckCache.hash(List.of(classes));
        assertThat(SelfCheckCache.hash(List.of(classes))).isEqualTo(before);
        Files.move(classes.resolve("p").resolve("A.class"), classes.resolve("p").resolve("B.class"));
        assertThat(SelfCheckCache.hash(List.of(classes))).isNotEqualTo(before);
        Files.move(classes.resolve("p").resolve("B.class"), classes.resolve("p").resolve("A.class"));
        Files.writeString(classes.resolve("p").resolve("A.class"), "b");
        assertThat(SelfCheckCache.hash(List.of(classes))).isNotEqualTo(before);
    }

    private static Path onlyFile(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            List<Path> found = files.filter(Files::isRegularFile).toList();
            assertThat(found).hasSize(1);
            return found.get(0);
        }
    }

    /** The user's way: checked once, stamped into manifests; a failure is remembered and stops sweeps unless told otherwise. */
    @Tag("integration")
    @Test
    void selfcheck_isStampedIntoManifests_andAFailedOneStopsSweeps() throws Exception {
        Path yaml = Files.writeString(
                dir.resolve("x.yaml"), "base: {measure.messages: 100}\nsweep: {traffic.load: [0.3, 0.5]}\n");

        JsonNode passed = new ObjectMapper().readTree(fork(0, "selfcheck", "--master", "local[2]", "--json"));
        assertThat(passed.get("passed").booleanValue()).isTrue();
        assertThat(passed.get("values")).allMatch(v -> v.get("passed").booleanValue());
        assertThat(passed.get("values").size()).isGreaterThan(40);
        String digest = passed.get("digest").asText();

        fork(0, "run", yaml, "--out", dir.resolve("out"), "--master", "local[1]", "--quiet");
        assertThat(selfCheck(dir.resolve("out"))).isEqualTo("passed " + digest);

        Path file = onlyFile(dir.resolve("xdg"));
        Files.writeString(file, Files.readString(file).replace("true", "false"));
        String refused = fork(4, "run", yaml, "--out", dir.resolve("refused"), "--quiet");
        assertThat(refused).contains("self-check").contains("--despite-selfcheck");
        assertThat(dir.resolve("refused")).doesNotExist();
        fork(0, "run", yaml, "--out", dir.resolve("despite"), "--master", "local[1]", "--quiet", "--despite-selfcheck");
        assertThat(selfCheck(dir.resolve("despite"))).isEqualTo("failed " + digest);
    }

    private static String selfCheck(Path folder) throws IOException {
        return new ObjectMapper()
                .readTree(folder.resolve("manifest.json").toFile())
                .get("self_check")
                .asText();
    }

    /** Runs in another JVM with a cache folder of its own; gives standard output, or what was said of a failure. */
    private String fork(int exit, Object... args) throws Exception {
        Path out = dir.resolve("stdout");
        Path err = dir.resolve("stderr");
        ProcessBuilder builder = new ProcessBuilder(Sweeps.command(Sweeps.javaHome(), args))
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        builder.environment().put("XDG_CACHE_HOME", dir.resolve("xdg").toString());
        int code = builder.start().waitFor();
        assertThat(code).as("%s", Files.readString(err)).isEqualTo(exit);
        return Objects.requireNonNull(Files.readString(exit == 0 ? out : err));
    }
}
