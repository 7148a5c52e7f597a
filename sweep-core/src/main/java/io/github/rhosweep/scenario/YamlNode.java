package io.github.rhosweep.scenario;

import java.util.List;

/** A YAML value with its place in the file. Scalars keep the text as written: each parameter reads its own. */
public sealed interface YamlNode {
    Position position();

    /** What a message says was found. */
    String describe();

    /**
     * A scalar.
     *
     * @param plain written without quotes
     */
    record Scalar(Position position, String text, boolean plain) implements YamlNode {
        /** Nothing was written, or YAML's word for it. */
        public boolean isNull() {
            return plain && (text.isEmpty() || text.equals("~") || text.equals("null"));
        }

        @Override
        public String describe() {
            return isNull() ? "nothing" : "`" + (text.length() > 80 ? text.substring(0, 80) + "..." : text) + "`";
        }
    }

    /** A list. */
    record Items(Position position, List<YamlNode> items) implements YamlNode {
        @Override
        public String describe() {
            return "a list";
        }
    }

    /** A map; its keys are distinct. */
    record Fields(Position position, List<Field> fields) implements YamlNode {
        @Override
        public String describe() {
            return "a map";
        }
    }

    /** One entry of a map; the position is the key's. */
    record Field(Position position, String key, YamlNode value) {}
}
