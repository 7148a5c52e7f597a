package io.github.rhosweep.kernel;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.rhosweep.scenario.InputFile;
import io.github.rhosweep.scenario.InvalidValueException;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.CharacterCodingException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The frames of a {@code trace.csv}, in the order of the file, which is the order of time. */
final class Trace {
    private static final String HEADER = "time_ns,ingress,egress,wire_bytes,payload_bytes";
    private static final Pattern TIME = Pattern.compile("([0-9]{1,15})(?:\\.([0-9]{1,3}))?");
    private static final Pattern WHOLE = Pattern.compile("[0-9]{1,18}");
    /** About two million frames. */
    private static final int MAX_BYTES = 64 << 20;

    private static final int MOST_CHARACTERS = 1000;

    /** A file that is wrong throughout is not recited. */
    private static final int MOST_PROBLEMS = 20;

    private final Path file;
    private final int ports;
    private final List<String> problems = new ArrayList<>();

    private int frames;
    private long[] timePs = new long[64];
    private int[] ingress = new int[64];
    private int[] egress = new int[64];
    private int[] wireBytes = new int[64];
    private int[] payloadBytes = new int[64];

    private Trace(Path file, int ports) {
        this.file = file;
        this.ports = ports;
    }

    /**
     * Reads a trace for a switch of so many ports.
     *
     * @throws InvalidValueException if a line is not as it must be; nothing is sorted or rounded
     * @throws IOException if the file cannot be read
     */
    static Trace read(Path file, int ports) throws IOException {
        Trace trace = new Trace(file, ports);
        try {
            byte[] bytes = InputFile.bytes(file, MAX_BYTES);
            if (bytes.length > MAX_BYTES) {
                throw new InvalidValueException(file + ": found " + InputFile.sizeOf(file) + ", expected at most "
                        + (MAX_BYTES >> 20) + " MiB");
            }
            // Unlike a String's, a decoder's readers refuse what is no UTF-8.
            BufferedReader reader =
                    new BufferedReader(new InputStreamReader(new ByteArrayInputStream(bytes), UTF_8.newDecoder()));
            String header = reader.readLine();
            String found = header == null ? "" : header.startsWith("\uFEFF") ? header.substring(1) : header;
            if (!found.equals(HEADER)) {
                trace.problem(1, "found `" + found + "`, expected the header `" + HEADER + "`");
            } else {
                int number = 1;
                for (String line; (line = reader.readLine()) != null && trace.problems.size() < MOST_PROBLEMS; ) {
                    trace.add(++number, line);
                }
            }
        } catch (NoSuchFileException missing) {
            throw new InvalidValueException(file + ": no such file");
        } catch (CharacterCodingException notText) {
            throw new InvalidValueException(file + ": not UTF-8 text");
        }
        if (!trace.problems.isEmpty()) {
            throw new InvalidValueException(trace.problems);
        }
        return trace;
    }

    private void add(int line, String text) {
        int before = problems.size();
        if (text.length() > MOST_CHARACTERS) {
            problem(line, "found " + text.length() + " characters, expected 5 fields: " + HEADER);
            return;
        }
        String[] fields = text.split(",", -1);
        if (fields.length != 5) {
            problem(line, "found `" + text + "`, expected 5 fields: " + HEADER);
            return;
        }
        long time = time(line, fields[0]);
        if (frames > 0 && time < timePs[frames - 1] && problems.size() == before) {
            problem(line, "time_ns " + fields[0] + " is earlier than the line before: times must not decrease");
        }
        int from = whole(line, "ingress", fields[1], 0, ports - 1);
        int to = whole(line, "egress", fields[2], 0, ports - 1);
        int wire = whole(line, "wire_bytes", fields[3], 1, Integer.MAX_VALUE);
        int payload = whole(line, "payload_bytes", fields[4], 0, wire < 0 ? Integer.MAX_VALUE : wire);
        if (problems.size() > before) {
            return;
        }
        if (frames == timePs.length) {
            int capacity = 2 * frames;
            timePs = Arrays.copyOf(timePs, capacity);
            ingress = Arrays.copyOf(ingress, capacity);
            egress = Arrays.copyOf(egress, capacity);
            wireBytes = Arrays.copyOf(wireBytes, capacity);
            payloadBytes = Arrays.copyOf(payloadBytes, capacity);
        }
        timePs[frames] = time;
        ingress[frames] = from;
        egress[frames] = to;
        wireBytes[frames] = wire;
        payloadBytes[frames] = payload;
        frames++;
    }

    /** A time in ps; -1 after a problem. */
    private long time(int line, String text) {
        Matcher matcher = TIME.matcher(text);
        if (!matcher.matches()) {
            problem(line, "time_ns `" + text + "`, expected a decimal of at least 0 with at most three decimals");
            return -1;
        }
        String fraction = matcher.group(2) == null ? "" : matcher.group(2);
        return Long.parseLong(matcher.group(1) + (fraction + "000").substring(0, 3));
    }

    /** A whole number; -1 after a problem. */
    private int whole(int line, String name, String text, int low, int high) {
        if (WHOLE.matcher(text).matches()) {
            long value = Long.parseLong(text);
            if (value >= low && value <= high) {
                return (int) value;
            }
        }
        problem(line, name + " `" + text + "`, expected a whole number from " + low + " to " + high);
        return -1;
    }

    private void problem(int line, String text) {
        problems.add(file + ":" + line + ": " + text);
    }

    int frames() {
        return frames;
    }

    /** When a frame arrives, in ps. */
    long timePs(int frame) {
        return timePs[frame];
    }

    int ingress(int frame) {
        return ingress[frame];
    }

    int egress(int frame) {
        return egress[frame];
    }

    int wireBytes(int frame) {
        return wireBytes[frame];
    }

    int payloadBytes(int frame) {
        return payloadBytes[frame];
    }
}
