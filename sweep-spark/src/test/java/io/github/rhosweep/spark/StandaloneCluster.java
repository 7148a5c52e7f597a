package io.github.rhosweep.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A cluster by {@code scripts/cluster} with a folder of its own, and the built jar to submit to it. */
public final class StandaloneCluster implements AutoCloseable {
    private static final Path ROOT = Path.of("").toAbsolutePath().getParent();
    private static final Path JAR = Path.of("target", "rhosweep.jar").toAbsolutePath();

    /** Each JVM lives for seconds: the optimising compiler and parallel collectors would cost more than they save. */
    private static final String SHORT_LIVED = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC";

    private final Path dir;
    private String url;

    StandaloneCluster(Path dir) throws Exception {
        assertThat(JAR)
                .as("the jar is built before these tests: mvn -Pintegration verify")
                .isRegularFile();
        this.dir = dir;
        up();
    }

    /** Starts what does not run. */
    void up() throws Exception {
        Process up = script(List.of("up"))
                .redirectError(dir.resolve("up.err").toFile())
                .start();
        url = new String(up.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        assertThat(up.waitFor()).as(Files.readString(dir.resolve("up.err"))).isZero();
        assertThat(url).startsWith("spark://127.0.0.1:");
    }

    String url() {
        return url;
    }

    int status() throws Exception {
        return script(List.of("status"))
                .redirectErrorStream(true)
                .redirectOutput(dir.resolve("status").toFile())
                .start()
                .waitFor();
    }

    /** A sweep under way: both streams of the driver go to files. */
    record Run(Process driver, Path out, Path err) {
        Run expect(int code) throws Exception {
            assertThat(driver.waitFor(5, TimeUnit.MINUTES))
                    .as("ends; %s", Files.readString(err))
                    .isTrue();
            assertThat(driver.exitValue())
                    .as("exit code; out: %s; err: %s", Files.readString(out), Files.readString(err))
                    .isEqualTo(code);
            return this;
        }

        String errors() throws IOException {
            return Files.readString(err);
        }
    }

    /** Submits {@code run} with these arguments. */
    Run run(List<String> sparkOptions, Object... args) throws IOException {
        List<String> words = new ArrayList<>(
                List.of("spark-submit", "--master", url, "--executor-memory", "512m", "--driver-memory", "512m"));
        words.addAll(List.of("--driver-java-options", SHORT_LIVED));
        words.addAll(List.of("--conf", "spark.executor.extraJavaOptions=" + SHORT_LIVED));
        words.addAll(sparkOptions);
        words.addAll(List.of(JAR.toString(), "run"));
        Arrays.stream(args).map(String::valueOf).forEach(words::add);
        return started(script(words));
    }

    /** Runs {@code run} with this JVM as the driver, which is faster where it is not the driver's death or output that counts. */
    Sweeps.Result here(Map<String, String> settings, Object... args) {
        Map<String, String> all = new TreeMap<>(settings);
        all.put("spark.jars", JAR.toUri().toString());
        all.put("spark.executor.memory", "512m");
        all.put("spark.executor.extraJavaOptions", SHORT_LIVED);
        List<Object> words = new ArrayList<>(List.of("run"));
        words.addAll(Arrays.asList(args));
        words.addAll(List.of("--master", url));
        all.forEach(System::setProperty);
        try {
            return Sweeps.run(words.toArray());
        } finally {
            all.keySet().forEach(System::clearProperty);
        }
    }

    /** Runs {@code scripts/rhosweep} as a person would. */
    Run launch(Object... args) throws IOException {
        List<String> words = new ArrayList<>(
                List.of(ROOT.resolve("scripts").resolve("rhosweep").toString()));
        Arrays.stream(args).map(String::valueOf).forEach(words::add);
        ProcessBuilder builder = new ProcessBuilder(words);
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put("RHOSWEEP_CDS", "off");
        builder.environment()
                .put("RHOSWEEP_JAVA_OPTS", SHORT_LIVED + " -Dspark.executor.extraJavaOptions=-XX:TieredStopAtLevel=1");
        return started(builder);
    }

    private Run started(ProcessBuilder builder) throws IOException {
        Path log = Files.createTempDirectory(dir, "run");
        Path out = log.resolve("out");
        Path err = log.resolve("err");
        return new Run(
                builder.redirectOutput(out.toFile()).redirectError(err.toFile()).start(), out, err);
    }

    private ProcessBuilder script(List<String> words) {
        List<String> command = new ArrayList<>(
                List.of(ROOT.resolve("scripts").resolve("cluster").toString()));
        command.addAll(words);
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("RHOSWEEP_CLUSTER", dir.toString());
        builder.environment().put("RHOSWEEP_WORKER_CORES", "1");
        builder.environment().put("RHOSWEEP_WORKER_MEMORY", "1g");
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        return builder;
    }

    ProcessHandle worker(int number) throws IOException {
        return ProcessHandle.of(Long.parseLong(Files.readString(dir.resolve("worker" + number + ".pid"))
                        .strip()))
                .orElseThrow();
    }

    /** The executors that run now. */
    List<ProcessHandle> executors() throws IOException {
        return Stream.concat(worker(1).children(), worker(2).children()).toList();
    }

    /** What the executors of all runs logged. */
    String executorLogs() throws IOException {
        StringBuilder all = new StringBuilder();
        try (Stream<Path> files = Files.walk(dir.resolve("work"))) {
            for (Path file : files.filter(f -> f.endsWith("stderr")).toList()) {
                all.append(Files.readString(file));
            }
        }
        return all.toString();
    }

    @Override
    public void close() throws Exception {
        assertThat(script(List.of("down")).inheritIO().start().waitFor()).isZero();
    }
}
