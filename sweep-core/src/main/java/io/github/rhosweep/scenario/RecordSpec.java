package io.github.rhosweep.scenario;

import java.math.BigDecimal;
import java.util.List;

/**
 * What is kept of a run besides its row. None of it changes a row, nor is it part of a point's identity.
 *
 * @param flows whether each measured message is kept: when it was offered, when it was complete
 * @param pairs whether measured messages are counted by who sends to whom
 * @param series whether the state of switches and senders is kept over time
 * @param seriesIntervalPs time between samples of that, in ps
 */
public record RecordSpec(boolean flows, boolean pairs, boolean series, long seriesIntervalPs) {
    /** Beyond these a run's flows would fill the memory of whoever runs it. */
    private static final long MOST_FLOWS = 10_000_000;

    public static final Parameter<Boolean> FLOWS = Parameter.flag("record.flows")
            .byDefault("false")
            .outsideKey()
            .doc("Keep a row a flow (a measured message): its ends, bytes, start and completion, in flows/*.parquet");
    public static final Parameter<Boolean> PAIRS = Parameter.flag("record.pairs")
            .byDefault("false")
            .outsideKey()
            .doc("Keep a row for each two hosts of which one sends to the other: its messages and their latency, in"
                    + " pairs/*.parquet");
    public static final Parameter<Boolean> SERIES = Parameter.flag("record.series")
            .byDefault("false")
            .outsideKey()
            .doc("Keep queues, buffer fill, rates and pauses over time, in series/*.parquet");
    public static final Parameter<BigDecimal> SERIES_INTERVAL = Parameter.time("record.series_interval")
            .between("0.001", "1e12")
            .byDefault("1 us")
            .outsideKey()
            .onlyWhen("record.series is true", p -> p.get(RecordSpec.SERIES))
            .doc("Time between samples of series; doubled as often as needed to keep a run below a million values");

    static final List<Parameter<?>> PARAMETERS = List.of(FLOWS, PAIRS, SERIES, SERIES_INTERVAL);

    static final List<Rule> RULES =
            List.of(Rule.when(p -> (p.get(FLOWS) || p.get(PAIRS)) && !TrafficSpec.isClosed(p), p -> {
                long messages = p.get(MeasureSpec.MESSAGES);
                return messages <= MOST_FLOWS
                        ? null
                        : (p.get(FLOWS) ? FLOWS : PAIRS).path() + " keeps up to " + MOST_FLOWS
                                + " flows of a run, measure.messages is " + messages;
            }));

    static RecordSpec bind(Params p) {
        BigDecimal interval = p.find(SERIES_INTERVAL);
        return new RecordSpec(
                p.get(FLOWS),
                p.get(PAIRS),
                p.get(SERIES),
                interval == null ? Long.MAX_VALUE : SwitchSpec.picoseconds(interval));
    }

    /** Whether a run has to remember each measured message. */
    public boolean messages() {
        return flows || pairs;
    }
}
