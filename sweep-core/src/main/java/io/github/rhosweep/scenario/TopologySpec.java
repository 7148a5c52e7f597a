package io.github.rhosweep.scenario;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;

/**
 * What connects the hosts.
 *
 * @param shape the family of fabrics and its dimensions
 * @param hosts hosts, numbered from 0
 */
public record TopologySpec(Shape shape, int hosts) {
    /** The families of fabrics. */
    public enum Kind {
        /** Host to host over one link: measures the zero-load latency without a switch. */
        DIRECT,
        /** Every host on one switch. */
        SINGLE_SWITCH,
        /** Leaves that hold the hosts, each joined to every spine. */
        LEAF_SPINE,
        /** Three stages of switches of k ports (Al-Fares, Loukissas, Vahdat 2008). */
        FAT_TREE,
        /** NIC r of every server on the switch of rail r; rails joined by spines. */
        RAIL_OPTIMIZED,
        /** Groups of routers, all to all inside and between groups (Kim, Dally, Scott, Abts 2008). */
        DRAGONFLY
    }

    /** A family with its dimensions. */
    public sealed interface Shape {
        /** Its name. */
        Kind kind();

        /** Most hosts that it holds. */
        default long capacity() {
            return Long.MAX_VALUE;
        }

        /** Ports of the switch that has most of them, for so many hosts. */
        long portsNeeded(long hosts);

        /** What sets the capacity, for messages. */
        default String dimensions() {
            return "topology.kind " + Parameter.label(kind());
        }
    }

    /** Two hosts and a link. */
    public record Direct() implements Shape {
        @Override
        public Kind kind() {
            return Kind.DIRECT;
        }

        @Override
        public long capacity() {
            return 2;
        }

        @Override
        public long portsNeeded(long hosts) {
            return 0;
        }
    }

    /** One switch, as large as it has to be. */
    public record SingleSwitch() implements Shape {
        @Override
        public Kind kind() {
            return Kind.SINGLE_SWITCH;
        }

        @Override
        public long portsNeeded(long hosts) {
            return hosts;
        }
    }

    /**
     * Host i on leaf i / hostsPerLeaf.
     *
     * @param spineGbPerS bandwidth of each link between a leaf and a spine, in GB/s
     */
    public record LeafSpine(int leaves, int spines, int hostsPerLeaf, BigDecimal spineGbPerS) implements Shape {
        @Override
        public Kind kind() {
            return Kind.LEAF_SPINE;
        }

        @Override
        public long capacity() {
            return (long) leaves * hostsPerLeaf;
        }

        @Override
        public String dimensions() {
            return "topology.leaves " + leaves + " with topology.hosts_per_leaf " + hostsPerLeaf;
        }

        @Override
        public long portsNeeded(long hosts) {
            return Math.max(Math.min(hosts, hostsPerLeaf) + spines, leaves);
        }
    }

    /**
     * k pods of k/2 edge and k/2 aggregation switches, k^2/4 cores.
     *
     * @param k ports of every switch, even
     */
    public record FatTree(int k) implements Shape {
        @Override
        public Kind kind() {
            return Kind.FAT_TREE;
        }

        @Override
        public long capacity() {
            return (long) k * k * k / 4;
        }

        @Override
        public String dimensions() {
            return "a fat-tree of topology.k " + k + " (k^3/4)";
        }

        @Override
        public long portsNeeded(long hosts) {
            return k;
        }
    }

    /**
     * Host i is NIC i mod rails of server i / rails.
     *
     * @param spines 0 where rails are not joined
     * @param spineGbPerS bandwidth of each link between a rail's switch and a spine, in GB/s
     */
    public record RailOptimized(int rails, int spines, BigDecimal spineGbPerS) implements Shape {
        @Override
        public Kind kind() {
            return Kind.RAIL_OPTIMIZED;
        }

        @Override
        public long portsNeeded(long hosts) {
            return Math.max((hosts + rails - 1) / rails + spines, spines == 0 ? 0 : rails);
        }
    }

    /**
     * a h + 1 groups.
     *
     * @param hostsPerRouter p
     * @param routersPerGroup a
     * @param globalLinksPerRouter h
     */
    public record Dragonfly(int hostsPerRouter, int routersPerGroup, int globalLinksPerRouter) implements Shape {
        @Override
        public Kind kind() {
            return Kind.DRAGONFLY;
        }

        /** Groups: one global link joins each two. */
        public int groups() {
            return Math.addExact(Math.multiplyExact(routersPerGroup, globalLinksPerRouter), 1);
        }

        @Override
        public long capacity() {
            return (long) hostsPerRouter * routersPerGroup * groups();
        }

        @Override
        public String dimensions() {
            return "a dragonfly of topology.p " + hostsPerRouter + ", a " + routersPerGroup + ", h "
                    + globalLinksPerRouter + " (p a (a h + 1))";
        }

        @Override
        public long portsNeeded(long hosts) {
            return (long) hostsPerRouter + routersPerGroup - 1 + globalLinksPerRouter;
        }
    }

    public static final Parameter<Kind> KIND = Parameter.choice("topology.kind", Kind.class)
            .byDefault("single-switch")
            .doc("What connects the hosts");
    public static final Parameter<Long> HOSTS = Parameter.count("topology.hosts")
            .between("1", "65536")
            .derived("what the pattern needs (incast: flows + 1, others: flows)", p ->
                    (long) p.get(TrafficSpec.PATTERN).hostsNeeded(Math.toIntExact(p.get(TrafficSpec.FLOWS))))
            .doc("Hosts of the fabric");
    public static final Parameter<Long> LEAVES = Parameter.count("topology.leaves")
            .between("1", "4096")
            .byDefault("4")
            .onlyWhen("topology.kind is leaf-spine", p -> p.get(TopologySpec.KIND) == Kind.LEAF_SPINE)
            .doc("Leaf switches");
    public static final Parameter<Long> RAILS = Parameter.count("topology.rails")
            .between("1", "4096")
            .byDefault("8")
            .onlyWhen("topology.kind is rail-optimized", p -> p.get(TopologySpec.KIND) == Kind.RAIL_OPTIMIZED)
            .doc("NICs of a server, each on the switch of its rail; host i is NIC i mod rails of server i / rails");
    public static final Parameter<Long> SPINES = Parameter.count("topology.spines")
            .between("1", "4096")
            .byDefault("4")
            .onlyWhen(
                    "topology.kind is leaf-spine, or rail-optimized with routing.cross_rail true",
                    p -> p.get(TopologySpec.KIND) == Kind.LEAF_SPINE
                            || Boolean.TRUE.equals(p.find(RoutingSpec.CROSS_RAIL)))
            .doc("Spine switches, each joined to every leaf (or rail) by one link");
    public static final Parameter<Long> HOSTS_PER_LEAF = Parameter.count("topology.hosts_per_leaf")
            .between("1", "4096")
            .derived(
                    "topology.hosts / topology.leaves, rounded up",
                    p -> ceilDiv(p.get(TopologySpec.HOSTS), p.get(TopologySpec.LEAVES)))
            .onlyWhen("topology.kind is leaf-spine", p -> p.get(TopologySpec.KIND) == Kind.LEAF_SPINE)
            .doc("Hosts on a leaf: host i is on leaf i / hosts_per_leaf");
    public static final Parameter<BigDecimal> OVERSUBSCRIPTION = Parameter.real("topology.oversubscription")
            .between("0.001", "1000")
            .derived(
                    "what topology.spines and topology.spine_bandwidth give (as many spines as hosts on a leaf: 1)",
                    p -> ratio(p, p.get(TopologySpec.SPINE_BANDWIDTH)))
            .onlyWhen("topology.kind is leaf-spine", p -> p.get(TopologySpec.KIND) == Kind.LEAF_SPINE)
            .doc(
                    "Bandwidth of a leaf's ports to hosts over that of its ports to spines; sets topology.spine_bandwidth");
    public static final Parameter<BigDecimal> SPINE_BANDWIDTH = Parameter.bandwidth("topology.spine_bandwidth")
            .between("0.000001", "1000000")
            .derived(
                    "the switch's port bandwidth, or what a given topology.oversubscription leaves",
                    p -> p.isGiven(TopologySpec.OVERSUBSCRIPTION)
                            ? ratio(p, p.get(TopologySpec.OVERSUBSCRIPTION))
                            : p.get(SwitchSpec.PORT_BANDWIDTH))
            .onlyWhen("topology.spines applies", p -> p.applies(TopologySpec.SPINES))
            .doc("Bandwidth of each link between a leaf (or rail) and a spine, each way");
    public static final Parameter<Long> K = Parameter.count("topology.k")
            .between("2", "64")
            .where("even", k -> k % 2 == 0)
            .byDefault("4")
            .onlyWhen("topology.kind is fat-tree", p -> p.get(TopologySpec.KIND) == Kind.FAT_TREE)
            .doc("Ports of every switch of a fat-tree, which holds k^3/4 hosts");
    public static final Parameter<Long> P = Parameter.count("topology.p")
            .between("1", "256")
            .byDefault("2")
            .onlyWhen("topology.kind is dragonfly", p -> p.get(TopologySpec.KIND) == Kind.DRAGONFLY)
            .doc("Hosts on a router of a dragonfly, which holds p a (a h + 1)");
    public static final Parameter<Long> A = Parameter.count("topology.a")
            .between("1", "256")
            .byDefault("4")
            .onlyWhen("topology.kind is dragonfly", p -> p.get(TopologySpec.KIND) == Kind.DRAGONFLY)
            .doc("Routers of a group of a dragonfly, joined all to all");
    public static final Parameter<Long> H = Parameter.count("topology.h")
            .between("1", "256")
            .byDefault("2")
            .onlyWhen("topology.kind is dragonfly", p -> p.get(TopologySpec.KIND) == Kind.DRAGONFLY)
            .doc("Links of a router of a dragonfly to other groups, of which there are a h");

    static final List<Parameter<?>> PARAMETERS =
            List.of(KIND, HOSTS, LEAVES, RAILS, SPINES, HOSTS_PER_LEAF, OVERSUBSCRIPTION, SPINE_BANDWIDTH, K, P, A, H);

    static final List<Rule> RULES = List.of(
            p -> {
                long needed = p.get(TrafficSpec.PATTERN).hostsNeeded(Math.toIntExact(p.get(TrafficSpec.FLOWS)));
                long hosts = p.get(HOSTS);
                return hosts >= needed
                        ? null
                        : "traffic.flows (" + p.get(TrafficSpec.FLOWS) + ") with traffic.pattern "
                                + Parameter.label(p.get(TrafficSpec.PATTERN)) + " needs " + needed
                                + " hosts, topology.hosts is " + hosts;
            },
            Rule.when(TopologySpec::hasSwitch, p -> {
                long hosts = p.get(HOSTS);
                long needed = shape(p).portsNeeded(hosts);
                long ports = p.get(SwitchSpec.PORT_COUNT);
                if (needed <= ports) {
                    return null;
                }
                return p.get(KIND) == Kind.SINGLE_SWITCH
                        ? "topology.hosts (" + hosts + ", for traffic.flows " + p.get(TrafficSpec.FLOWS)
                                + ") exceeds switch.port_count (" + ports + ")"
                        : "topology.kind " + Parameter.label(p.get(KIND)) + " of " + hosts + " hosts needs switches of "
                                + needed + " ports, switch.port_count is " + ports;
            }),
            Rule.when(p -> p.get(KIND) != Kind.DIRECT, p -> {
                long hosts = p.get(HOSTS);
                Shape shape = shape(p);
                return hosts <= shape.capacity()
                        ? null
                        : "topology.hosts (" + hosts + ", for traffic.flows " + p.get(TrafficSpec.FLOWS)
                                + ") exceeds the " + shape.capacity() + " hosts of " + shape.dimensions();
            }),
            Rule.when(
                    p -> p.applies(SPINE_BANDWIDTH),
                    p -> p.get(SPINE_BANDWIDTH).compareTo(p.get(SwitchSpec.PORT_BANDWIDTH)) <= 0
                            ? null
                            : (p.isGiven(OVERSUBSCRIPTION)
                                            ? "topology.oversubscription ("
                                                    + Quantity.canonical(p.get(OVERSUBSCRIPTION)) + ") with "
                                                    + p.get(HOSTS_PER_LEAF) + " hosts a leaf and " + p.get(SPINES)
                                                    + " spines needs links of "
                                            : "topology.spine_bandwidth is ")
                                    + Quantity.canonical(p.get(SPINE_BANDWIDTH))
                                    + " GB/s, above switch.port_bandwidth_gb_per_s ("
                                    + Quantity.canonical(p.get(SwitchSpec.PORT_BANDWIDTH))
                                    + "), the most a port sends"),
            Rule.when(
                    p -> p.get(KIND) == Kind.LEAF_SPINE && p.isGiven(OVERSUBSCRIPTION) && p.isGiven(SPINE_BANDWIDTH),
                    p -> p.get(OVERSUBSCRIPTION).compareTo(ratio(p, p.get(SPINE_BANDWIDTH))) == 0
                            ? null
                            : "topology.oversubscription (" + Quantity.canonical(p.get(OVERSUBSCRIPTION))
                                    + ") and topology.spine_bandwidth (" + Quantity.canonical(p.get(SPINE_BANDWIDTH))
                                    + " GB/s, which is an oversubscription of "
                                    + Quantity.canonical(ratio(p, p.get(SPINE_BANDWIDTH)))
                                    + ") contradict each other. Maybe give one"),
            Rule.when(
                    p -> p.get(KIND) == Kind.DIRECT,
                    p -> p.get(HOSTS) == 2
                                    && p.get(TrafficSpec.PATTERN) == TrafficSpec.PatternKind.INCAST
                                    && p.get(TrafficSpec.FLOWS) == 1
                            ? null
                            : "topology.kind direct joins two hosts: it takes traffic.pattern incast with traffic.flows 1, found "
                                    + Parameter.label(p.get(TrafficSpec.PATTERN)) + " with "
                                    + p.get(TrafficSpec.FLOWS)));

    static boolean hasSwitch(Params p) {
        return p.get(KIND) != Kind.DIRECT;
    }

    /** Whether switches have more than one way to choose from. */
    static boolean hasChoice(Params p) {
        return p.get(KIND) == Kind.FAT_TREE || p.applies(SPINES);
    }

    /** What the switch with most ports needs. */
    static long portsNeeded(Params p) {
        return shape(p).portsNeeded(p.get(HOSTS));
    }

    /** The family of this spec. */
    public Kind kind() {
        return shape.kind();
    }

    static TopologySpec bind(Params p) {
        return new TopologySpec(shape(p), Math.toIntExact(p.get(HOSTS)));
    }

    private static Shape shape(Params p) {
        return switch (p.get(KIND)) {
            case DIRECT -> new Direct();
            case SINGLE_SWITCH -> new SingleSwitch();
            case LEAF_SPINE ->
                new LeafSpine(whole(p, LEAVES), whole(p, SPINES), whole(p, HOSTS_PER_LEAF), p.get(SPINE_BANDWIDTH));
            case FAT_TREE -> new FatTree(whole(p, K));
            case RAIL_OPTIMIZED ->
                p.applies(SPINES)
                        ? new RailOptimized(whole(p, RAILS), whole(p, SPINES), p.get(SPINE_BANDWIDTH))
                        : new RailOptimized(whole(p, RAILS), 0, p.get(SwitchSpec.PORT_BANDWIDTH));
            case DRAGONFLY -> new Dragonfly(whole(p, P), whole(p, A), whole(p, H));
        };
    }

    /** hosts_per_leaf x port bandwidth / (spines x y): y is one of oversubscription and spine bandwidth, this the other. */
    private static BigDecimal ratio(Params p, BigDecimal y) {
        return BigDecimal.valueOf(p.get(HOSTS_PER_LEAF))
                .multiply(p.get(SwitchSpec.PORT_BANDWIDTH))
                .divide(BigDecimal.valueOf(p.get(SPINES)).multiply(y), MathContext.DECIMAL64);
    }

    private static int whole(Params p, Parameter<Long> parameter) {
        return Math.toIntExact(p.get(parameter));
    }

    private static long ceilDiv(long a, long b) {
        return (a + b - 1) / b;
    }
}
