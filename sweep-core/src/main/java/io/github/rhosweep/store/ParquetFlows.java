package io.github.rhosweep.store;

import io.github.rhosweep.scenario.FlowFile;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.hadoop.ParquetReader;
import org.apache.parquet.hadoop.api.InitContext;
import org.apache.parquet.hadoop.api.ReadSupport;
import org.apache.parquet.io.DelegatingSeekableInputStream;
import org.apache.parquet.io.InputFile;
import org.apache.parquet.io.SeekableInputStream;
import org.apache.parquet.io.api.PrimitiveConverter;
import org.apache.parquet.io.api.RecordMaterializer;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.Type;
import org.jspecify.annotations.Nullable;

/**
 * Reads the numbers of a Parquet file as text, so that what a table of flows must be is said in one place for CSV and Parquet.
 * Found by {@link java.util.ServiceLoader}.
 */
public final class ParquetFlows implements FlowFile.ParquetToCsv {
    /** For {@link java.util.ServiceLoader}. */
    public ParquetFlows() {}

    @Override
    public String csv(byte[] parquet, List<String> columns) throws IOException {
        if (parquet.length < 12) {
            throw new IOException("it is too short to be one");
        }
        StringBuilder csv = new StringBuilder();
        int rows = 0;
        Support support = new Support(columns);
        try (ParquetReader<@Nullable String[]> reader = new Builder(new Bytes(parquet), support).build()) {
            for (@Nullable String[] row; (row = reader.read()) != null; ) {
                // Repeated values take next to nothing in a Parquet file: its size bounds no text.
                if (++rows > FlowFile.MOST_FLOWS) {
                    throw new IOException("it has more than " + FlowFile.MOST_FLOWS + " rows");
                }
                if (csv.length() == 0) {
                    csv.append(String.join(",", support.names)).append('\n');
                }
                for (int i = 0; i < row.length; i++) {
                    csv.append(i == 0 ? "" : ",").append(row[i] == null ? "null" : row[i]);
                }
                csv.append('\n');
            }
        } catch (RuntimeException | IOException broken) {
            throw new IOException(RowReader.reason(broken), broken);
        } catch (OutOfMemoryError full) {
            throw new IOException(RowReader.TOO_MUCH, full);
        }
        return csv.length() == 0 ? String.join(",", support.names) + "\n" : csv.toString();
    }

    private static final class Builder extends ParquetReader.Builder<@Nullable String[]> {
        private final Support support;

        Builder(InputFile file, Support support) {
            super(file, new PlainParquetConfiguration());
            this.support = support;
        }

        @Override
        protected ReadSupport<@Nullable String[]> getReadSupport() {
            return support;
        }
    }

    private static final class Support extends FlatReadSupport<@Nullable String[]> {
        private final List<String> wanted;
        private final List<String> names = new ArrayList<>();

        Support(List<String> wanted) {
            this.wanted = wanted;
        }

        @Override
        public ReadContext init(InitContext context) {
            MessageType schema = context.getFileSchema();
            List<Type> fields = new ArrayList<>();
            names.clear();
            for (String name : wanted) {
                if (schema.containsField(name)) {
                    fields.add(number(schema.getType(name)));
                    names.add(name);
                }
            }
            return new ReadContext(new MessageType(schema.getName(), fields));
        }

        private static Type number(Type field) {
            boolean number = field.isPrimitive()
                    && !field.isRepetition(Type.Repetition.REPEATED)
                    && (field.getLogicalTypeAnnotation() == null
                            || field.getLogicalTypeAnnotation()
                                    instanceof LogicalTypeAnnotation.IntLogicalTypeAnnotation)
                    && switch (field.asPrimitiveType().getPrimitiveTypeName()) {
                        case INT32, INT64, FLOAT, DOUBLE -> true;
                        default -> false;
                    };
            if (!number) {
                throw new IllegalArgumentException("the column is `" + field + "`, expected plain numbers");
            }
            return field;
        }

        @Override
        RecordMaterializer<@Nullable String[]> materializer(MessageType requested) {
            @Nullable String[] values = new String[requested.getFieldCount()];
            PrimitiveConverter[] cells = new PrimitiveConverter[values.length];
            Arrays.setAll(cells, i -> new Cell(values, i));
            return new Materializer<>(values, cells, row -> row);
        }
    }

    private static final class Cell extends PrimitiveConverter {
        private final @Nullable String[] values;
        private final int column;

        Cell(@Nullable String[] values, int column) {
            this.values = values;
            this.column = column;
        }

        @Override
        public void addInt(int value) {
            values[column] = Integer.toString(value);
        }

        @Override
        public void addLong(long value) {
            values[column] = Long.toString(value);
        }

        @Override
        public void addFloat(float value) {
            addDouble(value);
        }

        /** All digits of the value: those that {@code toString} chooses differ between versions of Java. */
        @Override
        public void addDouble(double value) {
            values[column] = Double.isFinite(value)
                    ? new BigDecimal(value).stripTrailingZeros().toString()
                    : Double.toString(value);
        }
    }

    /** A Parquet file in memory. */
    private static final class Bytes implements InputFile {
        private final byte[] content;

        Bytes(byte[] content) {
            this.content = content;
        }

        @Override
        public String toString() {
            return "it";
        }

        @Override
        public long getLength() {
            return content.length;
        }

        @Override
        public SeekableInputStream newStream() {
            Positioned in = new Positioned(content);
            return new DelegatingSeekableInputStream(in) {
                @Override
                public long getPos() {
                    return in.position();
                }

                @Override
                public void seek(long to) throws IOException {
                    in.position(to);
                }
            };
        }
    }

    private static final class Positioned extends ByteArrayInputStream {
        Positioned(byte[] content) {
            super(content);
        }

        synchronized long position() {
            return pos;
        }

        synchronized void position(long to) throws IOException {
            if (to < 0 || to > count) {
                throw new EOFException("ends at byte " + count);
            }
            pos = (int) to;
        }
    }
}
