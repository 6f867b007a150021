/**
 * Buffer of the streaming parser: the bytes of a chunk, after those of an incomplete token from the
 * previous chunk.
 *
 * Chunks are appended until the buffer is full. So the view, and the string cache, which refers to
 * positions, last for many small chunks.
 */

import { BACKSLASH, QUOTE, SPACE } from "../base/ascii.ts";
import { writeUtf8 } from "../base/encode_utf8.ts";
import { bufferOf, offsetOf, requireStack } from "../engine/input.ts";
import { NO_BYTES, NO_VIEW } from "../engine/no_bytes.ts";

/** Bytes of the first buffer, unless more arrive at once. */
const FIRST_SIZE = 1 << 14;
/** Bytes of its replacement once it is full. */
export const USUAL_SIZE: number = 1 << 18;

/** Maximum bytes of a buffer, and so of an incomplete token: positions in it are int32. */
const MAX_SIZE = 1 << 30;

/** Bytes that have arrived and are not read yet, and some before them. */
export interface ChunkBuffer {
  bytes: Uint8Array<ArrayBuffer>;
  view: DataView<ArrayBuffer>;
  /** View of the bytes up to `end`, for searches: beyond `end` the buffer holds stale bytes. */
  arrived: Uint8Array<ArrayBuffer>;
  /** Position after the last byte that arrived. */
  end: number;
  /** Position after the last byte ever written. */
  used: number;
  /** Offset in the input of the byte at position 0. */
  origin: number;
}

/** Maximum code units of a text that is checked unit by unit, not by words of its UTF-8. */
export const MAX_LOOKED_AT = 64;

/** Released, wiped buffer of `USUAL_SIZE`, if any. Making one takes as long as parsing 10 KB. */
let spare: Uint8Array<ArrayBuffer> = NO_BYTES;

/** Makes a buffer at the beginning of an input. Memory is allocated for the first chunk. */
export function newChunkBuffer(): ChunkBuffer {
  return { bytes: NO_BYTES, view: NO_VIEW, arrived: NO_BYTES, end: 0, used: 0, origin: 0 };
}

/** Releases the memory of a buffer. One of the usual size is wiped and kept for the next. */
export function releaseChunkBuffer(buffer: ChunkBuffer): void {
  if (buffer.bytes.length === USUAL_SIZE && buffer.used > 0) {
    spare = buffer.bytes;
    spare.fill(0, 0, buffer.used);
  }
  buffer.used = 0;
  buffer.bytes = NO_BYTES;
  buffer.view = NO_VIEW;
  buffer.arrived = NO_BYTES;
  buffer.end = 0;
}

/**
 * Makes room for some of `arriving` bytes if the buffer is full, by dropping the bytes before
 * `position`. Returns by how much the kept bytes have moved down, or -1 if there is no memory.
 */
export function reserveBytes(buffer: ChunkBuffer, position: number, arriving: number): number {
  const { bytes, end } = buffer;
  if (end < bytes.length) return 0;
  const kept = end - position;
  // At least half of the buffer is then free, so that moving bytes takes linear time.
  let size = Math.max(bytes.length, USUAL_SIZE);
  if (bytes.length === 0 && arriving <= FIRST_SIZE && spare.length === 0) size = FIRST_SIZE;
  while (size < 2 * kept) size *= 2;
  if (size > MAX_SIZE) return -1;
  if (size === bytes.length) {
    bytes.copyWithin(0, position, end);
  } else {
    let larger: Uint8Array<ArrayBuffer>;
    try {
      larger = size === spare.length ? spare : new Uint8Array(size);
    } catch {
      requireStack();
      return -1;
    }
    if (larger === spare) spare = NO_BYTES;
    larger.set(new Uint8Array(bytes.buffer, position, kept));
    buffer.bytes = larger;
    buffer.view = new DataView(larger.buffer);
    buffer.used = 0;
  }
  setEnd(buffer, kept);
  buffer.origin += position;
  return position;
}

/**
 * Appends bytes of `chunk` from `start` on, up to the capacity. Returns their number.
 *
 * @throws {TypeError} If the buffer of the chunk is detached.
 * @throws {RangeError} If it was shortened.
 */
export function appendChunk(buffer: ChunkBuffer, chunk: Uint8Array, start: number, length: number): number {
  const { bytes, end } = buffer;
  const size = Math.min(length - start, bytes.length - end);
  bytes.set(new Uint8Array(bufferOf(chunk), offsetOf(chunk) + start, size), end);
  setEnd(buffer, end + size);
  return size;
}

function setEnd(buffer: ChunkBuffer, end: number): void {
  buffer.end = end;
  buffer.used = Math.max(buffer.used, end);
  buffer.arrived = new Uint8Array(buffer.bytes.buffer, 0, end);
}

/** Shows bytes in place of chunks. They begin at an offset of the input. */
export function showBytes(buffer: ChunkBuffer, bytes: Uint8Array<ArrayBuffer>, origin: number): void {
  buffer.bytes = buffer.arrived = bytes;
  buffer.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  buffer.end = bytes.length;
  buffer.origin = origin;
}

/** Appends the UTF-8 of a text. Precondition: it fits. */
export function appendText(buffer: ChunkBuffer, text: string): void {
  setEnd(buffer, writeUtf8(text, buffer.bytes, buffer.end));
}

/**
 * Appends a text of printable ASCII without quotes and backslashes. Returns `false` if the text is
 * longer or of another kind, or there is no room. Does not update {@linkcode ChunkBuffer.arrived},
 * which takes longer to make than a short text to append: see {@linkcode showArrived}.
 */
export function appendPlainText(buffer: ChunkBuffer, text: string): boolean {
  const { bytes, end } = buffer;
  const { length } = text;
  if (length > MAX_LOOKED_AT || length > bytes.length - end) return false;
  buffer.used = Math.max(buffer.used, end + length);
  for (let i = 0; i < length; i++) {
    const c = text.charCodeAt(i);
    if (c < SPACE || c > 0x7e || c === QUOTE || c === BACKSLASH) return false;
    bytes[end + i] = c;
  }
  buffer.end = end + length;
  return true;
}

/** Extends `arrived` to the end, after plain text was appended. */
export function showArrived(buffer: ChunkBuffer): void {
  if (buffer.arrived.length !== buffer.end) setEnd(buffer, buffer.end);
}

/**
 * Shows a reader only the bytes up to `end`. Makes no array if it sees them already: a new one for
 * each line takes a tenth of the time of a filter.
 */
export function showUpTo(
  reader: { bytes: Uint8Array; view: DataView },
  { arrived, view }: ChunkBuffer,
  end: number,
): void {
  if (reader.view !== view || reader.bytes.length !== end) reader.bytes = bytesUpTo(arrived, end);
  reader.view = view;
}

/** Returns the bytes up to `end`, and no others. */
export function bytesUpTo(arrived: Uint8Array, end: number): Uint8Array {
  return arrived.length === end ? arrived : new Uint8Array(arrived.buffer, 0, end);
}
