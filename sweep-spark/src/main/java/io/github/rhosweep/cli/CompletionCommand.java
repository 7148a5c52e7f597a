package io.github.rhosweep.cli;

import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code completion}: a script for shells. */
@Command(
        name = "completion",
        mixinStandardHelpOptions = true,
        description = {
            "Prints a script that completes verbs and options in bash and zsh.",
            "%nIt serves every path that the program is called by."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  source <(${ROOT-COMMAND-NAME} completion)",
            "  ${ROOT-COMMAND-NAME} completion > ~/.local/share/bash-completion/completions/rhosweep"
        })
final class CompletionCommand implements Callable<Integer> {
    /** What shells look up: the last part of however the program was called. */
    private static final String NAME = "rhosweep";

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        spec.commandLine().getOut().print(AutoComplete.bash(NAME, spec.root().commandLine()));
        return 0;
    }
}
