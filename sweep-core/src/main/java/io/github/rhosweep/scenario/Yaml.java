package io.github.rhosweep.scenario;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.common.Anchor;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.MappingStartEvent;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.events.SequenceStartEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.ReaderException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/**
 * Reads YAML 1.2 into {@link YamlNode}s. Built on the library's events rather than its objects: these keep the place of every
 * value and the text of every number, and no tag can name a class.
 */
public final class Yaml {
    private static final int MAX_BYTES = 1 << 20;
    private static final int MAX_DEPTH = 32;
    /** Values that aliases may add to those written. */
    private static final int MAX_ALIASED = 1_000_000;

    private static final String CORE_TAG = "tag:yaml.org,2002:";
    private static final Set<String> CORE_TYPES = Set.of("str", "int", "float", "bool", "null", "map", "seq");

    private final String source;
    private final int firstLine;
    private final Problems problems;
    private final Iterator<Event> events;
    private final Map<Anchor, Anchored> anchors = new HashMap<>();
    private long aliased;

    /** A node with the number of values in it, aliases expanded. */
    private record Anchored(YamlNode node, long size) {}

    private Yaml(String text, String source, int firstLine, Problems problems) {
        this.source = source;
        this.firstLine = firstLine;
        this.problems = problems;
        LoadSettings settings = LoadSettings.builder()
                .setLabel(source)
                .setCodePointLimit(Integer.MAX_VALUE) // the size of files is checked where they are read
                .build();
        this.events = new Parse(settings).parseString(text).iterator();
    }

    /**
     * Reads the text of a file.
     *
     * @throws InvalidFileException if it is not there, over 1 MiB, or not UTF-8
     */
    public static String text(Path file) {
        Problems problems = new Problems();
        Position whole = Position.of(file.toString());
        byte[] bytes;
        try {
            if (Files.isDirectory(file)) {
                problems.add(whole, "is a folder, expected a YAML file");
                throw problems.exception();
            }
            if (!Files.exists(file)) {
                problems.add(whole, "no such file");
                throw problems.exception();
            }
            bytes = InputFile.bytes(file, MAX_BYTES);
            if (bytes.length > MAX_BYTES) {
                problems.add(whole, "found " + InputFile.sizeOf(file) + ", expected at most 1 MiB");
                throw problems.exception();
            }
        } catch (IOException unreadable) {
            problems.add(whole, "cannot be read (" + unreadable + ")");
            throw problems.exception();
        }
        return utf8(bytes, file.toString());
    }

    /**
     * Bytes of a file as text, without a byte order mark.
     *
     * @param source what messages call the file
     * @throws InvalidFileException if they are not UTF-8
     */
    static String utf8(byte[] bytes, String source) {
        CharsetDecoder decoder = UTF_8.newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT);
        ByteBuffer in = ByteBuffer.wrap(bytes);
        CharBuffer out = CharBuffer.allocate(bytes.length + 1);
        CoderResult result = decoder.decode(in, out, true);
        if (result.isError()) {
            int line = 1;
            for (int i = 0; i < in.position(); i++) {
                line += bytes[i] == '\n' ? 1 : 0;
            }
            Problems problems = new Problems();
            problems.add(
                    new Position(source, line, 0),
                    "not UTF-8: found byte 0x" + Integer.toHexString(bytes[in.position()] & 0xFF));
            throw problems.exception();
        }
        String text = out.flip().toString();
        return text.startsWith("\uFEFF") ? text.substring(1) : text;
    }

    /**
     * Reads a file whose root is a map.
     *
     * @param problems collects duplicate keys and tags
     * @throws InvalidFileException if the file cannot be read or is no YAML: nothing more could be said of it
     */
    public static YamlNode.Fields readMap(Path file, Problems problems) {
        return parseMap(text(file), file.toString(), problems);
    }

    /** The same, of a text; {@code source} is what messages call it. */
    public static YamlNode.Fields parseMap(String text, String source, Problems problems) {
        YamlNode root = new Yaml(text, source, 1, problems).document();
        if (root instanceof YamlNode.Fields fields) {
            return fields;
        }
        problems.add(root.position(), "found " + root.describe() + ", expected a map of keys and values");
        throw problems.exception();
    }

    /** One value, as an option holds it; its positions have no lines. */
    public static YamlNode parseValue(String text, String source, Problems problems) {
        return new Yaml(text, source, 0, problems).document();
    }

    private YamlNode document() {
        try {
            expect(Event.ID.StreamStart);
            Event start = events.next();
            if (start.getEventId() == Event.ID.StreamEnd) {
                throw fatal(Position.of(source), "found an empty file, expected a map of keys and values");
            }
            YamlNode root = node(events.next(), 0).node();
            expect(Event.ID.DocumentEnd);
            Event end = events.next();
            if (end.getEventId() != Event.ID.StreamEnd) {
                throw fatal(at(end.getStartMark()), "found a second document, expected one");
            }
            return root;
        } catch (MarkedYamlEngineException malformed) {
            String context = malformed.getContext() == null ? "" : malformed.getContext() + ": ";
            String advice = context.contains("block mapping")
                    ? ". Maybe this line is indented by more or less than those it belongs to"
                    : "";
            throw fatal(
                    at(malformed.getProblemMark()), "not YAML: " + oneLine(context + malformed.getProblem()) + advice);
        } catch (ReaderException unprintable) {
            throw fatal(
                    Position.of(source),
                    "not YAML: found the character U+"
                            + String.format(java.util.Locale.ROOT, "%04X", unprintable.getCodePoint())
                            + ", which YAML does not allow");
        } catch (YamlEngineException other) {
            throw fatal(Position.of(source), "not YAML: " + oneLine(String.valueOf(other.getMessage())));
        }
    }

    private Anchored node(Event event, int depth) {
        Position position = at(event.getStartMark());
        if (event instanceof AliasEvent alias) {
            Anchored target = anchors.get(alias.getAlias());
            if (target == null) {
                throw fatal(position, "`*" + alias.getAlias() + "` names no anchor before it, or one that contains it");
            }
            aliased += target.size();
            if (aliased > MAX_ALIASED) {
                throw fatal(position, "aliases expand to more than " + MAX_ALIASED + " values");
            }
            return target;
        }
        if (depth > MAX_DEPTH) {
            throw fatal(position, "nested more than " + MAX_DEPTH + " deep");
        }
        Anchored result;
        if (event instanceof ScalarEvent scalar) {
            checkTag(position, scalar.getTag());
            result = new Anchored(new YamlNode.Scalar(position, scalar.getValue(), scalar.isPlain()), 1);
        } else if (event instanceof SequenceStartEvent sequence) {
            checkTag(position, sequence.getTag());
            result = items(position, depth);
        } else if (event instanceof MappingStartEvent mapping) {
            checkTag(position, mapping.getTag());
            result = fields(position, depth);
        } else {
            throw new IllegalStateException("unexpected event " + event);
        }
        Optional<Anchor> anchor = ((NodeEvent) event).getAnchor();
        if (anchor.isPresent()) {
            anchors.put(anchor.get(), result);
        }
        return result;
    }

    private Anchored items(Position position, int depth) {
        List<YamlNode> items = new ArrayList<>();
        long size = 1;
        for (Event next = events.next(); next.getEventId() != Event.ID.SequenceEnd; next = events.next()) {
            Anchored item = node(next, depth + 1);
            items.add(item.node());
            size += item.size();
        }
        return new Anchored(new YamlNode.Items(position, List.copyOf(items)), size);
    }

    private Anchored fields(Position position, int depth) {
        List<YamlNode.Field> fields = new ArrayList<>();
        Map<String, Position> seen = new HashMap<>();
        long size = 1;
        for (Event next = events.next(); next.getEventId() != Event.ID.MappingEnd; next = events.next()) {
            Anchored key = node(next, depth + 1);
            Anchored value = node(events.next(), depth + 1);
            size += key.size() + value.size();
            Position keyPosition = key.node().position();
            if (!(key.node() instanceof YamlNode.Scalar scalar)) {
                problems.add(keyPosition, "found " + key.node().describe() + " as a key, expected a name");
                continue;
            }
            Position first = seen.putIfAbsent(scalar.text(), keyPosition);
            if (first == null) {
                fields.add(new YamlNode.Field(keyPosition, scalar.text(), value.node()));
            } else {
                problems.add(keyPosition, scalar.text(), "given twice, first on line " + first.line());
            }
        }
        return new Anchored(new YamlNode.Fields(position, List.copyOf(fields)), size);
    }

    private void checkTag(Position position, Optional<String> tag) {
        if (tag.isPresent()) {
            String name = tag.get();
            boolean core = name.equals("!")
                    || name.startsWith(CORE_TAG) && CORE_TYPES.contains(name.substring(CORE_TAG.length()));
            if (!core) {
                problems.add(position, "found the tag `" + name + "`, expected a plain value");
            }
        }
    }

    private void expect(Event.ID id) {
        Event event = events.next();
        if (event.getEventId() != id) {
            throw new IllegalStateException("expected " + id + ", found " + event);
        }
    }

    private InvalidFileException fatal(Position position, String message) {
        problems.add(position, message);
        return problems.exception();
    }

    private Position at(Optional<Mark> mark) {
        return firstLine == 0 || mark.isEmpty()
                ? Position.of(source)
                : new Position(
                        source, mark.get().getLine() + firstLine, mark.get().getColumn() + 1);
    }

    private static String oneLine(String text) {
        return text.replaceAll("\\s+", " ").trim();
    }
}
