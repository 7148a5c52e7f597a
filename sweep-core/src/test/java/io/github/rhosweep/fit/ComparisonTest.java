package io.github.rhosweep.fit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.rhosweep.model.Target;
import io.github.rhosweep.report.ComparisonPage;
import io.github.rhosweep.report.ComparisonPictures;
import io.github.rhosweep.result.Row;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ComparisonTest {
    private static final Target MESSAGE = Target.MESSAGE;
    private static final double NOISE = 0.01;
    private static final Set<Grouping> BY = EnumSet.of(Grouping.PATTERN);

    private static final Fitted TRUTH = Methods.named(MESSAGE, "rr_fitted")
            .restore(MESSAGE, Planted.state(Map.of("k1", 0.84, "k2", 0.93, "k3", 0.99), List.of("k1", "k2", "k3")));

    private static final Comparison PLANTED = compare(
            Planted.observe(Planted.grid(), TRUTH, NOISE, 1),
            "alpha_beta",
            "segmented",
            "segmented_plain",
            "rational",
            "rr_fitted",
            "segmented_corrected");

    private static Comparison compare(List<Observation> observations, String... methods) {
        long[] ticks = {0}; // a clock that counts how often it is asked
        return Comparison.of(
                Dataset.of(MESSAGE, observations),
                BY,
                List.of(methods).stream().map(m -> Methods.named(MESSAGE, m)).toList(),
                1,
                () -> ticks[0]++);
    }

    private static ErrorSummary error(String method, HeldOut kind, String regime) {
        return PLANTED.errors().stream()
                .filter(e -> e.method().equals(method)
                        && e.summary().heldOut().equals(kind.id())
                        && e.summary().regime().equals(regime))
                .map(Comparison.ErrorRow::summary)
                .findFirst()
                .orElseThrow();
    }

    /** A normal error of 1% has a mean size of sqrt(2/pi) %: what is left when the form is the truth. */
    @Test
    void plantedTruth_isFoundTheBest_andItsErrorIsTheNoise() {
        assertThat(Objects.requireNonNull(PLANTED.best().get("pattern=incast")).id())
                .isEqualTo("rr_fitted");
        ErrorSummary all = error("rr_fitted", HeldOut.RANDOM, "all");
        double expected = NOISE * Math.sqrt(2 / Math.PI);
        // Sizes of normal errors vary by .6 of the noise.
        assertThat(all.mape()).isCloseTo(expected, within(3 * 0.603 * NOISE / Math.sqrt(all.n())));
        assertThat(all.mapeLow()).isLessThan(expected);
        assertThat(all.mapeHigh()).isGreaterThan(expected);
        assertThat(error(Comparison.BEST, HeldOut.RANDOM, "all").mape()).isEqualTo(all.mape());
    }

    @Test
    void everyPoint_isHeldOutAtRandomOnce() {
        for (String method : List.of("alpha_beta", "rr_fitted", Comparison.BEST)) {
            assertThat(error(method, HeldOut.RANDOM, "all").n()).isEqualTo(240);
            assertThat(error(method, HeldOut.LARGER_FLOWS, "all").n()).isEqualTo(40);
        }
    }

    /** Alpha-beta alone: an independent sum over the points. */
    @Test
    void errorsOfAClosedForm_areThoseAtThePoints() {
        double sum = 0;
        int n = 0;
        for (Observation o : PLANTED.dataset().usable()) {
            if (o.conditions().load() >= 0.7) {
                sum += Math.abs(o.conditions().zeroLoadNs() / o.value() - 1);
                n++;
            }
        }
        ErrorSummary congested = error("alpha_beta", HeldOut.RANDOM, "congested");
        assertThat(congested.n()).isEqualTo(n);
        assertThat(congested.mape()).isCloseTo(sum / n, within(1e-12));
        assertThat(congested.bias()).isNegative();
    }

    @Test
    void trustMap_hasAFieldForEachLoadAndN_andItsBestIsTheLeast() {
        TrustMap map = PLANTED.trustMap();
        assertThat(map.cells()).hasSize(60);
        for (TrustMap.Cell cell : map.cells()) {
            assertThat(cell.n()).isEqualTo(4);
            assertThat(cell.bestError()).isLessThanOrEqualTo(cell.secondError());
            assertThat(cell.bestError()).isLessThanOrEqualTo(cell.alphaBetaError());
            assertThat(cell.closedFormError()).isLessThanOrEqualTo(cell.alphaBetaError());
        }
        // T_ab alone breaks somewhere, the truth nowhere.
        assertThat(map.breaks().stream().filter(b -> b.method().equals("rr_fitted") && b.load() != null))
                .isEmpty();
        for (TrustMap.Break b : map.breaks()) {
            if (b.method().equals("alpha_beta") && b.load() != null) {
                double mean = PLANTED.dataset().usable().stream()
                        .filter(o -> o.conditions().flows() == b.flows()
                                && o.conditions().load() == b.load())
                        .mapToDouble(o -> Math.abs(o.conditions().zeroLoadNs() / o.value() - 1))
                        .average()
                        .orElseThrow();
                assertThat(mean).isGreaterThan(TrustMap.BROKEN);
            }
        }
        assertThat(map.breaks()).anyMatch(b -> b.method().equals("alpha_beta") && b.load() != null);
    }

    /** T = 500 + 3 M/400: a line that is there is found, and its interval is narrow. */
    @Test
    void effectiveAlphaAndBeta_areThoseOfALine() {
        List<Observation> line = new ArrayList<>();
        for (String message : List.of("1 KiB", "4 KiB", "16 KiB", "64 KiB")) {
            Conditions at = Planted.at(8, "0.5", message);
            line.add(new Observation(message, "", message, at, 500 + 3 * at.wireBytes() / 400, 0));
        }
        List<EffectiveAlphaBeta> found = EffectiveAlphaBeta.of(line, o -> "g");
        assertThat(found).hasSize(1);
        assertThat(found.get(0).alphaNs()).isCloseTo(500, within(1e-9));
        assertThat(found.get(0).alphaHalfNs()).isLessThan(1e-6);
        assertThat(found.get(0).betaGbPerS()).isCloseTo(400 / 3.0, within(1e-9));
        // The idle line of the default switch: 400 GB/s, so that the ratio is 3 but for frames shorter than a slot.
        assertThat(found.get(0).slopeRatio()).isCloseTo(3, within(0.06));
    }

    /** Normal noise of 5% on the line: its interval holds alpha in 95% of 400 trials, but for three binomial deviations. */
    @Test
    void effectiveAlpha_liesInItsIntervalAsOftenAsPromised() {
        List<Conditions> grid = new ArrayList<>();
        for (int kib : new int[] {1, 2, 4, 8, 16, 32, 64}) {
            grid.add(Planted.at(8, "0.5", kib + " KiB"));
        }
        Fitted line = new Fitted() {
            @Override
            public double predict(Conditions at) {
                return 500 + 3 * at.wireBytes() / 400;
            }
        };
        int held = 0;
        for (int seed = 1; seed <= 400; seed++) {
            EffectiveAlphaBeta e = EffectiveAlphaBeta.of(Planted.observe(grid, line, 0.02, seed), o -> "g")
                    .get(0);
            held += Math.abs(e.alphaNs() - 500) <= e.alphaHalfNs() ? 1 : 0;
        }
        assertThat(held / 400.0).isCloseTo(0.95, within(3 * Math.sqrt(0.95 * 0.05 / 400)));
    }

    /** At .3 the design's formula gains the wait of M/D/1 at once; at .7 nothing, or all that sharing and queueing were. */
    @Test
    void jumpsOfTheSegmentedModel_areThoseOfItsFormula() {
        Map<String, Continuity> found =
                PLANTED.continuity().stream().collect(Collectors.toMap(Continuity::method, c -> c));
        Continuity segmented = Objects.requireNonNull(found.get("segmented"));
        assertThat(segmented.jumps()).isEqualTo(24); // six N, four messages
        Fitted model = Methods.named(MESSAGE, "segmented").fit(MESSAGE, List.of(), 1);
        double largest = 0;
        for (Conditions at : Planted.grid()) {
            if (at.load() == 0.3) {
                double low = model.predict(at) - 0.3 / (2 * 0.7) * at.serviceNs();
                largest = Math.max(largest, model.predict(at) / low - 1);
            }
        }
        assertThat(segmented.largest()).isCloseTo(largest, within(1e-6));
        assertThat(segmented.largestAt()).isCloseTo(0.3, within(1e-6));

        Continuity plain = Objects.requireNonNull(found.get("segmented_plain"));
        assertThat(plain.jumps()).isEqualTo(48);
        assertThat(plain.largest()).isNegative();
        assertThat(plain.largestAt()).isCloseTo(0.7, within(1e-6));
        assertThat(plain.fallWithLoad()).isGreaterThan(0.1);

        Continuity corrected = Objects.requireNonNull(found.get("segmented_corrected"));
        assertThat(corrected.jumps()).isZero();
        assertThat(corrected.fallWithLoad()).isZero();
        assertThat(corrected.fallWithFlows()).isZero();
    }

    /** The clock advances by one a question: five timings of 20000 calls take 1/20000 each. */
    @Test
    void costs_areMeasuredByTheClockGiven() {
        for (Comparison.Scored s : PLANTED.methods()) {
            assertThat(s.predictNs()).isEqualTo(1.0 / 20_000);
            assertThat(s.fitNs()).isEqualTo(s.method().fits() ? 1 : 0);
        }
    }

    @Test
    void rowsFarOff_areTheWorstFirst_withTheirKeys() {
        List<Observation> spoiled = new ArrayList<>(Planted.observe(Planted.grid(), TRUTH, NOISE, 1));
        Observation honest = spoiled.get(100);
        spoiled.set(100, new Observation("odd", "out/odd", "odd", honest.conditions(), honest.value() * 2, NOISE));
        Comparison comparison = compare(spoiled, "alpha_beta", "rr_fitted");
        List<Comparison.OffRow> rows = comparison.farOff();
        assertThat(rows).isNotEmpty();
        assertThat(rows)
                .allMatch(r -> r.observation().key().equals("odd") && r.method().equals("rr_fitted"));
        assertThat(rows.get(0).error()).isCloseTo(-0.5, within(0.05));
        String page = ComparisonPage.of(comparison, List.of(), "rhosweep");
        assertThat(page).contains("`rhosweep explain out/odd --run odd-1`");
    }

    @Test
    void tablesAndPage_tellTheSameTwice() {
        Comparison again = compare(
                Planted.observe(Planted.grid(), TRUTH, NOISE, 1),
                "alpha_beta",
                "segmented",
                "segmented_plain",
                "rational",
                "rr_fitted",
                "segmented_corrected");
        assertThat(ComparisonPage.of(again, List.of(), "rhosweep"))
                .isEqualTo(ComparisonPage.of(PLANTED, List.of(), "rhosweep"))
                .contains("| alpha-beta alone | < 5% | off by > 50% | `alpha_beta` |")
                .contains("## Jumps and falls")
                .contains("| incast | random | congested | 5.00% |")
                .contains("met");
        Map<String, List<Row>> tables = ComparisonTables.of(PLANTED);
        assertThat(tables.keySet())
                .containsExactly("errors", "points", "trust", "breaks", "alpha_beta", "continuity", "cost");
        assertThat(tables.get("points"))
                .hasSize(PLANTED.methods().stream()
                        .mapToInt(s -> s.evaluation().points().size())
                        .sum());
    }

    @Test
    void pictures_areDrawn(@TempDir Path dir) throws IOException {
        Map<String, ComparisonPictures.Drawing> pictures = ComparisonPictures.of(PLANTED);
        assertThat(pictures.keySet())
                .containsExactly(
                        "errors-incast.svg",
                        "trust-pattern-incast.svg",
                        "alpha-pattern-incast.svg",
                        "beta-pattern-incast.svg");
        Path trust = dir.resolve("trust.svg");
        Objects.requireNonNull(pictures.get("trust-pattern-incast.svg")).write(trust);
        String svg = Files.readString(trust);
        assertThat(svg.split("<title>", -1)).hasSize(61); // a field for each N and load
        assertThat(svg).contains("rr_fitted (").contains("N = 64").doesNotContain("null");
    }
}
