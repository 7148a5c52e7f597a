/** Pictures of results. */
@NullMarked
package io.github.rhosweep.report;

import org.jspecify.annotations.NullMarked;
