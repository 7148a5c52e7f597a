package io.github.rhosweep.kernel;

import java.util.List;

/**
 * Which class of frames each egress serves: deficit weighted round robin (Shreedhar and Varghese 1996) in the form that needs no
 * look at the next frame's size (surplus round robin, Adiseshu, Parulkar and Varghese 1996): a class goes on as long as it has bytes
 * left of its quantum, and makes up in its next turn for what its last frame took beyond that. Classes take turns from the highest
 * down; one that is served out of turn, because its egress would else be idle, is charged all the same.
 */
final class EgressTurns {
    private final int classes;
    private final List<Long> quanta;
    /** Per egress: the class whose turn it is. */
    private final int[] turn;
    /** Per egress and class: bytes that it may still send. */
    private final long[] left;

    /** @param quanta of each class in bytes, the lowest first */
    EgressTurns(int egresses, List<Long> quanta) {
        this.classes = quanta.size();
        this.quanta = quanta;
        this.turn = new int[egresses];
        this.left = new long[egresses * classes];
        for (int egress = 0; egress < egresses; egress++) {
            turn[egress] = classes - 1;
            left[egress * classes + classes - 1] = quanta.get(classes - 1);
        }
    }

    /** The class to be served now, as a bit, given the bits of those that hold a frame; 0 if none does. */
    int begin(int egress, int holding) {
        if (holding == 0) {
            return 0;
        }
        int of = egress * classes;
        int c = turn[egress];
        while ((holding >>> c & 1) == 0 || left[of + c] <= 0) {
            if ((holding >>> c & 1) == 0) {
                // What it leaves of its turn is lost; what it owes is not.
                left[of + c] = Math.min(left[of + c], 0);
            }
            c = c == 0 ? classes - 1 : c - 1;
            if ((holding >>> c & 1) != 0) {
                left[of + c] += quanta.get(c);
            }
        }
        turn[egress] = c;
        return 1 << c;
    }

    /** The class that is behind {@code rank} others which hold a frame, counted from the one whose turn it is, as a bit; 0 if none is. */
    int next(int egress, int holding, int rank) {
        int behind = rank;
        int c = turn[egress];
        for (int k = 0; k < classes; k++) {
            if ((holding >>> c & 1) != 0 && behind-- == 0) {
                return 1 << c;
            }
            c = c == 0 ? classes - 1 : c - 1;
        }
        return 0;
    }

    void served(int egress, int classOfFrame, int wireBytes) {
        left[egress * classes + classOfFrame] -= wireBytes;
    }
}
