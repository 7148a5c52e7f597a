package io.github.rhosweep.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.rhosweep.check.Claims;
import io.github.rhosweep.design.ExperimentSpec;
import io.github.rhosweep.design.Overrides;
import io.github.rhosweep.design.Plan;
import io.github.rhosweep.design.Where;
import io.github.rhosweep.fit.Predictor;
import io.github.rhosweep.kernel.Replay;
import io.github.rhosweep.result.Column;
import io.github.rhosweep.result.Metric;
import io.github.rhosweep.result.Row;
import io.github.rhosweep.scenario.FlowFile;
import io.github.rhosweep.scenario.InputFile;
import io.github.rhosweep.scenario.InvalidValueException;
import io.github.rhosweep.scenario.MessageSizes;
import io.github.rhosweep.scenario.Parameter;
import io.github.rhosweep.scenario.Parameter.ColumnType;
import io.github.rhosweep.scenario.Parameters;
import io.github.rhosweep.scenario.Params;
import io.github.rhosweep.scenario.Quantity;
import io.github.rhosweep.scenario.Scenario;
import io.github.rhosweep.store.Location;
import io.github.rhosweep.store.Manifest;
import io.github.rhosweep.store.ParquetFlows;
import io.github.rhosweep.store.ResultsFolder;
import io.github.rhosweep.store.RowReader;
import io.github.rhosweep.store.RowWriter;
import io.github.rhosweep.store.Table;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** Everything of others' making that is read, with valid inputs to begin from. */
enum Surface {
    /** An experiment file, its plan and its first points. */
    EXPERIMENT(3, "experiment.yaml") {
        @Override
        Stream<byte[]> valid(Path folder) throws IOException {
            // That of the claims is none.
            return files(CONFIGS, ".yaml").filter(text -> text.length < 20_000);
        }

        @Override
        void read(Path file, byte[] input) throws IOException {
            Files.write(file, input);
            use(ExperimentSpec.read(file, Overrides.NONE, METRICS));
        }
    },
    /** Values of {@code --set} and {@code --sweep}. */
    OVERRIDE(3, "quickstart.yaml") {
        @Override
        Stream<byte[]> valid(Path folder) throws IOException {
            return texts(
                    "traffic.load=0.5",
                    "traffic.load=0.1,0.2",
                    "traffic.load={from: 0.1, to: 0.9, step: 0.1}",
                    "traffic.message={powers_of: 2, from: 1 KiB, to: 1 MiB}",
                    "switch.alpha=[0.5, 1, 2]",
                    "switch.buffer={from: 1 MiB, to: 16 MiB, count: 5, scale: log}",
                    "traffic.pattern=incast,uniform",
                    "link.bandwidth=400 Gb/s",
                    "link.latency=100 ns");
        }

        @Override
        void read(Path file, byte[] input) throws IOException {
            if (!Files.exists(file)) {
                Files.copy(CONFIGS.resolve("quickstart.yaml"), file);
            }
            String text = text(input);
            boolean set = input.length % 2 == 0;
            use(ExperimentSpec.read(
                    file,
                    set ? new Overrides(List.of(text), List.of()) : new Overrides(List.of(), List.of(text)),
                    METRICS));
        }
    },
    /** Numbers with units, alone and as every parameter takes them. */
    QUANTITY(24, "") {
        @Override
        Stream<byte[]> valid(Path folder) {
            return texts(
                    "64 KiB",
                    "400 Gb/s",
                    "2us",
                    "0.5",
                    "1e3 ns",
                    "-1",
                    "+5 B",
                    "12.5 GB/s",
                    "1344",
                    "auto",
                    "incast",
                    "true",
                    "1 TiB");
        }

        @Override
        void read(Path file, byte[] input) {
            String text = text(input);
            Quantity quantity = Quantity.values()[input.length % Quantity.values().length];
            List<Runnable> attempts = new ArrayList<>();
            attempts.add(() -> Quantity.canonical(quantity.parse(text, true)));
            attempts.add(() -> quantity.parse(text, false));
            // Each text goes to some of the parameters, which get a part of all texts each.
            List<Parameter<?>> parameters = Parameters.all();
            int from = text.hashCode() >>> 1;
            for (int i = 0; i < 4; i++) {
                Parameter<?> parameter = parameters.get((from + i) % parameters.size());
                attempts.add(() -> Params.parse(Map.of(parameter.path(), text)).find(parameter));
            }
            all(attempts);
        }
    },
    /** Conditions on points. */
    WHERE(24, "") {
        @Override
        Stream<byte[]> valid(Path folder) {
            return texts(
                    "switch.ecn_kmin < switch.ecn_kmax",
                    "traffic.load < 0.9 and not traffic.pattern = uniform",
                    "traffic.pattern in [incast, uniform] or traffic.flows >= 8",
                    "traffic.message * 2 + 1 B / 3 <= 64 KiB - 1 KiB",
                    "(traffic.flows * (traffic.load + -1) < 5) == true",
                    "link.bandwidth == 400 Gb/s and \"a\" != 'b'",
                    "not not traffic.load not in [0.1, 0.2, 1e-3]");
        }

        @Override
        void read(Path file, byte[] input) {
            Predicate<Params> condition = Where.condition(text(input));
            all(POINTS.stream()
                    .<Runnable>map(point -> () -> {
                        boolean unused = condition.test(point);
                    })
                    .toList());
        }
    },
    /** A switch and a trace for it, with a line of {@code =} between them; replayed if both are valid. */
    TRACE(5, "case") {
        @Override
        Stream<byte[]> valid(Path folder) throws IOException {
            List<byte[]> all = new ArrayList<>();
            try (Stream<Path> cases = Files.list(RESOURCES.resolve("vectors/switch"))) {
                for (Path each : cases.sorted().toList()) {
                    List<String> trace = Files.readAllLines(each.resolve("trace.csv"));
                    all.add((Files.readString(each.resolve("switch.yaml")) + "=\n"
                                    + String.join("\n", trace.subList(0, Math.min(40, trace.size()))) + "\n")
                            .getBytes(UTF_8));
                }
            }
            return all.stream();
        }

        @Override
        void read(Path file, byte[] input) throws IOException {
            int end = 0;
            while (end < input.length && !(input[end] == '=' && (end == 0 || input[end - 1] == '\n'))) {
                end++;
            }
            int trace = Math.min(input.length, end + 2);
            Files.createDirectories(file);
            Files.write(file.resolve("switch.yaml"), Arrays.copyOf(input, end));
            Files.write(file.resolve("trace.csv"), Arrays.copyOfRange(input, trace, Math.max(trace, input.length)));
            Replay.read(file).run().csv();
        }
    },
    /** Connection matrices and lists of flows of other simulators. */
    FLOWS(14, "flows") {
        @Override
        Stream<byte[]> valid(Path folder) throws IOException {
            return Stream.concat(
                    files(RESOURCES.resolve("workloads"), ""),
                    texts(
                            "Nodes 4\nConnections 3\nTriggers 2\n0->1 id 1 start 0 size 2000 send_done_trigger 1\n"
                                    + "1->2 id 2 trigger 1 size 3000 recv_done_trigger 2\n2->3 id 3 trigger 2 size 9 prio 1\n"
                                    + "trigger id 1 oneshot\ntrigger id 2 barrier count 1\n",
                            "start,src,dst,bytes,id\n0,0,1,1000,7\n1.5e1,2,1,1e3,8\n",
                            "2\n0 1 3 100 1000 0\n2 1 3 100 500 0.000001\n"));
        }

        @Override
        void read(Path file, byte[] input) {
            InputFile flows = InputFile.of("flows", input);
            FlowFile.Format shown = FlowFile.formatOf(flows);
            FlowFile.Format format =
                    shown == null ? FlowFile.Format.values()[input.length % FlowFile.Format.values().length] : shown;
            FlowFile.of(flows, format, BigDecimal.valueOf(1000)).schedule();
        }
    },
    /** The same in Parquet. */
    PARQUET_FLOWS(2, "flows.parquet") {
        @Override
        Stream<byte[]> valid(Path folder) throws IOException {
            List<Column> columns = Stream.of("start", "src", "dst", "bytes", "id")
                    .map(name -> new Column(name, ColumnType.INT64, "", "", ""))
                    .toList();
            List<Object[]> rows = new ArrayList<>();
            for (long i = 0; i < 20; i++) {
                rows.add(new Object[] {i, i % 4, 4 + i % 3, 1000 * i + 1, i});
            }
            return Stream.of(parquet(folder.resolve("valid.parquet"), columns, rows));
        }

        @Override
        boolean isText() {
            return false;
        }

        @Override
        void read(Path file, byte[] input) throws IOException {
            new ParquetFlows().csv(input, List.of("id", "start", "src", "dst", "bytes"));
        }
    },
    /** Distributions of message sizes. */
    SIZES(12, "sizes") {
        @Override
        Stream<byte[]> valid(Path folder) throws IOException {
            return Stream.concat(
                    Stream.of(Files.readAllBytes(RESOURCES.resolve("workloads/sizes.txt"))),
                    texts(
                            "1 0\n1000 50\n100000 100\n",
                            "# all of one size\n1e3 100\n",
                            "0 0\n1 10\n1 20\n1099511627776 100\n"));
        }

        @Override
        void read(Path file, byte[] input) {
            MessageSizes sizes = MessageSizes.of(InputFile.of("sizes", input));
            if (!(sizes.quantile(0.3) <= sizes.largest()
                    && sizes.quantile(0) >= 1
                    && Double.isFinite(sizes.meanBytes())
                    && sizes.meanFrames(1344) >= 1
                    && sizes.meanSquareFrames(1344) >= sizes.meanFrames(1344) * (1 - 1e-9))) {
                throw new AssertionError("moments or quantiles are impossible");
            }
        }
    },
    /** Fitted models, and what they predict. */
    MODEL(4, "model.json") {
        @Override
        Stream<byte[]> valid(Path folder) throws IOException {
            return files(MODELS, ".json");
        }

        @Override
        void read(Path file, byte[] input) throws IOException {
            Files.write(file, input);
            Predictor predictor = Predictor.load(file);
            for (Params point : POINTS) {
                Scenario scenario = Scenario.of(point);
                predictor.predict(scenario);
                predictor.whyOutside(predictor.conditions(scenario));
            }
            predictor.model().json();
        }
    },
    /** Manifests of results folders. */
    MANIFEST(5, "manifest.json") {
        @Override
        Stream<byte[]> valid(Path folder) throws IOException {
            ResultsFolder results = new ResultsFolder(folder);
            Manifest manifest = new Manifest(
                    1,
                    3,
                    "quickstart",
                    "1.0",
                    "unknown",
                    "17",
                    "4",
                    2,
                    "2026-01-01T00:00:00Z",
                    null,
                    "complete",
                    new Manifest.Counts(5, 4, 1, 0, 20),
                    "passed abc",
                    new Manifest.Compacted(1, 2),
                    new Manifest.Budget(60, 12.5, 3, 1));
            results.write(manifest);
            byte[] full = Files.readAllBytes(folder.resolve("manifest.json"));
            results.write(manifest.compacted(null).ended("2026-01-01T00:01:00Z", "incomplete"));
            return Stream.of(full, Files.readAllBytes(folder.resolve("manifest.json")));
        }

        @Override
        void read(Path file, byte[] input) throws IOException {
            Files.write(file, input);
            ResultsFolder folder = ResultsFolder.existing(Location.of(parent(file)));
            folder.files(Table.RUNS);
            folder.lastInvocation();
        }
    },
    /** Files of rows. */
    ROWS(3, "rows.parquet") {
        @Override
        Stream<byte[]> valid(Path folder) throws IOException {
            List<Column> columns = List.of(
                    new Column("stable", ColumnType.BOOLEAN, "", "no growth", ""),
                    new Column("drops", ColumnType.INT64, "packets", "lost", "D-5"),
                    new Column("wait_mean_ns", ColumnType.DOUBLE, "ns", "mean", "W"),
                    new Column("regime", ColumnType.STRING, "", "low to congested", ""));
            List<Object[]> few = new ArrayList<>();
            List<Object[]> many = new ArrayList<>();
            for (long i = 0; i < 300; i++) {
                Object[] row = {i % 2 == 0, i * i, i % 7 == 0 ? null : i / 3.0, "r" + i % 5};
                many.add(row);
                if (i < 3) {
                    few.add(row);
                }
            }
            return Stream.of(
                    parquet(folder.resolve("few.parquet"), columns, few),
                    parquet(folder.resolve("many.parquet"), columns, many));
        }

        @Override
        boolean isText() {
            return false;
        }

        @Override
        void read(Path file, byte[] input) throws IOException {
            Files.write(file, input);
            Location rows = Location.of(file);
            RowReader.count(rows);
            try (RowReader reader = new RowReader(rows, RowReader.columnsOf(rows))) {
                for (Row row = reader.read(); row != null; row = reader.read()) {
                    row.values();
                }
            }
        }
    },
    /** Files of claims. */
    CLAIMS(1, "claims.yaml") {
        @Override
        Stream<byte[]> valid(Path folder) throws IOException {
            // One claim at a time: the whole file takes long to read. Those that name another one's base are left out.
            String[] claims = Files.readString(CONFIGS.resolve("claims.yaml")).split("(?m)^  - (?=id:)");
            return Arrays.stream(claims)
                    .skip(1)
                    .map(claim -> "claims:\n  - " + claim.replaceAll("(?ms)^not_testable:.*", ""))
                    .filter(claim -> !claim.contains("*"))
                    .map(claim -> claim.getBytes(UTF_8));
        }

        @Override
        void read(Path file, byte[] input) throws IOException {
            Files.write(file, input);
            Claims.read(file);
        }
    };

    static final Path RESOURCES = Path.of("src/test/resources");
    private static final Path CONFIGS = Path.of("..", "configs");
    private static final Path MODELS = Path.of("..", "models");
    private static final List<String> METRICS =
            Metric.columns().stream().map(Column::name).toList();
    private static final List<Params> POINTS = List.of(
            Params.parse(Map.of()),
            Params.parse(Map.of("traffic.arrivals", "once")),
            Params.parse(Map.of("traffic.pattern", "uniform", "traffic.load", "0.95")));

    /** How many of a hundred inputs are for it. */
    final int share;

    private final String fileName;

    Surface(int share, String fileName) {
        this.share = share;
        this.fileName = fileName;
    }

    /** Valid inputs; {@code folder} is there to make some in. */
    abstract Stream<byte[]> valid(Path folder) throws IOException;

    /** Reads an input, and does with it what is done with one that is valid. {@code file} is where it may be put. */
    abstract void read(Path file, byte[] input) throws IOException;

    boolean isText() {
        return true;
    }

    Path file(Path folder) {
        return folder.resolve(fileName.isEmpty() ? "unused" : fileName);
    }

    String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    Mutator mutator(Path folder) throws IOException {
        List<byte[]> inputs = valid(folder).toList();
        List<JsonNode> trees = new ArrayList<>();
        if (this == EXPERIMENT || this == CLAIMS || this == MODEL || this == MANIFEST) {
            for (byte[] input : inputs) {
                Object tree = new Load(LoadSettings.builder().build()).loadFromString(text(input));
                trees.add(new ObjectMapper().valueToTree(tree));
            }
        }
        List<String> words = new ArrayList<>();
        if (isText() && this != FLOWS && this != SIZES && this != MANIFEST) {
            for (Parameter<?> parameter : Parameters.all()) {
                words.add(parameter.path());
                words.addAll(List.of(parameter.expected().split("[ ,:]+")));
            }
        }
        return new Mutator(inputs, trees, words);
    }

    private static void use(ExperimentSpec experiment) {
        long points = experiment.points();
        Plan.of(experiment);
        for (long index = 0; index < Math.min(points, 3); index++) {
            experiment.point(index).scenario();
            experiment.point(index).runKey(0);
        }
        experiment.effectiveYaml();
        experiment.warnings();
    }

    /**
     * Tries several things with an input: that one is refused is no reason to leave the others.
     *
     * @throws InvalidValueException the first refusal, if there is any
     */
    private static void all(List<Runnable> attempts) {
        InvalidValueException first = null;
        for (Runnable attempt : attempts) {
            try {
                attempt.run();
            } catch (InvalidValueException refused) {
                String fault = Oracle.faultOf(refused);
                if (fault != null) {
                    throw new AssertionError(fault, refused);
                }
                first = first == null ? refused : first;
            }
        }
        if (first != null) {
            throw first;
        }
    }

    private static String text(byte[] input) {
        return new String(input, UTF_8);
    }

    private static Path parent(Path file) {
        return Objects.requireNonNull(file.getParent());
    }

    private static Stream<byte[]> texts(String... texts) {
        return Stream.of(texts).map(text -> text.getBytes(UTF_8));
    }

    private static Stream<byte[]> files(Path folder, String ending) throws IOException {
        List<byte[]> contents = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.filter(f -> f.toString().endsWith(ending) && Files.isRegularFile(f))
                    .sorted()
                    .toList()) {
                contents.add(Files.readAllBytes(file));
            }
        }
        return contents.stream();
    }

    private static byte[] parquet(Path file, List<Column> columns, List<Object[]> rows) throws IOException {
        try (RowWriter writer = new RowWriter(Location.of(file), columns)) {
            for (Object[] row : rows) {
                writer.write(new Row(columns, row));
            }
        }
        return Files.readAllBytes(file);
    }
}
