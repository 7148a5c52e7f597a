package io.github.rhosweep.fit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How smooth one method is in one group: along rho at each N and message that was measured, in steps of .01 over the loads of the
 * domain. A step that sticks out from its neighbours is halved until it is narrower than 1e-9 or gone: what is left is a jump.
 *
 * @param group as {@link Grouping} names it
 * @param method its id
 * @param lines scanned: pairs of N and message
 * @param jumps found on them
 * @param least size of the smallest, relative to the value below it, with its sign; null without jumps, like those that follow
 * @param mean of their absolute sizes
 * @param largest size of the largest, with its sign
 * @param largestAt its rho
 * @param largestFlows its N
 * @param largestFrames its b
 * @param fallWithLoad largest relative fall from one load to the next, 0 if none
 * @param fallWithFlows largest relative fall from one N to the next, 0 if none
 */
public record Continuity(
        String group,
        String method,
        int lines,
        int jumps,
        @Nullable Double least,
        @Nullable Double mean,
        @Nullable Double largest,
        @Nullable Double largestAt,
        @Nullable Double largestFlows,
        @Nullable Double largestFrames,
        double fallWithLoad,
        double fallWithFlows) {
    private static final double STEP = 0.01;
    private static final double STICKS_OUT = 1.5;
    private static final double NEGLIGIBLE = 1e-6;
    private static final double NARROW = 1e-9;

    /** A message of so many frames and bytes from so many senders. */
    private record LineKey(double flows, double bytes) {}

    private record Jump(double size, double load, Conditions at) {}

    static List<Continuity> of(Comparison comparison) {
        List<Continuity> found = new ArrayList<>();
        Evaluation.groups(comparison.dataset().usable(), comparison.by()).forEach((group, observations) -> {
            double[] loads = observations.stream()
                    .mapToDouble(o -> o.conditions().load())
                    .filter(r -> r < 1)
                    .sorted()
                    .toArray();
            if (loads.length == 0) {
                return;
            }
            Map<LineKey, Conditions[]> lines = lines(observations, loads[0], loads[loads.length - 1]);
            for (Comparison.Scored s : comparison.methods()) {
                Fitted fitted = s.fitted().get(group);
                // A network has no seams to look for, and asked some thousand times takes a minute.
                if (fitted != null && s.method().fittedBeforeNs() == 0) {
                    Continuity scanned = scan(group, s.id(), fitted, lines);
                    if (!Double.isNaN(scanned.fallWithLoad)) { // a method that has no value here has no jumps either
                        found.add(scanned);
                    }
                }
            }
        });
        return found;
    }

    private static Map<LineKey, Conditions[]> lines(List<Observation> observations, double low, double high) {
        int steps = (int) Math.round((high - low) / STEP);
        Map<LineKey, Conditions[]> lines = new LinkedHashMap<>();
        for (Observation o : observations) {
            Conditions at = o.conditions();
            lines.computeIfAbsent(new LineKey(at.flows(), at.wireBytes()), k -> {
                Conditions[] line = new Conditions[steps + 1];
                for (int i = 0; i <= steps; i++) {
                    line[i] = at.withLoad(low + i * STEP);
                }
                return line;
            });
        }
        return lines;
    }

    private static Continuity scan(String group, String method, Fitted fitted, Map<LineKey, Conditions[]> lines) {
        List<Jump> jumps = new ArrayList<>();
        double fallWithLoad = 0;
        Map<LineKey, double[]> values = new LinkedHashMap<>();
        for (Map.Entry<LineKey, Conditions[]> e : lines.entrySet()) {
            Conditions[] line = e.getValue();
            double[] logs = Arrays.stream(line)
                    .mapToDouble(c -> StrictMath.log(fitted.predict(c)))
                    .toArray();
            values.put(e.getKey(), logs);
            for (int i = 0; i + 1 < line.length; i++) {
                double step = logs[i + 1] - logs[i];
                fallWithLoad = Math.max(fallWithLoad, -StrictMath.expm1(step));
                double around = Math.max(
                        i == 0 ? 0 : Math.abs(logs[i] - logs[i - 1]),
                        i + 2 == line.length ? 0 : Math.abs(logs[i + 2] - logs[i + 1]));
                if (Math.abs(step) > STICKS_OUT * around + NEGLIGIBLE) {
                    Jump jump = narrow(fitted, line[i], line[i + 1]);
                    if (jump != null) {
                        jumps.add(jump);
                    }
                }
            }
        }
        Jump largest = null;
        double least = Double.POSITIVE_INFINITY;
        double sum = 0;
        for (Jump jump : jumps) {
            sum += Math.abs(jump.size);
            least = Math.abs(jump.size) < Math.abs(least) ? jump.size : least;
            largest = largest == null || Math.abs(jump.size) > Math.abs(largest.size) ? jump : largest;
        }
        return new Continuity(
                group,
                method,
                lines.size(),
                jumps.size(),
                largest == null ? null : Double.valueOf(least),
                largest == null ? null : Double.valueOf(sum / jumps.size()),
                largest == null ? null : Double.valueOf(largest.size),
                largest == null ? null : Double.valueOf(largest.load),
                largest == null ? null : Double.valueOf(largest.at.flows()),
                largest == null ? null : Double.valueOf(largest.at.frames()),
                fallWithLoad,
                fallWithFlows(values));
    }

    private static @Nullable Jump narrow(Fitted fitted, Conditions from, Conditions to) {
        Conditions low = from;
        Conditions high = to;
        double below = fitted.predict(low);
        double above = fitted.predict(high);
        while (high.load() - low.load() > NARROW) {
            Conditions middle = low.withLoad((low.load() + high.load()) / 2);
            double value = fitted.predict(middle);
            if (Math.abs(StrictMath.log(value / below)) > Math.abs(StrictMath.log(above / value))) {
                high = middle;
                above = value;
            } else {
                low = middle;
                below = value;
            }
        }
        double size = above / below - 1;
        return Math.abs(size) > NEGLIGIBLE ? new Jump(size, high.load(), high) : null;
    }

    private static double fallWithFlows(Map<LineKey, double[]> values) {
        double fall = 0;
        for (Map.Entry<LineKey, double[]> e : values.entrySet()) {
            LineKey next = values.keySet().stream()
                    .filter(k -> k.bytes == e.getKey().bytes && k.flows > e.getKey().flows)
                    .min(java.util.Comparator.comparingDouble(LineKey::flows))
                    .orElse(null);
            double[] more = next == null ? null : values.get(next);
            if (more != null) {
                for (int i = 0; i < more.length; i++) {
                    fall = Math.max(fall, -StrictMath.expm1(more[i] - e.getValue()[i]));
                }
            }
        }
        return fall;
    }
}
