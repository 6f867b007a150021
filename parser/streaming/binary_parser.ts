/**
 * Parsing of bytes that arrive in chunks.
 *
 * @module
 */

import { BROKEN, BUSY, ENDED, READY, refusal } from "../base/call_status.ts";
import { appendChunk } from "./chunk_buffer.ts";
import { ELEMENT, ElementFinder, FAILURE, WAIT } from "./element_finder.ts";
import { describeFailure, type FailureCode, type ParseFailure } from "../base/failure.ts";
import { bytesOf, lengthOf, NO_OPTIONS } from "../engine/input.ts";
import { countLines } from "./line_counter.ts";
import { needsLineCount } from "../base/cursor.ts";
import { failure as located, locateFailure } from "../validation/locate_failure.ts";
import type { ParseResult } from "../base/parse_result.ts";
import { CallbackQueue } from "../base/queue.ts";
import { DONE, VALUE } from "../validation/token_dfa.ts";
import {
  closeBrackets,
  countPendingReturn,
  endLine,
  failureAtByte,
  failureAtEnd,
  failureAtOffset,
  newMachine,
  readPiece,
  resetMachine,
  viewOfPiece,
} from "../validation/validator.ts";
import {
  beginReading,
  endReading,
  FAILED,
  makeReaderRoom,
  newValueReader,
  readValue,
  releaseValueReader,
  resetValueReader,
  rewindReader,
  setLimit,
  SUSPENDED,
} from "./value_reader.ts";
import { skipWhitespace } from "../base/whitespace.ts";
import { learnStreamRoom, makeStreamRoom } from "../engine/young_generation.ts";
import type { Slice } from "../../slice.ts";

const TAB = 0x09;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

const NO_BYTES = new Uint8Array(0);

const { apply } = Reflect;
const { indexOf } = Uint8Array.prototype;

/** Phase before a value. */
const BETWEEN = 0;
/** Phase within a value. */
const WITHIN = 1;
/** Phase after a value, where only whitespace may follow in the input or the line. */
const AFTER = 2;
/** Phase after a failure: the rest of the line is skipped. */
const SKIPPING = 3;

/**
 * Separation of several values in one input: `"lines"` is JSON Lines, one value on each line that
 * is not blank; `"concatenated"` is one value after the other, on any number of lines; `"elements"`
 * are the elements of one array.
 */
export type ValueSeparation = "lines" | "concatenated" | "elements";

/** One of several values in an input. Offsets and lines count from the beginning of the input. */
export interface ParsedValue<T = unknown> {
  /** The value, the same that `JSON.parse` returns for its text. */
  value: T;
  /** Number of values before this one, valid or not. */
  index: number;
  /** Offset of the first byte. */
  start: number;
  /** Offset after the last byte. */
  end: number;
  /** Line of the first byte, from 1. */
  line: number;
}

/** One of several values in an input that is not a JSON text. */
export interface InvalidValue {
  /** Reason, and where. */
  failure: ParseFailure;
  /** Number of values before this one, valid or not. */
  index: number;
  /** Offset of the first byte. */
  start: number;
  /** Offset after the bytes that are skipped: the end of the line that the failure is in. */
  end: number;
  /** Line of the first byte, from 1. */
  line: number;
}

/**
 * Options of a {@linkcode BinaryParser}.
 *
 * The callbacks run within `push` and `end`, and must not call the parser they belong to. The
 * parser passes on the error that a callback throws, and takes no more calls until `reset`.
 */
export interface BinaryParserOptions<T = unknown> {
  /** Separation of the values of an input of several; by default the input is one value. */
  multiple?: ValueSeparation | undefined;
  /**
   * JSON Pointer (RFC 6901) of the array whose elements are wanted; the outermost value by default.
   * Only for `"elements"`.
   */
  at?: string | undefined;
  /** Receives each value once it is complete. Called only if `multiple` is given. */
  onValue?: ((value: ParsedValue<T>) => void) | undefined;
  /** Receives each failure as soon as it is found. */
  onFailure?: ((failure: ParseFailure) => void) | undefined;
  /**
   * Receives each invalid value once its end is known, which is later than `onFailure`. Called only
   * if `multiple` is given.
   */
  onInvalid?: ((value: InvalidValue) => void) | undefined;
  /**
   * Most bytes of a token that chunks have cut; a longer one is the failure `value-too-large`. By
   * default 512 MiB, more than any string may have.
   */
  maxTokenBytes?: number | undefined;
}

/** Lines that are delimited before they are read, after one that could not be read otherwise. */
const DELIMITED_LINES = 1024;

/** Default of `maxTokenBytes`. */
const MAX_TOKEN_BYTES = 2 ** 29;

/** Returns whether a byte is whitespace within a line. */
function isBlank(byte: number): boolean {
  return byte === SPACE || byte === CARRIAGE_RETURN || byte === TAB;
}

/**
 * Parses JSON that arrives in chunks.
 *
 * Chunks may end anywhere, also within a character, an escape or a number. The parser copies them,
 * and keeps no bytes but those of a token that is cut; the caller may change or detach a chunk
 * afterwards. Values, failures and positions are those of `parseBinary` for the whole input.
 *
 * With `multiple`, each value goes to `onValue`, and an input without values is valid. Parsing
 * continues on the line after an invalid value, unless the values are elements of an array.
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
  readonly #reader = newValueReader();
  /** Counts lines and, in `"elements"`, validates what is not an element. */
  readonly #machine = newMachine(false, true);
  readonly #multiple: ValueSeparation | undefined;
  readonly #finder: ElementFinder | null;
  readonly #onValue: ((value: ParsedValue<T>) => void) | undefined;
  readonly #onFailure: ((failure: ParseFailure) => void) | undefined;
  readonly #onInvalid: ((value: InvalidValue) => void) | undefined;
  readonly #maxTokenBytes: number;
  #status = READY;
  #phase = BETWEEN;
  /** Position up to which lines were counted. */
  #counted = 0;
  /**
   * Whether a byte from there on may be a line end or beyond ASCII: the bytes are then read once
   * more to count lines.
   */
  #isIrregular = false;
  /** Position up to which a line was searched for its line feed. */
  #searched = 0;
  /** Number of lines still to be delimited before they are read. */
  #delimitedLines = 0;
  /** First failure of the input. */
  #failure: ParseFailure | null = null;
  /** Failure of the value that is being read. */
  #valueFailure: ParseFailure | null = null;
  /** Value of the whole input or of the current line, once it is complete. */
  #value: unknown = undefined;
  /** Number of values that have ended. */
  #count = 0;
  /** Offsets and line of the value that is being read. */
  #start = 0;
  #end = 0;
  #line = 0;
  /** Whether a value that is no element is being validated. */
  #isSkipping = false;
  /** Callbacks to call once no parse is running. */
  readonly #callbacks = new CallbackQueue();

  /**
   * Makes a parser at the beginning of an input.
   *
   * @param options Separation of several values, callbacks, and a limit.
   * @throws {TypeError} If `multiple` is not a {@linkcode ValueSeparation}, if `at` is not a JSON
   * Pointer or is given without `"elements"`, or if `maxTokenBytes` is not a positive number.
   */
  constructor(options: BinaryParserOptions<T> = NO_OPTIONS) {
    const { multiple, at, onValue, onFailure, onInvalid, maxTokenBytes = MAX_TOKEN_BYTES } = options;
    if (multiple !== undefined && multiple !== "lines" && multiple !== "concatenated" && multiple !== "elements") {
      throw new TypeError('Cannot separate values this way: expected "lines", "concatenated" or "elements"');
    }
    if (at !== undefined && multiple !== "elements") {
      throw new TypeError('Cannot use a JSON Pointer here: "at" needs multiple: "elements"');
    }
    if (typeof maxTokenBytes !== "number" || !(maxTokenBytes > 0)) {
      throw new TypeError("Cannot limit tokens this way: expected a positive number of bytes");
    }
    this.#finder = multiple === "elements" ? new ElementFinder(at ?? "") : null;
    this.#multiple = multiple;
    this.#onValue = onValue;
    this.#onFailure = onFailure;
    this.#onInvalid = onInvalid;
    this.#maxTokenBytes = maxTokenBytes;
  }

  /**
   * Parses the next chunk of the input. The caller may change or detach the chunk afterwards.
   *
   * @param chunk The bytes, any number of them.
   * @returns `true` while the input may be the beginning of a valid one; `false` from the first
   * failure on. A chunk whose buffer is detached is a failure.
   * @throws {TypeError} If `chunk` is not bytes. The parser stays as it was.
   * @throws {RangeError} If `chunk` is a `Slice` whose fields were set to bytes outside its buffer.
   * The parser stays as it was.
   * @throws {TypeError} If a callback detaches or resizes the buffer of the chunk.
   * @throws {Error} After `end`, if a callback of this parser calls `push`, or if an earlier call
   * threw for another reason than its argument. The input can then not be continued; `reset` begins
   * a new one.
   */
  push(chunk: Uint8Array | ArrayBuffer | SharedArrayBuffer | Slice): boolean {
    const bytes = bytesOf(chunk);
    this.#begin("parse a chunk");
    try {
      if (bytes === null) this.#report(describeFailure(NO_BYTES, "detached-buffer", 0));
      else if (this.#failure === null || this.#canRecover()) this.#readChunk(bytes);
      if (this.#failure !== null && !this.#canRecover()) releaseValueReader(this.#reader);
      this.#callbacks.flush();
    } catch (error) {
      this.#break();
      throw error;
    }
    this.#status = READY;
    return this.#failure === null;
  }

  /**
   * Ends the input.
   *
   * @returns `{ ok: true, value }` or the first failure of the input. With `multiple` the value is
   * `undefined`.
   * @throws {Error} For the same reasons as {@linkcode BinaryParser.push}.
   */
  end(): ParseResult<T> {
    this.#begin("end the input");
    try {
      if (this.#failure === null || this.#canRecover()) this.#read(this.#reader.buffer.end, true);
      this.#callbacks.flush();
    } catch (error) {
      this.#break();
      throw error;
    }
    this.#status = ENDED;
    const { origin, end } = this.#reader.buffer;
    if (this.#multiple === undefined) learnStreamRoom(origin + end);
    const result = this.#failure ?? { ok: true, value: this.#value as T };
    this.#value = undefined;
    releaseValueReader(this.#reader);
    return result;
  }

  /**
   * Forgets the input: the next chunk is the first of a new one. A parser that has ended, or whose
   * callback threw, takes calls again.
   *
   * @throws {Error} If a callback of this parser calls it.
   */
  reset(): void {
    if (this.#status === BUSY) throw refusal("parser", "reset the parser", this.#status);
    this.#status = READY;
    this.#phase = BETWEEN;
    this.#counted =
      this.#searched =
      this.#delimitedLines =
      this.#count =
      this.#start =
      this.#end =
      this.#line =
        0;
    this.#failure = this.#valueFailure = null;
    this.#value = undefined;
    this.#isSkipping = this.#isIrregular = false;
    this.#callbacks.clear();
    resetMachine(this.#machine);
    resetValueReader(this.#reader);
    this.#finder?.reset();
  }

  /**
   * Begins a call of `push` or `end`.
   *
   * @throws {Error} If the parser takes no calls.
   */
  #begin(action: string): void {
    if (this.#status !== READY) throw refusal("parser", action, this.#status);
    this.#status = BUSY;
  }

  /** Ends a call that threw. */
  #break(): void {
    this.#status = BROKEN;
    this.#value = undefined;
    this.#callbacks.clear();
    releaseValueReader(this.#reader);
  }

  /** Returns whether values may follow an invalid one. */
  #canRecover(): boolean {
    return this.#multiple === "lines" || this.#multiple === "concatenated";
  }

  #readChunk(chunk: Uint8Array): void {
    const { buffer } = this.#reader;
    if (this.#multiple === undefined) {
      const before = buffer.origin + buffer.end;
      makeStreamRoom(before, before + lengthOf(chunk));
    }
    const length = lengthOf(chunk); // `makeStreamRoom` may have run code of the program
    for (let start = 0; start < length;) {
      if (start > 0 && lengthOf(chunk) < length) {
        throw new TypeError("Cannot parse the rest of this chunk: a callback detached or resized its buffer");
      }
      if (buffer.end === buffer.bytes.length && !this.#makeRoom(length - start)) {
        if (!this.#canRecover()) return;
        this.#read(buffer.end, false); // skips what has arrived of the line, which makes room
        continue;
      }
      const from = buffer.end;
      start += appendChunk(buffer, chunk, start, length);
      this.#read(from, false);
      if (this.#failure !== null && !this.#canRecover()) return;
      if (start < length) this.#callbacks.flush();
    }
  }

  /** Makes room in the full buffer for some of the arriving bytes. Returns `false` after a failure. */
  #makeRoom(arriving: number): boolean {
    const reader = this.#reader;
    this.#countTo(reader.position);
    const moved = makeReaderRoom(reader, arriving);
    if (moved < 0) {
      this.#failAtCutToken();
      return false;
    }
    this.#counted -= moved;
    this.#searched = Math.max(0, this.#searched - moved);
    return true;
  }

  /** Reads what has arrived, after bytes were appended from position `from` on. */
  #read(from: number, isLast: boolean): void {
    const reader = this.#reader;
    setLimit(reader, from, isLast);
    beginReading(reader);
    needsLineCount.passed = 0;
    try {
      if (this.#finder === null) this.#readValues(isLast);
      else this.#readElements(this.#finder, isLast);
    } finally {
      endReading(reader);
      if (needsLineCount.passed !== 0) this.#isIrregular = true;
    }
    if (this.#phase !== SKIPPING && reader.buffer.end - reader.position > this.#maxTokenBytes) this.#failAtCutToken();
  }

  #readValues(isLast: boolean): void {
    const reader = this.#reader;
    const { bytes } = reader.buffer;
    for (;;) {
      if (this.#multiple === "lines" && this.#phase === BETWEEN) {
        if (this.#delimitedLines > 0) this.#delimitedLines--;
        else if (!this.#readLines(isLast)) return;
      }
      let limit = reader.limit;
      let isLineWhole = isLast;
      if (this.#multiple === "lines" || this.#phase === SKIPPING) {
        const lineEnd = this.#findLineEnd();
        if (lineEnd >= 0) {
          limit = lineEnd;
          isLineWhole = true;
        } else if (this.#phase === SKIPPING) {
          limit = reader.buffer.end;
        }
      }
      if (this.#phase === BETWEEN && !this.#beginValue(limit, isLineWhole)) {
        if (limit >= reader.limit || this.#multiple !== "lines") return;
        this.#passLineEnd(limit);
        continue;
      }
      if (this.#phase === WITHIN) {
        const value = readValue(reader, limit, isLineWhole);
        if (value === SUSPENDED) return;
        if (value === FAILED) this.#failAt(located.code, located.offset);
        else this.#endValue(value);
      }
      if (this.#phase === AFTER) {
        reader.position = skipWhitespace(bytes, reader.position, limit);
        if (reader.position < limit) this.#failAtToken(limit, DONE);
        else if (this.#multiple === undefined || !isLineWhole) return;
        else this.#reportValue();
      }
      if (this.#phase === SKIPPING) {
        if (!this.#canRecover()) return;
        this.#isIrregular = true;
        const lineEnd = this.#findLineEnd();
        if (lineEnd < 0) {
          reader.position = reader.buffer.end;
          if (isLast) this.#reportInvalid(reader.position);
          return;
        }
        reader.position = lineEnd;
        this.#reportInvalid(lineEnd);
      }
      if (this.#multiple === "lines" && reader.position >= limit) {
        if (limit >= reader.buffer.end) return;
        this.#passLineEnd(limit);
      }
    }
  }

  /**
   * Reads values of whole lines. It searches no line for its end before it reads it: counting lines
   * shows whether a value spans several (JSON Lines: 1.1 to 1.25 times as fast).
   *
   * Returns `false` if more bytes must arrive. Otherwise a line is left to `#readValues`: its value
   * is invalid or spans lines, or is followed by something else than the end of the line.
   */
  #readLines(isLast: boolean): boolean {
    const reader = this.#reader;
    const machine = this.#machine;
    const { buffer, limit } = reader;
    const { bytes } = buffer;
    while (this.#beginValue(limit, isLast)) {
      const start = reader.position;
      const { excessBytes, lines, lineStart } = machine;
      const value = readValue(reader, limit, isLast);
      if (value === SUSPENDED) {
        const lineEnd = apply(indexOf, buffer.arrived, [LINE_FEED, start]) as number;
        if (lineEnd < 0) {
          this.#searched = buffer.end;
          return false;
        }
      } else if (value !== FAILED) {
        this.#countTo(reader.position);
        if (machine.lines === lines) {
          this.#endValue(value);
          let p = reader.position;
          while (p < limit && isBlank(bytes[p])) p++;
          if (p > reader.position) this.#isIrregular = true;
          reader.position = p;
          if (p >= limit || bytes[p] !== LINE_FEED) return true;
          this.#reportValue();
          this.#passLineEnd(p);
          continue;
        }
        machine.lines = lines;
        machine.lineStart = lineStart;
        machine.excessBytes = excessBytes;
        this.#counted = start;
        this.#isIrregular = true;
      }
      rewindReader(reader, start);
      this.#delimitedLines = DELIMITED_LINES;
      return true;
    }
    return false;
  }

  #readElements(finder: ElementFinder, isLast: boolean): void {
    const reader = this.#reader;
    while (this.#failure === null) {
      if (this.#phase === WITHIN) {
        const value = readValue(reader, reader.limit, isLast);
        if (value === SUSPENDED) return;
        if (value === FAILED) {
          this.#failAt(located.code, located.offset);
          return;
        }
        this.#endValue(value);
        finder.passValue();
      }
      if (reader.buffer.origin + reader.position === 0 && !this.#passByteOrderMark(reader.limit, isLast)) return;
      if (this.#isSkipping && !this.#skipValue(isLast)) return;
      const step = finder.find(reader, isLast);
      if (step === WAIT) return;
      if (step === FAILURE) this.#failAt(located.code, located.offset);
      else if (step === ELEMENT) this.#beginAt(reader.position);
      else {
        this.#machine.state = VALUE;
        closeBrackets(this.#machine);
        this.#isSkipping = true;
      }
    }
  }

  /** Validates a value that is no element. Returns `false` if more of it must arrive. */
  #skipValue(isLast: boolean): boolean {
    const reader = this.#reader;
    const machine = this.#machine;
    const { buffer, position } = reader;
    this.#countTo(position);
    // The machine counts lines itself from here.
    const piece = new Uint8Array(buffer.bytes.buffer, position, buffer.end - position);
    machine.pieceStart = buffer.origin + position;
    const p = readPiece(machine, piece, viewOfPiece(piece), 0);
    this.#counted = reader.position = position + p;
    reader.limit = Math.max(reader.limit, reader.position);
    if (machine.state !== DONE) {
      const failure = p < piece.length ? failureAtByte(machine, piece, p) : isLast ? failureAtEnd(machine, p) : null;
      if (failure !== null) this.#fail(failure);
      if (machine.state as number !== DONE) return false;
    }
    this.#isSkipping = false;
    this.#finder!.passValue();
    return true;
  }

  /** Returns the position of the next line feed, or -1 if there is none yet. */
  #findLineEnd(): number {
    const { buffer, position } = this.#reader;
    const from = Math.max(position, this.#searched);
    const found = apply(indexOf, buffer.arrived, [LINE_FEED, from]) as number;
    this.#searched = found < 0 ? buffer.end : found;
    return found;
  }

  #passLineEnd(lineEnd: number): void {
    const reader = this.#reader;
    reader.position = this.#searched = lineEnd + 1;
    if (this.#counted < lineEnd || this.#machine.isReturnPending) {
      this.#isIrregular = true;
    } else {
      endLine(this.#machine, reader.buffer.origin + lineEnd + 1);
      this.#counted = lineEnd + 1;
    }
  }

  /** Begins the next value, if a byte of it is before `limit`. */
  #beginValue(limit: number, isLast: boolean): boolean {
    const reader = this.#reader;
    const { buffer } = reader;
    if (buffer.origin + reader.position === 0) {
      if (!this.#passByteOrderMark(limit, isLast)) return false;
      if (reader.position > 0 && this.#multiple !== undefined) { // the mark begins a value
        this.#start = 0;
        this.#line = 1;
        this.#phase = WITHIN;
        return true;
      }
    }
    reader.position = skipWhitespace(buffer.bytes, reader.position, limit);
    if (reader.position < limit) {
      this.#beginAt(reader.position);
      return true;
    }
    if (this.#multiple !== undefined || !isLast) return false;
    this.#failAtToken(limit, VALUE);
    return true;
  }

  /**
   * Passes a byte-order mark at the beginning of the input. Returns `false` if more bytes must
   * arrive to tell whether there is one.
   */
  #passByteOrderMark(limit: number, isLast: boolean): boolean {
    const reader = this.#reader;
    const { bytes } = reader.buffer;
    let length = 0;
    while (length < 3 && length < limit && bytes[length] === BYTE_ORDER_MARK[length]) length++;
    if (length === 3) {
      reader.position = this.#counted = 3;
      this.#machine.excessBytes = 3;
    }
    return length === 0 || length === 3 || length < limit || isLast;
  }

  /** Begins a value at a position of the buffer. */
  #beginAt(position: number): void {
    const { buffer } = this.#reader;
    this.#countTo(position);
    countPendingReturn(this.#machine, buffer.origin + position, buffer.bytes[position]);
    this.#start = buffer.origin + position;
    this.#line = this.#machine.lines + 1;
    this.#phase = WITHIN;
  }

  /** Ends a value that is complete. */
  #endValue(value: unknown): void {
    this.#end = this.#reader.buffer.origin + this.#reader.position;
    this.#value = value;
    this.#phase = AFTER;
    if (this.#multiple === "concatenated" || this.#multiple === "elements") this.#reportValue();
  }

  #reportValue(): void {
    const value = {
      value: this.#value as T,
      index: this.#count++,
      start: this.#start,
      end: this.#end,
      line: this.#line,
    };
    this.#value = undefined;
    this.#phase = BETWEEN;
    if (this.#onValue !== undefined) this.#callbacks.add(this.#onValue, value);
  }

  #reportInvalid(end: number): void {
    const value = {
      failure: this.#valueFailure!,
      index: this.#count++,
      start: this.#start,
      end: this.#reader.buffer.origin + end,
      line: this.#line,
    };
    this.#valueFailure = null;
    this.#phase = BETWEEN;
    if (this.#onInvalid !== undefined) this.#callbacks.add(this.#onInvalid, value);
  }

  /** Records that the cut token at the reader's position is too long, and gives its value up. */
  #failAtCutToken(): void {
    const { position } = this.#reader;
    // A number, or a byte-order mark, begins a value only once its end has arrived.
    if (this.#phase === BETWEEN) this.#beginAt(position);
    this.#failAt("value-too-large", position);
    rewindReader(this.#reader, position);
  }

  /**
   * Locates the failure of the token at the reader's position, after which no bytes follow those up
   * to `end`. `state` is the state of the automaton before it.
   */
  #failAtToken(end: number, state: number): void {
    const { buffer: { bytes, view }, position } = this.#reader;
    locateFailure(bytes, view, position, end, state, false, true);
    this.#failAt(located.code, located.offset);
  }

  /** Records a failure at a position of the buffer. */
  #failAt(code: FailureCode, position: number): void {
    const machine = this.#machine;
    const { bytes, end, origin } = this.#reader.buffer;
    this.#isIrregular = true;
    this.#countTo(position);
    this.#reader.position = Math.max(this.#reader.position, Math.min(position, end));
    const byte = position < end ? bytes[position] : -1;
    countPendingReturn(machine, origin + position, byte);
    this.#fail(failureAtOffset(machine, origin + position, code, byte));
  }

  #fail(failure: ParseFailure): void {
    this.#valueFailure = failure;
    this.#value = undefined;
    this.#phase = SKIPPING;
    this.#report(failure);
  }

  #report(failure: ParseFailure): void {
    this.#failure ??= failure;
    if (this.#onFailure !== undefined) this.#callbacks.add(this.#onFailure, failure);
  }

  /**
   * Counts the lines before a position of the buffer, up to which everything was read. Bytes that
   * are not needsLineCount are not looked at.
   */
  #countTo(position: number): void {
    if (position <= this.#counted) return;
    const machine = this.#machine;
    if (this.#isIrregular || (needsLineCount.passed | needsLineCount.isInKeys) !== 0 || machine.isReturnPending) {
      const { bytes, view, origin } = this.#reader.buffer;
      countLines(machine, bytes, view, origin, this.#counted, position);
      this.#isIrregular = false;
      needsLineCount.passed = 0;
    }
    this.#counted = position;
  }
}
