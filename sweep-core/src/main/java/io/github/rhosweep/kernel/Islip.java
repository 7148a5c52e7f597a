package io.github.rhosweep.kernel;

import io.github.rhosweep.scenario.SwitchSpec;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * iSLIP (McKeown 1999): request, grant, accept, with round-robin pointers that move only for matches of the first round, always
 * past the partner. {@code strict} runs all rounds for control frames first, with pointers of their own, then data frames match
 * among the ports left over.
 */
final class Islip {
    private final int ports;
    private final int iterations;
    /** Matching classes in the order in which they are matched. */
    private final int[] classOrder;
    /** Per matching class and egress: the ingress to which its next grant goes by preference. */
    private final int[][] grant;
    /** Per matching class and ingress: the egress whose grant it accepts by preference. */
    private final int[][] accept;

    /** All ports between ticks, as {@link #freeEgresses} where no gate is kept; within a tick those not matched. */
    private final PortSets freeIngresses;

    private final PortSets freeEgresses;
    /** Egresses that flow control holds back: none of them is in {@link #freeEgresses}. */
    private final PortSets closed;
    /** Free egresses that may still find an ingress in this tick. */
    private final PortSets candidates;
    /** A row per ingress: egresses that grant it in this round. */
    private final PortSets grants;

    private final PortSets granted;

    private final int[] matchIngress;
    private final int[] matchEgress;
    private int matches;
    /** Matches found before the last class began: those of control frames, in {@code strict}. */
    private int matchesOfFirstClass;

    /** For whoever asks why: the round of each match, and the pointers as they were before the tick. Null: nobody does. */
    private int @Nullable [] rounds;

    private int[][] grantBefore = {};
    private int[][] acceptBefore = {};

    Islip(SwitchSpec spec, long seed) {
        this.ports = spec.portCount();
        this.iterations = spec.islipIterations();
        boolean strict = spec.priorityMode() == SwitchSpec.PriorityMode.STRICT;
        this.classOrder = strict ? new int[] {VoqBank.CONTROL, VoqBank.DATA} : new int[] {0};
        this.grant = new int[classOrder.length][ports];
        this.accept = new int[classOrder.length][ports];
        if (spec.pointerInit() == SwitchSpec.PointerInit.RANDOM) {
            // A generator of its own, so that the marker's draws do not shift.
            Xorshift64 random = new Xorshift64(seed);
            for (int c : classOrder) {
                for (int egress = 0; egress < ports; egress++) {
                    grant[c][egress] = (int) (random.nextF64() * ports);
                }
                for (int ingress = 0; ingress < ports; ingress++) {
                    accept[c][ingress] = (int) (random.nextF64() * ports);
                }
            }
        }
        this.freeIngresses = new PortSets(1, ports);
        this.freeIngresses.addAll(0);
        this.freeEgresses = new PortSets(1, ports);
        this.freeEgresses.addAll(0);
        this.closed = new PortSets(1, ports);
        this.candidates = new PortSets(1, ports);
        this.grants = new PortSets(ports, ports);
        this.granted = new PortSets(1, ports);
        this.matchIngress = new int[ports];
        this.matchEgress = new int[ports];
    }

    /**
     * Matches ingresses to egresses for one tick; {@link #ingress} and {@link #egress} then give the pairs in the order in which
     * they are served: round by round, within a round by ascending ingress (D-5).
     *
     * @param busyUntilPs per egress; an egress busy beyond {@code now} is left out (D-7). Null: none is
     * @return how many pairs
     */
    int match(VoqBank bank, long @Nullable [] busyUntilPs, long now) {
        matches = 0;
        matchesOfFirstClass = 0;
        if (busyUntilPs != null) {
            for (int egress = 0; egress < ports; egress++) {
                if (busyUntilPs[egress] > now || closed.contains(0, egress)) {
                    freeEgresses.remove(0, egress);
                } else {
                    freeEgresses.add(0, egress);
                }
            }
        }
        for (int c : classOrder) {
            matchesOfFirstClass = matches;
            if (freeIngresses.words == 1) {
                matchOneWord(bank.requests(c).bits, bank.requested(c).bits[0], grant[c], accept[c]);
            } else {
                match(c, bank);
            }
        }
        for (int k = 0; k < matches; k++) {
            freeIngresses.add(0, matchIngress[k]);
            freeEgresses.add(0, matchEgress[k]);
        }
        return matches;
    }

    /** Leaves an egress out of the matching until it is opened; not to be called within a tick. */
    void close(int egress) {
        closed.add(0, egress);
        freeEgresses.remove(0, egress);
    }

    /** Lets a closed egress take part again. */
    void open(int egress) {
        closed.remove(0, egress);
        freeEgresses.add(0, egress);
    }

    /** Whether any egress that is not closed has a request. */
    boolean hasOpenRequests(VoqBank bank) {
        for (int c : classOrder) {
            long[] requested = bank.requested(c).bits;
            for (int w = 0; w < requested.length; w++) {
                if ((requested[w] & ~closed.bits[w]) != 0) {
                    return true;
                }
            }
        }
        return false;
    }

    /** The ingress of the k-th match. */
    int ingress(int k) {
        return matchIngress[k];
    }

    /** The egress of the k-th match. */
    int egress(int k) {
        return matchEgress[k];
    }

    /** Under {@code strict}: whether the k-th match is one of control frames. */
    boolean isControl(int k) {
        return k < matchesOfFirstClass;
    }

    /** From now on {@link #round} can be asked. */
    void keepRounds() {
        rounds = new int[ports];
    }

    /** Remembers the pointers before a tick. */
    void keepPointers() {
        grantBefore = copy(grant);
        acceptBefore = copy(accept);
    }

    private static int[][] copy(int[][] pointers) {
        return Arrays.stream(pointers).map(int[]::clone).toArray(int[][]::new);
    }

    /** The round, from 1, of the k-th match; only after {@link #keepRounds}. */
    int round(int k) {
        return Objects.requireNonNull(rounds)[k];
    }

    /**
     * Where the egress of the k-th match looked first. The pointer before the tick is that of its round: within a tick a pointer
     * moves only when its port is matched, and that ends its part.
     */
    int grantPointerBefore(int k) {
        return grantBefore[matchedClass(k)][matchEgress[k]];
    }

    /** Where the ingress of the k-th match looked first. */
    int acceptPointerBefore(int k) {
        return acceptBefore[matchedClass(k)][matchIngress[k]];
    }

    private int matchedClass(int k) {
        return classOrder.length > 1 && isControl(k) ? VoqBank.CONTROL : 0;
    }

    /**
     * {@link #match(int, VoqBank)} for up to 64 ports, every set in a register: twice as fast.
     *
     * @param requests per egress
     */
    private void matchOneWord(long[] requests, long requested, int[] grantPointers, int[] acceptPointers) {
        long free = freeIngresses.bits[0];
        long open = requested & freeEgresses.bits[0];
        if ((open & (open - 1)) == 0) {
            matchOneEgress(open, requests, grantPointers, acceptPointers);
            return;
        }
        long[] grantsOf = grants.bits;
        int found = matches;
        for (int round = 0; round < iterations; round++) {
            long grantedNow = 0;
            for (long left = open; left != 0; left &= left - 1) {
                int egress = Long.numberOfTrailingZeros(left);
                long asking = requests[egress] & free;
                if (asking == 0) {
                    // Free ingresses only become fewer within a tick.
                    open ^= 1L << egress;
                    continue;
                }
                int ingress = firstFrom(asking, grantPointers[egress]);
                grantsOf[ingress] |= 1L << egress;
                grantedNow |= 1L << ingress;
            }
            if (grantedNow == 0) {
                break;
            }
            free ^= grantedNow;
            for (long left = grantedNow; left != 0; left &= left - 1) {
                int ingress = Long.numberOfTrailingZeros(left);
                int egress = firstFrom(grantsOf[ingress], acceptPointers[ingress]);
                grantsOf[ingress] = 0;
                open ^= 1L << egress;
                matchIngress[found] = ingress;
                matchEgress[found++] = egress;
                if (rounds != null) {
                    rounds[found - 1] = round + 1;
                }
                if (round == 0) {
                    grantPointers[egress] = ingress + 1 == ports ? 0 : ingress + 1;
                    acceptPointers[ingress] = egress + 1 == ports ? 0 : egress + 1;
                }
            }
        }
        for (int k = matches; k < found; k++) {
            freeEgresses.remove(0, matchEgress[k]);
        }
        freeIngresses.bits[0] = free;
        matches = found;
    }

    /** At most one egress is asked for, as in every incast: the ingress that it grants accepts, and there is no second round. */
    private void matchOneEgress(long open, long[] requests, int[] grantPointers, int[] acceptPointers) {
        int egress = Long.numberOfTrailingZeros(open);
        long asking = open == 0 ? 0 : requests[egress] & freeIngresses.bits[0];
        if (asking == 0) {
            return;
        }
        int ingress = firstFrom(asking, grantPointers[egress]);
        grantPointers[egress] = ingress + 1 == ports ? 0 : ingress + 1;
        acceptPointers[ingress] = egress + 1 == ports ? 0 : egress + 1;
        matchIngress[matches] = ingress;
        matchEgress[matches++] = egress;
        if (rounds != null) {
            rounds[matches - 1] = 1;
        }
        freeIngresses.remove(0, ingress);
        freeEgresses.remove(0, egress);
    }

    /** The first member at or after {@code from}, going round; the set is not empty. */
    private static int firstFrom(long set, int from) {
        // Where the pointer stands is as good as random: a choice without a branch.
        long ahead = set & (-1L << from);
        return Long.numberOfTrailingZeros(ahead != 0 ? ahead : set);
    }

    private void match(int c, VoqBank bank) {
        PortSets requests = bank.requests(c);
        PortSets requested = bank.requested(c);
        int words = candidates.words;
        for (int w = 0; w < words; w++) {
            candidates.bits[w] = requested.bits[w] & freeEgresses.bits[w];
        }
        for (int round = 0; round < iterations; round++) {
            if (!grantAll(requests, grant[c])) {
                return;
            }
            for (int w = 0; w < words; w++) {
                for (long left = granted.bits[w]; left != 0; left &= left - 1) {
                    int ingress = (w << 6) + Long.numberOfTrailingZeros(left);
                    int egress = grants.firstFrom(ingress, accept[c][ingress]);
                    grants.clear(ingress);
                    matchIngress[matches] = ingress;
                    matchEgress[matches++] = egress;
                    if (rounds != null) {
                        rounds[matches - 1] = round + 1;
                    }
                    freeIngresses.remove(0, ingress);
                    freeEgresses.remove(0, egress);
                    candidates.remove(0, egress);
                    if (round == 0) {
                        grant[c][egress] = ingress + 1 == ports ? 0 : ingress + 1;
                        accept[c][ingress] = egress + 1 == ports ? 0 : egress + 1;
                    }
                }
                granted.bits[w] = 0;
            }
        }
    }

    /** Every candidate egress grants the first requesting free ingress from its pointer on; false if there is no grant. */
    private boolean grantAll(PortSets requests, int[] pointers) {
        boolean any = false;
        for (int w = 0; w < candidates.words; w++) {
            for (long left = candidates.bits[w]; left != 0; left &= left - 1) {
                int egress = (w << 6) + Long.numberOfTrailingZeros(left);
                int ingress = requests.firstCommon(egress, freeIngresses, 0, pointers[egress]);
                if (ingress >= 0) {
                    grants.add(ingress, egress);
                    granted.add(0, ingress);
                    any = true;
                } else {
                    // Free ingresses only become fewer within a tick.
                    candidates.remove(0, egress);
                }
            }
        }
        return any;
    }
}
