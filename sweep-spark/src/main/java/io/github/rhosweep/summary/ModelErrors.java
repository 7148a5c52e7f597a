package io.github.rhosweep.summary;

import io.github.rhosweep.fit.Regime;
import io.github.rhosweep.report.Cube;
import io.github.rhosweep.report.TextTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** How far the analytic models are off at the points of a folder, by regime of load. */
final class ModelErrors {
    private final List<Measured> points;
    private final long lossy;
    private final List<Regime> regimes = new ArrayList<>();
    private final Map<Integer, Errors> all = new LinkedHashMap<>();
    private final Map<Integer, Map<Regime, Errors>> byRegime = new LinkedHashMap<>();

    /** Relative errors of a model at some points. */
    private record Errors(int n, double mape, double bias, double worst) {
        static @Nullable Errors of(List<Measured> points, int model) {
            double[] errors = points.stream()
                    .mapToDouble(p -> p.error(model))
                    .filter(e -> !Double.isNaN(e))
                    .toArray();
            return errors.length == 0
                    ? null
                    : new Errors(
                            errors.length,
                            Arrays.stream(errors).map(Math::abs).average().orElseThrow(),
                            Arrays.stream(errors).average().orElseThrow(),
                            Arrays.stream(errors).map(Math::abs).max().orElseThrow());
        }
    }

    ModelErrors(Collection<Measured> measured) {
        points = measured.stream().filter(Measured::comparable).toList();
        lossy = measured.stream()
                .filter(p -> p.shown().latency() != null && !p.comparable())
                .count();
        for (Regime regime : Regime.values()) {
            if (points.stream().anyMatch(p -> regime(p) == regime)) {
                regimes.add(regime);
            }
        }
        Map<Integer, Errors> unsorted = new LinkedHashMap<>();
        for (int model = 0; model < Measured.MODELS.size(); model++) {
            Errors errors = Errors.of(points, model);
            if (errors != null) {
                unsorted.put(model, errors);
            }
        }
        unsorted.entrySet().stream()
                .sorted(Comparator.comparingDouble(e -> e.getValue().mape()))
                .forEach(e -> all.put(e.getKey(), e.getValue()));
        for (Regime regime : regimes) {
            List<Measured> within =
                    points.stream().filter(p -> regime(p) == regime).toList();
            for (int model : all.keySet()) {
                Errors errors = Errors.of(within, model);
                if (errors != null) {
                    byRegime.computeIfAbsent(model, m -> new LinkedHashMap<>()).put(regime, errors);
                }
            }
        }
    }

    private static Regime regime(Measured point) {
        return Arrays.stream(Regime.values())
                .filter(r -> r.id().equals(point.regime()))
                .findFirst()
                .orElse(Regime.NO_LOAD);
    }

    /** Points that models were held against. */
    long points() {
        return points.size();
    }

    /** Points that lost messages or had no steady state: models are not held against those. */
    long lossy() {
        return lossy;
    }

    /** Models that predicted any of them, the one with the least mean error first. */
    List<Integer> ranked() {
        return List.copyOf(all.keySet());
    }

    /** One line a model. */
    TextTable table() {
        List<String> heads = new ArrayList<>(List.of("model", ">points"));
        for (Regime regime : regimes) {
            heads.add(">" + name(regime) + ": mean error");
            heads.add(">bias");
            heads.add(">worst");
        }
        TextTable table = new TextTable(heads.toArray(String[]::new));
        all.forEach((model, errors) -> {
            List<String> cells = new ArrayList<>(List.of(id(model), Integer.toString(errors.n())));
            for (Regime regime : regimes) {
                Errors within = byRegime.getOrDefault(model, Map.of()).get(regime);
                cells.add(TextTable.percent(within == null ? null : within.mape()));
                cells.add(TextTable.percent(within == null ? null : within.bias()));
                cells.add(TextTable.percent(within == null ? null : within.worst()));
            }
            table.add(cells.toArray(String[]::new));
        });
        return table;
    }

    /** Formula, validity and source of each. */
    TextTable cards() {
        TextTable table = new TextTable("model", "formula", "valid", "source");
        for (int model : all.keySet()) {
            var card = Measured.MODELS.get(model).card();
            table.add(card.id(), card.formula(), card.validity(), card.source());
        }
        return table;
    }

    /** The same means as cells. */
    Cube cube() {
        List<Integer> models = ranked();
        List<List<@Nullable Double>> rows = models.stream()
                .map(m -> regimes.stream()
                        .map(r -> {
                            Errors errors = byRegime.getOrDefault(m, Map.of()).get(r);
                            return errors == null ? null : Double.valueOf(errors.mape());
                        })
                        .toList())
                .toList();
        return new Cube(
                Cube.Scale.ofNames(
                        "regime of load",
                        regimes.stream().map(ModelErrors::name).toList()),
                Cube.Scale.ofNames("model", models.stream().map(ModelErrors::id).toList()),
                List.of(new Cube.Quantity("mean absolute error", true)),
                "",
                List.of(Cube.Slice.of("", List.of(rows))));
    }

    static String id(int model) {
        return Measured.MODELS.get(model).card().id();
    }

    static int model(String id) {
        return IntStream.range(0, Measured.MODELS.size())
                .filter(m -> id(m).equals(id))
                .findFirst()
                .orElseThrow();
    }

    private static String name(Regime regime) {
        return regime.id().replace('_', ' ');
    }
}
