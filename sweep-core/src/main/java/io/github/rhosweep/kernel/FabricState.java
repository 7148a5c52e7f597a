package io.github.rhosweep.kernel;

import io.github.rhosweep.result.FlowLog;
import io.github.rhosweep.result.RunRecorder;
import io.github.rhosweep.scenario.ClosedPattern;
import io.github.rhosweep.scenario.FlowControlSpec;
import io.github.rhosweep.scenario.Scenario;
import io.github.rhosweep.scenario.SwitchSpec;
import io.github.rhosweep.scenario.TransportSpec;
import org.jspecify.annotations.Nullable;

/** What the parts of one run of a fabric share: packets, messages, flows, links and events, and what all need to know of the point. */
final class FabricState {
    final Scenario scenario;
    final long runSeed;
    final Cabling cabling;
    final RunRecorder recorder;
    final @Nullable FlowLog flowLog;

    final PacketPool packets;
    final MessagePool messages;
    final Flows flows;
    final LinkBank links;
    final FabricEvents events;

    final int hosts;
    /** Tenants of a schedule, each with queue pairs of its own. */
    final int tenants;

    final SwitchSpec.PriorityClasses priorities;
    final int headerBytes;
    /** Hosts that a message goes to; a frame counts once for each of them. */
    final int members;

    /** Whether senders keep what they sent until it is acknowledged. */
    final boolean recovers;
    /** Bytes that a flow may have under way; {@link Long#MAX_VALUE}: as many as it likes. */
    final long window;
    /** Whether responses come on a channel of their own. */
    final boolean separate;

    final int busiestEgress;

    /** Classes that flow control stops each by itself; 1 if it stops a port, or nothing. */
    final int groups;
    /** Per end that sends: what flow control stops, a bit each group. */
    final int[] stopped;

    /** @param packets those of earlier runs, with {@code messages}: all are taken back */
    FabricState(
            Scenario scenario,
            long runSeed,
            Cabling cabling,
            RunRecorder recorder,
            PacketPool packets,
            MessagePool messages) {
        packets.reset();
        messages.reset();
        messages.limit(scenario.measure().maxMessages());
        this.packets = packets;
        this.messages = messages;
        this.scenario = scenario;
        this.runSeed = runSeed;
        this.cabling = cabling;
        this.recorder = recorder;
        this.flowLog = scenario.record().messages() ? new FlowLog() : null;
        this.hosts = cabling.hosts;
        TransportSpec transport = scenario.transport();
        this.recovers = transport.recovery() != TransportSpec.Recovery.NONE;
        this.window = transport.creditBytes() == 0 ? Long.MAX_VALUE : transport.creditBytes();
        this.separate = transport.responseChannel() == TransportSpec.ResponseChannel.SEPARATE;
        SwitchSpec spec = scenario.switchSpec();
        this.priorities = spec == null ? SwitchSpec.PriorityClasses.TWO : spec.priorityClasses();
        this.headerBytes = scenario.traffic().headerBytes();
        this.members = scenario.traffic().multicast();
        this.busiestEgress =
                scenario.traffic().pattern().busiestEgress(scenario.traffic().flows());
        this.tenants = scenario.traffic().pattern() instanceof ClosedPattern closed ? closed.tenants() : 1;
        this.flows = new Flows(
                hosts,
                priorities.ofData(),
                Math.multiplyExact(transport.qpsPerConnection(), tenants),
                scenario.traffic(),
                messages,
                recovers);

        FlowControlSpec flowControl = scenario.flowControl();
        boolean controlled = flowControl.kind() != FlowControlSpec.Kind.LOSSY;
        this.groups = flowControl.pausedClasses() == 1 || !controlled ? 1 : priorities.count();
        int ends = cabling.ends();
        this.stopped = new int[ends];
        this.links = new LinkBank(ends, packets);
        this.events = new FabricEvents(
                hosts,
                cabling.switches,
                ends,
                controlled ? ends : 0,
                flowControl.watchdogPs() == Long.MAX_VALUE ? 0 : ends * groups);
    }

    /** What flow control stops together with a class. */
    int groupOf(int classOfFrames) {
        return groups == 1 ? 0 : classOfFrames;
    }
}
