package io.github.rhosweep.fit;

import io.github.rhosweep.scenario.InvalidValueException;
import io.github.rhosweep.scenario.Text;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A model as one Python file without dependencies, which agrees with {@link Predictor} to rounding. */
public final class PythonExport {
    private PythonExport() {}

    /**
     * The file.
     *
     * @throws InvalidValueException if the method has no Python form
     */
    public static String of(CorrectionModel model) {
        Method method = Methods.named(Dataset.target(model.target()), model.method());
        StringBuilder py = new StringBuilder();
        py.append("\"\"\"")
                .append(model.target())
                .append(" by ")
                .append(model.method())
                .append(": ");
        py.append(told(model.formula())).append(".\n\nFitted to ");
        py.append(model.dataset().points()).append(" points of ").append(told(String.join(", ", model.experiments())));
        py.append(
                ".\n\npredict(group, flows, load, frames, zero_load_ns, service_ns, **settings) -> ns, or None where there is no value\n");
        py.append("  group         one of GROUPS\n");
        py.append("  flows         N, senders to the busiest egress\n");
        py.append("  load          rho, frames per second there times the time slot\n");
        py.append("  frames        b, frames of a message\n");
        py.append("  zero_load_ns  T_ab: what a lone message takes\n");
        py.append("  service_ns    S: b time slots\n");
        py.append(
                "outside(group, **features) -> names of features outside what was fitted to\n\"\"\"\n\nimport math\n\n");
        py.append("GROUPS = {\n");
        for (CorrectionModel.Group g : model.groups()) {
            py.append("    ").append(quoted(g.name())).append(": {\n        \"domain\": {");
            py.append(g.domain().entrySet().stream()
                    .map(e -> quoted(e.getKey()) + ": (" + e.getValue().low() + ", "
                            + e.getValue().high() + ")")
                    .collect(Collectors.joining(", ")));
            py.append("},\n        \"coefficients\": {");
            py.append(g.state().coefficients().stream()
                    .map(c -> quoted(c.name()) + ": " + c.value())
                    .collect(Collectors.joining(", ")));
            py.append("},\n");
            State.Table table = g.state().table();
            if (table != null) {
                py.append("        \"flows\": ").append(table.flows()).append(",\n");
                py.append("        \"frames\": ").append(table.frames()).append(",\n");
                py.append("        \"load\": ").append(table.load()).append(",\n");
                py.append("        \"values\": ").append(table.values()).append(",\n");
            }
            py.append("    },\n");
        }
        py.append("}\n\n\n");
        py.append("def predict(group, flows, load, frames, zero_load_ns, service_ns, **settings):\n");
        py.append(
                "    N, r, b, T, S = float(flows), float(load), float(frames), float(zero_load_ns), float(service_ns)\n");
        py.append("    if r >= 1:\n        return None\n    g = GROUPS[group]\n");
        py.append(body(model, method));
        py.append("\n\ndef outside(group, **features):\n");
        py.append("    domain = GROUPS[group][\"domain\"]\n");
        py.append("    return [f for f, x in features.items()\n");
        py.append("            if f in domain and not domain[f][0] <= x\n");
        py.append("            or f in domain and x > domain[f][1] and f != \"buffer_messages\"]\n");
        return py.toString();
    }

    /** Within the file's docstring: names of experiments are anybody's, and none may end it. */
    private static String told(String text) {
        return Text.visible(text).replace("\\", "\\\\").replace("\"", "'");
    }

    /** A string literal. */
    private static String quoted(String text) {
        return "\"" + Text.visible(text).replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    }

    /** Names of a model file's coefficients become variables. */
    private static String identifier(String name) {
        if (!name.matches("[A-Za-z][A-Za-z0-9_]*")) {
            throw new InvalidValueException("--format python: the coefficient `" + name + "` is no name of a variable");
        }
        return name;
    }

    private static String body(CorrectionModel model, Method method) {
        String expression = method.python();
        if (expression != null) {
            StringBuilder body = new StringBuilder();
            for (Coefficient c : model.groups().get(0).state().coefficients()) {
                body.append("    ")
                        .append(identifier(c.name()))
                        .append(" = g[\"coefficients\"][\"")
                        .append(c.name())
                        .append("\"]\n");
            }
            return body + "    return " + expression + "\n";
        }
        if (method instanceof Regression) {
            Map<String, String> variables = Regression.pythonVariables();
            List<String> used = new ArrayList<>();
            for (CorrectionModel.Group g : model.groups()) {
                for (Coefficient c : g.state().coefficients()) {
                    for (String v : c.name().split("\\*")) {
                        if (!v.equals("constant") && !used.contains(v)) {
                            used.add(v);
                        }
                    }
                }
            }
            StringBuilder body = new StringBuilder("    x = {\"constant\": 1.0}\n");
            for (String v : used) {
                boolean setting = v.startsWith("dt_") || v.startsWith("ecn_") || v.equals("log_iterations");
                String name = v.equals("log_iterations") ? "islip_iterations" : v;
                String expr = Objects.requireNonNull(variables.get(v));
                String value = setting ? expr.replace(name, "float(settings[\"" + name + "\"])") : expr;
                body.append(setting ? "    if \"" + name + "\" in settings:\n        x[" : "    x[")
                        .append(quoted(v))
                        .append("] = ")
                        .append(value)
                        .append("\n");
            }
            body.append("    total = 0.0\n    for term, c in g[\"coefficients\"].items():\n        product = 1.0\n");
            body.append(
                    "        for v in term.split(\"*\"):\n            product *= x[v]\n        total += c*product\n");
            return body
                    + (method.id().equals("regression")
                            ? "    return T*math.exp(total)\n"
                            : "    return T + S*max(0.0, total)\n");
        }
        String table = table(method);
        if (table == null) {
            throw new InvalidValueException("--format python: " + method.id() + " has no Python form. Maybe take json");
        }
        return table;
    }

    private static @Nullable String table(Method method) {
        if (!(method instanceof Lookup)) {
            return null;
        }
        String cubic = method.id().equals("lookup_cubic") ? "True" : "False";
        return """
                    def cell(axis, x):
                        i = 0
                        while i < len(axis) - 2 and axis[i + 1] <= x:
                            i += 1
                        share = 0.0 if len(axis) == 1 else max(0.0, min(1.0, (x - axis[i])/(axis[i + 1] - axis[i])))
                        return i, min(i + 1, len(axis) - 1), share

                    def end(near, far, m, other):
                        s = ((2*near + far)*m - near*other)/(near + far)
                        if s*m <= 0:
                            return 0.0
                        return 3*m if m*other <= 0 and abs(s) > 3*abs(m) else s

                    def slope(y, i):
                        h = [load[j + 1] - load[j] for j in range(len(load) - 1)]
                        m = [(y[j + 1] - y[j])/h[j] for j in range(len(h))]
                        if len(m) == 1:
                            return m[0]
                        if i == 0:
                            return end(h[0], h[1], m[0], m[1])
                        if i == len(m):
                            return end(h[-1], h[-2], m[-1], m[-2])
                        if m[i - 1]*m[i] <= 0:
                            return 0.0
                        p, q = 2*h[i] + h[i - 1], h[i] + 2*h[i - 1]
                        return (p + q)/(p/m[i - 1] + q/m[i])

                    flows_axis, frames_axis, load = [math.log(x) for x in g["flows"]], [math.log(x) for x in g["frames"]], g["load"]
                    i, i2, u = cell(flows_axis, math.log(N))
                    j, j2, v = cell(frames_axis, math.log(b))
                    k, k2, t = cell(load, r)

                    def along(i, j):
                        at = (i*len(frames_axis) + j)*len(load)
                        y = g["values"][at:at + len(load)]
                        if len(load) == 1:
                            return y[0]
                        if not CUBIC:
                            return y[k] + t*(y[k2] - y[k])
                        h = load[k2] - load[k]
                        return (y[k]*(1 + 2*t)*(1 - t)*(1 - t) + h*slope(y, k)*t*(1 - t)*(1 - t)
                                + y[k2]*t*t*(3 - 2*t) + h*slope(y, k2)*t*t*(t - 1))

                    value = ((1 - u)*((1 - v)*along(i, j) + v*along(i, j2))
                             + u*((1 - v)*along(i2, j) + v*along(i2, j2)))
                    return T + S/(1 - r)*value
                """.replace("CUBIC", cubic);
    }
}
