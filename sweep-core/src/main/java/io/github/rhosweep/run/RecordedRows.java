package io.github.rhosweep.run;

import io.github.rhosweep.result.FlowLog;
import io.github.rhosweep.result.Recording;
import io.github.rhosweep.result.Row;
import io.github.rhosweep.result.SeriesLog;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * What was kept of one run, as rows that are made when they are written.
 *
 * @param runKey of the run
 * @param recording of the run
 */
public record RecordedRows(String runKey, Recording recording) {
    /** Takes rows. */
    @FunctionalInterface
    public interface Sink {
        void accept(Row row) throws IOException;
    }

    /** Rows of {@link Tables#FLOWS}. */
    public void flows(Sink sink) throws IOException {
        FlowLog log = recording.flows();
        for (int i = 0; log != null && i < log.size(); i++) {
            sink.accept(new Row(Tables.FLOWS, new @Nullable Object[] {
                runKey,
                log.id(i),
                (long) log.source(i),
                (long) log.destination(i),
                log.bytes(i),
                ns(log.startPs(i)),
                ns(log.completionPs(i)),
                log.retransmittedFrames(i),
                log.isLost(i)
            }));
        }
    }

    /** Rows of {@link Tables#SERIES}. */
    public void series(Sink sink) throws IOException {
        SeriesLog log = recording.series();
        for (int i = 0; log != null && i < log.size(); i++) {
            sink.accept(new Row(
                    Tables.SERIES,
                    new Object[] {runKey, log.timePs(i) / 1000.0, log.entity(i), log.metric(i), log.value(i)}));
        }
    }

    private static @Nullable Double ns(long ps) {
        return ps < 0 ? null : ps / 1000.0;
    }
}
