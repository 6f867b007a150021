/** Turns of the event loop, so that long parses let other tasks run. */

/** Globals of runtimes that this module uses. */
interface EventLoopGlobals {
  Deno?: unknown;
  setImmediate?(callback: () => void): unknown;
  clearImmediate?(id: unknown): void;
}

/** A scheduled turn of the event loop. Other tasks run before it, input and output included. */
export class Turn {
  /** Fulfilled when the turn begins or is cancelled. */
  readonly hasBegun: Promise<void>;
  /** Time when the turn began; 0 until then. */
  start = 0;
  cancel!: () => void;

  constructor() {
    this.hasBegun = new Promise((resolve) => {
      const stop = callInNextTurn(() => {
        this.start = performance.now();
        resolve();
      });
      this.cancel = () => {
        stop();
        resolve();
      };
    });
  }
}

/**
 * Schedules a call in the next turn of the event loop. Returns a function that cancels it.
 *
 * Browsers delay timers by 4 ms, Node.js and Bun by 1 ms, so they get messages and immediates. Deno
 * reads no sockets between consecutive messages or immediates (0 of 58 turns; with timers, all), so
 * it gets a timer.
 */
function callInNextTurn(callback: () => void): () => void {
  const { Deno, setImmediate, clearImmediate } = globalThis as EventLoopGlobals;
  if (Deno === undefined && setImmediate !== undefined) {
    const id = setImmediate(callback);
    return () => clearImmediate?.(id);
  }
  if (Deno !== undefined || typeof MessageChannel === "undefined") {
    const id = setTimeout(callback);
    return () => clearTimeout(id);
  }
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    port1.close();
    callback();
  };
  port2.postMessage(undefined);
  return () => port1.close();
}
