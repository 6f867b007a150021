/**
 * Second results of readers: where reading has stopped, and whether it has passed the end of a line.
 * "Out-parameters": see ARCHITECTURE.md.
 *
 * @module
 */

/**
 * Position after what was read last, in the window being parsed. Written by every reader that does
 * not return that position. Valid until the next call of a reader.
 */
export const cursor: { position: number } = { position: 0 };

/**
 * Whether lines and columns have to be counted by another look at the bytes: a line has ended
 * outside of strings, or there are bytes beyond ASCII. Otherwise the streaming parser leaves them
 * alone (JSON Lines, to a split and `JSON.parse`: 1.19 → 1.31).
 */
export const needsLineCount: {
  /** 1 once a reader has passed such a byte. The caller clears it before the reads it observes. */
  passed: number;
  /** 1 once the key cache has held such a byte: a reader then passes it without a look at it. */
  isInKeys: number;
} = { passed: 0, isInKeys: 0 };
