package io.github.rhosweep.fit;

import io.github.rhosweep.math.RandomStream;
import io.github.rhosweep.model.Target;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.apache.commons.math3.distribution.NormalDistribution;
import org.apache.commons.math3.linear.Array2DRowRealMatrix;
import org.apache.commons.math3.linear.ArrayRealVector;
import org.apache.commons.math3.linear.CholeskyDecomposition;
import org.apache.commons.math3.linear.RealMatrix;

/**
 * Ridge regression on log N, log b, rho, log 1/(1-rho), 1/(1-rho), alpha, kmin, kmax, log iterations, whichever of them vary, and all
 * their products in pairs. The penalty is chosen by cross-validation among powers of ten.
 */
final class Regression implements Method {
    private static final double[] PENALTIES = {1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2};
    private static final int FOLDS = 5;

    /** What is regressed: the logarithm of T/T_ab, or the increment (T - T_ab)/S with relative weights. */
    enum Response {
        LOG_RATIO,
        INCREMENT
    }

    /** A variable that terms are made of. */
    enum Variable {
        LOG_FLOWS(Feature.FLOWS),
        LOG_FRAMES(Feature.FRAMES),
        LOAD(Feature.LOAD),
        LOG_POLE(Feature.LOAD),
        POLE(Feature.LOAD),
        DT_ALPHA(Feature.DT_ALPHA),
        ECN_KMIN(Feature.ECN_KMIN),
        ECN_KMAX(Feature.ECN_KMAX),
        LOG_ITERATIONS(Feature.ISLIP_ITERATIONS);

        private final Feature feature;

        Variable(Feature feature) {
            this.feature = feature;
        }

        static Variable named(String name) {
            for (Variable variable : values()) {
                if (variable.name().toLowerCase(Locale.ROOT).equals(name)) {
                    return variable;
                }
            }
            throw new IllegalArgumentException("unknown variable `" + name + "` in a term");
        }

        double of(Conditions at) {
            double x = at.get(feature);
            return switch (this) {
                case LOG_FLOWS, LOG_FRAMES, LOG_ITERATIONS -> StrictMath.log(x);
                case LOG_POLE -> -StrictMath.log(1 - x);
                case POLE -> 1 / (1 - x);
                case LOAD, DT_ALPHA, ECN_KMIN, ECN_KMAX -> x;
            };
        }
    }

    /** A product of up to two variables; none: the constant. */
    private record Term(List<Variable> variables) {
        String id() {
            return variables.isEmpty()
                    ? "constant"
                    : String.join(
                            "*",
                            variables.stream()
                                    .map(v -> v.name().toLowerCase(Locale.ROOT))
                                    .toList());
        }

        static Term of(String id) {
            return new Term(
                    id.equals("constant")
                            ? List.of()
                            : Arrays.stream(id.split("\\*"))
                                    .map(Variable::named)
                                    .toList());
        }

        double of(double[] variables) {
            double product = 1;
            for (Variable v : this.variables) {
                product *= variables[v.ordinal()];
            }
            return product;
        }
    }

    private static final Variable[] VARIABLES = Variable.values();

    private final Response response;

    Regression(Response response) {
        this.response = response;
    }

    @Override
    public String id() {
        return response == Response.LOG_RATIO ? "regression" : "regression_increment";
    }

    @Override
    public String describe() {
        return (response == Response.LOG_RATIO ? "T = T_ab exp(sum)" : "T = T_ab + S max(0, sum)")
                + ", terms: log N, log b, r, log 1/(1-r), 1/(1-r), alpha, kmin, kmax, log iterations and products in pairs; ridge";
    }

    private static double[] variables(Conditions at) {
        double[] values = new double[VARIABLES.length];
        for (Variable v : VARIABLES) {
            values[v.ordinal()] = v.of(at);
        }
        return values;
    }

    private double value(Observation o) {
        Conditions at = o.conditions();
        return response == Response.LOG_RATIO
                ? StrictMath.log(o.value() / at.zeroLoadNs())
                : (o.value() - at.zeroLoadNs()) / at.serviceNs();
    }

    /** Root of a point's weight: one over the deviation that 1%, and its own interval, make in the response. */
    private double rootWeight(Observation o) {
        double relative = Math.sqrt(o.relativeError() * o.relativeError() + 1e-4);
        return response == Response.LOG_RATIO ? 1 / relative : o.conditions().serviceNs() / (o.value() * relative);
    }

    @Override
    public Fitted fit(Target target, List<Observation> observations, long seed) {
        List<double[]> all =
                observations.stream().map(o -> variables(o.conditions())).toList();
        for (double[] values : all) {
            if (Double.isNaN(values[Variable.LOAD.ordinal()]) || values[Variable.LOAD.ordinal()] >= 1) {
                throw new NotIdentifiableException(id() + ": at some points load is no input below 1");
            }
        }
        List<Variable> varying = new ArrayList<>();
        for (Variable v : VARIABLES) {
            double first = all.get(0)[v.ordinal()];
            if (all.stream().allMatch(x -> Double.isFinite(x[v.ordinal()]))
                    && all.stream().anyMatch(x -> Math.abs(x[v.ordinal()] - first) > 1e-9 * Math.abs(first))) {
                varying.add(v);
            }
        }
        if (varying.isEmpty()) {
            throw new NotIdentifiableException(id() + ": nothing varies among the points");
        }
        List<Term> terms = new ArrayList<>();
        varying.forEach(v -> terms.add(new Term(List.of(v))));
        for (int i = 0; i < varying.size(); i++) {
            for (int j = i; j < varying.size(); j++) {
                terms.add(new Term(List.of(varying.get(i), varying.get(j))));
            }
        }
        int least = terms.size() + 6;
        if (observations.size() < least) {
            throw new NotIdentifiableException(id() + ": " + observations.size() + " points for " + (terms.size() + 1)
                    + " terms, at least " + least + " are needed");
        }
        Problem problem = new Problem(observations, all, terms);
        double penalty = problem.choosePenalty(seed);
        List<Coefficient> coefficients = problem.solve(penalty, null).coefficients(terms);
        return new FittedRegression(
                coefficients, String.format(Locale.ROOT, "%d terms, penalty %.0e", coefficients.size(), penalty));
    }

    @Override
    public Fitted restore(Target target, State state) {
        if (state.coefficients().isEmpty()) {
            throw new IllegalArgumentException("a regression has coefficients");
        }
        return new FittedRegression(state.coefficients(), "");
    }

    /** Weighted observations with columns brought to mean 0 and deviation 1. */
    private final class Problem {
        private final double[][] x;
        private final double[] y;
        private final double[] rootWeights;
        private final String[] streams;
        private final double[] means;
        private final double[] deviations;

        Problem(List<Observation> observations, List<double[]> variables, List<Term> terms) {
            int n = observations.size();
            int p = terms.size();
            x = new double[n][p];
            means = new double[p];
            deviations = new double[p];
            y = observations.stream().mapToDouble(Regression.this::value).toArray();
            rootWeights = observations.stream()
                    .mapToDouble(Regression.this::rootWeight)
                    .toArray();
            streams = observations.stream().map(Observation::stream).toArray(String[]::new);
            for (int j = 0; j < p; j++) {
                double sum = 0;
                double squares = 0;
                for (int i = 0; i < n; i++) {
                    x[i][j] = terms.get(j).of(variables.get(i));
                    sum += x[i][j];
                }
                means[j] = sum / n;
                for (int i = 0; i < n; i++) {
                    squares += (x[i][j] - means[j]) * (x[i][j] - means[j]);
                }
                deviations[j] = squares == 0 ? 1 : Math.sqrt(squares / n);
                for (int i = 0; i < n; i++) {
                    x[i][j] = (x[i][j] - means[j]) / deviations[j];
                }
            }
        }

        /** Points of one stream are in one fold. */
        double choosePenalty(long seed) {
            int[] fold = Folds.random(Arrays.asList(streams), FOLDS, RandomStream.named(seed, "penalty", 0));
            double best = PENALTIES[0];
            double least = Double.POSITIVE_INFINITY;
            for (double penalty : PENALTIES) {
                double error = 0;
                for (int k = 0; k < FOLDS; k++) {
                    boolean[] out = new boolean[y.length];
                    for (int i = 0; i < y.length; i++) {
                        out[i] = fold[i] == k;
                    }
                    Solution solution = solve(penalty, out);
                    for (int i = 0; i < y.length; i++) {
                        if (out[i]) {
                            double residual = (solution.at(x[i]) - y[i]) * rootWeights[i];
                            error += residual * residual;
                        }
                    }
                }
                if (error < least) {
                    least = error;
                    best = penalty;
                }
            }
            return best;
        }

        /** @param out points left out, or null */
        Solution solve(double penalty, boolean @org.jspecify.annotations.Nullable [] out) {
            int p = means.length + 1; // the constant last, not penalised
            double[][] product = new double[p][p];
            double[] right = new double[p];
            double weights = 0;
            for (int i = 0; i < y.length; i++) {
                if (out != null && out[i]) {
                    continue;
                }
                double w = rootWeights[i] * rootWeights[i];
                weights += w;
                for (int a = 0; a < p; a++) {
                    double xa = w * (a == p - 1 ? 1 : x[i][a]);
                    right[a] += xa * y[i];
                    for (int b = 0; b <= a; b++) {
                        product[a][b] += xa * (b == p - 1 ? 1 : x[i][b]);
                    }
                }
            }
            for (int a = 0; a < p; a++) {
                for (int b = a + 1; b < p; b++) {
                    product[a][b] = product[b][a];
                }
            }
            RealMatrix plain = new Array2DRowRealMatrix(product);
            RealMatrix penalised = plain.copy();
            for (int a = 0; a < p - 1; a++) {
                penalised.addToEntry(a, a, penalty * weights);
            }
            RealMatrix inverse =
                    new CholeskyDecomposition(penalised, 1e-9, 0).getSolver().getInverse();
            double[] solution = inverse.operate(new ArrayRealVector(right)).toArray();
            return new Solution(this, solution, plain);
        }
    }

    /** A solution in standardised columns. */
    private static final class Solution {
        private final Problem problem;
        private final double[] c;
        private final RealMatrix plain;

        Solution(Problem problem, double[] c, RealMatrix plain) {
            this.problem = problem;
            this.c = c;
            this.plain = plain;
        }

        double at(double[] x) {
            double sum = c[c.length - 1];
            for (int j = 0; j < x.length; j++) {
                sum += c[j] * x[j];
            }
            return sum;
        }

        /**
         * In the terms' own scale, the constant first. Intervals are as wide as without penalty: what it pulls estimates towards 0 is less
         * than what it saves of their variance, or cross-validation would not choose it, but is not known.
         */
        List<Coefficient> coefficients(List<Term> terms) {
            int p = c.length;
            double squares = 0;
            for (int i = 0; i < problem.y.length; i++) {
                double residual = (at(problem.x[i]) - problem.y[i]) * problem.rootWeights[i];
                squares += residual * residual;
            }
            RealMatrix bare = plain.copy();
            for (int a = 0; a < p - 1; a++) {
                bare.addToEntry(a, a, 1e-12 * plain.getEntry(p - 1, p - 1)); // against rounding alone
            }
            RealMatrix covariance = new CholeskyDecomposition(bare, 1e-9, 0)
                    .getSolver()
                    .getInverse()
                    .scalarMultiply(squares / Math.max(1, problem.y.length - p));
            double quantile = new NormalDistribution(null, 0, 1).inverseCumulativeProbability(0.975);
            double[] back = new double[p]; // the constant, as a combination of the standardised ones
            back[p - 1] = 1;
            double constant = c[p - 1];
            List<Coefficient> coefficients = new ArrayList<>();
            for (int j = 0; j < p - 1; j++) {
                double value = c[j] / problem.deviations[j];
                double half = quantile * Math.sqrt(Math.max(0, covariance.getEntry(j, j))) / problem.deviations[j];
                coefficients.add(new Coefficient(terms.get(j).id(), value, value - half, value + half));
                constant -= value * problem.means[j];
                back[j] = -problem.means[j] / problem.deviations[j];
            }
            ArrayRealVector direction = new ArrayRealVector(back);
            double half = quantile * Math.sqrt(Math.max(0, direction.dotProduct(covariance.operate(direction))));
            coefficients.add(0, new Coefficient("constant", constant, constant - half, constant + half));
            return coefficients;
        }
    }

    private final class FittedRegression implements Fitted {
        private final List<Coefficient> coefficients;
        private final Term[] terms;
        private final double[] values;
        private final String remarks;

        FittedRegression(List<Coefficient> coefficients, String remarks) {
            this.coefficients = List.copyOf(coefficients);
            this.terms = coefficients.stream().map(c -> Term.of(c.name())).toArray(Term[]::new);
            this.values = coefficients.stream().mapToDouble(Coefficient::value).toArray();
            this.remarks = remarks;
        }

        @Override
        public double predict(Conditions at) {
            if (!(at.load() < 1)) {
                return Double.NaN;
            }
            double[] variables = variables(at);
            double sum = 0;
            for (int i = 0; i < terms.length; i++) {
                sum += values[i] * terms[i].of(variables);
            }
            double value = response == Response.LOG_RATIO
                    ? at.zeroLoadNs() * StrictMath.exp(sum)
                    : at.zeroLoadNs() + at.serviceNs() * Math.max(0, sum);
            return value < Double.POSITIVE_INFINITY ? value : Double.NaN;
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

    /** Python names of the variables, as an expression over N, r, b and keyword features. */
    static Map<String, String> pythonVariables() {
        Map<String, String> names = new TreeMap<>();
        names.put("log_flows", "math.log(N)");
        names.put("log_frames", "math.log(b)");
        names.put("load", "r");
        names.put("log_pole", "-math.log(1 - r)");
        names.put("pole", "1/(1 - r)");
        names.put("dt_alpha", "dt_alpha");
        names.put("ecn_kmin", "ecn_kmin");
        names.put("ecn_kmax", "ecn_kmax");
        names.put("log_iterations", "math.log(islip_iterations)");
        return names;
    }
}
