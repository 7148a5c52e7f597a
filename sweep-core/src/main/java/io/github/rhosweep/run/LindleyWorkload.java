package io.github.rhosweep.run;

import io.github.rhosweep.kernel.ControlVariate;
import io.github.rhosweep.scenario.ArrivalProcess;
import io.github.rhosweep.scenario.ClosedPattern;
import io.github.rhosweep.scenario.Load;
import io.github.rhosweep.scenario.MessageSizes;
import io.github.rhosweep.scenario.Pattern;
import io.github.rhosweep.scenario.RandomMatrix;
import io.github.rhosweep.scenario.Scenario;
import io.github.rhosweep.scenario.TrafficSpec;

/**
 * The work that a message finds ahead of it if its egress were a single server and nothing else took time: at an offer at time t
 * the workload of its destination is V = max(0, V' + S - (t - t')), with V' and t' those of the offer before (Lindley 1952) and S = b
 * tau the service time of a message. Under Poisson offers each egress is an M/D/1 queue, so that E[V] = r S / (2 (1 - r)) with
 * r the load of that egress (Pollaczek, Khinchine), whatever the switch does with the same offers.
 *
 * <p>It holds the state of one run.
 */
public final class LindleyWorkload implements ControlVariate {
    private final long framePs;
    private final double meanPs;
    private final long[] workloadPs;
    private final long[] lastOfferPs;

    private LindleyWorkload(long framePs, double meanPs, int hosts) {
        this.framePs = framePs;
        this.meanPs = meanPs;
        this.workloadPs = new long[hosts];
        this.lastOfferPs = new long[hosts];
    }

    /** The control variate of a run of this scenario; {@link ControlVariate#NONE} unless offers are Poisson and independent of deliveries, the sender open and load below 1. */
    public static ControlVariate of(Scenario scenario) {
        TrafficSpec traffic = scenario.traffic();
        Double load = traffic.load();
        boolean independent =
                !(traffic.pattern() instanceof Pattern.Pipeline || traffic.pattern() instanceof ClosedPattern);
        if (!independent
                || traffic.multicast() > 1
                || !(traffic.arrivals() instanceof ArrivalProcess.Poisson)
                || load == null
                || load >= 1) {
            return NONE;
        }
        Load times = Load.of(scenario);
        return new LindleyWorkload(
                times.tauPs(),
                times.messageServicePs()
                        * secondMoment(traffic)
                        * meanWaitInServices(traffic.pattern(), traffic.flows(), load),
                scenario.topology().hosts());
    }

    /** E[S^2] / E[S]^2: 1 where all messages have one size; else each egress is an M/G/1 queue. */
    private static double secondMoment(TrafficSpec traffic) {
        MessageSizes sizes = traffic.sizes();
        if (sizes == null) {
            return 1;
        }
        double mean = sizes.meanFrames(traffic.framePayloadBytes());
        return sizes.meanSquareFrames(traffic.framePayloadBytes()) / (mean * mean);
    }

    /** E[V] / S of a message drawn from all: the mean over destinations, weighted by their messages. */
    private static double meanWaitInServices(Pattern pattern, int flows, double load) {
        double busiest = md1Wait(load);
        if (pattern instanceof Pattern.Hotspot hotspot) {
            double other = (1 - hotspot.fraction()) / flows;
            double share = hotspot.fraction() + other;
            return share * busiest + (1 - share) * md1Wait(load * other / share);
        }
        if (pattern instanceof RandomMatrix) {
            double most = pattern.busiestEgressShare(flows);
            double sum = 0;
            for (int destination = 0; destination < flows; destination++) {
                double share = pattern.egressShare(destination, flows);
                sum += share / flows * md1Wait(load * share / most);
            }
            return sum;
        }
        return busiest; // every other pattern loads all egresses that receive anything alike
    }

    private static double md1Wait(double r) {
        return r / (2 * (1 - r));
    }

    @Override
    public long observePs(long offerTimePs, int destination, long frames) {
        long found = Math.max(0, workloadPs[destination] - (offerTimePs - lastOfferPs[destination]));
        workloadPs[destination] = found + frames * framePs;
        lastOfferPs[destination] = offerTimePs;
        return found;
    }

    @Override
    public double meanPs() {
        return meanPs;
    }
}
