package io.github.rhosweep.scenario;

import java.util.Locale;

/** Foreign text within messages. */
public final class Text {
    private static final int MOST_SHOWN = 80;

    private Text() {}

    /** A number and what is counted, in the plural but for one. */
    public static String count(long number, String noun) {
        return number + " " + noun + (number == 1 ? "" : "s");
    }

    /** With what would move a cursor, break a line or turn the writing direction shown as its code: one line that means itself. */
    public static String visible(String text) {
        StringBuilder shown = null;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            int type = Character.getType(c);
            boolean hidden = type == Character.CONTROL
                    || type == Character.FORMAT
                    || type == Character.LINE_SEPARATOR
                    || type == Character.PARAGRAPH_SEPARATOR;
            if (hidden && shown == null) {
                shown = new StringBuilder(text.substring(0, i));
            }
            if (shown != null) {
                shown.append(hidden ? String.format(Locale.ROOT, "\\u%04x", (int) c) : String.valueOf(c));
            }
        }
        return shown == null ? text : shown.toString();
    }

    /** The same, cut where it goes on for long, in backquotes. */
    static String quoted(String text) {
        String shown = visible(text);
        return "`" + (shown.length() > MOST_SHOWN ? shown.substring(0, MOST_SHOWN) + "..." : shown) + "`";
    }
}
