package io.github.rhosweep.scenario;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;

/**
 * Messages from files of other simulators. Every error has file and line; all are collected before any is thrown.
 *
 * @param hosts hosts that the file declares; 0 if it declares none
 * @param messages in the order of the file
 * @param warnings what was read over, one line each
 */
public record FlowFile(int hosts, Schedule messages, List<String> warnings) {
    /** Formats by name. */
    public enum Format {
        /**
         * Connection matrices of htsim: {@code Nodes n}, {@code Connections c}, then {@code src->dst [id n] start t size bytes [prio n]};
         * {@code #} begins a comment. Flows that a trigger starts are refused.
         */
        HTSIM,
        /** Flow files of HPCC's simulator: first line the count, then {@code src dst pg port bytes start_s} in ascending start. */
        HPCC,
        /** A header {@code start,src,dst,bytes}, then a line each, in ascending start. */
        CSV
    }

    /** Reads lines into a schedule; one instance a file. */
    private static final class Lines {
        private final String file;
        private final int hosts;
        private final BigDecimal unitPs;
        private final Problems problems = new Problems();
        private final List<String> warnings = new ArrayList<>();
        private final Schedule.Builder messages = new Schedule.Builder();
        private int number;
        private int declaredHosts;
        private long lastStartPs;
        private int lastStartLine;

        Lines(String file, int hosts, BigDecimal unitPs) {
            this.file = file;
            this.hosts = hosts;
            this.unitPs = unitPs;
        }

        private Position here() {
            return new Position(file, number, 0);
        }

        void problem(String message) {
            problems.add(here(), message);
        }

        /** @return -1 after a problem */
        long whole(String what, String text, long least, long most) {
            try {
                long value = Long.parseLong(text);
                if (value >= least && value <= most) {
                    return value;
                }
            } catch (NumberFormatException notWhole) {
                // falls through to the one message below
            }
            problem(what + ": found `" + text + "`, expected a whole number, " + least + " .. " + most);
            return -1;
        }

        /** A host; those that the file or the fabric does not have are a problem. */
        int host(String what, String text) {
            int count = declaredHosts > 0 ? declaredHosts : hosts;
            long host = whole(what, text, 0, Integer.MAX_VALUE);
            if (host >= count) {
                problem(what + ": there is no host " + text + ", hosts are 0 .. " + (count - 1));
                return -1;
            }
            return (int) host;
        }

        /** A time in the file's unit, as ps; -1 after a problem. */
        long time(String text) {
            try {
                BigDecimal ps = new BigDecimal(text).multiply(unitPs).setScale(0, RoundingMode.HALF_UP);
                if (ps.signum() >= 0 && ps.unscaledValue().bitLength() <= 62) {
                    return ps.longValueExact();
                }
            } catch (NumberFormatException notANumber) {
                // falls through to the one message below
            }
            problem("start: found `" + text + "`, expected a time of at least 0 that ends before 2^62 ps");
            return -1;
        }

        void add(int source, int destination, long bytes, long startPs, boolean ascending) {
            if (source < 0 || destination < 0 || bytes < 0 || startPs < 0) {
                return; // said already
            }
            if (source == destination) {
                problem("host " + source + " sends to itself");
                return;
            }
            if (ascending && startPs < lastStartPs) {
                problem("start goes back: line " + lastStartLine + " begins later. Maybe sort the file by start");
                return;
            }
            lastStartPs = startPs;
            lastStartLine = number;
            messages.add(source, destination, bytes, startPs, 0);
        }

        FlowFile done() {
            problems.throwIfAny();
            return new FlowFile(declaredHosts, messages.build(), List.copyOf(warnings));
        }
    }

    /**
     * Reads a file.
     *
     * @param in its text
     * @param file its name, for messages
     * @param format how it is written
     * @param hosts hosts of the fabric: others may not occur
     * @param unitPs what a start of 1 means, in ps (HPCC: 10^12)
     * @throws InvalidFileException if anything is wrong: one line each, with file and line
     * @throws IOException if it cannot be read
     */
    public static FlowFile read(Reader in, String file, Format format, int hosts, BigDecimal unitPs)
            throws IOException {
        Lines lines = new Lines(file, hosts, unitPs);
        BufferedReader reader = new BufferedReader(in);
        switch (format) {
            case HTSIM -> htsim(reader, lines);
            case HPCC -> hpcc(reader, lines);
            case CSV -> csv(reader, lines);
        }
        return lines.done();
    }

    private static void htsim(BufferedReader reader, Lines lines) throws IOException {
        long declared = -1;
        int found = 0;
        for (String line; (line = reader.readLine()) != null; ) {
            lines.number++;
            String text = line.replaceFirst("#.*", "").trim();
            if (text.isEmpty()) {
                continue;
            }
            String[] tokens = text.split("\\s+");
            if (tokens[0].contains("->")) {
                found++;
                htsimConnection(tokens, lines);
            } else if (tokens.length == 2 && tokens[0].equals("Nodes")) {
                long nodes = lines.whole("Nodes", tokens[1], 1, 65_536);
                if (nodes > lines.hosts) {
                    lines.problem("Nodes " + nodes + " are more than the " + lines.hosts + " of topology.hosts");
                }
                lines.declaredHosts = (int) Math.max(0, nodes);
            } else if (tokens.length == 2 && tokens[0].equals("Connections")) {
                declared = lines.whole("Connections", tokens[1], 0, Integer.MAX_VALUE);
            } else if (!text.matches("(Triggers|Failures)\\s+0")) {
                lines.problem("found `" + text + "`, expected Nodes, Connections or SRC->DST start TIME size BYTES");
            }
        }
        if (lines.declaredHosts == 0) {
            lines.problem("the file does not say how many Nodes there are");
        }
        if (declared >= 0 && declared != found) {
            lines.problem("Connections says " + declared + ", the file has " + found);
        }
    }

    private static void htsimConnection(String[] tokens, Lines lines) {
        String[] pair = tokens[0].split("->", 2);
        int source = lines.host("source", pair[0]);
        int destination = lines.host("destination", pair[1]);
        String start = null;
        String size = null;
        for (int i = 1; i < tokens.length; i += 2) {
            String key = tokens[i];
            if (i + 1 == tokens.length) {
                lines.problem("`" + key + "` has no value");
                return;
            }
            switch (key) {
                case "start" -> start = tokens[i + 1];
                case "size" -> size = tokens[i + 1];
                case "id", "prio" -> {
                    if (lines.whole(key, tokens[i + 1], 0, Long.MAX_VALUE) < 0) {
                        return;
                    }
                }
                case "trigger", "send_done_trigger", "recv_done_trigger" -> {
                    lines.problem("`" + key + "`: triggers are not read, a flow begins at its start");
                    return;
                }
                default -> {
                    lines.problem("found `" + key + "`, expected one of start, size, id, prio"
                            + NearestName.advice(key, List.of("start", "size", "id", "prio")));
                    return;
                }
            }
        }
        if (start == null || size == null) {
            lines.problem("a connection needs `start` and `size`");
            return;
        }
        // htsim starts flows by time, whatever their order in the file.
        lines.add(source, destination, lines.whole("size", size, 1, Long.MAX_VALUE), lines.time(start), false);
    }

    private static void hpcc(BufferedReader reader, Lines lines) throws IOException {
        String first = reader.readLine();
        lines.number = 1;
        long declared = first == null
                ? lines.whole("count of flows", "", 0, Integer.MAX_VALUE)
                : lines.whole("count of flows", first.trim(), 0, Integer.MAX_VALUE);
        long read = 0;
        while (read < declared) {
            String line = reader.readLine();
            lines.number++;
            if (line == null) {
                lines.problem("the file ends after " + read + " of the " + declared + " flows that line 1 declares");
                return;
            }
            if (line.isBlank()) {
                continue;
            }
            read++;
            String[] fields = line.trim().split("\\s+");
            if (fields.length != 6) {
                lines.problem("found " + fields.length + " fields, expected 6: src dst pg port bytes start_s");
                continue;
            }
            lines.add(
                    lines.host("src", fields[0]),
                    lines.host("dst", fields[1]),
                    lines.whole("bytes", fields[4], 1, Long.MAX_VALUE),
                    lines.time(fields[5]),
                    true);
        }
        int more = 0;
        int next = lines.number + 1;
        for (String line; (line = reader.readLine()) != null; ) {
            more += line.isBlank() ? 0 : 1;
        }
        if (more > 0 && declared >= 0) {
            lines.warnings.add(lines.file + ":" + next + ": line 1 declares " + declared + " flows; " + more
                    + " more lines are not read");
        }
    }

    private static void csv(BufferedReader reader, Lines lines) throws IOException {
        String header = reader.readLine();
        lines.number = 1;
        if (header == null || !header.replace("\uFEFF", "").trim().equals("start,src,dst,bytes")) {
            lines.problem("found `" + (header == null ? "" : header) + "`, expected the header `start,src,dst,bytes`");
            return;
        }
        for (String line; (line = reader.readLine()) != null; ) {
            lines.number++;
            if (line.isBlank()) {
                continue;
            }
            String[] fields = line.split(",", -1);
            if (fields.length != 4) {
                lines.problem("found " + fields.length + " fields, expected 4: start,src,dst,bytes");
                continue;
            }
            lines.add(
                    lines.host("src", fields[1].trim()),
                    lines.host("dst", fields[2].trim()),
                    lines.whole("bytes", fields[3].trim(), 1, Long.MAX_VALUE),
                    lines.time(fields[0].trim()),
                    true);
        }
    }
}
