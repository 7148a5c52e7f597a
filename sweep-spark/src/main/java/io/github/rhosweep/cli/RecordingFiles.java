package io.github.rhosweep.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.rhosweep.result.FlowLog;
import io.github.rhosweep.result.SeriesLog;
import java.io.IOException;
import java.io.Writer;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** What was kept of one run, as CSV: whole or not at all. */
final class RecordingFiles {
    private RecordingFiles() {}

    /** Writes something. */
    @FunctionalInterface
    private interface Content {
        void to(Writer out) throws IOException;
    }

    static void write(FlowLog log, Path file) throws IOException {
        write(file, out -> {
            out.write("id,src,dst,bytes,start_ns,completion_ns,retransmitted_frames,lost\n");
            for (int i = 0; i < log.size(); i++) {
                out.write(log.id(i) + "," + log.source(i) + "," + log.destination(i) + "," + log.bytes(i) + ","
                        + ns(log.startPs(i)) + "," + ns(log.completionPs(i)) + "," + log.retransmittedFrames(i) + ","
                        + log.isLost(i) + "\n");
            }
        });
    }

    static void write(SeriesLog log, Path file) throws IOException {
        write(file, out -> {
            out.write("t_ns,entity,metric,value\n");
            for (int i = 0; i < log.size(); i++) {
                out.write(ns(log.timePs(i)) + "," + log.entity(i) + "," + log.metric(i) + ","
                        + new BigDecimal(Double.toString(log.value(i)))
                                .stripTrailingZeros()
                                .toPlainString()
                        + "\n");
            }
        });
    }

    /** Empty where there is none. */
    private static String ns(long ps) {
        return ps < 0 ? "" : BigDecimal.valueOf(ps, 3).stripTrailingZeros().toPlainString();
    }

    private static void write(Path file, Content content) throws IOException {
        Path unfinished = file.resolveSibling("." + file.getFileName() + ".tmp");
        try {
            try (Writer out = Files.newBufferedWriter(unfinished, UTF_8)) {
                content.to(out);
            }
            Files.move(unfinished, file, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(unfinished);
        }
    }
}
