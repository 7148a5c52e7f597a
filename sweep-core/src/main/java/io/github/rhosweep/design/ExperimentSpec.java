package io.github.rhosweep.design;

import io.github.rhosweep.scenario.InputFile;
import io.github.rhosweep.scenario.InputFiles;
import io.github.rhosweep.scenario.InvalidFileException;
import io.github.rhosweep.scenario.InvalidValueException;
import io.github.rhosweep.scenario.Parameter;
import io.github.rhosweep.scenario.Params;
import io.github.rhosweep.scenario.Position;
import io.github.rhosweep.scenario.Problems;
import io.github.rhosweep.scenario.ScenarioTree;
import io.github.rhosweep.scenario.ScenarioTree.Setting;
import io.github.rhosweep.scenario.WorkloadFiles;
import io.github.rhosweep.scenario.YamlNode;
import java.io.Serial;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An experiment: products of axes with all that is common to them. Immutable, and valid: each of its points can be run.
 *
 * <p>Points are numbered 0 .. {@link #size()}-1 and decoded from their number. Where blocks overlap, a point that an earlier block
 * has too is {@linkplain DesignPoint#repeated repeated} and is not to be run; {@link #points()} counts the others.
 *
 * <p>Serializes as its {@link #effectiveYaml()}, so that it can be sent to where points are run.
 */
public final class ExperimentSpec implements Serializable {
    private static final long serialVersionUID = 1L;

    private final transient String name;
    private final transient List<Block> blocks;
    private final transient Replicates replicates;
    private final transient RandomNumbers randomNumbers;
    private final transient Fidelity fidelity;
    private final transient @Nullable Screen screen;
    private final transient double failureFraction;
    private final transient String inputYaml;
    private final String effectiveYaml;
    private final transient long size;
    private final transient Repeats repeats;

    ExperimentSpec(
            String name,
            List<Block> blocks,
            Replicates replicates,
            RandomNumbers randomNumbers,
            Fidelity fidelity,
            @Nullable Screen screen,
            double failureFraction,
            String inputYaml) {
        this.name = name;
        this.blocks = List.copyOf(blocks);
        this.replicates = replicates;
        this.randomNumbers = randomNumbers;
        this.fidelity = fidelity;
        this.screen = screen;
        this.failureFraction = failureFraction;
        this.inputYaml = inputYaml;
        this.size = blocks.stream().mapToLong(Block::size).sum();
        this.effectiveYaml = EffectiveYaml.of(this);
        this.repeats = new Repeats(blocks, randomNumbers);
    }

    /**
     * Reads and validates an experiment file.
     *
     * @param overrides options of the command line
     * @param metrics names that {@code replicates.until.metric} may have
     * @throws InvalidFileException with every problem found, one a line, each with file, line and key
     */
    public static ExperimentSpec read(Path file, Overrides overrides, Collection<String> metrics) {
        return new ExperimentReader(overrides, metrics, InputFiles.ON_DISK).read(file);
    }

    /**
     * Validates an experiment that stands within another file. Its {@link #inputYaml} is empty.
     *
     * @param root what an experiment file would hold
     * @param name where it has none
     * @param metrics as in {@link #read}
     * @throws InvalidFileException as {@link #read}
     */
    public static ExperimentSpec of(YamlNode.Fields root, String name, Collection<String> metrics) {
        return new ExperimentReader(Overrides.NONE, metrics, InputFiles.ON_DISK).read(root, name);
    }

    /**
     * Reads back what {@link #effectiveYaml()} wrote: rules are not checked again.
     *
     * @param files finds the {@link #inputFiles} by their names there
     */
    public static ExperimentSpec ofEffective(String effectiveYaml, InputFiles files) {
        return new ExperimentReader(Overrides.NONE, null, files).readEffective(effectiveYaml);
    }

    /**
     * An experiment of one point, simulated once: for a point that is known by its values and not from a file. Rules are not checked
     * again.
     *
     * @param values of parameters that apply, at least all that differ from the default
     */
    public static ExperimentSpec ofPoint(String name, RandomNumbers randomNumbers, Map<Parameter<?>, Object> values) {
        Position position = Position.of(name);
        Problems problems = new Problems();
        Block block =
                Block.of("all", ScenarioTree.ofValues(values, position), List.of(), null, null, position, problems);
        return new ExperimentSpec(
                name, List.of(block), Replicates.ONE, randomNumbers, Fidelity.SIMULATE, null, 0.1, "");
    }

    /**
     * The points of two experiments: blocks of the second beside those of this one, whose other settings hold.
     *
     * @throws InvalidValueException if their random numbers differ, so that no point of one is one of the other
     */
    public ExperimentSpec with(ExperimentSpec other) {
        if (randomNumbers != other.randomNumbers) {
            throw new InvalidValueException(
                    "random_numbers is " + Parameter.label(randomNumbers) + " in " + name + " and "
                            + Parameter.label(other.randomNumbers) + " in " + other.name
                            + ": runs of one cannot be compared with those of the other");
        }
        Set<String> names = new HashSet<>();
        Set<String> contents = new HashSet<>();
        List<Block> all = new ArrayList<>();
        for (Block block : blocks) {
            all.add(block);
            names.add(block.name());
            contents.add(EffectiveYaml.of(block));
        }
        for (Block block : other.blocks) {
            if (contents.add(EffectiveYaml.of(block))) {
                String unique = block.name();
                for (int k = 2; !names.add(unique); k++) {
                    unique = block.name() + "-" + k;
                }
                all.add(block.named(unique));
            }
        }
        return new ExperimentSpec(name, all, replicates, randomNumbers, fidelity, screen, failureFraction, inputYaml);
    }

    /**
     * The same with more points in a block of their own.
     *
     * @param like block whose base they share
     * @param name of the new block, given to none so far
     * @param points the same parameters for each; valid, which is not checked again
     */
    public ExperimentSpec withPoints(Block like, String name, List<List<Setting>> points) {
        List<Parameter<?>> parameters = new ArrayList<>();
        points.get(0).forEach(setting -> parameters.add(setting.parameter()));
        Axis axis = new Axis("points", parameters, points, like.position());
        Problems problems = new Problems();
        List<Block> all = new ArrayList<>(blocks);
        all.add(Block.of(name, like.base(), List.of(axis), null, null, like.position(), problems));
        problems.throwIfAny();
        return new ExperimentSpec(name(), all, replicates, randomNumbers, fidelity, screen, failureFraction, inputYaml);
    }

    /** The same with other replicates. */
    public ExperimentSpec withReplicates(Replicates other) {
        return new ExperimentSpec(name, blocks, other, randomNumbers, fidelity, screen, failureFraction, inputYaml);
    }

    /** The key of a point that need not be one of these. */
    public String key(Params params) {
        return Identity.pointKey(params, randomNumbers);
    }

    /** The same with another file as the one given. */
    public ExperimentSpec withInput(String yaml) {
        return new ExperimentSpec(name, blocks, replicates, randomNumbers, fidelity, screen, failureFraction, yaml);
    }

    /** The name given in the file, or the file's. */
    public String name() {
        return name;
    }

    /** At least one. */
    public List<Block> blocks() {
        return blocks;
    }

    public Replicates replicates() {
        return replicates;
    }

    public RandomNumbers randomNumbers() {
        return randomNumbers;
    }

    public Fidelity fidelity() {
        return fidelity;
    }

    /** What {@code auto} simulates beside the points that models flag; null: nothing. */
    public @Nullable Screen screen() {
        return screen;
    }

    /** The same, simulated only where models flag or, by a rule, disagree. */
    public ExperimentSpec screened(Screen rule) {
        return new ExperimentSpec(
                name, blocks, replicates, randomNumbers, Fidelity.AUTO, rule, failureFraction, inputYaml);
    }

    /** The share of failed points (of at least 20) beyond which a sweep stops early. */
    public double failureFraction() {
        return failureFraction;
    }

    /** The file as given. */
    public String inputYaml() {
        return inputYaml;
    }

    /** The experiment as run: presets and options merged in, ranges written out, defaults listed. Reads back as the same points. */
    public String effectiveYaml() {
        return effectiveYaml;
    }

    /** The files that parameters name, by {@link InputFile#copyName}, as {@link #effectiveYaml} has them. */
    public SortedMap<String, InputFile> inputFiles() {
        SortedMap<String, InputFile> files = new TreeMap<>();
        for (Block block : blocks) {
            Stream.concat(
                            block.base().settings().values().stream(),
                            block.axes().stream()
                                    .flatMap(axis -> axis.written().stream().flatMap(List::stream)))
                    .forEach(setting -> {
                        if (setting.value() instanceof InputFile file) {
                            files.putIfAbsent(file.copyName(), file);
                        }
                    });
        }
        return files;
    }

    /** What was read over in workloads from files, one line each with file and line. */
    public List<String> warnings() {
        Set<String> lines = new LinkedHashSet<>();
        for (Block block : blocks) {
            block.explore(WorkloadFiles::warnings, (digits, found, points) -> lines.addAll(found));
        }
        return List.copyOf(lines);
    }

    /** Indices: points of all blocks. */
    public long size() {
        return size;
    }

    /** Distinct points. */
    public long points() {
        return size - repeats.count();
    }

    /**
     * A point.
     *
     * @param index 0 .. size()-1
     */
    public DesignPoint point(long index) {
        if (index < 0 || index >= size) {
            throw new IndexOutOfBoundsException("index " + index + " of " + size + " points");
        }
        long left = index;
        for (Block block : blocks) {
            if (left < block.size()) {
                return new DesignPoint(this, index, block, block.digits(left));
            }
            left -= block.size();
        }
        throw new IllegalStateException("sizes of blocks do not add up");
    }

    boolean isRepeated(DesignPoint point) {
        return repeats.isRepeated(point);
    }

    /** Which indices repeat a point. */
    Repeats repeats() {
        return repeats;
    }

    @Serial
    private Object writeReplace() {
        Map<String, byte[]> files = new LinkedHashMap<>();
        inputFiles().forEach((copy, file) -> files.put(copy, file.content()));
        return new Written(effectiveYaml, files);
    }

    /**
     * The serialized form: where points are run, the files of this machine need not be.
     *
     * @param files content by name
     */
    private record Written(String effectiveYaml, Map<String, byte[]> files) implements Serializable {
        @Serial
        private Object readResolve() {
            return ofEffective(effectiveYaml, (name, position) -> {
                byte[] content = files.get(name);
                if (content == null) {
                    throw new InvalidValueException("`" + name + "` did not come with the experiment");
                }
                return InputFile.of(name, content);
            });
        }
    }
}
