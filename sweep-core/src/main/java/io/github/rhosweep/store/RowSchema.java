package io.github.rhosweep.store;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.rhosweep.result.Column;
import io.github.rhosweep.scenario.Parameter.ColumnType;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type;
import org.apache.parquet.schema.Types;

/** Columns as a flat Parquet schema of optional fields, and the catalogue that travels in each file's footer. */
final class RowSchema {
    /** Footer key of the catalogue: a JSON array of {name, type, unit, doc, source}. */
    static final String CATALOGUE_KEY = "rhosweep.columns";

    private static final ObjectMapper JSON = new ObjectMapper();

    private RowSchema() {}

    static MessageType messageType(List<Column> columns) {
        Types.MessageTypeBuilder schema = Types.buildMessage();
        for (Column column : columns) {
            switch (column.type()) {
                case BOOLEAN -> schema.optional(PrimitiveTypeName.BOOLEAN).named(column.name());
                case INT64 -> schema.optional(PrimitiveTypeName.INT64).named(column.name());
                case DOUBLE -> schema.optional(PrimitiveTypeName.DOUBLE).named(column.name());
                case STRING ->
                    schema.optional(PrimitiveTypeName.BINARY)
                            .as(LogicalTypeAnnotation.stringType())
                            .named(column.name());
            }
        }
        return schema.named("row");
    }

    static Map<String, String> footer(List<Column> columns) {
        try {
            return Map.of(CATALOGUE_KEY, JSON.writeValueAsString(columns));
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException("a record of strings has no JSON form", impossible);
        }
    }

    /** The columns of a file: names and types from its schema, units and meanings from its catalogue where that has them. */
    static List<Column> columns(MessageType schema, Map<String, String> footer) throws IOException {
        String json = footer.get(CATALOGUE_KEY);
        List<Column> catalogue = json == null ? List.of() : JSON.readValue(json, new TypeReference<List<Column>>() {});
        List<Column> columns = new ArrayList<>();
        for (Type field : schema.getFields()) {
            ColumnType type = type(field);
            columns.add(catalogue.stream()
                    .filter(c -> c.name().equals(field.getName()) && c.type() == type)
                    .findFirst()
                    .orElse(new Column(field.getName(), type, "", "", "")));
        }
        return columns;
    }

    static ColumnType type(Type field) throws IOException {
        ColumnType type = !field.isPrimitive()
                ? null
                : switch (field.asPrimitiveType().getPrimitiveTypeName()) {
                    case BOOLEAN -> ColumnType.BOOLEAN;
                    case INT64 -> ColumnType.INT64;
                    case DOUBLE -> ColumnType.DOUBLE;
                    case BINARY -> ColumnType.STRING;
                    default -> null;
                };
        if (type == null) {
            throw new IOException("column " + field.getName() + " is of a type that no table here has: " + field);
        }
        return type;
    }
}
