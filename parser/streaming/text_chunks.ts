/**
 * Chunks of text, parsed as their UTF-8. Two of them may cut a surrogate pair.
 *
 * @module
 */

import { encodeUtf8 } from "../base/encode_utf8.ts";
import { type ChunkParser, parseChunk, parseText } from "./chunk_parser.ts";

const { apply } = Reflect;
const { charCodeAt, slice } = String.prototype;

/** Parses consecutive chunks of text, some of which may be bytes. */
export class TextChunks {
  /** First half of a surrogate pair whose second half has not arrived. */
  #half = "";

  /** Parses a text, but for half a surrogate pair at its end. Returns what `parseChunk` returns. */
  parse(parser: ChunkParser, text: string): boolean {
    if (this.#half !== "") text = this.#half + text;
    const last = text.length - 1;
    const isCut = last >= 0 && (apply(charCodeAt, text, [last]) as number) >>> 10 === 0x36;
    this.#half = isCut ? apply(slice, text, [last]) as string : "";
    return parseText(parser, isCut ? apply(slice, text, [0, last]) as string : text);
  }

  /** Parses half a surrogate pair that ends here, which is wrong. Call it before bytes and the end. */
  endText(parser: ChunkParser): void {
    if (this.#half === "") return;
    const half = encodeUtf8(this.#half);
    this.#half = "";
    parseChunk(parser, half);
  }
}
