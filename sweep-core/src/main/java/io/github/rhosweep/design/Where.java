package io.github.rhosweep.design;

import io.github.rhosweep.scenario.InvalidValueException;
import io.github.rhosweep.scenario.Parameter;
import io.github.rhosweep.scenario.Parameters;
import io.github.rhosweep.scenario.Params;
import io.github.rhosweep.scenario.Position;
import io.github.rhosweep.scenario.Problems;
import io.github.rhosweep.scenario.Quantity;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The condition on points.
 *
 * <pre>
 * or      := and ("or" and)*
 * and     := not ("and" not)*
 * not     := "not" not | compare
 * compare := sum (("=" | "==" | "!=" | "&lt;" | "&lt;=" | "&gt;" | "&gt;=") sum | ["not"] "in" "[" sum ("," sum)* "]")?
 * sum     := product (("+" | "-") product)*
 * product := unary (("*" | "/") unary)*
 * unary   := "-" unary | "(" or ")" | number [unit] | "quoted" | 'quoted' | true | false | parameter.path | word
 * </pre>
 *
 * Numbers are exact decimals ({@code /}: 34 digits), quantities in base units. A word without a dot is the name of a choice. There
 * are no functions, and nothing but parameters can be reached.
 */
public final class Where {
    private static final int MAX_LENGTH = 10_000;
    private static final int MAX_DEPTH = 100;
    private static final String UNITS = java.util.Arrays.stream(Quantity.values())
            .flatMap(q -> q.units().keySet().stream())
            .distinct()
            .sorted((a, b) -> b.length() - a.length())
            .map(Pattern::quote)
            .collect(Collectors.joining("|"));
    private static final Pattern TOKEN = Pattern.compile("\\s*(?:"
            + "(?<number>(?:\\d++\\.?+\\d*+|\\.\\d++)(?:[eE][+-]?\\d{1,4})?)(?:\\s*(?<unit>" + UNITS
            + ")(?![A-Za-z_]))?(?![A-Za-z_0-9.])"
            + "|(?<word>[A-Za-z_][A-Za-z_0-9-]*(?:\\.[A-Za-z_][A-Za-z_0-9]*)*)"
            + "|\"(?<double>[^\"]*)\"|'(?<single>[^']*)'"
            + "|(?<op>==|!=|<=|>=|[=<>+*/()\\[\\],-]))");

    /** A condition on one point. */
    @FunctionalInterface
    interface Test {
        /** @throws InvalidValueException if a parameter has no value there, or values cannot be compared */
        boolean holds(Params params);
    }

    /** A number, text or truth value. */
    @FunctionalInterface
    private interface Expression {
        Object value(Params params);
    }

    private final String text;
    private final Position position;
    private final List<Test> tests;

    private Where(String text, Position position, List<Test> tests) {
        this.text = text;
        this.position = position;
        this.tests = tests;
    }

    /**
     * A condition given on the command line.
     *
     * @throws InvalidValueException if it cannot be parsed
     */
    public static Predicate<Params> condition(String text) {
        List<Test> tests = new Parser(text).parse();
        return params -> tests.stream().allMatch(test -> test.holds(params));
    }

    /** Parses; null, with the problem noted, if it cannot. */
    static @Nullable Where parse(String text, Position position, Problems problems) {
        try {
            return new Where(text, position, new Parser(text).parse());
        } catch (InvalidValueException bad) {
            problems.add(position, "where", String.valueOf(bad.getMessage()));
            return null;
        }
    }

    String text() {
        return text;
    }

    Position position() {
        return position;
    }

    /** What its top-level {@code and} joins. */
    List<Test> tests() {
        return tests;
    }

    /** All of it, from left to right, as far as needed. */
    Test whole() {
        return params -> tests.stream().allMatch(test -> test.holds(params));
    }

    private record Token(String kind, String text, @Nullable String unit, int column) {}

    private static final class Parser {
        private final List<Token> tokens = new ArrayList<>();
        private int next;
        private int depth;

        Parser(String text) {
            if (text.length() > MAX_LENGTH) {
                throw new InvalidValueException(
                        "found " + text.length() + " characters, expected at most " + MAX_LENGTH);
            }
            Matcher matcher = TOKEN.matcher(text);
            int end = 0;
            while (end < text.length() && !text.substring(end).isBlank()) {
                matcher.region(end, text.length());
                if (!matcher.lookingAt()) {
                    throw new InvalidValueException("found `"
                            + shorten(text.substring(end).trim()) + "`, expected a parameter, a value or an operator");
                }
                for (String kind : List.of("number", "word", "double", "single", "op")) {
                    String found = matcher.group(kind);
                    if (found != null) {
                        boolean quoted = kind.equals("double") || kind.equals("single");
                        tokens.add(
                                new Token(quoted ? "text" : kind, found, matcher.group("unit"), matcher.start(kind)));
                    }
                }
                end = matcher.end();
            }
            tokens.add(new Token("end", "the end", null, end));
        }

        List<Test> parse() {
            List<Expression> joined = new ArrayList<>();
            Expression first = or(joined);
            if (!peek().kind().equals("end")) {
                throw unexpected("an operator or the end");
            }
            List<Expression> parts = joined.isEmpty() ? List.of(first) : joined;
            return parts.stream()
                    .<Test>map(part -> params -> truth(part.value(params)))
                    .toList();
        }

        /** {@code conjuncts} is filled if all that is read is one {@code and}. */
        private Expression or(List<Expression> conjuncts) {
            if (++depth > MAX_DEPTH) {
                throw new InvalidValueException("nested more than " + MAX_DEPTH + " deep");
            }
            List<Expression> sides = new ArrayList<>();
            List<Expression> parts = new ArrayList<>();
            sides.add(and(parts));
            while (takeWord("or")) {
                sides.add(and(new ArrayList<>()));
            }
            depth--;
            if (sides.size() == 1) {
                conjuncts.addAll(parts);
                return sides.get(0);
            }
            return params -> {
                for (Expression side : sides) {
                    if (truth(side.value(params))) {
                        return true;
                    }
                }
                return false;
            };
        }

        private Expression and(List<Expression> parts) {
            parts.add(not());
            while (takeWord("and")) {
                parts.add(not());
            }
            if (parts.size() == 1) {
                return parts.get(0);
            }
            List<Expression> all = List.copyOf(parts);
            return params -> {
                for (Expression part : all) {
                    if (!truth(part.value(params))) {
                        return false;
                    }
                }
                return true;
            };
        }

        private Expression not() {
            int negations = 0;
            while (takeWord("not")) {
                negations++;
            }
            Expression inner = compare();
            boolean negate = negations % 2 == 1;
            return negations == 0 ? inner : params -> truth(inner.value(params)) != negate;
        }

        private Expression compare() {
            Operand left = sum();
            if (takeWord("in")) {
                return in(left);
            }
            if (peekWord("not") && next + 1 < tokens.size() && isWord(tokens.get(next + 1), "in")) {
                next += 2;
                Expression in = in(left);
                return params -> !truth(in.value(params));
            }
            for (String operator : List.of("==", "=", "!=", "<=", "<", ">=", ">")) {
                if (take(operator)) {
                    Operand right = sum();
                    check(left, right);
                    check(right, left);
                    Expression a = left.needed();
                    Expression b = right.needed();
                    return params -> Where.compare(operator, a.value(params), b.value(params));
                }
            }
            return left.needed();
        }

        private Expression in(Operand left) {
            if (!take("[")) {
                throw unexpected("`[`");
            }
            List<Expression> members = new ArrayList<>();
            do {
                Operand member = sum();
                check(left, member);
                members.add(member.needed());
            } while (take(","));
            if (!take("]")) {
                throw unexpected("`,` or `]`");
            }
            Expression value = left.needed();
            return params -> {
                Object found = value.value(params);
                for (Expression member : members) {
                    if (equal(found, member.value(params))) {
                        return true;
                    }
                }
                return false;
            };
        }

        private Operand sum() {
            Operand left = product();
            while (true) {
                boolean plus = take("+");
                if (!plus && !take("-")) {
                    return left;
                }
                Expression a = left.needed();
                Expression b = product().needed();
                left = Operand.computed(params -> plus
                        ? number(a.value(params)).add(number(b.value(params)))
                        : number(a.value(params)).subtract(number(b.value(params))));
            }
        }

        private Operand product() {
            Operand left = unary();
            while (true) {
                boolean times = take("*");
                if (!times && !take("/")) {
                    return left;
                }
                Expression a = left.needed();
                Expression b = unary().needed();
                left = Operand.computed(params -> times
                        ? number(a.value(params)).multiply(number(b.value(params)), MathContext.UNLIMITED)
                        : quotient(number(a.value(params)), number(b.value(params))));
            }
        }

        private Operand unary() {
            if (take("-")) {
                if (++depth > MAX_DEPTH) {
                    throw new InvalidValueException("nested more than " + MAX_DEPTH + " deep");
                }
                Expression negated = unary().needed();
                depth--;
                return Operand.computed(params -> number(negated.value(params)).negate());
            }
            if (take("(")) {
                Expression inner = or(new ArrayList<>());
                if (!take(")")) {
                    throw unexpected("`)`");
                }
                return Operand.computed(inner);
            }
            Token token = peek();
            switch (token.kind()) {
                case "number" -> {
                    next++;
                    BigDecimal value = literal(token);
                    return Operand.computed(params -> value);
                }
                case "text" -> {
                    next++;
                    return Operand.text(token.text(), true);
                }
                case "word" -> {
                    if (List.of("and", "or", "not", "in").contains(token.text())) {
                        throw unexpected("a parameter or a value");
                    }
                    next++;
                    if (peek().text().equals("(") && peek().kind().equals("op")) {
                        throw new InvalidValueException("found `" + token.text() + "(`: there are no functions");
                    }
                    if (token.text().equals("true") || token.text().equals("false")) {
                        boolean value = token.text().equals("true");
                        return Operand.computed(params -> value);
                    }
                    return token.text().indexOf('.') < 0
                            ? Operand.text(token.text(), false)
                            : Operand.parameter(Parameters.named(token.text()));
                }
                default -> throw unexpected("a parameter or a value");
            }
        }

        private static BigDecimal literal(Token token) {
            String unit = token.unit();
            if (unit == null) {
                return Quantity.NONE.parse(token.text(), true);
            }
            for (Quantity quantity : Quantity.values()) {
                if (quantity.units().containsKey(unit)) {
                    return quantity.parse(token.text() + unit, false);
                }
            }
            throw new IllegalStateException(unit);
        }

        /** A word is only ever the value of the parameter it is compared with: misspelt ones are caught here. */
        private static void check(Operand parameterSide, Operand wordSide) {
            Parameter<?> parameter = parameterSide.parameter();
            String word = wordSide.word();
            if (word != null) {
                if (parameter != null) {
                    try {
                        parameter.parse(word);
                    } catch (InvalidValueException bad) {
                        throw new InvalidValueException(parameter.path() + ": " + bad.getMessage());
                    }
                    wordSide.explained();
                } else if (parameterSide.word() == null && !wordSide.quoted()) {
                    throw new InvalidValueException(unknown(word));
                }
            }
        }

        private static String unknown(String word) {
            try {
                Parameters.named(word);
                throw new IllegalStateException(word);
            } catch (InvalidValueException unknown) {
                String ending = Parameters.all().stream()
                        .map(Parameter::path)
                        .filter(path -> path.endsWith("." + word) || path.endsWith("_" + word))
                        .findFirst()
                        .map(path -> ". Maybe `" + path + "`?")
                        .orElse("");
                String message = String.valueOf(unknown.getMessage());
                return message.contains("Maybe") ? message : message + ending;
            }
        }

        private Token peek() {
            return tokens.get(next);
        }

        private boolean peekWord(String word) {
            return isWord(peek(), word);
        }

        private static boolean isWord(Token token, String word) {
            return token.kind().equals("word") && token.text().equals(word);
        }

        private boolean takeWord(String word) {
            boolean found = peekWord(word);
            next += found ? 1 : 0;
            return found;
        }

        private boolean take(String operator) {
            boolean found = peek().kind().equals("op") && peek().text().equals(operator);
            next += found ? 1 : 0;
            return found;
        }

        private InvalidValueException unexpected(String expected) {
            Token token = peek();
            return new InvalidValueException("found "
                    + (token.kind().equals("end")
                            ? "the end"
                            : "`" + shorten(token.text()) + "` at character " + (token.column() + 1))
                    + ", expected " + expected);
        }

        /** An expression, and whether it is a bare parameter or a word that a comparison must explain. */
        private static final class Operand {
            private final Expression expression;
            private final @Nullable Parameter<?> parameter;
            private final @Nullable String word;
            private final boolean quoted;
            private boolean explained;

            private Operand(
                    Expression expression, @Nullable Parameter<?> parameter, @Nullable String word, boolean quoted) {
                this.expression = expression;
                this.parameter = parameter;
                this.word = word;
                this.quoted = quoted;
            }

            static Operand computed(Expression expression) {
                return new Operand(expression, null, null, false);
            }

            static Operand parameter(Parameter<?> parameter) {
                return new Operand(params -> valueOf(params, parameter), parameter, null, false);
            }

            static Operand text(String word, boolean quoted) {
                return new Operand(params -> word, null, word, quoted);
            }

            @Nullable
            Parameter<?> parameter() {
                return parameter;
            }

            @Nullable
            String word() {
                return word;
            }

            boolean quoted() {
                return quoted;
            }

            void explained() {
                explained = true;
            }

            Expression needed() {
                if (word != null && !quoted && !explained) {
                    throw new InvalidValueException(unknown(word));
                }
                return expression;
            }
        }
    }

    private static <T> Object valueOf(Params params, Parameter<T> parameter) {
        T value = params.find(parameter);
        if (value == null) {
            throw new InvalidValueException(parameter.path() + " has no value"
                    + (params.applies(parameter) ? "" : " unless " + parameter.appliesText())
                    + ": test for that first, as in `traffic.arrivals != once and traffic.load < 0.9`");
        }
        if (value instanceof Boolean) {
            return value;
        }
        if (parameter.isNumeric() && parameter.columnValue(value) != null) {
            return value instanceof Long whole ? BigDecimal.valueOf(whole) : value;
        }
        return parameter.canonical(value);
    }

    private static boolean compare(String operator, Object a, Object b) {
        return switch (operator) {
            case "=", "==" -> equal(a, b);
            case "!=" -> !equal(a, b);
            case "<" -> number(a).compareTo(number(b)) < 0;
            case "<=" -> number(a).compareTo(number(b)) <= 0;
            case ">" -> number(a).compareTo(number(b)) > 0;
            default -> number(a).compareTo(number(b)) >= 0;
        };
    }

    private static boolean equal(Object a, Object b) {
        return a instanceof BigDecimal x && b instanceof BigDecimal y ? x.compareTo(y) == 0 : a.equals(b);
    }

    private static boolean truth(Object value) {
        if (value instanceof Boolean b) {
            return b;
        }
        throw new InvalidValueException("found " + show(value) + " where a condition is expected");
    }

    private static BigDecimal number(Object value) {
        if (value instanceof BigDecimal number) {
            return number;
        }
        throw new InvalidValueException("found " + show(value) + " where a number is expected");
    }

    private static BigDecimal quotient(BigDecimal a, BigDecimal b) {
        if (b.signum() == 0) {
            throw new InvalidValueException("divides " + Quantity.canonical(a) + " by 0");
        }
        return a.divide(b, MathContext.DECIMAL128);
    }

    private static String show(Object value) {
        return value instanceof BigDecimal number ? Quantity.canonical(number) : "`" + value + "`";
    }

    private static String shorten(String text) {
        return text.length() > 40 ? text.substring(0, 40) + "..." : text;
    }
}
