/** Cuts an input into blocks of whole lines, for threads. */

import { LINE_FEED } from "../../parser/base/ascii.ts";

/** Bytes of a block: its work takes milliseconds, so that sending it costs little. */
const BLOCK_BYTES = 2 ** 20;

/** Bytes of the longest block. A longer line is left to the reader of this thread. */
const MAX_BLOCK_BYTES = 2 ** 23;

/** Bytes before a block that excerpts of its first line may show. */
export const CONTEXT_BYTES = 2048;

/** Bytes that can be read after the end of a block. */
const SLACK = 8;

/** Bytes that begin with a line, at `at`, after others that only excerpts show. */
export interface Block {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly at: number;
  readonly end: number;
  /** Offset in the input of the first of these bytes. */
  readonly offset: number;
}

/** Bytes that have arrived and are in no block yet. */
export class LineBlocks {
  #bytes: Uint8Array<ArrayBuffer> = new Uint8Array(0);
  #at = 0;
  #end = 0;
  #offset = 0;
  /** Position before which no line ends. */
  #searchedTo = 0;
  #free: Uint8Array<ArrayBuffer>[] = [];

  /** Begins with the rest of what another reader has. */
  begin(rest: Block): void {
    this.#bytes = this.#take(rest.end);
    this.#bytes.set(rest.bytes.subarray(0, rest.end));
    this.#at = this.#searchedTo = rest.at;
    this.#end = rest.end;
    this.#offset = rest.offset;
  }

  /** Number of bytes that a call of {@linkcode add} can take. None: the block is full. */
  get room(): number {
    return this.#bytes.length - SLACK - this.#end;
  }

  /** Adds bytes. Precondition: there is room. */
  add(piece: Uint8Array): void {
    this.#bytes.set(piece, this.#end);
    this.#end += piece.length;
  }

  /** Makes room for a line that is longer than a block. Returns `false` if it is too long. */
  grow(): boolean {
    if (this.#bytes.length >= MAX_BLOCK_BYTES) return false;
    const larger = new Uint8Array(2 * this.#bytes.length);
    larger.set(this.#bytes);
    this.#bytes = larger;
    return true;
  }

  /** Cuts a block after the last line end. Returns `undefined` if there is none. */
  cut(): Block | undefined {
    const end = this.#bytes.subarray(this.#searchedTo, this.#end).lastIndexOf(LINE_FEED) + this.#searchedTo + 1;
    if (end === this.#searchedTo) {
      this.#searchedTo = this.#end;
      return undefined;
    }
    const block = { bytes: this.#bytes, at: this.#at, end, offset: this.#offset };
    const kept = Math.max(0, end - CONTEXT_BYTES);
    this.begin({
      bytes: this.#bytes.subarray(kept),
      at: end - kept,
      end: this.#end - kept,
      offset: this.#offset + kept,
    });
    this.#searchedTo = this.#end;
    return block;
  }

  takeRest(): Block {
    const block = { bytes: this.#bytes, at: this.#at, end: this.#end, offset: this.#offset };
    this.#bytes = new Uint8Array(0);
    this.#at = this.#end = this.#searchedTo = 0;
    return block;
  }

  recycle({ bytes }: Block): void {
    if (bytes.length === BLOCK_BYTES) this.#free.push(bytes);
  }

  #take(size: number): Uint8Array<ArrayBuffer> {
    let length = BLOCK_BYTES;
    while (length <= size + SLACK) length *= 2;
    return length === BLOCK_BYTES && this.#free.pop() || new Uint8Array(length);
  }
}
