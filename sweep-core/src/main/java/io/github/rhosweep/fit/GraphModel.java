package io.github.rhosweep.fit;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.rhosweep.scenario.InputFile;
import io.github.rhosweep.scenario.InvalidValueException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What stands beside the weights of a graph network: what it learnt from, for what it holds, and how far it is off where it did not learn.
 * Written by {@code notebooks/surrogate/train.py}.
 *
 * @param format of the file, {@link #FORMAT}
 * @param kind {@link #KIND}
 * @param weights name of the ONNX file beside it
 * @param sha256 of that, in hex
 * @param inputs that the network takes
 * @param semanticsVersion of the simulator that measured
 * @param graphs learnt from
 * @param flows of them
 * @param data digest of all that it was trained and tested on
 * @param settings of the training
 * @param members one a network of the ensemble
 * @param domain for what it holds
 * @param intervals by regime and target ({@code log_mean}, {@code log_p99}) the 0.95-quantile of |ln(predicted / measured)| held out
 * @param errors at flows, by way of holding out
 * @param learnt keys of points learnt from, sorted
 */
record GraphModel(
        int format,
        String kind,
        String weights,
        String sha256,
        List<String> inputs,
        @JsonProperty("semantics_version") int semanticsVersion,
        long graphs,
        long flows,
        String data,
        Map<String, Double> settings,
        List<Member> members,
        Domain domain,
        Map<String, Map<String, Double>> intervals,
        List<JsonNode> errors,
        List<String> learnt) {
    /** What this release reads. */
    static final int FORMAT = 1;

    /** The method's name. */
    static final String KIND = "surrogate_gnn";

    private static final int MAX_BYTES = 4 << 20;
    private static final int MAX_WEIGHTS = 64 << 20;

    private static final ObjectMapper JSON = ModelJson.strict().build();

    /**
     * One network.
     *
     * @param seed it began from
     * @param epochs trained
     * @param bestEpoch whose weights are kept
     * @param cpuS CPU time of training, in s
     */
    record Member(
            long seed,
            int epochs,
            @JsonProperty("best_epoch") int bestEpoch,
            @JsonProperty("cpu_s") double cpuS) {}

    /**
     * For what a network holds: hosts, topologies and buffers that it was tested on, all else what it learnt from.
     *
     * @param hosts of the fabric
     * @param topologies names
     * @param switchHops switches on the longest way
     * @param load rho
     * @param frames of a message
     * @param bufferMessages messages that a switch's buffer holds
     * @param idleServices T_ab over the time that a NIC takes to send a message, of each flow
     * @param patterns of traffic
     * @param mechanisms {@link FabricGraph#mechanism}
     */
    record Domain(
            CorrectionModel.Range hosts,
            List<String> topologies,
            @JsonProperty("switch_hops") CorrectionModel.Range switchHops,
            CorrectionModel.Range load,
            CorrectionModel.Range frames,
            @JsonProperty("buffer_messages") CorrectionModel.Range bufferMessages,
            @JsonProperty("idle_services") CorrectionModel.Range idleServices,
            List<String> patterns,
            List<String> mechanisms) {}

    /**
     * Whether a file says that it is such a model; false for whatever is no JSON object at all.
     *
     * @throws InvalidValueException if there is no such file
     * @throws IOException if it cannot be read
     */
    static boolean isOne(Path file) throws IOException {
        byte[] json = bytes(file);
        try {
            JsonNode root = JSON.readTree(json);
            return root != null && KIND.equals(root.path("kind").asText());
        } catch (JsonProcessingException broken) {
            return false;
        }
    }

    /**
     * Reads a file.
     *
     * @throws InvalidValueException if it is no model of this format; names file, line and key
     * @throws IOException if it cannot be read
     */
    static GraphModel read(Path file) throws IOException {
        byte[] json = bytes(file);
        GraphModel model;
        try {
            model = JSON.readValue(json, GraphModel.class);
        } catch (JsonProcessingException wrong) {
            JsonLocation at = wrong.getLocation();
            throw new InvalidValueException(file + (at == null ? "" : ":" + at.getLineNr()) + ": "
                    + wrong.getOriginalMessage().replaceAll("\\s*\\(.*", "").replace('\n', ' ')
                    + ". Expected a model of notebooks/surrogate/train.py");
        }
        String problem = model == null ? "empty" : model.problem();
        if (problem != null || model == null) {
            throw new InvalidValueException(file + ": " + problem);
        }
        return model;
    }

    private static byte[] bytes(Path file) throws IOException {
        if (!Files.isRegularFile(file)) {
            throw new InvalidValueException(file + ": there is no such file");
        }
        return InputFile.bytes(file, MAX_BYTES);
    }

    private @Nullable String problem() {
        if (format != FORMAT || !KIND.equals(kind)) {
            return "format " + format + " of " + kind + " found, this release reads " + FORMAT + " of " + KIND;
        }
        if (!GraphNetwork.INPUTS.equals(inputs)) {
            return "inputs: found " + inputs + ", this release gives " + GraphNetwork.INPUTS;
        }
        if (!weights.matches("[A-Za-z0-9._-]+")) {
            return "weights: found " + weights + ", expected the name of a file beside it";
        }
        for (Regime regime : Regime.values()) {
            Map<String, Double> of = intervals.getOrDefault(regime.id(), Map.of("log_mean", 0.0, "log_p99", 0.0));
            for (String target : List.of("log_mean", "log_p99")) {
                Double width = of.get(target);
                if (width == null || !(width >= 0)) {
                    return "intervals." + regime.id() + "." + target + ": found " + width + ", expected 0 or more";
                }
            }
        }
        return null;
    }

    /**
     * The weights that belong to it.
     *
     * @param file its own
     * @throws InvalidValueException if they are missing, or other weights
     */
    byte[] readWeights(Path file) throws IOException {
        Path beside = file.resolveSibling(weights);
        if (!Files.isRegularFile(beside)) {
            throw new InvalidValueException(beside + ": there is no such file; " + file + " names it as its weights");
        }
        byte[] onnx = InputFile.bytes(beside, MAX_WEIGHTS);
        String found = InputFile.of(weights, onnx).sha256();
        if (!found.equals(sha256)) {
            throw new InvalidValueException(beside + ": other weights than those that " + file
                    + " tells of: SHA-256 is " + found + ", expected " + sha256);
        }
        return onnx;
    }
}
