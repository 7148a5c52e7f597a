/** What a folder of results tells: the numbers of its points, what each axis changed, how far models are off, its page. */
@NullMarked
package io.github.rhosweep.summary;

import org.jspecify.annotations.NullMarked;
