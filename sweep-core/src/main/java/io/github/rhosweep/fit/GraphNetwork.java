package io.github.rhosweep.fit;

import ai.onnxruntime.OnnxJavaType;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.TensorInfo;
import ai.onnxruntime.ValueInfo;
import java.nio.FloatBuffer;
import java.nio.LongBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A graph network in ONNX, run by onnxruntime on one thread: the same arrays give the same bits. The one class that knows onnxruntime, so
 * that nothing of it is loaded before a network is. Safe for any number of threads.
 */
final class GraphNetwork {
    /** What a network is asked with, in ONNX's names. */
    static final List<String> INPUTS = List.of(
            "flow_x",
            "queue_x",
            "link_x",
            "queue_link",
            "queue_share",
            "visit_cell",
            "visit_queue",
            "visit_share",
            "visit_weight",
            "mean_unit",
            "tail_unit");

    private final OrtEnvironment environment;
    private final OrtSession session;

    private GraphNetwork(OrtEnvironment environment, OrtSession session) {
        this.environment = environment;
        this.session = session;
    }

    /**
     * Loads a network.
     *
     * @param onnx the content of its file
     * @throws IllegalArgumentException if it is none that takes {@link #INPUTS}, or there is no onnxruntime here
     */
    static GraphNetwork of(byte[] onnx) {
        try {
            OrtEnvironment environment = OrtEnvironment.getEnvironment();
            try (OrtSession.SessionOptions options = new OrtSession.SessionOptions()) {
                options.setIntraOpNumThreads(1);
                options.setInterOpNumThreads(1);
                options.setExecutionMode(OrtSession.SessionOptions.ExecutionMode.SEQUENTIAL);
                OrtSession session = environment.createSession(onnx, options);
                String foreign = foreign(session);
                if (foreign != null) {
                    session.close();
                    throw new IllegalArgumentException(foreign);
                }
                return new GraphNetwork(environment, session);
            }
        } catch (OrtException unreadable) {
            throw new IllegalArgumentException(
                    "no network that onnxruntime can run: " + firstLine(unreadable.getMessage()), unreadable);
        } catch (LinkageError none) {
            throw new IllegalArgumentException(
                    "onnxruntime does not run here (" + firstLine(none.toString())
                            + "). Maybe add com.microsoft.onnxruntime:onnxruntime to the class path",
                    none);
        }
    }

    /** What of a network's inputs is not this release's, or null. */
    private static @Nullable String foreign(OrtSession session) throws OrtException {
        if (!session.getInputNames().equals(Set.copyOf(INPUTS)) || session.getNumOutputs() != 1) {
            return "expected a network that takes " + String.join(", ", INPUTS) + "; found one that takes "
                    + String.join(", ", session.getInputNames());
        }
        Map<String, Integer> widths = Map.of(
                "flow_x", FabricGraph.FLOW_FEATURES.size(),
                "queue_x", FabricGraph.QUEUE_FEATURES.size(),
                "link_x", FabricGraph.LINK_FEATURES.size(),
                "mean_unit", FabricGraph.POSITIONS,
                "tail_unit", FabricGraph.POSITIONS);
        for (Map.Entry<String, Integer> width : widths.entrySet()) {
            ValueInfo input = Objects.requireNonNull(
                            session.getInputInfo().get(width.getKey()), "its name is among the inputs")
                    .getInfo();
            if (!(input instanceof TensorInfo tensor)
                    || tensor.type != OnnxJavaType.FLOAT
                    || tensor.getShape().length != 2
                    || tensor.getShape()[1] != width.getValue()) {
                return width.getKey() + ": found " + input + ", expected " + width.getValue() + " floats a row";
            }
        }
        return null;
    }

    private static String firstLine(@Nullable String message) {
        return message == null ? "" : message.lines().findFirst().orElse("").strip();
    }

    /** Of each member and flow ln(mean / T_ab) and ln(p99 / T_ab). */
    float[][][] run(GraphArrays arrays) {
        Map<String, OnnxTensor> inputs = new LinkedHashMap<>();
        try {
            put(inputs, "flow_x", arrays.flowX(), FabricGraph.FLOW_FEATURES.size());
            put(inputs, "queue_x", arrays.queueX(), FabricGraph.QUEUE_FEATURES.size());
            put(inputs, "link_x", arrays.linkX(), FabricGraph.LINK_FEATURES.size());
            put(inputs, "queue_link", arrays.queueLink());
            put(inputs, "queue_share", arrays.queueShare(), 0);
            put(inputs, "visit_cell", arrays.visitCell());
            put(inputs, "visit_queue", arrays.visitQueue());
            put(inputs, "visit_share", arrays.visitShare(), 0);
            put(inputs, "visit_weight", arrays.visitWeight(), 0);
            put(inputs, "mean_unit", arrays.meanUnit(), FabricGraph.POSITIONS);
            put(inputs, "tail_unit", arrays.tailUnit(), FabricGraph.POSITIONS);
            try (OrtSession.Result result = session.run(inputs)) {
                if (result.get(0) instanceof OnnxTensor tensor && tensor.getInfo().type == OnnxJavaType.FLOAT) {
                    long[] shape = tensor.getInfo().getShape();
                    if (shape.length == 3 && shape[2] == 2) {
                        return rows(tensor.getFloatBuffer(), (int) shape[0], (int) shape[1]);
                    }
                }
                throw new IllegalStateException("found " + result.get(0).getInfo()
                        + ", expected members by flows by two floats: the network is none of this release's");
            }
        } catch (OrtException failed) {
            throw new IllegalStateException("onnxruntime: " + firstLine(failed.getMessage()), failed);
        } finally {
            inputs.values().forEach(OnnxTensor::close);
        }
    }

    private static float[][][] rows(FloatBuffer said, int members, int flows) {
        float[][][] rows = new float[members][flows][2];
        for (float[][] member : rows) {
            for (float[] flow : member) {
                said.get(flow);
            }
        }
        return rows;
    }

    /** @param width of a row; 0 for a vector */
    private void put(Map<String, OnnxTensor> inputs, String name, float[] values, int width) throws OrtException {
        long[] shape = width == 0 ? new long[] {values.length} : new long[] {values.length / width, width};
        inputs.put(name, OnnxTensor.createTensor(environment, FloatBuffer.wrap(values), shape));
    }

    private void put(Map<String, OnnxTensor> inputs, String name, long[] values) throws OrtException {
        inputs.put(name, OnnxTensor.createTensor(environment, LongBuffer.wrap(values), new long[] {values.length}));
    }
}
