/** Interrupts: a command that has something to finish first asks for them, any other ends at once. */

import { EXIT } from "./commands.ts";

/** What a command that has asked for interrupts looks at. */
export interface Interrupt {
  isRaised: boolean;
  /** Called when it is raised. One slot instead of a promise: who waits for it a million times leaves nothing behind. */
  onRaise: (() => void) | undefined;
}

let caught: Interrupt | undefined;

/** An interrupt, or a second one after which nothing is waited for. */
export function interrupt(): void {
  if (caught === undefined || caught.isRaised) Deno.exit(EXIT.interrupted);
  caught.isRaised = true;
  caught.onRaise?.();
}

/** Asks for the first interrupt: the process goes on, and the command is to end soon. */
export function catchInterrupt(): Interrupt {
  return caught = { isRaised: false, onRaise: undefined };
}

/** Resolves as the promise does, or with undefined as soon as there is an interrupt. */
export function unlessInterrupted<T>(promise: Promise<T>, interrupt: Interrupt | undefined): Promise<T | undefined> {
  if (interrupt === undefined) return promise;
  return new Promise((resolve, reject) => {
    if (interrupt.isRaised) resolve(undefined);
    interrupt.onRaise = () => resolve(undefined);
    promise.then(resolve, reject);
  });
}

/** Milliseconds of work between two looks at interrupts, timers and messages. */
const SLICE = 50;
let lastBreath = performance.now();

/** Lets interrupts, timers and messages in, if it is time. To be awaited in every loop that may last. */
export async function breathe(): Promise<void> {
  if (performance.now() - lastBreath < SLICE) return;
  await new Promise((resolve) => setTimeout(resolve));
  lastBreath = performance.now();
}
