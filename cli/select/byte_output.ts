/** Bytes of the output that are not written yet, in one buffer that is reused. */

import { decodeName, HIGH_BITS, lowestByte } from "../../parser/streaming/cli_internals.ts";
import { BACKSLASH, LOWER_U, QUOTE, SPACE } from "../bytes.ts";

const QUOTES = 0x22222222;
const BACKSLASHES = 0x5c5c5c5c;

const FIRST_SIZE = 2 ** 18;
/** Maximum bytes of a buffer that is kept after its content was written. */
const MAX_KEPT = 2 ** 22;
/** Bytes that a copy may write after its end: it copies whole words. */
const SLACK = 8;
/** Maximum bytes of a copy by words. A longer one needs a view, as slow as copying 200 bytes. */
const MAX_BY_WORDS = 512;

const encoder = new TextEncoder();

export class ByteOutput {
  bytes: Uint8Array<ArrayBuffer> = new Uint8Array(FIRST_SIZE);
  view: DataView<ArrayBuffer> = new DataView(this.bytes.buffer);
  /** Number of bytes. Setting a smaller number drops the last bytes. */
  length = 0;
  /** Number of bytes, from the first one on, that are results and may be written. */
  committed = 0;

  /** Whether the last compacted part ended within a string, and after a backslash in it. */
  #isInString = false;
  #isEscaped = false;

  /** Makes room for `more` bytes. */
  reserve(more: number): void {
    const needed = this.length + more + SLACK;
    if (needed <= this.bytes.length) return;
    const larger = new Uint8Array(Math.max(2 * this.bytes.length, needed));
    larger.set(this.bytes.subarray(0, this.length));
    this.bytes = larger;
    this.view = new DataView(larger.buffer);
  }

  dropCommitted(): void {
    if (this.length > this.committed) this.bytes.copyWithin(0, this.committed, this.length);
    this.length -= this.committed;
    this.committed = 0;
    if (this.length > 0 || this.bytes.length <= MAX_KEPT) return;
    this.bytes = new Uint8Array(FIRST_SIZE);
    this.view = new DataView(this.bytes.buffer);
  }

  addByte(byte: number): void {
    if (this.length + SLACK >= this.bytes.length) this.reserve(1);
    this.bytes[this.length++] = byte;
  }

  addShort(bytes: Uint8Array): void {
    const { length } = bytes;
    if (this.length + length + SLACK > this.bytes.length) this.reserve(length);
    const out = this.bytes;
    let o = this.length;
    for (let i = 0; i < length; i++) out[o++] = bytes[i];
    this.length = o;
  }

  addText(text: string): void {
    this.reserve(3 * text.length);
    this.length += encoder.encodeInto(text, this.bytes.subarray(this.length)).written;
  }

  /** Adds `bytes[start, end)`. */
  addRange(bytes: Uint8Array, view: DataView, start: number, end: number): void {
    const size = end - start;
    if (this.length + size + SLACK > this.bytes.length) this.reserve(size);
    const o = this.length;
    if (size <= MAX_BY_WORDS && end + 3 <= view.byteLength) {
      const to = this.view;
      for (let i = 0; i < size; i += 4) to.setInt32(o + i, view.getInt32(start + i, true), true);
    } else {
      this.bytes.set(bytes.subarray(start, end), o);
    }
    this.length = o + size;
  }

  /** Adds the value `bytes[start, end)`, without the whitespace between its tokens. */
  addValue(bytes: Uint8Array, view: DataView, start: number, end: number): void {
    const first = bytes[start] | 0x20;
    if (first !== 0x7b) return this.addRange(bytes, view, start, end);
    this.beginPart();
    this.addPart(bytes, view, start, end);
  }

  /** Begins a value that {@linkcode addPart} adds. */
  beginPart(): void {
    this.#isInString = this.#isEscaped = false;
  }

  /**
   * Adds the next part of a value, without the whitespace between its tokens.
   *
   * Precondition: the part is valid.
   */
  addPart(bytes: Uint8Array, view: DataView, start: number, end: number): void {
    this.reserve(end - start);
    const out = this.bytes;
    const to = this.view;
    const wordEnd = end - 4;
    let o = this.length;
    let isInString = this.#isInString;
    let isEscaped = this.#isEscaped;
    for (let p = start; p < end;) {
      const c = bytes[p];
      if (!isInString) {
        p++;
        if (c <= SPACE) continue;
        if (c === QUOTE) isInString = true;
        out[o++] = c;
        continue;
      }
      if (isEscaped || c === QUOTE || c === BACKSLASH || p > wordEnd) {
        p++;
        isInString = isEscaped || c !== QUOTE;
        isEscaped = !isEscaped && c === BACKSLASH;
        out[o++] = c;
        continue;
      }
      // Text by words, up to a quote or a backslash: as in `skipText`.
      for (; p <= wordEnd; p += 4, o += 4) {
        const word = view.getInt32(p, true);
        to.setInt32(o, word, true);
        const stops = ((word ^ QUOTES) - 0x01010101 | (word ^ BACKSLASHES) - 0x01010101) & ~word & HIGH_BITS;
        if (stops === 0) continue;
        const size = lowestByte(stops);
        p += size;
        o += size;
        break;
      }
    }
    this.length = o;
    this.#isInString = isInString;
    this.#isEscaped = isEscaped;
  }

  /** Replaces the JSON string that begins at `start` by its text. Leaves other values. */
  decodeString(start: number): void {
    const { bytes, length } = this;
    if (start >= length || bytes[start] !== QUOTE) return;
    let o = start;
    for (let p = start + 1; p < length - 1;) {
      let q = bytes.subarray(0, length).indexOf(BACKSLASH, p);
      if (q < 0) q = length - 1;
      bytes.copyWithin(o, p, q);
      o += q - p;
      p = q;
      while (bytes[q] === BACKSLASH) q += bytes[q + 1] === LOWER_U ? 6 : 2;
      // Never longer than the escapes. Half of a surrogate pair becomes a replacement character.
      o += encoder.encodeInto(decodeName(bytes, p, q), bytes.subarray(o)).written;
      p = q;
    }
    this.length = o;
  }
}
