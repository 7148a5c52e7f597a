package io.github.rhosweep.check;

import io.github.rhosweep.kernel.PacketPool;
import io.github.rhosweep.kernel.Switch;
import io.github.rhosweep.scenario.SwitchSpec;
import java.util.Map;
import java.util.TreeMap;

/** A switch without a network, driven frame by frame and tick by tick. */
final class SwitchRig {
    final PacketPool pool = new PacketPool(64);
    final SwitchSpec spec;
    final Switch sw;

    /** @param settings {@code alpha=1}, ...: names without {@code switch.} */
    SwitchRig(String... settings) {
        Map<String, String> texts = new TreeMap<>();
        for (String setting : settings) {
            String[] nameAndValue = setting.split("=", 2);
            texts.put("switch." + nameAndValue[0], nameAndValue[1]);
        }
        spec = SwitchSpec.ofReplay(texts);
        sw = new Switch(spec, SwitchSpec.DEFAULT_RNG_SEED, pool);
    }

    /** A data frame arrives. */
    boolean offer(int ingress, int egress, int wire, long now) {
        return offer(ingress, egress, wire, 1, now);
    }

    /** A frame arrives: a control frame if it has no payload. */
    boolean offer(int ingress, int egress, int wire, int payload, long now) {
        int packet = pool.take(wire, payload);
        if (sw.forward(ingress, egress, wire, packet, now)) {
            return true;
        }
        pool.free(packet);
        return false;
    }

    /** Takes back what the last tick served. */
    void freeServed(int served) {
        for (int k = 0; k < served; k++) {
            pool.free(sw.servedPacket(k));
        }
    }
}
