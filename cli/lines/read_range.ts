/** Reads the lines of a file that begin in a range of offsets. */

import { LINE_FEED } from "../../parser/base/ascii.ts";
import { platform } from "../platform/platform.ts";
import { type Block, CONTEXT_BYTES } from "./line_blocks.ts";

/** Bytes of a range: its work takes milliseconds, so that sending it costs little. */
const RANGE_BYTES = 2 ** 21;

const PIECE_BYTES = 2 ** 18;

/** Bytes after the end of a range that its last line may take. */
const MAX_EXCESS = 2 ** 23;

/** Lines of a file that begin in a range of offsets. */
export interface LineRange {
  readonly path: string;
  readonly start: number;
  readonly end: number;
}

/** Iterates over the ranges of a file from one offset to another. */
export function* rangesOf(path: string, start: number, end: number): Generator<LineRange> {
  for (; start < end; start += RANGE_BYTES) yield { path, start, end: Math.min(start + RANGE_BYTES, end) };
}

let buffer: Uint8Array<ArrayBuffer> | undefined;

/**
 * Iterates over pieces with the lines of a range, the first of which begins with a line at `at`. None
 * begins if the range is within a line. The pieces share a buffer.
 *
 * Returns the offset after the last line; -1 if the file or the caller ends before, or the line is
 * too long.
 */
export function* piecesOfRange({ path, start, end }: LineRange): Generator<Block, number> {
  buffer ??= new Uint8Array(PIECE_BYTES);
  const file = platform.openSync(path);
  let offset = Math.max(0, start - CONTEXT_BYTES);
  let hasBegun = false;
  try {
    file.seekSync(offset);
    while (offset < end + MAX_EXCESS) {
      const length = file.readSync(buffer);
      if (length === null) return -1;
      let bytes = buffer.subarray(0, length);
      const lineEnd = bytes.indexOf(LINE_FEED, Math.max(0, end - 1 - offset));
      const isLast = offset + length >= end && lineEnd >= 0;
      if (isLast) bytes = bytes.subarray(0, lineEnd + 1);
      let at = 0;
      if (!hasBegun) {
        at = start === 0 ? 0 : bytes.indexOf(LINE_FEED, Math.max(0, start - 1 - offset)) + 1;
        hasBegun = (at > 0 || start === 0) && offset + at < end;
      }
      if (hasBegun) yield { bytes, at, end: bytes.length, offset };
      offset += bytes.length;
      if (isLast) return offset;
    }
    return -1;
  } finally {
    file.close();
  }
}
