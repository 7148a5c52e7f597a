package io.github.rhosweep.run;

import io.github.rhosweep.result.FlowLog;
import io.github.rhosweep.result.Recording;
import io.github.rhosweep.result.Row;
import io.github.rhosweep.result.SeriesLog;
import io.github.rhosweep.scenario.RecordSpec;
import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What was kept of one run, as rows that are made when they are written.
 *
 * @param runKey of the run
 * @param wanted of it
 * @param recording of the run
 */
public record RecordedRows(String runKey, RecordSpec wanted, Recording recording) {
    /** Takes rows. */
    @FunctionalInterface
    public interface Sink {
        void accept(Row row) throws IOException;
    }

    /** Rows of {@link Tables#FLOWS}. */
    public void flows(Sink sink) throws IOException {
        FlowLog log = recording.flows();
        for (int i = 0; wanted.flows() && log != null && i < log.size(); i++) {
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

    /** Rows of {@link Tables#PAIRS}: in ascending order of sources, then of destinations. */
    public void pairs(Sink sink) throws IOException {
        FlowLog log = recording.flows();
        if (!wanted.pairs() || log == null) {
            return;
        }
        long[] sorted = new long[log.size()]; // source, destination, message: 20, 20, 24 bits
        for (int i = 0; i < sorted.length; i++) {
            sorted[i] = (long) log.source(i) << 44 | (long) log.destination(i) << 24 | i;
        }
        Arrays.sort(sorted);
        double[] latencies = new double[sorted.length];
        long flow = 0;
        for (int from = 0, to = from; from < sorted.length; from = to) {
            int complete = 0;
            long lost = 0;
            long bytes = 0;
            int last = 0;
            for (; to < sorted.length && sorted[to] >>> 24 == sorted[from] >>> 24; to++) {
                last = (int) (sorted[to] & 0xFFFFFF);
                bytes += log.bytes(last);
                lost += log.isLost(last) ? 1 : 0;
                if (log.completionPs(last) >= 0 && log.startPs(last) >= 0) {
                    latencies[complete++] = (log.completionPs(last) - log.startPs(last)) / 1000.0;
                }
            }
            sink.accept(
                    pair(flow++, log.source(last), log.destination(last), to - from, bytes, lost, latencies, complete));
        }
    }

    private Row pair(
            long flow, int source, int destination, long offered, long bytes, long lost, double[] latencies, int n) {
        Arrays.sort(latencies, 0, n);
        double mean = Arrays.stream(latencies, 0, n).average().orElse(Double.NaN);
        double squares = Arrays.stream(latencies, 0, n)
                .map(latency -> (latency - mean) * (latency - mean))
                .sum();
        return new Row(Tables.PAIRS, new @Nullable Object[] {
            runKey,
            flow,
            (long) source,
            (long) destination,
            offered,
            bytes,
            (long) n,
            lost,
            n == 0 ? null : (Double) mean,
            n < 2 ? null : (Double) Math.sqrt(squares / (n - 1)),
            n == 0 ? null : (Double) latencies[(int) Math.ceil(0.99 * n) - 1]
        });
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
