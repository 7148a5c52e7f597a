package io.github.rhosweep.design;

import io.github.rhosweep.scenario.Parameter;
import io.github.rhosweep.scenario.Position;
import io.github.rhosweep.scenario.ScenarioTree.Setting;
import java.util.List;
import java.util.stream.Collectors;

/**
 * One axis of a product: a parameter with its values, or several linked parameters that move together.
 *
 * @param name the parameter's path, or the name of the link
 * @param parameters one, or those that are linked
 * @param values for each value of the axis one setting a parameter, in their order
 * @param position where the axis is written
 */
public record Axis(String name, List<Parameter<?>> parameters, List<List<Setting>> values, Position position) {
    public Axis {
        parameters = List.copyOf(parameters);
        // Those of a sampled axis are as many as there are points, and computed.
        values = values instanceof SampledValues
                ? values
                : values.stream().map(List::copyOf).toList();
    }

    /** Whether it belongs to a {@link Sampling}: it has then one value for each point, in no order. */
    public boolean sampled() {
        return values instanceof SampledValues;
    }

    /** The values that are written somewhere: all but those that are drawn from a range. */
    List<List<Setting>> written() {
        if (values instanceof SampledValues.Chosen chosen) {
            return chosen.from().values();
        }
        return values instanceof SampledValues ? List.of() : values;
    }

    /** The values where they are few enough to list: as written, or, where they are sampled from a range, its parts. */
    public List<String> groups() {
        return values instanceof SampledValues sampled
                ? sampled.groups()
                : java.util.stream.IntStream.range(0, size())
                        .mapToObj(this::text)
                        .toList();
    }

    /** Which of the {@link #groups} a value belongs to. */
    String group(int value) {
        return values instanceof SampledValues sampled ? sampled.groups().get(sampled.group(value)) : text(value);
    }

    /** How many values it has. */
    public int size() {
        return values.size();
    }

    /** Whether several parameters move together. */
    public boolean linked() {
        return parameters.size() > 1 || !parameters.get(0).path().equals(name);
    }

    /** A value as written: {@code 0.5}, or {@code switch.ecn_kmin=0.3 switch.ecn_kmax=0.8}. */
    public String text(int value) {
        List<Setting> settings = values.get(value);
        return linked()
                ? settings.stream()
                        .map(s -> s.parameter().path() + "=" + s.text())
                        .collect(Collectors.joining(" "))
                : settings.get(0).text();
    }
}
