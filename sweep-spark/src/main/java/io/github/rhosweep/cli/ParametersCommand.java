package io.github.rhosweep.cli;

import io.github.rhosweep.report.Json;
import io.github.rhosweep.scenario.InvalidValueException;
import io.github.rhosweep.scenario.Parameter;
import io.github.rhosweep.scenario.Parameters;
import io.github.rhosweep.scenario.Params;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code parameters}: what an experiment can set. */
@Command(
        name = "parameters",
        mixinStandardHelpOptions = true,
        description = {
            "Lists what an experiment can set: meaning, values, default, and when it applies.",
            "%nThe list is YAML: every line that is not a comment gives the default and may stand under `base:`. "
                    + "Commented out is what has no fixed default or does not apply unless another parameter changes."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  ${ROOT-COMMAND-NAME} parameters",
            "  ${ROOT-COMMAND-NAME} parameters buffer",
            "  ${ROOT-COMMAND-NAME} parameters traffic.arrivals"
        })
final class ParametersCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @picocli.CommandLine.Parameters(
            paramLabel = "TEXT",
            arity = "0..1",
            description = "Only those with this text in their name or meaning.")
    private @Nullable String text;

    @Option(names = "--json", description = "Print one JSON object: from a parameter to what is known of it.")
    private boolean json;

    @Override
    public Integer call() {
        List<Parameter<?>> wanted =
                Parameters.all().stream().filter(this::isWanted).toList();
        if (wanted.isEmpty()) {
            throw new InvalidValueException(
                    "no parameter has `" + text + "` in its name or meaning; without it all are listed");
        }
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            Map<String, Object> object = new LinkedHashMap<>();
            wanted.forEach(p -> object.put(p.path(), known(p)));
            out.println(Json.of(object));
        } else {
            print(wanted, out);
        }
        return 0;
    }

    private boolean isWanted(Parameter<?> parameter) {
        return text == null
                || (parameter.path() + " " + parameter.doc())
                        .toLowerCase(Locale.ROOT)
                        .contains(text.toLowerCase(Locale.ROOT));
    }

    private static Map<String, Object> known(Parameter<?> parameter) {
        Map<String, Object> known = new LinkedHashMap<>();
        known.put("meaning", parameter.doc());
        known.put("values", parameter.expected());
        known.put("default", parameter.defaultText());
        known.put("default_is_value", parameter.hasFixedDefault());
        known.put("applies_when", parameter.appliesText());
        known.put("column", parameter.column());
        known.put("unit", parameter.unit());
        known.put("in_key", parameter.inKey());
        return known;
    }

    private static void print(List<Parameter<?>> wanted, PrintWriter out) {
        Params defaults = Params.parse(Map.of());
        for (Parameter<?> parameter : wanted) {
            out.println("# " + parameter.doc());
            List<String> facts = new ArrayList<>(List.of(parameter.expected()));
            if (!parameter.appliesText().isEmpty()) {
                facts.add("only when " + parameter.appliesText());
            }
            if (!parameter.inKey()) {
                facts.add("not part of a point's key");
            }
            out.println("# " + String.join("; ", facts));
            boolean live = parameter.hasFixedDefault() && defaults.applies(parameter);
            out.println((live ? "" : "#") + parameter.path() + ": " + parameter.defaultText());
            out.println();
        }
    }
}
