package io.github.rhosweep.kernel;

import io.github.rhosweep.scenario.DcqcnSpec;
import java.util.Arrays;

/**
 * The reaction point of DCQCN for all flows of a run (Zhu et al., SIGCOMM 2015, section 3 and figure 7). Timers are not events: what
 * they did is made up for when a flow's state is next asked for, in the order in which they would have expired.
 *
 * <p>Expiries at the very time of a notification come after it (arrivals before timers) and so never happen; those at the time of a
 * NIC's choice come before it.
 */
final class Dcqcn {
    /** A rate so near to the one it tends to has reached it: halving a distance alone never would. */
    private static final double REACHED = 1e-9;

    /** An alpha that cuts nothing off any rate: long silences need not be counted out to the last digit. */
    private static final double NO_ALPHA = 1e-30;

    private final DcqcnSpec spec;
    /** Line rate, in GB/s, that is bytes per ns. */
    private final double line;

    // Per flow.
    private double[] rate = {};
    private double[] target = {};
    private double[] alpha = {};
    /** When the timers started last; {@link EventQueue#NEVER} before the first notification. */
    private long[] alphaFromPs = {};

    private long[] rateFromPs = {};
    private long[] timerRounds = {};
    private long[] byteRounds = {};
    private long[] bytes = {};
    /** The last answer of {@link #gapPs} and what it was for; a frame of 0 bytes where the rate has changed since. */
    private int[] gapWire = {};

    private long[] gap = {};

    /** @param line rate of NICs in GB/s */
    Dcqcn(DcqcnSpec spec, double line) {
        this.spec = spec;
        this.line = line;
    }

    /** Makes a flow known: it starts at line rate. */
    void add(int flow) {
        if (flow >= rate.length) {
            int capacity = Math.max(16, Math.multiplyExact(flow, 2));
            rate = Arrays.copyOf(rate, capacity);
            target = Arrays.copyOf(target, capacity);
            alpha = Arrays.copyOf(alpha, capacity);
            alphaFromPs = Arrays.copyOf(alphaFromPs, capacity);
            rateFromPs = Arrays.copyOf(rateFromPs, capacity);
            timerRounds = Arrays.copyOf(timerRounds, capacity);
            byteRounds = Arrays.copyOf(byteRounds, capacity);
            bytes = Arrays.copyOf(bytes, capacity);
            gapWire = Arrays.copyOf(gapWire, capacity);
            gap = Arrays.copyOf(gap, capacity);
        }
        rate[flow] = line;
        target[flow] = line;
        alpha[flow] = spec.initialAlpha();
        alphaFromPs[flow] = EventQueue.NEVER;
    }

    /** A notification arrives: the rate is cut. */
    void notified(int flow, long now) {
        catchUp(flow, now - 1);
        decayAlpha(flow, now - 1);
        double before = alpha[flow];
        alpha[flow] = (1 - spec.g()) * before + spec.g();
        double used = spec.alphaUpdate() == DcqcnSpec.AlphaUpdate.AFTER ? before : alpha[flow];
        target[flow] = rate[flow];
        rate[flow] = Math.max(Math.min(spec.rateMin(), line), rate[flow] * (1 - used / 2));
        gapWire[flow] = 0;
        alphaFromPs[flow] = now;
        rateFromPs[flow] = now;
        timerRounds[flow] = 0;
        byteRounds[flow] = 0;
        bytes[flow] = 0;
    }

    /** Lets the rate timer expire up to and including {@code now}. */
    void catchUp(int flow, long now) {
        if (rate[flow] == line) {
            return; // No raise changes that, and a cut starts both timers anew.
        }
        while (rateFromPs[flow] + spec.rateTimerPs() <= now && rate[flow] != line) {
            rateFromPs[flow] += spec.rateTimerPs();
            raise(flow);
            timerRounds[flow]++;
        }
    }

    private void decayAlpha(int flow, long now) {
        if (alphaFromPs[flow] == EventQueue.NEVER) {
            return;
        }
        for (long due = (now - alphaFromPs[flow]) / spec.alphaTimerPs(); due > 0 && alpha[flow] > 0; due--) {
            alphaFromPs[flow] += spec.alphaTimerPs();
            double decayed = alpha[flow] * (1 - spec.g());
            alpha[flow] = decayed < NO_ALPHA ? 0 : decayed;
        }
    }

    /** A frame of so many wire bytes begins to be sent: counts for the byte counter. */
    void sent(int flow, int wireBytes) {
        if (rate[flow] == line || spec.byteCounter() == Long.MAX_VALUE) {
            return;
        }
        bytes[flow] += wireBytes;
        while (bytes[flow] >= spec.byteCounter()) {
            bytes[flow] -= spec.byteCounter();
            raise(flow);
            byteRounds[flow]++;
        }
    }

    /**
     * One raise. Rounds are those before it, so that F raises are fast recovery, as the paper's text has it ("for F = 5 iterations") and
     * its fluid model and the HPCC simulator do; counting this one too would leave F - 1.
     */
    private void raise(int flow) {
        long most = Math.max(timerRounds[flow], byteRounds[flow]);
        long least = Math.min(timerRounds[flow], byteRounds[flow]);
        double goal = target[flow];
        if (least > spec.fastRecovery()) {
            goal += (least - spec.fastRecovery()) * spec.rateHai();
        } else if (most >= spec.fastRecovery()) {
            goal += spec.rateAi();
        }
        goal = Math.min(goal, line);
        target[flow] = goal;
        double raised = (goal + rate[flow]) / 2;
        rate[flow] = goal - raised <= REACHED * goal ? goal : raised;
        gapWire[flow] = 0;
    }

    /** Whether a flow may send as fast as its NIC. */
    boolean atLineRate(int flow) {
        return rate[flow] == line;
    }

    /** When the rate timer expires next unless a notification comes, in ps; {@link EventQueue#NEVER} at line rate. */
    long nextRaisePs(int flow) {
        return rate[flow] == line ? EventQueue.NEVER : rateFromPs[flow] + spec.rateTimerPs();
    }

    /** Time from the start of a frame of so many wire bytes to that of the next of its flow, in ps. */
    long gapPs(int flow, int wireBytes) {
        if (gapWire[flow] != wireBytes) {
            gapWire[flow] = wireBytes;
            gap[flow] = (long) Math.ceil(wireBytes * 1000.0 / rate[flow]);
        }
        return gap[flow];
    }

    /** RC in GB/s, as of the last call that changed it. */
    double rate(int flow) {
        return rate[flow];
    }

    /** alpha after all expiries before a time. */
    double alpha(int flow, long now) {
        decayAlpha(flow, now);
        return alpha[flow];
    }
}
