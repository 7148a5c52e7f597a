package io.github.rhosweep.design;

import java.util.List;

/**
 * What the command line changes of an experiment file.
 *
 * @param set {@code path=value}, in place of what base, presets and blocks give
 * @param sweep {@code path=v1,v2,...} or {@code path={from: ..., to: ..., step: ...}}, in place of or beside the file's axes
 */
public record Overrides(List<String> set, List<String> sweep) {
    public static final Overrides NONE = new Overrides(List.of(), List.of());

    public Overrides {
        set = List.copyOf(set);
        sweep = List.copyOf(sweep);
    }
}
