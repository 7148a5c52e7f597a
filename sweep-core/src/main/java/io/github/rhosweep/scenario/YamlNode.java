package io.github.rhosweep.scenario;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

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
        /**
         * Its entries by key, in the order written. Keys that are not among {@code keys} become problems that name the nearest one.
         *
         * @param context what such a problem begins with; may be empty
         */
        public Map<String, Field> known(String context, List<String> keys, Problems problems) {
            Map<String, Field> known = new LinkedHashMap<>();
            for (Field field : fields) {
                if (keys.contains(field.key())) {
                    known.put(field.key(), field);
                } else {
                    String advice = NearestName.advice(field.key(), keys);
                    problems.add(
                            field.position(),
                            context + "unknown key `" + field.key() + "`"
                                    + (advice.isEmpty() ? ", expected one of " + String.join(", ", keys) : advice));
                }
            }
            return known;
        }

        @Override
        public String describe() {
            return "a map";
        }
    }

    /** One entry of a map; the position is the key's. */
    record Field(Position position, String key, YamlNode value) {}
}
