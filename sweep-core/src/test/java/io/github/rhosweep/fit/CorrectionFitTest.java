package io.github.rhosweep.fit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.github.rhosweep.math.RandomStream;
import io.github.rhosweep.model.Target;
import io.github.rhosweep.scenario.InvalidValueException;
import io.github.rhosweep.scenario.Params;
import io.github.rhosweep.scenario.Scenario;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CorrectionFitTest {
    private static final Target MESSAGE = Target.MESSAGE;
    private static final Map<String, Double> RR = Map.of("k1", 0.84, "k2", 0.917, "k3", 0.985);

    private static Fitted rr() {
        return Methods.named(MESSAGE, "rr_fitted").restore(MESSAGE, Planted.state(RR, List.of("k1", "k2", "k3")));
    }

    private static Dataset planted(double noise) {
        return Dataset.of(MESSAGE, Planted.observe(Planted.grid(), rr(), noise, 1));
    }

    private static CorrectionModel model(String method, double noise) {
        CorrectionFit fit = new CorrectionFit(planted(noise), EnumSet.of(Grouping.PATTERN, Grouping.ITERATIONS), 1);
        Method m = Methods.named(MESSAGE, method);
        return fit.fit(m, fit.evaluate(m));
    }

    /** Evaluation takes many fits; where its outcome does not matter it is left out. */
    private static CorrectionModel withoutEvidence(String method) {
        Fitted fitted =
                Methods.named(MESSAGE, method).fit(MESSAGE, planted(0.02).usable(), 1);
        return new CorrectionModel(
                1,
                method,
                Methods.named(MESSAGE, method).describe(),
                MESSAGE.measuredColumn(),
                1,
                List.of("planted"),
                new CorrectionModel.Evidence("", 240, 0, 0),
                List.of("pattern"),
                List.of(new CorrectionModel.Group(
                        "pattern=incast",
                        240,
                        Map.of(),
                        List.of(),
                        Map.of(),
                        fitted.state(),
                        "",
                        List.of(),
                        List.of())));
    }

    private static List<Observation> observe(List<Conditions> grid) {
        return Planted.observe(grid, rr(), 0.02, 1);
    }

    @Test
    void tooFewPoints_areRefused() {
        assertThatThrownBy(() -> Methods.named(MESSAGE, "rr_fitted")
                        .fit(MESSAGE, observe(Planted.grid().subList(0, 5)), 1))
                .isInstanceOf(NotIdentifiableException.class)
                .hasMessageContaining("5 points for 3 coefficients, at least 9");
    }

    @Test
    void constantLoad_isRefused() {
        List<Conditions> grid = new ArrayList<>(Planted.grid());
        grid.removeIf(c -> c.load() != 0.5);
        assertThatThrownBy(() -> Methods.named(MESSAGE, "rational").fit(MESSAGE, observe(grid), 1))
                .isInstanceOf(NotIdentifiableException.class)
                .hasMessageContaining("load, which is 0.5 at all points");
        assertThatThrownBy(() -> Methods.named(MESSAGE, "lookup").fit(MESSAGE, observe(grid), 1))
                .isInstanceOf(NotIdentifiableException.class);
    }

    /** Two loads and two numbers of senders in step: N^e stands in for the loads' exponents. */
    @Test
    void collinearFeatures_areRefused() {
        List<Conditions> grid = new ArrayList<>();
        for (int k = 0; k < 8; k++) {
            grid.add(Planted.at(4, "0.3", (1 + k) + " KiB"));
            grid.add(Planted.at(16, "0.8", (1 + k) + " KiB"));
        }
        assertThatThrownBy(() -> Methods.named(MESSAGE, "rational").fit(MESSAGE, observe(grid), 1))
                .isInstanceOf(NotIdentifiableException.class)
                .hasMessageContaining("collinear");
    }

    @Test
    void nothingUsable_isRefused() {
        assertThatThrownBy(() -> new CorrectionFit(Dataset.of(MESSAGE, List.of()), EnumSet.noneOf(Grouping.class), 1))
                .isInstanceOf(NotIdentifiableException.class)
                .hasMessageContaining("no point to fit to");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "rr_fitted",
                "segmented_corrected",
                "lookup",
                "lookup_cubic",
                "regression",
                "regression_increment"
            })
    void modelFile_givesTheSamePredictionsToTheLastBit(String method, @TempDir Path dir) throws IOException {
        CorrectionModel model = withoutEvidence(method);
        Path file = dir.resolve("model.json");
        model.write(file);
        assertThat(Files.list(dir)).containsExactly(file);
        assertThat(CorrectionModel.read(file)).isEqualTo(model);
        Predictor before = new Predictor(model);
        Predictor after = Predictor.load(file);
        for (Conditions at : Planted.grid()) {
            assertThat(after.predict(at)).isEqualTo(before.predict(at));
        }
    }

    @Test
    void fit_isReproducedBitForBit() {
        assertThat(model("rr_fitted", 0.02).json())
                .isEqualTo(model("rr_fitted", 0.02).json());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"format\" : 1|\"format\" : 9|format 9 found",
                "\"method\" : \"rr_fitted\"|\"method\" : \"rr_fited\"|Maybe `rr_fitted`",
                "\"points\" : 240|\"pts\" : 240|dataset.points: Missing",
                "\"k1\"|\"k9\"|coefficients [k9, k2, k3] found",
                "\"format\" : 1,|\"format\" : 1|:3: no JSON"
            })
    void brokenModelFiles_areRefusedWithFileAndKey(String change, @TempDir Path dir) throws IOException {
        String[] parts = change.split("\\|");
        Path file = dir.resolve("model.json");
        String text = withoutEvidence("rr_fitted").json();
        assertThat(text).contains(parts[0]);
        Files.writeString(file, text.replaceFirst(java.util.regex.Pattern.quote(parts[0]), parts[1]));
        assertThatThrownBy(() -> Predictor.load(file))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContaining("model.json")
                .hasMessageContaining(parts[2])
                .message()
                .doesNotContain("\n");
    }

    @Test
    void prediction_isNearTheTruth_andFlagsWhatLiesOutside() {
        Predictor predictor = new Predictor(model("rr_fitted", 0.02));
        Conditions inside = Planted.at(12, "0.63", "10 KiB");
        Forecast forecast = predictor.predict(inside);
        assertThat(forecast.outsideDomain()).isFalse();
        assertThat(predictor.whyOutside(inside)).isEmpty();
        assertThat(forecast.verifyBySimulation()).isFalse();
        assertThat(forecast.valueNs()).isCloseTo(rr().predict(inside), within(0.01 * forecast.valueNs()));
        assertThat(forecast.lowNs()).isLessThan(forecast.valueNs());
        assertThat(forecast.highNs()).isGreaterThan(forecast.valueNs());

        Conditions larger = Planted.at(300, "0.99", "10 KiB");
        assertThat(predictor.predict(larger).outsideDomain()).isTrue();
        assertThat(predictor.predict(larger).verifyBySimulation()).isTrue();
        assertThat(predictor.whyOutside(larger)).hasSize(2);
        assertThat(predictor
                        .predict(Planted.at(8, "0.5", "10 KiB", "traffic.arrivals", "hyperexponential"))
                        .outsideDomain())
                .isTrue();
        assertThat(predictor
                        .predict(Planted.at(
                                8, "0.5", "10 KiB", "switch.admission", "static", "switch.static_limit_bytes", "1 MiB"))
                        .outsideDomain())
                .isTrue();
        Forecast otherPattern = predictor.predict(
                Scenario.of(Params.parse(Map.of("traffic.pattern", "uniform", "traffic.flows", "8"))));
        assertThat(otherPattern.valueNs()).isNaN();
        assertThat(otherPattern.outsideDomain()).isTrue();
        assertThat(predictor.predict(Planted.at(8, "1.2", "10 KiB")).valueNs()).isNaN();
    }

    /** Four threads that share a predictor and the conditions hear what one hears, to the last bit. */
    @ParameterizedTest
    @ValueSource(strings = {"rr_fitted", "segmented_corrected", "lookup_cubic", "regression"})
    void predictor_isSharedByThreads(String method) throws Exception {
        Predictor predictor = new Predictor(withoutEvidence(method));
        List<Conditions> asked = new ArrayList<>(Planted.grid());
        List<Forecast> alone = asked.stream().map(predictor::predict).toList();
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Future<List<Forecast>>> heard = new ArrayList<>();
            for (int thread = 0; thread < 4; thread++) {
                int first = thread * 60; // each begins elsewhere
                heard.add(threads.submit(() -> {
                    List<Forecast> all = new ArrayList<>(alone);
                    for (int round = 0; round < 20; round++) {
                        for (int i = 0; i < asked.size(); i++) {
                            int at = (first + i) % asked.size();
                            all.set(at, predictor.predict(asked.get(at).point().scenario()));
                        }
                    }
                    return all;
                }));
            }
            for (Future<List<Forecast>> one : heard) {
                assertThat(one.get(5, TimeUnit.MINUTES)).isEqualTo(alone);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    /** The interval of 48 or more held-out points covers 95% but for 0.95 n binomial deviations of three sigma. */
    @Test
    void intervals_coverWhatTheyPromise() {
        for (Evaluation.Interval i : model("rr_fitted", 0.02).groups().get(0).intervals()) {
            assertThat(i.coverage()).isNotNull();
            assertThat(i.coverage()).isGreaterThan(0.95 - 3 * Math.sqrt(0.95 * 0.05 / i.n()));
            // 2% noise: its 0.95-quantile is 3.9%, and of n points' estimate thereof less than half off.
            assertThat(i.relative()).isBetween(0.02, 0.08);
        }
    }

    /** Nothing of a held-out point's stream is fitted to, however points are held out. */
    @Test
    void heldOutPoints_areNotFittedTo_norAreThoseOfTheSameStream() {
        Set<String> broken = new HashSet<>();
        Method spy = new Method() {
            private Set<String> streams = Set.of();

            @Override
            public String id() {
                return "spy";
            }

            @Override
            public String describe() {
                return "";
            }

            @Override
            public Fitted fit(Target target, List<Observation> observations, long seed) {
                Set<String> seen = new HashSet<>();
                observations.forEach(
                        o -> seen.add(o.stream() + " " + o.conditions().hashCode()));
                streams = new HashSet<>(
                        observations.stream().map(Observation::stream).toList());
                Set<Conditions> trained = new HashSet<>(
                        observations.stream().map(Observation::conditions).toList());
                return new Fitted() {
                    @Override
                    public double predict(Conditions conditions) {
                        if (trained.contains(conditions)) {
                            broken.add(seen.toString());
                        }
                        return 1;
                    }
                };
            }

            @Override
            public Fitted restore(Target target, State state) {
                throw new IllegalStateException();
            }
        };
        List<Observation> paired = new ArrayList<>();
        int i = 0;
        for (Observation o : observe(Planted.grid())) {
            // Common random numbers along load: points of one N and one size share a stream.
            paired.add(new Observation(o.key(), "", "s" + i++ / 10, o.conditions(), o.value(), 0));
        }
        Evaluation evaluation = Evaluation.of(spy, MESSAGE, paired, EnumSet.of(Grouping.PATTERN), 1);
        assertThat(broken).isEmpty();
        Map<String, Set<HeldOut>> kinds = new java.util.TreeMap<>();
        evaluation
                .points()
                .forEach(p -> kinds.computeIfAbsent(p.observation().stream(), s -> new HashSet<>())
                        .add(p.kind()));
        assertThat(kinds).hasSize(24);
        // Every stream has every load: with unseen loads nothing would be left to fit to, which is said.
        assertThat(evaluation.refusals()).contains("unseen-loads: nothing left to fit to");
    }

    /** Whatever its coefficients: continuous, and never falls with load or number of senders. */
    @Test
    void segmentedCorrected_isContinuousAndMonotone() {
        RandomStream random = new RandomStream(7);
        Curve curve = Curves.all().stream()
                .filter(c -> c.id().equals("segmented_corrected"))
                .findFirst()
                .orElseThrow();
        for (int trial = 0; trial < 200; trial++) {
            double[] c = curve.unknowns().stream()
                    .mapToDouble(u -> u.logarithmic()
                            ? Math.exp(Math.log(u.low()) + random.nextDouble() * Math.log(u.high() / u.low()))
                            : u.low() + random.nextDouble() * (u.high() - u.low()))
                    .toArray();
            for (double r : new double[] {0.3, 0.7}) {
                double below = curve.function().of(c, 100, 50, 8, Math.nextDown(r), 13);
                double above = curve.function().of(c, 100, 50, 8, Math.nextUp(r), 13);
                assertThat(above).as("at %s, trial %d of seed 7", r, trial).isCloseTo(below, within(1e-9 * below));
            }
            for (int n = 1; n <= 128; n *= 2) {
                double before = 0;
                for (double r = 0.01; r < 0.99; r += 0.01) {
                    double value = curve.function().of(c, 100, 50, n, r, 13);
                    assertThat(value).isGreaterThanOrEqualTo(before);
                    assertThat(curve.function().of(c, 100, 50, n * 2, r, 13)).isGreaterThanOrEqualTo(value);
                    before = value;
                }
            }
        }
    }

    @Test
    void monotoneCubic_keepsPointsAndHasNoBumps() {
        double[] x = {0, 1, 2, 3, 4};
        double[] y = {0, 0, 1, 10, 10};
        double[] slopes = Lookup.slopes(x, y);
        assertThat(slopes[0]).isZero();
        assertThat(slopes[1]).isZero();
        assertThat(slopes[3]).isZero();
        // Fritsch and Carlson: within 3 secants on both sides no cubic overshoots.
        assertThat(slopes[2]).isBetween(0.0, 3.0);
        double[] straight = Lookup.slopes(x, new double[] {1, 3, 5, 7, 9});
        assertThat(straight).containsOnly(2.0);
    }

    /** An independent reader: Python computes the same from the exported file. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "power",
                "one_pole",
                "rational_total",
                "rational",
                "rational_frames",
                "additive_power",
                "rr_fitted",
                "segmented_corrected",
                "lookup",
                "lookup_cubic",
                "regression",
                "regression_increment"
            })
    void pythonFile_agreesTo1e12(String method, @TempDir Path dir) throws Exception {
        Assumptions.assumeTrue(pythonExists(), "python3 is not installed");
        CorrectionModel model = withoutEvidence(method);
        Files.writeString(dir.resolve("m.py"), PythonExport.of(model));
        RandomStream random = new RandomStream(3);
        StringBuilder script = new StringBuilder("import m\n");
        List<Double> expected = new ArrayList<>();
        Predictor predictor = new Predictor(model);
        for (int i = 0; i < 200; i++) {
            Conditions at = Planted.at(
                    1 + random.nextInt(80), "0." + (10 + random.nextInt(88)), (1 + random.nextInt(90000)) + " B");
            expected.add(predictor.predict(at).valueNs());
            script.append("print(repr(m.predict('pattern=incast', " + at.flows() + ", " + at.load() + ", " + at.frames()
                    + ", " + at.zeroLoadNs() + ", " + at.serviceNs() + ")))\n");
        }
        Files.writeString(dir.resolve("run.py"), script);
        Process python = new ProcessBuilder("python3", "run.py")
                .directory(dir.toFile())
                .redirectErrorStream(true)
                .start();
        List<String> lines = new String(python.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .lines()
                .toList();
        assertThat(lines).hasSize(expected.size());
        for (int i = 0; i < lines.size(); i++) {
            assertThat(Double.parseDouble(lines.get(i)))
                    .as("point %d of seed 3", i)
                    .isCloseTo(expected.get(i), within(1e-12 * expected.get(i)));
        }
    }

    @Test
    void namesInThePythonFile_stayText() {
        CorrectionModel m = withoutEvidence("rr_fitted");
        String name = "\"\"\"\nraise SystemExit(7)\n\"\"\" \\";
        String python = PythonExport.of(new CorrectionModel(
                m.format(),
                m.method(),
                m.formula(),
                m.target(),
                m.semanticsVersion(),
                List.of(name),
                m.dataset(),
                m.by(),
                m.groups()));
        assertThat(python.split("\"\"\"", -1)).as("its one docstring").hasSize(3);
        assertThat(python.lines()).noneMatch(line -> line.startsWith("raise"));
    }

    private static boolean pythonExists() {
        try {
            return new ProcessBuilder("python3", "--version").start().waitFor(20, TimeUnit.SECONDS);
        } catch (IOException missing) {
            return false;
        } catch (InterruptedException e) {
            throw new UncheckedIOException(new IOException(e));
        }
    }
}
