/** Reads lines of a file in the thread that uses them. */

import { LINE_FEED } from "../bytes.ts";
import type { FileInfo, OpenFile } from "../platform/interface.ts";
import { platform } from "../platform/platform.ts";
import { type Block, CONTEXT_BYTES, MAX_BLOCK_BYTES } from "./line_blocks.ts";

/** Bytes of a range: its work takes milliseconds, so that sending it costs little. */
export const RANGE_BYTES = 2 ** 21;

/** Bytes read at a time after the end of a range, for its last line. */
const EXCESS = 2 ** 16;

/** Numbers that identify a file under any path; `null` if the system has none. */
export type FileIdentity = Pick<FileInfo, "dev" | "ino">;

/** Lines of a file that begin in a range of offsets. */
export interface LineRange {
  readonly path: string;
  /** File that the path named when it was opened. */
  readonly file: FileIdentity;
  readonly start: number;
  readonly end: number;
}

/** Lines that were sent, or are to be read. */
export type Lines = Block | LineRange;

let buffer = new Uint8Array(0);

/**
 * Returns the lines of a range, in a buffer that the next call overwrites; `undefined` if the file
 * ends before the last line does, the line is too long, or the path names another file by now.
 */
function readBlock({ path, file: { dev, ino }, start, end }: LineRange): Block | undefined {
  let file: OpenFile;
  try {
    file = platform.openSync(path);
  } catch {
    return undefined; // the main thread reads on from its open file
  }
  const offset = Math.max(0, start - CONTEXT_BYTES);
  const last = end - 1 - offset;
  try {
    const found = file.statSync();
    if (found.dev !== dev || found.ino !== ino) return undefined;
    for (let filled = 0;;) {
      if (filled === buffer.length) {
        if (filled > RANGE_BYTES + MAX_BLOCK_BYTES) return undefined;
        const larger = new Uint8Array(Math.max(RANGE_BYTES + CONTEXT_BYTES + EXCESS, 2 * filled));
        larger.set(buffer);
        buffer = larger;
      }
      const length = file.readSync(buffer.subarray(filled, Math.max(filled, last) + EXCESS), offset + filled);
      if (length === null) return undefined;
      filled += length;
      const lineEnd = filled > last ? buffer.subarray(0, filled).indexOf(LINE_FEED, last) : -1;
      if (lineEnd < 0) continue;
      const at = start === 0 ? 0 : buffer.indexOf(LINE_FEED, start - 1 - offset) + 1;
      return { bytes: buffer, at, end: lineEnd + 1, offset };
    }
  } finally {
    file.close();
  }
}

/** Returns lines that were sent, or reads those of a range. */
export function blockOf(lines: Lines): Block | undefined {
  return "path" in lines ? readBlock(lines) : lines;
}

/** Returns the buffer of lines that were sent, to send it back. */
export function buffersOf(lines: Lines): ArrayBuffer[] {
  return "path" in lines ? [] : [lines.bytes.buffer];
}
