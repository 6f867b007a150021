/** Parsing of bytes that arrive in chunks. */

import { CallGate } from "../base/call_gate.ts";
import type { ParseFailure, ParseResult } from "../base/failure.ts";
import { Queue } from "../base/queue.ts";
import { bytesOf, NO_OPTIONS } from "../engine/input.ts";
import { GUARD_NAMES } from "../base/option_names.ts";
import { guardsOf, type ParseOptions } from "../options/options.ts";
import type { Slice } from "../../slice.ts";
import {
  type ChunkParser,
  endChunks,
  releaseChunkParser,
  resetChunkParser,
  takeResult,
  TextChunks,
} from "./chunk_parser.ts";
import type {
  InvalidValue,
  ParsedValue,
  ParseValuesOptions,
  PartialResult,
  ValueSeparation,
} from "./stream_options.ts";
import { newParserOf } from "./parser_of_options.ts";
import { AFTER, ParserSink, type ParserState } from "./parser_state.ts";
import {
  completePartial,
  newPartialReader,
  NOTHING,
  type PartialReader,
  readPartial,
  readPartialBetween,
} from "./partial_value.ts";

const PARSER_NAMES = /* @__PURE__ */ GUARD_NAMES.concat(
  ["multiple", "at", "select", "where", "maxTokenBytes", "onValue", "onFailure", "onInvalid"],
);

/**
 * Options of a {@linkcode BinaryParser}.
 *
 * The callbacks run within `push` and `end`, and must not call the parser. If a callback throws,
 * the parser passes the error on, and takes no more calls until `reset`.
 */
export interface BinaryParserOptions<T = unknown>
  extends ParseOptions, Pick<ParseValuesOptions<T>, "at" | "select" | "where" | "maxTokenBytes"> {
  /** Separation of values in an input of several; by default the input is one value. */
  multiple?: ValueSeparation | undefined;
  /** Receives each value once it is complete. Called only if `multiple` is given. */
  onValue?: ((value: ParsedValue<T>) => void) | undefined;
  /** Receives each failure as soon as it is found. */
  onFailure?: ((failure: ParseFailure) => void) | undefined;
  /** Receives each invalid value once its end is known, after `onFailure`; only with `multiple`. */
  onInvalid?: ((value: InvalidValue) => void) | undefined;
}

/** Queues the calls of a parser's callbacks, which are made once no parse is running. */
class CallbackSink<T> extends ParserSink {
  readonly #onValue: ((value: ParsedValue<T>) => void) | undefined;
  readonly #onFailure: ((failure: ParseFailure) => void) | undefined;
  readonly #onInvalid: ((value: InvalidValue) => void) | undefined;
  readonly #calls = new Queue<() => void>();
  /** Maker of the values so far, made for the first of them. */
  partial: PartialReader | null = null;
  /** Whether the value so far that was returned last is complete. */
  isComplete = false;
  /** Value so far before a failure, if it was not returned yet. */
  last: { value: unknown; isComplete: boolean } | null = null;

  constructor({ onValue, onFailure, onInvalid }: BinaryParserOptions<T>) {
    super();
    this.#onValue = onValue;
    this.#onFailure = onFailure;
    this.#onInvalid = onInvalid;
  }

  override onValue({ value, key, count, start, end, line }: ParserState): void {
    const onValue = this.#onValue;
    const found = { value: value as T, index: count - 1, start, end, line };
    const parsed = key === undefined ? found : { ...found, key };
    if (onValue !== undefined) this.#calls.add(() => onValue(parsed));
  }

  override onFailure(_state: ParserState, failure: ParseFailure): void {
    const onFailure = this.#onFailure;
    if (onFailure !== undefined) this.#calls.add(() => onFailure(failure));
  }

  override onInvalid(value: InvalidValue): void {
    const onInvalid = this.#onInvalid;
    if (onInvalid !== undefined) this.#calls.add(() => onInvalid(value));
  }

  override beforeFailure(state: ParserState, isReading: boolean): void {
    const { partial } = this;
    if (partial === null || state.readers.isViolated) return; // was called before the violation
    const before = partial.value;
    const value = (isReading ? readPartial : readPartialBetween)(partial, state);
    const isComplete = state.phase === AFTER;
    if (!Object.is(value, before) || isComplete && !this.isComplete) this.last = { value, isComplete };
  }

  override flush(): void {
    for (let call; (call = this.#calls.take()) !== undefined;) call();
  }

  override clear(): void {
    this.#calls.clear();
  }

  /** Forgets the values so far. */
  forget(): void {
    this.partial = this.last = null;
    this.isComplete = false;
  }
}

/**
 * Parses JSON that arrives in chunks.
 *
 * Chunks may end anywhere, even within a character, an escape or a number. The parser copies each
 * chunk and keeps only the bytes of an incomplete token; the caller may change or detach a chunk
 * afterwards. Values, failures and positions are those of `parseBinary` for the whole input.
 *
 * With `multiple`, each value goes to `onValue`, and an input without values is valid. Parsing
 * continues on the line after an invalid value, unless the values are elements of an array or
 * members of an object.
 *
 * The grammar is that of [RFC 8259](https://www.rfc-editor.org/rfc/rfc8259).
 *
 * @typeParam T Type that you expect the value, or each value, to have. It is not checked.
 *
 * @example A document in chunks
 * ```ts
 * import { BinaryParser } from "@bytejson/bytejson/parse-stream";
 * import { assertEquals } from "@std/assert";
 *
 * const parser = new BinaryParser();
 * const encoder = new TextEncoder();
 * for (const text of ['[1, "tw', 'o", 3', "]"]) {
 *   if (!parser.push(encoder.encode(text))) break;
 * }
 * assertEquals(parser.end(), { ok: true, value: [1, "two", 3] });
 * ```
 *
 * @example The elements of an array
 * ```ts
 * import { BinaryParser } from "@bytejson/bytejson/parse-stream";
 * import { assertEquals } from "@std/assert";
 *
 * const ids: number[] = [];
 * const parser = new BinaryParser<{ id: number }>({
 *   multiple: "elements",
 *   at: "/items",
 *   onValue: ({ value }) => ids.push(value.id),
 * });
 * parser.push(new TextEncoder().encode('{"items": [{"id": 1}, {"id": 2}], "more": false}'));
 * assertEquals(parser.end().ok, true);
 * assertEquals(ids, [1, 2]);
 * ```
 */
export class BinaryParser<T = unknown> {
  readonly #parser: ChunkParser;
  readonly #gate = new CallGate("parser", () => releaseChunkParser(this.#parser));
  readonly #sink: CallbackSink<T>;
  #text = new TextChunks();
  /** Whether there are values so far. */
  readonly #hasPartial: boolean;

  /**
   * Makes a parser at the beginning of an input.
   *
   * @param options Separation of several values, callbacks, and a limit.
   * @throws {TypeError} If `multiple` is not a {@linkcode ValueSeparation}, if `at` is not a JSON
   * Pointer or is given without `"elements"` or `"members"`, if `select` is not a selector, if a
   * condition of `where` is wrong or cannot be tested with the other options, or if `maxTokenBytes`
   * is not a positive number.
   */
  constructor(options: BinaryParserOptions<T> = NO_OPTIONS) {
    const guards = guardsOf(options, "BinaryParser", true, PARSER_NAMES);
    this.#parser = newParserOf(options, options.multiple, guards, this.#sink = new CallbackSink(options));
    const { multiple, readers: { parts, buffered } } = this.#parser.state;
    this.#hasPartial = multiple === undefined && parts === null && buffered === null;
  }

  /**
   * Parses the next chunk of the input. The caller may change or detach the chunk afterwards.
   *
   * @param chunk The bytes, any number of them; or text, of which they are the UTF-8. A surrogate
   * pair may be split between two chunks of text.
   * @returns `true` while the input may be the beginning of a valid one; `false` from the first
   * failure on. A chunk whose buffer is detached is a failure. Malformed UTF-8 is found at once,
   * unless a chunk has more than 1 KiB of a string but not its end; then it is found once the
   * string ends.
   * @throws {TypeError} If `chunk` is neither bytes nor text. The parser stays as it was.
   * @throws {RangeError} If `chunk` is a `Slice` whose fields were set to bytes outside its buffer.
   * The parser stays as it was.
   * @throws {TypeError} If a callback detaches or resizes the buffer of the chunk.
   * @throws {Error} After `end`, if a callback of this parser calls `push`, or if an earlier call
   * threw for another reason than its argument. The input cannot be continued then; `reset` begins
   * a new one.
   */
  push(chunk: Uint8Array | ArrayBuffer | SharedArrayBuffer | Slice | string): boolean {
    const bytes = typeof chunk === "string" ? chunk : bytesOf(chunk);
    return this.#gate.call("parse a chunk", () => this.#text.parse(this.#parser, bytes));
  }

  /**
   * Returns the value so far: the part that has arrived. Returned values never change, and share
   * the objects that are the same in both.
   *
   * - A string grows by whole characters, a member appears once its value has begun. Numbers and
   *   literals appear when they are complete, a number only once another byte follows it.
   * - Only more input, and a name that an object has twice, can change the value so far.
   *
   * Cost: linear in the entries of the arrays and objects that are still open.
   *
   * @returns `{ ok: true, value, isComplete }`, where `isComplete` says whether the value has
   * ended; the first failure of the input; or `undefined` if no value has begun. After earlier
   * calls, what has arrived before the failure is returned once, and then the failure.
   * @throws {TypeError} With the options `multiple`, `select` and `number`, and with those that
   * leave members out: `duplicateKeys: "first"` and `protoKeys: "drop"`.
   * @throws {Error} For the same reasons as {@linkcode BinaryParser.push}.
   *
   * @example A value while it arrives
   * ```ts
   * import { BinaryParser } from "@bytejson/bytejson/parse-stream";
   * import { assertEquals } from "@std/assert";
   *
   * const parser = new BinaryParser();
   * parser.push('{"title": "Bread", "steps": ["Mix the fl');
   * assertEquals(parser.partial(), {
   *   ok: true,
   *   value: { title: "Bread", steps: ["Mix the fl"] },
   *   isComplete: false,
   * });
   * ```
   */
  partial(): PartialResult<T> | undefined {
    if (!this.#hasPartial) {
      throw new TypeError(
        "Cannot make a value so far with multiple, select, number, or options that leave members out",
      );
    }
    const { state } = this.#parser;
    const sink = this.#sink;
    state.readers.beforeViolation ??= () => sink.beforeFailure(state, true);
    const value = this.#gate.call("make the value so far", () => {
      return readPartialBetween(sink.partial ??= newPartialReader(), state);
    });
    if (state.failure !== null) {
      const { last } = sink;
      sink.last = null;
      return last === null ? state.failure : { ok: true, ...last } as PartialResult<T>;
    }
    if (value === NOTHING) return undefined;
    const isComplete = sink.isComplete = state.phase === AFTER;
    return { ok: true, value, isComplete } as PartialResult<T>;
  }

  /**
   * Ends the input.
   *
   * @returns `{ ok: true, value }` or the first failure of the input. With `multiple` the value
   * is `undefined`.
   * @throws {Error} For the same reasons as {@linkcode BinaryParser.push}.
   */
  end(): ParseResult<T> {
    this.#gate.call("end the input", () => {
      this.#text.end(this.#parser);
      endChunks(this.#parser);
    }, true);
    const { partial } = this.#sink;
    this.#sink.forget();
    const result = takeResult(this.#parser) as ParseResult<T>;
    if (partial === null || !result.ok) return result;
    return { ok: true, value: completePartial(partial, result.value) as T };
  }

  /**
   * Forgets the input: the next chunk is the first of a new one. A parser that has ended, or whose
   * callback threw, takes calls again.
   *
   * @throws {Error} If a callback of this parser calls it.
   */
  reset(): void {
    this.#gate.reset(() => {
      resetChunkParser(this.#parser);
      this.#text = new TextChunks();
      this.#sink.forget();
    });
  }
}
