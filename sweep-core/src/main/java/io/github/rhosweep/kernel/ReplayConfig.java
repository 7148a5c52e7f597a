package io.github.rhosweep.kernel;

import io.github.rhosweep.scenario.InvalidValueException;
import io.github.rhosweep.scenario.Parameters;
import io.github.rhosweep.scenario.SwitchSpec;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;

/** Reads a {@code switch.yaml}: the fields of a switch under the one root key {@code switch}. */
final class ReplayConfig {
    private final Path file;
    private final List<String> problems = new ArrayList<>();
    private final Map<String, String> texts = new LinkedHashMap<>();

    private ReplayConfig(Path file) {
        this.file = file;
    }

    /**
     * Reads and binds.
     *
     * @throws InvalidValueException if anything in it is unknown, given twice or not valid; one line per problem, with its line
     * @throws IOException if the file cannot be read
     */
    static SwitchSpec read(Path file) throws IOException {
        ReplayConfig config = new ReplayConfig(file);
        config.collect(config.compose());
        if (!config.problems.isEmpty()) {
            throw new InvalidValueException(String.join("\n", config.problems));
        }
        try {
            return SwitchSpec.ofReplay(config.texts);
        } catch (InvalidValueException bad) {
            throw new InvalidValueException(file + ": " + bad.getMessage());
        }
    }

    private Node compose() throws IOException {
        String text;
        try {
            text = Files.readString(file);
        } catch (NoSuchFileException missing) {
            throw new InvalidValueException(file + ": no such file");
        } catch (CharacterCodingException notText) {
            throw new InvalidValueException(file + ": not UTF-8 text");
        }
        try {
            return new Compose(LoadSettings.builder().setLabel(file.toString()).build())
                    .composeString(text.startsWith("\uFEFF") ? text.substring(1) : text)
                    .orElseThrow(() -> new InvalidValueException(file + ": empty, expected the root key `switch`"));
        } catch (MarkedYamlEngineException bad) {
            int line = bad.getProblemMark().map(mark -> mark.getLine() + 1).orElse(1);
            throw new InvalidValueException(file + ":" + line + ": not YAML: " + bad.getProblem());
        } catch (YamlEngineException bad) {
            throw new InvalidValueException(file + ": not YAML: " + bad.getMessage());
        }
    }

    private void collect(Node root) {
        if (!(root instanceof MappingNode mapping)) {
            problem(root, "expected the root key `switch`");
            return;
        }
        boolean found = false;
        for (NodeTuple entry : mapping.getValue()) {
            Node key = entry.getKeyNode();
            if (!text(key).equals("switch")) {
                problem(key, "unknown key `" + text(key) + "`, expected the one root key `switch`");
            } else if (found) {
                problem(key, "`switch` is given twice");
            } else if (entry.getValueNode() instanceof MappingNode fields) {
                fields.getValue().forEach(this::collectField);
            } else {
                problem(key, "`switch` must hold fields");
            }
            found = true;
        }
        if (!found) {
            problem(root, "expected the root key `switch`");
        }
    }

    private void collectField(NodeTuple field) {
        Node key = field.getKeyNode();
        String path = "switch." + text(key);
        if (!(field.getValueNode() instanceof ScalarNode)) {
            problem(key, path + " must be one value");
            return;
        }
        String value = text(field.getValueNode());
        try {
            Parameters.named(path).parse(value);
        } catch (InvalidValueException bad) {
            problem(key, (Parameters.isKnown(path) ? path + ": " : "") + bad.getMessage());
            return;
        }
        if (texts.put(path, value) != null) {
            problem(key, path + " is given twice");
        }
    }

    private static String text(Node node) {
        return node instanceof ScalarNode scalar ? scalar.getValue() : "";
    }

    private void problem(Node where, String text) {
        int line = where.getStartMark().map(mark -> mark.getLine() + 1).orElse(1);
        problems.add(file + ":" + line + ": " + text);
    }
}
