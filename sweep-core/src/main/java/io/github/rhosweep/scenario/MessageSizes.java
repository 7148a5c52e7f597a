package io.github.rhosweep.scenario;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.regex.Pattern;

/**
 * A distribution of message sizes, as data-centre traces are published: lines {@code bytes percent}, percent the fraction of messages of at
 * most so many bytes; linear in between.
 */
public final class MessageSizes {
    /** As {@code traffic.message}: a TiB. */
    private static final double MOST_BYTES = 0x1p40;

    private static final Pattern NUMBER =
            Pattern.compile("([0-9]{1,20}\\.?[0-9]{0,20}|\\.[0-9]{1,20})([eE][+-]?[0-9]{1,2})?");

    private final double[] bytes;
    private final double[] percent;

    private MessageSizes(double[] bytes, double[] percent) {
        this.bytes = bytes;
        this.percent = percent;
    }

    /**
     * The distribution that a file holds; read once, whoever asks.
     *
     * @throws InvalidFileException if anything is wrong: one line each, with file and line
     */
    public static MessageSizes of(InputFile file) {
        return file.parsed(MessageSizes.class, f -> {
            try {
                return read(new BufferedReader(new StringReader(f.text())), f.name());
            } catch (IOException impossible) {
                throw new UncheckedIOException(impossible); // of a text
            }
        });
    }

    private static MessageSizes read(BufferedReader reader, String file) throws IOException {
        Problems problems = new Problems();
        double[] bytes = new double[16];
        double[] percent = new double[16];
        int count = 0;
        int number = 0;
        for (String line; (line = reader.readLine()) != null; ) {
            number++;
            if (line.length() > FlowFile.MOST_CHARACTERS) {
                problems.add(
                        new Position(file, number, 0),
                        "found a line of " + line.length() + " characters, expected at most "
                                + FlowFile.MOST_CHARACTERS);
                throw problems.exception();
            }
            String text = line.replaceFirst("#.*", "").strip();
            if (text.isEmpty()) {
                continue;
            }
            Position here = new Position(file, number, 0);
            String[] fields = text.split("\\s+");
            double size = fields.length == 2 ? number(fields[0]) : Double.NaN;
            double below = fields.length == 2 ? number(fields[1]) : Double.NaN;
            if (!(size >= 0 && size <= MOST_BYTES && below >= 0 && below <= 100)) {
                problems.add(
                        here,
                        "found " + Text.quoted(text) + ", expected `bytes percent`: bytes 0 .. 2^40, percent 0 .. 100");
                continue;
            }
            if (count > 0 && (size < bytes[count - 1] || below < percent[count - 1])) {
                problems.add(
                        here,
                        "found " + Text.quoted(text) + " after `" + text(bytes[count - 1]) + " "
                                + text(percent[count - 1]) + "`: neither may fall");
                continue;
            }
            if (count == bytes.length) {
                bytes = Arrays.copyOf(bytes, 2 * count);
                percent = Arrays.copyOf(percent, 2 * count);
            }
            bytes[count] = size;
            percent[count++] = below;
        }
        if (problems.isEmpty() && (count < 1 || percent[count - 1] != 100)) {
            problems.add(
                    new Position(file, number, 0),
                    count < 1
                            ? "found no line `bytes percent`"
                            : "ends at " + text(percent[count - 1]) + " percent, expected 100");
        }
        if (problems.isEmpty() && bytes[count - 1] < 1) {
            problems.add(new Position(file, number, 0), "no message has any bytes");
        }
        problems.throwIfAny();
        return new MessageSizes(Arrays.copyOf(bytes, count), Arrays.copyOf(percent, count));
    }

    /** NaN if it is no plain number. */
    private static double number(String text) {
        return NUMBER.matcher(text).matches() ? Double.parseDouble(text) : Double.NaN;
    }

    private static String text(double value) {
        return Quantity.canonical(java.math.BigDecimal.valueOf(value));
    }

    /** The size below which a fraction {@code u} of messages is, 0 <= u < 1, rounded up to whole bytes, at least 1. */
    public long quantile(double u) {
        double p = 100 * u;
        // The first point beyond p, by bisection.
        int i = 0;
        for (int end = percent.length - 1; i < end; ) {
            int middle = (i + end) >>> 1;
            if (percent[middle] > p) {
                end = middle;
            } else {
                i = middle + 1;
            }
        }
        double size;
        if (i == 0 || percent[i] == percent[i - 1]) {
            size = bytes[i];
        } else {
            double part = (p - percent[i - 1]) / (percent[i] - percent[i - 1]);
            size = bytes[i - 1] + part * (bytes[i] - bytes[i - 1]);
        }
        return (long) Math.max(1, Math.ceil(size));
    }

    /** The largest size, rounded up to whole bytes. */
    public long largest() {
        return (long) Math.ceil(bytes[bytes.length - 1]);
    }

    /** Mean size, in bytes: of the distribution itself, before rounding. */
    public double meanBytes() {
        double sum = bytes[0] * percent[0];
        for (int i = 1; i < bytes.length; i++) {
            sum += (percent[i] - percent[i - 1]) * (bytes[i] + bytes[i - 1]) / 2;
        }
        return sum / 100;
    }

    /**
     * Mean number of frames of a message.
     *
     * @param payload most bytes that a frame carries
     */
    public double meanFrames(long payload) {
        return moment(payload, false);
    }

    /** Mean of the square of the number of frames of a message. */
    public double meanSquareFrames(long payload) {
        return moment(payload, true);
    }

    /**
     * E[f] is the sum over k >= 0 of P(f > k), E[f^2] that of (2k + 1) P(f > k), and a message has more than k >= 1 frames iff its size
     * exceeds k payloads. Between two points that probability is linear in k: a + b k, so that the sums have closed forms.
     */
    private double moment(long payload, boolean square) {
        double sum = 1; // k = 0: every message has a frame
        double from = 0;
        double at = 0;
        for (int i = 0; i < bytes.length; i++) {
            long first = Math.max(1, (long) Math.ceil(from / payload));
            long last = (long) Math.ceil(bytes[i] / payload) - 1;
            if (last >= first) {
                double slope = i == 0 || bytes[i] == from ? 0 : (percent[i] - at) / (bytes[i] - from);
                double a = (100 - at + slope * from) / 100;
                double b = -slope * payload / 100;
                sum += square
                        ? a * sums(first, last, 0) + (2 * a + b) * sums(first, last, 1) + 2 * b * sums(first, last, 2)
                        : a * sums(first, last, 0) + b * sums(first, last, 1);
            }
            from = bytes[i];
            at = percent[i];
        }
        return sum;
    }

    /** The sum of k^power over first .. last. */
    private static double sums(long from, long to, int power) {
        double first = from;
        double last = to;
        double before = first - 1;
        return switch (power) {
            case 0 -> last - before;
            case 1 -> (last * (last + 1) - before * (before + 1)) / 2;
            default -> (last * (last + 1) * (2 * last + 1) - before * (before + 1) * (2 * before + 1)) / 6;
        };
    }
}
