/** Admission of calls to a chunked parser or validator. */

/** Status: takes calls; within a call; after a call that threw; after the end of the input. */
const READY = 0;
const BUSY = 1;
const BROKEN = 2;
const ENDED = 3;

/** Admits one call at a time, and none after one that threw, or after the last one. */
export class CallGate {
  #status = READY;
  readonly #object: string;
  readonly #release: () => void;

  /**
   * Makes a gate.
   *
   * @param object Name of the object for messages.
   * @param release Function that releases the leftovers of a call that threw.
   */
  constructor(object: string, release: () => void) {
    this.#object = object;
    this.#release = release;
  }

  /**
   * Makes a call.
   *
   * @throws {Error} If no call is admitted.
   */
  call<R>(action: string, work: () => R, endsCalls = false): R {
    if (this.#status !== READY) throw this.#refusedCall(action);
    this.#status = BUSY;
    try {
      const result = work();
      this.#status = endsCalls ? ENDED : READY;
      return result;
    } catch (error) {
      this.#status = BROKEN; // not set by a call, for which the stack may be too short
      this.#release();
      throw error;
    }
  }

  /**
   * Begins a new input, even after a call that threw or was the last one.
   *
   * @throws {Error} If a call is in progress.
   */
  reset(work: () => void): void {
    if (this.#status === BUSY) throw this.#refusedCall(`reset the ${this.#object}`);
    this.#status = BROKEN; // until all is reset: the stack may overflow first
    work();
    this.#status = READY;
  }

  #refusedCall(action: string): Error {
    const reason = this.#status === BUSY
      ? `a callback of this ${this.#object} is running`
      : this.#status === ENDED
      ? "the input has ended; reset() begins a new one"
      : "an earlier call threw before it was done; reset() begins a new input";
    return new Error(`Cannot ${action}: ${reason}`);
  }
}
