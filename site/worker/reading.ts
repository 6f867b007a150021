/** Reading of a source piece by piece, with progress, until another job begins. */

import type { Progress } from "../messages.ts";

/** Milliseconds between two reports of progress. */
const REPORT_INTERVAL = 80;

/** Bytes of a piece. */
const PIECE_BYTES = 2 ** 22;

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
 * Iterates over the bytes of a source as they are read, and reports progress. Messages can arrive
 * between two pieces.
 *
 * Not `blob.stream()`, whose chunks have up to 256 MiB in Firefox.
 *
 * @throws {Superseded} Once the turn is over.
 */
export async function* piecesOf(blob: Blob, turn: Turn): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  let reported = performance.now();
  for (let done = 0; done < blob.size;) {
    const end = Math.min(done + PIECE_BYTES, blob.size);
    const piece = new Uint8Array(await blob.slice(done, end).arrayBuffer());
    if (turn.isOver) throw new Superseded();
    yield piece;
    done = end;
    const now = performance.now();
    if (now - reported < REPORT_INTERVAL) continue;
    turn.report({ done, total: blob.size });
    reported = now;
    await nextTask();
  }
}
