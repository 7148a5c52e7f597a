package io.github.rhosweep.store;

import io.github.rhosweep.result.Column;
import io.github.rhosweep.result.Row;
import io.github.rhosweep.scenario.Parameter.ColumnType;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.conf.ParquetConfiguration;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.hadoop.ParquetFileWriter;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.api.WriteSupport;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.OutputFile;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.io.api.RecordConsumer;
import org.jspecify.annotations.Nullable;

/** Writes rows of one table to one Parquet file: zstd, dictionaries, flat optional columns, the catalogue in the footer. */
public final class RowWriter implements Closeable {
    private final Location file;
    private final List<Column> columns;
    private final ParquetWriter<Row> parquet;
    private long rows;

    /**
     * Creates the file.
     *
     * @throws IOException if it exists or cannot be created
     */
    public RowWriter(Location file, List<Column> columns) throws IOException {
        this.file = file;
        this.columns = List.copyOf(columns);
        this.parquet = new Builder(file.storage().output(file), this.columns)
                .withConf(new PlainParquetConfiguration())
                .withWriteMode(ParquetFileWriter.Mode.CREATE)
                .withCompressionCodec(CompressionCodecName.ZSTD)
                .withCodecFactory(new ZstdPages())
                .withDictionaryEncoding(true)
                // Of flat columns they tell what the counts of nulls tell.
                .withSizeStatisticsEnabled(false)
                .build();
    }

    /** Appends a row of exactly these columns. */
    public void write(Row row) throws IOException {
        if (row.columns() != columns && !row.columns().equals(columns)) {
            throw new IllegalArgumentException("a row of other columns than those of " + file);
        }
        try {
            parquet.write(row);
        } catch (IOException e) {
            throw brief(e);
        }
        rows++;
    }

    /** Rows written so far. */
    public long rows() {
        return rows;
    }

    /** Finishes the file and forces it to the disk, so that a name given to it later never outlives its content. */
    @Override
    public void close() throws IOException {
        try {
            parquet.close();
        } catch (IOException e) {
            throw brief(e);
        }
        file.storage().force(file);
    }

    /** Parquet puts a whole footer into the message of a full disk. */
    private IOException brief(IOException e) {
        Throwable root = e;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return new IOException(file + ": " + root.getMessage(), e);
    }

    private static final class Builder extends ParquetWriter.Builder<Row, Builder> {
        private final List<Column> columns;

        Builder(OutputFile file, List<Column> columns) {
            super(file);
            this.columns = columns;
        }

        @Override
        protected Builder self() {
            return this;
        }

        @Override
        @SuppressWarnings("deprecation") // abstract there
        protected WriteSupport<Row> getWriteSupport(Configuration conf) {
            return new Support(columns);
        }

        @Override
        protected WriteSupport<Row> getWriteSupport(ParquetConfiguration conf) {
            return new Support(columns);
        }
    }

    private static final class Support extends WriteSupport<Row> {
        private final List<Column> columns;
        private final String[] names;
        private final ColumnType[] types;
        private RecordConsumer out;

        @SuppressWarnings("NullAway.Init") // prepareForWrite comes before any write
        Support(List<Column> columns) {
            this.columns = columns;
            this.names = columns.stream().map(Column::name).toArray(String[]::new);
            this.types = columns.stream().map(Column::type).toArray(ColumnType[]::new);
        }

        @Override
        @SuppressWarnings("deprecation") // abstract there
        public WriteContext init(Configuration conf) {
            return context();
        }

        @Override
        public WriteContext init(ParquetConfiguration conf) {
            return context();
        }

        private WriteContext context() {
            return new WriteContext(RowSchema.messageType(columns), RowSchema.footer(columns));
        }

        @Override
        public void prepareForWrite(RecordConsumer consumer) {
            out = consumer;
        }

        @Override
        public void write(Row row) {
            out.startMessage();
            @Nullable Object[] values = row.values();
            for (int i = 0; i < names.length; i++) {
                Object value = values[i];
                if (value == null) {
                    continue;
                }
                String name = names[i];
                out.startField(name, i);
                switch (types[i]) {
                    case BOOLEAN -> out.addBoolean((Boolean) value);
                    case INT64 -> out.addLong((Long) value);
                    case DOUBLE -> out.addDouble((Double) value);
                    case STRING -> out.addBinary(Binary.fromString((String) value));
                }
                out.endField(name, i);
            }
            out.endMessage();
        }
    }
}
