package io.github.rhosweep.fit;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.github.rhosweep.scenario.InputFile;
import io.github.rhosweep.scenario.InvalidValueException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A fitted correction with its evidence: what it was fitted to, for what it holds, and how far it is off where it was not. One JSON file.
 *
 * @param format of the file, {@link #FORMAT}
 * @param method {@link Method#id}
 * @param formula {@link Method#describe}
 * @param target column that is predicted
 * @param semanticsVersion of the simulator that measured
 * @param experiments names of those that the points are from
 * @param dataset which points
 * @param by what groups are told apart by, ids of {@link Grouping}
 * @param groups coefficients and evidence, one a group
 */
public record CorrectionModel(
        int format,
        String method,
        String formula,
        String target,
        int semanticsVersion,
        List<String> experiments,
        Evidence dataset,
        List<String> by,
        List<Group> groups) {
    /** What this release writes. */
    public static final int FORMAT = 1;

    /** The largest is a surrogate's, of about a megabyte. */
    private static final int MAX_BYTES = 16 << 20;

    private static final JsonSetter.Value NULLS = JsonSetter.Value.construct(Nulls.SET, Nulls.FAIL);

    private static final ObjectMapper JSON = ModelJson.strict()
            .enable(SerializationFeature.INDENT_OUTPUT)
            // What may be null: numbers that too few points leave unknown, and the parts of a state that other methods
            // have.
            .withConfigOverride(Double.class, o -> o.setSetterInfo(NULLS))
            .withConfigOverride(State.Table.class, o -> o.setSetterInfo(NULLS))
            .withConfigOverride(State.Trees.class, o -> o.setSetterInfo(NULLS))
            .build();

    /**
     * The points behind a model.
     *
     * @param sha256 over their keys and values
     * @param points fitted to
     * @param lossy left out because messages were lost
     * @param unstable left out because there was no steady state
     */
    public record Evidence(String sha256, long points, long lossy, long unstable) {}

    /**
     * Values of a feature that were fitted to.
     *
     * @param low least
     * @param high largest
     */
    public record Range(double low, double high) {
        boolean holds(double x, boolean openAbove) {
            // Inputs that are computed (a share, a dispersion) may differ in the last digits.
            double slack = 1e-9 * Math.max(Math.abs(low), Math.abs(high));
            return x >= low - slack && (openAbove || x <= high + slack);
        }
    }

    /**
     * One group.
     *
     * @param name such as {@code pattern=incast}
     * @param points fitted to
     * @param fixed parameters that had one value at all of them, as in an experiment file
     * @param mechanisms how frames were admitted, sent, paused and routed at them
     * @param domain of each feature that existed at them; others must not exist where it is applied
     * @param state the numbers
     * @param remarks how the fit went
     * @param heldOut errors
     * @param intervals of predictions, by regime
     */
    @JsonInclude(JsonInclude.Include.ALWAYS)
    public record Group(
            String name,
            long points,
            Map<String, String> fixed,
            List<String> mechanisms,
            Map<String, Range> domain,
            State state,
            String remarks,
            List<ErrorSummary> heldOut,
            List<Evaluation.Interval> intervals) {}

    /** Writes the file in one step: nothing half-written is ever visible. */
    public void write(Path file) throws IOException {
        // Not a temporary file of Java's, which its owner alone could read.
        Path fresh = file.toAbsolutePath()
                .resolveSibling(
                        "." + file.getFileName() + "." + ProcessHandle.current().pid());
        try {
            Files.write(fresh, JSON.writeValueAsBytes(this));
            Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(fresh);
        }
    }

    /** As JSON text. */
    public String json() {
        try {
            return JSON.writeValueAsString(this);
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException("a record of numbers has no JSON form", impossible);
        }
    }

    /**
     * Reads a file.
     *
     * @throws InvalidValueException if it is no model of this format; names file, line and key
     * @throws IOException if it cannot be read
     */
    public static CorrectionModel read(Path file) throws IOException {
        byte[] json = InputFile.bytes(file, MAX_BYTES);
        if (json.length > MAX_BYTES) {
            throw new InvalidValueException(
                    file + ": found " + InputFile.sizeOf(file) + ", expected at most " + (MAX_BYTES >> 20) + " MiB");
        }
        CorrectionModel model;
        try {
            model = JSON.readValue(json, CorrectionModel.class);
        } catch (JsonMappingException wrong) {
            throw new InvalidValueException(file + place(wrong.getLocation()) + ": " + path(wrong)
                    + firstSentence(wrong.getOriginalMessage()) + ". Expected a model file of `rhosweep fit`");
        } catch (JsonProcessingException broken) {
            throw new InvalidValueException(file + place(broken.getLocation()) + ": no JSON: "
                    + firstSentence(broken.getOriginalMessage()) + ". Expected a model file of `rhosweep fit`");
        }
        String problem = model == null ? "empty" : model.problem();
        if (problem != null || model == null) {
            throw new InvalidValueException(file + ": " + problem);
        }
        return model;
    }

    private static String place(@Nullable JsonLocation location) {
        return location == null ? "" : ":" + location.getLineNr();
    }

    private static String path(JsonMappingException wrong) {
        String path = wrong.getPath().stream()
                .map(r -> r.getFieldName() == null ? "[" + r.getIndex() + "]" : "." + r.getFieldName())
                .collect(Collectors.joining());
        return path.isEmpty() ? "" : path.replaceFirst("^\\.", "") + ": ";
    }

    private static String firstSentence(String message) {
        return message.replaceAll("\\s*\\(.*", "").replaceAll("[\\s:,]+$", "").replace('\n', ' ');
    }

    /** What Jackson does not see, or null. */
    private @Nullable String problem() {
        if (format != FORMAT) {
            return "format " + format + " found, this release reads " + FORMAT;
        }
        if (groups.isEmpty()) {
            return "groups: a model has at least one";
        }
        List<String> problems = new ArrayList<>();
        for (Group g : groups) {
            g.domain().forEach((feature, range) -> {
                if (!(range.low() <= range.high())) {
                    problems.add("groups." + g.name() + ".domain." + feature + ": low must not exceed high");
                }
            });
            g.state().coefficients().forEach(c -> {
                if (!Double.isFinite(c.value())) {
                    problems.add("groups." + g.name() + ": coefficient " + c.name() + " is " + c.value());
                }
            });
        }
        return problems.isEmpty() ? null : problems.get(0);
    }
}
