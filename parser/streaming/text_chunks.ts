/**
 * Chunks of text as bytes. Two of them may cut a surrogate pair.
 *
 * @module
 */

import { lengthOf } from "../engine/input.ts";
import { encodeUtf8 } from "../base/encode_utf8.ts";

const { apply } = Reflect;
const { charCodeAt, slice } = String.prototype;
const { set } = Uint8Array.prototype;

/** Encoder of consecutive chunks, some of which may be bytes. */
export class TextEncoding {
  /** First half of a surrogate pair whose second half has not arrived. */
  #half = "";

  /** Returns the bytes of a text: all but those of a half surrogate pair at its end. */
  encode(text: string): Uint8Array {
    const whole = this.#half + text;
    const { length } = whole;
    const last = length > 0 ? apply(charCodeAt, whole, [length - 1]) as number : 0;
    const isCut = last >= 0xd800 && last < 0xdc00;
    this.#half = isCut ? apply(slice, whole, [length - 1]) as string : "";
    return encodeUtf8(isCut ? apply(slice, whole, [0, length - 1]) as string : whole);
  }

  /** Returns bytes, behind those of a half surrogate pair before them, which make the input wrong. */
  before(bytes: Uint8Array): Uint8Array {
    if (this.#half === "") return bytes;
    const half = this.take();
    const joined = new Uint8Array(lengthOf(half) + lengthOf(bytes));
    apply(set, joined, [half]);
    apply(set, joined, [bytes, lengthOf(half)]);
    return joined;
  }

  /** Takes the bytes of a half surrogate pair at the end of the input; usually none. */
  take(): Uint8Array {
    const half = encodeUtf8(this.#half);
    this.#half = "";
    return half;
  }
}
