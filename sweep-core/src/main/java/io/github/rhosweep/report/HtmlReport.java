package io.github.rhosweep.report;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.io.CharacterEscapes;
import com.fasterxml.jackson.core.io.SerializedString;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.samskivert.mustache.Mustache;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A page of tables and charts in one file that needs nothing from the network. Text stands in it as text, whatever it is: the
 * template escapes it for HTML, numbers for charts come as JSON without a single {@code <}, scripts put it into text nodes alone,
 * and a policy inside the page lets no other script run than the two that it was written with.
 *
 * @param title of the page
 * @param lead what it is, in a sentence
 * @param sections in order
 */
public record HtmlReport(String title, String lead, List<Section> sections) {
    private static final int LONG = 40;
    private static final ObjectMapper JSON = new ObjectMapper();

    static {
        JSON.getFactory().setCharacterEscapes(new InsideScript());
    }

    /**
     * A part of the page.
     *
     * @param id for links to it
     * @param heading above it
     * @param notes paragraphs
     * @param charts below those
     * @param tables below those
     * @param commands lines to copy, that cells link to by their id
     * @param listings long texts, folded
     */
    public record Section(
            String id,
            String heading,
            List<String> notes,
            List<Chart> charts,
            List<Table> tables,
            List<Command> commands,
            List<Listing> listings) {
        /** A section of notes and tables. */
        public static Section of(String id, String heading, List<String> notes, List<Table> tables) {
            return new Section(id, heading, notes, List.of(), tables, List.of(), List.of());
        }

        boolean hasCommands() {
            return !commands.isEmpty();
        }
    }

    /** How numbers are drawn. */
    public enum Kind {
        CURVES,
        HEAT
    }

    /**
     * A chart, with its numbers as a table below it.
     *
     * @param caption what it shows
     */
    public record Chart(Kind kind, String caption, Cube cube) {}

    /**
     * A table.
     *
     * @param caption above it
     * @param folded whether it is shown only when asked for
     */
    public record Table(String caption, boolean folded, List<Head> heads, List<Line> lines) {}

    /**
     * A column's head.
     *
     * @param number whether its cells are numbers
     */
    public record Head(String text, boolean number) {}

    /** A line of a table. */
    public record Line(List<Cell> cells) {}

    /**
     * A cell.
     *
     * @param number whether it is a number
     * @param target the id of what it links to, or empty
     */
    public record Cell(String text, boolean number, String target) {
        boolean linked() {
            return !target.isEmpty();
        }

        /** How it is set: the words of a long text may break anywhere. */
        String style() {
            return number ? "number" : text.length() > LONG ? "long" : "";
        }
    }

    /** A line to copy into a terminal. */
    public record Command(String id, String line) {}

    /** A text as it is. */
    public record Listing(String title, String text) {}

    /** Charts as scripts see them: cubes are written once, whatever the number of charts that show them. */
    private record Data(List<Cube> cubes, List<Drawn> charts) {
        private record Drawn(String kind, int cube, String caption) {}

        static Data of(List<Section> sections) {
            Data data = new Data(new ArrayList<>(), new ArrayList<>());
            for (Section section : sections) {
                for (Chart chart : section.charts()) {
                    int index = data.cubes.indexOf(chart.cube());
                    if (index < 0) {
                        index = data.cubes.size();
                        data.cubes.add(chart.cube());
                    }
                    data.charts.add(new Drawn(chart.kind() == Kind.CURVES ? "curves" : "heat", index, chart.caption()));
                }
            }
            return data;
        }
    }

    /**
     * Writes it into a file, which is complete or not there.
     *
     * @throws IOException if the file cannot be written
     */
    public void write(Path file) throws IOException {
        String html = html();
        WholeFile.write(file, ".html", temporary -> Files.writeString(temporary, html, UTF_8));
    }

    /** The page. */
    String html() {
        String library = resource("echarts.min.js");
        String script = resource("report.js");
        StringWriter out = new StringWriter();
        Mustache.compiler()
                .escapeHTML(true)
                .compile(resource("report.html"))
                .execute(
                        Map.of(
                                "title", title,
                                "lead", lead,
                                "sections", sections,
                                "policy", policy(library, script),
                                "style", resource("report.css"),
                                "library", library,
                                "script", script,
                                "data", json(Data.of(sections))),
                        out);
        return out.toString();
    }

    /** Nothing is loaded, and of scripts those with these hashes alone run. Charts style their marks in place. */
    private static String policy(String... scripts) {
        StringBuilder allowed = new StringBuilder();
        for (String script : scripts) {
            allowed.append(" 'sha256-").append(sha256(script)).append('\'');
        }
        return "default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src" + allowed
                + "; base-uri 'none'; form-action 'none'";
    }

    private static String sha256(String text) {
        try {
            return Base64.getEncoder()
                    .encodeToString(MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8)));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java platform has SHA-256", impossible);
        }
    }

    static String json(Object value) {
        try {
            return JSON.writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("no JSON form of " + value.getClass(), e);
        }
    }

    private static String resource(String name) {
        try (InputStream in = HtmlReport.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("the program was built without " + name);
            }
            // A browser reads a carriage return as a line feed, and then the hash would differ.
            return new String(in.readAllBytes(), UTF_8).replace("\r\n", "\n");
        } catch (IOException e) {
            throw new IllegalStateException(name + " cannot be read from the program", e);
        }
    }

    /** Escapes what could end a script element or begin a comment in it. */
    private static final class InsideScript extends CharacterEscapes {
        private static final long serialVersionUID = 1L;
        private final int[] ascii = standardAsciiEscapesForJSON();

        InsideScript() {
            for (char c : new char[] {'<', '>', '&'}) {
                ascii[c] = ESCAPE_CUSTOM;
            }
        }

        @Override
        public int[] getEscapeCodesForAscii() {
            return ascii.clone();
        }

        @Override
        public @Nullable SerializableString getEscapeSequence(int c) {
            return c == '<' || c == '>' || c == '&' ? new SerializedString(String.format("\\u%04x", c)) : null;
        }
    }
}
