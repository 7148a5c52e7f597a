/** The command line: a class a verb, its options, what it prints and its exit codes. */
@NullMarked
package io.github.rhosweep.cli;

import org.jspecify.annotations.NullMarked;
