package io.github.rhosweep.scenario;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import java.util.Arrays;

/**
 * A distribution of message sizes, as data-centre traces are published: lines {@code bytes percent}, percent the fraction of messages of at
 * most so many bytes; linear in between.
 */
public final class MessageSizes {
    private final double[] bytes;
    private final double[] percent;

    private MessageSizes(double[] bytes, double[] percent) {
        this.bytes = bytes;
        this.percent = percent;
    }

    /**
     * Reads a distribution.
     *
     * @param in its text
     * @param file its name, for messages
     * @throws InvalidFileException if anything is wrong: one line each, with file and line
     * @throws IOException if it cannot be read
     */
    public static MessageSizes read(Reader in, String file) throws IOException {
        Problems problems = new Problems();
        double[] bytes = new double[16];
        double[] percent = new double[16];
        int count = 0;
        int number = 0;
        BufferedReader reader = new BufferedReader(in);
        for (String line; (line = reader.readLine()) != null; ) {
            number++;
            String text = line.replaceFirst("#.*", "").trim();
            if (text.isEmpty()) {
                continue;
            }
            Position here = new Position(file, number, 0);
            String[] fields = text.split("\\s+");
            double size = fields.length == 2 ? number(fields[0]) : Double.NaN;
            double below = fields.length == 2 ? number(fields[1]) : Double.NaN;
            if (!(size >= 0 && size < 0x1p62 && below >= 0 && below <= 100)) {
                problems.add(here, "found `" + text + "`, expected `bytes percent`, percent 0 .. 100");
                continue;
            }
            if (count > 0 && (size < bytes[count - 1] || below < percent[count - 1])) {
                problems.add(
                        here,
                        "found `" + text + "` after `" + text(bytes[count - 1]) + " " + text(percent[count - 1])
                                + "`: neither may fall");
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

    private static double number(String text) {
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException notANumber) {
            return Double.NaN;
        }
    }

    private static String text(double value) {
        return Quantity.canonical(java.math.BigDecimal.valueOf(value));
    }

    /** The size below which a fraction {@code u} of messages is, 0 <= u < 1, rounded up to whole bytes, at least 1. */
    public long quantile(double u) {
        double p = 100 * u;
        int i = 0;
        while (percent[i] <= p && i + 1 < percent.length) {
            i++;
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

    /** Mean size, in bytes: of the distribution itself, before rounding. */
    public double meanBytes() {
        double sum = bytes[0] * percent[0];
        for (int i = 1; i < bytes.length; i++) {
            sum += (percent[i] - percent[i - 1]) * (bytes[i] + bytes[i - 1]) / 2;
        }
        return sum / 100;
    }
}
