/**
 * Interrupts by SIGINT. A command that has to finish something catches the first one; any other
 * command ends at once.
 *
 * @module
 */

import { EXIT } from "./program.ts";

/** State of a caught interrupt. */
export interface Interrupt {
  isRaised: boolean;
  /**
   * Callback for the moment it is raised. One slot instead of a promise: waiting a million times
   * leaves no million callbacks behind.
   */
  onRaise: (() => void) | undefined;
}

let caught: Interrupt | undefined;

/** Handles SIGINT: raises the caught interrupt, or ends the process if it is raised already. */
export function handleInterrupt(): void {
  if (caught === undefined || caught.isRaised) Deno.exit(EXIT.interrupted);
  caught.isRaised = true;
  caught.onRaise?.();
}

/** Catches the first interrupt from now on. The process goes on, and the command is to end soon. */
export function catchInterrupt(): Interrupt {
  return caught = { isRaised: false, onRaise: undefined };
}

/** Resolves like the promise, or with `undefined` as soon as the interrupt is raised. */
export function unlessInterrupted<T>(promise: Promise<T>, interrupt: Interrupt | undefined): Promise<T | undefined> {
  if (interrupt === undefined) return promise;
  return new Promise((resolve, reject) => {
    if (interrupt.isRaised) resolve(undefined);
    interrupt.onRaise = () => resolve(undefined);
    promise.then(resolve, reject);
  });
}

/** Milliseconds of work before the event loop gets a turn. */
const TURN_INTERVAL = 50;
let lastTurn = performance.now();

/** Gives the event loop a turn if one is due. To be awaited in every loop that may last. */
export async function yieldToEvents(): Promise<void> {
  if (performance.now() - lastTurn < TURN_INTERVAL) return;
  await new Promise((resolve) => setTimeout(resolve));
  lastTurn = performance.now();
}
