/** From rows to corrections of alpha-beta: fits, their error on held-out points, model files, and predictions from them. */
@NullMarked
package io.github.rhosweep.fit;

import org.jspecify.annotations.NullMarked;
