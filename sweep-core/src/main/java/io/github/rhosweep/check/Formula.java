package io.github.rhosweep.check;

import io.github.rhosweep.scenario.InvalidValueException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Arithmetic over columns of a claim's points.
 *
 * <pre>
 * sum     := product (("+" | "-") product)*
 * product := power (("*" | "/") power)*
 * power   := unary ("^" power)?
 * unary   := "-" unary | "(" sum ")" | number | function "(" sum ("," sum)* ")" | column | point.column
 * </pre>
 *
 * Functions: min, max (of one or more), abs, sqrt, exp, log (natural). Results are the same on every JDK.
 */
public final class Formula {
    private static final Pattern TOKEN = Pattern.compile(
            "\\s*(?:(?<number>(?:\\d++\\.?+\\d*+|\\.\\d++)(?:[eE][+-]?\\d{1,3})?)|(?<name>[a-z][a-z0-9_]*(?:\\.[a-z][a-z0-9_]*)?)"
                    + "|(?<op>[-+*/^(),]))");
    private static final Set<String> FUNCTIONS = Set.of("min", "max", "abs", "sqrt", "exp", "log");
    private static final int MAX_DEPTH = 100;

    /** Value given those of names; NaN where one of these does not exist. */
    @FunctionalInterface
    private interface Node {
        double value(ToDoubleFunction<String> names);
    }

    private final String text;
    private final Node root;
    private final Set<String> names;

    private Formula(String text, Node root, Set<String> names) {
        this.text = text;
        this.root = root;
        this.names = names;
    }

    /** @throws InvalidValueException if it cannot be parsed */
    static Formula parse(String text) {
        Parser parser = new Parser(text);
        Node root = parser.sum(0);
        parser.end();
        return new Formula(text, root, parser.names);
    }

    /** As given. */
    public String text() {
        return text;
    }

    /** The columns named, with their point where one is given. */
    Set<String> names() {
        return names;
    }

    /** @param of value of a name; NaN if it has none */
    double value(ToDoubleFunction<String> of) {
        return root.value(of);
    }

    private static final class Parser {
        private final List<String> tokens = new ArrayList<>();
        private final Set<String> names = new LinkedHashSet<>();
        private int next;

        Parser(String text) {
            Matcher matcher = TOKEN.matcher(text);
            int at = 0;
            while (!text.substring(at).isBlank()) {
                matcher.region(at, text.length());
                if (!matcher.lookingAt()) {
                    throw new InvalidValueException(
                            "found `" + text.substring(at).strip()
                                    + "`, expected a number, a column, a function or one of + - * / ^ ( )");
                }
                tokens.add(matcher.group().strip());
                at = matcher.end();
            }
        }

        void end() {
            if (next < tokens.size()) {
                throw unexpected("an operator or the end");
            }
        }

        private Node sum(int depth) {
            if (depth > MAX_DEPTH) {
                throw new InvalidValueException("nested more than " + MAX_DEPTH + " deep");
            }
            Node left = product(depth);
            while (true) {
                Node a = left;
                if (take("+")) {
                    Node b = product(depth);
                    left = n -> a.value(n) + b.value(n);
                } else if (take("-")) {
                    Node b = product(depth);
                    left = n -> a.value(n) - b.value(n);
                } else {
                    return left;
                }
            }
        }

        private Node product(int depth) {
            Node left = power(depth);
            while (true) {
                Node a = left;
                if (take("*")) {
                    Node b = power(depth);
                    left = n -> a.value(n) * b.value(n);
                } else if (take("/")) {
                    Node b = power(depth);
                    left = n -> a.value(n) / b.value(n);
                } else {
                    return left;
                }
            }
        }

        private Node power(int depth) {
            Node base = unary(depth);
            if (!take("^")) {
                return base;
            }
            Node exponent = power(depth + 1);
            return n -> StrictMath.pow(base.value(n), exponent.value(n));
        }

        private Node unary(int depth) {
            if (take("-")) {
                Node inner = unary(depth + 1);
                return n -> -inner.value(n);
            }
            if (take("(")) {
                Node inner = sum(depth + 1);
                need(")");
                return inner;
            }
            if (next == tokens.size()) {
                throw unexpected("a number, a column or a function");
            }
            String token = tokens.get(next);
            if (Character.isDigit(token.charAt(0)) || token.charAt(0) == '.') {
                next++;
                double value = Double.parseDouble(token);
                return n -> value;
            }
            if (!Character.isLetter(token.charAt(0))) {
                throw unexpected("a number, a column or a function");
            }
            next++;
            if (take("(")) {
                return function(token, depth);
            }
            names.add(token);
            return n -> n.applyAsDouble(token);
        }

        private Node function(String name, int depth) {
            if (!FUNCTIONS.contains(name)) {
                throw new InvalidValueException("found `" + name + "(`, expected one of min, max, abs, sqrt, exp, log");
            }
            List<Node> arguments = new ArrayList<>();
            do {
                arguments.add(sum(depth + 1));
            } while (take(","));
            need(")");
            Node first = arguments.get(0);
            if (name.equals("min") || name.equals("max")) {
                boolean least = name.equals("min");
                return n -> {
                    double best = first.value(n);
                    for (Node argument : arguments) {
                        best = least ? Math.min(best, argument.value(n)) : Math.max(best, argument.value(n));
                    }
                    return best;
                };
            }
            if (arguments.size() != 1) {
                throw new InvalidValueException(name + " takes one value, found " + arguments.size());
            }
            return switch (name) {
                case "abs" -> n -> Math.abs(first.value(n));
                case "sqrt" -> n -> Math.sqrt(first.value(n));
                case "exp" -> n -> StrictMath.exp(first.value(n));
                default -> n -> StrictMath.log(first.value(n));
            };
        }

        private boolean take(String token) {
            boolean found = next < tokens.size() && tokens.get(next).equals(token);
            next += found ? 1 : 0;
            return found;
        }

        private void need(String token) {
            if (!take(token)) {
                throw unexpected("`" + token + "`");
            }
        }

        private InvalidValueException unexpected(String expected) {
            return new InvalidValueException("found "
                    + (next == tokens.size() ? "the end" : "`" + tokens.get(next) + "`") + ", expected " + expected);
        }
    }
}
