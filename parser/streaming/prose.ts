/**
 * Skips the text before an embedded value, such as the words and the opening code fence that a
 * language model puts before its JSON. `tests/library/embedded_test.ts` tests its rule.
 */

import {
  CARRIAGE_RETURN,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COMMA,
  LINE_FEED,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  SPACE,
  TAB,
} from "../base/ascii.ts";
import { excessOf } from "../base/line_counter.ts";
import { lengthOf } from "../engine/input.ts";
import { NO_BYTES } from "../engine/no_bytes.ts";
import {
  ACCEPT,
  ACCEPT_BEFORE,
  AFTER_ELEMENT,
  FIRST_KEY,
  FIRST_VALUE,
  REJECT,
  TOKEN,
  TRANSITIONS,
} from "../validation/token_dfa.ts";
import { type ChunkParser, type ProseReader, readChunk } from "./chunk_parser.ts";
import { countTo } from "./parser_state.ts";

/** Maximum number of bytes after a bracket to decide whether it begins the value. */
const MAX_HELD = 64;

/**
 * Reads the chunks up to the beginning of the value, as whitespace of the same length and lines. So
 * offsets and lines are those of the input.
 */
export class Prose implements ProseReader {
  readonly #beginsWithBrace: boolean;
  /** Bytes from the bracket on that may begin the value. */
  #held = NO_BYTES;
  /** State of the automaton after these. */
  #state = REJECT;
  /** Bytes of the current line before them minus their UTF-16 code units. */
  #excessBytes = 0;

  /** @param beginsWithBrace Whether the value is an object: other brackets are text. */
  constructor(beginsWithBrace: boolean) {
    this.#beginsWithBrace = beginsWithBrace;
  }

  read(parser: ChunkParser, chunk: Uint8Array): void {
    const held = this.#held.length;
    const length = held + lengthOf(chunk);
    const bytes = new Uint8Array(length); // a copy: chunks are not ours to change
    bytes.set(this.#held);
    bytes.set(chunk, held);
    let start = held > 0 ? 0 : -1;
    for (let p = held; p < length; p++) {
      const byte = bytes[p];
      if (start >= 0) {
        this.#state = stateAfter(this.#state, byte);
        if (this.#state !== REJECT) {
          if (this.#state === ACCEPT || p - start >= MAX_HELD) return this.#begin(parser, bytes, start);
          continue;
        }
        this.#blank(bytes, start, p);
        start = -1;
      }
      if (byte === OPEN_BRACE || byte === OPEN_BRACKET && !this.#beginsWithBrace) {
        this.#state = byte === OPEN_BRACE ? FIRST_KEY : FIRST_VALUE;
        start = p;
      } else this.#blank(bytes, p, p + 1);
    }
    if (start < 0) start = length;
    this.#held = bytes.slice(start);
    readChunk(parser, bytes.subarray(0, start));
  }

  /** Ends the input. A bracket that nothing follows is text. */
  end(parser: ChunkParser): void {
    const held = this.#held;
    this.#blank(held, 0, held.length);
    this.#begin(parser, held, held.length);
  }

  #begin(parser: ChunkParser, bytes: Uint8Array, start: number): void {
    const { state } = parser;
    parser.prose = null;
    readChunk(parser, bytes.subarray(0, start));
    countTo(state, state.reader.position);
    state.location.excessBytes += this.#excessBytes;
    readChunk(parser, bytes.subarray(start));
  }

  #blank(bytes: Uint8Array, from: number, to: number): void {
    for (let p = from; p < to; p++) {
      const byte = bytes[p];
      if (byte === LINE_FEED || byte === CARRIAGE_RETURN) this.#excessBytes = 0;
      else bytes[p] = SPACE;
      if (byte >= 0x80) this.#excessBytes += excessOf(byte);
    }
  }
}

/**
 * Returns the state after a byte that follows a bracket: {@linkcode ACCEPT} if the bracket begins a
 * value, {@linkcode REJECT} if it is text.
 */
function stateAfter(state: number, byte: number): number {
  if (state >= TOKEN) {
    const next = TRANSITIONS[state << 8 | byte];
    if (next === ACCEPT) return AFTER_ELEMENT; // a literal has ended
    if (next !== ACCEPT_BEFORE) return next;
    state = AFTER_ELEMENT;
  }
  if (byte === SPACE || byte === LINE_FEED || byte === CARRIAGE_RETURN || byte === TAB) return state;
  if (state === AFTER_ELEMENT) return byte === COMMA || byte === CLOSE_BRACKET ? ACCEPT : REJECT;
  if (state === FIRST_KEY) return byte === QUOTE || byte === CLOSE_BRACE ? ACCEPT : REJECT;
  if (byte === QUOTE || byte === CLOSE_BRACKET) return ACCEPT;
  return byte === OPEN_BRACKET ? FIRST_VALUE : byte === OPEN_BRACE ? FIRST_KEY : TRANSITIONS[byte];
}
