package io.github.rhosweep.fit;

import io.github.rhosweep.result.Column;
import io.github.rhosweep.result.Row;
import io.github.rhosweep.scenario.InvalidValueException;
import io.github.rhosweep.scenario.Parameter.ColumnType;
import java.util.ArrayList;
import java.util.List;

/** The table of a lookup as rows, one a cell. */
public final class LookupRows {
    private static final List<Column> COLUMNS = List.of(
            new Column("group", ColumnType.STRING, "", "What has a table of its own", ""),
            new Column("flows", ColumnType.DOUBLE, "", "N: senders to the busiest egress", ""),
            new Column("frames", ColumnType.DOUBLE, "", "b: frames of a message", ""),
            new Column("load", ColumnType.DOUBLE, "", "rho, in time slots of the busiest egress", ""),
            new Column(
                    "value",
                    ColumnType.DOUBLE,
                    "",
                    "(T - T_ab)(1 - rho)/S",
                    "T_ab: what a lone message takes; S: b time slots; linear in log N and log b between cells"));

    private LookupRows() {}

    /**
     * The rows of all groups.
     *
     * @throws InvalidValueException if the model's method has no table
     */
    public static List<Row> of(CorrectionModel model) {
        List<Row> rows = new ArrayList<>();
        for (CorrectionModel.Group group : model.groups()) {
            State.Table table = group.state().table();
            if (table == null) {
                throw new InvalidValueException("--format parquet: " + model.method()
                        + " has no table. Maybe --method lookup, or --format csv");
            }
            int cell = 0;
            for (double flows : table.flows()) {
                for (double frames : table.frames()) {
                    for (double load : table.load()) {
                        rows.add(new Row(COLUMNS, new Object[] {
                            group.name(), flows, frames, load, table.values().get(cell++)
                        }));
                    }
                }
            }
        }
        return rows;
    }
}
