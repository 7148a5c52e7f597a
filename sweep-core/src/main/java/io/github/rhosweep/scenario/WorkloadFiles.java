package io.github.rhosweep.scenario;

import io.github.rhosweep.scenario.FlowFile.Format;
import io.github.rhosweep.scenario.TrafficSpec.PatternKind;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Parameters of workloads that lie in files. */
public final class WorkloadFiles {
    static final Parameter<InputFile> FILE = Parameter.file("traffic.file")
            .noDefault()
            .onlyWhen("traffic.pattern is file", WorkloadFiles::isFile)
            .doc("Flows of another simulator's format; what it holds counts, as its SHA-256, not its name. A path in an"
                    + " experiment is relative to that");
    static final Parameter<Format> FILE_FORMAT = Parameter.choice("traffic.file_format", Format.class)
            .derived("what the content shows", p -> {
                InputFile file = p.find(WorkloadFiles.FILE);
                return file == null ? null : FlowFile.formatOf(file);
            })
            .onlyWhen("traffic.pattern is file", WorkloadFiles::isFile)
            .doc(
                    "htsim: connection matrix; hpcc: count, then src dst pg port bytes start; csv, parquet: columns start, src, dst,"
                            + " bytes and, if wanted, id");
    static final Parameter<BigDecimal> FILE_TIME_UNIT = Parameter.time("traffic.file_time_unit")
            .between("0.000001", "1e12")
            .derived("htsim: 1 ps, hpcc: 1 s, csv and parquet: 1 ns", p -> {
                Format format = p.find(WorkloadFiles.FILE_FORMAT);
                return new BigDecimal(format == Format.HTSIM ? "0.001" : format == Format.HPCC ? "1000000000" : "1");
            })
            .onlyWhen("traffic.pattern is file", WorkloadFiles::isFile)
            .doc("What a start of 1 in the file means");
    static final Parameter<InputFile> MESSAGE_CDF = Parameter.file("traffic.message_cdf")
            .noDefault()
            .onlyWhen(
                    "traffic.pattern is open and no pipeline",
                    p -> !TrafficSpec.isClosed(p) && p.get(TrafficSpec.PATTERN) != PatternKind.PIPELINE)
            .doc(
                    "Distribution that messages draw their payload from, in place of traffic.message: lines `bytes percent`, linear"
                            + " in between");

    static final List<Parameter<?>> PARAMETERS = List.of(FILE, FILE_FORMAT, FILE_TIME_UNIT, MESSAGE_CDF);

    static final List<Rule> RULES = List.of(
            Rule.when(WorkloadFiles::isFile, p -> {
                if (p.find(FILE) == null) {
                    return "traffic.pattern file needs traffic.file, the path of one";
                }
                if (p.find(FILE_FORMAT) == null) {
                    return "traffic.file: " + Text.visible(p.get(FILE).name())
                            + " shows no format that is known. Maybe give traffic.file_format";
                }
                int hosts = flows(p).hosts();
                return p.get(TrafficSpec.FLOWS) == hosts
                        ? null
                        : "traffic.flows (" + p.get(TrafficSpec.FLOWS) + ") with traffic.pattern file: the file has "
                                + hosts + " hosts. Maybe leave traffic.flows out";
            }),
            Rule.when(p -> !isFile(p) || p.find(FILE_FORMAT) != null, p -> {
                long bytes = TrafficSpec.messageBytes(p);
                long payload = p.get(TrafficSpec.FRAME_PAYLOAD);
                return (bytes - 1) / payload < Integer.MAX_VALUE
                        ? null
                        : "a message of " + bytes + " B has more than 2^31 frames of traffic.frame_payload_bytes ("
                                + payload + ")";
            }));

    private WorkloadFiles() {}

    static boolean isFile(Params p) {
        return p.get(TrafficSpec.PATTERN) == PatternKind.FILE;
    }

    /** Whether a file is needed and there is none to read. */
    static boolean isMissing(Params p) {
        return isFile(p) && p.find(FILE_FORMAT) == null;
    }

    /** Hosts of the file; as many as make no other rule fail where there is none to read. */
    static long hosts(Params p) {
        return isMissing(p) ? 2 : flows(p).hosts();
    }

    /** @throws InvalidFileException if the file is wrong */
    static FlowFile flows(Params p) {
        return FlowFile.of(
                p.get(FILE), p.get(FILE_FORMAT), p.get(FILE_TIME_UNIT).scaleByPowerOfTen(3));
    }

    /** The distribution of sizes, or null where all messages have one. */
    static @Nullable MessageSizes sizes(Params p) {
        InputFile file = p.find(MESSAGE_CDF);
        return file == null ? null : MessageSizes.of(file);
    }

    /** What is read over in the workload of a valid point, one line each with file and line. */
    public static List<String> warnings(Params p) {
        return isFile(p) ? flows(p).warnings() : List.of();
    }
}
