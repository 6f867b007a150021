/** Sizes of inputs, in bytes, at which the parser and the validator change strategy. */

/**
 * Maximum size of an input that is copied to a buffer whose `DataView` exists already; the copy is
 * wiped afterwards. "Views": see ARCHITECTURE.md. The copy takes 25 ns. Such an input gets no
 * string cache either. See `deno task bench compare --only payload`.
 */
export const SMALL_INPUT = 512;

/** Minimum size for which young_generation.ts pays off: it reads V8's state twice, 5 µs each. */
export const PREPARED_INPUT = 1 << 20;

/**
 * Minimum size for which saving memory is worth the time: the values outgrow the young
 * generation. It gets an L2 string cache, and its long runs of numbers are joined before they
 * become an array. See `deno task bench memory`.
 */
export const LARGE_INPUT = 1 << 22;

/** Maximum size of an input, or of a window onto a larger one, whose positions are int32. */
export const PARSE_WINDOW = 0x7ffffff0;
