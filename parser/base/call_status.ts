/**
 * Status of a parser or validator of chunks: whether it takes calls, and why not.
 *
 * @module
 */

/** Takes calls. */
export const READY = 0;
/** Within a call. */
export const BUSY = 1;
/** After a call that threw. */
export const BROKEN = 2;
/** After the end of the input. */
export const ENDED = 3;

/** Makes the error for a call that an object refuses, such as a `"parser"`. */
export function refusal(object: string, action: string, status: number): Error {
  const reason = status === BUSY
    ? `a callback of this ${object} is running`
    : status === ENDED
    ? "the input has ended; reset() begins a new one"
    : "an earlier call threw before it was done; reset() begins a new input";
  return new Error(`Cannot ${action}: ${reason}`);
}
