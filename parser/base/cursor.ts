/**
 * Second results of readers: the position where reading stopped, and whether it passed the end of a
 * line. "Out-parameters": see ARCHITECTURE.md.
 *
 * @module
 */

/**
 * Position after the token read last, in the current window. Written by every reader that does not
 * return this position. Valid until the next call of a reader.
 */
export const cursor: { position: number } = { position: 0 };

/**
 * Whether the bytes must be read again to count lines and columns: a line has ended outside of
 * strings, or a byte is not ASCII. Otherwise the streaming parser skips that pass (JSON Lines,
 * speed divided by that of splitting lines for `JSON.parse`: 1.19 → 1.31).
 */
export const needsLineCount: {
  /** 1 once a reader has passed such a byte. The caller clears it before the reads it observes. */
  passed: number;
  /**
   * 1 once the key cache has held such a byte: readers skip cached keys without reading their
   * bytes.
   */
  isInKeys: number;
} = { passed: 0, isInKeys: 0 };
