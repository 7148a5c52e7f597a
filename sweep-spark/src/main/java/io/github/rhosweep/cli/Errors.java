package io.github.rhosweep.cli;

import io.github.rhosweep.kernel.RunFailedException;
import io.github.rhosweep.kernel.RunLimitException;
import io.github.rhosweep.scenario.InvalidFileException;
import io.github.rhosweep.scenario.InvalidValueException;
import io.github.rhosweep.spark.JobEndedException;
import io.github.rhosweep.store.FolderRefusedException;
import io.github.rhosweep.store.IoProblem;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.function.BooleanSupplier;
import org.apache.spark.SparkException;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** What a person reads when a command fails, one line a problem, and the exit code. Stack traces are for {@code --debug}. */
final class Errors implements IExecutionExceptionHandler, IParameterExceptionHandler {
    static final int SOME_FAILED = 1;
    static final int BAD_INPUT = 2;
    static final int INFRASTRUCTURE = 3;
    static final int CHECK_FAILED = 4;

    private final BooleanSupplier debug;

    /** @param debug whether to show stack traces too; asked when something has gone wrong */
    Errors(BooleanSupplier debug) {
        this.debug = debug;
    }

    /** The exit code of a command that threw; the message goes to standard error. */
    @Override
    public int handleExecutionException(Exception thrown, CommandLine command, ParseResult parsed) {
        PrintWriter err = command.getErr();
        if (debug.getAsBoolean()) {
            thrown.printStackTrace(err);
        }
        Throwable cause = root(thrown);
        if (isBadInput(cause)) {
            err.println(cause.getMessage());
            return BAD_INPUT;
        }
        if (cause instanceof RunLimitException || cause instanceof RunFailedException) {
            err.println(cause.getMessage());
            return SOME_FAILED;
        }
        if (cause instanceof IOException io) {
            err.println(IoProblem.describe(io));
        } else {
            err.println(cause + (debug.getAsBoolean() ? "" : " (--debug shows where)"));
        }
        return INFRASTRUCTURE;
    }

    /** Wrong options: the problem and where to find help, not the whole usage text. */
    @Override
    public int handleParseException(ParameterException thrown, String[] given) {
        CommandLine command = thrown.getCommandLine();
        PrintWriter err = command.getErr();
        if (debug.getAsBoolean()) {
            thrown.printStackTrace(err);
        }
        err.println(thrown.getMessage());
        if (UnmatchedArgumentException.printSuggestions(thrown, err)) {
            return BAD_INPUT;
        }
        if (command.getParent() == null) {
            command.usage(err); // it lists the verbs
        } else {
            err.println("Try '" + command.getCommandSpec().qualifiedName() + " --help' for help.");
        }
        return BAD_INPUT;
    }

    private static boolean isBadInput(Throwable cause) {
        return cause instanceof InvalidValueException
                || cause instanceof InvalidFileException
                || cause instanceof FolderRefusedException;
    }

    /** Spark and streams wrap what went wrong; the innermost cause that means something to a person is what to tell. */
    private static Throwable root(Throwable thrown) {
        Throwable cause = thrown;
        while (cause.getCause() != null
                && (cause instanceof UncheckedIOException
                        || cause instanceof SparkException
                        || cause instanceof JobEndedException
                        || cause instanceof java.util.concurrent.ExecutionException)) {
            cause = cause.getCause();
        }
        return cause;
    }
}
