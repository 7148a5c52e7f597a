package io.github.rhosweep.report;

import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Numbers over two axes, as curves or a heat map shows them. Every list of slices, curves and cells is as long as its axis.
 *
 * @param x along the horizontal axis
 * @param by one curve, or one line of cells, for each of its values
 * @param quantities what the numbers are; one is shown at a time
 * @param sliceLabel what slices differ in
 * @param slices of all other axes; one is shown at a time
 */
public record Cube(Scale x, Scale by, List<Quantity> quantities, String sliceLabel, List<Slice> slices) {
    public Cube {
        quantities = List.copyOf(quantities);
        slices = List.copyOf(slices);
    }

    /**
     * An axis.
     *
     * @param label its name; empty if there is nothing to tell apart
     * @param unit of {@code values}, or empty
     * @param texts its values for people, with units of their own
     * @param values the same as numbers, in order; null where they are none
     * @param log whether equal ratios are to look equal
     */
    public record Scale(
            String label,
            String unit,
            List<String> texts,
            @Nullable List<Double> values,
            boolean log) {
        public Scale {
            texts = List.copyOf(texts);
            values = values == null ? null : List.copyOf(values);
        }

        /** An axis of names. */
        public static Scale ofNames(String label, List<String> names) {
            return new Scale(label, "", names, null, false);
        }
    }

    /**
     * A quantity.
     *
     * @param label with its unit
     * @param percent whether numbers are fractions, to be shown in percent
     */
    public record Quantity(String label, boolean percent) {}

    /**
     * The numbers where all other axes stand still.
     *
     * @param name where they stand
     * @param values by quantity, then by curve, then along x; null where there is none
     * @param halfWidths of the intervals around values, in the same order; a quantity without any has null
     * @param notes a word for each cell, by curve, then along x; null if there are none
     */
    public record Slice(
            String name,
            List<List<List<@Nullable Double>>> values,
            List<@Nullable List<List<@Nullable Double>>> halfWidths,
            @Nullable List<List<String>> notes) {
        /** Without intervals and notes. */
        public static Slice of(String name, List<List<List<@Nullable Double>>> values) {
            return new Slice(name, values, Collections.nCopies(values.size(), null), null);
        }
    }
}
