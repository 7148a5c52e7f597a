package io.github.rhosweep.cli;

import io.github.rhosweep.fit.Conditions;
import io.github.rhosweep.fit.FabricGraph;
import io.github.rhosweep.fit.GraphArrays;
import io.github.rhosweep.model.Target;
import io.github.rhosweep.result.Column;
import io.github.rhosweep.result.Row;
import io.github.rhosweep.scenario.Parameter;
import io.github.rhosweep.scenario.Parameter.ColumnType;
import io.github.rhosweep.scenario.Scenario;
import io.github.rhosweep.scenario.SemanticsVersion;
import io.github.rhosweep.scenario.TrafficSpec;
import io.github.rhosweep.store.Location;
import io.github.rhosweep.store.RowWriter;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Graphs as flat tables, joined by {@code graph} and the places of flows, queues and links within it. */
final class GraphTables implements Closeable {
    private static final Column GRAPH = whole("graph", "Number of the graph in this folder, from 0");

    private static final List<Column> GRAPHS = List.of(
            GRAPH,
            text("run_key", "The run that it is of"),
            text("point_key", "Its point, which tells by chance who is held out"),
            whole("semantics_version", "Of the simulator that ran it"),
            text("topology", "topology.kind"),
            text("pattern", "traffic.pattern"),
            text(
                    "mechanism",
                    "flow_control.kind, open or dcqcn with its ECN thresholds, routing.kind where ways differ"),
            text("regime", "low, transition or congested, by traffic.load"),
            whole("hosts", "Hosts of the fabric"),
            whole("switch_hops", "Switches on the longest way"),
            real("load", "", "traffic.load"),
            whole("frames", "Frames of a message"),
            real("buffer_messages", "", "Messages that a switch's buffer holds"));

    private static final List<Column> FLOWS = concat(
            List.of(
                    GRAPH,
                    whole("flow", "Its place in the graph, from 0"),
                    whole("src", "Host that sends"),
                    whole("dst", "Host that receives"),
                    real("zero_load_ns", "ns", "T_ab of a message"),
                    whole("positions", "Queues on its way")),
            features(FabricGraph.FLOW_FEATURES),
            units("mean_unit", "M/D/1 wait at this position over T_ab"),
            units("tail_unit", "4.6 times that and rho services, over T_ab"),
            List.of(
                    whole("delivered", "Measured messages that arrived"),
                    whole("lost", "Measured messages that were lost"),
                    real("log_mean", "", "ln(mean latency / T_ab); null if nothing arrived"),
                    real("log_p99", "", "ln(p99 / T_ab); null if less than 100 messages arrived"),
                    real("relative_sd", "", "Standard deviation of latency over its mean")));

    private static final List<Column> QUEUES = concat(
            List.of(
                    GRAPH,
                    whole("queue", "A kind of queues, from 0: all that no neighbourhood tells apart"),
                    whole("link", "The kind of links that it feeds")),
            features(FabricGraph.QUEUE_FEATURES),
            List.of(real("link_share", "", "Of the link's load, what comes from queues of this kind")));

    private static final List<Column> LINKS = concat(
            List.of(
                    GRAPH,
                    whole("link", "A kind of links, from 0"),
                    whole("from", "Node that sends on the first of them"),
                    whole("to", "Node that receives from it")),
            features(FabricGraph.LINK_FEATURES));

    private static final List<Column> VISITS = List.of(
            GRAPH,
            whole("flow", "Whose way"),
            whole("position", "On the way, from 0"),
            whole("queue", "To which kind"),
            real("share", "", "Of the flow's messages, those that come there"),
            real("weight", "", "Of the load of such a queue, what they are on average"));

    private final RowWriter graphRows;
    private final RowWriter flowRows;
    private final RowWriter queueRows;
    private final RowWriter linkRows;
    private final RowWriter visitRows;

    /** Creates the files. */
    GraphTables(Path folder) throws IOException {
        this.graphRows = writer(folder, "graphs", GRAPHS);
        this.flowRows = writer(folder, "flows", FLOWS);
        this.queueRows = writer(folder, "queues", QUEUES);
        this.linkRows = writer(folder, "links", LINKS);
        this.visitRows = writer(folder, "visits", VISITS);
    }

    private static RowWriter writer(Path folder, String name, List<Column> columns) throws IOException {
        return new RowWriter(Location.of(folder.resolve(name + ".parquet")), columns);
    }

    /** Graphs so far. */
    int graphs() {
        return (int) graphRows.rows();
    }

    /** Flows of all graphs so far. */
    long flows() {
        return flowRows.rows();
    }

    /**
     * Adds a run.
     *
     * @param measured its rows of {@link io.github.rhosweep.run.Tables#PAIRS}
     */
    void add(String runKey, String pointKey, Scenario scenario, FabricGraph graph, List<Row> measured)
            throws IOException {
        long number = graphRows.rows();
        TrafficSpec traffic = scenario.traffic();
        graphRows.write(new Row(GRAPHS, new @Nullable Object[] {
            number,
            runKey,
            pointKey,
            (long) SemanticsVersion.CURRENT, // others are refused
            Parameter.label(scenario.topology().kind()),
            Parameter.label(scenario.params().get(TrafficSpec.PATTERN)),
            graph.mechanism(),
            Conditions.of(scenario, Target.MESSAGE).regime().id(),
            (long) scenario.topology().hosts(),
            (long) graph.switchHops(),
            Objects.requireNonNull(traffic.load(), "a graph has a load"),
            traffic.framesPerMessage(),
            (double) Objects.requireNonNull(scenario.switchSpec(), "a graph has switches")
                            .bufferCapacityBytes()
                    / traffic.messageWireBytes()
        }));
        Map<Long, Row> pairs = new HashMap<>();
        for (Row pair : measured) {
            pairs.put(whole(pair, "src") << 32 | whole(pair, "dst"), pair);
        }
        double[][] mean = graph.meanUnits();
        double[][] tail = graph.tailUnits();
        List<FabricGraph.Flow> flows = graph.flows();
        for (int i = 0; i < flows.size(); i++) {
            FabricGraph.Flow flow = flows.get(i);
            List<@Nullable Object> cells = new ArrayList<>(
                    List.of(number, (long) i, (long) flow.source(), (long) flow.destination(), flow.zeroLoadNs(), (long)
                            flow.positions()));
            add(cells, graph.flowFeatures(i));
            add(cells, mean[i]);
            add(cells, tail[i]);
            targets(cells, flow, pairs.get((long) flow.source() << 32 | flow.destination()));
            write(flowRows, FLOWS, cells);
        }
        GraphArrays arrays = GraphArrays.of(graph);
        int[] queues = arrays.firstQueues();
        long[] queueLink = arrays.queueLink();
        float[] queueShare = arrays.queueShare();
        for (int i = 0; i < queues.length; i++) {
            List<@Nullable Object> cells = new ArrayList<>(List.of(number, (long) i, queueLink[i]));
            add(cells, graph.queueFeatures(queues[i]));
            cells.add((double) queueShare[i]);
            write(queueRows, QUEUES, cells);
        }
        int[] links = arrays.firstLinks();
        for (int i = 0; i < links.length; i++) {
            FabricGraph.Link link = graph.links().get(links[i]);
            List<@Nullable Object> cells =
                    new ArrayList<>(List.of(number, (long) i, (long) link.from(), (long) link.to()));
            add(cells, graph.linkFeatures(links[i]));
            write(linkRows, LINKS, cells);
        }
        long[] visitCell = arrays.visitCell();
        long[] visitQueue = arrays.visitQueue();
        float[] visitShare = arrays.visitShare();
        float[] visitWeight = arrays.visitWeight();
        for (int v = 0; v < visitCell.length; v++) {
            visitRows.write(new Row(VISITS, new @Nullable Object[] {
                number,
                visitCell[v] / FabricGraph.POSITIONS,
                visitCell[v] % FabricGraph.POSITIONS,
                visitQueue[v],
                (double) visitShare[v],
                (double) visitWeight[v]
            }));
        }
    }

    /** A pair that no measured message was drawn for has no row. */
    private static void targets(List<@Nullable Object> cells, FabricGraph.Flow flow, @Nullable Row pair) {
        if (pair == null) {
            cells.addAll(List.of(0L, 0L));
            cells.add(null);
            cells.add(null);
            cells.add(null);
            return;
        }
        long delivered = whole(pair, "delivered");
        Double mean = (Double) pair.get("latency_mean_ns");
        Double p99 = (Double) pair.get("latency_p99_ns");
        Double sd = (Double) pair.get("latency_sd_ns");
        cells.add(delivered);
        cells.add(whole(pair, "lost"));
        cells.add(mean == null ? null : Double.valueOf(StrictMath.log(mean / flow.zeroLoadNs())));
        cells.add(p99 == null || delivered < 100 ? null : Double.valueOf(StrictMath.log(p99 / flow.zeroLoadNs())));
        cells.add(sd == null || mean == null ? null : Double.valueOf(sd / mean));
    }

    private static long whole(Row row, String column) {
        return Objects.requireNonNull((Long) row.get(column), column);
    }

    private static void add(List<@Nullable Object> cells, float[] values) {
        for (float value : values) {
            cells.add((double) value);
        }
    }

    private static void add(List<@Nullable Object> cells, double[] values) {
        for (double value : values) {
            cells.add(value);
        }
    }

    private static void write(RowWriter to, List<Column> columns, List<@Nullable Object> cells) throws IOException {
        to.write(new Row(columns, cells.toArray(new @Nullable Object[0])));
    }

    @Override
    public void close() throws IOException {
        try (graphRows;
                flowRows;
                queueRows;
                linkRows;
                visitRows) {
            // Each is closed, whatever becomes of the others.
        }
    }

    private static List<Column> features(List<String> names) {
        return names.stream()
                .map(name -> real("x_" + name, "", "Feature; FabricGraph says how it is found"))
                .toList();
    }

    private static List<Column> units(String name, String doc) {
        List<Column> columns = new ArrayList<>();
        for (int position = 0; position < FabricGraph.POSITIONS; position++) {
            columns.add(real(name + "_" + position, "", doc));
        }
        return columns;
    }

    @SafeVarargs
    private static List<Column> concat(List<Column>... parts) {
        List<Column> all = new ArrayList<>();
        for (List<Column> part : parts) {
            all.addAll(part);
        }
        return List.copyOf(all);
    }

    private static Column whole(String name, String doc) {
        return new Column(name, ColumnType.INT64, "", doc, "");
    }

    private static Column real(String name, String unit, String doc) {
        return new Column(name, ColumnType.DOUBLE, unit, doc, "");
    }

    private static Column text(String name, String doc) {
        return new Column(name, ColumnType.STRING, "", doc, "");
    }
}
