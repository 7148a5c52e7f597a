package io.github.rhosweep.design;

import io.github.rhosweep.scenario.InputFile;
import io.github.rhosweep.scenario.Parameter;
import io.github.rhosweep.scenario.Parameters;
import io.github.rhosweep.scenario.ScenarioTree.Setting;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Writes an experiment as it is run: one file, no presets, no options, ranges written out, and the defaults as comments. */
final class EffectiveYaml {
    /** Scalars that mean themselves without quotes, in block and in flow style. */
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9.+-][A-Za-z0-9._/ +-]*");

    private final StringBuilder out = new StringBuilder();

    private EffectiveYaml() {}

    static String of(ExperimentSpec experiment) {
        EffectiveYaml yaml = new EffectiveYaml();
        yaml.write(experiment);
        return yaml.out.toString();
    }

    /** A block without its name: equal texts are equal points. */
    static String of(Block block) {
        EffectiveYaml yaml = new EffectiveYaml();
        yaml.write(block);
        return yaml.out.toString();
    }

    private void write(ExperimentSpec experiment) {
        line(0, "name: " + scalar(experiment.name()));
        Replicates replicates = experiment.replicates();
        Replicates.Until until = replicates.until();
        line(
                0,
                "replicates: {min: " + replicates.min() + ", max: " + replicates.max()
                        + (until == null
                                ? ""
                                : ", until: {metric: " + scalar(until.metric()) + ", relative_ci: "
                                        + decimal(until.relativeCi()) + ", confidence: " + decimal(until.confidence())
                                        + "}")
                        + "}");
        line(0, "random_numbers: " + Parameter.label(experiment.randomNumbers()));
        line(0, "fidelity: " + Parameter.label(experiment.fidelity()));
        Screen screen = experiment.screen();
        if (screen != null) {
            line(
                    0,
                    "screen: {models: [" + String.join(", ", screen.models()) + "], disagree: "
                            + decimal(screen.disagree()) + "}");
        }
        line(0, "limits: {failure_fraction: " + decimal(experiment.failureFraction()) + "}");
        line(0, "designs:");
        for (Block block : experiment.blocks()) {
            line(0, "- name: " + scalar(block.name()));
            write(block);
        }
        experiment.inputFiles().forEach((copy, file) -> line(0, "# " + copy + " is a copy of " + quoted(file.name())));
        Set<String> given = new HashSet<>();
        for (Block block : experiment.blocks()) {
            given.addAll(block.base().settings().keySet());
            block.axes().forEach(axis -> axis.parameters().forEach(p -> given.add(p.path())));
        }
        line(0, "# Not given anywhere, so that these defaults hold wherever the parameter applies:");
        for (Parameter<?> parameter : Parameters.all()) {
            if (!given.contains(parameter.path())) {
                line(0, "#   " + parameter.path() + ": " + parameter.defaultText());
            }
        }
    }

    private void write(Block block) {
        if (!block.base().settings().isEmpty()) {
            line(1, "base:");
            for (Setting setting : block.base().settings().values()) {
                line(2, setting.parameter().path() + ": " + scalar(text(setting)));
            }
        }
        if (!block.axes().isEmpty()) {
            line(1, "sweep:");
            for (Axis axis : block.axes()) {
                line(2, scalar(axis.name()) + ": " + values(axis));
            }
        }
        Sampling sampling = block.sampling();
        if (sampling != null) {
            line(
                    1,
                    "design: {kind: " + Parameter.label(sampling.kind()) + ", points: " + sampling.points() + ", seed: "
                            + sampling.seed() + "}");
        }
        String where = block.where();
        if (where != null) {
            line(1, "where: " + quoted(where));
        }
    }

    private static String values(Axis axis) {
        if (axis.values() instanceof SampledValues.Range range) {
            Parameter<?> parameter = axis.parameters().get(0);
            return "{from: " + scalar(parameter.text(range.low())) + ", to: " + scalar(parameter.text(range.high()))
                    + ", scale: " + (range.isLog() ? "log" : "linear") + "}";
        }
        if (axis.values() instanceof SampledValues.Chosen chosen) {
            return values(chosen.from());
        }
        return axis.values().stream().map(value -> value(axis, value)).collect(Collectors.joining(", ", "[", "]"));
    }

    private static String value(Axis axis, List<Setting> value) {
        return axis.linked()
                ? value.stream()
                        .map(s -> s.parameter().path() + ": " + scalar(text(s)))
                        .collect(Collectors.joining(", ", "{", "}"))
                : scalar(text(value.get(0)));
    }

    /** A file is named as its copy in the results folder is: relative to this very text, wherever the folder goes. */
    private static String text(Setting setting) {
        return setting.value() instanceof InputFile file ? file.copyName() : setting.text();
    }

    private static String decimal(double value) {
        return new java.math.BigDecimal(Double.toString(value)).toPlainString();
    }

    private static String scalar(String text) {
        return PLAIN.matcher(text).matches() && !text.endsWith(" ") && !text.startsWith("- ") ? text : quoted(text);
    }

    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                quoted.append('\\').append(c);
            } else if (c < ' ') {
                quoted.append(String.format(Locale.ROOT, "\\x%02x", (int) c));
            } else {
                quoted.append(c);
            }
        }
        return quoted.append('"').toString();
    }

    private void line(int indent, String text) {
        out.append("  ".repeat(indent)).append(text).append('\n');
    }
}
