/**
 * Reading of a source piece by piece, with progress, until another job begins.
 *
 * @module
 */

import type { Progress } from "../messages.ts";

/** Milliseconds between two reports of progress. */
const REPORT_INTERVAL = 80;

/** Milliseconds of work after which messages are looked for. */
const TIME_SLICE = 30;

/** Job as its functions see it. */
export interface Turn {
  /** Whether another job has begun. */
  readonly isOver: boolean;
  report(progress: Progress): void;
}

/** Thrown where a job ends because another one has begun. */
export class Superseded extends Error {}

/** Lets messages arrive. */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}

/**
 * Iterates over the bytes of a source as they are read, and reports progress.
 *
 * @throws {Superseded} Once the turn is over.
 */
export async function* piecesOf(blob: Blob, turn: Turn): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  const reader = blob.stream().getReader();
  let done = 0;
  let reported = performance.now();
  let paused = reported;
  try {
    for (;;) {
      const { value } = await reader.read();
      if (value === undefined) return;
      yield value;
      done += value.length;
      const now = performance.now();
      if (now - paused > TIME_SLICE) {
        await nextTask();
        paused = performance.now();
      }
      if (turn.isOver) throw new Superseded();
      if (now - reported > REPORT_INTERVAL) {
        turn.report({ done, total: blob.size });
        reported = now;
      }
    }
  } finally {
    await reader.cancel();
  }
}
