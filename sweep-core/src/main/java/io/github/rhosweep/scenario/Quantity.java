package io.github.rhosweep.scenario;

import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Physical dimensions and their units. A quantity is written as a decimal number, a space if wanted, and a unit: {@code 64 KiB},
 * {@code 400 Gb/s}, {@code 2us}. Conversion is exact decimal arithmetic.
 */
public enum Quantity {
    /** Bytes. Decimal (KB = 1000) and binary (KiB = 1024) multiples. */
    BYTES("bytes", "64 KiB", bytesUnits()),
    /** Times, held in nanoseconds. */
    TIME("ns", "2 us", timeUnits()),
    /** Bandwidth, held in GB/s (10^9 bytes per second, that is bytes per nanosecond). Gb/s are bits. */
    BANDWIDTH("gb_per_s", "400 Gb/s", bandwidthUnits()),
    /** A plain number. */
    NONE("", "0.5", Map.of());

    private static final Pattern FORM =
            Pattern.compile("\\s*([+-]?(?:\\d++\\.?+\\d*+|\\.\\d++)(?:[eE][+-]?\\d{1,4})?)\\s*([A-Za-z/]*)\\s*");

    /** Of a number with its unit. More digits say nothing, and take time that grows with their square. */
    private static final int MOST_CHARACTERS = 200;

    private final String suffix;
    private final String example;

    @SuppressWarnings("ImmutableEnumChecker") // never changed after construction; keeps its order, for messages
    private final Map<String, BigDecimal> units;

    Quantity(String suffix, String example, Map<String, BigDecimal> units) {
        this.suffix = suffix;
        this.example = example;
        this.units = units;
    }

    /** The suffix of a column or parameter that carries this unit: bytes, ns, gb_per_s; empty for plain numbers. */
    public String suffix() {
        return suffix;
    }

    /** The unit that stands for 1: B, ns, GB/s; empty for plain numbers. */
    public String baseUnit() {
        return units.entrySet().stream()
                .filter(unit -> unit.getValue().compareTo(BigDecimal.ONE) == 0)
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse("");
    }

    /** All units, by name, with their value in the base unit. */
    public Map<String, BigDecimal> units() {
        return java.util.Collections.unmodifiableMap(units);
    }

    /**
     * Reads a quantity.
     *
     * @param text the number with its unit
     * @param bareAllowed whether a number without a unit is taken to be in the base unit
     * @return the value in the base unit (bytes, ns, GB/s)
     * @throws InvalidValueException if the text is no number, the unit is missing or does not fit this dimension
     */
    public BigDecimal parse(String text, boolean bareAllowed) {
        Matcher matcher = FORM.matcher(text);
        if (text.length() > MOST_CHARACTERS || !matcher.matches()) {
            throw new InvalidValueException("`" + text + "` is not " + expected());
        }
        BigDecimal number = decimal(matcher.group(1));
        String unit = matcher.group(2);
        if (unit.isEmpty()) {
            if (!bareAllowed && this != NONE) {
                throw new InvalidValueException(
                        "`" + text + "` has no unit: expected " + expected() + ", such as `" + example + "`");
            }
            return number;
        }
        BigDecimal factor = units.get(unit);
        if (factor == null) {
            throw new InvalidValueException("`" + text + "`: the unit `" + unit + "` does not fit, expected "
                    + expected() + (this == NONE ? "" : " with one of " + String.join(", ", units.keySet())));
        }
        return number.multiply(factor);
    }

    /**
     * Reads a number that is no parameter's, exactly.
     *
     * @throws NumberFormatException if it is none, or has more than 200 characters
     */
    public static BigDecimal plain(String text) {
        if (text.length() > MOST_CHARACTERS) {
            throw new NumberFormatException("too long");
        }
        return new BigDecimal(text.trim());
    }

    /** What a message says was expected. */
    public String expected() {
        return switch (this) {
            case BYTES -> "a size";
            case TIME -> "a time";
            case BANDWIDTH -> "a bandwidth";
            case NONE -> "a plain number";
        };
    }

    /** The shortest decimal of a number's value: no exponent, no trailing zeros, -0 is 0. Equal values give equal texts. */
    public static String canonical(BigDecimal value) {
        return value.signum() == 0 ? "0" : value.stripTrailingZeros().toPlainString();
    }

    private static BigDecimal decimal(String number) {
        BigDecimal value = new BigDecimal(number);
        // Beyond these no parameter makes sense, and toPlainString of 1e999999999 would fill the heap.
        if (value.signum() != 0 && (value.precision() - value.scale() > 40 || value.scale() > 60)) {
            throw new InvalidValueException("`" + number + "` is beyond what any parameter takes");
        }
        return value;
    }

    private static Map<String, BigDecimal> bytesUnits() {
        Map<String, BigDecimal> units = new LinkedHashMap<>();
        units.put("B", BigDecimal.ONE);
        String[] prefixes = {"K", "M", "G", "T"};
        for (int i = 0; i < prefixes.length; i++) {
            units.put(prefixes[i] + "B", BigDecimal.TEN.pow(3 * (i + 1)));
            units.put(prefixes[i] + "iB", BigDecimal.valueOf(1024).pow(i + 1));
        }
        units.put("kB", BigDecimal.valueOf(1000));
        return units;
    }

    private static Map<String, BigDecimal> timeUnits() {
        Map<String, BigDecimal> units = new LinkedHashMap<>();
        units.put("ps", new BigDecimal("0.001"));
        units.put("ns", BigDecimal.ONE);
        units.put("us", BigDecimal.valueOf(1_000));
        units.put("ms", BigDecimal.valueOf(1_000_000));
        units.put("s", BigDecimal.valueOf(1_000_000_000));
        return units;
    }

    private static Map<String, BigDecimal> bandwidthUnits() {
        Map<String, BigDecimal> units = new LinkedHashMap<>();
        String[] prefixes = {"M", "G", "T"};
        for (int i = 0; i < prefixes.length; i++) {
            BigDecimal gigaBytes = BigDecimal.ONE.scaleByPowerOfTen(3 * (i - 1));
            units.put(prefixes[i] + "B/s", gigaBytes);
            BigDecimal gigaBits = gigaBytes.divide(BigDecimal.valueOf(8));
            units.put(prefixes[i] + "b/s", gigaBits);
            units.put(prefixes[i] + "bps", gigaBits);
        }
        return units;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
