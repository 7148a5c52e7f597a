package io.github.rhosweep.fit;

import io.github.rhosweep.model.Target;
import io.github.rhosweep.result.Row;
import io.github.rhosweep.scenario.InvalidValueException;
import io.github.rhosweep.scenario.LinkSpec;
import io.github.rhosweep.scenario.NearestName;
import io.github.rhosweep.scenario.Parameter;
import io.github.rhosweep.scenario.Parameters;
import io.github.rhosweep.scenario.Params;
import io.github.rhosweep.scenario.Scenario;
import io.github.rhosweep.scenario.SemanticsVersion;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.commons.math3.distribution.NormalDistribution;
import org.apache.commons.math3.distribution.TDistribution;
import org.jspecify.annotations.Nullable;

/**
 * Points to fit to: one {@link Observation} each. Those that lost messages or had no steady state are kept apart: latencies are those
 * of messages that survived, and fall as losses rise.
 */
public final class Dataset {
    /** Fraction of messages lost from which a point counts as lossy. */
    public static final double LOSSY = 1e-4;

    private final Target target;
    private final long of;
    private final List<Observation> usable;
    private final List<Observation> lossy;
    private final List<Observation> unsteady;
    private final long unstable;
    private final long without;
    private final List<String> experiments;
    private final String hash;
    private final int semanticsVersion;

    private Dataset(Builder builder) {
        this.target = builder.target;
        this.of = Math.max(builder.of, builder.byKey.size());
        this.usable = new ArrayList<>();
        this.lossy = new ArrayList<>();
        this.unsteady = new ArrayList<>();
        long notSteady = 0;
        long none = 0;
        // By key: nothing may depend on the order in which files were written.
        for (Candidate candidate : builder.byKey.values()) {
            Observation observation = candidate.observation;
            if (candidate.unstable) {
                notSteady++;
                if (observation != null) {
                    unsteady.add(observation);
                }
            } else if (observation == null) {
                none++;
            } else {
                (candidate.lost > LOSSY ? lossy : usable).add(observation);
            }
        }
        this.unstable = notSteady;
        this.without = none;
        this.experiments = List.copyOf(builder.experiments);
        this.hash = hash(usable);
        this.semanticsVersion = builder.semanticsVersion;
    }

    /** A dataset of given observations, as if all came from one lossless experiment. */
    static Dataset of(Target target, List<Observation> observations) {
        Builder builder = new Builder(target, SemanticsVersion.CURRENT);
        builder.experiments.add("given");
        for (Observation o : observations) {
            builder.byKey.put(o.key(), new Candidate(1, 0, false, o));
        }
        return builder.build();
    }

    /** What is to be predicted. */
    public Target target() {
        return target;
    }

    /** Points that there are; more than were read if these are a sample. */
    public long of() {
        return of;
    }

    /** Points that were read. */
    public long read() {
        return usable.size() + lossy.size() + unstable + without;
    }

    /** Points that fits may see, by key. */
    public List<Observation> usable() {
        return List.copyOf(usable);
    }

    /** Points with a fraction of lost messages above {@link #LOSSY}, by key. */
    public List<Observation> lossy() {
        return List.copyOf(lossy);
    }

    /** Points without a steady state for which something was measured all the same, by key. */
    public List<Observation> unsteady() {
        return List.copyOf(unsteady);
    }

    /** Points without a steady state, measured or not. */
    public long unstable() {
        return unstable;
    }

    /** Points for which the target has no value: not simulated, or nothing measured. */
    public long without() {
        return without;
    }

    /** Names of the experiments, sorted. */
    public List<String> experiments() {
        return experiments;
    }

    /** Of the simulator that measured. */
    public int semanticsVersion() {
        return semanticsVersion;
    }

    /** SHA-256, in hex, over keys and values of the usable points. */
    public String hash() {
        return hash;
    }

    private static String hash(List<Observation> observations) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (Observation o : observations) {
                digest.update((o.key() + " " + Double.doubleToLongBits(o.value()) + "\n")
                        .getBytes(StandardCharsets.US_ASCII));
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java platform has SHA-256", impossible);
        }
    }

    /**
     * The target that is measured by a column.
     *
     * @throws InvalidValueException if none is, or corrections of alpha-beta mean nothing for it
     */
    public static Target target(String column) {
        List<Target> known = Arrays.stream(Target.values())
                .filter(t -> t.measuredColumn().startsWith("message_latency_")
                        || t.measuredColumn().startsWith("frame_latency_")
                        || t == Target.COMPLETION)
                .toList();
        return known.stream()
                .filter(t -> t.measuredColumn().equals(column))
                .findFirst()
                .orElseThrow(() -> new InvalidValueException("--target " + column
                        + ": expected a latency or completion, one of "
                        + String.join(
                                ", ", known.stream().map(Target::measuredColumn).toList())
                        + NearestName.advice(
                                column,
                                known.stream().map(Target::measuredColumn).toList())));
    }

    private record Candidate(
            long n, double lost, boolean unstable, @Nullable Observation observation) {}

    /**
     * Collects rows of {@code points}; of several rows of one point the one with most replicates counts. Where a mean was also
     * estimated with a control variate, that estimate is taken if its interval is the narrower one.
     */
    public static final class Builder {
        private final Target target;
        private final int semanticsVersion;
        private final Map<String, Candidate> byKey = new TreeMap<>();
        private final TreeSet<String> experiments = new TreeSet<>();
        private long of;

        /**
         * @param target one that {@link Dataset#target} gives
         * @param semanticsVersion of the simulator that measured all of them
         */
        public Builder(Target target, int semanticsVersion) {
            this.target = target;
            this.semanticsVersion = semanticsVersion;
        }

        /** The columns that {@link #add} reads, by name. */
        public List<String> columns() {
            List<String> names = new ArrayList<>(List.of(
                    "sweep",
                    "point_key",
                    "n",
                    "fidelity",
                    "confidence",
                    "stable",
                    "lost_message_fraction",
                    "link_unlimited"));
            names.addAll(Parameters.all().stream().map(Parameter::column).toList());
            for (String estimate : estimates()) {
                names.add(estimate);
                names.add(halfWidth(estimate));
            }
            return names;
        }

        private List<String> estimates() {
            String measured = target.measuredColumn();
            return measured.endsWith("_mean_ns")
                    ? List.of(measured, measured.replace("_mean_ns", "_mean_cv_ns"))
                    : List.of(measured);
        }

        private static String halfWidth(String estimate) {
            return estimate.endsWith("_mean_ns")
                    ? estimate.replace("_mean_ns", "_half_width_ns")
                    : estimate.replaceFirst("_ns$", "_half_width_ns");
        }

        /**
         * Adds a row of {@code points}.
         *
         * @param source the folder that it is from
         * @param stream names the random numbers that it drew; null if it drew its own
         * @throws InvalidValueException if its parameters are none that this release can bind
         */
        public void add(Row row, String source, @Nullable String stream) {
            if (!(row.get("point_key") instanceof String key) || !(row.get("n") instanceof Long n) || n == 0) {
                return;
            }
            Candidate known = byKey.get(key);
            if (known != null && known.n >= n) {
                return;
            }
            experiments.add(String.valueOf(row.get("sweep")));
            double lost = row.get("lost_message_fraction") instanceof Double d ? d : 0;
            boolean unstable = Boolean.FALSE.equals(row.get("stable"));
            byKey.put(key, new Candidate(n, lost, unstable, observation(row, source, stream, key, n)));
        }

        private @Nullable Observation observation(Row row, String source, @Nullable String stream, String key, long n) {
            double value = Double.NaN;
            double error = Double.POSITIVE_INFINITY;
            double confidence = row.get("confidence") instanceof Double c ? c : 0.95;
            double quantile = n > 1
                    ? new TDistribution(null, n - 1.0).inverseCumulativeProbability((1 + confidence) / 2)
                    : new NormalDistribution(null, 0, 1).inverseCumulativeProbability((1 + confidence) / 2);
            for (String estimate : estimates()) {
                if (row.get(estimate) instanceof Double v && v > 0) {
                    double e = row.get(halfWidth(estimate)) instanceof Double w ? w / quantile / v : 0;
                    if (e < error) {
                        value = v;
                        error = e;
                    }
                }
            }
            if (Double.isNaN(value)) {
                return null;
            }
            Conditions conditions = Conditions.of(scenario(row), target);
            // What no cost model knows alone cannot be corrected.
            return Double.isNaN(conditions.zeroLoadNs())
                    ? null
                    : new Observation(key, source, stream == null ? key : stream, conditions, value, error);
        }

        /** The scenario of a row. */
        private static Scenario scenario(Row row) {
            boolean unlimited = Boolean.TRUE.equals(row.get("link_unlimited"));
            return Scenario.of(new Params(path -> {
                Parameter<?> parameter = Parameters.named(path);
                Object value = parameter.ofColumn(row.get(parameter.column()));
                return value == null && unlimited && parameter.equals(LinkSpec.BANDWIDTH) ? LinkSpec.UNLIMITED : value;
            }));
        }

        /** How many points there are, of which those added are a sample. */
        public void sampleOf(long points) {
            of = points;
        }

        /** All that was added. */
        public Dataset build() {
            return new Dataset(this);
        }
    }
}
