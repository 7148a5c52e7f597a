/**
 * From an experiment file to points: axes and their product, which is decoded from indices and never held; what removes or
 * forbids points; each point's identity and seeds.
 */
@NullMarked
package io.github.rhosweep.design;

import org.jspecify.annotations.NullMarked;
