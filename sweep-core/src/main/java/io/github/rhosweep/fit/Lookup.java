package io.github.rhosweep.fit;

import io.github.rhosweep.model.Target;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * A table over N, b and rho. It holds (T - T_ab)(1-r)/S, the wait with its pole taken out, which changes little from cell to cell; N and
 * b count by their logarithms. Beyond the ends of the table its edge is used. Cells without a point are interpolated when the table is
 * made.
 */
final class Lookup implements Method {
    private static final int MOST_CELLS = 1_000_000;

    private final boolean cubic;

    /** @param cubic along rho: Fritsch and Carlson 1980, which has no bumps that the data have not; else linear */
    Lookup(boolean cubic) {
        this.cubic = cubic;
    }

    @Override
    public String id() {
        return cubic ? "lookup_cubic" : "lookup";
    }

    @Override
    public String describe() {
        return "T = T_ab + S/(1-r) table(N, b, r), linear in log N and log b, "
                + (cubic ? "monotone cubic in r" : "linear in r");
    }

    @Override
    public Fitted restore(Target target, State state) {
        State.Table table = state.table();
        if (table == null
                || table.flows().isEmpty()
                || table.frames().isEmpty()
                || table.load().isEmpty()
                || table.values().size()
                        != (long) table.flows().size()
                                * table.frames().size()
                                * table.load().size()) {
            throw new IllegalArgumentException("a lookup needs a table with a value for each cell");
        }
        return new FittedTable(table);
    }

    @Override
    public Fitted fit(Target target, List<Observation> observations, long seed) {
        for (Feature feature : List.of(Feature.DT_ALPHA, Feature.ISLIP_ITERATIONS, Feature.ARRIVAL_SCV)) {
            double[] values = observations.stream()
                    .mapToDouble(o -> Math.rint(o.conditions().get(feature) * 1e9) / 1e9)
                    .distinct()
                    .toArray();
            if (values.length > 1) {
                throw new NotIdentifiableException(id() + ": the table has no place for " + feature.id()
                        + ", which takes " + values.length + " values. Maybe fit each alone");
            }
        }
        double[] flows = axis(observations, Feature.FLOWS);
        double[] frames = axis(observations, Feature.FRAMES);
        double[] load = axis(observations, Feature.LOAD);
        if (load.length < 2) {
            throw new NotIdentifiableException(id() + ": load is " + load[0] + " at all points");
        }
        long cells = (long) flows.length * frames.length * load.length;
        if (cells > MOST_CELLS || cells > 20L * observations.size()) {
            throw new NotIdentifiableException(id() + ": " + observations.size() + " points for a table of "
                    + flows.length + " x " + frames.length + " x " + load.length + " cells: they lie on no grid");
        }
        int[] size = {flows.length, frames.length, load.length};
        double[] sums = new double[(int) cells];
        double[] weights = new double[(int) cells];
        for (Observation o : observations) {
            Conditions at = o.conditions();
            int cell = (Arrays.binarySearch(flows, at.flows()) * size[1] + Arrays.binarySearch(frames, at.frames()))
                            * size[2]
                    + Arrays.binarySearch(load, at.load());
            double weight = 1 / (o.relativeError() * o.relativeError() + 1e-8);
            sums[cell] += weight * (o.value() - at.zeroLoadNs()) * (1 - at.load()) / at.serviceNs();
            weights[cell] += weight;
        }
        double[] values = new double[(int) cells];
        Arrays.setAll(values, i -> weights[i] == 0 ? Double.NaN : sums[i] / weights[i]);
        int filled = fill(values, size, new double[][] {logs(flows), logs(frames), load});
        return new FittedTable(new State.Table(list(flows), list(frames), list(load), list(values), filled));
    }

    private static double[] axis(List<Observation> observations, Feature feature) {
        double[] values = observations.stream()
                .mapToDouble(o -> o.conditions().get(feature))
                .sorted()
                .distinct()
                .toArray();
        if (Double.isNaN(values[values.length - 1]) || feature == Feature.LOAD && values[values.length - 1] >= 1) {
            throw new NotIdentifiableException("lookup: " + feature.id() + " is no input below 1 at some points");
        }
        return values;
    }

    private static double[] logs(double[] values) {
        return Arrays.stream(values).map(StrictMath::log).toArray();
    }

    private static List<Double> list(double[] values) {
        return Arrays.stream(values).boxed().toList();
    }

    /** Fills empty cells between filled ones, along each axis and averaged; in the next rounds between those filled so; then from the side. */
    private static int fill(double[] values, int[] size, double[][] axes) {
        int filled = 0;
        for (boolean fromSide : new boolean[] {false, true}) {
            boolean progress = true;
            while (progress) {
                progress = false;
                double[] before = values.clone();
                for (int cell = 0; cell < values.length; cell++) {
                    if (Double.isNaN(before[cell])) {
                        double value = between(before, cell, size, axes, fromSide);
                        if (!Double.isNaN(value)) {
                            values[cell] = value;
                            filled++;
                            progress = true;
                        }
                    }
                }
            }
        }
        return filled;
    }

    private static double between(double[] values, int cell, int[] size, double[][] axes, boolean fromSide) {
        int[] stride = {size[1] * size[2], size[2], 1};
        double sum = 0;
        double weights = 0;
        for (int axis = 0; axis < 3; axis++) {
            int at = cell / stride[axis] % size[axis];
            int below = at - 1;
            while (below >= 0 && Double.isNaN(values[cell + (below - at) * stride[axis]])) {
                below--;
            }
            int above = at + 1;
            while (above < size[axis] && Double.isNaN(values[cell + (above - at) * stride[axis]])) {
                above++;
            }
            double[] x = axes[axis];
            double range = x[size[axis] - 1] - x[0];
            if (below >= 0 && above < size[axis]) {
                double gap = (x[above] - x[below]) / range;
                double share = (x[at] - x[below]) / (x[above] - x[below]);
                double value = (1 - share) * values[cell + (below - at) * stride[axis]]
                        + share * values[cell + (above - at) * stride[axis]];
                sum += value / (gap * gap);
                weights += 1 / (gap * gap);
            } else if (fromSide && (below >= 0 || above < size[axis])) {
                int side = below >= 0 ? below : above;
                double gap = Math.abs(x[at] - x[side]) / range;
                sum += values[cell + (side - at) * stride[axis]] / (gap * gap);
                weights += 1 / (gap * gap);
            }
        }
        return sum / weights;
    }

    /** Slopes at the points of a monotone cubic through them: Fritsch and Carlson 1980, with the three-point formula at the ends. */
    static double[] slopes(double[] x, double[] y) {
        int n = x.length;
        double[] slope = new double[n];
        if (n == 1) {
            return slope;
        }
        double[] secant = new double[n - 1];
        for (int i = 0; i < n - 1; i++) {
            secant[i] = (y[i + 1] - y[i]) / (x[i + 1] - x[i]);
        }
        if (n == 2) {
            Arrays.fill(slope, secant[0]);
            return slope;
        }
        for (int i = 1; i < n - 1; i++) {
            if (secant[i - 1] * secant[i] > 0) {
                double left = x[i] - x[i - 1];
                double right = x[i + 1] - x[i];
                double a = 2 * right + left;
                double b = right + 2 * left;
                slope[i] = (a + b) / (a / secant[i - 1] + b / secant[i]);
            }
        }
        slope[0] = end(x[1] - x[0], x[2] - x[1], secant[0], secant[1]);
        slope[n - 1] = end(x[n - 1] - x[n - 2], x[n - 2] - x[n - 3], secant[n - 2], secant[n - 3]);
        return slope;
    }

    private static double end(double near, double far, double nearSecant, double farSecant) {
        double slope = ((2 * near + far) * nearSecant - near * farSecant) / (near + far);
        if (slope * nearSecant <= 0) {
            return 0;
        }
        return nearSecant * farSecant <= 0 && Math.abs(slope) > 3 * Math.abs(nearSecant) ? 3 * nearSecant : slope;
    }

    private final class FittedTable implements Fitted {
        private final State.Table table;
        private final double[] logFlows;
        private final double[] logFrames;
        private final double[] load;
        private final double[] values;
        private final double[] slopes;

        FittedTable(State.Table table) {
            this.table = table;
            this.logFlows = logs(array(table.flows()));
            this.logFrames = logs(array(table.frames()));
            this.load = array(table.load());
            this.values = array(table.values());
            this.slopes = new double[values.length];
            for (int line = 0; line < values.length; line += load.length) {
                double[] y = Arrays.copyOfRange(values, line, line + load.length);
                System.arraycopy(Lookup.slopes(load, y), 0, slopes, line, load.length);
            }
        }

        private double[] array(List<Double> list) {
            return list.stream().mapToDouble(Objects::requireNonNull).toArray();
        }

        @Override
        public double predict(Conditions at) {
            double r = at.load();
            if (!(r < 1)) {
                return Double.NaN;
            }
            int k = cell(load, r);
            double shareR = share(load, k, r);
            double n = StrictMath.log(at.flows());
            double b = StrictMath.log(at.frames());
            int i = cell(logFlows, n);
            int j = cell(logFrames, b);
            double shareN = share(logFlows, i, n);
            double shareB = share(logFrames, j, b);
            int iUp = Math.min(i + 1, logFlows.length - 1);
            int jUp = Math.min(j + 1, logFrames.length - 1);
            double value = (1 - shareN) * ((1 - shareB) * along(i, j, k, shareR) + shareB * along(i, jUp, k, shareR))
                    + shareN * ((1 - shareB) * along(iUp, j, k, shareR) + shareB * along(iUp, jUp, k, shareR));
            return at.zeroLoadNs() + at.serviceNs() / (1 - r) * value;
        }

        /** The last point at or below x, but not the last of all. */
        private static int cell(double[] axis, double x) {
            int found = Arrays.binarySearch(axis, x);
            return Math.max(0, Math.min(axis.length - 2, found >= 0 ? found : -found - 2));
        }

        private static double share(double[] axis, int i, double x) {
            return axis.length == 1 ? 0 : Math.max(0, Math.min(1, (x - axis[i]) / (axis[i + 1] - axis[i])));
        }

        private double along(int i, int j, int k, double t) {
            int at = (i * logFrames.length + j) * load.length + k;
            if (load.length == 1) {
                return values[at];
            }
            double low = values[at];
            double high = values[at + 1];
            if (!cubic) {
                return low + t * (high - low);
            }
            double h = load[k + 1] - load[k];
            return low * (1 + 2 * t) * (1 - t) * (1 - t)
                    + h * slopes[at] * t * (1 - t) * (1 - t)
                    + high * t * t * (3 - 2 * t)
                    + h * slopes[at + 1] * t * t * (t - 1);
        }

        @Override
        public State state() {
            return new State(new ArrayList<>(), table, null);
        }

        @Override
        public String remarks() {
            return table.filled() == 0
                    ? "every cell has a point"
                    : table.filled() + " of " + values.length + " cells had no point and were interpolated";
        }
    }
}
