/**
 * Limits of the number readers. They are in a separate file, because V8 loads an exported constant
 * at each use, even in its own module: "Constant bindings" in ARCHITECTURE.md.
 */

/** Number of digits that always fit in an int32. */
export const INT32_DIGITS = 9;

/** Maximum numbers read at a time: 32 KiB of doubles, the size of a processor's L1 data cache. */
export const MAX_RUN = 4096;

/** Maximum bytes touched by reading a number by words; nearer to the end it is read bytewise. */
export const NUMBER_LOOKAHEAD = 40;
