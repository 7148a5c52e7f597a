/** Pictures, pages, tables and JSON of results: they draw what they are given and know no files of results. */
@NullMarked
package io.github.rhosweep.report;

import org.jspecify.annotations.NullMarked;
