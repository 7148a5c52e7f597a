package io.github.rhosweep.cli;

import io.github.rhosweep.report.Json;
import io.github.rhosweep.report.TextTable;
import io.github.rhosweep.result.Column;
import io.github.rhosweep.run.Tables;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code columns}: the catalogue. */
@Command(
        name = "columns",
        mixinStandardHelpOptions = true,
        description = "Lists the columns of the tables: name, type, unit, meaning, and formula or source.",
        footerHeading = "%nExample:%n",
        footer = "  ${ROOT-COMMAND-NAME} columns | grep latency")
final class ColumnsCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(names = "--json", description = "Print one JSON object: from a table to its columns.")
    private boolean json;

    @Override
    public Integer call() {
        Map<String, List<Column>> tables = new LinkedHashMap<>();
        tables.put("runs", Tables.RUNS);
        tables.put("points", Tables.POINTS);
        tables.put("failures", Tables.FAILURES);
        tables.put("flows", Tables.FLOWS);
        tables.put("pairs", Tables.PAIRS);
        tables.put("series", Tables.SERIES);
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.println(Json.of(tables));
            return 0;
        }
        tables.forEach((name, columns) -> {
            out.println(name + "/*.parquet");
            TextTable table = new TextTable("column", "type", "unit", "meaning [formula, source or path]");
            for (Column c : columns) {
                String source = c.source().isEmpty() ? "" : " [" + c.source() + "]";
                table.add(c.name(), c.type().name().toLowerCase(java.util.Locale.ROOT), c.unit(), c.doc() + source);
            }
            table.print(out, "  ");
            out.println();
        });
        return 0;
    }
}
