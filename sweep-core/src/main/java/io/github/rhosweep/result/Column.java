package io.github.rhosweep.result;

import io.github.rhosweep.scenario.Parameter;
import io.github.rhosweep.scenario.Parameter.ColumnType;

/**
 * One column of a results table.
 *
 * @param name snake_case, the unit as suffix
 * @param type never changes once published
 * @param unit bytes, ns, gb_per_s, ... or empty
 * @param doc what it means, in one sentence
 * @param source formula, paper or D-number; empty if the meaning says it all
 */
public record Column(String name, ColumnType type, String unit, String doc, String source) {
    /** The column of a parameter. */
    public static Column of(Parameter<?> parameter) {
        return new Column(
                parameter.column(), parameter.columnType(), parameter.unit(), parameter.doc(), parameter.path());
    }
}
