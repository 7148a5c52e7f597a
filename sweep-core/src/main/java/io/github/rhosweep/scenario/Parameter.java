package io.github.rhosweep.scenario;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One parameter: its path in an experiment file, how it is read, its default, bounds and meaning, and when it applies. Declared
 * once, as a constant of the record that it fills; the file parser, keys, Parquet columns and documentation all come from here.
 *
 * @param <T> {@link BigDecimal} for numbers and quantities (in base units: bytes/ns/GB per second), {@link Long} for counts and
 *     sizes, {@link Boolean}, {@link String}, or an enum
 */
public final class Parameter<T> {
    /** The type of a parameter's column. */
    public enum ColumnType {
        BOOLEAN,
        INT64,
        DOUBLE,
        STRING
    }

    private final String path;
    private final String column;
    private final String unit;
    private final ColumnType columnType;
    private final String doc;
    private final String expected;
    private final Function<String, T> reader;
    private final Function<T, String> writer;
    private final Function<T, @Nullable Object> columnValue;
    private final Function<Params, @Nullable T> defaultValue;
    private final String defaultText;
    private final boolean fixedDefault;
    private final Predicate<Params> applies;
    private final String appliesText;
    private final boolean inKey;
    private final boolean inKeyAtDefault;
    private final @Nullable String autoKeyword;
    private final @Nullable Quantity quantity;
    private final @Nullable T wordValue;
    private final boolean file;

    private Parameter(Builder<T> b) {
        this.path = b.path;
        this.column = b.column;
        this.unit = b.unit;
        this.columnType = b.columnType;
        this.doc = Objects.requireNonNull(b.doc, b.path);
        this.expected = b.expected;
        this.reader = b.reader;
        this.writer = b.writer;
        this.columnValue = b.columnValue;
        this.defaultValue = Objects.requireNonNull(b.defaultValue, b.path);
        this.defaultText = b.defaultText;
        this.fixedDefault = b.fixedDefault;
        this.applies = b.applies;
        this.appliesText = b.appliesText;
        this.inKey = b.inKey;
        this.inKeyAtDefault = b.inKeyAtDefault;
        this.autoKeyword = b.autoKeyword;
        this.quantity = b.quantity;
        this.wordValue = b.wordValue;
        this.file = b.file;
    }

    /** The dotted path, such as {@code switch.alpha}. */
    public String path() {
        return path;
    }

    /** The column's name: the path with underscores, and the unit if the path does not carry it. */
    public String column() {
        return column;
    }

    public ColumnType columnType() {
        return columnType;
    }

    /** The unit of the column: bytes, ns, gb_per_s or empty. */
    public String unit() {
        return unit;
    }

    /** What it means, in one sentence. */
    public String doc() {
        return doc;
    }

    /** What a valid value looks like, for messages. */
    public String expected() {
        return expected;
    }

    /** The default, or how it is found. */
    public String defaultText() {
        return defaultText;
    }

    /** Whether {@link #defaultText} is a value, as it would be written in a file, and not a description. */
    public boolean hasFixedDefault() {
        return fixedDefault;
    }

    /** When it applies, as words: {@code traffic.arrivals is batch}; empty if always. */
    public String appliesText() {
        return appliesText;
    }

    /** Whether it is part of a point's identity; limits and the thresholds of models are not. */
    public boolean inKey() {
        return inKey;
    }

    /** Whether a value with this {@link #canonical} text is part of a point's identity. */
    public boolean inKey(String canonicalText) {
        return inKey && (inKeyAtDefault || !canonicalText.equals(defaultText));
    }

    /**
     * Reads a value.
     *
     * @param text the scalar as written in the file
     * @return the value in base units, or null if the text asks for the computed default ({@code auto})
     * @throws InvalidValueException if the text is no such value or out of bounds
     */
    public @Nullable T parse(String text) {
        return text.trim().equals(autoKeyword) ? null : reader.apply(text);
    }

    /** Whether a value is an {@link InputFile}: its text is a path, which means something only with a place to start from. */
    public boolean isFile() {
        return file;
    }

    /** Whether values are numbers, so that a range of them can be given by its ends. */
    public boolean isNumeric() {
        return quantity != null;
    }

    /**
     * Reads a number in base units (bytes, ns, GB/s), bounds left aside: the step of a range need not be a value itself.
     *
     * @throws InvalidValueException if the text is no number or its unit does not fit
     */
    public BigDecimal magnitude(String text) {
        if (quantity == null) {
            throw new InvalidValueException("`" + text + "`: " + path + " takes no numbers");
        }
        return quantity.parse(text, path.endsWith("_" + quantity.suffix()));
    }

    /** Writes a number in base units so that {@link #parse} reads the same value back. */
    public String text(BigDecimal magnitude) {
        String number = Quantity.canonical(magnitude);
        return quantity == null || quantity == Quantity.NONE ? number : number + " " + quantity.baseUnit();
    }

    /** The canonical text: equal values have equal texts on every JDK. */
    public String canonical(T value) {
        return writer.apply(value);
    }

    /** The value of the column: Boolean, Long, Double, String, or null where a number does not exist (unlimited). */
    public @Nullable Object columnValue(T value) {
        return columnValue.apply(value);
    }

    /**
     * Reads back what {@link #columnValue} gave; null stays null, so a word such as unlimited does not come back.
     *
     * @throws InvalidValueException if it is no value of this parameter
     */
    public @Nullable T ofColumn(@Nullable Object value) {
        if (value == null) {
            return null;
        }
        if (file) {
            @SuppressWarnings("unchecked") // the values of files are files
            T known = (T) InputFile.ofHash(value.toString());
            return known;
        }
        String text = value instanceof Double d ? Quantity.canonical(BigDecimal.valueOf(d)) : value.toString();
        String baseUnit = switch (unit) {
            case "bytes" -> " B";
            case "ns" -> " ns";
            case "gb_per_s" -> " GB/s";
            default -> "";
        };
        return parse(text + baseUnit);
    }

    /** The value that a word such as unlimited stands for, whose column is null; null if there is no such word. */
    public @Nullable T wordValue() {
        return wordValue;
    }

    boolean appliesTo(Params params) {
        return applies.test(params);
    }

    @Nullable
    T defaultFor(Params params) {
        return defaultValue.apply(params);
    }

    @Override
    public String toString() {
        return path;
    }

    /** A plain number. */
    public static Builder<BigDecimal> real(String path) {
        return number(path, Quantity.NONE);
    }

    /** A time, held in ns. */
    public static Builder<BigDecimal> time(String path) {
        return number(path, Quantity.TIME);
    }

    /** A bandwidth, held in GB/s. */
    public static Builder<BigDecimal> bandwidth(String path) {
        return number(path, Quantity.BANDWIDTH);
    }

    /** A whole number of things. */
    public static Builder<Long> count(String path) {
        return whole(path, Quantity.NONE);
    }

    /** A size, held in bytes. */
    public static Builder<Long> bytes(String path) {
        return whole(path, Quantity.BYTES);
    }

    /** An unsigned 64-bit seed other than 0, decimal or hexadecimal (0x...); its column holds the same 64 bits, signed. */
    public static Builder<Long> seed(String path) {
        Builder<Long> b = new Builder<>(path, "", ColumnType.INT64, "an unsigned 64-bit number other than 0");
        b.reader = text -> {
            String digits = text.trim();
            try {
                long seed = digits.startsWith("0x")
                        ? Long.parseUnsignedLong(digits.substring(2), 16)
                        : Long.parseUnsignedLong(digits);
                if (seed != 0) {
                    return seed;
                }
            } catch (NumberFormatException notANumber) {
                // falls through to the one message below
            }
            throw new InvalidValueException("`" + text + "` is not an unsigned 64-bit number other than 0");
        };
        b.writer = Long::toUnsignedString;
        return b;
    }

    /** A file by its path; its value, in keys and columns, is the SHA-256 of what it holds. */
    public static Builder<InputFile> file(String path) {
        Builder<InputFile> b = new Builder<>(path, "", ColumnType.STRING, "the path of a file");
        b.reader = text -> InputFiles.ON_DISK.find(text, Position.of(path));
        b.writer = InputFile::sha256;
        b.columnValue = InputFile::sha256;
        b.file = true;
        return b;
    }

    /** True or false. */
    public static Builder<Boolean> flag(String path) {
        Builder<Boolean> b = new Builder<>(path, "", ColumnType.BOOLEAN, "true or false");
        b.reader = text -> switch (text.trim()) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new InvalidValueException("`" + text + "` is not true or false");
        };
        b.writer = value -> Boolean.toString(value);
        b.columnValue = value -> value;
        return b;
    }

    /** One of an enum's constants, written in lower case with hyphens. */
    public static <E extends Enum<E>> Builder<E> choice(String path, Class<E> type) {
        List<E> constants = Arrays.asList(type.getEnumConstants());
        String names = constants.stream().map(Parameter::label).collect(Collectors.joining(", "));
        Builder<E> b = new Builder<>(path, "", ColumnType.STRING, "one of " + names);
        b.reader = text -> constants.stream()
                .filter(c -> label(c).equals(text.trim()))
                .findFirst()
                .orElseThrow(() -> new InvalidValueException("`" + text + "` is not one of " + names
                        + NearestName.advice(
                                text, constants.stream().map(Parameter::label).toList())));
        b.writer = Parameter::label;
        b.columnValue = Parameter::label;
        return b;
    }

    /** How an enum constant is written in files: {@code SINGLE_SWITCH} is {@code single-switch}. */
    public static String label(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static Builder<BigDecimal> number(String path, Quantity quantity) {
        Builder<BigDecimal> b = new Builder<>(path, quantity.suffix(), ColumnType.DOUBLE, quantity.expected());
        b.quantity = quantity;
        boolean bare = path.endsWith("_" + quantity.suffix());
        b.reader = text -> quantity.parse(text, bare);
        b.writer = Quantity::canonical;
        b.columnValue = BigDecimal::doubleValue;
        return b;
    }

    private static Builder<Long> whole(String path, Quantity quantity) {
        String expected = quantity == Quantity.NONE ? "a whole number" : "a whole number of bytes";
        Builder<Long> b = new Builder<>(path, quantity.suffix(), ColumnType.INT64, expected);
        b.quantity = quantity;
        boolean bare = path.endsWith("_" + quantity.suffix());
        b.reader = text -> {
            BigDecimal value = quantity.parse(text, bare);
            try {
                return value.longValueExact();
            } catch (ArithmeticException notWhole) {
                throw new InvalidValueException("`" + text + "` is not " + expected + " below 2^63");
            }
        };
        b.writer = value -> Long.toString(value);
        b.columnValue = value -> value;
        return b;
    }

    /** Collects what a parameter is; {@link #doc} and one of the defaults are required. */
    public static final class Builder<T> {
        private final String path;
        private final String column;
        private final String unit;
        private final ColumnType columnType;
        private String expected;
        private Function<String, T> reader = text -> {
            throw new IllegalStateException();
        };
        private Function<T, String> writer = String::valueOf;
        private Function<T, @Nullable Object> columnValue = value -> value;
        private @Nullable Function<Params, @Nullable T> defaultValue;
        private String defaultText = "";
        private boolean fixedDefault;
        private @Nullable String doc;
        private Predicate<Params> applies = p -> true;
        private String appliesText = "";
        private boolean inKey = true;
        private boolean inKeyAtDefault = true;
        private @Nullable String autoKeyword;
        private @Nullable Quantity quantity;
        private @Nullable T wordValue;
        private boolean file;

        private Builder(String path, String unit, ColumnType columnType, String expected) {
            this.path = path;
            this.unit = unit;
            String plain = path.replace('.', '_');
            this.column = unit.isEmpty() || plain.endsWith("_" + unit) ? plain : plain + "_" + unit;
            this.columnType = columnType;
            this.expected = expected;
        }

        /** A fixed default, written as it would be in a file. */
        public Builder<T> byDefault(String text) {
            T value = reader.apply(text);
            this.defaultText = text;
            this.fixedDefault = true;
            this.defaultValue = p -> value;
            return this;
        }

        /** A default that follows from other parameters; {@code how} says how, for people. */
        public Builder<T> derived(String how, Function<Params, T> rule) {
            this.defaultText = how;
            this.fixedDefault = false;
            this.defaultValue = rule;
            return this;
        }

        /** No value unless given. */
        public Builder<T> noDefault() {
            this.defaultText = "none";
            this.defaultValue = p -> null;
            return this;
        }

        /** This word asks for the derived value; {@code rule} gives it. The fixed default stays what it is when nothing is given. */
        public Builder<T> auto(String keyword) {
            this.autoKeyword = keyword;
            return this;
        }

        /** A word that stands for "no finite value" (unlimited): held as the given value, its column is null. */
        public Builder<T> word(String keyword, T standsFor) {
            Function<String, T> numbers = reader;
            Function<T, String> texts = writer;
            Function<T, @Nullable Object> columns = columnValue;
            this.reader = text -> text.trim().equals(keyword) ? standsFor : numbers.apply(text);
            this.writer = value -> value.equals(standsFor) ? keyword : texts.apply(value);
            this.columnValue = value -> value.equals(standsFor) ? null : columns.apply(value);
            this.expected = expected + " or `" + keyword + "`";
            this.wordValue = standsFor;
            return this;
        }

        /** Bounds of a number in base units, both ends included, checked before any {@link #word}. Null: no bound. */
        public Builder<T> between(@Nullable String low, @Nullable String high) {
            BigDecimal least = low == null ? null : new BigDecimal(low);
            BigDecimal most = high == null ? null : new BigDecimal(high);
            String range = high == null ? "at least " + low : low == null ? "at most " + high : low + " .. " + high;
            String unit = quantity == null || quantity == Quantity.NONE ? "" : " " + quantity.baseUnit();
            return where(range + unit, value -> {
                BigDecimal number = value instanceof Long l ? BigDecimal.valueOf(l) : (BigDecimal) value;
                return (least == null || number.compareTo(least) >= 0) && (most == null || number.compareTo(most) <= 0);
            });
        }

        /** Any other condition on the value alone; {@code words} completes "must be ...". */
        public Builder<T> where(String words, Predicate<T> condition) {
            Function<String, T> unbounded = reader;
            this.reader = text -> {
                T value = unbounded.apply(text);
                if (!condition.test(value)) {
                    throw new InvalidValueException("`" + text + "` must be " + words);
                }
                return value;
            };
            this.expected = expected + ", " + words;
            return this;
        }

        /** When it applies; elsewhere it is null, outside the key, and giving it is an error. */
        public Builder<T> onlyWhen(String words, Predicate<Params> condition) {
            Predicate<Params> before = applies;
            this.applies = p -> before.test(p) && condition.test(p);
            this.appliesText = appliesText.isEmpty() ? words : appliesText + " and " + words;
            return this;
        }

        /** Not part of a point's identity: it changes no measured value. */
        public Builder<T> outsideKey() {
            this.inKey = false;
            return this;
        }

        /**
         * Not part of a point's identity at its fixed default, which has to be given in canonical form: for what was added when
         * points had keys already, so that points that do without it keep theirs.
         */
        public Builder<T> outsideKeyAtDefault() {
            this.inKeyAtDefault = false;
            return this;
        }

        public Parameter<T> doc(String text) {
            this.doc = text;
            if (!inKeyAtDefault
                    && !(fixedDefault && writer.apply(reader.apply(defaultText)).equals(defaultText))) {
                throw new IllegalStateException(path + ": the default is not fixed and canonical");
            }
            return new Parameter<>(this);
        }
    }
}
