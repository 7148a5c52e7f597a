package io.github.rhosweep.design;

import io.github.rhosweep.scenario.InvalidValueException;
import io.github.rhosweep.scenario.Params;
import io.github.rhosweep.scenario.Scenario;
import io.github.rhosweep.scenario.ScenarioTree.Setting;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One point of an experiment, decoded from its index. */
public final class DesignPoint {
    private final ExperimentSpec experiment;
    private final long index;
    private final Block block;
    private final int[] digits;
    private final Params params;
    private final String key;

    /** Made when a seed is first asked for: a point that only models see has none. */
    private @Nullable String seedText;

    DesignPoint(ExperimentSpec experiment, long index, Block block, int[] digits) {
        this.experiment = experiment;
        this.index = index;
        this.block = block;
        this.digits = digits;
        this.params = block.params(digits);
        this.key = Identity.pointKey(params, experiment.randomNumbers());
    }

    /** The experiment that it is a point of. */
    public ExperimentSpec experiment() {
        return experiment;
    }

    /** Its number in the experiment, from 0. */
    public long index() {
        return index;
    }

    /** The product that it belongs to. */
    public Block block() {
        return block;
    }

    /** All parameters. */
    public Params params() {
        return params;
    }

    /**
     * The point bound.
     *
     * @throws InvalidValueException never for a point of a validated experiment
     */
    public Scenario scenario() {
        return Scenario.of(params);
    }

    /** 32 hexadecimal digits; see {@link Identity}. */
    public String key() {
        return key;
    }

    /** The key of one replicate. */
    public String runKey(int replicate) {
        return Identity.runKey(key, replicate);
    }

    /** The seed of one replicate. */
    public long runSeed(int replicate) {
        if (seedText == null) {
            seedText = Identity.seedText(params, key, experiment.randomNumbers());
        }
        return Identity.runSeed(seedText, replicate);
    }

    /** Whether a run may draw a random number; if not, all replicates are alike and one is enough. */
    public boolean drawsRandomNumbers() {
        return RandomDraws.drawnBy(params);
    }

    /** Whether a point of a smaller index has the same key: such a point is not run again. */
    public boolean repeated() {
        return experiment.isRepeated(this);
    }

    /** For each axis of the block the number of its value here. */
    public int[] digits() {
        return digits.clone();
    }

    /** From the name of each axis to the value here, as written. */
    public Map<String, String> axisValues() {
        Map<String, String> values = new LinkedHashMap<>();
        for (int a = 0; a < digits.length; a++) {
            values.put(block.axes().get(a).name(), block.axes().get(a).text(digits[a]));
        }
        return values;
    }

    /** The same with the group of each value: one of {@link Axis#groups}. */
    public Map<String, String> axisGroups() {
        Map<String, String> groups = new LinkedHashMap<>();
        for (int a = 0; a < digits.length; a++) {
            groups.put(block.axes().get(a).name(), block.axes().get(a).group(digits[a]));
        }
        return groups;
    }

    /** The settings of its axes, in their order. */
    public List<Setting> settings() {
        List<Setting> settings = new ArrayList<>();
        for (int a = 0; a < digits.length; a++) {
            settings.addAll(block.axes().get(a).values().get(digits[a]));
        }
        return settings;
    }
}
