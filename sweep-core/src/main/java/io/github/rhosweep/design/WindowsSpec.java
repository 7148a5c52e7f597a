package io.github.rhosweep.design;

import io.github.rhosweep.scenario.InvalidFileException;
import io.github.rhosweep.scenario.InvalidValueException;
import io.github.rhosweep.scenario.NearestName;
import io.github.rhosweep.scenario.Position;
import io.github.rhosweep.scenario.Problems;
import io.github.rhosweep.scenario.Quantity;
import io.github.rhosweep.scenario.Scenario;
import io.github.rhosweep.scenario.TrafficSpec;
import io.github.rhosweep.scenario.Yaml;
import io.github.rhosweep.scenario.YamlNode;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Transfers that may start at several times, and what others send meanwhile: a file of {@code windows}.
 *
 * @param name of the file or in it
 * @param windows what others send, from 0 on, in ascending order; with {@link #windowPs} one alone
 * @param windowPs length of the windows that the flows of a file are counted in; null where {@code windows} give loads
 * @param transfers what is to be sent, at least one
 * @param startsPs when it may start, ascending, distinct
 */
public record WindowsSpec(
        String name, List<Window> windows, @Nullable Long windowPs, List<Transfer> transfers, List<Long> startsPs) {
    private static final int MOST_WINDOWS = 10_000;
    private static final int MOST_TRANSFERS = 10_000;
    private static final int MOST_STARTS = 100_000;
    private static final BigDecimal MOST_NS = new BigDecimal("1e12");
    private static final BigDecimal MOST_BYTES = new BigDecimal("1099511627776");
    private static final List<String> KEYS =
            List.of("name", "presets", "base", "windows", "window", "transfers", "starts");

    /**
     * From a time on.
     *
     * @param fromPs when it begins
     * @param scenario the fabric with this window's traffic
     */
    public record Window(long fromPs, Scenario scenario) {}

    /**
     * What is to be sent.
     *
     * @param name for people
     * @param source sending host
     * @param destination receiving host
     * @param bytes payload
     */
    public record Transfer(String name, int source, int destination, long bytes) {}

    public WindowsSpec {
        windows = List.copyOf(windows);
        transfers = List.copyOf(transfers);
        startsPs = List.copyOf(startsPs);
    }

    /**
     * Reads and validates a file.
     *
     * @param metrics as for {@link ExperimentSpec#read}
     * @throws InvalidFileException with every problem found, one a line, each with file, line and key
     */
    public static WindowsSpec read(Path file, Collection<String> metrics) {
        return new Reader(metrics).read(file);
    }

    private static final class Reader {
        private final Collection<String> metrics;
        private final Problems problems = new Problems();

        Reader(Collection<String> metrics) {
            this.metrics = metrics;
        }

        WindowsSpec read(Path file) {
            YamlNode.Fields root = Yaml.readMap(file, problems);
            Map<String, YamlNode.Field> fields = fields(root, KEYS);
            String stem = String.valueOf(file.getFileName()).replaceFirst("\\.[^.]*$", "");
            YamlNode.Field window = fields.get("window");
            YamlNode.Field windows = fields.get("windows");
            Long length = window == null ? null : time(window.value(), window.position(), "window");
            if (window != null && length != null && length == 0) {
                problems.add(window.position(), "window", "found 0, expected a length such as `100 us`");
            }
            if ((window == null) == (windows == null)) {
                problems.add(
                        root.position(),
                        "windows",
                        (window == null ? "found none" : "found beside `window`")
                                + ", expected either `windows`, loads from times on, or `window`, the length of windows that"
                                + " the flows of traffic.file are counted in");
            }
            List<Transfer> transfers = transfers(root.position(), fields.get("transfers"));
            List<Long> starts = starts(root.position(), fields.get("starts"));
            problems.throwIfAny();
            List<Window> all =
                    windows == null ? List.of(new Window(0, scenario(fields, List.of()))) : windows(fields, windows);
            if (windows == null && all.get(0).scenario().params().find(TrafficSpec.LOAD) != null) {
                problems.add(
                        root.position(),
                        "window",
                        "found traffic with a load, expected `traffic.pattern: file`, or `windows` in its place");
            }
            problems.throwIfAny();
            YamlNode.Field name = fields.get("name");
            return new WindowsSpec(
                    name != null && name.value() instanceof YamlNode.Scalar scalar ? scalar.text() : stem,
                    all,
                    length,
                    transfers,
                    starts);
        }

        /** What the file says of the fabric and of others' traffic, as an experiment of one point. */
        private Scenario scenario(Map<String, YamlNode.Field> fields, List<YamlNode.Field> over) {
            List<YamlNode.Field> root = new ArrayList<>();
            Position position = Position.of("");
            for (String key : List.of("name", "presets", "base")) {
                YamlNode.Field field = fields.get(key);
                if (field != null) {
                    root.add(field);
                    position = field.position();
                }
            }
            if (!over.isEmpty()) {
                // A block over the root: its parameters replace those of `base`, however either is nested.
                Position at = over.get(0).position();
                YamlNode.Fields block =
                        new YamlNode.Fields(at, List.of(new YamlNode.Field(at, "base", new YamlNode.Fields(at, over))));
                root.add(new YamlNode.Field(at, "designs", new YamlNode.Items(at, List.of(block))));
            }
            return ExperimentSpec.of(new YamlNode.Fields(position, root), "windows", metrics)
                    .point(0)
                    .scenario();
        }

        private List<Window> windows(Map<String, YamlNode.Field> fields, YamlNode.Field field) {
            List<Window> windows = new ArrayList<>();
            for (YamlNode item : items(field, MOST_WINDOWS, "windows, such as `{from: 0 us, traffic.load: 0.6}`")) {
                if (!(item instanceof YamlNode.Fields own)) {
                    problems.add(
                            item.position(),
                            "windows",
                            "found " + item.describe() + ", expected a map of `from` and parameters of traffic");
                    continue;
                }
                Long from = null;
                List<YamlNode.Field> over = new ArrayList<>();
                for (YamlNode.Field entry : own.fields()) {
                    if (entry.key().equals("from")) {
                        from = time(entry.value(), entry.position(), "windows.from");
                    } else if (entry.key().equals("traffic") || entry.key().startsWith("traffic.")) {
                        over.add(entry);
                    } else {
                        problems.add(
                                entry.position(),
                                "windows",
                                "found `" + entry.key()
                                        + "`, expected `from` and parameters of traffic: the fabric stays");
                    }
                }
                if (from == null) {
                    if (own.fields().stream().noneMatch(f -> f.key().equals("from"))) {
                        problems.add(
                                item.position(),
                                "windows",
                                "found no `from`, expected the time at which the window begins");
                    }
                    continue;
                }
                long least =
                        windows.isEmpty() ? 0 : windows.get(windows.size() - 1).fromPs() + 1;
                if (windows.isEmpty() ? from != 0 : from < least) {
                    problems.add(
                            item.position(),
                            "windows.from",
                            windows.isEmpty() ? "the first window begins at 0" : "is not after the window before it");
                    continue;
                }
                try {
                    windows.add(new Window(from, scenario(fields, over)));
                } catch (InvalidFileException bad) {
                    problems.addAll(bad);
                    continue;
                }
                Scenario first = windows.get(0).scenario();
                Scenario last = windows.get(windows.size() - 1).scenario();
                if (!sameFabric(first, last)) {
                    problems.add(
                            item.position(),
                            "windows",
                            "its traffic takes other hosts or frames than the first window's, expected the same fabric."
                                    + " Maybe give topology.hosts in base");
                }
            }
            return windows;
        }

        private static boolean sameFabric(Scenario a, Scenario b) {
            return a.topology().equals(b.topology())
                    && java.util.Objects.equals(a.switchSpec(), b.switchSpec())
                    && a.link().equals(b.link())
                    && a.traffic().framePayloadBytes() == b.traffic().framePayloadBytes()
                    && a.traffic().fullFrameWireBytes() == b.traffic().fullFrameWireBytes();
        }

        private List<Transfer> transfers(Position root, YamlNode.@Nullable Field field) {
            List<Transfer> transfers = new ArrayList<>();
            if (field == null) {
                problems.add(
                        root, "transfers", "found none, expected a list such as `[{src: 0, dst: 5, bytes: 4 MiB}]`");
                return transfers;
            }
            for (YamlNode item : items(field, MOST_TRANSFERS, "transfers, such as `{src: 0, dst: 5, bytes: 4 MiB}`")) {
                if (!(item instanceof YamlNode.Fields given)) {
                    problems.add(
                            item.position(),
                            "transfers",
                            "found " + item.describe() + ", expected a map of src, dst and bytes");
                    continue;
                }
                int before = problems.count();
                Map<String, YamlNode.Field> own = fields(given, List.of("name", "src", "dst", "bytes"));
                Long src = whole(own, "src", item.position(), Quantity.NONE, 65_535);
                Long dst = whole(own, "dst", item.position(), Quantity.NONE, 65_535);
                Long bytes = whole(own, "bytes", item.position(), Quantity.BYTES, MOST_BYTES.longValue());
                if (bytes != null && bytes == 0) {
                    problems.add(item.position(), "transfers.bytes", "found 0, expected 1 or more");
                }
                if (src != null && src.equals(dst)) {
                    problems.add(
                            item.position(), "transfers", "found host " + src + " as src and dst, expected two hosts");
                }
                if (problems.count() == before && src != null && dst != null && bytes != null) {
                    YamlNode.Field name = own.get("name");
                    transfers.add(new Transfer(
                            name != null && name.value() instanceof YamlNode.Scalar s ? s.text() : src + " to " + dst,
                            src.intValue(),
                            dst.intValue(),
                            bytes));
                }
            }
            return transfers;
        }

        private @Nullable Long whole(
                Map<String, YamlNode.Field> own, String key, Position at, Quantity quantity, long most) {
            YamlNode.Field field = own.get(key);
            if (field == null) {
                problems.add(at, "transfers", "found no `" + key + "`, expected src, dst and bytes");
                return null;
            }
            try {
                long value = quantity.parse(text(field.value()), true).longValueExact();
                if (value >= 0 && value <= most) {
                    return value;
                }
            } catch (InvalidValueException | ArithmeticException notWhole) {
                // falls through to the one message below
            }
            problems.add(
                    field.position(),
                    "transfers." + key,
                    "found " + field.value().describe() + ", expected a whole number"
                            + (quantity == Quantity.BYTES ? " of bytes such as `4 MiB`" : ", the number of a host")
                            + ", at most " + most);
            return null;
        }

        /** A list of times, or {@code {from, to, step}} with both ends on the grid. */
        private List<Long> starts(Position root, YamlNode.@Nullable Field field) {
            TreeSet<Long> starts = new TreeSet<>();
            if (field == null) {
                problems.add(
                        root, "starts", "found none, expected times such as `{from: 0 us, to: 1 ms, step: 50 us}`");
            } else if (field.value() instanceof YamlNode.Fields range) {
                Map<String, YamlNode.Field> own = fields(range, List.of("from", "to", "step"));
                List<Long> ends = new ArrayList<>();
                for (String key : List.of("from", "to", "step")) {
                    YamlNode.Field end = own.get(key);
                    Long value = end == null ? null : time(end.value(), end.position(), "starts." + key);
                    if (value == null) {
                        if (end == null) {
                            problems.add(
                                    field.position(), "starts", "found no `" + key + "`, expected from, to and step");
                        }
                        return List.of();
                    }
                    ends.add(value);
                }
                long step = ends.get(2);
                if (step == 0 || ends.get(1) < ends.get(0) || (ends.get(1) - ends.get(0)) / step >= MOST_STARTS) {
                    problems.add(
                            field.position(),
                            "starts",
                            "expected `to` from `from` on, and a `step` that makes at most " + MOST_STARTS
                                    + " of them");
                    return List.of();
                }
                for (long at = ends.get(0); at <= ends.get(1); at += step) {
                    starts.add(at);
                }
            } else {
                for (YamlNode item : items(field, MOST_STARTS, "times, or {from, to, step}")) {
                    Long value = time(item, item.position(), "starts");
                    if (value != null) {
                        starts.add(value);
                    }
                }
            }
            return List.copyOf(starts);
        }

        private List<YamlNode> items(YamlNode.Field field, int most, String what) {
            if (field.value() instanceof YamlNode.Items list
                    && !list.items().isEmpty()
                    && list.items().size() <= most) {
                return list.items();
            }
            problems.add(
                    field.position(),
                    field.key(),
                    "found "
                            + (field.value() instanceof YamlNode.Items list
                                    ? list.items().size() + " items"
                                    : field.value().describe())
                            + ", expected a list of 1 to " + most + " " + what);
            return List.of();
        }

        /** In ps, null with the problem noted. */
        private @Nullable Long time(YamlNode value, Position at, String key) {
            try {
                BigDecimal ns = Quantity.TIME.parse(text(value), false);
                if (ns.signum() >= 0 && ns.compareTo(MOST_NS) <= 0) {
                    return ns.movePointRight(3)
                            .setScale(0, RoundingMode.HALF_UP)
                            .longValueExact();
                }
                problems.add(at, key, "found " + value.describe() + ", expected 0 to 1000 s");
            } catch (InvalidValueException bad) {
                problems.add(at, key, String.valueOf(bad.getMessage()));
            }
            return null;
        }

        private static String text(YamlNode value) {
            return value instanceof YamlNode.Scalar scalar ? scalar.text() : value.describe();
        }

        private Map<String, YamlNode.Field> fields(YamlNode.Fields map, List<String> known) {
            Map<String, YamlNode.Field> fields = new LinkedHashMap<>();
            for (YamlNode.Field field : map.fields()) {
                if (known.contains(field.key())) {
                    fields.put(field.key(), field);
                } else {
                    problems.add(
                            field.position(),
                            "found `" + field.key() + "`, expected " + known + NearestName.advice(field.key(), known));
                }
            }
            return fields;
        }
    }
}
