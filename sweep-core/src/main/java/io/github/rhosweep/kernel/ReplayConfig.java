package io.github.rhosweep.kernel;

import io.github.rhosweep.scenario.InvalidFileException;
import io.github.rhosweep.scenario.InvalidValueException;
import io.github.rhosweep.scenario.Position;
import io.github.rhosweep.scenario.Problems;
import io.github.rhosweep.scenario.ScenarioTree;
import io.github.rhosweep.scenario.SwitchSpec;
import io.github.rhosweep.scenario.Yaml;
import io.github.rhosweep.scenario.YamlNode;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;

/** Reads a {@code switch.yaml}: the fields of a switch under the one root key {@code switch}. */
final class ReplayConfig {
    private static final String ROOT = "switch";

    private ReplayConfig() {}

    /**
     * Reads and binds.
     *
     * @throws InvalidFileException if it cannot be read or anything in it is unknown, given twice or not valid; one line per
     *     problem, with its line
     */
    static SwitchSpec read(Path file) {
        Problems problems = new Problems();
        YamlNode.Fields root = Yaml.readMap(file, problems);
        boolean found = false;
        for (YamlNode.Field field : root.fields()) {
            if (!field.key().equals(ROOT)) {
                problems.add(field.position(), "unknown key `" + field.key() + "`, expected the one root key `switch`");
            } else if (!(field.value() instanceof YamlNode.Fields)) {
                problems.add(field.position(), ROOT, "found " + field.value().describe() + ", expected fields");
            }
            found |= field.key().equals(ROOT);
        }
        if (!found) {
            problems.add(Position.of(file.toString()), "expected the root key `switch`");
        }
        problems.throwIfAny();
        ScenarioTree tree = ScenarioTree.of(root, problems);
        problems.throwIfAny();
        Map<String, String> texts = tree.settings().entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, e -> e.getValue().text()));
        try {
            return SwitchSpec.ofReplay(texts);
        } catch (InvalidValueException bad) {
            problems.add(Position.of(file.toString()), String.valueOf(bad.getMessage()));
            throw problems.exception();
        }
    }
}
