package io.github.rhosweep.fit;

import io.github.rhosweep.math.RandomStream;
import io.github.rhosweep.model.Target;
import io.github.rhosweep.scenario.Params;
import io.github.rhosweep.scenario.Scenario;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Points whose measured value is a known formula times log-normal noise. */
final class Planted {
    static final double[] LOADS = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95};

    private Planted() {}

    static Conditions at(int flows, String load, String message, String... more) {
        Map<String, String> texts =
                new HashMap<>(Map.of("traffic.flows", "" + flows, "traffic.load", load, "traffic.message", message));
        for (int i = 0; i < more.length; i += 2) {
            texts.put(more[i], more[i + 1]);
        }
        return Conditions.of(Scenario.of(Params.parse(texts)), Target.MESSAGE);
    }

    static List<Conditions> grid() {
        List<Conditions> grid = new ArrayList<>();
        for (int flows : new int[] {2, 4, 8, 16, 32, 64}) {
            for (String message : List.of("1 KiB", "4 KiB", "16 KiB", "64 KiB")) {
                for (double load : LOADS) {
                    grid.add(at(flows, "" + load, message));
                }
            }
        }
        return grid;
    }

    /** @param noise standard deviation of the logarithm */
    static List<Observation> observe(List<Conditions> grid, Fitted truth, double noise, long seed) {
        RandomStream random = RandomStream.named(seed, "noise", 0);
        List<Observation> observations = new ArrayList<>();
        for (Conditions at : grid) {
            // Box and Muller.
            double normal = StrictMath.sqrt(2 * random.nextExponential())
                    * StrictMath.cos(2 * StrictMath.PI * random.nextDouble());
            String key = "p" + observations.size();
            observations.add(
                    new Observation(key, "", key, at, truth.predict(at) * StrictMath.exp(noise * normal), noise));
        }
        return observations;
    }

    static State state(Map<String, Double> values, List<String> order) {
        return State.of(order.stream()
                .map(n -> new Coefficient(n, values.get(n), values.get(n), values.get(n)))
                .toList());
    }
}
