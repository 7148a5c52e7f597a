package io.github.rhosweep.store;

import io.github.rhosweep.result.Row;
import java.io.IOException;
import java.util.EnumMap;
import java.util.Map;

/** One attempt at a shard: rows go to hidden files until {@link #commit}; closing without it drops them. */
public final class ShardWriter implements AutoCloseable {
    private final ResultsFolder folder;
    private final String shard;
    private final Location work;
    private final Map<Table, RowWriter> writers = new EnumMap<>(Table.class);

    ShardWriter(ResultsFolder folder, String shard, Location work) {
        this.folder = folder;
        this.shard = shard;
        this.work = work;
    }

    /** Appends a row to a table; the first row of a table fixes its columns. */
    public void write(Table table, Row row) throws IOException {
        RowWriter writer = writers.get(table);
        if (writer == null) {
            writer = new RowWriter(work.resolve(table.folder() + ".parquet"), row.columns());
            writers.put(table, writer);
        }
        writer.write(row);
    }

    /** Makes the rows visible, unless another attempt at the same shard already has. */
    public void commit() throws IOException {
        boolean any = !writers.isEmpty();
        closeWriters();
        if (any) {
            folder.commit(shard, work);
        }
    }

    /** Drops what was not committed. */
    @Override
    public void close() throws IOException {
        try {
            closeWriters();
        } finally {
            folder.drop(work);
        }
    }

    private void closeWriters() throws IOException {
        try {
            for (RowWriter writer : writers.values()) {
                writer.close();
            }
        } finally {
            writers.clear();
        }
    }
}
