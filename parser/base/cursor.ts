/**
 * Second results of readers: the position where reading stopped, and whether it passed the end of a
 * line. "Out-parameters": see ARCHITECTURE.md.
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
export const lineCountHints: {
  /** 1 once a reader has passed a line end, or may have. The caller clears it before it reads. */
  passed: number;
  /** 1 once a reader has passed a byte that is not ASCII, or may have. Cleared likewise. */
  passedNonAscii: number;
  /** Bits for such bytes in cached keys: {@linkcode LINE_END_IN_KEYS}, `NON_ASCII_IN_KEYS`. */
  isInKeys: number;
} = { passed: 0, passedNonAscii: 0, isInKeys: 0 };

/** Bits of `lineCountHints.isInKeys`. */
export const LINE_END_IN_KEYS = 1;
export const NON_ASCII_IN_KEYS = 2;
