/** Interruption of reading, by a signal or after a time. */

import { wrongOption } from "../engine/argument_error.ts";
import { interruptedBy, timedOut, type UnreadBody } from "./body_failure.ts";

/** Maximum delay of a timer, in milliseconds. */
const MAX_TIMER = 2 ** 31 - 1;

/**
 * Checks the option `timeout`.
 *
 * @throws {TypeError} If it is not a number of milliseconds.
 */
export function checkTimeout(timeout: unknown): void {
  if (timeout === undefined || (typeof timeout === "number" && timeout >= 0)) return;
  throw wrongOption("timeout", timeout, "a non-negative number of milliseconds");
}

export interface BodyLimits {
  readonly maxBytes: number;
  /** Milliseconds; `Infinity` for no limit. */
  readonly timeout: number;
  readonly signal: AbortSignal | undefined;
}

/** Returns whether anything may interrupt reading. */
export function hasTimeLimits({ timeout, signal }: BodyLimits): boolean {
  return timeout < Infinity || signal !== undefined;
}

/** Waits for a signal and a timer, until it is ended. */
export class Interruption {
  readonly #limits: BodyLimits;
  readonly #interrupt: (failure: UnreadBody) => void;
  readonly #abort = () => this.#stop(interruptedBy(this.#limits.signal?.reason));
  readonly #timer: ReturnType<typeof setTimeout> | undefined;

  /** Begins to wait. Calls `interrupt` at most once, later. */
  constructor(limits: BodyLimits, interrupt: (failure: UnreadBody) => void) {
    const { timeout, signal } = limits;
    this.#limits = limits;
    this.#interrupt = interrupt;
    signal?.addEventListener("abort", this.#abort);
    if (timeout <= MAX_TIMER) {
      this.#timer = setTimeout(() => this.#stop(timedOut(`Body did not arrive within ${timeout} ms`)), timeout);
    }
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#limits.signal?.removeEventListener("abort", this.#abort);
  }

  #stop(failure: UnreadBody): void {
    this.end();
    this.#interrupt(failure);
  }
}

/** Settles as `work` does, or fulfils with a failure; `discard` gets a later result of `work`. */
export function interruptible<T>(
  work: Promise<T>,
  limits: BodyLimits,
  discard: (result: T) => void,
): Promise<T | UnreadBody> {
  return new Promise((resolve, reject) => {
    const interruption = new Interruption(limits, (failure) => {
      resolve(failure);
      work.then(discard, () => {});
    });
    work.then(
      (result) => {
        interruption.end();
        resolve(result);
      },
      (error) => {
        interruption.end();
        reject(error);
      },
    );
  });
}
