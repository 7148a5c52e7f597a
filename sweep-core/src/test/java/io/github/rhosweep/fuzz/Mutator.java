package io.github.rhosweep.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ContainerNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Changes valid inputs at random: by lines and words where they are text, by nodes where they are trees, by bytes where they are neither. */
final class Mutator {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Pattern WORD = Pattern.compile("[A-Za-z_][A-Za-z_0-9.-]*|[0-9][0-9.eE+-]*|[^\\sA-Za-z0-9_]");

    /** What readers stumble over, whatever they read. */
    private static final List<String> HOSTILE = List.of(
            "0",
            "-0",
            "-1",
            "1",
            "2",
            "1e9",
            "1e40",
            "1e-60",
            "1e999999999",
            "1e-999999999",
            "9223372036854775807",
            "9223372036854775808",
            "-9223372036854775808",
            "2147483647",
            "2147483648",
            "4294967296",
            "65536",
            "65537",
            "NaN",
            "Infinity",
            "-Infinity",
            "0x10",
            "0b1",
            "1_000",
            "1,5",
            ".5",
            "5.",
            "\u0661\u0662",
            "null",
            "~",
            "true",
            "auto",
            "",
            " ",
            "\t",
            "\r",
            "\u0000",
            "\u2028",
            "\u202e",
            "\ufeff",
            "\ud83e\udd91",
            "*a",
            "&a",
            "*",
            "&a [*a]",
            "!!javax.script.ScriptEngineManager [x]",
            "!!java.net.URL [\"http://127.0.0.1\"]",
            "!!str",
            "!",
            "!<x>",
            "---",
            "...",
            "%YAML 1.1",
            "%TAG ! x",
            "<<: *a",
            "? ",
            ": ",
            "- ",
            "|",
            ">-",
            "{}",
            "[]",
            "{",
            "}",
            "[",
            "]",
            "\"",
            "'",
            "`",
            "#",
            ",",
            "\\",
            "../../etc/passwd",
            "/dev/null",
            "/",
            ".",
            "..",
            "${jndi:ldap://x}",
            "=1+1",
            "<script>",
            "B",
            "KiB",
            "TiB",
            "Gb/s",
            "ns",
            "us",
            "s",
            "%");

    private final List<byte[]> valid;
    private final List<String> texts;
    private final List<JsonNode> trees;
    private final List<String> words;

    /**
     * Of valid inputs.
     *
     * @param trees those that are trees, as such
     * @param words to put in beside those of the inputs
     */
    Mutator(List<byte[]> valid, List<JsonNode> trees, List<String> words) {
        this.valid = valid;
        this.texts = valid.stream().map(bytes -> new String(bytes, UTF_8)).toList();
        this.trees = trees;
        Set<String> known = new LinkedHashSet<>(words);
        for (String text : texts) {
            Matcher matcher = WORD.matcher(text);
            while (matcher.find() && known.size() < 20_000) {
                known.add(matcher.group());
            }
        }
        this.words = List.copyOf(known);
    }

    byte[] text(Random random) {
        if (!trees.isEmpty() && random.nextInt(3) == 0) {
            return tree(random).getBytes(UTF_8);
        }
        StringBuilder text = new StringBuilder(pick(random, texts));
        for (int changes = 1 + random.nextInt(1 + random.nextInt(6)); changes > 0; changes--) {
            change(text, random);
        }
        byte[] bytes = text.toString().getBytes(UTF_8);
        return random.nextInt(20) == 0 ? bytes(bytes, random) : bytes;
    }

    private void change(StringBuilder text, Random random) {
        int at = random.nextInt(text.length() + 1);
        switch (random.nextInt(14)) {
            case 0, 1, 2 -> replaceWord(text, random, pick(random, HOSTILE));
            case 3, 4 -> replaceWord(text, random, pick(random, words));
            case 5 -> text.insert(at, pick(random, HOSTILE));
            case 6 -> text.insert(at, pick(random, words) + " ");
            case 7 -> text.setLength(at);
            case 8 -> text.delete(at, Math.min(text.length(), at + 1 + random.nextInt(20)));
            case 9 -> changeLines(text, random);
            case 10 -> {
                String other = pick(random, texts);
                text.append(other, random.nextInt(other.length() + 1), other.length());
            }
            case 11 ->
                text.insert(
                        at, pick(random, random.nextBoolean() ? HOSTILE : words).repeat(1 + random.nextInt(200)));
            case 12 -> {
                if (at < text.length()) {
                    text.setCharAt(at, (char) random.nextInt(random.nextInt(8) == 0 ? 0x10000 : 128));
                }
            }
            default -> {
                String line = text.substring(lineStart(text, at), lineEnd(text, at));
                text.insert(lineStart(text, at), " ".repeat(random.nextInt(5)) + line + "\n");
            }
        }
    }

    private static void changeLines(StringBuilder text, Random random) {
        int at = random.nextInt(text.length() + 1);
        int from = lineStart(text, at);
        int to = Math.min(text.length(), lineEnd(text, at) + 1);
        String line = text.substring(from, to);
        text.delete(from, to);
        if (random.nextBoolean()) {
            text.insert(lineStart(text, random.nextInt(text.length() + 1)), line);
        }
    }

    private static int lineStart(StringBuilder text, int at) {
        return text.lastIndexOf("\n", at - 1) + 1;
    }

    private static int lineEnd(StringBuilder text, int at) {
        int end = text.indexOf("\n", at);
        return end < 0 ? text.length() : end;
    }

    private static void replaceWord(StringBuilder text, Random random, String by) {
        int from = random.nextInt(text.length() + 1);
        Matcher matcher = WORD.matcher(text);
        if (matcher.find(from) || matcher.find(0)) {
            text.replace(matcher.start(), matcher.end(), by);
        }
    }

    /** A tree with nodes changed, as JSON: all of YAML's readers take that too. */
    private String tree(Random random) {
        JsonNode root = pick(random, trees).deepCopy();
        for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
            List<ContainerNode<?>> inner = new ArrayList<>();
            collect(root, inner);
            if (inner.isEmpty()) {
                break;
            }
            ContainerNode<?> parent = pick(random, inner);
            if (parent instanceof ObjectNode fields && !fields.isEmpty()) {
                List<String> names = new ArrayList<>();
                fields.fieldNames().forEachRemaining(names::add);
                String name = pick(random, names);
                switch (random.nextInt(5)) {
                    case 0 -> fields.remove(name);
                    case 1 -> fields.set(pick(random, words), fields.get(name));
                    default -> fields.set(name, other(fields.get(name), inner, random));
                }
            } else if (parent instanceof ArrayNode items && !items.isEmpty()) {
                int i = random.nextInt(items.size());
                switch (random.nextInt(5)) {
                    case 0 -> items.remove(i);
                    case 1 -> items.add(items.get(i).deepCopy());
                    default -> items.set(i, other(items.get(i), inner, random));
                }
            }
        }
        try {
            return JSON.writeValueAsString(root);
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private JsonNode other(JsonNode node, List<ContainerNode<?>> inner, Random random) {
        return switch (random.nextInt(9)) {
            case 0 -> JSON.nullNode();
            case 1 -> JSON.createArrayNode();
            case 2 -> JSON.createObjectNode();
            case 3 -> JSON.createArrayNode().add(node.deepCopy());
            case 4 -> pick(random, inner).deepCopy();
            case 5 -> JSON.getNodeFactory().numberNode(random.nextGaussian() * Math.pow(10, random.nextInt(30)));
            case 6 -> JSON.getNodeFactory().numberNode(random.nextLong() >> random.nextInt(64));
            case 7 -> TextNode.valueOf(pick(random, words));
            default -> TextNode.valueOf(pick(random, HOSTILE));
        };
    }

    private static void collect(JsonNode node, List<ContainerNode<?>> into) {
        if (node instanceof ContainerNode<?> inner && into.size() < 500) {
            into.add(inner);
        }
        node.forEach(child -> collect(child, into));
    }

    /** A valid input with bytes changed, at its end (where Parquet has its footer) most of all. */
    byte[] binary(Random random) {
        return bytes(pick(random, valid), random);
    }

    private static byte[] bytes(byte[] valid, Random random) {
        byte[] bytes = valid.clone();
        for (int changes = 1 + random.nextInt(4); changes > 0 && bytes.length > 0; changes--) {
            int span = switch (random.nextInt(4)) {
                case 0 -> bytes.length;
                case 1 -> Math.min(bytes.length, 12);
                default -> Math.min(bytes.length, 1500);
            };
            int at = bytes.length - 1 - random.nextInt(span);
            switch (random.nextInt(8)) {
                case 0 -> bytes[at] = (byte) random.nextInt(256);
                case 1 -> bytes[at] = pick(random, List.of((byte) 0, (byte) 0xFF, (byte) 0x7F, (byte) 0x80));
                case 2 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
                case 3 -> bytes[at] += (byte) (random.nextBoolean() ? 1 : -1);
                case 4 -> {
                    int end = Math.min(bytes.length, at + 5); // a varint of five bytes
                    Arrays.fill(bytes, at, end, (byte) 0xFF);
                }
                case 5 -> bytes = Arrays.copyOf(bytes, at);
                case 6 -> {
                    byte[] shorter = new byte[bytes.length - 1];
                    System.arraycopy(bytes, 0, shorter, 0, at);
                    System.arraycopy(bytes, at + 1, shorter, at, shorter.length - at);
                    bytes = shorter;
                }
                default -> {
                    int from = random.nextInt(bytes.length);
                    System.arraycopy(bytes, from, bytes, at, Math.min(8, bytes.length - Math.max(from, at)));
                }
            }
        }
        return bytes;
    }

    static <T> T pick(Random random, List<T> list) {
        return list.get(random.nextInt(list.size()));
    }
}
