package io.github.rhosweep.scenario;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.ServiceLoader;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Flows from files of other simulators: who sends how much to whom, from when on or after which others. Every error has file and line;
 * all are collected before any is thrown.
 */
public final class FlowFile {
    /** Formats by name. */
    public enum Format {
        /**
         * Connection matrices of htsim (csg-htsim, {@code connection_matrix.cpp}): {@code Nodes n}, {@code Connections c}, {@code
         * Triggers t}, then {@code src->dst [id n] start t size bytes [prio n]} or, in place of {@code start}, {@code trigger n}: then
         * it starts when flows with {@code send_done_trigger n} or {@code recv_done_trigger n} are through, as {@code trigger id n
         * oneshot}, {@code multishot} or {@code barrier count m} says. {@code #} begins a comment.
         */
        HTSIM,
        /** Flow files of HPCC's simulator: first line the count, then {@code src dst pg port bytes start_s} in ascending start. */
        HPCC,
        /** A header that names start, src, dst, bytes and, if wanted, id, in any order; then a line each, in ascending start. */
        CSV,
        /** The same columns in a Parquet file. */
        PARQUET
    }

    /** Turns a Parquet file into CSV. The package that knows Parquet provides it, found by {@link ServiceLoader}, since none may be used here. */
    public interface ParquetToCsv {
        /**
         * The rows of some columns, those that are there, as CSV with a header.
         *
         * @throws IOException if it is no Parquet or has columns that are not numbers; the message says why, without the file's name
         */
        String csv(byte[] parquet, List<String> columns) throws IOException;
    }

    /** What a message may have at most, as {@code traffic.message}: a TiB. */
    private static final long MOST_BYTES = 1L << 40;

    private static final int MOST_HOSTS = 65_536;
    /** Flows of one file. */
    public static final int MOST_FLOWS = 4_000_000;

    /** Of a line: some fifty times what a flow takes. */
    static final int MOST_CHARACTERS = 10_000;

    private static final long MOST_PS = 1L << 50;
    private static final Pattern WHOLE = Pattern.compile("[0-9]{1,19}");
    private static final Pattern NUMBER =
            Pattern.compile("([0-9]{1,30}\\.?[0-9]{0,30}|\\.[0-9]{1,30})([eE][+-]?[0-9]{1,2})?");
    private static final List<String> COLUMNS = List.of("id", "start", "src", "dst", "bytes");

    private final int hosts;
    private final Schedule schedule;
    private final long[] ids;
    private final List<String> warnings;

    private final long smallestBytes;
    private final long largestBytes;
    private final int busiestDestination;
    private final int sendersToBusiest;
    private final int destinations;

    private FlowFile(int hosts, Schedule schedule, long[] ids, List<String> warnings) {
        this.hosts = hosts;
        this.schedule = schedule;
        this.ids = ids;
        this.warnings = warnings;
        double[] received = new double[hosts];
        long least = Long.MAX_VALUE;
        long most = 0;
        for (int m = 0; m < schedule.size(); m++) {
            received[schedule.destination(m)] += schedule.bytes(m);
            least = Math.min(least, schedule.bytes(m));
            most = Math.max(most, schedule.bytes(m));
        }
        this.smallestBytes = least;
        this.largestBytes = most;
        int busiest = 0;
        int receivers = 0;
        for (int host = 0; host < hosts; host++) {
            busiest = received[host] > received[busiest] ? host : busiest;
            receivers += received[host] > 0 ? 1 : 0;
        }
        this.busiestDestination = busiest;
        this.destinations = receivers;
        boolean[] sends = new boolean[hosts];
        int senders = 0;
        for (int m = 0; m < schedule.size(); m++) {
            if (schedule.destination(m) == busiest && !sends[schedule.source(m)]) {
                sends[schedule.source(m)] = true;
                senders++;
            }
        }
        this.sendersToBusiest = senders;
    }

    /** Hosts that the file declares; of one that declares none, as many as its flows need. */
    public int hosts() {
        return hosts;
    }

    /** The flows, one message each; in the order of the file, but that none comes before those that it waits for. */
    public Schedule schedule() {
        return schedule;
    }

    /** What the file calls a flow, or its number in the file, from 1. */
    public long id(int message) {
        return ids[message];
    }

    /** Payload of the smallest flow. */
    long smallestBytes() {
        return smallestBytes;
    }

    /** Payload of the largest flow. */
    long largestBytes() {
        return largestBytes;
    }

    /** The host that receives most; of several the first. */
    int busiestDestination() {
        return busiestDestination;
    }

    /** Hosts that send to it. */
    int sendersToBusiest() {
        return sendersToBusiest;
    }

    /** Hosts that receive anything. */
    int destinations() {
        return destinations;
    }

    /** What was read over, one line each, with file and line. */
    public List<String> warnings() {
        return warnings;
    }

    /** The format that a file's content shows, whatever its name; null if it shows none. */
    public static @Nullable Format formatOf(InputFile file) {
        if (!file.hasContent()) {
            return null;
        }
        byte[] content = file.content();
        if (content.length >= 4
                && new String(content, 0, 4, java.nio.charset.StandardCharsets.ISO_8859_1).equals("PAR1")) {
            return Format.PARQUET;
        }
        String first = file.text()
                .lines()
                .map(line -> line.replaceFirst("#.*", "").strip())
                .filter(line -> !line.isEmpty())
                .findFirst()
                .orElse("");
        if (first.matches("(Nodes|Connections|Triggers|Failures)\\s.*|.*->.*")) {
            return Format.HTSIM;
        }
        return first.matches("[0-9]+") ? Format.HPCC : first.contains(",") ? Format.CSV : null;
    }

    /**
     * The flows of a file; read once, whoever asks.
     *
     * @param unitPs what a start of 1 means, in ps
     * @throws InvalidFileException if anything is wrong: one line each, with file and line
     */
    public static FlowFile of(InputFile file, Format format, BigDecimal unitPs) {
        return file.parsed(
                List.of(format, unitPs.stripTrailingZeros()), f -> new Reader(f.name(), unitPs).read(f, format));
    }

    /** Reads one file. */
    private static final class Reader {
        private final String file;
        private final BigDecimal unitPs;
        private final Problems problems = new Problems();
        private final List<String> warnings = new ArrayList<>();
        private int number;
        private int declaredHosts;
        private int highestHost;
        private long lastStartPs;
        private int lastStartLine;

        // Per flow.
        private int count;
        private int[] source = new int[16];
        private int[] destination = new int[16];
        private long[] bytes = new long[16];
        private long[] startPs = new long[16];
        private long[] id = new long[16];
        private int[] line = new int[16];
        private final Map<Long, Integer> lineOfId = new HashMap<>();
        private boolean ownIds;

        /** Triggers by number, in its order: messages about them come in a fixed one. */
        private final Map<Long, Trigger> triggers = new TreeMap<>();

        private static final class Trigger {
            @Nullable
            String kind;

            long needed;
            int line;
            final List<Integer> firedBy = new ArrayList<>();
            final List<Integer> starts = new ArrayList<>();
        }

        Reader(String file, BigDecimal unitPs) {
            this.file = file;
            this.unitPs = unitPs;
        }

        FlowFile read(InputFile input, Format format) {
            try {
                switch (format) {
                    case HTSIM -> htsim(new BufferedReader(new StringReader(input.text())));
                    case HPCC -> hpcc(new BufferedReader(new StringReader(input.text())));
                    case CSV -> csv(new BufferedReader(new StringReader(input.text())));
                    case PARQUET -> csv(new BufferedReader(new StringReader(csvOf(input))));
                }
            } catch (IOException impossible) {
                throw new UncheckedIOException(impossible); // of a text
            }
            if (count == 0 && problems.isEmpty()) {
                problems.add(Position.of(file), "has no flows");
            }
            problems.throwIfAny();
            FlowFile flows = scheduled();
            problems.throwIfAny();
            return flows;
        }

        private String csvOf(InputFile input) {
            ParquetToCsv parquet = ServiceLoader.load(ParquetToCsv.class, FlowFile.class.getClassLoader())
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException("nothing here reads Parquet"));
            try {
                return parquet.csv(input.content(), COLUMNS);
            } catch (IOException broken) {
                problems.add(Position.of(file), "cannot be read as Parquet: " + broken.getMessage());
                throw problems.exception();
            }
        }

        private Position here() {
            return new Position(file, number, 0);
        }

        private void problem(String message) {
            problems.add(here(), message);
        }

        private void warning(String message) {
            warnings.add(Text.visible(here() + ": " + message));
        }

        /** The next line, null at the end. What no person wrote as a line is not taken apart: its fields alone would fill the memory. */
        private @Nullable String next(BufferedReader reader) throws IOException {
            String next = reader.readLine();
            if (next != null && next.length() > MOST_CHARACTERS) {
                number++;
                problem("found a line of " + next.length() + " characters, expected at most " + MOST_CHARACTERS);
                throw problems.exception();
            }
            return next;
        }

        /** @return -1 after a problem */
        private long whole(String what, String text, long least, long most) {
            if (WHOLE.matcher(text).matches()) {
                try {
                    long value = Long.parseLong(text);
                    if (value >= least && value <= most) {
                        return value;
                    }
                } catch (NumberFormatException beyondLong) {
                    // falls through to the one message below
                }
            }
            problem(what + ": found " + Text.quoted(text) + ", expected a whole number, " + least + " .. " + most);
            return -1;
        }

        /** A host; those that the file does not have are a problem. */
        private int host(String what, String text) {
            int hosts = declaredHosts > 0 ? declaredHosts : MOST_HOSTS;
            if (WHOLE.matcher(text).matches() && (text.length() > 9 || Integer.parseInt(text) >= hosts)) {
                problem(what + ": there is no host " + Text.visible(text) + ", hosts are 0 .. " + (hosts - 1));
                return -1;
            }
            int host = (int) whole(what, text, 0, hosts - 1L);
            highestHost = Math.max(highestHost, host);
            return host;
        }

        /** A time in the file's unit, as ps; -1 after a problem. */
        private long time(String text) {
            if (NUMBER.matcher(text).matches()) {
                BigDecimal ps = new BigDecimal(text).multiply(unitPs);
                if (ps.compareTo(BigDecimal.valueOf(MOST_PS)) <= 0) {
                    return ps.setScale(0, RoundingMode.HALF_UP).longValueExact();
                }
            }
            problem("start: found " + Text.quoted(text) + ", expected a time from 0 to " + MOST_PS / 1_000_000_000_000L
                    + " s, in units of " + Quantity.canonical(unitPs) + " ps");
            return -1;
        }

        /**
         * Adds a flow, unless something was wrong with it.
         *
         * @param ownId what the file calls it; null if nothing
         * @param start -1 after a problem; {@link Long#MAX_VALUE} if a trigger starts it
         * @return its number, or -1
         */
        private int add(@Nullable Long ownId, int from, int to, long size, long start) {
            if (from < 0 || to < 0 || size < 0 || start < 0 || ownId != null && ownId < 0) {
                return -1; // said already
            }
            if (from == to) {
                problem("host " + from + " sends to itself");
                return -1;
            }
            boolean timed = start != Long.MAX_VALUE;
            if (timed && start < lastStartPs) {
                problem("start goes back: the flow of line " + lastStartLine
                        + " begins later. Maybe sort the lines by start");
                return -1;
            }
            if (timed) {
                lastStartPs = start;
                lastStartLine = number;
            }
            if (count == MOST_FLOWS) {
                problem("more than " + MOST_FLOWS + " flows");
                throw problems.exception();
            }
            ownIds |= ownId != null;
            if (count == source.length) {
                int capacity = 2 * count;
                source = Arrays.copyOf(source, capacity);
                destination = Arrays.copyOf(destination, capacity);
                bytes = Arrays.copyOf(bytes, capacity);
                startPs = Arrays.copyOf(startPs, capacity);
                id = Arrays.copyOf(id, capacity);
                line = Arrays.copyOf(line, capacity);
            }
            source[count] = from;
            destination[count] = to;
            bytes[count] = size;
            startPs[count] = timed ? start : 0;
            id[count] = ownId == null ? count + 1L : ownId;
            line[count] = number;
            if (ownIds) {
                checkIds();
            }
            return count++;
        }

        /** Whether the newest flow has an id of its own; with the first that has one, those before it are looked at too. */
        private void checkIds() {
            for (int flow = lineOfId.isEmpty() ? 0 : count; flow <= count; flow++) {
                Integer first = lineOfId.putIfAbsent(id[flow], line[flow]);
                if (first != null) {
                    problem("id " + id[flow] + " is that of the flow of line " + first
                            + " too (a flow without id has its number in the file, from 1)");
                }
            }
        }

        private void htsim(BufferedReader reader) throws IOException {
            Map<String, Long> declared = new HashMap<>();
            int found = 0;
            int defined = 0;
            int failures = 0;
            int firstFailure = 0;
            int prios = 0;
            int firstPrio = 0;
            int firstSendDone = 0;
            for (String each; (each = next(reader)) != null; ) {
                number++;
                String text = each.replaceFirst("#.*", "").strip();
                if (text.isEmpty()) {
                    continue;
                }
                String[] tokens = text.split("\\s+");
                String key = tokens[0];
                boolean header =
                        List.of("Nodes", "Connections", "Triggers", "Failures").contains(key);
                if (key.contains("->")) {
                    found++;
                    if (declaredHosts == 0 && found == 1) {
                        problem("a connection before `Nodes`: the file does not say how many hosts there are");
                    }
                    List<String> given = connection(tokens);
                    if (given.contains("prio") && prios++ == 0) {
                        firstPrio = number;
                    }
                    if (given.contains("send_done_trigger") && firstSendDone == 0) {
                        firstSendDone = number;
                    }
                } else if (header && tokens.length == 2) {
                    if (found + defined + failures > 0) {
                        problem("`" + key + "` belongs before the first connection");
                    }
                    long value = whole(
                            key, tokens[1], key.equals("Nodes") ? 1 : 0, key.equals("Nodes") ? MOST_HOSTS : MOST_FLOWS);
                    if (declared.putIfAbsent(key, value) != null) {
                        problem("`" + key + "` is given twice");
                    } else if (key.equals("Nodes")) {
                        declaredHosts = (int) Math.max(0, value);
                    }
                } else if (key.equals("trigger")) {
                    defined++;
                    trigger(tokens);
                } else if (key.equals("failure")) {
                    if (failures++ == 0) {
                        firstFailure = number;
                    }
                } else {
                    problem(
                            "found " + Text.quoted(text)
                                    + ", expected Nodes N, Connections N, Triggers N, SRC->DST start TIME size BYTES, or trigger id N KIND");
                }
            }
            if (found == 0 && !declared.containsKey("Nodes")) {
                problem("the file does not say how many Nodes there are");
            }
            if (!declared.containsKey("Connections")) {
                problem("the file does not say how many Connections there are");
            }
            requireCount(declared, "Connections", found);
            requireCount(declared, "Triggers", defined);
            requireCount(declared, "Failures", failures);
            if (failures > 0) {
                number = firstFailure;
                warning("failures of links are not modelled: " + failures + " lines are not obeyed");
            }
            if (prios > 0) {
                number = firstPrio;
                warning("prio is not obeyed: all flows are of one class, the " + prios + " that have one too");
            }
            if (firstSendDone > 0) {
                number = firstSendDone;
                warning(
                        "send_done_trigger fires when the last frame arrives, as recv_done_trigger does, and not when its ACK is back");
            }
        }

        private void requireCount(Map<String, Long> declared, String key, int found) {
            long says = declared.getOrDefault(key, key.equals("Connections") ? found : 0L);
            if (says >= 0 && says != found) {
                problem(key + " says " + says + ", the file has " + found);
            }
        }

        /** @return the keys that it has */
        private List<String> connection(String[] tokens) {
            String[] pair = tokens[0].split("->", 2);
            int from = host("source", pair[0]);
            int to = host("destination", pair[1]);
            Map<String, String> values = new HashMap<>();
            List<String> keys =
                    List.of("id", "start", "size", "prio", "trigger", "send_done_trigger", "recv_done_trigger");
            for (int i = 1; i < tokens.length; i += 2) {
                String key = tokens[i];
                if (!keys.contains(key)) {
                    problem("found " + Text.quoted(key) + ", expected one of " + String.join(", ", keys)
                            + NearestName.advice(key, keys));
                    return List.of();
                }
                if (i + 1 == tokens.length) {
                    problem("`" + key + "` has no value");
                    return List.of();
                }
                if (values.putIfAbsent(key, tokens[i + 1]) != null) {
                    problem("`" + key + "` is given twice");
                    return List.of();
                }
            }
            String start = values.get("start");
            String size = values.get("size");
            String startedBy = values.get("trigger");
            if (size == null || start == null && startedBy == null) {
                problem("a connection needs `size`, and `start` or `trigger`");
                return List.of();
            }
            if (start != null && startedBy != null) {
                problem("found both `start` and `trigger`, expected one of them");
                return List.of();
            }
            if (values.containsKey("prio")) {
                whole("prio", values.get("prio"), 0, Long.MAX_VALUE);
            }
            int flow = add(
                    values.containsKey("id") ? Long.valueOf(whole("id", values.get("id"), 1, Long.MAX_VALUE)) : null,
                    from,
                    to,
                    whole("size", size, 1, MOST_BYTES),
                    start == null ? Long.MAX_VALUE : time(start));
            // What waits or fires is noted even for a flow that is wrong: else its trigger would seem wrong too.
            for (String key : List.of("trigger", "send_done_trigger", "recv_done_trigger")) {
                String text = values.get(key);
                long trigger = text == null ? -1 : whole(key, text, 1, Long.MAX_VALUE);
                if (trigger > 0) {
                    Trigger named = triggers.computeIfAbsent(trigger, t -> new Trigger());
                    (key.equals("trigger") ? named.starts : named.firedBy).add(flow);
                    named.line = named.line == 0 ? number : named.line;
                }
            }
            return List.copyOf(values.keySet());
        }

        private void trigger(String[] tokens) {
            long name = -1;
            String kind = null;
            long needed = -1;
            for (int i = 1; i < tokens.length; i++) {
                String key = tokens[i];
                String value = i + 1 < tokens.length ? tokens[i + 1] : "";
                if (key.equals("id")) {
                    name = whole("id", value, 1, Long.MAX_VALUE);
                    i++;
                } else if (key.equals("count")) {
                    needed = whole("count", value, 1, MOST_FLOWS);
                    i++;
                } else if (kind == null
                        && List.of("oneshot", "multishot", "barrier").contains(key)) {
                    kind = key;
                } else {
                    problem("found " + Text.quoted(key)
                            + ", expected id N and one of oneshot, multishot, barrier count N");
                    return;
                }
            }
            if (name < 0 || kind == null || kind.equals("barrier") && needed < 0) {
                problem("a trigger needs `id N` and one of oneshot, multishot, barrier count N");
                return;
            }
            Trigger trigger = triggers.computeIfAbsent(name, t -> new Trigger());
            if (trigger.kind != null) {
                problem("trigger " + name + " is given twice");
            }
            trigger.kind = kind;
            trigger.needed = kind.equals("barrier") ? needed : 1;
            trigger.line = number;
        }

        private void hpcc(BufferedReader reader) throws IOException {
            String first = next(reader);
            number = 1;
            long declared = whole("count of flows", first == null ? "" : first.strip(), 0, MOST_FLOWS);
            long read = 0;
            while (read < declared) {
                String each = next(reader);
                number++;
                if (each == null) {
                    problem("the file ends after " + read + " of the " + declared + " flows that line 1 declares");
                    return;
                }
                if (each.isBlank()) {
                    continue;
                }
                read++;
                String[] fields = each.strip().split("\\s+");
                if (fields.length != 6) {
                    problem("found " + fields.length + " fields, expected 6: src dst pg port bytes start_s");
                    continue;
                }
                whole("pg", fields[2], 0, Long.MAX_VALUE);
                whole("port", fields[3], 0, Long.MAX_VALUE);
                add(
                        null,
                        host("src", fields[0]),
                        host("dst", fields[1]),
                        whole("bytes", fields[4], 1, MOST_BYTES),
                        time(fields[5]));
            }
            int more = 0;
            int next = 0;
            int at = number;
            for (String each; (each = next(reader)) != null; ) {
                at++;
                if (!each.isBlank()) {
                    next = more++ == 0 ? at : next;
                }
            }
            if (more > 0 && declared >= 0) {
                number = next;
                warning("line 1 declares " + declared + " flows; " + more + " more lines are not read");
            }
        }

        private void csv(BufferedReader reader) throws IOException {
            String header = next(reader);
            number = 1;
            List<String> names = header == null
                    ? List.of()
                    : Arrays.stream(header.split(",", -1)).map(String::strip).toList();
            int start = column(names, "start");
            int src = column(names, "src");
            int dst = column(names, "dst");
            int size = column(names, "bytes");
            int own = column(names, "id");
            if (start < 0 || src < 0 || dst < 0 || size < 0) {
                problem("found the header " + Text.quoted(header == null ? "" : header)
                        + ", expected the columns start, src, dst, bytes (and id, if wanted)");
                return;
            }
            List<String> more =
                    names.stream().filter(name -> !COLUMNS.contains(name)).toList();
            if (!more.isEmpty()) {
                warning("not read: the columns " + Text.quoted(String.join(", ", more)));
            }
            for (String each; (each = next(reader)) != null; ) {
                number++;
                if (each.isBlank()) {
                    continue;
                }
                String[] fields = each.split(",", -1);
                if (fields.length != names.size()) {
                    problem("found " + fields.length + " fields, expected " + names.size() + ": "
                            + Text.visible(String.join(",", names)));
                    continue;
                }
                add(
                        own < 0 ? null : Long.valueOf(whole("id", fields[own].strip(), 0, Long.MAX_VALUE)),
                        host("src", fields[src].strip()),
                        host("dst", fields[dst].strip()),
                        whole("bytes", fields[size].strip(), 1, MOST_BYTES),
                        time(fields[start].strip()));
            }
        }

        private int column(List<String> names, String name) {
            if (names.indexOf(name) != names.lastIndexOf(name)) {
                problem("the header has `" + name + "` twice");
            }
            return names.indexOf(name);
        }

        /** Orders the flows so that none comes before one that it waits for: of those that can be next, the first of the file. */
        private FlowFile scheduled() {
            List<List<Integer>> after = new ArrayList<>();
            int[] waits = new int[count];
            if (!triggers.isEmpty()) {
                for (int flow = 0; flow < count; flow++) {
                    after.add(new ArrayList<>());
                }
                triggers.forEach((name, trigger) -> checkTrigger(name, trigger));
                problems.throwIfAny();
                for (Trigger trigger : triggers.values()) {
                    for (int before : trigger.firedBy) {
                        for (int waiting : trigger.starts) {
                            after.get(before).add(waiting);
                            waits[waiting]++;
                        }
                    }
                }
            }
            PriorityQueue<Integer> ready = new PriorityQueue<>();
            for (int flow = 0; flow < count; flow++) {
                if (waits[flow] == 0) {
                    ready.add(flow);
                }
            }
            Schedule.Builder builder = new Schedule.Builder();
            long[] ids = new long[count];
            int[] message = new int[count];
            while (!ready.isEmpty()) {
                int flow = ready.remove();
                message[flow] = builder.add(source[flow], destination[flow], bytes[flow], startPs[flow], 0);
                ids[message[flow]] = id[flow];
                if (!after.isEmpty()) {
                    for (int waiting : after.get(flow)) {
                        if (--waits[waiting] == 0) {
                            ready.add(waiting);
                        }
                    }
                }
            }
            if (builder.size() < count) {
                for (int flow = 0; flow < count; flow++) {
                    if (waits[flow] > 0) {
                        number = line[flow];
                        problem("this flow never starts: it waits for itself, by way of triggers");
                        problems.throwIfAny();
                    }
                }
            }
            for (int flow = 0; flow < after.size(); flow++) {
                for (int waiting : after.get(flow)) {
                    builder.order(message[flow], message[waiting]);
                }
            }
            return new FlowFile(
                    declaredHosts > 0 ? declaredHosts : highestHost + 1, builder.build(), ids, List.copyOf(warnings));
        }

        /** A schedule knows flows that wait for all of some others, which is what most triggers mean; the others are refused. */
        private void checkTrigger(long name, Trigger trigger) {
            number = trigger.line;
            int fired = trigger.firedBy.size();
            if (trigger.kind == null) {
                problem("there is no line `trigger id " + name + " ...`");
            } else if (trigger.starts.isEmpty() && !trigger.kind.equals("barrier")) {
                problem("no connection waits for trigger " + name);
            } else if (fired == 0) {
                problem("no connection fires trigger " + name);
            } else if (trigger.kind.equals("multishot") && (fired > 1 || trigger.starts.size() > 1)) {
                problem("trigger " + name + " is a multishot of " + fired + " connections that fire it and "
                        + trigger.starts.size()
                        + " that wait: which starts which would depend on the run, which is not supported");
            } else if (!trigger.kind.equals("multishot") && trigger.needed != fired) {
                problem("trigger " + name + " fires after " + trigger.needed + ", but " + fired
                        + " connections fire it");
            }
        }
    }
}
