package io.github.rhosweep.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.Map;
import java.util.TreeMap;

/**
 * Notes of which points of a shard were begun by processes that then died. An attempt that follows a death notes each point before it
 * runs it; what is still noted when the next attempt starts did not end.
 */
public final class Trials {
    private static final long NONE = -1;
    /** A line for each point of a shard takes less. */
    private static final int MAX_BYTES = 64 << 20;

    private final Location file;
    private final Map<Long, Integer> deaths = new TreeMap<>();
    private long current = NONE;

    Trials(Location file) throws IOException {
        this.file = file;
        try {
            byte[] text = file.storage().read(file, MAX_BYTES);
            if (text.length > MAX_BYTES) {
                throw new IOException(file + " has more than " + MAX_BYTES + " bytes");
            }
            for (String line : new String(text, UTF_8).lines().toList()) {
                int space = line.indexOf(' ');
                deaths.put(Long.parseLong(line.substring(0, space)), Integer.parseInt(line.substring(space + 1)));
            }
        } catch (NoSuchFileException first) {
            deaths.clear();
        } catch (RuntimeException damaged) {
            throw new IOException(file + " cannot be read: " + damaged.getMessage(), damaged);
        }
    }

    /** How many processes died while they ran the point of this index. */
    public int deaths(long index) {
        return deaths.getOrDefault(index, 0);
    }

    /** Notes that a point is about to be run; the one before it came to its end. */
    public void begin(long index) throws IOException {
        forget();
        current = index;
        deaths.merge(index, 1, Integer::sum);
        write();
    }

    /** Takes the last note back: the process lives, whatever became of the point. */
    public void end() throws IOException {
        if (current != NONE) {
            forget();
            write();
        }
    }

    private void forget() {
        if (current != NONE) {
            deaths.merge(current, -1, (n, less) -> n + less > 0 ? n + less : null);
            current = NONE;
        }
    }

    private void write() throws IOException {
        StringBuilder text = new StringBuilder();
        deaths.forEach((index, n) -> text.append(index).append(' ').append(n).append('\n'));
        file.storage().replace(file, text.toString().getBytes(UTF_8));
    }
}
