package io.github.rhosweep.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.rhosweep.result.Column;
import io.github.rhosweep.scenario.Parameter.ColumnType;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type;
import org.apache.parquet.schema.Types;
import org.jspecify.annotations.Nullable;

/** Columns as a flat Parquet schema of optional fields, and the catalogue that travels in each file's footer. */
final class RowSchema {
    /** Footer key of the catalogue: a JSON array of {name, type, unit, doc, source}, compressed by gzip, in Base64. */
    static final String CATALOGUE_KEY = "rhosweep.columns.gz";

    /** Where earlier releases had it, as plain JSON: half of a small file. */
    private static final String PLAIN_CATALOGUE_KEY = "rhosweep.columns";

    /** Bytes of its JSON: some ten times what a thousand columns take. */
    private static final int MAX_CATALOGUE = 4 << 20;

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
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            try (OutputStream zip = new GZIPOutputStream(bytes)) {
                zip.write(JSON.writeValueAsBytes(columns));
            }
            return Map.of(CATALOGUE_KEY, Base64.getEncoder().encodeToString(bytes.toByteArray()));
        } catch (IOException impossible) {
            throw new IllegalStateException("a record of strings has no JSON form, or memory no room", impossible);
        }
    }

    private static @Nullable String catalogue(Map<String, String> footer) throws IOException {
        String packed = footer.get(CATALOGUE_KEY);
        if (packed == null) {
            return footer.get(PLAIN_CATALOGUE_KEY);
        }
        byte[] bytes;
        try {
            bytes = Base64.getDecoder().decode(packed);
        } catch (IllegalArgumentException broken) {
            throw new IOException("the catalogue of columns in the footer is no Base64", broken);
        }
        try (InputStream zip = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
            byte[] json = zip.readNBytes(MAX_CATALOGUE + 1);
            if (json.length > MAX_CATALOGUE) {
                throw new IOException(
                        "the catalogue of columns in the footer unpacks to more than " + MAX_CATALOGUE + " bytes");
            }
            return new String(json, UTF_8);
        }
    }

    /** The columns of a file: names and types from its schema, units and meanings from its catalogue where that has them. */
    static List<Column> columns(MessageType schema, Map<String, String> footer) throws IOException {
        String json = catalogue(footer);
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
