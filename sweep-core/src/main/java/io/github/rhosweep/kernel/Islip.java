package io.github.rhosweep.kernel;

import io.github.rhosweep.scenario.SwitchSpec;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * iSLIP (McKeown 1999): request, grant, accept, with round-robin pointers that move only for matches of the first round, always
 * past the partner. {@code strict} runs all rounds for the highest class first, with pointers of its own, then the next class matches
 * among the ports left over. Under {@code dwrr} every egress runs them for the class whose turn it is there ({@link EgressTurns}), then
 * for its other classes among the ports left over.
 */
final class Islip {
    private final int ports;
    private final int iterations;
    private final boolean strict;
    /** Which class an egress serves first; null where that is not its choice. */
    private final @Nullable EgressTurns turns;
    /** Whether the set of classes that an egress asks for may differ from that of others. */
    private final boolean byClass;
    /** Per class, a row: egresses that flow control holds back for it alone; null where it never does. */
    private final @Nullable PortSets closedForClass;
    /** Where egresses differ in what they ask for: a row per egress, ingresses with a frame that it asks for in this pass. */
    private final PortSets asked;
    /** And the classes that it asks for, as bits. */
    private final int[] askedClasses;
    /** And its grant pointer for these, under {@link #turns}. */
    private final int[] grantOfTurn;

    private final int[] matchClass;
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

    /** For whoever asks why: the round of each match, and the pointers as they were before the tick. Null: nobody does. */
    private int @Nullable [] rounds;

    private int[][] grantBefore = {};
    private int[][] acceptBefore = {};

    /** @param pausesClasses whether flow control may hold an egress back for single classes */
    Islip(SwitchSpec spec, long seed, boolean pausesClasses) {
        this.ports = spec.portCount();
        this.iterations = spec.islipIterations();
        this.strict = spec.priorityMode() == SwitchSpec.PriorityMode.STRICT;
        int classes = spec.priorityClasses().count();
        this.turns = spec.egressScheduler() == SwitchSpec.EgressScheduler.DWRR
                ? new EgressTurns(ports, spec.quanta())
                : null;
        this.byClass = turns != null || pausesClasses;
        this.closedForClass = pausesClasses ? new PortSets(classes, ports) : null;
        this.asked = new PortSets(byClass ? ports : 0, ports);
        this.askedClasses = new int[byClass ? ports : 0];
        this.grantOfTurn = new int[byClass ? ports : 0];
        this.matchClass = new int[ports];
        this.classOrder = new int[strict || byClass ? classes : 1];
        for (int k = 0; k < classOrder.length; k++) {
            classOrder[k] = classOrder.length - 1 - k;
        }
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
        if (busyUntilPs != null) {
            for (int egress = 0; egress < ports; egress++) {
                if (busyUntilPs[egress] > now || closed.contains(0, egress)) {
                    freeEgresses.remove(0, egress);
                } else {
                    freeEgresses.add(0, egress);
                }
            }
        }
        if (byClass) {
            matchByClass(bank);
        } else {
            for (int c : classOrder) {
                int before = matches;
                if (freeIngresses.words == 1) {
                    matchOneWord(bank.requests(c).bits, bank.requested(c).bits[0], grant[c], accept[c]);
                } else {
                    match(c, bank);
                }
                if (strict) {
                    Arrays.fill(matchClass, before, matches, c);
                }
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

    /** Leaves the frames of a class for an egress out of the matching; not to be called within a tick. */
    void close(int egress, int classOfFrames) {
        Objects.requireNonNull(closedForClass).add(classOfFrames, egress);
    }

    /** Lets a closed class take part again. */
    void open(int egress, int classOfFrames) {
        Objects.requireNonNull(closedForClass).remove(classOfFrames, egress);
    }

    /** A frame of so many wire bytes has left by a match. */
    void served(int egress, int classOfFrame, int wireBytes) {
        if (turns != null) {
            turns.served(egress, classOfFrame, wireBytes);
        }
    }

    /** Whether any egress that is not closed has a request. */
    boolean hasOpenRequests(VoqBank bank) {
        for (int c : classOrder) {
            long[] requested = bank.requested(c).bits;
            int words = requested.length;
            for (int w = 0; w < words; w++) {
                long shut = closed.bits[w] | (closedForClass == null ? 0 : closedForClass.bits[c * words + w]);
                if ((requested[w] & ~shut) != 0) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Where an egress looks first, where all classes are matched together. */
    int grantPointer(int egress) {
        return grant[0][egress];
    }

    /** The ingress of the k-th match. */
    int ingress(int k) {
        return matchIngress[k];
    }

    /** The egress of the k-th match. */
    int egress(int k) {
        return matchEgress[k];
    }

    /** Whether a match is one of a class; if not, it leaves the choice among the frames of the pair. */
    boolean matchesClasses() {
        return strict || byClass;
    }

    /** The class of the k-th match, where {@link #matchesClasses}. */
    int classOf(int k) {
        return matchClass[k];
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
        return grantBefore[strict || turns != null ? matchClass[k] : 0][matchEgress[k]];
    }

    /** Where the ingress of the k-th match looked first. */
    int acceptPointerBefore(int k) {
        return acceptBefore[strict ? matchClass[k] : 0][matchIngress[k]];
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

    /** Where egresses differ in the classes that they ask for: builds what each asks for, and matches that. */
    private void matchByClass(VoqBank bank) {
        int passes = strict || turns != null ? classOrder.length : 1;
        for (int pass = 0; pass < passes; pass++) {
            int before = matches;
            candidates.clear(0);
            for (int egress = 0; egress < ports; egress++) {
                if (freeEgresses.contains(0, egress)) {
                    ask(bank, egress, pass);
                }
            }
            // Strictly ranked classes have pointers of their own; otherwise all share one set, as they do one matching.
            int set = strict ? classOrder[pass] : 0;
            matchRounds(asked, turns == null ? grant[set] : grantOfTurn, accept[set]);
            for (int k = before; k < matches; k++) {
                int egress = matchEgress[k];
                int c = bank.firstPriority(matchIngress[k], egress, askedClasses[egress]);
                matchClass[k] = c;
                if (turns != null) {
                    grant[c][egress] = grantOfTurn[egress];
                }
            }
        }
    }

    private void ask(VoqBank bank, int egress, int pass) {
        int open = 0;
        for (int c : classOrder) {
            if (bank.requested(c).contains(0, egress)
                    && (closedForClass == null || !closedForClass.contains(c, egress))) {
                open |= 1 << c;
            }
        }
        int classes = open;
        if (turns != null) {
            classes = pass == 0 ? turns.begin(egress, open) : turns.next(egress, open, pass);
        } else if (strict) {
            classes &= 1 << classOrder[pass];
        }
        askedClasses[egress] = classes;
        if (classes == 0) {
            return;
        }
        if (turns != null) {
            // Each class goes round the ingresses by itself: with one pointer for all, the turn of one would skip
            // another's.
            grantOfTurn[egress] = grant[Integer.numberOfTrailingZeros(classes)][egress];
        }
        asked.clear(egress);
        int words = asked.words;
        for (int c : classOrder) {
            if ((classes >>> c & 1) != 0) {
                long[] requests = bank.requests(c).bits;
                for (int w = egress * words; w < (egress + 1) * words; w++) {
                    asked.bits[w] |= requests[w];
                }
            }
        }
        candidates.add(0, egress);
    }

    private void match(int c, VoqBank bank) {
        PortSets requested = bank.requested(c);
        for (int w = 0; w < candidates.words; w++) {
            candidates.bits[w] = requested.bits[w] & freeEgresses.bits[w];
        }
        matchRounds(bank.requests(c), grant[c], accept[c]);
    }

    /** The rounds among the {@link #candidates}. */
    private void matchRounds(PortSets requests, int[] grantPointers, int[] acceptPointers) {
        int words = candidates.words;
        for (int round = 0; round < iterations; round++) {
            if (!grantAll(requests, grantPointers)) {
                return;
            }
            for (int w = 0; w < words; w++) {
                for (long left = granted.bits[w]; left != 0; left &= left - 1) {
                    int ingress = (w << 6) + Long.numberOfTrailingZeros(left);
                    int egress = grants.firstFrom(ingress, acceptPointers[ingress]);
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
                        grantPointers[egress] = ingress + 1 == ports ? 0 : ingress + 1;
                        acceptPointers[ingress] = egress + 1 == ports ? 0 : egress + 1;
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
