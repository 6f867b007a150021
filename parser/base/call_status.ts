/**
 * Status of a chunked parser or validator: whether it takes calls and, if not, why.
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

/** Makes the error of a refused call. `object` and `action` are words of its message. */
export function refusal(object: string, action: string, status: number): Error {
  const reason = status === BUSY
    ? `a callback of this ${object} is running`
    : status === ENDED
    ? "the input has ended; reset() begins a new one"
    : "an earlier call threw before it was done; reset() begins a new input";
  return new Error(`Cannot ${action}: ${reason}`);
}
