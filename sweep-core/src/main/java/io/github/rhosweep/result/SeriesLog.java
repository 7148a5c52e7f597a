package io.github.rhosweep.result;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The state of a run over time, sampled at equal steps from 0: values of named quantities. Bounded: when it is full, every other sample
 * is dropped and the step doubles, so that it always covers the whole run.
 */
public final class SeriesLog {
    /** Values kept of a run. */
    static final int MOST_VALUES = 1_000_000;

    /** What is sampled, of one thing. */
    private record Quantity(String entity, String metric) {}

    private final int most;
    private long stepPs;
    private long nextPs;
    private final List<Quantity> quantities = new ArrayList<>();
    private final Map<Long, Integer> known = new HashMap<>();
    private int size;
    private long[] timePs = new long[1024];
    private int[] quantity = new int[1024];
    private double[] value = new double[1024];

    /** @param stepPs time between samples, in ps */
    public SeriesLog(long stepPs) {
        this(stepPs, MOST_VALUES);
    }

    SeriesLog(long stepPs, int most) {
        this.stepPs = stepPs;
        this.most = most;
    }

    /** When the next sample is due, in ps. */
    public long nextPs() {
        return nextPs;
    }

    /** Names a quantity of one thing. */
    @FunctionalInterface
    public interface Name {
        /** What it is of: {@code switch 0}, {@code switch 0 egress 3}, {@code flow 0->8}. */
        String entity();
    }

    /**
     * Adds a value to the sample that is due. One that was 0 from the start is left out.
     *
     * @param key tells the quantity from all others
     * @param metric what is measured, with its unit as suffix
     */
    public void add(long key, String metric, double now, Name name) {
        Integer index = known.get(key);
        if (index == null) {
            if (now == 0) {
                return;
            }
            index = quantities.size();
            known.put(key, index);
            quantities.add(new Quantity(name.entity(), metric));
        }
        if (size == value.length) {
            int capacity = 2 * size;
            timePs = Arrays.copyOf(timePs, capacity);
            quantity = Arrays.copyOf(quantity, capacity);
            value = Arrays.copyOf(value, capacity);
        }
        timePs[size] = nextPs;
        quantity[size] = index;
        value[size++] = now;
    }

    /** Ends the sample that is due. */
    public void sampled() {
        nextPs += stepPs;
        while (size > most && stepPs < Long.MAX_VALUE / 4) {
            stepPs *= 2;
            int kept = 0;
            for (int i = 0; i < size; i++) {
                if (timePs[i] % stepPs == 0) {
                    timePs[kept] = timePs[i];
                    quantity[kept] = quantity[i];
                    value[kept++] = value[i];
                }
            }
            size = kept;
            nextPs = (nextPs + stepPs - 1) / stepPs * stepPs;
        }
    }

    /** How many values there are, in the order of time. */
    public int size() {
        return size;
    }

    /** When it was, in ps. */
    public long timePs(int i) {
        return timePs[i];
    }

    /** What it is of. */
    public String entity(int i) {
        return quantities.get(quantity[i]).entity;
    }

    /** What is measured. */
    public String metric(int i) {
        return quantities.get(quantity[i]).metric;
    }

    /** The value, in the unit of the metric. */
    public double value(int i) {
        return value[i];
    }
}
