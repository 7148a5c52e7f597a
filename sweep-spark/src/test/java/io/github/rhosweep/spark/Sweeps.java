package io.github.rhosweep.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rhosweep.cli.Main;
import io.github.rhosweep.design.ExperimentSpec;
import io.github.rhosweep.design.Overrides;
import io.github.rhosweep.result.Column;
import io.github.rhosweep.result.Metric;
import io.github.rhosweep.result.Row;
import io.github.rhosweep.store.Location;
import io.github.rhosweep.store.ResultsFolder;
import io.github.rhosweep.store.RowReader;
import io.github.rhosweep.store.Table;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;

/** What tests of sweeps share: running the command line here or in another JVM, and looking at what it wrote. */
public final class Sweeps {
    private static final List<String> COST = List.of("wall_ns", "cpu_ns");

    private Sweeps() {}

    /** What a command printed and returned. */
    public record Result(int exit, String out, String err) {
        public Result expect(int code) {
            assertThat(exit).as("exit code; out: %s; err: %s", out, err).isEqualTo(code);
            return this;
        }
    }

    /** Runs the command line in this JVM. */
    public static Result run(Object... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        String[] texts = Arrays.stream(args).map(String::valueOf).toArray(String[]::new);
        int exit = Main.execute(texts, new PrintWriter(out, true), new PrintWriter(err, true));
        return new Result(exit, out.toString(), err.toString());
    }

    /** Starts the command line in another JVM, its output going to a file. */
    static Process fork(Path javaHome, Path output, Object... args) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command(javaHome, args)).redirectErrorStream(true);
        builder.redirectOutput(output.toFile());
        builder.environment().put("LC_ALL", "C.UTF-8");
        return builder.start();
    }

    /** What starts the command line in another JVM. */
    public static List<String> command(Path javaHome, Object... args) {
        List<String> command = new ArrayList<>();
        command.add(javaHome.resolve("bin").resolve("java").toString());
        for (String open : List.of(
                "java.lang",
                "java.lang.invoke",
                "java.lang.reflect",
                "java.io",
                "java.net",
                "java.nio",
                "java.util",
                "java.util.concurrent",
                "java.util.concurrent.atomic")) {
            command.add("--add-opens=java.base/" + open + "=ALL-UNNAMED");
        }
        command.add("--add-opens=java.base/sun.nio.ch=ALL-UNNAMED");
        command.add("-XX:+UseSerialGC");
        command.add("-Dfile.encoding=UTF-8");
        command.add("-cp");
        // Surefire passes the real class path beside the one of its own jar.
        command.add(System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
        command.add(Main.class.getName());
        Arrays.stream(args).map(String::valueOf).forEach(command::add);
        return command;
    }

    public static Path javaHome() {
        return Path.of(System.getProperty("java.home"));
    }

    public static ExperimentSpec experiment(Path file) {
        return ExperimentSpec.read(
                file,
                Overrides.NONE,
                Metric.columns().stream().map(Column::name).toList());
    }

    /** The keys of an experiment's distinct points, sorted. */
    public static List<String> plannedKeys(Path file) {
        ExperimentSpec experiment = experiment(file);
        return LongStream.range(0, experiment.size())
                .mapToObj(experiment::point)
                .filter(p -> !p.repeated())
                .map(p -> p.key())
                .sorted()
                .toList();
    }

    public static List<Row> rows(Path dir, Table table) throws IOException {
        return rows(new ResultsFolder(dir), table);
    }

    public static List<Row> rows(ResultsFolder folder, Table table) throws IOException {
        List<Column> columns = folder.columns(table);
        List<Row> rows = new ArrayList<>();
        for (Location file : folder.files(table)) {
            try (RowReader reader = new RowReader(file, columns)) {
                for (Row row = reader.read(); row != null; row = reader.read()) {
                    rows.add(row);
                }
            }
        }
        return rows;
    }

    /** One column of a table, sorted. */
    public static List<String> column(Path dir, Table table, String name) throws IOException {
        return rows(dir, table).stream()
                .map(row -> String.valueOf(row.get(name)))
                .sorted()
                .toList();
    }

    /** A hash of each row but for its cost, sorted: equal lists are equal tables. */
    public static List<String> hashes(Path dir, Table table) throws IOException {
        return hashes(new ResultsFolder(dir), table);
    }

    public static List<String> hashes(ResultsFolder folder, Table table) throws IOException {
        List<String> hashes = new ArrayList<>();
        for (Row row : rows(folder, table)) {
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < row.values().length; i++) {
                Column column = row.columns().get(i);
                if (!COST.contains(column.name())) {
                    Object value = row.values()[i];
                    // Bits, not digits: JDKs print doubles differently.
                    text.append(column.name())
                            .append('=')
                            .append(value instanceof Double d ? Long.toHexString(Double.doubleToLongBits(d)) : value)
                            .append('\n');
                }
            }
            hashes.add(sha256(text.toString().getBytes(java.nio.charset.StandardCharsets.UTF_8)));
        }
        hashes.sort(null);
        return hashes;
    }

    /** Every committed file with its time and content. */
    public static Map<Path, String> committed(Path dir) throws IOException {
        Map<Path, String> files = new TreeMap<>();
        for (Table table : Table.values()) {
            for (Location location : new ResultsFolder(dir).files(table)) {
                Path file = location.path();
                files.put(file, Files.getLastModifiedTime(file) + " " + sha256(Files.readAllBytes(file)));
            }
        }
        return files;
    }

    private static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
