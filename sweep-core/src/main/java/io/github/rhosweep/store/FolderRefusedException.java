package io.github.rhosweep.store;

import io.github.rhosweep.scenario.Text;

/** A results folder that must not be used as asked; the message is one line that says why and what to do. Nothing was changed. */
public final class FolderRefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public FolderRefusedException(String message) {
        super(Text.visible(message));
    }
}
