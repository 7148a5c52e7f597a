package io.github.rhosweep.result;

import io.github.rhosweep.math.JainIndex;
import io.github.rhosweep.math.Moments;
import io.github.rhosweep.math.SlicedSeries;
import io.github.rhosweep.math.SlicedSums;
import io.github.rhosweep.math.Slicing;
import io.github.rhosweep.math.SteadyState;
import io.github.rhosweep.scenario.ArrivalProcess;
import io.github.rhosweep.scenario.ClosedPattern;
import io.github.rhosweep.scenario.Load;
import io.github.rhosweep.scenario.MeasureSpec;
import io.github.rhosweep.scenario.Scenario;
import io.github.rhosweep.scenario.SwitchSpec;
import io.github.rhosweep.scenario.TrafficSpec;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Collects what happens in a run and turns it into a {@link RunResult}. Memory does not grow with the run; one recorder serves
 * many runs, one after another.
 *
 * <p>The simulator calls {@link #start}, then the recording methods as things happen, {@link #lastMeasuredOffer} once, and
 * {@link #finish}. Samples (message, frame, VOQ wait, source wait) are recorded for measured messages only, and are booked by the
 * offer time of their message. What is observed over time (deliveries, the bottleneck) is recorded for all traffic; of a
 * steady run the part after the last measured offer is left out here.
 */
public final class RunRecorder {
    private final Slicing slicing = new Slicing();
    private final SlicedSeries messageLatency = new SlicedSeries(slicing);
    private final SlicedSeries frameLatency = new SlicedSeries(slicing);
    private final SlicedSeries voqWait = new SlicedSeries(slicing);
    private final SlicedSeries sourceWait = new SlicedSeries(slicing);
    private final SlicedSums payload = new SlicedSums(slicing);
    private final SlicedSums busy = new SlicedSums(slicing);
    private final SlicedSums arrivals = new SlicedSums(slicing);
    private final Moments arrivalGaps = new Moments();
    private final Moments services = new Moments();

    private @Nullable Scenario scenario;
    private boolean finite;
    private double controlMeanPs;
    /** Warm-up that was asked for; 0 if it is to be found. */
    private long warmupPs;

    private long lastArrivalPs;
    private long windowEndPs;
    /** Time of the service last observed, in ps, and how often it was since it was another: not yet in {@link #services}. */
    private long lastServicePs;

    private long servicesOfLast;
    /** When the bottleneck egress has sent all that it was given within the measured time, in ps. */
    private long busyUntilPs;

    /**
     * Starts a run.
     *
     * @param controlMeanPs expectation of the control variate, in ps; NaN if there is none
     */
    public void start(Scenario scenario, double controlMeanPs) {
        this.scenario = scenario;
        this.finite = scenario.measure().kind() == MeasureSpec.Kind.FINITE;
        this.controlMeanPs = controlMeanPs;
        Long given = scenario.measure().warmupPs();
        this.warmupPs = given == null ? 0 : given;
        slicing.reset(plannedEndPs(scenario));
        messageLatency.reset();
        frameLatency.reset();
        voqWait.reset();
        sourceWait.reset();
        payload.reset();
        busy.reset();
        arrivals.reset();
        arrivalGaps.reset();
        services.reset();
        lastArrivalPs = -1;
        windowEndPs = Long.MAX_VALUE;
        busyUntilPs = 0;
        lastServicePs = 0;
        servicesOfLast = 0;
    }

    /** When the last measured message is expected to be offered; of a run that offers all at once, when it may be served. */
    private static long plannedEndPs(Scenario scenario) {
        Load load = Load.of(scenario);
        double rounds = (double) scenario.measure().messages()
                / scenario.traffic().pattern().messagesPerGap(scenario.traffic().flows());
        double gap = Double.isFinite(load.meanGapPs())
                ? load.meanGapPs()
                : (double) load.messageServicePs() * scenario.traffic().flows();
        return (long) Math.min(0x1p62, rounds * gap);
    }

    /** A measured message has arrived whole: its latency in ps, and the control variate as observed at its offer. */
    public void messageDelivered(long offerPs, long latencyPs, long controlPs) {
        if (offerPs >= warmupPs) {
            messageLatency.record(offerPs, latencyPs, controlPs);
        }
    }

    /** A frame of a measured message has arrived: its latency in ps, from the start of its transmission by the NIC. */
    public void frameDelivered(long offerPs, long latencyPs, long controlPs) {
        if (offerPs >= warmupPs) {
            frameLatency.record(offerPs, latencyPs, controlPs);
        }
    }

    /** A frame of a measured message has left its VOQ: its wait there in ps. */
    public void voqLeft(long offerPs, long waitPs, long controlPs) {
        if (offerPs >= warmupPs) {
            voqWait.record(offerPs, waitPs, controlPs);
        }
    }

    /** A NIC starts to transmit a frame of a measured message, so long after the message's offer, in ps. */
    public void sourceLeft(long offerPs, long waitPs) {
        if (offerPs >= warmupPs) {
            sourceWait.record(offerPs, waitPs);
        }
    }

    /**
     * A NIC transmits the frames of a measured message at even distances.
     *
     * @param waitPs from the message's offer to the start of the first, in ps
     * @param everyPs from the start of one to that of the next, in ps
     */
    public void sourceLeft(long offerPs, long waitPs, long everyPs, int frames) {
        if (offerPs >= warmupPs) {
            sourceWait.recordEvenly(offerPs, waitPs, everyPs, frames);
        }
    }

    /** A message, measured or not, is complete at its destination; its payload counts as goodput now. */
    public void payloadDelivered(long nowPs, long payloadBytes) {
        if (nowPs >= warmupPs && nowPs <= windowEndPs) {
            payload.add(nowPs, payloadBytes);
        }
    }

    /** A frame, admitted or not, arrives at the switch for the bottleneck egress. Times never decrease. */
    public void bottleneckArrival(long nowPs) {
        if (nowPs >= warmupPs && nowPs <= windowEndPs) {
            arrivals.add(nowPs, 1);
            if (lastArrivalPs >= 0) {
                arrivalGaps.record(nowPs - lastArrivalPs);
            }
            lastArrivalPs = nowPs;
        }
    }

    /**
     * The bottleneck egress is given a frame to send: now, or right after the frame before it.
     *
     * @param startPs when its first bit is on the wire, in ps
     * @param serialisationPs in ps
     * @param servicePs max(serialisation, slot), in ps
     */
    public void bottleneckService(long startPs, long serialisationPs, long servicePs) {
        if (startPs >= warmupPs && startPs < windowEndPs) {
            busy.add(startPs, serialisationPs);
            busyUntilPs = startPs + serialisationPs;
            // Most frames have one size.
            if (servicePs != lastServicePs) {
                services.record(lastServicePs, servicesOfLast);
                lastServicePs = servicePs;
                servicesOfLast = 0;
            }
            servicesOfLast++;
        }
    }

    /** The last message that is measured is offered now: a steady run's measured time ends here. */
    public void lastMeasuredOffer(long nowPs) {
        if (!finite) {
            windowEndPs = nowPs;
        }
    }

    /**
     * Ends the run.
     *
     * @param totals offers and what became of them
     * @param transport what senders, receivers and flow control counted
     * @param switchCounters null without a switch
     * @param deliveredPayloadByFlow payload delivered, of each flow that offered anything
     * @param forwardedByIngress frames forwarded, of each ingress at which anything arrived; empty without a switch
     * @param linkUse how the links that leave switches were used
     * @param stragglerSpreadPs of a closed pattern, in ps; negative if there is none
     * @param zeroLoadMessagePs latency of a message in an idle network, in ps; 0 where messages differ in size
     */
    public RunResult finish(
            RunTotals totals,
            TransportCounters transport,
            @Nullable SwitchCounters switchCounters,
            long[] deliveredPayloadByFlow,
            long[] forwardedByIngress,
            LinkUse linkUse,
            long stragglerSpreadPs,
            long zeroLoadMessagePs,
            @Nullable Recording recording) {
        Scenario s = scenario;
        if (s == null) {
            throw new IllegalStateException("finish without start");
        }
        long toPs = finite ? totals.endPs() : windowEndPs;
        if (toPs == Long.MAX_VALUE) {
            throw new IllegalStateException("a steady run ended before its last measured offer");
        }
        services.record(lastServicePs, servicesOfLast);
        servicesOfLast = 0;
        int end = slicing.sliceOf(toPs) + 1;
        // What the egress was given before the end but sends after it, without a gap from the end on.
        long overhangPs = Math.max(0, busyUntilPs - toPs);
        Double load = s.traffic().load();
        boolean overloaded = load != null && load >= 1;
        boolean stable = !overloaded && !SteadyState.grew(messageLatency, end);
        // Without a steady state there is no warm-up to it.
        boolean search = !finite && stable && s.measure().warmupPs() == null;
        int cut = search ? SteadyState.truncation(messageLatency, end) : 0;
        long fromPs = cut == 0 ? warmupPs : slicing.startPs(cut);
        boolean periodic = s.traffic().arrivals() instanceof ArrivalProcess.Periodic;

        Span span = new Span(
                cut,
                Math.max(cut, slicing.sliceOf(fromPs)),
                end,
                finite || stable,
                !finite && stable && !periodic,
                totals.droppedFrames() == 0 ? controlMeanPs : Double.NaN);
        Estimate message = span.estimate(messageLatency);
        List<String> reasons = new ArrayList<>();
        if (totals.measuredLostMessages() == totals.measuredMessages()) {
            reasons.add("every measured message was lost");
        } else if (message.n() == 0) {
            reasons.add("no message was offered after the warm-up");
        } else if (!finite && overloaded) {
            reasons.add("load is 1 or more: no steady state");
        } else if (!finite && !stable) {
            reasons.add("latency grew throughout the run: no steady state");
        } else if (!finite && periodic) {
            reasons.add("phases of periodic sources are drawn once a run: an interval exists across replicates only");
        } else if (!finite && message.halfWidthPs() == null) {
            reasons.add("too few messages for a confidence interval");
        }
        if (!Double.isNaN(controlMeanPs) && totals.droppedFrames() > 0) {
            reasons.add("the control variate knows no loss");
        }
        if (finite && totals.measuredLostMessages() > 0) {
            reasons.add("lost messages never complete");
        }
        if (zeroLoadMessagePs == 0) {
            reasons.add("messages differ in size: no one latency in an idle network to compare with");
        }
        SwitchSpec sw = s.switchSpec();
        return new RunResult(
                s.measure().kind(),
                totals,
                transport,
                switchCounters,
                message,
                span.estimate(frameLatency),
                sw == null ? Estimate.NONE : span.estimate(voqWait),
                span.withoutControl().estimate(sourceWait),
                fromPs,
                toPs,
                payload.sum(cut, end),
                busy.sum(cut, Slicing.SLICES) - overhangPs,
                arrivals.sum(cut, end),
                sw == null ? 0 : sw.slotPs(),
                number(arrivalGaps.scv()),
                number(services.scv()),
                number(JainIndex.of(deliveredPayloadByFlow)),
                number(JainIndex.of(forwardedByIngress)),
                linkUse,
                closed(s, stragglerSpreadPs),
                zeroLoadMessagePs,
                finite ? null : stable,
                s.link().unlimited(),
                reasons.isEmpty() ? null : String.join("; ", reasons),
                recording);
    }

    private static RunResult.@Nullable Closed closed(Scenario s, long stragglerSpreadPs) {
        return s.traffic().pattern() instanceof ClosedPattern pattern
                ? new RunResult.Closed(
                        stragglerSpreadPs < 0 ? null : stragglerSpreadPs,
                        number(pattern.busBytes(s.traffic().flows())),
                        pipelineFloorPs(s, pattern.foreground()))
                : null;
    }

    /**
     * What the busiest NIC sends, each frame at the slower of the NIC and the port that it feeds. The last one need not wait for its
     * slot to end: that of a message of one short frame is all there is.
     */
    private static @Nullable Long pipelineFloorPs(Scenario s, ClosedPattern pattern) {
        if (!(pattern instanceof ClosedPattern.Pipeline pipeline)) {
            return null;
        }
        TrafficSpec traffic = s.traffic();
        int lastBytes = traffic.lastFrameWireBytes(pipeline.lastMessageBytes());
        return pipeline.busiestNicPs(bytes -> (traffic.frames(bytes) - 1) * servicePs(s, traffic.fullFrameWireBytes())
                        + servicePs(s, traffic.lastFrameWireBytes(bytes)))
                - (servicePs(s, lastBytes) - serialisationPs(s, lastBytes));
    }

    private static long servicePs(Scenario s, int wireBytes) {
        SwitchSpec sw = s.switchSpec();
        return Math.max(serialisationPs(s, wireBytes), sw == null ? 0 : sw.slotPs());
    }

    private static long serialisationPs(Scenario s, int wireBytes) {
        SwitchSpec sw = s.switchSpec();
        BigDecimal nic = s.link().bandwidthGbPerS();
        return Math.max(
                nic.signum() == 0 ? 0 : SwitchSpec.serialisationPs(wireBytes, nic),
                sw == null ? 0 : sw.serialisationPs(wireBytes));
    }

    /**
     * Which samples count and what may be said of them.
     *
     * @param cut first slice that counts, a multiple of {@link SlicedSeries#GROUP}
     * @param first first slice that holds samples
     * @param end slices in use
     * @param mean whether a mean exists
     * @param interval whether an interval exists
     * @param controlMeanPs expectation of the control variate, NaN if there is none
     */
    private record Span(int cut, int first, int end, boolean mean, boolean interval, double controlMeanPs) {
        Span withoutControl() {
            return new Span(cut, first, end, mean, interval, Double.NaN);
        }

        Estimate estimate(SlicedSeries series) {
            double[] quantiles = series.quantilesFrom(cut, 0.5, 0.9, 0.99, 0.999);
            if (quantiles == null) {
                return Estimate.NONE;
            }
            Moments moments = series.momentsFrom(cut);
            SteadyState.Interval raw = interval ? SteadyState.mean(series, first, end) : null;
            SteadyState.Interval controlled = interval && !Double.isNaN(controlMeanPs)
                    ? SteadyState.controlledMean(series, first, end, controlMeanPs)
                    : null;
            return new Estimate(
                    moments.count(),
                    mean ? moments.mean() : null,
                    number(moments.std()),
                    quantiles[0],
                    quantiles[1],
                    quantiles[2],
                    quantiles[3],
                    (double) moments.max(),
                    raw == null ? null : raw.halfWidth(),
                    controlled == null ? null : controlled.mean(),
                    controlled == null ? null : controlled.halfWidth());
        }
    }

    private static @Nullable Double number(double value) {
        return Double.isFinite(value) ? value : null;
    }
}
