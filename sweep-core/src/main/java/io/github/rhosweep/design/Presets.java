package io.github.rhosweep.design;

import io.github.rhosweep.scenario.NearestName;
import io.github.rhosweep.scenario.Position;
import io.github.rhosweep.scenario.Problems;
import io.github.rhosweep.scenario.ScenarioTree;
import io.github.rhosweep.scenario.Yaml;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds presets: a path (anything with a slash or an ending), relative to the experiment file; or a name, looked for in the folder
 * {@code presets} beside the experiment file and then among those shipped.
 */
final class Presets {
    private static final String SHIPPED = "presets/";

    private Presets() {}

    static ScenarioTree read(String name, @Nullable Path experiment, Position position, Problems problems) {
        Path parent = experiment == null ? null : experiment.getParent();
        Path folder = parent == null ? Path.of("") : parent;
        boolean path = name.contains("/") || name.endsWith(".yaml") || name.endsWith(".yml");
        Path file;
        try {
            file = path ? folder.resolve(name) : folder.resolve("presets").resolve(name + ".yaml");
        } catch (InvalidPathException no) {
            problems.add(position, "presets", "found `" + name + "`, which is no path: " + no.getReason());
            return ScenarioTree.empty();
        }
        if (path && !Files.exists(file)) {
            problems.add(position, "presets", "found `" + name + "`, but there is no file " + file);
            return ScenarioTree.empty();
        }
        if (Files.exists(file)) {
            return ScenarioTree.of(Yaml.readMap(file, problems), problems);
        }
        String shipped = shipped(name);
        if (shipped == null) {
            problems.add(
                    position,
                    "presets",
                    "found `" + name + "`, expected a path or the name of a preset"
                            + NearestName.advice(name, names(folder.resolve("presets"))));
            return ScenarioTree.empty();
        }
        return ScenarioTree.of(Yaml.parseMap(shipped, name + ".yaml", problems), problems);
    }

    private static @Nullable String shipped(String name) {
        if (!name.matches("[A-Za-z0-9_-]+")) {
            return null;
        }
        try (InputStream in = Presets.class.getResourceAsStream(SHIPPED + name + ".yaml")) {
            return in == null ? null : new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static List<String> names(Path folder) {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(f -> String.valueOf(f.getFileName()).replaceFirst("\\.yaml$", ""))
                    .sorted()
                    .toList();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
