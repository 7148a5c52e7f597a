package io.github.rhosweep.store;

import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.conf.ParquetConfiguration;
import org.apache.parquet.hadoop.api.ReadSupport;
import org.apache.parquet.io.api.Converter;
import org.apache.parquet.io.api.GroupConverter;
import org.apache.parquet.io.api.PrimitiveConverter;
import org.apache.parquet.io.api.RecordMaterializer;
import org.apache.parquet.schema.MessageType;
import org.jspecify.annotations.Nullable;

/**
 * How Parquet's reader makes a record of flat fields: each field's cell puts its value into an array, of which the record is made.
 *
 * @param <T> a record
 */
abstract class FlatReadSupport<T> extends ReadSupport<T> {
    /** What makes the records of a file. */
    abstract RecordMaterializer<T> materializer(MessageType requested);

    @Override
    @SuppressWarnings("deprecation") // abstract there
    public RecordMaterializer<T> prepareForRead(
            Configuration conf, Map<String, String> footer, MessageType schema, ReadContext context) {
        return materializer(context.getRequestedSchema());
    }

    @Override
    public RecordMaterializer<T> prepareForRead(
            ParquetConfiguration conf, Map<String, String> footer, MessageType schema, ReadContext context) {
        return materializer(context.getRequestedSchema());
    }

    /**
     * Makes records of cells.
     *
     * @param <V> what a cell gives
     * @param <T> a record
     */
    static final class Materializer<V, T> extends RecordMaterializer<T> {
        private final @Nullable V[] values;
        private final Function<@Nullable V[], T> record;
        private final GroupConverter root;

        /**
         * @param values where the cells put what they read; null where a record has no such field
         * @param cells one a field, in the order of the schema asked for
         * @param record makes a record of a copy of the values
         */
        Materializer(@Nullable V[] values, PrimitiveConverter[] cells, Function<@Nullable V[], T> record) {
            this.values = values;
            this.record = record;
            this.root = new GroupConverter() {
                @Override
                public Converter getConverter(int field) {
                    return cells[field];
                }

                @Override
                public void start() {
                    Arrays.fill(values, null);
                }

                @Override
                public void end() {}
            };
        }

        @Override
        public T getCurrentRecord() {
            return record.apply(values.clone());
        }

        @Override
        public GroupConverter getRootConverter() {
            return root;
        }
    }
}
