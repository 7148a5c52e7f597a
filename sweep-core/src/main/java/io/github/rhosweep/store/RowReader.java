package io.github.rhosweep.store;

import io.github.rhosweep.result.Column;
import io.github.rhosweep.result.Row;
import io.github.rhosweep.scenario.Text;
import java.io.Closeable;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.parquet.ParquetReadOptions;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.ParquetReader;
import org.apache.parquet.hadoop.api.InitContext;
import org.apache.parquet.hadoop.api.ReadSupport;
import org.apache.parquet.io.InputFile;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.io.api.PrimitiveConverter;
import org.apache.parquet.io.api.RecordMaterializer;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.Type;
import org.jspecify.annotations.Nullable;

/** Reads the rows of one Parquet file one after the other, only the wanted columns; a column that the file lacks is null. */
public final class RowReader implements Closeable {
    /** Of Parquet's own messages, which may recite a footer. */
    private static final int MOST_SAID = 300;

    private static final Pattern CLASS_NAME = Pattern.compile("\\b(org|java|io|com)\\.[a-z]+\\.[a-z.]*[A-Z]");

    private final Location file;
    /** Parquet allocates what the header of a page claims, whatever the file's size. */
    static final String TOO_MUCH = "a page in it claims more memory than there is";

    private final ParquetReader<Row> parquet;

    /**
     * Opens a file.
     *
     * @param columns what the rows shall hold, in this order
     * @throws IOException if the file is no Parquet or holds one of the columns with another type
     */
    public RowReader(Location file, List<Column> columns) throws IOException {
        this.file = file;
        try {
            this.parquet = new Builder(file.storage().input(file), List.copyOf(columns)).build();
        } catch (RuntimeException | IOException broken) {
            throw broken(file, broken);
        }
    }

    /** The next row, null at the end. */
    public @Nullable Row read() throws IOException {
        try {
            return parquet.read();
        } catch (RuntimeException | IOException broken) {
            throw broken(file, broken);
        } catch (OutOfMemoryError full) {
            throw new IOException(file + " cannot be read as Parquet: " + TOO_MUCH, full);
        }
    }

    @Override
    public void close() throws IOException {
        parquet.close();
    }

    /** The columns that a file holds, with the units and meanings of its footer. */
    public static List<Column> columnsOf(Location file) throws IOException {
        try (ParquetFileReader reader = open(file)) {
            var meta = reader.getFileMetaData();
            return RowSchema.columns(meta.getSchema(), meta.getKeyValueMetaData());
        } catch (RuntimeException | IOException broken) {
            throw broken(file, broken);
        }
    }

    /** How many rows a file holds, from its footer. */
    public static long count(Location file) throws IOException {
        try (ParquetFileReader reader = open(file)) {
            return reader.getRecordCount();
        } catch (RuntimeException | IOException broken) {
            throw broken(file, broken);
        }
    }

    /** Not with Hadoop's settings, which would be read and parsed anew for each file. */
    private static ParquetFileReader open(Location file) throws IOException {
        return ParquetFileReader.open(
                file.storage().input(file),
                ParquetReadOptions.builder(new PlainParquetConfiguration()).build());
    }

    /** Parquet reports a damaged file by a bare RuntimeException or EOFException; the file's name belongs in what a person reads. */
    private static IOException broken(Location file, Exception cause) {
        // Absent files are told by their kind, and by name.
        if (cause instanceof FileSystemException || cause instanceof FileNotFoundException) {
            return (IOException) cause;
        }
        return new IOException(file + " cannot be read as Parquet: " + reason(cause), cause);
    }

    /** What Parquet says, without the names of its objects and classes, in one line. */
    static String reason(Exception cause) {
        String said = cause.getMessage() == null ? "" : cause.getMessage();
        if (CLASS_NAME.matcher(said).find()) {
            return "a header in it is damaged";
        }
        said = Text.visible(said.lines().findFirst().orElse("").replaceAll("\\S*LocalInputFile@\\p{XDigit}+", "it"));
        if (said.isBlank()) {
            return cause instanceof EOFException ? "it ends too early" : "it is damaged";
        }
        return said.length() > MOST_SAID ? said.substring(0, MOST_SAID) + "..." : said;
    }

    private static final class Builder extends ParquetReader.Builder<Row> {
        private final List<Column> columns;

        Builder(InputFile file, List<Column> columns) {
            super(file, new PlainParquetConfiguration());
            this.columns = columns;
        }

        @Override
        protected ReadSupport<Row> getReadSupport() {
            return new Support(columns);
        }
    }

    private static final class Support extends FlatReadSupport<Row> {
        private final List<Column> columns;

        Support(List<Column> columns) {
            this.columns = columns;
        }

        @Override
        public ReadContext init(InitContext context) {
            MessageType schema = context.getFileSchema();
            List<Type> wanted = new ArrayList<>();
            for (Column column : columns) {
                if (schema.containsField(column.name())) {
                    wanted.add(checked(schema.getType(column.name()), column));
                }
            }
            return new ReadContext(new MessageType(schema.getName(), wanted));
        }

        private static Type checked(Type field, Column column) {
            try {
                if (RowSchema.type(field) == column.type()) {
                    return field;
                }
                throw new IllegalArgumentException(
                        "column " + column.name() + " is " + field + " there and " + column.type() + " here");
            } catch (IOException foreign) {
                throw new IllegalArgumentException(foreign.getMessage(), foreign);
            }
        }

        @Override
        RecordMaterializer<Row> materializer(MessageType requested) {
            @Nullable Object[] values = new Object[columns.size()];
            Map<String, Integer> positions = new HashMap<>();
            for (int i = 0; i < columns.size(); i++) {
                positions.put(columns.get(i).name(), i);
            }
            PrimitiveConverter[] cells = requested.getFields().stream()
                    .map(field -> new Cell(values, positions.getOrDefault(field.getName(), -1)))
                    .toArray(PrimitiveConverter[]::new);
            return new Materializer<>(values, cells, row -> new Row(columns, row));
        }
    }

    private static final class Cell extends PrimitiveConverter {
        private final @Nullable Object[] values;
        private final int position;

        Cell(@Nullable Object[] values, int position) {
            this.values = values;
            this.position = position;
        }

        @Override
        public void addBoolean(boolean value) {
            values[position] = value;
        }

        @Override
        public void addLong(long value) {
            values[position] = value;
        }

        @Override
        public void addDouble(double value) {
            values[position] = value;
        }

        @Override
        public void addBinary(Binary value) {
            values[position] = value.toStringUsingUTF8();
        }
    }
}
