/** What a run yields: counters, measurements, and the catalogue of columns that tables, files and documentation come from. */
@NullMarked
package io.github.rhosweep.result;

import org.jspecify.annotations.NullMarked;
