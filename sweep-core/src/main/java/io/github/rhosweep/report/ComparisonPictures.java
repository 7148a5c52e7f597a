package io.github.rhosweep.report;

import io.github.rhosweep.fit.Comparison;
import io.github.rhosweep.fit.EffectiveAlphaBeta;
import io.github.rhosweep.fit.Feature;
import io.github.rhosweep.fit.HeldOut;
import io.github.rhosweep.fit.HeldOutPoint;
import io.github.rhosweep.fit.TrustMap;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/** The pictures of a comparison. */
public final class ComparisonPictures {
    private static final List<String> BY_SIZE =
            List.of("surrogate_gnn", "surrogate", "rr_messages", "segmented", "alpha_beta");

    private ComparisonPictures() {}

    /** Draws one picture into a file. */
    @FunctionalInterface
    public interface Drawing {
        /** @throws IOException if the file cannot be written */
        void write(Path file) throws IOException;
    }

    /** All pictures by the name of their file; none where load is no input. */
    public static Map<String, Drawing> of(Comparison comparison) {
        Map<String, Drawing> pictures = new LinkedHashMap<>();
        for (String pattern : comparison.patterns()) {
            List<Curve> curves = errorsByLoad(comparison, pattern);
            if (!curves.isEmpty()) {
                pictures.put(
                        "errors-" + pattern + ".svg",
                        new LinePlot(
                                "Mean error at points held out, " + pattern,
                                "rho, in time slots",
                                "mean absolute error, %",
                                false,
                                true,
                                curves)::write);
            }
            List<Curve> sizes = errorsBySize(comparison, pattern);
            if (!sizes.isEmpty()) {
                pictures.put(
                        "sizes-" + pattern + ".svg",
                        new LinePlot(
                                "Mean error at points not fitted to, by size, " + pattern,
                                "hosts",
                                "mean absolute error, %",
                                true,
                                true,
                                sizes)::write);
            }
        }
        TrustMap map = comparison.trustMap();
        List<EffectiveAlphaBeta> effective = comparison.effectiveAlphaBeta();
        for (String group : comparison.groups()) {
            List<TrustMap.Cell> cells = map.cells().stream()
                    .filter(c -> c.group().equals(group) && !Double.isNaN(c.load()))
                    .toList();
            if (!cells.isEmpty()) {
                pictures.put("trust-" + file(group), new TrustPicture("Which method to trust, " + group, cells)::write);
            }
            List<EffectiveAlphaBeta> of = effective.stream()
                    .filter(e -> e.group().equals(group) && !Double.isNaN(e.load()))
                    .toList();
            if (!of.isEmpty()) {
                pictures.put(
                        "alpha-" + file(group),
                        new LinePlot(
                                "alpha_eff, " + group,
                                "rho, in time slots",
                                "alpha_eff, ns",
                                false,
                                false,
                                byFlows(of, EffectiveAlphaBeta::alphaNs, EffectiveAlphaBeta::alphaHalfNs))::write);
                pictures.put(
                        "beta-" + file(group),
                        new LinePlot(
                                        "beta/beta_eff, " + group,
                                        "rho, in time slots",
                                        "slope of T in M, times that of the idle network",
                                        false,
                                        false,
                                        byFlows(
                                                of,
                                                EffectiveAlphaBeta::slopeRatio,
                                                e -> e.nsPerByteHalf() / e.idleNsPerByte()))::write);
            }
        }
        return pictures;
    }

    /** {@code pattern=uniform iterations=2} as a name of a file. */
    private static String file(String group) {
        return group.replace(' ', '-').replace("=", "-") + ".svg";
    }

    private static List<Curve> byFlows(
            List<EffectiveAlphaBeta> of,
            ToDoubleFunction<EffectiveAlphaBeta> value,
            ToDoubleFunction<EffectiveAlphaBeta> half) {
        Map<Double, List<Curve.Point>> byFlows = new TreeMap<>();
        of.forEach(e -> byFlows.computeIfAbsent(e.flows(), k -> new ArrayList<>())
                .add(new Curve.Point(e.load(), value.applyAsDouble(e), half.applyAsDouble(e))));
        List<Curve> curves = new ArrayList<>();
        byFlows.forEach((flows, points) -> curves.add(new Curve("N = " + flows.longValue(), points)));
        return curves;
    }

    /** alpha_beta, the design's model, the best with nothing fitted, the best of all: errors averaged over N and messages. */
    private static List<Curve> errorsByLoad(Comparison comparison, String pattern) {
        Map<String, Comparison.Scored> shown = new LinkedHashMap<>();
        for (String id : List.of("alpha_beta", "segmented")) {
            comparison.methods().stream()
                    .filter(s -> s.id().equals(id))
                    .findFirst()
                    .ifPresent(s -> shown.put(id, s));
        }
        comparison.methods().stream()
                .filter(s -> !s.method().fits())
                .findFirst()
                .ifPresent(s -> shown.put(s.id() + " (nothing fitted)", s));
        List<Curve> curves = new ArrayList<>();
        shown.forEach((name, s) -> curve(name, points(comparison, pattern, s, null), curves));
        List<HeldOutPoint> best = new ArrayList<>();
        comparison.best().forEach((group, s) -> best.addAll(points(comparison, pattern, s, group)));
        TreeMap<String, String> names = new TreeMap<>();
        comparison.best().forEach((group, s) -> {
            if (!points(comparison, pattern, s, group).isEmpty()) {
                names.put(s.id(), "");
            }
        });
        curve("best (" + String.join(", ", names.keySet()) + ")", best, curves);
        return curves;
    }

    /**
     * Where points were asked to be held out: errors against hosts, for the graph network if there is one, the trees, and closed forms; beyond
     * what was asked for at points held out at random. All at the same points: those at which each of them says something.
     */
    private static List<Curve> errorsBySize(Comparison comparison, String pattern) {
        List<Comparison.Scored> shown = comparison.methods().stream()
                .filter(s -> BY_SIZE.contains(s.id()))
                .toList();
        Map<String, Map<String, HeldOutPoint>> byKey = new TreeMap<>();
        for (Comparison.Scored s : shown) {
            for (HeldOutPoint p : s.evaluation().points()) {
                boolean counts = (p.kind() == HeldOut.ASKED || p.kind() == HeldOut.RANDOM)
                        && p.observation().conditions().pattern().equals(pattern)
                        && !Double.isNaN(p.predicted());
                if (counts) {
                    byKey.computeIfAbsent(p.kind().id() + " " + p.observation().key(), k -> new TreeMap<>())
                            .put(s.id(), p);
                }
            }
        }
        TreeMap<Double, List<Map<String, HeldOutPoint>>> asked = new TreeMap<>();
        TreeMap<Double, List<Map<String, HeldOutPoint>>> random = new TreeMap<>();
        byKey.values().stream().filter(m -> m.size() == shown.size()).forEach(m -> {
            HeldOutPoint any = m.values().iterator().next();
            (any.kind() == HeldOut.ASKED ? asked : random)
                    .computeIfAbsent((double) any.observation().conditions().hosts(), k -> new ArrayList<>())
                    .add(m);
        });
        if (asked.isEmpty()) {
            return List.of();
        }
        random.forEach(asked::putIfAbsent);
        List<Curve> curves = new ArrayList<>();
        for (Comparison.Scored s : shown) {
            List<Curve.Point> line = new ArrayList<>();
            asked.forEach((hosts, points) -> {
                double mean = points.stream()
                        .mapToDouble(m -> 100
                                * Math.abs(Objects.requireNonNull(m.get(s.id())).error()))
                        .average()
                        .orElseThrow();
                line.add(new Curve.Point(hosts, Math.max(1e-4, mean), 0));
            });
            curves.add(new Curve(s.id(), line));
        }
        return curves;
    }

    private static List<HeldOutPoint> points(
            Comparison comparison,
            String pattern,
            Comparison.Scored s,
            @org.jspecify.annotations.Nullable String group) {
        return s.evaluation().points().stream()
                .filter(p -> p.kind() == HeldOut.RANDOM
                        && p.observation().conditions().pattern().equals(pattern)
                        && (group == null || comparison.group(p.observation()).equals(group)))
                .toList();
    }

    private static void curve(String name, List<HeldOutPoint> points, List<Curve> curves) {
        Map<Double, double[]> byLoad = new TreeMap<>();
        for (HeldOutPoint p : points) {
            double load = p.observation().conditions().get(Feature.LOAD);
            if (!Double.isNaN(load) && !Double.isNaN(p.predicted())) {
                double[] sum = byLoad.computeIfAbsent(load, k -> new double[2]);
                sum[0] += 100 * Math.abs(p.error());
                sum[1]++;
            }
        }
        List<Curve.Point> line = new ArrayList<>();
        // An error of exactly 0 has no place on a logarithmic axis.
        byLoad.forEach((load, sum) -> line.add(new Curve.Point(load, Math.max(1e-4, sum[0] / sum[1]), 0)));
        if (!line.isEmpty()) {
            curves.add(new Curve(name, line));
        }
    }
}
