package io.github.rhosweep.store;

import java.io.IOException;
import java.util.List;
import org.apache.parquet.io.InputFile;
import org.apache.parquet.io.OutputFile;
import org.jspecify.annotations.Nullable;

/**
 * What a results folder needs of the file system that holds it. Absent files are {@link java.nio.file.NoSuchFileException}; the reader of
 * an absent input may also say {@link java.io.FileNotFoundException}.
 */
interface Storage {
    /** Whether a file or folder is there. */
    boolean exists(Location location) throws IOException;

    /** Whether it is there and a file, where a folder is wanted. */
    boolean isFile(Location location) throws IOException;

    /**
     * Refuses a name that leads to something that is not there, where such names exist: it is neither absent nor there.
     *
     * @throws FolderRefusedException saying where it leads
     */
    default void refuseDeadLink(Location location) throws IOException {}

    /** What a folder holds, by name; nothing if it does not exist. */
    List<Location> list(Location folder) throws IOException;

    /** Makes a folder and those above it. */
    void makeFolder(Location folder) throws IOException;

    /**
     * What a small file holds, up to one byte more than allowed: somebody else's may be of any size.
     *
     * @param most bytes allowed
     */
    byte[] read(Location file, int most) throws IOException;

    /** Writes a small file in one step: readers see all of it or what was there before. */
    void replace(Location file, byte[] content) throws IOException;

    /** Removes a file, or a folder with all in it; others may do the same at the same time. */
    void delete(Location tree) throws IOException;

    /** For Parquet. */
    InputFile input(Location file) throws IOException;

    /** For Parquet; the file must not exist. */
    OutputFile output(Location file) throws IOException;

    /** Makes sure that a finished file outlives a crash of the machine. */
    void force(Location file) throws IOException;

    /**
     * Takes a lock.
     *
     * @return null if somebody else holds it
     */
    @Nullable
    Held lock(Location file) throws IOException;

    /** A lock while it is held. */
    interface Held extends AutoCloseable {
        /** False once another has taken it, which takes a process that stood still for long. */
        boolean isHeld();

        /** Gives it back. */
        @Override
        void close() throws IOException;
    }

    /**
     * Declares one folder of finished files the one that counts, under a name that can be declared once.
     *
     * @return false if another has been declared under this name
     */
    boolean decide(Location folder, Location name) throws IOException;

    /** The folder declared under a name, null if none is. */
    @Nullable
    Location decided(Location name) throws IOException;

    /** Gives a finished file its final place; does nothing if that is taken, or if another did the same. */
    void publish(Location from, Location to) throws IOException;
}
