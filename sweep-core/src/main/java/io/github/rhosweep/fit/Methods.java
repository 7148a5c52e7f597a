package io.github.rhosweep.fit;

import io.github.rhosweep.model.Models;
import io.github.rhosweep.model.Target;
import io.github.rhosweep.scenario.InvalidValueException;
import io.github.rhosweep.scenario.NearestName;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The list of methods. */
public final class Methods {
    private static final List<Method> FITTED = fittedMethods(null);

    private Methods() {}

    private static List<Method> fittedMethods(@Nullable TreeTrainer trainer) {
        List<Method> methods = new ArrayList<>();
        Curves.all().forEach(curve -> methods.add(new CurveMethod(curve)));
        methods.add(new Lookup(false));
        methods.add(new Lookup(true));
        methods.add(new Regression(Regression.Response.LOG_RATIO));
        methods.add(new Regression(Regression.Response.INCREMENT));
        methods.add(new Surrogate(trainer));
        return List.copyOf(methods);
    }

    /**
     * Those that are fitted.
     *
     * @param trainer grows the trees of the surrogate
     */
    public static List<Method> fitted(TreeTrainer trainer) {
        return fittedMethods(trainer);
    }

    /**
     * All that predict a target: closed forms first, then those that are fitted.
     *
     * @param trainer grows the trees of the surrogate
     */
    public static List<Method> all(Target target, TreeTrainer trainer) {
        return all(target, fittedMethods(trainer));
    }

    private static List<Method> all(Target target, List<Method> fitted) {
        List<Method> methods = new ArrayList<>();
        if (target == Target.COMPLETION) {
            methods.add(new Idle());
        }
        Models.all().stream().filter(m -> m.targets().contains(target)).forEach(m -> methods.add(new ClosedForm(m)));
        methods.addAll(fitted);
        return methods;
    }

    /**
     * A method by name, to restore models of it or to fit it; all but the surrogate can be fitted.
     *
     * @throws InvalidValueException naming the nearest, if there is none
     */
    public static Method named(Target target, String id) {
        return named(all(target, FITTED), id);
    }

    /**
     * A method by name, to be fitted.
     *
     * @param trainer grows the trees of the surrogate
     * @throws InvalidValueException naming the nearest, if there is none
     */
    public static Method named(Target target, String id, TreeTrainer trainer) {
        return named(all(target, trainer), id);
    }

    private static Method named(List<Method> known, String id) {
        return known.stream().filter(m -> m.id().equals(id)).findFirst().orElseThrow(() -> {
            List<String> names = known.stream().map(Method::id).toList();
            return new InvalidValueException("unknown method `" + id + "`" + NearestName.advice(id, names) + " (known: "
                    + String.join(", ", names) + ", all)");
        });
    }
}
