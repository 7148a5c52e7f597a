package io.github.rhosweep.kernel;

import io.github.rhosweep.scenario.SwitchSpec;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The switch once more, written as dully as the rules read: one map of queues, sets of ports, every request list built anew in every
 * round. An independent second opinion on {@link Switch}, not meant to be fast.
 */
final class ReferenceSwitch {
    record Frame(int number, int ingress, int egress, int priority, int wire, long enqueued) {}

    record Key(int ingress, int egress, int priority) {}

    record Served(Frame frame, long finish, boolean marked) {}

    private record Match(int ingress, int egress, int priority) {}

    /** Priority of a match that leaves the choice to D-6. */
    private static final int ANY = -1;

    private final SwitchSpec spec;
    private final Map<Key, Deque<Frame>> queues = new HashMap<>();
    private final Map<Integer, Map<Integer, Integer>> grant = new HashMap<>();
    private final Map<Integer, Map<Integer, Integer>> accept = new HashMap<>();
    private final Map<Integer, Long> busy = new HashMap<>();
    private long state;
    private long lastTick = Long.MIN_VALUE / 2;
    private boolean tickPending;
    private long nextTick;

    long forwarded;
    long dropsDynamic;
    long dropsCapacity;
    long marks;
    long bytes;
    long peak;
    long ticks;

    ReferenceSwitch(SwitchSpec spec, long seed) {
        this.spec = spec;
        this.state = seed;
        for (int e = 0; dwrr() && e < spec.portCount(); e++) {
            allowance.put(List.of(e, control()), spec.quanta().get(control()));
        }
        if (spec.pointerInit() == SwitchSpec.PointerInit.RANDOM) {
            long ecnState = state;
            for (int c : pointerSets()) {
                for (int e = 0; e < spec.portCount(); e++) {
                    grant.computeIfAbsent(c, x -> new HashMap<>()).put(e, (int) Math.floor(draw() * spec.portCount()));
                }
                for (int i = 0; i < spec.portCount(); i++) {
                    accept.computeIfAbsent(c, x -> new HashMap<>()).put(i, (int) Math.floor(draw() * spec.portCount()));
                }
            }
            state = ecnState;
        }
    }

    /** Under DWRR, per egress: whose turn it is, and what each class may still send. */
    private final Map<Integer, Integer> turn = new HashMap<>();

    private final Map<List<Integer>, Long> allowance = new HashMap<>();

    private int control() {
        return spec.priorityClasses().count() - 1;
    }

    private boolean dwrr() {
        return spec.egressScheduler() == SwitchSpec.EgressScheduler.DWRR;
    }

    private List<Integer> pointerSets() {
        List<Integer> sets = new ArrayList<>();
        if (spec.priorityMode() == SwitchSpec.PriorityMode.STRICT || dwrr()) {
            for (int c = control(); c >= 0; c--) {
                sets.add(c);
            }
        } else {
            sets.add(ANY);
        }
        return sets;
    }

    /** Classes that an egress serves now, in the order of preference. */
    private List<Integer> preference(int egress) {
        List<Integer> holding = new ArrayList<>();
        for (int c = 0; c <= control(); c++) {
            for (int i = 0; i < spec.portCount(); i++) {
                if (holds(i, egress, c)) {
                    holding.add(c);
                    break;
                }
            }
        }
        if (holding.isEmpty()) {
            return holding;
        }
        int c = turn.getOrDefault(egress, control());
        while (true) {
            long may = allowance.getOrDefault(
                    List.of(egress, c), c == control() ? spec.quanta().get(c) : 0L);
            if (holding.contains(c) && may > 0) {
                break;
            }
            if (!holding.contains(c) && may > 0) {
                allowance.put(List.of(egress, c), 0L);
            }
            c = (c + control()) % (control() + 1);
            if (holding.contains(c)) {
                allowance.merge(List.of(egress, c), spec.quanta().get(c), Long::sum);
            }
        }
        turn.put(egress, c);
        List<Integer> order = new ArrayList<>();
        for (int k = 0; k <= control(); k++) {
            if (holding.contains(c)) {
                order.add(c);
            }
            c = (c + control()) % (control() + 1);
        }
        return order;
    }

    private double draw() {
        state ^= state << 13;
        state ^= state >>> 7;
        state ^= state << 17;
        return (state >>> 11) * Math.pow(2, -53);
    }

    private long used() {
        return queues.values().stream()
                .flatMap(Deque::stream)
                .mapToLong(Frame::wire)
                .sum();
    }

    boolean tickPending() {
        return tickPending;
    }

    long nextTick() {
        return nextTick;
    }

    boolean forward(int number, int ingress, int egress, int wire, int priority, long now) {
        Deque<Frame> queue = queues.getOrDefault(new Key(ingress, egress, priority), new ArrayDeque<>());
        long queueBytes = queue.stream().mapToLong(Frame::wire).sum();
        double free = Math.max(0, spec.bufferCapacityBytes() - used());
        switch (spec.admission()) {
            case STATIC -> {
                if (queueBytes + wire > spec.staticLimitBytes()) {
                    dropsDynamic++;
                    return false;
                }
                if (used() + wire > spec.bufferCapacityBytes()) {
                    dropsCapacity++;
                    return false;
                }
            }
            case SIMPLIFIED, ACTIVE_QUEUES, RESERVED -> {
                long active = queues.values().stream().filter(q -> !q.isEmpty()).count() + (queue.isEmpty() ? 1 : 0);
                double allowed = spec.alpha() * free;
                if (spec.admission() == SwitchSpec.Admission.ACTIVE_QUEUES) {
                    allowed = spec.alpha() * free / active;
                } else if (spec.admission() == SwitchSpec.Admission.RESERVED) {
                    allowed = spec.reservedBytes() + spec.alpha() * free;
                }
                if (queueBytes + wire > allowed) {
                    dropsDynamic++;
                    return false;
                }
            }
        }
        queues.computeIfAbsent(new Key(ingress, egress, priority), k -> new ArrayDeque<>())
                .addLast(new Frame(number, ingress, egress, priority, wire, now));
        peak = Math.max(peak, used());
        if (!tickPending) {
            tickPending = true;
            nextTick = Math.max(now, lastTick + spec.slotPs());
        }
        return true;
    }

    private boolean holds(int ingress, int egress, int priority) {
        if (priority == ANY) {
            for (int c = 0; c <= control(); c++) {
                if (holds(ingress, egress, c)) {
                    return true;
                }
            }
            return false;
        }
        Deque<Frame> queue = queues.get(new Key(ingress, egress, priority));
        return queue != null && !queue.isEmpty();
    }

    /** Egresses for which a frame is here; without one nothing is granted, nor anybody's turn. */
    private List<Integer> wanted() {
        return queues.entrySet().stream()
                .filter(queue -> !queue.getValue().isEmpty())
                .map(queue -> queue.getKey().egress())
                .distinct()
                .sorted()
                .toList();
    }

    List<Served> tick(long now) {
        ticks++;
        lastTick = now;
        int n = spec.portCount();
        List<Integer> egresses = wanted();
        Set<Integer> matchedIngresses = new HashSet<>();
        Set<Integer> matchedEgresses = new HashSet<>();
        if (spec.egressGate() == SwitchSpec.EgressGate.BUSY) {
            busy.forEach((egress, until) -> {
                if (until > now) {
                    matchedEgresses.add(egress);
                }
            });
        }
        List<Match> matches = new ArrayList<>();
        Map<Integer, List<Integer>> preferences = new HashMap<>();
        for (int egress : egresses) {
            if (dwrr() && !matchedEgresses.contains(egress)) {
                preferences.put(egress, preference(egress));
            }
        }
        for (int pass = 0; pass < pointerSets().size(); pass++) {
            int set = pointerSets().get(pass);
            // Egresses go round the ingresses for each class apart; ingresses round the egresses for all together under
            // DWRR.
            Map<Integer, Integer> accepts = accept.computeIfAbsent(dwrr() ? 0 : set, x -> new HashMap<>());
            for (int round = 0; round < spec.islipIterations(); round++) {
                Map<Integer, List<Integer>> granted = new HashMap<>();
                for (int egress : egresses) {
                    if (matchedEgresses.contains(egress)) {
                        continue;
                    }
                    int c = set;
                    if (dwrr()) {
                        List<Integer> order = preferences.get(egress);
                        if (order.size() <= pass) {
                            continue;
                        }
                        c = order.get(pass);
                    }
                    Map<Integer, Integer> grants = grant.computeIfAbsent(c, x -> new HashMap<>());
                    for (int k = 0; k < n; k++) {
                        int ingress = (grants.getOrDefault(egress, 0) + k) % n;
                        if (!matchedIngresses.contains(ingress) && holds(ingress, egress, c)) {
                            granted.computeIfAbsent(ingress, x -> new ArrayList<>())
                                    .add(egress);
                            break;
                        }
                    }
                }
                if (granted.isEmpty()) {
                    break;
                }
                for (int ingress = 0; ingress < n; ingress++) {
                    if (!granted.containsKey(ingress)) {
                        continue;
                    }
                    for (int k = 0; k < n; k++) {
                        int egress = (accepts.getOrDefault(ingress, 0) + k) % n;
                        if (granted.get(ingress).contains(egress)) {
                            int c = dwrr() ? preferences.get(egress).get(pass) : set;
                            matches.add(new Match(ingress, egress, c));
                            matchedIngresses.add(ingress);
                            matchedEgresses.add(egress);
                            if (round == 0) {
                                grant.computeIfAbsent(c, x -> new HashMap<>()).put(egress, (ingress + 1) % n);
                                accepts.put(ingress, (egress + 1) % n);
                            }
                            break;
                        }
                    }
                }
            }
        }
        List<Served> served = new ArrayList<>();
        for (Match match : matches) {
            served.add(serve(match, now));
        }
        tickPending = queues.values().stream().anyMatch(q -> !q.isEmpty());
        nextTick = now + spec.slotPs();
        return served;
    }

    private Served serve(Match match, long now) {
        int priority = match.priority();
        if (priority == ANY) {
            priority = queues.values().stream()
                    .filter(q -> !q.isEmpty()
                            && q.getFirst().ingress() == match.ingress()
                            && q.getFirst().egress() == match.egress())
                    .map(Deque::getFirst)
                    .min(Comparator.comparingLong(Frame::enqueued)
                            .thenComparing(Frame::priority, Comparator.reverseOrder()))
                    .orElseThrow()
                    .priority();
        }
        double fill = (double) used() / spec.bufferCapacityBytes();
        Frame frame =
                queues.get(new Key(match.ingress(), match.egress(), priority)).removeFirst();
        boolean marked = false;
        if (dwrr()) {
            allowance.merge(List.of(match.egress(), priority), -(long) frame.wire(), Long::sum);
        }
        if (priority != control()) {
            double p;
            if (fill < spec.ecnKmin()) {
                p = 0;
            } else if (spec.ecnKmin() == spec.ecnKmax() || fill > spec.ecnKmax()) {
                p = 1;
            } else {
                p = spec.ecnPmax() * (fill - spec.ecnKmin()) / (spec.ecnKmax() - spec.ecnKmin());
            }
            marked = p == 1 || p != 0 && draw() < p;
        }
        long serial = spec.serialisationPs(frame.wire());
        long wait = Math.max(0, busy.getOrDefault(match.egress(), 0L) - now);
        busy.put(match.egress(), now + wait + serial);
        forwarded++;
        bytes += frame.wire();
        if (marked) {
            marks++;
        }
        return new Served(frame, now + wait + spec.forwardingPs() + serial, marked);
    }
}
