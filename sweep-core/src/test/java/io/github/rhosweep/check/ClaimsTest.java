package io.github.rhosweep.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.github.rhosweep.result.Column;
import io.github.rhosweep.result.Row;
import io.github.rhosweep.scenario.InvalidFileException;
import io.github.rhosweep.scenario.Parameter.ColumnType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClaimsTest {
    private static final String TEXT = """
        claims:
          - id: x
            claim: A statement
            source: here
            base: {traffic: {flows: 1, message: 1344 B}, measure.messages: 100}
            points:
              low: {traffic.load: 0.1}
              high: {traffic.load: 0.5}
            measure: high.drops - low.drops
            claimed: 10
            margin: 5%
            theory: none
            condition: always
        """;

    @TempDir
    Path dir;

    private Claims read(String text) throws IOException {
        return Claims.read(Files.writeString(dir.resolve("c.yaml"), text));
    }

    @Test
    void claim_isReadAsWritten() throws Exception {
        Claim claim = read(TEXT).list().get(0);
        assertThat(claim.points()).containsExactly("low", "high");
        assertThat(claim.experiment().point(1).params().find(io.github.rhosweep.scenario.TrafficSpec.LOAD))
                .isEqualByComparingTo("0.5");
        assertThat(claim.low()).isEqualTo(10);
        assertThat(claim.high()).isEqualTo(10);
        assertThat(claim.margin()).isEqualTo(0.5);
        assertThat(claim.experiment().replicates().min()).isEqualTo(10);
    }

    /** Every claim that is known to be refuted shows why: in figures, or in a picture. */
    @Test
    void shippedClaims_showWhyTheyAreRefuted() {
        Claims claims = Claims.shipped();
        assertThat(claims.list()).hasSizeGreaterThan(60);
        assertThat(claims.list())
                .filteredOn(c -> c.pinned() == Verdict.REFUTED)
                .isNotEmpty()
                .allMatch(c -> c.closedForm() != null || c.plotX() != null);
        assertThat(claims.list()).extracting(Claim::id).allMatch(id -> id.matches("[a-z0-9-]+"));
        assertThat(claims.notTestable()).isNotEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        high.drops - low.drops | high.dropz              | unknown column `dropz`. Maybe `drops`?
        high.drops - low.drops | hih.drops               | unknown point `hih`
        high.drops - low.drops | drops                   | expected POINT.COLUMN
        high.drops - low.drops | high.drops -            | found the end
        high.drops - low.drops | high.regime             | is text
        claimed: 10            | claimed: ten            | found `ten`, expected a number
        claimed: 10            | claimed: [2, 1]         | the lower end exceeds the upper one
        claimed: 10            | claimed: {more: 1}      | expected a number, [low, high]
        margin: 5%             | margin: -1              | must not be negative
        margin: 5%             | marign: 5%              | unknown key `marign`. Maybe `margin`?
        theory: none           | theory:                 | theory: is missing
        margin: 5%             | verdict: maybe          | expected holds, refuted or undecided
        margin: 5%             | replicates: 2           | an interval needs 3 or more
        traffic.load: 0.5      | traffic.laod: 0.5       | traffic.laod
        margin: 5%             | plot: {x: traffic.lod, values: [1]}  | unknown parameter `traffic.lod`
        """)
    void mistakes_areToldWithTheirLine(String before, String after, String told) {
        assertThat(TEXT).contains(before);
        assertThatThrownBy(() -> read(TEXT.replace(before, after)))
                .isInstanceOf(InvalidFileException.class)
                .hasMessageContaining("c.yaml:")
                .hasMessageContaining(told);
    }

    private static final List<Column> DROPS = List.of(new Column("drops", ColumnType.DOUBLE, "", "", ""));

    private static Row drops(@Nullable Double value) {
        return new Row(DROPS, new @Nullable Object[] {value});
    }

    private Assessment assess(List<Double> high, int claims) throws IOException {
        List<Row> rows = new ArrayList<>();
        high.forEach(value -> rows.add(drops(value)));
        return Assessment.of(read(TEXT).list().get(0), List.of(List.of(drops(0.0)), rows), claims);
    }

    @Test
    void interval_decides() throws Exception {
        assertThat(assess(List.of(10.0, 10.1, 9.9, 10.0), 1).verdict()).isEqualTo(Verdict.HOLDS);
        assertThat(assess(List.of(12.0, 12.1, 11.9, 12.0), 1).verdict()).isEqualTo(Verdict.REFUTED);
        assertThat(assess(List.of(10.0, 11.0, 9.0, 10.0), 1).verdict()).isEqualTo(Verdict.UNDECIDED);
        // The same figures convince less where many claims are asked.
        assertThat(assess(List.of(10.2, 10.4, 10.0, 10.3), 1).verdict()).isEqualTo(Verdict.HOLDS);
        assertThat(assess(List.of(10.2, 10.4, 10.0, 10.3), 100).verdict()).isEqualTo(Verdict.UNDECIDED);
        Assessment exact = assess(List.of(10.5), 100);
        assertThat(exact.verdict()).isEqualTo(Verdict.HOLDS);
        assertThat(exact.halfWidth()).isZero();
        // t(3) = 3.182, s = 0.0816, n = 4.
        assertThat(assess(List.of(10.0, 10.1, 9.9, 10.0), 1).halfWidth()).isEqualTo(0.1299, within(1e-4));
    }

    @Test
    void missingValue_decidesNothing() throws Exception {
        List<Row> rows = List.of(drops(10.0), drops(null));
        Assessment found = Assessment.of(read(TEXT).list().get(0), List.of(List.of(drops(0.0)), rows), 1);
        assertThat(found.verdict()).isEqualTo(Verdict.UNDECIDED);
        assertThat(found.note()).isEqualTo("high.drops has no value");
    }

    /** With the truth at the very edge of the margin no more than 5% are called equal: that is what the test promises. */
    @Test
    void valueAtTheEdge_isCalledEqualInOneCaseOfTwenty() throws Exception {
        Random random = new Random(8);
        Claim claim = read(TEXT).list().get(0);
        int trials = 4000;
        int holds = 0;
        for (int trial = 0; trial < trials; trial++) {
            List<Row> rows = new ArrayList<>();
            for (int replicate = 0; replicate < 8; replicate++) {
                rows.add(drops(10.5 + 0.1 * random.nextGaussian()));
            }
            if (Assessment.of(claim, List.of(List.of(drops(0.0)), rows), 1).verdict() == Verdict.HOLDS) {
                holds++;
            }
        }
        assertThat(holds / (double) trials).isEqualTo(0.05, within(3 * Math.sqrt(0.05 * 0.95 / trials)));
    }

    @Test
    void page_tellsEveryClaimAndWhatCannotBeTested() throws Exception {
        Claims claims = read(TEXT + "not_testable:\n  - {claim: A | B, why: C}\n");
        Assessment found = assess(List.of(12.0, 12.1, 11.9, 12.0), 1);
        String page = ClaimsReport.markdown(claims, List.of(found), Map.of("x", "x.svg"));
        assertThat(page)
                .contains("0 holds, 1 refuted, 0 undecided")
                .contains("| [A statement](#x) | 10 ± 0.5 | 12 ± 0.13 |  | **refuted** |")
                .contains("![x](x.svg)")
                .contains("| A \\| B | C |");
    }
}
