package io.github.rhosweep.fit;

import io.github.rhosweep.fit.Curve.Unknown;
import io.github.rhosweep.math.RandomStream;
import io.github.rhosweep.model.Target;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.apache.commons.math3.distribution.TDistribution;
import org.apache.commons.math3.exception.ConvergenceException;
import org.apache.commons.math3.exception.TooManyEvaluationsException;
import org.apache.commons.math3.exception.TooManyIterationsException;
import org.apache.commons.math3.fitting.leastsquares.LeastSquaresBuilder;
import org.apache.commons.math3.fitting.leastsquares.LeastSquaresOptimizer.Optimum;
import org.apache.commons.math3.fitting.leastsquares.LevenbergMarquardtOptimizer;
import org.apache.commons.math3.linear.Array2DRowRealMatrix;
import org.apache.commons.math3.linear.ArrayRealVector;
import org.apache.commons.math3.linear.EigenDecomposition;
import org.apache.commons.math3.linear.RealMatrix;
import org.apache.commons.math3.linear.RealVector;
import org.apache.commons.math3.util.Pair;
import org.jspecify.annotations.Nullable;

/**
 * Fits a {@link Curve} to the logarithms of the target by Levenberg and Marquardt's method, from many seeded starts within the bounds.
 * A point weighs 1/(its variance + the variance about the curve), so that a narrow interval does not count for more than the form is
 * worth; those further off than 1.345 robust standard deviations weigh less (Huber 1964).
 */
final class CurveMethod implements Method {
    private static final int STARTS = 12;
    private static final int ROUNDS = 4;
    private static final double HUBER = 1.345;
    private static final double TOLERANCE = 1e-10;

    /** Condition of the scaled Jacobian from which coefficients count as collinear; the differences that it is made of are good to 1e-9. */
    private static final double COLLINEAR = 1e6;

    private final Curve curve;

    CurveMethod(Curve curve) {
        this.curve = curve;
    }

    @Override
    public String id() {
        return curve.id();
    }

    @Override
    public String describe() {
        return curve.formula();
    }

    @Override
    public String python() {
        return curve.python();
    }

    @Override
    public Fitted fit(Target target, List<Observation> observations, long seed) {
        return new Search(observations, seed).run();
    }

    @Override
    public Fitted restore(Target target, State state) {
        List<String> names =
                state.coefficients().stream().map(Coefficient::name).toList();
        List<String> wanted = curve.unknowns().stream().map(Unknown::name).toList();
        if (!names.equals(wanted)) {
            throw new IllegalArgumentException("coefficients " + names + " found, " + curve.id() + " has " + wanted);
        }
        return new FittedCurve(curve, state.coefficients(), "");
    }

    /** A curve with its coefficients. */
    private static final class FittedCurve implements Fitted {
        private final Curve.Function function;
        private final List<Coefficient> coefficients;
        private final double[] values;
        private final String remarks;

        FittedCurve(Curve curve, List<Coefficient> coefficients, String remarks) {
            this.function = curve.function();
            this.coefficients = List.copyOf(coefficients);
            this.values = coefficients.stream().mapToDouble(Coefficient::value).toArray();
            this.remarks = remarks;
        }

        @Override
        public double predict(Conditions at) {
            double value = function.of(values, at.zeroLoadNs(), at.serviceNs(), at.flows(), at.load(), at.frames());
            return at.load() >= 1 || !(value < Double.POSITIVE_INFINITY) ? Double.NaN : value;
        }

        @Override
        public List<Coefficient> coefficients() {
            return coefficients;
        }

        @Override
        public String remarks() {
            return remarks;
        }
    }

    /** One fit. The search is in coordinates z: the coefficient, or its logarithm. */
    private final class Search {
        private final List<Observation> data;
        private final RandomStream random;
        private final int unknowns = curve.unknowns().size();
        private final double[] low = new double[unknowns];
        private final double[] high = new double[unknowns];
        private final double[] variance;
        private final double[] logValue;

        Search(List<Observation> data, long seed) {
            this.data = data;
            this.random = RandomStream.named(seed, curve.id(), 0);
            this.variance = data.stream()
                    .mapToDouble(o -> o.relativeError() * o.relativeError())
                    .toArray();
            this.logValue =
                    data.stream().mapToDouble(o -> StrictMath.log(o.value())).toArray();
            for (int j = 0; j < unknowns; j++) {
                Unknown u = curve.unknowns().get(j);
                low[j] = u.logarithmic() ? StrictMath.log(u.low()) : u.low();
                high[j] = u.logarithmic() ? StrictMath.log(u.high()) : u.high();
            }
        }

        Fitted run() {
            refuseWhatCannotBeFitted();
            // In the middle of the ranges, whatever the values: at the end of the search some may have gone to their
            // bounds.
            refuseCollinear(
                    correlation(jacobian(start(0))),
                    IntStream.range(0, unknowns).toArray());
            double spread = 0.05; // about the curve, until known
            double[] rootWeights = rootWeights(spread, null);
            Minimum best = null;
            int agreeing = 0;
            for (int start = 0; start < STARTS; start++) {
                Minimum found = minimise(start(start), rootWeights);
                if (found == null) {
                    continue;
                }
                if (best == null || found.cost < best.cost * (1 - 1e-6)) {
                    best = found;
                    agreeing = 1;
                } else if (found.cost <= best.cost * (1 + 1e-6)) {
                    agreeing++;
                }
            }
            if (best == null) {
                throw new NotIdentifiableException(curve.id() + ": none of " + STARTS
                        + " starts converged: the data do not look like " + curve.formula());
            }
            double[] z = best.z;
            for (int round = 0; round < ROUNDS; round++) {
                double[] residuals = residuals(z);
                spread = Math.max(1e-6, robustSpread(residuals));
                rootWeights = rootWeights(spread, residuals);
                Minimum refined = minimise(z, rootWeights);
                if (refined == null) {
                    throw new NotIdentifiableException(
                            curve.id() + ": the search did not converge once far points weighed less");
                }
                z = refined.z;
            }
            return new FittedCurve(
                    curve,
                    coefficients(z, spread),
                    String.format(
                            Locale.ROOT,
                            "%d of %d starts agree; robust spread about the curve %.3g%%%s",
                            agreeing,
                            STARTS,
                            100 * spread,
                            boundRemark(z)));
        }

        private void refuseWhatCannotBeFitted() {
            int least = Math.max(3 * unknowns, unknowns + 5);
            if (data.size() < least) {
                throw new NotIdentifiableException(curve.id() + ": " + data.size() + " points for " + unknowns
                        + " coefficients, at least " + least + " are needed");
            }
            for (Feature feature : List.of(Feature.LOAD, Feature.FLOWS, Feature.FRAMES)) {
                double[] values = data.stream()
                        .mapToDouble(o -> o.conditions().get(feature))
                        .distinct()
                        .toArray();
                boolean used = curve.python().matches(".*\\b" + symbol(feature) + "\\b.*");
                if (used && Arrays.stream(values).anyMatch(Double::isNaN)) {
                    throw new NotIdentifiableException(
                            curve.id() + ": at some points " + feature.id() + " is no input, and the formula needs it");
                }
                for (Unknown u : curve.unknowns()) {
                    if (u.needs() == feature && values.length < 2) {
                        throw new NotIdentifiableException(
                                curve.id() + ": " + u.name() + " says how the target changes with " + feature.id()
                                        + ", which is " + values[0] + " at all points");
                    }
                }
            }
        }

        private static String symbol(Feature feature) {
            return feature == Feature.LOAD ? "r" : feature == Feature.FLOWS ? "N" : "b";
        }

        /** The first start is the middle, the others are drawn. */
        private double[] start(int number) {
            double[] z = new double[unknowns];
            for (int j = 0; j < unknowns; j++) {
                double share = number == 0 ? 0.5 : random.nextDouble();
                z[j] = low[j] + share * (high[j] - low[j]);
            }
            return z;
        }

        private double[] rootWeights(double spread, double @Nullable [] residuals) {
            return IntStream.range(0, data.size())
                    .mapToDouble(i -> {
                        double deviation = Math.sqrt(variance[i] + spread * spread);
                        double far = residuals == null ? 0 : Math.abs(residuals[i]) / deviation;
                        return Math.sqrt(far <= HUBER ? 1 : HUBER / far) / deviation;
                    })
                    .toArray();
        }

        private double[] natural(double[] z) {
            double[] c = new double[unknowns];
            for (int j = 0; j < unknowns; j++) {
                c[j] = curve.unknowns().get(j).logarithmic() ? StrictMath.exp(z[j]) : z[j];
            }
            return c;
        }

        private double logCurve(double[] c, int i) {
            Conditions at = data.get(i).conditions();
            double value = curve.function().of(c, at.zeroLoadNs(), at.serviceNs(), at.flows(), at.load(), at.frames());
            // Far-off trials may leave the range of doubles; any large number sends the search back.
            return StrictMath.log(Math.min(Double.MAX_VALUE, Math.max(Double.MIN_NORMAL, value)));
        }

        /** log of the curve less log of the value, at each point. */
        private double[] residuals(double[] z) {
            double[] c = natural(z);
            double[] r = new double[data.size()];
            for (int i = 0; i < r.length; i++) {
                r[i] = logCurve(c, i) - logValue[i];
            }
            return r;
        }

        private double[][] jacobian(double[] z) {
            double[][] jacobian = new double[data.size()][unknowns];
            for (int j = 0; j < unknowns; j++) {
                double h = 1e-6 * Math.max(1, Math.abs(z[j]));
                double[] up = z.clone();
                double[] down = z.clone();
                up[j] = Math.min(high[j], z[j] + h);
                down[j] = Math.max(low[j], z[j] - h);
                double[] cUp = natural(up);
                double[] cDown = natural(down);
                for (int i = 0; i < jacobian.length; i++) {
                    jacobian[i][j] = (logCurve(cUp, i) - logCurve(cDown, i)) / (up[j] - down[j]);
                }
            }
            return jacobian;
        }

        @SuppressWarnings("ArrayRecordComponent") // never compared
        private record Minimum(double[] z, double cost) {}

        private @Nullable Minimum minimise(double[] start, double[] rootWeights) {
            try {
                Optimum optimum = new LevenbergMarquardtOptimizer()
                        .withCostRelativeTolerance(TOLERANCE)
                        .withParameterRelativeTolerance(TOLERANCE)
                        .optimize(new LeastSquaresBuilder()
                                .model(point -> weighted(point.toArray(), rootWeights))
                                .target(new double[data.size()])
                                .start(start)
                                .parameterValidator(this::within)
                                .maxEvaluations(2000)
                                .maxIterations(500)
                                .build());
                double[] z = within(optimum.getPoint()).toArray();
                return new Minimum(z, optimum.getCost());
            } catch (TooManyEvaluationsException | TooManyIterationsException | ConvergenceException notConverged) {
                return null; // the other starts decide; if none converges the fit is refused
            }
        }

        private RealVector within(RealVector z) {
            double[] inside = z.toArray();
            for (int j = 0; j < unknowns; j++) {
                inside[j] = Math.min(high[j], Math.max(low[j], inside[j]));
            }
            return new ArrayRealVector(inside, false);
        }

        private Pair<RealVector, RealMatrix> weighted(double[] z, double[] rootWeights) {
            double[] r = residuals(z);
            double[][] jacobian = jacobian(z);
            for (int i = 0; i < r.length; i++) {
                r[i] *= rootWeights[i];
                for (int j = 0; j < unknowns; j++) {
                    jacobian[i][j] *= rootWeights[i];
                }
            }
            return new Pair<>(new ArrayRealVector(r, false), new Array2DRowRealMatrix(jacobian, false));
        }

        /** 1.4826 times the median of absolute residuals: the standard deviation if they are normal. */
        private double robustSpread(double[] residuals) {
            double[] sizes = Arrays.stream(residuals).map(Math::abs).sorted().toArray();
            int n = sizes.length;
            double median = n % 2 == 1 ? sizes[n / 2] : (sizes[n / 2 - 1] + sizes[n / 2]) / 2;
            return 1.4826 * median * n / (n - unknowns);
        }

        private boolean atBound(double[] z, int j) {
            return Math.min(z[j] - low[j], high[j] - z[j]) < 1e-9 * (high[j] - low[j]);
        }

        private String boundRemark(double[] z) {
            List<String> names = new ArrayList<>();
            for (int j = 0; j < unknowns; j++) {
                if (atBound(z, j)) {
                    names.add(curve.unknowns().get(j).name());
                }
            }
            return names.isEmpty() ? "" : "; at the bound of its range, without interval: " + String.join(", ", names);
        }

        /** Estimates and intervals, from the curvature at the minimum and Huber's variance of robust estimates. */
        private List<Coefficient> coefficients(double[] z, double spread) {
            int[] free =
                    IntStream.range(0, unknowns).filter(j -> !atBound(z, j)).toArray();
            double[] deviations = deviations(z, spread, free);
            List<Coefficient> coefficients = new ArrayList<>();
            for (int j = 0; j < unknowns; j++) {
                Unknown u = curve.unknowns().get(j);
                int at = Arrays.binarySearch(free, j);
                double half = at < 0 ? 0 : deviations[at];
                double[] ends = {z[j] - half, z[j], z[j] + half};
                double[] c = u.logarithmic()
                        ? Arrays.stream(ends).map(StrictMath::exp).toArray()
                        : ends;
                coefficients.add(new Coefficient(u.name(), c[1], c[0], c[2]));
            }
            return coefficients;
        }

        private double[] deviations(double[] z, double spread, int[] free) {
            int p = free.length;
            int n = data.size();
            if (p == 0) {
                throw new NotIdentifiableException(
                        curve.id() + ": every coefficient ends at the bound of its range: the data do not look like "
                                + curve.formula());
            }
            double[][] jacobian = jacobian(z);
            double[] residuals = residuals(z);
            double[][] product = new double[p][p];
            double clippedSquares = 0;
            int inside = 0;
            for (int i = 0; i < n; i++) {
                double deviation = Math.sqrt(variance[i] + spread * spread);
                double u = residuals[i] / deviation;
                double clipped = Math.max(-HUBER, Math.min(HUBER, u));
                clippedSquares += clipped * clipped;
                inside += Math.abs(u) <= HUBER ? 1 : 0;
                for (int a = 0; a < p; a++) {
                    for (int b = 0; b < p; b++) {
                        product[a][b] += jacobian[i][free[a]] * jacobian[i][free[b]] / (deviation * deviation);
                    }
                }
            }
            double[] scale = new double[p];
            for (int a = 0; a < p; a++) {
                scale[a] = Math.sqrt(product[a][a]);
                if (scale[a] == 0) {
                    throw new NotIdentifiableException(curve.id() + ": "
                            + curve.unknowns().get(free[a]).name() + " changes nothing at these points");
                }
            }
            for (int a = 0; a < p; a++) {
                for (int b = 0; b < p; b++) {
                    product[a][b] /= scale[a] * scale[b];
                }
            }
            refuseCollinear(product, free);
            RealMatrix inverse = new EigenDecomposition(new Array2DRowRealMatrix(product))
                    .getSolver()
                    .getInverse();
            double share = (double) inside / n;
            double factor = clippedSquares / (n - p) / (share * share);
            double quantile = new TDistribution(null, n - p).inverseCumulativeProbability(0.975);
            double[] deviations = new double[p];
            for (int a = 0; a < p; a++) {
                deviations[a] = quantile * Math.sqrt(factor * inverse.getEntry(a, a)) / scale[a];
            }
            return deviations;
        }

        private double[][] correlation(double[][] jacobian) {
            double[][] product = new double[unknowns][unknowns];
            for (double[] row : jacobian) {
                for (int a = 0; a < unknowns; a++) {
                    for (int b = 0; b < unknowns; b++) {
                        product[a][b] += row[a] * row[b];
                    }
                }
            }
            double[] scale = new double[unknowns];
            for (int a = 0; a < unknowns; a++) {
                scale[a] = Math.sqrt(Math.max(Double.MIN_NORMAL, product[a][a]));
            }
            for (int a = 0; a < unknowns; a++) {
                for (int b = 0; b < unknowns; b++) {
                    product[a][b] /= scale[a] * scale[b];
                }
            }
            return product;
        }

        private void refuseCollinear(double[][] correlation, int[] free) {
            if (free.length < 2) {
                return;
            }
            EigenDecomposition eigen = new EigenDecomposition(new Array2DRowRealMatrix(correlation));
            double[] values = eigen.getRealEigenvalues();
            double most = Arrays.stream(values).max().orElseThrow();
            int least = 0;
            for (int i = 1; i < values.length; i++) {
                if (values[i] < values[least]) {
                    least = i;
                }
            }
            if (values[least] > most / (COLLINEAR * COLLINEAR)) {
                return;
            }
            RealVector direction = eigen.getEigenvector(least);
            List<String> names = new ArrayList<>();
            for (int a = 0; a < free.length; a++) {
                if (Math.abs(direction.getEntry(a)) > 0.1) {
                    names.add(curve.unknowns().get(free[a]).name());
                }
            }
            throw new NotIdentifiableException(curve.id() + ": " + String.join(" and ", names)
                    + " can be traded for each other without any change at these points (collinear)."
                    + " Maybe vary flows, load and message independently");
        }
    }
}
