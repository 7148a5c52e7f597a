package io.github.rhosweep.scenario;

import java.math.BigDecimal;

/**
 * What offered load means in time: rho is counted in service times tau = max(serialisation of a full frame, slot), so that rho
 * below 1 is stable whatever the frame size.
 *
 * @param serialisationPs of a full frame at the bottleneck, in ps
 * @param slotPs time slot of the switch, in ps; 0 without a switch
 * @param framesPerMessage b; where messages differ that of the largest
 * @param meanFrames b; where messages differ their mean
 * @param meanGapPs mean time between the messages of one source, in ps; infinite where load is no input
 */
public record Load(long serialisationPs, long slotPs, long framesPerMessage, double meanFrames, double meanGapPs) {
    /** The load of a bound scenario. */
    public static Load of(Scenario scenario) {
        SwitchSpec sw = scenario.switchSpec();
        BigDecimal bandwidth = sw == null ? scenario.link().bandwidthGbPerS() : sw.bandwidthGbPerS();
        return of(scenario.traffic(), bandwidth, sw == null ? 0 : sw.slotPs());
    }

    static Load of(Params p) {
        BigDecimal port = p.find(SwitchSpec.PORT_BANDWIDTH);
        long slot = port == null ? 0 : SwitchSpec.serialisationPs(p.get(SwitchSpec.FRAME_SIZE), port);
        return of(TrafficSpec.bind(p), port == null ? p.get(LinkSpec.BANDWIDTH) : port, slot);
    }

    private static Load of(TrafficSpec traffic, BigDecimal bandwidth, long slotPs) {
        long serialisation = SwitchSpec.serialisationPs(traffic.fullFrameWireBytes(), bandwidth);
        double frames = traffic.meanFramesPerMessage();
        double offered = traffic.sizes() != null
                ? frames
                : Math.ceil((double) traffic.offeredBytes() / traffic.framePayloadBytes());
        Double rho = traffic.load();
        double gap = rho == null
                ? Double.POSITIVE_INFINITY
                : offered
                        * Math.max(serialisation, slotPs)
                        * traffic.pattern().busiestEgressShare(traffic.flows())
                        * traffic.multicast()
                        / rho;
        return new Load(serialisation, slotPs, traffic.framesPerMessage(), frames, gap);
    }

    /** tau: service time of a full frame, in ps. */
    public long tauPs() {
        return Math.max(serialisationPs, slotPs);
    }

    /** b tau: mean service time of a message, all its frames counted at tau, in ps. */
    public long messageServicePs() {
        return Math.round(meanFrames * tauPs());
    }
}
