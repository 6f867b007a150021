/**
 * Sizes of inputs, in bytes, at which the parser and the validator change their ways.
 *
 * @module
 */

/**
 * Largest input that is copied to where a view of it is ready, and wiped afterwards. Making a
 * `DataView` costs 115 ns, as much as parsing 30 bytes, the copy 25 ns. Such an input gets no
 * string cache either. See `deno task compare --only payload`.
 */
export const SMALL_INPUT = 512;

/**
 * Smallest input for which memory counts more than the time it takes to save some: its values
 * cross the young generation, which grows with what survives there, and fill the old one. It gets
 * an L2 string cache, and its long runs of numbers are joined before they become an array. See
 * `deno task memory`.
 */
export const LARGE_INPUT = 1 << 22;
