/** Cuts an input into blocks of whole lines, for threads. */

import { LINE_FEED } from "../bytes.ts";

/** Bytes of a block: its work takes milliseconds, so that sending it costs little. */
const BLOCK_BYTES = 2 ** 20;

/** Maximum bytes of a block. A longer line is left to the reader of this thread. */
export const MAX_BLOCK_BYTES = 2 ** 23;

/** Bytes before a block that excerpts of its first line may show. */
export const CONTEXT_BYTES = 2048;

/** Bytes that can be read after the end of a block. */
const SLACK = 8;

/** Bytes of lines from position `at` on. Those before it are for excerpts. */
export interface Block {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly at: number;
  end: number;
  /** Offset in the input of the first of these bytes. */
  readonly offset: number;
}

/** Returns a block without bytes. */
export function noBlock(): Block {
  return { bytes: new Uint8Array(0), at: 0, end: 0, offset: 0 };
}

/** Returns a piece of the input at `offset` as a block whose lines begin at offset `start`. */
export function blockOfPiece(bytes: Uint8Array<ArrayBuffer>, offset: number, start: number): Block {
  return { bytes, at: Math.min(start - offset, bytes.length), end: bytes.length, offset };
}

/** Bytes that have arrived and are not in a block yet. */
export class LineBlocks {
  #rest = noBlock();
  /** Position before which no line ends. */
  #searchedTo = 0;
  #free: Uint8Array<ArrayBuffer>[] = [];

  /** Begins with the bytes that another reader has left. */
  begin({ bytes, at, end, offset }: Block): void {
    this.#rest = { bytes: this.#copy(bytes.subarray(0, end)), at, end, offset };
    this.#searchedTo = at;
  }

  /** Number of bytes that a call of {@linkcode add} can take; 0 if the block is full. */
  get room(): number {
    return this.#rest.bytes.length - SLACK - this.#rest.end;
  }

  /** Adds bytes. Precondition: there is room. */
  add(piece: Uint8Array): void {
    this.#rest.bytes.set(piece, this.#rest.end);
    this.#rest.end += piece.length;
  }

  /** Makes room for a line that is longer than a block. Returns `false` if it is too long. */
  grow(): boolean {
    const { bytes } = this.#rest;
    if (bytes.length >= MAX_BLOCK_BYTES) return false;
    const larger = new Uint8Array(2 * bytes.length);
    larger.set(bytes);
    this.#rest = { ...this.#rest, bytes: larger };
    return true;
  }

  /** Cuts a block after the last line end. Returns `undefined` if there is none. */
  cut(): Block | undefined {
    const { bytes, end: last, offset } = this.#rest;
    const end = bytes.subarray(this.#searchedTo, last).lastIndexOf(LINE_FEED) + this.#searchedTo + 1;
    const isCut = end > this.#searchedTo;
    const block = { ...this.#rest, end };
    if (isCut) {
      const kept = Math.max(0, end - CONTEXT_BYTES);
      this.begin({ bytes: bytes.subarray(kept), at: end - kept, end: last - kept, offset: offset + kept });
    }
    this.#searchedTo = this.#rest.end;
    return isCut ? block : undefined;
  }

  takeRest(): Block {
    const rest = this.#rest;
    this.#rest = noBlock();
    this.#searchedTo = 0;
    return rest;
  }

  recycle({ bytes }: Block): void {
    if (bytes.length === BLOCK_BYTES) this.#free.push(bytes);
  }

  /** Copies bytes into a buffer for a block. */
  #copy(from: Uint8Array): Uint8Array<ArrayBuffer> {
    let length = BLOCK_BYTES;
    while (length <= from.length + SLACK) length *= 2;
    const bytes = length === BLOCK_BYTES && this.#free.pop() || new Uint8Array(length);
    bytes.set(from);
    return bytes;
  }
}
