/** One point to rows: validates, simulates until the interval is met, predicts, and turns what fails into rows too. */
@NullMarked
package io.github.rhosweep.run;

import org.jspecify.annotations.NullMarked;
