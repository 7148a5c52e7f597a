package io.github.rhosweep.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.LinkedHashMap;
import java.util.Map;

/** One object on one line, as {@code --json} promises. */
public final class Json {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private Json() {}

    public static String of(Object value) {
        try {
            return MAPPER.writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("no JSON form of " + value.getClass(), e);
        }
    }

    /** The fields of an object by their names in JSON, nested ones beside the others. */
    public static Map<String, Object> fields(Object value) {
        Map<String, Object> fields = new LinkedHashMap<>();
        MAPPER.<Map<String, Object>>convertValue(value, new TypeReference<>() {})
                .forEach((name, field) -> {
                    if (field instanceof Map<?, ?> nested) {
                        nested.forEach((inner, v) -> fields.put(name + " " + inner, v));
                    } else {
                        fields.put(name, field);
                    }
                });
        return fields;
    }
}
