/**
 * Interrupts by SIGINT and SIGTERM. A command that has to finish something catches the first one;
 * any other command ends at once.
 */

import { platform } from "./platform/platform.ts";
import { EXIT } from "./program.ts";
import { noteInterrupt } from "./terminal/streams.ts";

export interface Interrupt {
  isRaised: boolean;
  exit: number;
  /**
   * Callback for the moment it is raised. One slot instead of a promise, which would keep a million
   * callbacks after a million waits.
   */
  onRaise: (() => void) | undefined;
}

let caught: Interrupt | undefined;
let report: (() => void) | undefined;

export function listenToSignals(): void {
  platform.onSignal("SIGINT", () => handleInterrupt(EXIT.interrupted));
  // Windows has no SIGTERM to listen to.
  if (!platform.isWindows) platform.onSignal("SIGTERM", () => handleInterrupt(EXIT.terminated));
}

/** Raises the caught interrupt, or ends the process if it is raised already. */
function handleInterrupt(exit: number): void {
  if (exit === EXIT.interrupted) noteInterrupt();
  if (caught === undefined) report?.();
  if (caught === undefined || caught.isRaised) platform.exit(exit);
  caught.isRaised = true;
  caught.exit = exit;
  caught.onRaise?.();
}

/** Catches the first interrupt from now on. The process continues; the command should end soon. */
export function catchInterrupt(): Interrupt {
  return caught = { isRaised: false, exit: EXIT.interrupted, onRaise: undefined };
}

export function reportInterruptWith(callback: () => void): void {
  report = callback;
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

/** Gives the event loop a turn if one is due. Every loop that may take long awaits it. */
export async function yieldToEvents(): Promise<void> {
  if (performance.now() - lastTurn < TURN_INTERVAL) return;
  await platform.yieldToEventLoop();
  lastTurn = performance.now();
}
