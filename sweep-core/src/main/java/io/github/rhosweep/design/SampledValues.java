package io.github.rhosweep.design;

import io.github.rhosweep.scenario.Parameter;
import io.github.rhosweep.scenario.Parameter.ColumnType;
import io.github.rhosweep.scenario.Position;
import io.github.rhosweep.scenario.ScenarioTree;
import io.github.rhosweep.scenario.ScenarioTree.Setting;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.AbstractList;
import java.util.List;
import java.util.stream.IntStream;

/** The values of an axis of a {@link Sampling}: one for each point, computed when asked. */
abstract sealed class SampledValues extends AbstractList<List<Setting>> {
    /** Groups that a range is divided into where a person looks at values. */
    private static final int GROUPS = 8;

    /** What a double column and every JDK keep of a decimal. */
    private static final int MOST_DIGITS = 15;

    /** Room between two coordinates after rounding. */
    private static final double ROUNDING = 8;

    final int points;
    final Sampling.Coordinates coordinates;

    private SampledValues(int points, Sampling.Coordinates coordinates) {
        this.points = points;
        this.coordinates = coordinates;
    }

    @Override
    public int size() {
        return points;
    }

    /** Whether no two points have the same value, which only a fine range promises. */
    abstract boolean distinct();

    /** How many values there are at most. */
    abstract double choices();

    /** Names of groups of values, in their order. */
    abstract List<String> groups();

    /** The number of the group of a point's value. */
    abstract int group(int point);

    /** Some of given values: a list, a stepped range or linked parameters. */
    static final class Chosen extends SampledValues {
        private final Axis from;

        Chosen(Axis from, int points, Sampling.Coordinates coordinates) {
            super(points, coordinates);
            this.from = from;
        }

        /** The axis as it would be in a product. */
        Axis from() {
            return from;
        }

        @Override
        public List<Setting> get(int point) {
            return from.values().get(group(point));
        }

        @Override
        boolean distinct() {
            return false;
        }

        @Override
        double choices() {
            return from.size();
        }

        @Override
        List<String> groups() {
            return IntStream.range(0, from.size()).mapToObj(from::text).toList();
        }

        @Override
        int group(int point) {
            return (int) (coordinates.at(point) * from.size());
        }
    }

    /** Any value of a range, rounded so far that points stay apart. */
    static final class Range extends SampledValues {
        private final Parameter<?> parameter;
        private final BigDecimal from;
        private final BigDecimal to;
        private final boolean log;
        private final boolean whole;
        private final double logRatio;
        /** Decimals of a linear range, significant digits of a logarithmic one. */
        private final int digits;

        private final boolean distinct;
        private final Position position;

        /** @param from below {@code to}, and above 0 if {@code log} */
        Range(
                Parameter<?> parameter,
                BigDecimal from,
                BigDecimal to,
                boolean log,
                Sampling sampling,
                Sampling.Coordinates coordinates,
                Position position) {
            super(sampling.points(), coordinates);
            this.parameter = parameter;
            this.from = from;
            this.to = to;
            this.log = log;
            this.position = position;
            this.whole = parameter.columnType() == ColumnType.INT64;
            this.logRatio =
                    log ? StrictMath.log(to.divide(from, MathContext.DECIMAL64).doubleValue()) : 0;
            double span = log ? logRatio : to.subtract(from).doubleValue();
            int fine = (int) Math.ceil(-StrictMath.log10(span / (sampling.cells() * ROUNDING)));
            int before = to.precision() - to.scale();
            int most = log ? MOST_DIGITS : MOST_DIGITS - before;
            this.digits = Math.max(log ? 1 : 0, Math.min(log ? fine + 1 : fine, most));
            this.distinct = !whole && (log ? fine + 1 : fine) <= most;
        }

        BigDecimal low() {
            return from;
        }

        BigDecimal high() {
            return to;
        }

        boolean isLog() {
            return log;
        }

        @Override
        public List<Setting> get(int point) {
            String text = parameter.text(number(coordinates.at(point)));
            return List.of(new Setting(parameter, text, ScenarioTree.parse(parameter, text), position));
        }

        private BigDecimal number(double u) {
            if (whole && !log) {
                BigDecimal count = to.subtract(from).add(BigDecimal.ONE);
                return from.add(count.multiply(new BigDecimal(u)).setScale(0, RoundingMode.FLOOR));
            }
            BigDecimal value = log
                    ? from.multiply(new BigDecimal(StrictMath.exp(logRatio * u)))
                            .round(new MathContext(digits))
                    : from.add(to.subtract(from).multiply(new BigDecimal(u))).setScale(digits, RoundingMode.HALF_EVEN);
            return (whole ? value.setScale(0, RoundingMode.HALF_UP) : value)
                    .max(from)
                    .min(to);
        }

        @Override
        boolean distinct() {
            return distinct;
        }

        @Override
        double choices() {
            return whole ? to.subtract(from).doubleValue() + 1 : Double.POSITIVE_INFINITY;
        }

        @Override
        List<String> groups() {
            return IntStream.range(0, groupCount())
                    .mapToObj(g -> fewValues()
                            ? parameter.text(from.add(BigDecimal.valueOf(g)))
                            : edge(g) + " .. " + edge(g + 1))
                    .toList();
        }

        private boolean fewValues() {
            return whole && !log && choices() <= GROUPS;
        }

        private int groupCount() {
            return fewValues() ? (int) choices() : Math.max(1, Math.min(GROUPS, points / 4));
        }

        private String edge(int group) {
            BigDecimal value = group == groupCount() ? to : group == 0 ? from : number((double) group / groupCount());
            return parameter.text(value.round(new MathContext(4)));
        }

        @Override
        int group(int point) {
            return (int) (coordinates.at(point) * groupCount());
        }
    }
}
