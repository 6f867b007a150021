/** Reading of a source piece by piece, with progress. */

import type { Report } from "../messages.ts";

const REPORT_INTERVAL = 80;

const PIECE_BYTES = 2 ** 22;

/**
 * Iterates over the bytes of a source as they are read, and reports progress.
 *
 * Not `blob.stream()`, whose chunks have up to 256 MiB in Firefox.
 */
export async function* piecesOf(blob: Blob, report: Report): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  let reported = performance.now();
  for (let done = 0; done < blob.size;) {
    const end = Math.min(done + PIECE_BYTES, blob.size);
    yield new Uint8Array(await blob.slice(done, end).arrayBuffer());
    done = end;
    const now = performance.now();
    if (now - reported < REPORT_INTERVAL) continue;
    report({ done, total: blob.size });
    reported = now;
  }
}
