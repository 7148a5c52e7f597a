package io.github.rhosweep.run;

import io.github.rhosweep.design.DesignPoint;
import io.github.rhosweep.design.ExperimentSpec;
import io.github.rhosweep.design.RandomNumbers;
import io.github.rhosweep.result.Column;
import io.github.rhosweep.result.Row;
import io.github.rhosweep.scenario.InputFile;
import io.github.rhosweep.scenario.InvalidValueException;
import io.github.rhosweep.scenario.Parameter;
import io.github.rhosweep.scenario.Parameters;
import io.github.rhosweep.scenario.Params;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The point that a stored row tells of, from its columns alone: so a row can be run again whatever has become of the file that asked
 * for it. The row's key says whether all of it was found again.
 */
public final class StoredPoint {
    private StoredPoint() {}

    /**
     * Finds a row's point.
     *
     * @param row of {@link Tables#RUNS}, {@link Tables#POINTS} or {@link Tables#FAILURES}; a column may be missing if its file was
     *     written before the column came
     * @param files gives the file of a hash, null if there is none
     * @return the only point of an experiment of the row's name
     * @throws InvalidValueException if the columns do not make a point of the row's key, or name a file that is not there
     */
    public static DesignPoint of(Row row, Function<String, @Nullable InputFile> files) {
        String key = Objects.requireNonNull((String) row.get(Tables.POINT_KEY.name()), "a row without point_key");
        String sweep = String.valueOf(row.get(Tables.SWEEP.name()));
        Map<String, @Nullable Object> cells = cells(row);
        List<Parameter<?>> backwards = new ArrayList<>(Parameters.all());
        Collections.reverse(backwards);
        String found = "";
        for (List<Parameter<?>> order : List.of(Parameters.all(), backwards)) {
            Map<Parameter<?>, Object> values = given(cells, order, files);
            for (RandomNumbers randomNumbers : RandomNumbers.values()) {
                DesignPoint point =
                        ExperimentSpec.ofPoint(sweep, randomNumbers, values).point(0);
                if (point.key().equals(key)) {
                    return point;
                }
                found = point.key();
            }
        }
        throw new InvalidValueException("the columns of point " + key + " give another key, " + found
                + ": it was run by another version of the simulator, or its row was changed");
    }

    /**
     * What has to be given so that all columns come out as they stand, and no more: a value that follows from others is exact where a
     * column may be rounded. Where two follow from each other, that of the first in the order is given.
     */
    private static Map<Parameter<?>, Object> given(
            Map<String, @Nullable Object> cells,
            List<Parameter<?>> order,
            Function<String, @Nullable InputFile> files) {
        Map<Parameter<?>, Object> values = new LinkedHashMap<>();
        Map<String, Object> byPath = new HashMap<>();
        Params params = new Params(byPath::get);
        boolean settled = false;
        while (!settled) {
            settled = true;
            for (Parameter<?> parameter : order) {
                Object cell = cells.get(parameter.column());
                if (cell != null && !values.containsKey(parameter) && !cell.equals(column(params, parameter))) {
                    Object value = parameter.isFile() ? files.apply(cell.toString()) : null;
                    value = value == null ? Objects.requireNonNull(parameter.ofColumn(cell)) : value;
                    values.put(parameter, value);
                    byPath.put(parameter.path(), value);
                    settled = false;
                }
            }
        }
        for (Parameter<?> parameter : order) {
            // The column of "unlimited" is null, as that of a parameter that does not apply.
            Object word = parameter.wordValue();
            if (word != null
                    && cells.containsKey(parameter.column())
                    && cells.get(parameter.column()) == null
                    && column(params, parameter) != null) {
                values.put(parameter, word);
                byPath.put(parameter.path(), word);
            }
        }
        return values;
    }

    private static <T> @Nullable Object column(Params params, Parameter<T> parameter) {
        T value = params.find(parameter);
        return value == null ? null : parameter.columnValue(value);
    }

    private static Map<String, @Nullable Object> cells(Row row) {
        Map<String, @Nullable Object> cells = new HashMap<>();
        for (int i = 0; i < row.values().length; i++) {
            cells.put(row.columns().get(i).name(), row.values()[i]);
        }
        return cells;
    }

    /**
     * Columns in which a row of {@link Tables#RUNS} differs from what running its point again gave: not cost, and not those that one
     * of the two does not have.
     *
     * @return one text a column: {@code voq_wait_mean_ns: stored 1.5, now 1.25}
     */
    public static List<String> differences(Row stored, Row now) {
        Map<String, @Nullable Object> before = cells(stored);
        List<String> differences = new ArrayList<>();
        for (int i = 0; i < now.values().length; i++) {
            Column column = now.columns().get(i);
            if (Tables.isCost(column) || !before.containsKey(column.name())) {
                continue;
            }
            Object then = before.get(column.name());
            // Equal objects are equal bits: Double.equals compares those.
            if (!Objects.equals(then, now.values()[i])) {
                differences.add(column.name() + ": stored " + then + ", now " + now.values()[i]);
            }
        }
        return differences;
    }
}
