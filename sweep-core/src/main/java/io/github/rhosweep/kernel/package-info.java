/**
 * The simulator: the switch, hosts and links, and the event loop that drives them. Time is an integer number of ps; a packet is
 * an int, its fields parallel arrays; nothing is allocated per packet or event.
 */
@NullMarked
package io.github.rhosweep.kernel;

import org.jspecify.annotations.NullMarked;
