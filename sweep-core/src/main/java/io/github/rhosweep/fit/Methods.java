package io.github.rhosweep.fit;

import io.github.rhosweep.model.Models;
import io.github.rhosweep.model.Target;
import io.github.rhosweep.scenario.InvalidValueException;
import io.github.rhosweep.scenario.NearestName;
import java.util.ArrayList;
import java.util.List;

/** The list of methods. */
public final class Methods {
    private static final List<Method> FITTED = fittedMethods();

    private Methods() {}

    private static List<Method> fittedMethods() {
        List<Method> methods = new ArrayList<>();
        Curves.all().forEach(curve -> methods.add(new CurveMethod(curve)));
        methods.add(new Lookup(false));
        methods.add(new Lookup(true));
        methods.add(new Regression(Regression.Response.LOG_RATIO));
        methods.add(new Regression(Regression.Response.INCREMENT));
        return List.copyOf(methods);
    }

    /** Those that are fitted. */
    public static List<Method> fitted() {
        return FITTED;
    }

    /** All that predict a target: closed forms first, then those that are fitted. */
    public static List<Method> all(Target target) {
        List<Method> methods = new ArrayList<>();
        Models.all().stream().filter(m -> m.targets().contains(target)).forEach(m -> methods.add(new ClosedForm(m)));
        methods.addAll(FITTED);
        return methods;
    }

    /**
     * A method by name.
     *
     * @throws InvalidValueException naming the nearest, if there is none
     */
    public static Method named(Target target, String id) {
        List<Method> known = all(target);
        return known.stream().filter(m -> m.id().equals(id)).findFirst().orElseThrow(() -> {
            List<String> names = known.stream().map(Method::id).toList();
            return new InvalidValueException("unknown method `" + id + "`" + NearestName.advice(id, names) + " (known: "
                    + String.join(", ", names) + ", all)");
        });
    }
}
